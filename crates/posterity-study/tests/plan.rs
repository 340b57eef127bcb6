//! Plans: what is read, and what is refused, with its line and remedy.

use std::path::Path;

use posterity::plan::{Plan, PlanError, PlanProblem, PlannedTable};
use posterity_study::{PlanFile, Study, StudyError};

const COLUMNS: &str =
    "columns = { ward = [\"A\", \"B\"], cured = [\"yes\", \"no\"], age = { bins = [0, 18, 65] } }\n";

fn parse(text: &str) -> Result<Plan, PlanError> {
    let file = PlanFile::parse(text, Path::new("somewhere"))?;
    let plan = file.plan().clone();
    match Study::new(file) {
        Err(StudyError::Plan(error)) => Err(error),
        _ => Ok(plan),
    }
}

fn with(rest: &str) -> String {
    format!("source = \"a.csv\"\nepsilon = 1\n{COLUMNS}{rest}")
}

/// What the first question about declared cells asks.
fn first(plan: &Plan) -> &PlannedTable {
    plan.all().next().expect("a question")
}

#[test]
fn shares_are_exact_parts_of_epsilon() {
    let plan = parse(&with(
        "[[question]]\ncolumns = [\"ward\"]\nshare = 0.1\n[[question]]\ncolumns = [\"cured\", \"age\"]\nshare = \"1/5\"\nlevel = 0.9\n",
    ))
    .expect("valid");
    let shares: Vec<String> =
        plan.all::<PlannedTable>().map(|asked| asked.terms().epsilon.rational().to_string()).collect();
    assert_eq!(shares, ["1/3", "2/3"]);
    let names: Vec<_> = plan.questions().map(|asked| (asked.name(), asked.cells())).collect();
    assert_eq!(names, [("ward", Some(2)), ("cured-age", Some(4))]);
    // Without readings, the cells and every column.
    let asked = plan.questions().nth(1).expect("two");
    let readings: Vec<String> = asked.readings().iter().map(ToString::to_string).collect();
    assert_eq!(readings, ["cured, age", "cured", "age"]);
    assert_eq!((plan.title(), plan.source()), ("A study of a.csv", "a.csv"));
}

/// mhg promises twice the epsilon that it is given. If this fails, a report promises less loss than its answers have.
#[test]
fn a_plan_costs_what_its_answers_promise() {
    let questions =
        "[[question]]\ncolumns = [\"ward\"]\n[[question]]\ncolumns = [\"cured\"]\nmechanism = \"mhg\"\n";
    let plan = parse(&with(questions)).expect("valid");
    let promised: Vec<String> = plan.questions().map(|asked| asked.epsilon().to_string()).collect();
    assert_eq!((promised, plan.epsilon().to_string()), (vec!["0.5".into(), "1".into()], "1.5".into()));
}

#[test]
fn priors_of_cells_and_of_the_cell_outside() {
    let prior = |keys: &str| {
        let text = format!("{keys}\n{}", with("[[question]]\ncolumns = [\"ward\"]\n"));
        parse(&text).map(|plan| first(&plan).terms().prior.clone().map(|prior| prior.parameters().to_vec()))
    };
    assert_eq!(prior(""), Ok(None));
    assert_eq!(prior("prior = 0.5"), Ok(Some(vec![0.5, 0.5])));
    assert_eq!(prior("prior = [2, 3]"), Ok(Some(vec![2.0, 3.0])));
    assert_eq!(prior("within = \"x = 1\"\nprior = 0.5"), Ok(Some(vec![0.5, 0.5, 0.5])));
    assert_eq!(prior("within = \"x = 1\"\nprior-outside = 9"), Ok(Some(vec![1.0, 1.0, 9.0])));
    assert_eq!(prior("within = \"x = 1\"\nprior = [2, 3]\nprior-outside = 9"), Ok(Some(vec![2.0, 3.0, 9.0])));
    assert!(
        prior("prior = [1, 2, 3]").is_err()
            && prior("prior-outside = 1").is_err()
            && prior("prior = 0").is_err()
    );
}

#[test]
fn missing_values_of_all_columns_or_of_some() {
    let names = |plan: &str, question: &str| {
        let question = format!("[[question]]\ncolumns = [\"ward\", \"cured\"]\n{question}");
        parse(&format!("{plan}\n{}", with(&question))).map(|plan| {
            let columns = &first(&plan).question().columns;
            columns
                .iter()
                .map(|column| column.missing.clone().unwrap_or_default())
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    assert_eq!(names("missing = \"none\"", ""), Ok("none none".into()));
    assert_eq!(names("missing = { ward = \"none\" }", ""), Ok("none ".into()));
    assert_eq!(names("missing = \"none\"", "missing = { cured = \"no\" }"), Ok(" no".into()));
    let unknown = names("missing = { wrd = \"none\" }", "").expect_err("refused");
    assert!(
        matches!(unknown.problem(), PlanProblem::Undeclared { column, .. } if column == "wrd"),
        "{unknown}"
    );
    assert!(names("missing = { ward = [5] }", "").is_err() && names("missing = [\"none\"]", "").is_err());
}

#[test]
fn a_schema_declares_columns() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B"]}}, {"name": "cured", "type": "boolean"}]}"#;
    std::fs::write(folder.path().join("s.json"), schema).expect("written");
    let text = "source = \"a.csv\"\nepsilon = 1\nschema = \"s.json\"\ncolumns = { ward = [\"A\", \"B\", \"C\"] }\n\
                [[question]]\ncolumns = [\"ward\", \"cured\"]\n";
    let plan = PlanFile::parse(text, folder.path()).expect("valid");
    assert_eq!(first(plan.plan()).cells(), 6, "the plan comes before the schema");
    let missing = PlanFile::parse(&text.replace("s.json", "t.json"), folder.path()).expect_err("refused");
    assert!(
        matches!((missing.line(), missing.problem()), (Some(3), PlanProblem::Schema { .. })),
        "{missing}"
    );
}

/// Each with its line, and words of the message.
#[test]
fn rejects() {
    let ask = "[[question]]\ncolumns = [\"ward\"]\n";
    let table: Vec<(String, usize, &str)> = vec![
        ("source = ".into(), 1, "this is not TOML"),
        (
            format!("epsilon = 1\n{COLUMNS}{ask}"),
            1,
            "the plan has no \"source\"; add source = \"people.csv\"",
        ),
        (format!("source = \"a.csv\"\n{COLUMNS}{ask}"), 1, "add epsilon = 1"),
        (with(""), 1, "add a table [[question]]"),
        (
            format!("source = \"a.csv\"\nepsilom = 1\n{COLUMNS}{ask}"),
            2,
            "there is no key \"epsilom\" in the plan; write \"epsilon\"",
        ),
        (with(&format!("titel = \"x\"\n{ask}")), 4, "there is no key \"titel\" in the plan; write \"title\""),
        (
            with("[[question]]\ncolum = [\"ward\"]\ncolumns = [\"ward\"]\n"),
            5,
            "in a question; write \"columns\"",
        ),
        (
            with("[[question]]\ncolumns = [\"ward\"]\nbudget = 1\n"),
            6,
            "the keys are title, description, name",
        ),
        (with("[[question]]\ncolumns = [\"wards\"]\n"), 5, "\"wards\"; there is one named \"ward\""),
        (with("[[question]]\ncolumns = [\"height\"]\n"), 5, "the declared columns are \"ward\""),
        (
            with("[[question]]\ncolumns = [\"ward\"]\nshare = 0\n"),
            6,
            "share: \"0\" is no finite number above zero",
        ),
        (
            with("[[question]]\ncolumns = [\"ward\"]\nshare = true\n"),
            6,
            "share: this is a truth value; write a number",
        ),
        (
            with("[[question]]\ncolumns = [\"ward\"]\nread = [\"ward\", \"cured | ward\"]\n"),
            6,
            "the release has no column \"cured\"",
        ),
        (with("[[question]]\ncolumns = [\"ward\"]\nread = \"ward |\"\n"), 6, "a name is missing at the end"),
        (
            with("[[question]]\ncolumns = [\"ward\", \"cured\"]\ncompare = \"cured=yes | ward: A - C\"\n"),
            6,
            "no value \"C\"",
        ),
        (with("[[question]]\ncolumns = [\"ward\"]\nmechanism = \"latice\"\n"), 6, "mechanism: "),
        (
            with("[[question]]\ncolumns = [\"ward\"]\nmechanism = \"ehdl\"\n"),
            4,
            "no proven privacy guarantee",
        ),
        (with("[[question]]\ncolumns = [\"ward\"]\ndecode = \"bests\"\n"), 6, "decode: "),
        (with("[[question]]\ncolumns = [\"ward\"]\nlevel = 1.5\n"), 6, "level: "),
        (with("[[question]]\ncolumns = [\"ward\"]\nname = \"a/b\"\n"), 6, "use letters, digits, hyphens"),
        (with(&format!("{ask}{ask}")), 6, "two questions are named \"ward\""),
        (
            with("[[question]]\ncolumns = [\"ward\"]\nname = \"study\"\n"),
            4,
            "the question \"study\" would write the file \"study.json\", which every study writes; give it another name",
        ),
        (
            with("[[question]]\nname = \"Study\"\ncolumns = [\"ward\"]\n"),
            4,
            "the question \"Study\" would write the file \"Study.json\"",
        ),
        (
            with(
                "[[question]]\nname = \"a\"\ncolumns = [\"cured\", \"ward\"]\nread = \"cured | ward\"\n\
                 [[question]]\nname = \"a-cured-by-ward\"\ncolumns = [\"ward\"]\n",
            ),
            8,
            "the questions \"a\" and \"a-cured-by-ward\" would both write the file \"a-cured-by-ward.svg\"",
        ),
        (
            with(&format!("{ask}[[question]]\nname = \"Ward\"\ncolumns = [\"cured\"]\n")),
            6,
            "the questions \"ward\" and \"Ward\" would both write the file \"Ward.svg\"",
        ),
        (
            with(
                "[[question]]\nname = \"a\"\ncolumns = [\"ward\"]\ncompare = \"ward: A - B\"\n\
                 [[question]]\nname = \"a-comparisons\"\ncolumns = [\"cured\"]\n",
            ),
            8,
            "the questions \"a\" and \"a-comparisons\" would both write the file \"a-comparisons.csv\"",
        ),
        (with("[[question]]\ncolumns = [\"ward\", \"ward\"]\n"), 4, "\"ward\" is named twice"),
        (with(&format!("where = \"age >\"\n{ask}")), 4, "where: the filter \"age >\""),
        (with(&format!("within = \"age >\"\n{ask}")), 4, "within: the private filter \"age >\""),
        (with(&format!("per-unit = \"mode\"\n{ask}")), 4, "say with `unit` which column"),
        (with(&format!("unit = \"id\"\nper-unit = \"last\"\n{ask}")), 5, "per-unit: "),
        (with(&format!("epsilon = 2\n{ask}")), 4, "this is not TOML"),
        (
            format!("source = \"a.csv\"\nepsilon = -1\n{COLUMNS}{ask}"),
            2,
            "epsilon: epsilon is -1; choose a positive, finite number",
        ),
        (
            format!("source = \"a.csv\"\nepsilon = \"1/0\"\n{COLUMNS}{ask}"),
            2,
            "choose a positive, finite number",
        ),
        (format!("source = \"\"\nepsilon = 1\n{COLUMNS}{ask}"), 1, "source: this is empty"),
        (
            format!("source = \"a.csv\"\nepsilon = 1\n[columns]\nward = {{ bins = [3, 2] }}\n{ask}"),
            4,
            "bins: ",
        ),
        (
            format!("source = \"a.csv\"\nepsilon = 1\n[columns]\nward = {{ values = [3, 2] }}\n{ask}"),
            4,
            "the keys are categories, bins",
        ),
        (format!("source = \"a.csv\"\nepsilon = 1\n[columns]\nward = [\"A\"]\n{ask}"), 5, "column \"ward\""),
    ];
    let wrong = table.into_iter().filter_map(|(text, line, words)| {
        let error = parse(&text).expect_err(&text);
        let is_right = error.line() == Some(line) && error.to_string().contains(words);
        (!is_right).then(|| format!("{text}\n{words}\n{error}\n"))
    });
    let wrong: String = wrong.collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_ledger_needs_an_account() {
    let ask = "[[question]]\ncolumns = [\"ward\"]\n";
    for keys in ["ledger = \"b.ledger\"\n", "account = \"x\"\n"] {
        let text = with(&format!("{keys}{ask}"));
        let plan = PlanFile::parse(&text, Path::new("")).expect("valid");
        assert!(matches!(Study::new(plan), Err(StudyError::HalfLedger { .. })), "{keys}");
    }
}
