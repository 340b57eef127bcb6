//! Tables of a PostgreSQL server: what values mean, and what is refused. `tools/postgres-tests` runs these tests.

use std::sync::atomic::{AtomicUsize, Ordering};

use posterity_core::sampler::SeededBits;
use posterity_count::{
    Adjacency, Bins, Column, ColumnHint, DataError, MAX_RECORD, PerUnit, PostgresFault, Question, ReadError,
    Relation, Source, count,
};
use posterity_testkit::{Postgres, Random};

use crate::scratch::{Scratch, about, alone, answer, counts, go_on};

/// A value of a record, which no error may contain.
const SECRET: &str = "Mallory4711";

/// A table of the server that is there, with these columns and rows, as `source` of the scratch folder takes it.
pub(crate) fn table(columns: &str, rows: &str) -> Option<String> {
    static TABLES: AtomicUsize = AtomicUsize::new(0);
    let server = Postgres::running()?;
    let name = format!("t{}_{}", std::process::id(), TABLES.fetch_add(1, Ordering::Relaxed));
    server.run("postgres", &format!("CREATE TABLE {name} ({columns}); INSERT INTO {name} VALUES {rows}"));
    Some(format!("{}|{name}", server.on_socket("postgres")))
}

/// A database of its own, made by these statements.
struct Database {
    server: Postgres,
    name: &'static str,
}

impl Database {
    fn new(name: &'static str, statements: &str) -> Self {
        let server = Postgres::required();
        server.create(name, statements);
        Self { server, name }
    }

    fn source(&self, relation: Relation) -> Source {
        let address = self.server.on_socket(self.name);
        Source::postgres(address.parse().expect("an address")).with_relation(relation)
    }

    fn ask(&self, table: &str, question: &Question) -> Result<Vec<u64>, DataError> {
        counted(&self.source(Relation::Table(table.into())), question)
    }

    fn ask_view(&self, view: &str, question: &Question) -> Result<Vec<u64>, DataError> {
        counted(&self.source(Relation::View(view.into())), question)
    }

    /// The same as another user, by the socket.
    fn ask_as(&self, user: &str, table: &str, question: &Question) -> Result<Vec<u64>, DataError> {
        let address = self.server.on_socket(self.name).replace("owner@", &format!("{user}@"));
        let source = Source::postgres(address.parse().expect("an address"));
        counted(&source.with_relation(Relation::Table(table.into())), question)
    }
}

fn counted(source: &Source, question: &Question) -> Result<Vec<u64>, DataError> {
    answer(source, question).map(|counted| counted.counts.as_slice().to_vec())
}

fn refused(code: &str) -> impl Fn(&DataError) -> bool {
    let fault = PostgresFault::Refused { code: code.into() };
    move |error| matches!(error, DataError::Read(ReadError::Postgres { fault: found, .. }) if *found == fault)
}

fn yes_or_no() -> Question {
    about("cured", &["yes", "no"])
}

#[test]
#[ignore = "tools/postgres-tests runs it"]
fn values_by_the_type_of_their_column() {
    let statements = "CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN code AS varchar(3); CREATE DOMAIN age AS numeric(3);
        CREATE TABLE t (b boolean, i2 int2, i4 int4, i8 int8, w numeric(9), n numeric, t text, v varchar(5), c char(4), e mood,
            d date, u uuid, k code, a age, g text GENERATED ALWAYS AS ('=' || t) STORED, f8 float8, x bytea, j json, ts timestamptz);
        INSERT INTO t VALUES (true, -2, 7, 9000000000, 12, 1.50, ' ä ', 'A', 'A', 'happy', '2020-01-31',
            'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'x', 40, DEFAULT, 0.5, 'y', '{}', '2020-01-31 01:00+01');
        INSERT INTO t (b) VALUES (NULL)";
    let database = Database::new("posterity_types", statements);
    for (column, value) in [
        ("b", "true"),
        ("i2", "-2"),
        ("i4", "7"),
        ("i8", "9000000000"),
        ("w", "12"),
        ("t", " ä "),
        ("v", "A"),
        // Blanks at the end of char(n) mean nothing.
        ("c", "A"),
        ("e", "happy"),
        ("d", "2020-01-31"),
        ("u", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ("k", "x"),
        ("a", "40"),
        ("g", "= ä "),
    ] {
        let question = about(column, &[value, "another"]).with_missing("none");
        assert_eq!(database.ask("t", &question), Ok(vec![1, 0, 1]), "{column}");
    }
    for (column, described) in [
        ("n", "numeric"),
        ("f8", "double precision"),
        ("x", "bytea"),
        ("j", "json"),
        ("ts", "timestamp with time zone"),
    ] {
        let error = database.ask("t", &about(column, &["a", "b"]).with_missing("none")).expect_err(column);
        let kind = described.to_owned();
        assert!(
            matches!(&error, DataError::UnsupportedType { kind: found, .. } if *found == kind),
            "{error}"
        );
    }
    let passing = |filter: &str| {
        let question = Question { filter: Some(filter.into()), ..about("b", &["true", "false"]) };
        database.ask("t", &question)
    };
    for filter in
        ["n = 1.5", "f8 < 0.6", "ts = TIMESTAMP '2020-01-31 00:00:00'", "j IS NOT NULL", "TEXT(c) = 'A'"]
    {
        assert_eq!(passing(filter), Ok(vec![1, 0]), "{filter}");
    }
    let bins = |column: &str| {
        let bins = Bins::new(["0", "1.5", "2", "50"]).expect("valid");
        Question::new(vec![Column::binned(column, bins)]).with_missing("none")
    };
    assert_eq!(database.ask("t", &bins("n")), Ok(vec![0, 1, 0, 1]));
    assert_eq!(database.ask("t", &bins("a")), Ok(vec![0, 0, 1, 1]));
    assert_eq!(database.ask("t", &bins("f8")), Ok(vec![1, 0, 0, 1]));
}

/// What has no name is an error, and a part of what is counted without one.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn values_beyond_all_numbers() {
    let statements = "CREATE TABLE t (d date, w numeric(5), n numeric);
        INSERT INTO t VALUES ('infinity', 'NaN', 'NaN'), ('-infinity', 1, 1), ('2020-01-31', 2, 2)";
    let database = Database::new("posterity_beyond", statements);
    for column in ["d", "w"] {
        let question = about(column, &["2020-01-31", "1", "2"]).with_other("other");
        assert_eq!(database.ask("t", &question), Err(DataError::Unnamed { column: column.into() }));
    }
    let later =
        Question { filter: Some("d > DATE '9000-01-01'".into()), ..about("w", &["1", "2"]).with_other("o") };
    assert_eq!(database.ask("t", &later), Err(DataError::Unnamed { column: "w".into() }));
    let earlier =
        Question { filter: Some("d < DATE '2020-02-01'".into()), ..about("w", &["1", "2"]).with_other("o") };
    assert_eq!(database.ask("t", &earlier), Ok(vec![1, 1, 0]));
}

/// More records than a piece holds, by every rule for units.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn many_records() {
    let statements =
        "CREATE TABLE t AS SELECT i / 4 AS id, CASE WHEN i % 4 = 0 THEN 'yes' ELSE 'no' END AS cured, i AS day
        FROM generate_series(0, 19999) i";
    let database = Database::new("posterity_many", statements);
    assert_eq!(database.ask("t", &yes_or_no()), Ok(vec![5_000, 15_000]));
    for (rule, expected) in [
        (PerUnit::First, [5_000, 0]),
        (PerUnit::Mode, [0, 5_000]),
        (PerUnit::Latest("day".into()), [0, 5_000]),
    ] {
        let question = Question { unit: Some("id".into()), per_unit: rule, ..yes_or_no() };
        assert_eq!(database.ask("t", &question), Ok(expected.to_vec()));
    }
    let random = Question { unit: Some("id".into()), ..yes_or_no() };
    assert_eq!(database.ask("t", &random).map(|counts| counts.iter().sum()), Ok(5_000_u64));
    database.server.run("posterity_many", "CREATE TABLE nobody (cured text)");
    let private = Question { adjacency: Adjacency::AddRemove, ..yes_or_no() };
    assert_eq!(database.ask("nobody", &private), Ok(vec![0, 0]));
    assert_eq!(database.ask("nobody", &yes_or_no()), Err(DataError::NoRecords));
}

/// If this fails, one record moves more than one count, and a release loses more than its epsilon.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn adjacent_tables_have_adjacent_counts() {
    let words = ["'yes'", "'no'", "'other'", "NULL", "''", "'yes '"];
    let mut dice = Random::new(11);
    let row = |dice: &mut Random| {
        let (id, word, age) = (dice.index(6), dice.pick(&words), dice.index(100));
        format!("({id}, {word}, {}.{})", age, dice.index(3))
    };
    let columns = "id int, cured text, age numeric(5, 1)";
    let question = |unit: bool, adjacency| Question {
        unit: unit.then(|| "id".to_owned()),
        per_unit: if unit { PerUnit::First } else { PerUnit::default() },
        adjacency,
        ..Question::new(vec![
            Column::new("cured", ["yes", "no"]),
            Column::binned("age", Bins::new(["0", "40", "120"]).expect("valid")),
        ])
        .with_other("rest")
        .with_missing("none")
    };
    for _ in 0..posterity_testkit::trials(12_usize) {
        let rows: Vec<String> = (0..30).map(|_| row(&mut dice)).collect();
        let mut replaced = rows.clone();
        replaced[dice.index(30)] = row(&mut dice);
        let mut fewer = rows.clone();
        fewer.remove(dice.index(30));
        let ask = |rows: &[String], unit, adjacency| {
            let path = table(columns, &rows.join(", ")).expect("a server");
            counts(&path, &question(unit, adjacency)).expect("counts")
        };
        let apart = |one: &[u64], other: &[u64]| -> u64 {
            one.iter().zip(other).map(|(one, other)| one.abs_diff(*other)).sum()
        };
        let whole = ask(&rows, false, Adjacency::Replace);
        assert!(apart(&whole, &ask(&replaced, false, Adjacency::Replace)) <= 2);
        let private = ask(&rows, false, Adjacency::AddRemove);
        assert!(apart(&private, &ask(&fewer, false, Adjacency::AddRemove)) <= 1);
        // A record changes what its unit counts as, and one that changes hands changes two.
        let units = ask(&rows, true, Adjacency::AddRemove);
        assert!(apart(&units, &ask(&fewer, true, Adjacency::AddRemove)) <= 2);
    }
}

#[test]
#[ignore = "tools/postgres-tests runs it"]
fn names_are_only_names() {
    let statements = "CREATE SCHEMA \"s; DROP SCHEMA public\"; CREATE TABLE \"s; DROP SCHEMA public\".\"t\"\" --\" (\"a\"\" FROM x --\" text);
        INSERT INTO \"s; DROP SCHEMA public\".\"t\"\" --\" VALUES ('yes'), ('no'); CREATE TABLE \"Visits\" (cured text);
        CREATE TABLE visits (cured text); INSERT INTO visits VALUES ('yes'), ('yes')";
    let database = Database::new("posterity_names", statements);
    let question = about("a\" FROM x --", &["yes", "no"]);
    let name = "\"s; DROP SCHEMA public\".\"t\"\" --\"";
    assert_eq!(database.ask(name, &question), Ok(vec![1, 1]));
    let hint = ColumnHint::Columns(vec!["a\" FROM x --".into()]);
    let unknown = DataError::UnknownColumn { column: "a".into(), hint };
    assert_eq!(database.ask(name, &about("a", &["yes", "no"])), Err(unknown));
    for same in ["visits", "public.visits", "\"public\".\"visits\""] {
        assert_eq!(database.ask(same, &yes_or_no()), Ok(vec![2, 0]), "{same}");
    }
    assert_eq!(database.ask("Visits", &yes_or_no()), Err(DataError::NoRecords));
    let long = format!("visits{}", "s".repeat(70));
    let missing =
        ["VISITS", "other.visits", "pg_catalog.pg_class", "information_schema.tables", "", "a\0b", &long];
    for missing in missing {
        let error = database.ask(missing, &yes_or_no()).expect_err(missing);
        assert!(matches!(error, DataError::Read(ReadError::NoTable { .. })), "{error:?}");
        assert!(error.to_string().contains("\"public.Visits\", \"public.visits\""), "{error}");
    }
}

/// A name that is too long is cut by the server, and means no other table here.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn long_names_are_not_cut() {
    let name = "v".repeat(63);
    let database = Database::new(
        "posterity_long",
        &format!("CREATE TABLE {name} (cured text); INSERT INTO {name} VALUES ('yes')"),
    );
    assert_eq!(database.ask(&name, &yes_or_no()), Ok(vec![1, 0]));
    let error = database.ask(&format!("{name}w"), &yes_or_no()).expect_err("no such table");
    assert!(matches!(error, DataError::Read(ReadError::NoTable { .. })), "{error:?}");
}

#[test]
#[ignore = "tools/postgres-tests runs it"]
fn views_need_a_unit() {
    let statements = "CREATE TABLE visits (id int, ward text); CREATE TABLE wards (ward text, town text);
        INSERT INTO visits VALUES (1, 'a'), (1, 'a'), (2, 'b'); INSERT INTO wards VALUES ('a', 'x'), ('b', 'y'), ('b', 'y');
        CREATE VIEW v AS SELECT id, town FROM visits JOIN wards USING (ward);
        CREATE MATERIALIZED VIEW m AS SELECT * FROM v";
    let database = Database::new("posterity_views", statements);
    let question = about("town", &["x", "y"]);
    assert_eq!(database.ask_view("v", &question), Err(ReadError::ViewUnit.into()));
    let by_unit = Question { unit: Some("id".into()), ..question };
    assert_eq!(database.ask_view("v", &by_unit), Ok(vec![1, 1]));
    assert_eq!(database.ask("v", &by_unit), Err(ReadError::View { name: "public.v".into() }.into()));
    let table = ReadError::NotAView { name: "public.visits".into() };
    assert_eq!(database.ask_view("visits", &by_unit), Err(table.into()));
    for asked in [database.ask("m", &by_unit), database.ask_view("m", &by_unit)] {
        assert!(asked.expect_err("refused").to_string().contains("a materialised view"));
    }
}

/// What a table holds beside its own rows.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn partitions_are_read_and_heirs_are_not() {
    let statements = "CREATE TABLE p (cured text, year int) PARTITION BY LIST (year);
        CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1); CREATE TABLE p2 PARTITION OF p FOR VALUES IN (2) PARTITION BY LIST (cured);
        CREATE TABLE p2y PARTITION OF p2 FOR VALUES IN ('yes'); INSERT INTO p VALUES ('yes', 1), ('no', 1), ('yes', 2);
        CREATE TABLE base (cured text); CREATE TABLE child () INHERITS (base);
        INSERT INTO base VALUES ('yes'); INSERT INTO child VALUES ('no');
        CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE f (cured text) SERVER s;
        CREATE TABLE q (cured text, year int) PARTITION BY LIST (year); CREATE FOREIGN TABLE qf PARTITION OF q FOR VALUES IN (1) SERVER s;
        CREATE SEQUENCE cured";
    let database = Database::new("posterity_parts", statements);
    assert_eq!(database.ask("p", &yes_or_no()), Ok(vec![2, 1]));
    assert_eq!(database.ask("p2", &yes_or_no()), Ok(vec![1, 0]));
    assert_eq!(database.ask("p1", &yes_or_no()), Ok(vec![1, 1]));
    assert_eq!(database.ask("child", &yes_or_no()), Ok(vec![0, 1]));
    for (table, what) in [("base", "inherit"), ("f", "a foreign table"), ("q", "as a partition")] {
        let error = database.ask(table, &yes_or_no()).expect_err(table).to_string();
        assert!(error.contains(what), "{error}");
    }
    let sequence = database.ask("cured", &yes_or_no());
    assert!(matches!(sequence, Err(DataError::Read(ReadError::NoTable { .. }))), "{sequence:?}");
}

/// If this fails, a release is about fewer records than it says.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn hidden_records_are_an_error() {
    let statements = "CREATE TABLE t (cured text, secret text); INSERT INTO t VALUES ('yes', 'a'), ('no', 'b');
        DROP ROLE IF EXISTS posterity_reader; CREATE ROLE posterity_reader LOGIN; GRANT SELECT (cured) ON t TO posterity_reader";
    let database = Database::new("posterity_rows", statements);
    let ask = |question: &Question| database.ask_as("posterity_reader", "t", question);
    // Only the columns of the question are read.
    assert_eq!(ask(&yes_or_no()), Ok(vec![1, 1]));
    let denied = ask(&about("secret", &["a", "b"])).expect_err("no right");
    assert!(refused("42501")(&denied) && denied.to_string().contains("GRANT SELECT"), "{denied}");
    let policy = "ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON t USING (cured = 'yes');
        ALTER ROLE posterity_reader SET row_security = on";
    database.server.run("posterity_rows", policy);
    let hidden = ask(&yes_or_no()).expect_err("a policy hides a record");
    assert!(refused("42501")(&hidden), "{hidden}");
    assert_eq!(database.ask("t", &yes_or_no()), Ok(vec![1, 1]));
    database.server.run("posterity_rows", "DROP OWNED BY posterity_reader; DROP ROLE posterity_reader");
}

/// Settings of the user change nothing, and nothing that others write is seen.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn sessions_mean_one_thing() {
    let statements = "CREATE TABLE t (id int, day date, ts timestamptz);
        INSERT INTO t VALUES (1, '2020-01-31', '2020-01-31 00:00+00'), (2, '2020-02-01', '2020-02-01 00:00+00');
        CREATE VIEW v AS SELECT id, day::text AS day, ts::text AS ts FROM t;
        DROP ROLE IF EXISTS posterity_settings; CREATE ROLE posterity_settings LOGIN; GRANT SELECT ON t, v TO posterity_settings;
        ALTER ROLE posterity_settings SET DateStyle = 'German'; ALTER ROLE posterity_settings SET TimeZone = 'Asia/Tokyo';
        ALTER ROLE posterity_settings SET client_encoding = 'LATIN1'; ALTER ROLE posterity_settings SET default_transaction_isolation = 'read committed';
        ALTER ROLE posterity_settings SET statement_timeout = 1; CREATE SCHEMA other; CREATE TABLE other.t (day date);
        GRANT USAGE ON SCHEMA other TO posterity_settings; ALTER ROLE posterity_settings SET search_path = other";
    let database = Database::new("posterity_settings", statements);
    let unit = |question: Question| Question { unit: Some("id".into()), ..question };
    let days = unit(about("day", &["2020-01-31", "2020-02-01"]));
    assert_eq!(database.ask_as("posterity_settings", "t", &days), Ok(vec![1, 1]));
    let address = database.server.on_socket("posterity_settings").replace("owner@", "posterity_settings@");
    let view =
        Source::postgres(address.parse().expect("an address")).with_relation(Relation::View("v".into()));
    assert_eq!(counted(&view, &days), Ok(vec![1, 1]));
    let moments = unit(about("ts", &["2020-01-31 00:00:00+00", "2020-02-01 00:00:00+00"]));
    assert_eq!(counted(&view, &moments), Ok(vec![1, 1]));
    database
        .server
        .run("posterity_settings", "DROP OWNED BY posterity_settings; DROP ROLE posterity_settings");
}

/// A table that somebody writes anew looks empty to whoever looked before. If this fails, it is counted as empty.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn tables_that_change_are_refused() {
    let statements = "CREATE TABLE t (cured text, age int); INSERT INTO t VALUES ('yes', 1), ('no', 2)";
    let database = Database::new("posterity_change", statements);
    let (server, name) = (&database.server, database.name);
    let held =
        "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 't'::regclass";
    let private = Question { adjacency: Adjacency::AddRemove, ..yes_or_no() };
    let source = database.source(Relation::Table("t".into()));
    std::thread::scope(|scope| {
        let change = "BEGIN; ALTER TABLE t ALTER COLUMN age TYPE bigint; SELECT pg_sleep(2); COMMIT";
        scope.spawn(|| server.run(name, change));
        assert!((0..1_000).any(|_| server.run(name, held).trim() != "0"), "the table is being changed");
        let error = count(&source, &private, &mut SeededBits::new(1), &alone(), &go_on).expect_err("changed");
        let fault = PostgresFault::Changed;
        assert!(
            matches!(&error, DataError::Read(ReadError::Postgres { fault: found, .. }) if *found == fault),
            "{error}"
        );
    });
    assert_eq!(counted(&source, &private), Ok(vec![1, 1]));
}

#[test]
#[ignore = "tools/postgres-tests runs it"]
fn no_error_tells_a_value() {
    let statements = format!(
        "CREATE TABLE t (id int, a text); INSERT INTO t VALUES (1, 'x'), (2, '{SECRET}');
        CREATE VIEW broken AS SELECT id, a::int AS a FROM t; CREATE TABLE long AS SELECT repeat('{SECRET}', {MAX_RECORD} / 10) AS a;
        CREATE FUNCTION tell(a text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', a; END $$;
        CREATE VIEW raising AS SELECT id, tell(a) AS a FROM t"
    );
    let database = Database::new("posterity_secrets", &statements);
    let told = |asked: Result<Vec<u64>, DataError>| {
        let error = asked.expect_err("refused");
        assert!(!format!("{error:?} {error}").contains(SECRET), "{error:?}");
        error
    };
    let question = about("a", &["x", "y"]);
    assert_eq!(told(database.ask("t", &question)), DataError::Outside { column: "a".into() });
    let by_unit = Question { unit: Some("id".into()), ..question.clone() };
    assert!(refused("22P02")(&told(database.ask_view("broken", &by_unit))));
    assert!(refused("P0001")(&told(database.ask_view("raising", &by_unit))));
    let long = told(database.ask("long", &question));
    assert!(
        matches!(long, DataError::Read(ReadError::Postgres { fault: PostgresFault::TooLong, .. })),
        "{long}"
    );
}

/// Text of a database without an encoding has a name only if it is UTF-8.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn databases_without_an_encoding() {
    let server = Postgres::required();
    server.run("postgres", "DROP DATABASE IF EXISTS posterity_ascii");
    server.run("postgres", "CREATE DATABASE posterity_ascii ENCODING 'SQL_ASCII' TEMPLATE template0");
    let statements = "CREATE TABLE t (cured text); INSERT INTO t VALUES ('yes'); CREATE TABLE u (cured text); INSERT INTO u VALUES (E'\\xff')";
    server.run("posterity_ascii", statements);
    let database = Database { server, name: "posterity_ascii" };
    assert_eq!(database.ask("t", &yes_or_no()), Ok(vec![1, 0]));
    let unnamed = DataError::Unnamed { column: "cured".into() };
    assert_eq!(database.ask("u", &yes_or_no().with_other("rest")), Err(unnamed));
}

/// The same table as a file has the same counts.
#[test]
#[ignore = "tools/postgres-tests runs it"]
fn tables_count_as_files_do() {
    let scratch = Scratch::new();
    let file = scratch.write("a.csv", "id,cured,age\n1,yes,30\n2,no,41\n3,,52\n");
    let path = table("id int, cured text, age int", "(1, 'yes', 30), (2, 'no', 41), (3, NULL, 52)")
        .expect("a server");
    let question = Question { filter: Some("age > 30".into()), ..yes_or_no().with_missing("none") };
    assert_eq!(counts(&path, &question), counts(&file, &question));
    assert_eq!(counts(&path, &question), Ok(vec![0, 1, 1]));
}
