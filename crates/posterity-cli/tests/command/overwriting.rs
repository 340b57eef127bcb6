//! Nothing that is there is overwritten unless that was said, and that is found out before anything is charged or drawn.

use std::fs;
use std::path::Path;

use crate::{Run, posterity};

/// What stands in the files that must stay.
const PRECIOUS: &str = "id,ward,cured\n1,A,yes\n";

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Runs a command line in which `FILE` is a path.
fn at(line: &str, file: &Path, more: &[&str]) -> Run {
    let words = line.split(' ').map(|word| if word == "FILE" { text(file) } else { word });
    posterity(&words.chain(more.iter().copied()).collect::<Vec<_>>())
}

/// If this fails, a file that somebody needs is replaced by rows, a picture or a certificate.
#[test]
fn files_that_exist_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let rows: String =
        (0..300).map(|id| format!("{},{}\n", ["A", "B"][id % 2], ["yes", "no"][id % 3 % 2])).collect();
    let (data, schema, document) = (path("data.csv"), path("data.schema.json"), path("margins.json"));
    fs::write(&data, format!("ward,cured\n{rows}")).expect("written");
    fs::write(
        &schema,
        r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B"]}}, {"name": "cured", "constraints": {"enum": ["yes", "no"]}}]}"#,
    )
    .expect("written");
    let flags = "--sets 2 --epsilon 1 --delta 1e-9 --seed 1 --format json --schema FILE";
    let made = at(&format!("margins {} {flags}", text(&data)), &schema, &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    fs::write(&document, made.stdout).expect("written");
    let margins = text(&document);
    for (line, name) in [
        (format!("rows {margins} --rows 20 --out FILE"), "stays.csv"),
        (format!("rows {margins} --rows 20 --out FILE"), "stays.parquet"),
        (
            format!(
                "rows {margins} --rows 20 --out {} --force --non-negative FILE",
                text(&path("other.csv"))
            ),
            "stays.csv",
        ),
        (format!("read {margins} --read ward --plot FILE"), "stays.svg"),
        ("release --counts 3,4 --epsilon 1 --seed 1 --plot FILE".to_owned(), "stays.png"),
        ("compare --counts 3,4 --epsilon 1 --plot FILE".to_owned(), "stays.svg"),
        ("advise --n 40 --k 2 --half-width 0.2 --plot FILE".to_owned(), "stays.svg"),
        ("audit --k 2 --n 5 --epsilon 1 --mechanism mh --certificate FILE".to_owned(), "stays.json"),
    ] {
        let file = path(name);
        fs::write(&file, PRECIOUS).expect("written");
        let is_forced_already = line.contains("--force");
        if !is_forced_already {
            let refused = at(&line, &file, &[]);
            assert_eq!(refused.code, Some(1), "{line}: {}", refused.stderr);
            assert_eq!(refused.stdout, "", "{line}");
            assert!(
                refused.stderr.contains("exists") && refused.stderr.contains("(--force)"),
                "{}",
                refused.stderr
            );
            assert!(refused.stderr.contains(text(&file)), "{}", refused.stderr);
            assert_eq!(fs::read_to_string(&file).expect("there"), PRECIOUS, "{line}");
        }
        let more: &[&str] = if is_forced_already { &[] } else { &["--force"] };
        let forced = at(&line, &file, more);
        assert!(forced.code == Some(0) || line.starts_with("audit"), "{line}: {}", forced.stderr);
        assert_ne!(fs::read(&file).expect("there"), PRECIOUS.as_bytes(), "{line}");
        // Where nothing is, nothing need be said.
        fs::remove_file(&file).expect("removed");
        let new = at(&line, &file, &[]);
        assert!(new.code == Some(0) || line.starts_with("audit"), "{line}: {}", new.stderr);
        assert!(file.exists(), "{line}");
    }
}

/// If this fails, a release is paid for although its picture would overwrite a file.
#[test]
fn nothing_is_charged_for_what_would_overwrite() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ledger, picture) = (folder.path().join("a.ledger"), folder.path().join("stays.svg"));
    fs::write(&picture, PRECIOUS).expect("written");
    let made = posterity(&["budget", "create", text(&ledger), "--account", "a", "--epsilon", "1"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let line = "release --counts 3,4 --epsilon 1 --account a --ledger FILE";
    let refused = at(line, &ledger, &["--plot", text(&picture)]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    let history = posterity(&["budget", "history", text(&ledger), "--account", "a", "--format", "csv"]);
    assert_eq!(history.stdout.lines().count(), 1, "{}", history.stdout);
}

/// If this fails, experiments or manual pages replace files of the same names.
#[test]
fn folders_with_such_files_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    for (line, name) in
        [("man --out FILE", "posterity-read.1"), ("reproduce lemma-5-5 --quick --out FILE", "lemma-5-5.csv")]
    {
        let file = folder.path().join(name);
        fs::write(&file, PRECIOUS).expect("written");
        let refused = at(line, folder.path(), &[]);
        assert_eq!(refused.code, Some(1), "{line}: {}", refused.stderr);
        assert!(refused.stderr.contains(name) && refused.stderr.contains("(--force)"), "{}", refused.stderr);
        assert_eq!(fs::read_to_string(&file).expect("there"), PRECIOUS, "{line}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "{line} writes nothing");
        let forced = at(line, folder.path(), &["--force"]);
        assert_eq!(forced.code, Some(0), "{line}: {}", forced.stderr);
        assert_ne!(fs::read_to_string(&file).expect("there"), PRECIOUS, "{line}");
        fs::read_dir(folder.path()).expect("a folder").for_each(|entry| {
            fs::remove_file(entry.expect("a file").path()).expect("removed");
        });
    }
}

/// If this fails, more rows than there is memory for end the command without a word.
#[test]
fn rows_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("data.csv"), format!("ward,cured\n{}", "A,yes\nB,no\n".repeat(50))).expect("written");
    let data = path("data.csv");
    let line = "margins FILE --column ward --categories A,B --column cured --categories yes,no --sets 2 --epsilon 1 --delta 1e-9 \
                --seed 1 --format json";
    let made = at(line, &data, &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    fs::write(path("margins.json"), made.stdout).expect("written");
    let out = path("rows.csv");
    let refused = at("rows FILE --rows 1000000000 --out", &path("margins.json"), &[text(&out)]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("at most 178956970 rows of 2 columns"), "{}", refused.stderr);
    assert!(!out.exists());
}
