//! Pictures of readings through the command.

use std::fs;

use crate::posterity;

/// The document of a small table in a folder of its own.
fn stored(folder: &tempfile::TempDir) -> String {
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (csv, json) = (path("visits.csv"), path("visits.json"));
    let rows: String = (0..90).map(|i| format!("{},{}\n", ["A", "B<i>", "C"][i % 3], i % 2)).collect();
    fs::write(&csv, format!("ward,score\n{rows}")).expect("written");
    let columns =
        ["--column", "ward", "--categories", "A,B<i>,C", "--column", "score", "--categories", "0,1"];
    let run = posterity(
        &[&["release", &csv, "--epsilon", "1", "--seed", "4", "--format", "json"], &columns[..]].concat(),
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    fs::write(&json, run.stdout).expect("written");
    json
}

/// Each kind draws the reading that is asked for, and a picture changes no number.
#[test]
fn every_kind_is_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = stored(&folder);
    let read = ["read", &json, "--read", "score | ward"];
    let plain = posterity(&read).stdout;
    let mut drawn = Vec::new();
    for kind in ["heat", "forest", "mosaic", "posterior"] {
        let file = folder.path().join(format!("{kind}.svg")).to_string_lossy().into_owned();
        let run = posterity(&[&read[..], &["--plot", &file, "--picture", kind]].concat());
        assert_eq!((run.code, &run.stdout), (Some(0), &plain), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("note: wrote {file}")), "{}", run.stderr);
        let svg = fs::read_to_string(&file).expect("the picture");
        let title = if kind == "posterior" { "Posterior" } else { "score by ward" };
        assert!(svg.contains(title) && svg.contains("NOT PRIVATE") && !svg.contains("<i>"), "{kind}");
        assert!(!drawn.contains(&svg), "{kind}");
        drawn.push(svg);
    }
    // The usual picture of a conditional reading is a forest, and of all columns a heat map.
    let file = folder.path().join("usual.svg").to_string_lossy().into_owned();
    posterity(&[&read[..], &["--plot", &file]].concat());
    assert_eq!(fs::read_to_string(&file).expect("the picture"), drawn[1]);
    posterity(&["read", &json, "--plot", &file, "--picture", "heat"]);
    let all = fs::read_to_string(&file).expect("the picture");
    posterity(&["read", &json, "--read", "ward, score", "--plot", &file]);
    assert_eq!(fs::read_to_string(&file).expect("the picture"), all);
}

#[test]
fn several_readings_make_several_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = stored(&folder);
    let file = folder.path().join("both.svg").to_string_lossy().into_owned();
    let run = posterity(&[
        "read",
        &json,
        "--read",
        "score | ward",
        "--read",
        "mean(score) | ward",
        "--plot",
        &file,
    ]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!folder.path().join("both.svg").exists());
    let first = fs::read_to_string(folder.path().join("both-1.svg")).expect("the first");
    let second = fs::read_to_string(folder.path().join("both-2.svg")).expect("the second");
    assert!(first.contains("score by ward") && second.contains("mean(score) by ward"));
}

#[test]
fn rejects() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = stored(&folder);
    let file = folder.path().join("no.svg").to_string_lossy().into_owned();
    for (args, code, words) in [
        (
            vec!["--read", "mean(score) | ward", "--plot", &file, "--picture", "mosaic"],
            2,
            "choose forest or heat",
        ),
        (vec!["--picture", "heat"], 2, "--plot <FILE>"),
        (vec!["--plot", &file, "--picture", "pie"], 2, "possible values: posterior, heat, forest, mosaic"),
        (vec!["--read", "score | ward", "--plot", "/nonexistent/a.svg"], 1, "cannot be written"),
    ] {
        let run = posterity(&[&["read", &json], &args[..]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{args:?}: {}", run.stderr);
        let said = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(words), "{args:?}: {said}");
    }
    assert!(!folder.path().join("no.svg").exists());
}
