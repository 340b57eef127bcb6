//! Columns that a plan declares: their values, other spellings, words and order.

use posterity::data::{Column, Question, Source, describe};
use posterity::plan::{Node, Plan, PlanError, PlannedTable, column_node};

fn no_schema(_: &str) -> Result<String, String> {
    Err("is not here".to_owned())
}

/// A plan of these columns, and of one question about them.
fn plan(columns: &str, asked: &str) -> Result<Plan, PlanError> {
    let text = format!(
        r#"{{"source": "visits.csv", "epsilon": 1, "columns": {{{columns}}}, "question": [{{"columns": [{asked}]}}]}}"#
    );
    let node: Node = text.parse().expect("JSON");
    Plan::read(node, &no_schema)
}

/// What the first question of a plan asks.
fn asked(plan: &Plan) -> Question {
    plan.all::<PlannedTable>().next().expect("a table").question().clone()
}

fn column(columns: &str) -> Column {
    let plan = plan(columns, r#""ward""#).expect(columns);
    asked(&plan).columns[0].clone()
}

/// If this fails, what a front writes of a column is not what is counted.
#[test]
fn columns_are_read() {
    assert_eq!(column(r#""ward": ["A", "B"]"#), Column::new("ward", ["A", "B"]));
    let whole = r#""ward": {"categories": ["A", "B"], "aliases": {"A": ["a", "A "], "B": "b", "gone": ["-9"]},
        "labels": {"A": "Ward A"}, "ordered": true, "missing": "gone"}"#;
    let expected = Column { missing: Some("gone".into()), ordered: true, ..Column::new("ward", ["A", "B"]) };
    let expected =
        expected.with_alias("A", "a").with_alias("A", "A ").with_alias("B", "b").with_alias("gone", "-9");
    let expected = expected.with_label("A", "Ward A");
    assert_eq!(column(whole), expected);
    let typed = r#""ward": {"categories": ["A", "B"], "aliases": ["A=a", "A=A ", "B=b", "gone=-9"],
        "labels": "A=Ward A", "ordered": true, "missing": "gone"}"#;
    assert_eq!(column(typed), expected);
    // What is written of it is read as the same.
    let written = format!(r#""ward": {}"#, column_node(&expected).to_json());
    assert_eq!(column(&written), expected);
    assert_eq!(column_node(&Column::new("ward", ["A", "B"])).to_json(), r#"["A", "B"]"#);
}

/// If this fails, a label says "18 to 39" where nobody said that ages are whole, and 39.5 lies in the bin.
#[test]
fn bins_of_whole_numbers_have_labels() {
    let labels = |more: &str| {
        let column = column(&format!(r#""ward": {{"bins": [-5, 0, 1, 18.0, 40, 40.5]{more}}}"#));
        assert!(column.is_ordered());
        column
            .names()
            .into_iter()
            .map(|name| column.labels.get(&name).cloned().unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(labels(""), [""; 5]);
    assert_eq!(labels(r#", "whole": true"#), ["-5 to -1", "0", "1 to 17", "18 to 39", ""]);
    let own = labels(r#", "whole": true, "labels": {"[0,1)": "none"}"#);
    assert_eq!(own, ["-5 to -1", "none", "1 to 17", "18 to 39", ""]);
}

#[test]
fn what_is_wrong_is_named_by_its_place() {
    let ward = |more: &str| format!(r#""ward": {{"categories": ["A", "B"], {more}}}"#);
    for (more, path, why) in [
        (r#""aliases": {"A": ["B"]}"#, "columns.ward.aliases", "is itself a category"),
        (r#""aliases": {"A": ["x"], "B": ["x"]}"#, "columns.ward.aliases", "is declared twice"),
        (r#""aliases": {"C": ["x"]}"#, "columns.ward.aliases", "the categories are \"A\", \"B\""),
        (r#""aliases": {"a": ["x"]}"#, "columns.ward.aliases", "there is one named \"A\""),
        (r#""aliases": ["x"]"#, "columns.ward.aliases[0]", "before an equals sign"),
        (r#""labels": {"A": "B"}"#, "columns.ward.labels", "are both shown as \"B\""),
        (r#""labels": {"A": " "}"#, "columns.ward.labels", "is empty"),
        (r#""ordered": "yes""#, "columns.ward.ordered", "write true or false"),
        (r#""alias": {"A": "x"}"#, "columns.ward.alias", "write \"aliases\""),
    ] {
        let error = plan(&ward(more), r#""ward""#).expect_err(more);
        assert_eq!(error.path().to_string(), path, "{error}");
        assert!(error.to_string().contains(why), "{more}: {error}");
    }
}

/// A column of the plan without categories adds to what the schema declares, and one with categories replaces it.
#[test]
fn a_plan_adds_to_its_schema() {
    let schema = r#"{"fields": [{"name": "ward", "categories": [{"value": "A", "label": "Ward A"}, "B"],
        "aliases": {"A": "a"}}, {"name": "age", "type": "integer", "bins": [0, 18]}]}"#;
    let read = |columns: &str| {
        let text = format!(
            r#"{{"epsilon": 1, "schema": "s.json", "columns": {{{columns}}}, "question": [{{"columns": ["ward"]}}]}}"#
        );
        Plan::read(text.parse().expect("JSON"), &|_| Ok(schema.to_owned())).expect("valid")
    };
    let of = |plan: &Plan| asked(plan).columns[0].clone();
    let plain = Column::new("ward", ["A", "B"]).with_alias("A", "a").with_label("A", "Ward A");
    assert_eq!(of(&read("")), plain);
    let more = read(r#""ward": {"missing": "unknown", "ordered": true}"#);
    assert_eq!(of(&more), Column { missing: Some("unknown".into()), ordered: true, ..plain.clone() });
    assert_eq!(of(&read(r#""ward": ["A", "C"]"#)), Column::new("ward", ["A", "C"]));
    // The plan that is printed needs no schema any more, and is the same.
    for plan in [read(""), more] {
        let again = Plan::read(plan.node().clone(), &no_schema).expect("valid");
        assert_eq!(of(&again), of(&plan));
        assert!(plan.node().get("schema").is_none(), "{}", plan.node());
    }
}

/// Words change nothing that is counted; an alias does.
#[test]
fn words_are_no_part_of_the_question() {
    let key = |columns: &str| {
        describe(&Source::files("visits.csv"), &asked(&plan(columns, r#""ward""#).expect("valid")))
    };
    let plain = key(r#""ward": ["A", "B"]"#);
    assert_eq!(
        key(r#""ward": {"categories": ["A", "B"], "labels": {"A": "Ward A"}, "ordered": true}"#),
        plain
    );
    assert_ne!(key(r#""ward": {"categories": ["A", "B"], "aliases": {"A": "a"}}"#), plain);
}
