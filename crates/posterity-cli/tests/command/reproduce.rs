//! Experiments by name, from a file or a folder, and what is said when one cannot be run.

use std::fs;

use crate::posterity;

const SMALL: &str = "\
title = 'One law'
group = 'accuracy-exact'

[laws]
epsilon = 1
mechanisms = ['lshist', 'geometric']
panel = [{ title = 'small', prior = [1, 1], counts = [4, 4], reach = 1 }]

[[claim]]
id = 'better'
text = 'Geometric noise is nearer.'
source = 'this test'
quantifier = 'in-these-settings'
holds = [{ check = 'below', of = 'mean', left = 'geometric', right = 'lshist' }]
";

fn folder(file: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(file), text).expect("writable");
    folder
}

#[test]
fn the_list_names_every_experiment_and_writes_nothing() {
    let run = posterity(&["reproduce", "--list"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for name in ["sensitivity-curve", "law-eps1", "size-beta", "loss-by-size", "coverage"] {
        assert!(run.stdout.lines().any(|line| line.starts_with(name)), "{name}: {}", run.stdout);
    }
    assert!(run.stderr.is_empty(), "{}", run.stderr);
}

#[test]
fn a_folder_of_experiments_gives_tables_pictures_and_a_report() {
    let (from, to) = (folder("mine.toml", SMALL), tempfile::tempdir().expect("a folder"));
    let out = to.path().join("results");
    let paths = [from.path(), &out].map(|path| path.to_str().expect("UTF-8").to_owned());
    let mut files: Vec<Vec<u8>> = Vec::new();
    for threads in ["1", "3"] {
        let run = posterity(&[
            "reproduce",
            "--experiments",
            &paths[0],
            "--out",
            &paths[1],
            "--force",
            "--threads",
            threads,
        ]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("mine"), "{}", run.stdout);
        assert!(run.stderr.contains("note: wrote "), "{}", run.stderr);
        let written: Vec<Vec<u8>> = ["mine.csv", "mine.svg", "mine.png", "report.html", "claims.csv"]
            .map(|name| fs::read(out.join(name)).expect(name))
            .to_vec();
        assert!(files.is_empty() || files == written, "threads change nothing");
        files = written;
    }
    let claims = String::from_utf8(files.swap_remove(4)).expect("UTF-8");
    assert!(
        claims.starts_with(
            "experiment,claim,source,quantifier,law,distance,verdict,region,value,because\nmine,"
        ),
        "{claims}"
    );
    assert_eq!(claims.lines().count(), 2, "one line for each claim");
    let html = String::from_utf8(files.swap_remove(3)).expect("UTF-8");
    assert!(html.contains("Geometric noise is nearer.") && html.contains("confirmed"));
}

#[test]
fn a_single_file_is_taken_too() {
    let (from, to) = (folder("mine.toml", SMALL), tempfile::tempdir().expect("a folder"));
    fs::write(from.path().join("broken.toml"), "not read").expect("writable");
    let paths = [from.path().join("mine.toml"), to.path().into()]
        .map(|path| path.to_str().expect("UTF-8").to_owned());
    let run = posterity(&["reproduce", "--experiments", &paths[0], "--out", &paths[1]]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for name in ["mine.csv", "mine.svg", "mine.png", "report.html", "claims.csv"] {
        assert!(to.path().join(name).exists(), "{name}");
    }
    let list = posterity(&["reproduce", "--experiments", &paths[0], "--list"]);
    assert_eq!(list.stdout, "mine  One law\n");
}

/// If this fails, an experiment with a control character in its title has a picture that no viewer opens.
#[test]
fn a_control_character_in_a_title_leaves_the_picture_valid() {
    let title = SMALL.replace("'One law'", "\"One\\u0001\\u001b law\"");
    let (from, to) = (folder("mine.toml", &title), tempfile::tempdir().expect("a folder"));
    let paths = [from.path(), to.path()].map(|path| path.to_str().expect("UTF-8").to_owned());
    let run = posterity(&["reproduce", "--experiments", &paths[0], "--out", &paths[1]]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let svg = fs::read_to_string(to.path().join("mine.svg")).expect("written");
    let odd: Vec<char> = svg.chars().filter(|c| c.is_control() && !"\t\r\n".contains(*c)).collect();
    assert!(odd.is_empty() && svg.contains("One\\u0001\\u001b law"), "{odd:?}");
}

#[test]
fn bad_usage() {
    let wrong = folder("wrong.toml", &SMALL.replace("epsilon", "epsilom"));
    let empty = tempfile::tempdir().expect("a folder");
    let text = folder("mine.txt", SMALL);
    let other = text.path().join("mine.txt").to_str().expect("UTF-8").to_owned();
    let path = |folder: &tempfile::TempDir| folder.path().to_str().expect("UTF-8").to_owned();
    for (args, code, words) in [
        (vec!["reproduce".to_owned(), "nothing".to_owned()], 2, "there is no experiment \"nothing\""),
        (
            vec!["reproduce".to_owned(), "--experiments".to_owned(), path(&wrong)],
            2,
            "unknown field `epsilom`",
        ),
        (
            vec!["reproduce".to_owned(), "--experiments".to_owned(), path(&empty)],
            2,
            "it holds no experiments",
        ),
        (
            vec!["reproduce".to_owned(), "--experiments".to_owned(), other],
            2,
            "it is no file *.toml; name a definition, or a folder of them",
        ),
        (
            vec!["reproduce".to_owned(), "--experiments".to_owned(), "no/such/folder".to_owned()],
            1,
            "cannot be read",
        ),
        (vec!["reproduce".to_owned(), "--threads".to_owned(), "0".to_owned()], 2, "--threads"),
    ] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = posterity(&args);
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
        assert!(run.stdout.is_empty());
    }
}
