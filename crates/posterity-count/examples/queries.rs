//! Prints tables and questions drawn at random with the queries that count them and with our own counts, one line of JSON
//! for each, for `tools/engines.py`, which asks the engines.
//!
//! ```text
//! cargo run -p posterity-count --example queries -- duckdb 2000
//! cargo run -p posterity-count --example queries -- duckdb 3000 draws
//! ```

#![allow(clippy::panic, clippy::unwrap_used, reason = "a run that fails says so")]

#[path = "../tests/data/sql_cases.rs"]
mod sql_cases;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;

use posterity_core::sampler::SeededBits;
use posterity_count::{
    Column, Counted, Dialect, Question, Relation, Resources, Source, SqlError, SqlSource, count, sql,
};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params_from_iter};
use serde_json::{Value, json};
use sql_cases::{Case, Draws, Table, case, table};

/// How many questions are asked of one table.
const QUESTIONS: usize = 25;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let dialect: Dialect = arguments.next().unwrap_or_default().parse().expect("a dialect");
    let pairs: usize = arguments.next().unwrap_or_default().parse().expect("how many pairs");
    if arguments.next().is_some() {
        return salted(dialect, pairs);
    }
    let folder = tempfile::tempdir()?;
    let mut draws = Draws::new(23);
    let mut out = std::io::stdout().lock();
    let mut written = 0;
    while written < pairs {
        let drawn = table(&mut draws, false);
        let path = folder.path().join("t.sqlite");
        let _ = std::fs::remove_file(&path);
        store(&drawn, &path);
        let source = Source::files(path.to_string_lossy()).with_relation(Relation::Table("t".into()));
        let mut questions = Vec::new();
        for asked in 0..QUESTIONS {
            let Case { question, source: said } = case(&mut draws, false);
            let salt: [u8; 16] = std::array::from_fn(|index| (written + asked * 7 + index * 31) as u8);
            let query = match sql(&question, &said, dialect, &salt) {
                Ok(query) => query,
                Err(SqlError::Draws { .. } | SqlError::Condition { .. }) => continue,
                Err(error) => panic!("{error}: {question:?}"),
            };
            let go_on = |_| ControlFlow::Continue(());
            let ours = count(&source, &question, &mut SeededBits::new(1), &Resources::default(), &go_on);
            let expected = ours.ok().map(|counted| cells(&question, &counted));
            let draws = question.unit.is_some() && question.per_unit.draws();
            let asked = format!("{question:?}");
            questions.push(json!({ "query": query, "expected": expected, "draws": draws, "asked": asked }));
        }
        written += questions.len();
        let rows: Vec<Vec<Value>> = drawn.rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        writeln!(out, "{}", json!({ "columns": drawn.columns, "rows": rows, "questions": questions }))?;
    }
    Ok(())
}

/// Queries that draw one record of each unit, each with a salt of its own.
fn salted(dialect: Dialect, queries: usize) -> std::io::Result<()> {
    let question =
        Question { unit: Some("unit".into()), ..Question::new(vec![Column::new("word", ["a", "b"])]) };
    let source = SqlSource { table: vec!["t".into()], ..SqlSource::default() };
    let mut out = std::io::stdout().lock();
    for number in 0..queries as u128 {
        let query = sql(&question, &source, dialect, &number.to_le_bytes()).expect("valid");
        writeln!(out, "{}", Value::from(query))?;
    }
    Ok(())
}

fn store(table: &Table, path: &std::path::Path) {
    let mut database = Connection::open(path).expect("a database");
    database.execute_batch("PRAGMA synchronous = OFF").expect("set");
    database.execute(&format!("CREATE TABLE t ({})", table.columns.join(",")), []).expect("a table");
    let marks = vec!["?"; table.columns.len()].join(",");
    let transaction = database.transaction().expect("begun");
    for row in &table.rows {
        let insert = format!("INSERT INTO t VALUES ({marks})");
        transaction.execute(&insert, params_from_iter(row.iter())).expect("written");
    }
    transaction.commit().expect("committed");
}

/// Numbers with a floating point as the text of their digits, so that nothing rounds them.
fn shown(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => json!(number),
        Cell::Real(number) => json!({ "real": format!("{number:e}") }),
        Cell::Text(text) => json!(text),
        Cell::Blob(_) => panic!("typed columns have no blobs"),
    }
}

/// The cells with their counts, each by the values of its columns; a cell without them is that of records outside.
fn cells(question: &Question, counted: &Counted) -> Vec<Value> {
    let names: Vec<Vec<String>> = question.columns.iter().map(|column| column.names()).collect();
    let mut all: Vec<Vec<&String>> = vec![Vec::new()];
    for names in &names {
        all = all
            .into_iter()
            .flat_map(|cell| names.iter().map(move |name| [cell.clone(), vec![name]].concat()))
            .collect();
    }
    let counts: BTreeMap<usize, u64> = counted.counts.as_slice().iter().copied().enumerate().collect();
    counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(cell, count)| json!([all.get(cell).cloned().unwrap_or_default(), count]))
        .collect()
}
