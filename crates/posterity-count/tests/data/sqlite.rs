//! Tables of SQLite files: what values mean, and what is refused.

use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Bins, Column, ColumnHint, DataError, Format, MAX_RECORD, PerUnit, Question, ReadError,
    Relation, Source, count,
};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;

use crate::scratch::{Scratch, about, alone, answer, batch, counts, go_on, strings};

/// A value of a record, which no error may contain.
const SECRET: &str = "Mallory4711";

/// A database made by these statements.
fn database(scratch: &Scratch, name: &str, statements: &str) -> String {
    let path = scratch.write(name, "");
    Connection::open(&path).expect("a database").execute_batch(statements).expect("made");
    path
}

fn table(name: &str) -> Relation {
    Relation::Table(name.to_owned())
}

fn counted(source: &Source, question: &Question) -> Result<Vec<u64>, DataError> {
    answer(source, question).map(|counted| counted.counts.as_slice().to_vec())
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

#[test]
fn values_are_what_they_are_stored_as() {
    let scratch = Scratch::new();
    let column = |cells: Vec<Cell>| {
        let rows: Vec<Vec<Cell>> = cells.into_iter().map(|cell| vec![cell]).collect();
        scratch.sqlite("a.sqlite", &["a b"], &rows)
    };
    let question = about("a b", &["7", "x", "ä"]).with_missing("none");
    // Whole numbers and the text of their digits are the same, as in JSON.
    let path = column(vec![Cell::Integer(7), text("7"), text("x"), Cell::Null, text("ä"), Cell::Integer(7)]);
    assert_eq!(counts(&path, &question), Ok(vec![3, 1, 1, 1]));
    let unit = Question { unit: Some("a b".into()), ..about("a b", &["7", "x", "ä"]) };
    let filtered = Question { filter: Some("\"a b\" IS NOT NULL".into()), ..unit };
    assert_eq!(counts(&path, &filtered), Ok(vec![1, 1, 1]), "and the same unit");
    let unnamed = Err(DataError::Unnamed { column: "a b".into() });
    assert_eq!(counts(&column(vec![Cell::Integer(7), Cell::Real(7.5)]), &question), unnamed);
    assert_eq!(counts(&column(vec![Cell::Integer(7), Cell::Blob(b"x".to_vec())]), &question), unnamed);
    let outside = Err(DataError::Outside { column: "a b".into() });
    assert_eq!(counts(&column(vec![text("8"), text("x")]), &question), outside);
    let bins = Question::new(vec![Column::binned("a b", Bins::new(["0", "1", "8"]).expect("valid"))]);
    let numbers = column(vec![Cell::Integer(7), Cell::Real(0.5), text("1.0"), text("7")]);
    assert_eq!(counts(&numbers, &bins), Ok(vec![1, 3]));
    let question = Question { filter: Some("\"a b\" > 0.7".into()), ..bins };
    assert_eq!(counts(&numbers, &question), Ok(vec![0, 3]));
}

/// More records than a piece holds, by every rule for units, on any number of threads.
#[test]
fn many_records() {
    let scratch = Scratch::new();
    let rows: Vec<Vec<Cell>> = (0..20_000_i64)
        .map(|i| vec![Cell::Integer(i / 4), text(if i % 4 == 0 { "yes" } else { "no" }), Cell::Integer(i)])
        .collect();
    let path = scratch.sqlite("a.sqlite", &["id", "cured", "day"], &rows);
    assert_eq!(counts(&path, &about("cured", &["yes", "no"])), Ok(vec![5_000, 15_000]));
    for (rule, expected) in [
        (PerUnit::First, [5_000, 0]),
        (PerUnit::Mode, [0, 5_000]),
        (PerUnit::Latest("day".into()), [0, 5_000]),
    ] {
        let question = Question { unit: Some("id".into()), per_unit: rule, ..about("cured", &["yes", "no"]) };
        assert_eq!(counts(&path, &question), Ok(expected.to_vec()));
    }
}

#[test]
fn names_are_only_names() {
    let scratch = Scratch::new();
    let statements = "CREATE TABLE \"t; DROP TABLE x\"\" --\" (\"a\"\" FROM x --\"); INSERT INTO \"t; DROP TABLE x\"\" --\" VALUES ('yes'), ('no')";
    let path = database(&scratch, "a.sqlite", statements);
    let question = about("a\" FROM x --", &["yes", "no"]);
    let source = Source::files(&path).with_relation(table("t; DROP TABLE x\" --"));
    assert_eq!(counted(&source, &question), Ok(vec![1, 1]));
    let unknown = counted(&source, &about("a", &["yes", "no"]));
    let hint = ColumnHint::Columns(vec!["a\" FROM x --".into()]);
    assert_eq!(unknown, Err(DataError::UnknownColumn { column: "a".into(), hint }));
}

#[test]
fn tables_are_named_and_not_guessed() {
    let scratch = Scratch::new();
    let statements = "CREATE TABLE visits (a); CREATE TABLE b (a); CREATE VIEW v AS SELECT * FROM visits;
        CREATE VIRTUAL TABLE f USING fts5(a); INSERT INTO visits VALUES ('x'), ('y')";
    let path = database(&scratch, "a.sqlite", statements);
    let ask =
        |name: &str| counted(&Source::files(&path).with_relation(table(name)), &about("a", &["x", "y"]));
    assert_eq!(ask("visits"), Ok(vec![1, 1]));
    assert_eq!(ask("v"), Err(ReadError::View { name: "v".into() }.into()));
    let virtual_table = ReadError::UnsupportedFile { path: path.clone(), what: "a virtual table" };
    assert_eq!(ask("f"), Err(virtual_table.into()));
    for wrong in ["none", "sqlite_schema", "VISITS"] {
        let told = ask(wrong).expect_err(wrong);
        assert!(matches!(told, DataError::Read(ReadError::NoTable { .. })), "{told:?}");
        assert!(told.to_string().contains("\"b\"") && told.to_string().contains("\"visits\""), "{told}");
    }
    let unnamed = counted(&Source::files(&path), &about("a", &["x", "y"]));
    assert!(matches!(unnamed, Err(DataError::Read(ReadError::NoTable { .. }))), "{unnamed:?}");
    let csv = Source::files(scratch.write("a.csv", "a\nx\n")).with_relation(table("visits"));
    assert_eq!(
        counted(&csv, &about("a", &["x", "y"])),
        Err(ReadError::TableOf { format: Format::Csv }.into())
    );
    assert_eq!(
        Source::files("a.sqlite").with_relation(table("visits")).to_string(),
        "a.sqlite, table visits"
    );
}

/// A view needs a unit, and each of its units counts once, whatever a join repeats.
#[test]
fn views_need_a_unit() {
    let scratch = Scratch::new();
    let statements = "CREATE TABLE visits (id, ward); CREATE TABLE wards (ward, town);
        INSERT INTO visits VALUES (1, 'a'), (1, 'a'), (2, 'b'); INSERT INTO wards VALUES ('a', 'x'), ('b', 'y'), ('b', 'y');
        CREATE VIEW v AS SELECT id, town FROM visits JOIN wards USING (ward)";
    let path = database(&scratch, "a.sqlite", statements);
    let view = |name: &str| Source::files(&path).with_relation(Relation::View(name.to_owned()));
    let question = about("town", &["x", "y"]);
    assert_eq!(counted(&view("v"), &question), Err(ReadError::ViewUnit.into()));
    let by_unit = Question { unit: Some("id".into()), ..question };
    assert_eq!(counted(&view("v"), &by_unit), Ok(vec![1, 1]));
    assert_eq!(counted(&view("visits"), &by_unit), Err(ReadError::NotAView { name: "visits".into() }.into()));
    assert_eq!(view("v").to_string(), format!("{path}, view v"));
}

/// If this fails, reading a file writes to it, or lets its schema call what it likes.
#[test]
fn nothing_is_written_and_no_schema_is_trusted() {
    let scratch = Scratch::new();
    let path = scratch.sqlite("a.sqlite", &["a"], &[vec![text("x")], vec![text("y")]]);
    let before = std::fs::read(&path).expect("read");
    assert_eq!(counts(&path, &about("a", &["x", "y"])), Ok(vec![1, 1]));
    assert_eq!(std::fs::read(&path).expect("read"), before);
    let names = std::fs::read_dir(scratch.path("")).expect("a folder").count();
    assert_eq!(names, 1, "no journal is left behind");
    // A generated column that calls a function which a schema may not.
    let statements = "CREATE TABLE t (a, b AS (load_extension(a))); INSERT INTO t (a) VALUES ('x'), ('y')";
    let hostile =
        Connection::open(scratch.write("b.sqlite", "")).expect("a database").execute_batch(statements);
    if hostile.is_ok() {
        let refused = counts(&scratch.text("b.sqlite"), &about("b", &["x", "y"]));
        assert!(matches!(refused, Err(DataError::Read(ReadError::Sqlite { .. }))), "{refused:?}");
    }
}

/// Another program writes meanwhile: what is read is what was there at the start, in the modes of both journals.
#[test]
fn what_others_write_does_no_harm() {
    let scratch = Scratch::new();
    for mode in ["DELETE", "WAL"] {
        let path = scratch.sqlite("a.sqlite", &["a"], &[vec![text("x")], vec![text("y")]]);
        let writer = Connection::open(&path).expect("a database");
        let _mode: String =
            writer.query_row(&format!("PRAGMA journal_mode = {mode}"), [], |row| row.get(0)).expect("set");
        writer.execute_batch("BEGIN; INSERT INTO t VALUES ('x')").expect("begun");
        assert_eq!(counts(&path, &about("a", &["x", "y"])), Ok(vec![1, 1]), "{mode}");
        writer.execute_batch("COMMIT").expect("written");
        assert_eq!(counts(&path, &about("a", &["x", "y"])), Ok(vec![2, 1]), "{mode}");
    }
}

#[test]
fn no_error_tells_a_value() {
    let scratch = Scratch::new();
    let column = |cell: Cell| scratch.sqlite("a.sqlite", &["a"], &[vec![text("x")], vec![cell]]);
    let told = |path: &str| {
        let error = counts(path, &about("a", &["x", "y"])).expect_err(path);
        assert!(!format!("{error:?} {error}").contains(SECRET), "{error:?}");
        error
    };
    assert_eq!(told(&column(text(SECRET))), DataError::Outside { column: "a".into() });
    assert_eq!(told(&column(Cell::Blob(SECRET.into()))), DataError::Unnamed { column: "a".into() });
    let long = format!("{SECRET}{}", "x".repeat(MAX_RECORD));
    assert!(matches!(told(&column(text(&long))), DataError::Read(ReadError::TooLong { .. })));
    // Text that is not UTF-8 has no name.
    let statements = format!("CREATE TABLE t (a); INSERT INTO t VALUES (CAST(x'ff' || '{SECRET}' AS TEXT))");
    assert_eq!(told(&database(&scratch, "b.sqlite", &statements)), DataError::Unnamed { column: "a".into() });
    let whole =
        std::fs::read(scratch.sqlite("c.sqlite", &["a"], &vec![vec![text(SECRET)]; 2_000])).expect("read");
    let damaged = DataError::Read(ReadError::Damaged { format: Format::Sqlite });
    assert_eq!(told(&scratch.write("d.sqlite", &whole[..whole.len() / 2])), damaged);
    assert_eq!(told(&scratch.write("e.sqlite", format!("a\n{SECRET}\n"))), damaged);
}

/// Damaged files are counted or refused, and neither panic nor hang.
#[test]
fn damaged_databases_do_no_harm() {
    let scratch = Scratch::new();
    let rows: Vec<Vec<Cell>> = (0..300_i64)
        .map(|i| vec![Cell::Integer(i % 17), text(["x", "y", "longer"][i as usize % 3])])
        .collect();
    let whole = std::fs::read(scratch.sqlite("a.sqlite", &["id", "a"], &rows)).expect("read");
    let question = Question {
        unit: Some("id".into()),
        ..about("a", &["x", "y"]).with_other("other").with_missing("none")
    };
    let (mut refused, mut state) = (0, 7_usize);
    for _ in 0..posterity_testkit::trials(300_usize) {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 20) % bytes.len();
            bytes[at] = (state >> 50) as u8;
        }
        let source = Source::files(scratch.write("b.sqlite", &bytes)).with_relation(table("t"));
        let found = count(&source, &question, &mut SeededBits::new(1), &alone(), &go_on);
        assert_ne!(found, Err(DataError::Unforeseen));
        refused += usize::from(found.is_err());
    }
    assert!(refused > 10, "{refused} refused");
}

/// Several files of one table, and what must not be taken for one.
#[test]
fn folders_of_databases() {
    let scratch = Scratch::new();
    scratch.sqlite("d/1.sqlite", &["a"], &[vec![text("x")]]);
    scratch.sqlite("d/2.sqlite", &["a"], &[vec![text("y")], vec![text("x")]]);
    let source = Source::files(scratch.text("d")).with_relation(table("t"));
    assert_eq!(counted(&source, &about("a", &["x", "y"])), Ok(vec![2, 1]));
    scratch.sqlite("d/3.sqlite", &["b"], &[]);
    let mixed = counted(&source, &about("a", &["x", "y"]));
    assert!(matches!(mixed, Err(DataError::Read(ReadError::MixedColumns { .. }))), "{mixed:?}");
    scratch.parquet("e/1.parquet", &batch(vec![("a", strings(&[Some("x")]))]));
    scratch.sqlite("e/2.sqlite", &["a"], &[]);
    let mixed = counts(&scratch.text("e"), &about("a", &["x", "y"]));
    assert!(matches!(mixed, Err(DataError::Read(ReadError::MixedFormats { .. }))), "{mixed:?}");
    let nobody = scratch.sqlite("f.sqlite", &["a"], &[]);
    let private = Question { adjacency: Adjacency::AddRemove, ..about("a", &["x", "y"]) };
    assert_eq!(counts(&nobody, &private), Ok(vec![0, 0]));
}
