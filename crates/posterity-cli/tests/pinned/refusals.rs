//! What is refused: which argument a message names, the exit code, and that nothing was charged.

use std::fmt::Write as _;

use insta::assert_snapshot;

use crate::{Desk, PLAN, lasting};

/// What is added to each way to ask. A flag that stands in the question already is replaced.
const WRONG: [&str; 53] = [
    "--epsilon 0",
    "--epsilon -1",
    "--epsilon nan",
    "--epsilon 1e400",
    "--epsilon 1000",
    "--level 1",
    "--level 0",
    "--interval-kind normal",
    "--about people",
    "--read 'nothing'",
    "--read 'ward='",
    "--read 'ward=Q'",
    "--read 'mean(ward)'",
    "--compare 'ward=A: B'",
    "--compare 'ward: A - Q'",
    "--mechanism magic",
    "--mechanism ehds(gamma=0)",
    "--mechanism ehdl",
    "--mechanism mh",
    "--mechanism optimal --adjacency add-remove",
    "--decode magic",
    "--where 'age >'",
    "--where 'height > 3'",
    "--where 'sex > 3'",
    "--within 'age > 40' --where 'age >'",
    "--unit nobody",
    "--unit ward",
    "--unit id",
    "--per-unit often",
    "--per-unit first",
    "--unit id --per-unit 'all 3'",
    "--adjacency both",
    "--most 5",
    "--encoding latin-9",
    "--delimiter ab",
    "--delimiter ;",
    "--input-format xlsx",
    "--input-format parquet",
    "--prior 0",
    "--prior 1,2,3,4,5,6,7,8,9",
    "--prior-file nothing.txt",
    "--delta 2",
    "--delta 0.01",
    "--total-epsilon 0",
    "--total-epsilon 1",
    "--account nobody",
    "--ledger nothing.ledger",
    "--certificate nothing.json",
    "--sign nothing.secret",
    "--plot picture.gif",
    "--plot there.svg",
    "--picture mosaic",
    "--format yaml",
];

const ASKED: [(&str, &str, &str); 4] = [
    ("table", "sums.ledger", "release stays.csv --column ward --categories A,B,C"),
    (
        "joint table",
        "sums.ledger",
        "release stays.csv --schema stays.schema.json --column ward --column cured",
    ),
    (
        "margins",
        "filter.ledger",
        "margins stays.csv --schema stays.schema.json --column ward --column sex --column cured --sets 2 --delta 1e-9",
    ),
    (
        "discovered",
        "discovered.ledger",
        "discover stays.csv --column ward --one-record-per-person --delta 1e-9",
    ),
];

/// A desk with accounts that can pay for every question, and for no epsilon of 1000.
fn desk() -> Desk {
    let desk = Desk::new();
    for (ledger, more) in [
        ("sums.ledger", ""),
        ("filter.ledger", "--delta 1e-6"),
        ("discovered.ledger", "--delta 1e-6 --adds-up --adjacency add-remove"),
        ("study.ledger", "--delta 1e-6"),
    ] {
        desk.done(&format!("budget create {ledger} --account office --epsilon 90 {more}"));
    }
    desk.write("there.svg", "a picture");
    desk
}

/// The line of a question with what is wrong in it.
fn line(question: &str, ledger: &str, wrong: &str) -> String {
    let given = |flag: &str| wrong.contains(&format!("--{flag} "));
    let mut parts = question.split(" --");
    let mut line = parts.next().unwrap_or_default().to_owned();
    let usual = ["epsilon 1".to_owned(), format!("ledger {ledger}"), "account office".to_owned()];
    for part in parts.map(ToOwned::to_owned).chain(usual) {
        // A unit takes the place of the statement that nobody has two records.
        let flag = part.split(' ').next().unwrap_or_default();
        let replaced = given(flag) || (flag == "one-record-per-person" && given("unit"));
        if !replaced {
            write!(line, " --{part}").expect("text");
        }
    }
    format!("{line} {wrong}")
}

/// What is said of a mistake, without the usage. Nothing may have been charged, unless it was accepted.
fn refused(desk: &Desk, ledger: &str, line: &str) -> String {
    let before = desk.ledger(ledger);
    let said = desk.run(line);
    if said.code == 0 {
        let charged = if desk.ledger(ledger) == before { "nothing was charged" } else { "charged" };
        return format!("  0 accepted; {charged}\n");
    }
    assert_eq!(said.stdout, "", "{line}");
    assert!(desk.ledger(ledger) == before, "{line} was charged");
    let message = said.stderr.split("\n\nUsage").next().unwrap_or_default().trim_end();
    let message = message.trim_end_matches("For more information, try '--help'.").trim_end();
    format!("  {} {}\n", said.code, message.replace('\n', "\n    "))
}

/// If this fails, a mistake is refused otherwise than before, or not at all.
#[test]
fn the_command_refuses_what_it_refused() {
    let desk = desk();
    for (name, ledger, question) in ASKED {
        let mut all = format!("$ posterity {}\n\n", line(question, ledger, ""));
        for wrong in WRONG {
            let said = refused(&desk, ledger, &line(question, ledger, wrong));
            writeln!(all, "{wrong}\n{said}").expect("text");
        }
        assert_snapshot!(format!("{}-refused", name.replace(' ', "-")), lasting(&all));
    }
}

/// Questions that are wrong as a whole.
const ALONE: [&str; 39] = [
    "release nothing.csv --column ward --categories A,B,C",
    "release *.parquet --column ward --categories A,B,C",
    "release stays.schema.json --column ward --categories A,B,C",
    "release stays.csv",
    "release stays.csv --column ward",
    "release stays.csv --column",
    "release stays.csv --column nothing --categories A,B",
    "release stays.csv --column ward --categories A",
    "release stays.csv --column ward --categories A,A",
    "release stays.csv --column ward --categories A,B",
    "release stays.csv --column ward --categories A,B,C --column ward --categories A,B,C",
    "release stays.csv --column age --bins 18",
    "release stays.csv --column age --bins 40,18",
    "release stays.csv --column age --bins 18,40",
    "release stays.csv --column ward --bins 18,40",
    "release stays.csv --column ward --categories-file nothing.txt",
    "release stays.csv --column ward --categories A,B,C --other A",
    "release stays.csv --column ward --categories A,B,C --other gone --missing gone",
    "release stays.csv --schema nothing.schema.json --column ward",
    "release stays.csv --schema plan.toml --column ward",
    "release stays.csv --schema stays.schema.json --column id",
    "margins stays.csv --schema stays.schema.json --sets 0 --delta 1e-9",
    "margins stays.csv --schema stays.schema.json --sets 9 --delta 1e-9",
    "margins stays.csv --schema stays.schema.json --sets 2",
    "margins stays.csv --schema stays.schema.json --delta 1e-9",
    "margins stays.csv --schema stays.schema.json --sets 'ward,nobody' --delta 1e-9",
    "margins stays.csv --schema stays.schema.json --sets 'ward,cured=0' --delta 1e-9",
    "margins stays.csv --schema stays.schema.json --sets 2 --delta 1e-9 --mechanism lattice",
    "release stays.csv --column ward --categories discover",
    "discover stays.csv --column ward",
    "discover stays.csv --column ward --delta 1e-9",
    "release unknown.csv --column cured --categories yes,no",
    "release unknown.csv --column ward --categories A,B,C",
    "release - --column ward --categories A,B,C",
    "release --counts 3",
    "release --counts 3,-4",
    "release --counts 3,four",
    "release --counts 3,4 --categories a",
    "release stays.csv --counts 3,4",
];

/// If this fails, a question that makes no sense is answered, or refused with other words.
#[test]
fn questions_that_make_no_sense_are_refused_as_they_were() {
    let desk = desk();
    let mut all = String::new();
    for question in ALONE {
        let ledger = if question.contains("--delta") { "filter.ledger" } else { "sums.ledger" };
        let line = format!("{question} --epsilon 1 --ledger {ledger} --account office");
        writeln!(all, "{question}\n{}", refused(&desk, ledger, &line)).expect("text");
    }
    assert_snapshot!("questions-refused", lasting(&all));
}

/// What stands in a plan, and what stands there instead.
const PLANS: [(&str, &str); 35] = [
    ("epsilon = 1", "epsilon = 0"),
    ("epsilon = 1", "epsilon = -1"),
    ("epsilon = 1", "epsilon = nan"),
    ("epsilon = 1", "epsilon = 1000"),
    ("epsilon = 1", "level = 1\nepsilon = 1"),
    ("epsilon = 1", "interval-kind = 'normal'\nepsilon = 1"),
    ("epsilon = 1", "about = 'people'\nepsilon = 1"),
    ("epsilon = 1", "mechanism = 'magic'\nepsilon = 1"),
    ("epsilon = 1", "mechanism = 'mh'\nepsilon = 1"),
    ("epsilon = 1", "decode = 'magic'\nepsilon = 1"),
    ("epsilon = 1", "where = 'age >'\nepsilon = 1"),
    ("epsilon = 1", "where = 'height > 3'\nepsilon = 1"),
    ("epsilon = 1", "within = 'age > 40'\nepsilon = 1"),
    ("epsilon = 1", "unit = 'nobody'\nepsilon = 1"),
    ("epsilon = 1", "unit = 'id'\nepsilon = 1"),
    ("epsilon = 1", "unit = 'id'\nper-unit = 'often'\nepsilon = 1"),
    ("epsilon = 1", "adjacency = 'both'\nepsilon = 1"),
    ("epsilon = 1", "encoding = 'latin-9'\nepsilon = 1"),
    ("epsilon = 1", "prior = 0\nepsilon = 1"),
    ("epsilon = 1", "epsilons = 1"),
    ("delta = 1e-9", "delta = 2"),
    ("delta = 1e-9", "delta = 0.01"),
    ("delta = 1e-9", ""),
    ("account = \"office\"", "account = \"nobody\""),
    ("account = \"office\"", ""),
    ("source = \"stays.csv\"", "source = \"nothing.csv\""),
    ("read = [\"cured | age\"]", "read = [\"nothing\"]"),
    ("read = [\"cured | age\"]", "read = [\"ward=\"]"),
    ("read = [\"cured | age\"]", "read = [\"ward=Q\"]"),
    ("read = [\"cured=yes | ward\"]", "read = [\"ward\"]"),
    ("compare = [\"cured=yes | ward: A - B\"]", "compare = [\"ward=A: B\"]"),
    ("columns = [\"ward\", \"cured\"]", "columns = [\"ward\", \"nobody\"]"),
    ("sets = 2", "sets = 9"),
    ("share = 2", "share = 0"),
    ("points = 30", "points = 300"),
];

/// If this fails, a mistake in a plan is refused otherwise than before, or not at all.
#[test]
fn studies_refuse_what_they_refused() {
    let desk = desk();
    let mut all = String::new();
    for (right, wrong) in PLANS {
        assert!(PLAN.contains(right), "{right}");
        desk.write("wrong.toml", &PLAN.replacen(right, wrong, 1));
        let said = refused(&desk, "study.ledger", "study wrong.toml --out results");
        writeln!(all, "{right} -> {}\n{said}", wrong.replace('\n', "; ")).expect("text");
    }
    assert_snapshot!("plans-refused", lasting(&all));
}
