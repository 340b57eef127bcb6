//! What the terminal says: commands, their output, messages and exit codes.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::{Desk, lasting};

/// Questions that are answered at once.
const RELEASES: [&str; 24] = [
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --seed 7",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --seed 7 --explain",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --seed 7 --format csv",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --seed 7 --about records",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --mechanism ehds --where 'age < 30' --seed 7",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --seed 7 --adjacency add-remove",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --seed 7 --adjacency add-remove --explain",
    "release stays.csv --column ward --categories A,B,C --epsilon 20 --seed 7",
    "release stays.csv --schema stays.schema.json --column ward --column cured --epsilon 1 --seed 7",
    "release stays.csv --schema stays.schema.json --column ward --column cured --epsilon 1 --seed 7 --read 'cured=yes | ward' --compare 'cured=yes | ward: A - B'",
    "release stays.csv --column score --categories 0,1,2 --where 'age < 30' --epsilon 1 --seed 7 --read 'mean(score)'",
    "release unknown.csv --column cured --categories yes,no --epsilon 1 --seed 7",
    "release unknown.csv --column ward --categories A,B,C --epsilon 1 --seed 7",
    "release unknown.csv --column cured --categories yes,no --missing unknown --epsilon 1 --seed 7",
    "margins stays.csv --schema stays.schema.json --column ward --column sex --column cured --sets 2 --epsilon 1 --delta 1e-9 --seed 7",
    "margins stays.csv --schema stays.schema.json --column ward --column sex --column cured --sets 2 --epsilon 1 --delta 1e-9 --seed 7 --explain",
    "margins stays.csv --schema stays.schema.json --column ward --column sex --column cured --sets 2 --epsilon 1 --delta 1e-9 --seed 7 --format csv",
    "discover stays.csv --column ward --one-record-per-person --epsilon 1 --delta 1e-9 --seed 7",
    "discover stays.csv --column ward --one-record-per-person --epsilon 1 --delta 1e-9 --seed 7 --explain",
    "discover stays.csv --column ward --one-record-per-person --epsilon 1 --delta 1e-9 --seed 7 --format csv",
    "check stays.csv --column ward --categories A,B",
    "check unknown.csv --column ward --categories A,B,C --column cured --categories yes,no",
    "check unknown.csv --schema stays.schema.json --column ward --column cured --format csv",
    "check stays.csv --schema stays.schema.json --column ward",
];

/// What needs no data, or counts that may be seen.
const ANALYSES: [&str; 29] = [
    "inspect --counts 4,4 --epsilon 1",
    "inspect --counts 4,4 --epsilon 1 --format csv",
    "inspect --counts 4,4 --epsilon 1 --mechanism ehds --format json",
    "compare --counts 5,5 --epsilon 1",
    "compare --counts 5,5 --epsilon 1 --by width",
    "compare --counts 5,5 --epsilon 1 --mechanisms lattice,ehds --runs 50",
    "compare --counts 5,5 --epsilon 1 --format csv",
    "compare --counts 5,5 --epsilon 1 --mechanisms lattice,mh --format json",
    "audit --n 30 --k 2 --epsilon 1 --mechanism ehds",
    "audit --n 30 --k 2 --epsilon 1 --mechanism ehds --explain",
    "audit --n 30 --k 2 --epsilon 1 --mechanism ehdl",
    "audit --n 30 --prior 0.05,0.05 --epsilon 0.1 --mechanism ehdl",
    "audit --n 30 --k 2 --epsilon 1 --mechanism ehds --profile 0,0.2 --format json",
    "audit --counts 5,5 --epsilon 1 --mechanism ehds --format csv",
    "advise --n 40 --k 2 --epsilon 1",
    "advise --n 40 --k 2 --epsilon 1 --explain",
    "advise --n 40 --k 2 --epsilon 1 --format json",
    "advise --n 400 --k 3 --half-width 0.05",
    "advise --n 400 --k 3 --half-width 0.05 --format json",
    "advise --n 400 --k 3 --half-width 0.01",
    "advise --n 20 --k 2 --distance 0.2",
    "advise --n 20 --k 2 --distance 0.2 --format csv",
    "advise --n 400 --columns ward=3,cured=2 --epsilon 1 --read 'cured=1 | ward'",
    "advise --n 400 --columns ward=3,cured=2 --half-width 0.2 --read 'cured=1 | ward'",
    "advise --n 400 --columns ward=3,sex=2,cured=2 --sets 2 --epsilon 1 --delta 1e-9",
    "advise --n 400 --columns ward=3,sex=2,cured=2 --sets 2 --epsilon 1 --delta 1e-9 --format csv",
    "advise --n 400 --k 3 --epsilon 1 --adjacency add-remove",
    "advise --n 400 --epsilon 1",
    "advise --k 2 --n 20 --epsilon 1 --half-width 0.1",
];

/// A study, and what is done with its results.
const STUDIES: [&str; 12] = [
    "study plan.toml --plan-only",
    "study plan.toml --plan-only --n 420",
    "study plan.toml --plan-only --n 420 --format json",
    "study plan.toml --plan-only --n 420 --format csv",
    "study plan.toml --seed 7 --out seeded",
    "study plan.toml --seed 7 --out seeded",
    "study plan.toml --out unpaid",
    "study nothing.toml --out seeded",
    "verify seeded",
    "verify seeded --format json",
    "describe seeded",
    "read seeded/pairs.json --read 'cured | ward'",
];

/// An office with a ledger. No output here may hold a draw.
const BUDGETS: [&str; 26] = [
    "budget create new.ledger --account office --epsilon 2",
    "budget create new.ledger --account office --epsilon 2",
    "budget create new.ledger --account clinic --epsilon 2 --delta 1e-6 --unit id --population 'all patients'",
    "budget create new.ledger --account second --epsilon 2 --unit id --population 'all patients'",
    "budget create new.ledger --account large --epsilon 2 --delta 0.01",
    "budget show new.ledger",
    "budget show new.ledger --format csv",
    "budget show new.ledger --format json",
    "budget show new.ledger --account nobody",
    "budget history new.ledger --account office",
    "budget history new.ledger --account nobody",
    "release stays.csv --column ward --categories A,B,C --epsilon 3 --ledger new.ledger --account office",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --ledger new.ledger --account nobody",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --ledger new.ledger --account clinic",
    "release stays.csv --column ward --categories A,B,C --epsilon 1 --ledger new.ledger --account office --seed 7",
    "release stays.csv --column ward --categories A,B,C --unit id --epsilon 1/4 --ledger new.ledger --account clinic --format json",
    "budget show new.ledger",
    "budget show new.ledger --releases-of 0.5",
    "release --counts 48,42 --categories cured,not --epsilon 1/4 --ledger new.ledger --account office --format json",
    "budget history new.ledger --account office",
    "budget history new.ledger --account office --format json",
    "budget history new.ledger --account clinic --format csv",
    "budget verify new.ledger",
    "budget verify stays.csv",
    "budget unit new.ledger --account clinic --unit record",
    "budget keygen office",
];

/// Slips.
const OTHERS: [&str; 14] = [
    "read nothing.json",
    "verify nothing.json",
    "describe nothing.json",
    "read stays.csv",
    "verify stays.csv",
    "rows stays.schema.json",
    "rows stays.schema.json --out rows.csv",
    "budget show nothing.ledger",
    "reproduce nothing",
    "--version",
    "nonsense",
    "release --epsilon",
    "release --nonsense",
    "rea stays.json",
];

/// Documents of each kind.
const MADE: [(&str, &str); 3] = [
    (
        "table",
        "release stays.csv --schema stays.schema.json --column ward --column cured --epsilon 1 --seed 7 --format json",
    ),
    (
        "margins",
        "margins stays.csv --schema stays.schema.json --column ward --column sex --column age --column cured --sets 2 --epsilon 1 --delta 1e-9 --seed 7 --format json",
    ),
    (
        "discovered",
        "discover stays.csv --column ward --unit id --epsilon 1 --delta 1e-9 --total-epsilon 0.5 --seed 7 --format json",
    ),
];

/// Lines that are run on each document.
const EACH: [&str; 18] = [
    "read {}",
    "read {} --explain",
    "read {} --format csv",
    "read {} --format json",
    "read {} --level 0.9",
    "read {} --interval-kind credible",
    "read {} --about records",
    "read {} --simultaneous",
    "read {} --read 'cured | ward'",
    "read {} --read nothing",
    "verify {}",
    "verify {} --format json",
    "describe {}",
    "describe {} --as label",
    "describe {} --as registry",
    "describe {} --format markdown",
    "verify {} --format csv",
    "rows {} --rows 5 --out rows.csv --force",
];

/// Runs lines one after another, and says what the terminal says.
fn transcript(desk: &Desk, lines: &[&str]) -> String {
    let mut all = String::new();
    for line in lines {
        let said = desk.run(line);
        let (stdout, stderr) = (lasting(&said.stdout), lasting(&said.stderr));
        writeln!(all, "$ posterity {line}\n{stdout}--- {} stderr\n{stderr}", said.code).expect("text");
    }
    all
}

/// If this fails, the terminal says something else of a release.
#[test]
fn releases_look_as_they_did() {
    assert_snapshot!("releases", transcript(&Desk::new(), &RELEASES));
}

/// If this fails, the terminal says something else of a mechanism.
#[test]
fn analyses_look_as_they_did() {
    assert_snapshot!("analyses", transcript(&Desk::new(), &ANALYSES));
}

/// If this fails, a study looks different.
#[test]
fn studies_look_as_they_did() {
    let desk = Desk::new();
    let said = transcript(&desk, &STUDIES);
    assert_snapshot!("studies", said);
    // Every file of the results but pictures, whose coordinates are tested elsewhere.
    let mut names: Vec<_> = std::fs::read_dir(desk.path().join("seeded"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert_snapshot!("studies-files", names.join("\n"));
    for name in names.iter().filter(|name| name.ends_with(".csv") || *name == "study.json") {
        let text = std::fs::read_to_string(desk.path().join("seeded").join(name)).expect("text");
        assert_snapshot!(format!("studies-{name}"), lasting(&desk.without_paths(&text)));
    }
}

/// If this fails, a budget looks different, or a charge is refused otherwise.
#[test]
fn budgets_look_as_they_did() {
    let desk = Desk::new();
    let mut said = String::new();
    for line in BUDGETS {
        let shown = transcript(&desk, &[line]);
        // A document that was drawn differs each time.
        let drawn = line.starts_with("release") && shown.contains("{\n");
        said += &if drawn { format!("$ posterity {line}\n(a document)\n\n") } else { shown };
    }
    assert_snapshot!("budgets", said);
}

/// If this fails, a slip is answered otherwise.
#[test]
fn slips_are_answered_as_they_were() {
    assert_snapshot!("slips", transcript(&Desk::new(), &OTHERS));
}

/// If this fails, a document that somebody has is read, verified or described otherwise.
#[test]
fn documents_are_read_as_they_were() {
    for (name, line) in MADE {
        let desk = Desk::new();
        let file = format!("{name}.json");
        desk.write(&file, &desk.done(line).stdout);
        let lines = EACH.map(|line| line.replace("{}", &file));
        assert_snapshot!(format!("{name}-read"), transcript(&desk, &lines.each_ref().map(String::as_str)));
    }
}
