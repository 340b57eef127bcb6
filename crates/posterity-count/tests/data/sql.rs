//! The queries of engines against our own count, on tables and questions drawn at random.

#![allow(clippy::panic, reason = "a test that fails says so")]

use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Bins, Column, CountedError, DataError, Dialect, PerUnit, Question, Relation, Source, SqlError,
    SqlSource, Stored, count, read_counted, sql,
};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;

use crate::scratch::{Scratch, alone, go_on};
use crate::sql_cases::{Case, Draws, case, table};

/// The rows of a result as the file that a steward would hand over.
fn result(database: &Connection, query: &str, columns: usize) -> String {
    let mut statement = database.prepare(query).unwrap_or_else(|error| panic!("{error}\n{query}"));
    let header: Vec<String> = statement.column_names().iter().map(|name| format!("\"{name}\"")).collect();
    let mut lines = vec![header.join(",")];
    let mut rows = statement.query([]).expect("rows");
    while let Some(row) = rows.next().unwrap_or_else(|error| panic!("{error}\n{query}")) {
        let fields = (0..columns + 2).map(|index| match row.get::<_, Cell>(index).expect("a value") {
            Cell::Null => String::new(),
            Cell::Integer(number) => number.to_string(),
            Cell::Text(text) => format!("\"{}\"", text.replace('"', "\"\"")),
            other => panic!("{other:?}"),
        });
        lines.push(fields.collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

/// If this fails, a count in SQLite means something else than ours.
#[test]
fn sqlite_counts_as_we_do() {
    let scratch = Scratch::new();
    let mut draws = Draws::new(20);
    let (mut agreed, mut refused, mut pairs) = (0, 0, 0);
    for index in 0..130 {
        let table = table(&mut draws, true);
        let path = scratch.sqlite(&format!("{index}.sqlite"), &table.columns, &table.rows);
        let database = Connection::open(&path).expect("a database");
        let ours = Source::files(&path).with_relation(Relation::Table("t".into()));
        for _ in 0..45 {
            let Case { question, source } = case(&mut draws, true);
            let query = match sql(&question, &source, Dialect::Sqlite, &[1; 16]) {
                Ok(query) => query,
                Err(SqlError::Condition { .. } | SqlError::Draws { .. }) => continue,
                Err(error) => panic!("{error}: {question:?}"),
            };
            pairs += 1;
            let counts = scratch.write("counts.csv", result(&database, &query, question.columns.len()));
            let theirs = read_counted(&Source::files(counts), &question);
            let expected = count(&ours, &question, &mut SeededBits::new(1), &alone(), &go_on);
            match (theirs, expected) {
                (Ok(theirs), Ok(expected)) => {
                    assert_eq!(theirs.counts, expected.counts, "{question:?}\n{query}\n{:?}", table.rows);
                    agreed += 1;
                }
                (Err(_), Err(_)) => refused += 1,
                (theirs, expected) => {
                    panic!("{theirs:?}\n{expected:?}\n{question:?}\n{query}\n{:?}", table.rows)
                }
            }
        }
    }
    println!("{pairs} pairs: {agreed} counts are equal, {refused} are refused");
    assert!(pairs >= 5_000 && agreed >= 1_500 && refused >= 200, "{pairs} {agreed} {refused}");
}

fn csv(scratch: &Scratch, text: &str) -> Source {
    Source::files(scratch.write("counts.csv", text))
}

fn wards() -> Question {
    Question::new(vec![
        Column::new("ward", ["A", "B"]),
        Column::binned("age", Bins::new(["0", "18", "99"]).expect("valid")),
    ])
}

#[test]
fn counts_from_elsewhere_are_read() {
    let scratch = Scratch::new();
    let text = "ward,age,count\nA,\"[0,18)\",3\nB,\"[18,99)\",0\nA,\"[18,99)\",4\n";
    let counted = read_counted(&csv(&scratch, text), &wards()).expect("valid");
    assert_eq!(counted.counts.as_slice(), [3, 4, 0, 0]);
    let json = r#"[{"ward": "B", "age": "[0,18)", "count": 2, "posterity": null}]"#;
    let counted = read_counted(&Source::files(scratch.write("counts.json", json)), &wards()).expect("valid");
    assert_eq!(counted.counts.as_slice(), [0, 0, 2, 0]);
    let within = Question { within: Some("age > 3".into()), ..wards() };
    let text = "ward,age,posterity,count\nA,\"[0,18)\",,3\n,,outside,9\n";
    assert_eq!(
        read_counted(&csv(&scratch, text), &within).expect("valid").counts.as_slice(),
        [3, 0, 0, 0, 9]
    );
}

/// If this fails, a wrong table of counts is released, or a message shows what it holds.
#[test]
fn wrong_counts_are_refused_without_their_values() {
    let scratch = Scratch::new();
    let told = |text: &str| read_counted(&csv(&scratch, text), &wards()).expect_err(text).to_string();
    for (text, part) in [
        ("ward,count\nA,1\n", "no column \"age\""),
        ("ward,age\nA,1\n", "no column \"count\""),
        ("ward,age,count\nC4711,\"[0,18)\",3\n", "a value of \"ward\" is no category"),
        ("ward,age,count\nA,4711,3\n", "a value of \"age\" is no category"),
        ("ward,age,count\nA,\"[0,18)\",-4711\n", "no whole number"),
        ("ward,age,count\nA,\"[0,18)\",4711.5\n", "no whole number"),
        ("ward,age,count\nA,\"[0,18)\",\n", "no whole number"),
        ("ward,age,count\nA,\"[0,18)\",1\nA,\"[0,18)\",4711\n", "one cell twice"),
        ("ward,age,posterity,count\nA,\"[0,18)\",,1\n,,undeclared,4711\n", "values that are not declared"),
        ("ward,age,posterity,count\n,,other type,4711\n", "another type"),
        ("ward,age,posterity,count\n,,4711,1\n", "a word that this version does not know"),
        ("ward,age,posterity,count\n,,outside,1\n", "a word that this version does not know"),
        ("ward,age,count\n", "no records to count"),
    ] {
        let told = told(text);
        assert!(told.contains(part) && !told.contains("4711"), "{text}: {told}");
    }
    let unit = Question { unit: Some("id".into()), ..wards() };
    let text = csv(&scratch, "ward,age,posterity,count\n,,no unit,4711\n");
    let missing = DataError::MissingUnit { column: "id".into() };
    assert_eq!(read_counted(&text, &unit), Err(CountedError::Refused(missing)));
    let private = Question { adjacency: Adjacency::AddRemove, ..wards() };
    assert!(read_counted(&csv(&scratch, "ward,age,count\n"), &private).is_ok(), "there may be none");
}

#[test]
fn names_and_texts_are_only_names_and_texts() {
    let scratch = Scratch::new();
    let name = "a\"; DROP TABLE t; --";
    let value = "x'); DROP TABLE t; --\\";
    let path = scratch.write("a.sqlite", "");
    let database = Connection::open(&path).expect("a database");
    let quoted = format!("\"{}\"", name.replace('"', "\"\""));
    database.execute_batch(&format!("CREATE TABLE t ({quoted})")).expect("made");
    database.execute("INSERT INTO t VALUES (?)", [value]).expect("written");
    let question = Question {
        filter: Some(format!("{quoted} = 'x''); DROP TABLE t; --\\'")),
        ..Question::new(vec![Column::new(name, [value, "line\nbreak"])])
    };
    let source = SqlSource { table: vec!["t".into()], ..SqlSource::default() };
    let query = sql(&question, &source, Dialect::Sqlite, &[1; 16]).expect("valid");
    let counts = result(&database, &query, 1);
    let file = csv(&scratch, &counts.replace(&quoted.replace('"', "\"\""), name));
    assert!(counts.ends_with(",,1\n"), "{counts}");
    drop(file);
    for dialect in Dialect::ALL {
        let table = SqlSource { table: vec!["s\"".into(), "t\"".into()], ..SqlSource::default() };
        let query = sql(&question, &table, dialect, &[1; 16]).expect("valid");
        let named = if dialect == Dialect::Spark { "FROM `s\"`.`t\"`" } else { "FROM \"s\"\"\".\"t\"\"\"" };
        assert!(query.contains(named), "{query}");
    }
}

#[test]
fn what_engines_read_otherwise_is_refused() {
    let ask = |filter: &str, stored: &[(&str, Stored)], dialect| {
        let question =
            Question { filter: Some(filter.into()), ..Question::new(vec![Column::new("c", ["x", "y"])]) };
        let stored = stored.iter().map(|(name, stored)| ((*name).to_owned(), *stored)).collect();
        sql(&question, &SqlSource { table: vec!["t".into()], stored }, dialect, &[1; 16])
    };
    let integer = [("n", Stored::Integer)];
    for (filter, stored) in [
        ("n > 3", &[][..]),
        ("n > 3", &[("n", Stored::Text)][..]),
        ("n = 'a'", &integer),
        ("n = '3'", &[]),
        ("n < 'a'", &[]),
        ("n LIKE 'a%'", &[]),
        ("n + 1 = 3", &integer),
        ("n IN ('a', '3')", &[]),
        ("n", &integer),
        ("d > DATE '2020-01-01'", &integer),
        ("TEXT(n) = 'a'", &[]),
    ] {
        for dialect in Dialect::ALL {
            let told = ask(filter, stored, dialect);
            assert!(matches!(told, Err(SqlError::Condition { .. })), "{dialect}: {filter}: {told:?}");
        }
    }
    for filter in ["n > 3.5 OR n IS NULL", "NOT (n IN (1, 2.5) AND n BETWEEN 0 AND 9)", "n <> 7"] {
        for dialect in Dialect::ALL {
            assert!(ask(filter, &integer, dialect).is_ok(), "{filter}");
        }
    }
    let named = Question::new(vec![Column::new("count", ["x", "y"])]);
    let source = SqlSource { table: vec!["t".into()], ..SqlSource::default() };
    assert!(matches!(sql(&named, &source, Dialect::DuckDb, &[1; 16]), Err(SqlError::ColumnName { .. })));
    let drawn = Question { unit: Some("id".into()), ..wards() };
    assert!(matches!(sql(&drawn, &source, Dialect::Sqlite, &[1; 16]), Err(SqlError::Draws { .. })));
    let latest = Question { per_unit: PerUnit::Latest("day".into()), ..drawn };
    assert!(matches!(sql(&latest, &source, Dialect::DuckDb, &[1; 16]), Err(SqlError::Order { .. })));
}
