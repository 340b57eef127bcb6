//! Names that somebody else chose: nothing in them drives a terminal, turns a line around or runs in a spreadsheet.

use std::path::Path;

use serde_json::Value;

use crate::{Run, posterity};

/// Names that hold a sequence for terminals, one character of C1, marks of direction, separators of lines, and
/// formulas.
const NAMES: [&str; 6] = [
    "a\u{1b}[2Jb\r\u{7f}",
    "c\u{9b}31m\u{85}",
    "d\u{202e}e\u{2066}f\u{200e}\u{61c}",
    "g\u{2028}h\u{2029}",
    "=HYPERLINK(\"http://example.org\")",
    "@SUM(1)",
];

/// Whether a character changes what is seen of others. The end of a line does so in every text.
fn is_hidden(one: char) -> bool {
    one != '\n'
        && (one.is_control()
            || matches!(one, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

fn assert_shown(what: &str, text: &str) {
    let hidden = text.lines().find(|line| line.contains(is_hidden));
    assert_eq!(hidden, None, "{what}");
    assert!(text.contains("\\u202e"), "{what} does not show the name");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A release of two columns, one of which has these names as values, from a file in this folder.
fn release(folder: &Path, more: &[&str]) -> Run {
    let (csv, values) = (folder.join("people.csv"), folder.join("values.txt"));
    let quoted: Vec<String> = NAMES.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let rows: String =
        (0..60).map(|row| format!("{},{}\n", quoted[row % 6], ["yes", "no"][row % 2])).collect();
    std::fs::write(&csv, format!("w\u{202e}ard,cured\n{rows}")).expect("written");
    std::fs::write(&values, NAMES.join("\n")).expect("written");
    let line = [
        "release",
        text(&csv),
        "--epsilon",
        "1",
        "--column",
        "w\u{202e}ard",
        "--categories-file",
        text(&values),
    ];
    posterity(&[&line[..], &["--column", "cured", "--categories", "yes,no"], more].concat())
}

/// If this fails, whoever names a category decides what a reader sees of the rest of the page.
#[test]
fn hidden_characters_reach_no_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("picture.svg");
    for format in ["table", "csv", "json"] {
        let run =
            release(folder.path(), &["--format", format, "--explain", "--plot", text(&picture), "--force"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_shown(format, &run.stdout);
        assert!(!run.stderr.contains(is_hidden), "{:?}", run.stderr);
        assert_shown("the picture", &std::fs::read_to_string(&picture).expect("drawn"));
    }
    // The document has the names as they are.
    let printed = release(folder.path(), &["--format", "json"]).stdout;
    let document: Value = serde_json::from_str(&printed).expect("JSON");
    let values: Vec<&str> = document["request"]["data"]["columns"][0]["values"]
        .as_array()
        .expect("values")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(values, NAMES, "{document}");
    // So that it can be read again, in every form.
    let file = folder.path().join("release.json");
    std::fs::write(&file, printed).expect("written");
    for format in ["table", "csv", "json"] {
        let run = posterity(&["read", text(&file), "--format", format]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_shown(format, &run.stdout);
    }
}

/// If this fails, a name runs as a formula in the spreadsheet of whoever opens the table.
#[test]
fn formulas_are_guarded_and_numbers_are_not() {
    let line = "release --counts 3,4,5,6 --epsilon 1 --seed 1 --format csv --categories";
    let args: Vec<&str> = line.split(' ').chain(["=1+1,-5,-x,+y"]).collect();
    let printed = posterity(&args).stdout;
    let first: Vec<&str> = printed.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(first, ["'=1+1", "-5", "'-x", "'+y"], "{printed}");
}

/// The same for the files of a study.
#[test]
fn a_study_shows_hidden_characters() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("people.csv"), "ward\n\"d\u{202e}e\"\n@x\n@x\n").expect("written");
    let plan = folder.path().join("plan.toml");
    let text_of_plan = "title = \"T\\u202e\"\nsource = 'people.csv'\nepsilon = 1\n[columns]\nward = [\"d\\u202ee\", \"@x\"]\n\
                        [[question]]\ncolumns = ['ward']\nread = ['ward']\n";
    std::fs::write(&plan, text_of_plan).expect("written");
    let out = folder.path().join("results");
    let run = posterity(&["study", text(&plan), "--out", text(&out)]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for entry in std::fs::read_dir(&out).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Ok(content) = std::fs::read_to_string(&path) else { continue };
        let ends = ["csv", "json", "html", "svg"];
        let is_shown = path.extension().is_some_and(|end| ends.iter().any(|one| end == *one));
        if is_shown {
            assert_shown(text(&path), &content);
        }
        if path.extension().is_some_and(|end| end == "csv") {
            assert!(content.contains("\n'@x,"), "{content}");
        }
    }
}
