//! What people do wrong in their first hour, each with the remedy that they are told.

use std::process::{Command, Stdio};

use crate::budget::Study;
use crate::{Run, run};

/// Files as people have them.
fn files() -> Study {
    let study = Study::new("1");
    let rows = |separator: &str, number: &dyn Fn(usize) -> String, ward: &dyn Fn(usize) -> &'static str| {
        let row = |i: usize| {
            let cured = ["yes", "no"][i % 2];
            let parts = [(i / 2).to_string(), ward(i).to_owned(), number(i), cured.to_owned()];
            parts.join(separator) + "\n"
        };
        ["patient", "ward", "age", "cured"].join(separator) + "\n" + &(0..400).map(row).collect::<String>()
    };
    let age = |i: usize| (i % 90).to_string();
    let plain = |i: usize| ["A", "B"][i % 2];
    let clean = rows(",", &age, &plain);
    study.file("clean.csv", &clean);
    study.file("blank.csv", rows(",", &age, &|i| ["A", "B", "A "][i % 3]));
    study.file("missing.csv", clean.replace("5,A,10,yes", "5,A,10,"));
    study.file("nobody.csv", clean.replace("5,A,10,yes", ",A,10,yes"));
    study.file("german.csv", rows(";", &|i| format!("{},5", i % 90), &plain));
    study.file("sheet.csv", b"PK\x03\x04\x14\0\x06\0");
    study.file("sheet.xlsx", b"PK\x03\x04\x14\0\x06\0");
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(clean.bytes().flat_map(|byte| [byte, 0])).collect();
    study.file("utf16.csv", wide);
    study.file("latin.csv", b"ward,cured\nGr\xfcn,yes\nGr\xfcn,no\n");
    study.file("empty.csv", "");
    study.file("header.csv", "ward,cured\n");
    study.file("twice.csv", "ward,ward\nA,B\n");
    study.file("cut.csv", "ward,cured\nA,yes\nB\n");
    study.file(
        "stays.schema.json",
        r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B"]}},
        {"name": "cured", "constraints": {"enum": ["yes", "no"]}}, {"name": "patient"}]}"#,
    );
    study.file("broken.schema.json", "{\"fields\": [");
    study.file("plan.toml", "source = \"clean.csv\"\nepsilon = 1\n[columns]\nward = [\"A\", \"B\"]\n[[questions]]\ncolumns = [\"ward\"]\n");
    study
}

/// The words of a line, of which those in quotes hold blanks.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(place, part)| if place % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}

fn typed(study: &Study, line: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posterity"));
    let command = command.args(words(line)).stdin(Stdio::null()).env_remove("COLUMNS");
    run(command.current_dir(study.path("")))
}

/// A command line, and a part of what is said of it.
const MISTAKES: &[(&str, &str)] = &[
    ("release", "name a file, or give the counts"),
    ("release nowhere.csv --column ward --categories A,B --epsilon 1", "check the path"),
    ("release clean.csv --epsilon 1", "say which column holds the categories"),
    ("release clean.csv --column ward --epsilon 1", "declare the possible values of each column"),
    ("release clean.csv --column wards --categories A,B --epsilon 1", "there is one named \"ward\""),
    ("release clean.csv --column ward --categories A --epsilon 1", "declare at least two"),
    ("release clean.csv --column ward --categories A,A --epsilon 1", "name each category once"),
    ("release clean.csv --column ward --categories A,B", "--epsilon: this is required"),
    ("release clean.csv --column ward --categories A,B --epsilon 0", "choose a positive, finite number"),
    ("release clean.csv --column ward --categories A,B --epsilon 0,5", "write 0.5, with a point"),
    ("release clean.csv --column ward --categories A,B --epsilon -1", "choose a positive, finite number"),
    ("release clean.csv --column ward --categories A,B --epsilon small", "choose a positive, finite number"),
    (
        "release clean.csv --column ward,cured --categories A,B --epsilon 1",
        "repeat the flag: --column ward --column cured",
    ),
    (
        "release clean.csv --column ward --column cured --categories A,B --epsilon 1",
        "declare the possible values of each column",
    ),
    (
        "release blank.csv --column ward --categories A,B --epsilon 1",
        "differs from \"A\" only in blanks; declare that spelling as an alias",
    ),
    (
        "release clean.csv --column cured --categories Yes,No --epsilon 1",
        "only in capital letters; declare that spelling as an alias",
    ),
    (
        "release clean.csv --column cured --categories good,bad --epsilon 1",
        "(`posterity check` shows it); declare it, or name a category for other values",
    ),
    (
        "release clean.csv --column cured --categories discover --epsilon 1",
        "`posterity discover FILE --column NAME` names the values",
    ),
    (
        "release missing.csv --column cured --categories yes,no --epsilon 1",
        "(`posterity check` counts them); name the category they count to",
    ),
    ("release clean.csv --column age --bins 0,40 --epsilon 1", "declare at least two"),
    ("release clean.csv --column age --bins 40,0 --epsilon 1", "list the edges from small to large"),
    ("release clean.csv --column age --bins 40 --epsilon 1", "bins need at least two"),
    (
        "release german.csv --delimiter ; --column age --bins 0,40,120 --epsilon 1",
        "write numbers with a decimal point",
    ),
    (
        "release german.csv --delimiter ; --column age --bins 0,40,120 --other rest --epsilon 1",
        "a number with a decimal comma",
    ),
    (
        "release german.csv --column ward --categories A,B --epsilon 1",
        "if a semicolon separates the fields; give that delimiter",
    ),
    (
        "release clean.csv --delimiter :: --column ward --categories A,B --epsilon 1",
        "--delimiter: this is not one character",
    ),
    (
        "release sheet.csv --column ward --categories A,B --epsilon 1",
        "save the sheet as CSV, or pass it from Python",
    ),
    (
        "release sheet.xlsx --column ward --categories A,B --epsilon 1",
        "Save the sheet of a spreadsheet as CSV first",
    ),
    ("release utf16.csv --column ward --categories A,B --epsilon 1", "name the encoding utf-16"),
    (
        "release latin.csv --column ward --categories A,B --epsilon 1",
        "name its encoding, such as windows-1252",
    ),
    (
        "release empty.csv --column ward --categories A,B --epsilon 1",
        "is empty; remove it, or write its records",
    ),
    ("release header.csv --column ward --categories A,B --epsilon 1", "check the source and the filter"),
    ("release twice.csv --column ward --categories A,B --epsilon 1", "rename one of them"),
    ("release cut.csv --column ward --categories A,B --epsilon 1", "quote fields that contain the delimiter"),
    ("release clean.csv --schema nowhere.json --column ward --epsilon 1", "check the path"),
    ("release clean.csv --schema broken.schema.json --column ward --epsilon 1", "is not JSON"),
    (
        "release clean.csv --schema stays.schema.json --column age --epsilon 1",
        "the declared columns are \"ward\", \"cured\"",
    ),
    (
        "release clean.csv --schema stays.schema.json --rate 'cured=yes | wards' --epsilon 1",
        "there is one named \"ward\"",
    ),
    (
        "release clean.csv --rate 'cured=yes | ward' --epsilon 1",
        "--rate: no categories are declared for the column \"ward\"; declare them",
    ),
    (
        "release clean.csv --schema stays.schema.json --rate 'cured=healed | ward' --epsilon 1",
        "its values are \"yes\", \"no\"",
    ),
    (
        "release clean.csv --column ward --categories A,B --where 'age =' --epsilon 1",
        "write an SQL condition such as age > 30",
    ),
    (
        "release clean.csv --column ward --categories A,B --where 'wards = 1' --epsilon 1",
        "there is one named \"ward\"",
    ),
    (
        "release clean.csv --column ward --categories A,B --unit patients --epsilon 1",
        "there is one named \"patient\"",
    ),
    (
        "release nobody.csv --column ward --categories A,B --unit patient --epsilon 1",
        "fill them in, or filter them out",
    ),
    (
        "release clean.csv --column ward --categories A,B --per-unit first --epsilon 1",
        "say with --unit which column tells them apart",
    ),
    (
        "release clean.csv --column ward --categories A,B --adjacency addremove --epsilon 1",
        "a similar value exists: 'add-remove'",
    ),
    (
        "release clean.csv --column ward --categories A,B --mechanism latice --epsilon 1",
        "a similar value exists: 'lattice'",
    ),
    (
        "release clean.csv --column ward --categories A,B --mechanism ehdl --epsilon 1",
        "Choose another mechanism",
    ),
    (
        "release clean.csv --column ward --categories A,B --prior 1,1,1 --epsilon 1",
        "give one for each, or one number for all",
    ),
    (
        "release clean.csv --column ward --categories A,B --prior -1 --epsilon 1",
        "give a finite number above zero",
    ),
    ("release --counts 48,42 --unit patient --epsilon 1", "this is for files; with --counts, leave it out"),
    ("release --counts 48,-2 --epsilon 1", "give whole numbers, zero or more"),
    ("release 48,42 --epsilon 1", "write them after --counts"),
    ("release --counts 0,0 --epsilon 1", "there must be at least one record"),
    (
        "release clean.csv --schema stays.schema.json --column ward --column cured --read 'cured | wards' --epsilon 1",
        "its columns are \"ward\", \"cured\"",
    ),
    (
        "release clean.csv --schema stays.schema.json --column ward --column cured --compare 'cured=yes | ward: A - C' --epsilon 1",
        "its values are \"A\", \"B\"",
    ),
    (
        "release clean.csv --column ward --categories A,B --level 95 --epsilon 1",
        "strictly between 0 and 1, such as 0.95",
    ),
    (
        "release clean.csv --column ward --categories A,B --epsilon 1 --ledger nowhere.ledger --account a",
        "create one first (`posterity budget create`)",
    ),
    (
        "release clean.csv --column ward --categories A,B --epsilon 1 --ledger study.ledger",
        "--account <NAME>",
    ),
    (
        "release clean.csv --column ward --categories A,B --epsilon 1 --ledger study.ledger --account b",
        "choose one of \"a\"",
    ),
    (
        "release clean.csv --column ward --categories A,B --epsilon 5 --ledger study.ledger --account a",
        "ask for at most 1",
    ),
    (
        "release clean.csv --column ward --categories A,B --epsilon 1 --plot picture.jpg",
        "give a file name in .svg or .png",
    ),
    ("release clean.csv --plan plan.toml", "write \"question\""),
    ("budget create study.ledger --account a --epsilon 1", "choose another name"),
    ("budget create other.ledger --account a --epsilon 0", "choose a positive number such as 1 or 0.5"),
    ("discover clean.csv --column ward --epsilon 1", "such as 1e-9"),
    ("margins clean.csv --schema stays.schema.json --epsilon 1", "--sets: this is required"),
    ("study plan.toml", "write \"question\""),
    ("verify nowhere.json", "check the path"),
    ("check clean.csv --column ward --categories A,B --accept", "--write-schema <FILE>"),
    ("check clean.csv --bins 0,40", "write this after the --column that it is for"),
    ("relase clean.csv", "similar subcommands exist: 'read', 'release'"),
];

/// If this fails, somebody does not know how to go on, or was charged for a mistake.
#[test]
fn every_mistake_has_its_remedy() {
    let study = files();
    assert!(MISTAKES.len() >= 55, "{}", MISTAKES.len());
    let mut wrong = Vec::new();
    for (line, remedy) in MISTAKES {
        let run = typed(&study, line);
        let said = run.stderr.replace('\n', " ");
        let is_told = said.contains(remedy) && matches!(run.code, Some(1 | 2)) && run.stdout.is_empty();
        if !is_told {
            wrong.push(format!(
                "{line}\n  expected {remedy:?}\n  code {:?}, said {said}{}",
                run.code, run.stdout
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
    assert_eq!(study.spent(), "0");
}
