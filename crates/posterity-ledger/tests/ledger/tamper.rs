//! Edits of the file that do not go through the ledger.

use std::path::Path;
use std::sync::LazyLock;

use posterity_ledger::{Breach, DrawError, Head, Ledger, LedgerError};
use rusqlite::Connection;

use crate::support::{Folder, amount, ask, at, charge};

const TRIGGERS: [(&str, &str); 2] = [("no_update", "UPDATE"), ("no_delete", "DELETE")];

/// Entries: 1 account, 2 charge, 3 record, 4 account, 5 charge, 6 charge, 7 record.
fn sample(folder: &Folder) -> Ledger {
    let mut ledger = folder.ledger("1", "1e-6");
    ask(&mut ledger, "survey", &charge("first", "0.1"), Some("{\"first\": 1}")).expect("it fits");
    ledger.create_account("trial", &amount("2"), &amount("0"), &at()).expect("new");
    ask(&mut ledger, "trial", &charge("lost", "0.2"), None).expect("it fits");
    ask(&mut ledger, "survey", &charge("last", "0.3"), Some("{\"last\": 1}")).expect("it fits");
    ledger
}

/// Runs SQL as somebody with the file would: the triggers are taken away and put back as they were.
fn tamper(path: &Path, sql: &str) {
    let connection = Connection::open(path).expect("a database");
    connection.pragma_update(None, "synchronous", "OFF").expect("set");
    let mut saved = Vec::new();
    for (name, _) in TRIGGERS {
        let statement: String = connection
            .query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0))
            .expect("a trigger");
        connection.execute_batch(&format!("DROP TRIGGER {name}")).expect("dropped");
        saved.push(statement);
    }
    connection.execute_batch(sql).expect(sql);
    connection.execute_batch(&saved.join(";")).expect("put back");
}

fn verify_after(sql: &str) -> Result<(), LedgerError> {
    // Made once and copied: each write waits for the disk.
    static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = Folder::new();
        std::fs::read(sample(&folder).path()).expect("read")
    });
    let folder = Folder::new();
    let path = folder.file("copy");
    std::fs::write(&path, &*SAMPLE).expect("written");
    tamper(&path, sql);
    Ledger::open(&path)?.verify().map(|_| ())
}

/// SQL, and the first wrong entry with what is wrong.
fn expect_breaches<S: AsRef<str>>(table: &[(S, u64, Breach)]) {
    for (sql, entry, breach) in table {
        let sql = sql.as_ref();
        let error = verify_after(sql).expect_err(sql);
        let LedgerError::Broken { entry: found, breach: how, .. } = error else {
            unreachable!("{sql}: {error}")
        };
        assert_eq!((found, how), (*entry, *breach), "{sql}");
    }
}

#[test]
fn an_untouched_ledger_is_sound() {
    assert_eq!(verify_after("SELECT 1"), Ok(()));
    assert_eq!(verify_after("VACUUM; ANALYZE; REINDEX"), Ok(()));
}

#[test]
fn careless_edits_are_refused_by_the_file() {
    let folder = Folder::new();
    let ledger = sample(&folder);
    let connection = Connection::open(ledger.path()).expect("a database");
    for sql in ["UPDATE entry SET epsilon = '1/100' WHERE sequence = 2", "DELETE FROM entry"] {
        let error = connection.execute(sql, []).expect_err(sql).to_string();
        assert!(error.starts_with("entries are never"), "{error}");
    }
}

/// Every column of every kind of entry.
#[test]
fn an_edited_field_is_found() {
    let columns = [
        ("kind", "'record'"),
        ("at", "'2020-01-01T00:00:00Z'"),
        ("account", "'other'"),
        ("epsilon", "'1/1000'"),
        ("delta", "'1/7'"),
        ("question", "'other'"),
        ("key", "'00'"),
        ("charge", "99"),
        ("document", "'{}'"),
        ("unit", "'other'"),
        ("population", "'other'"),
        ("rule", "'other'"),
        ("parts", "'1/20*2'"),
        ("before", "99"),
        ("tally", "'0 0/1 0/1  -'"),
        ("previous", "hash"),
        ("hash", "previous"),
    ];
    let mut table = Vec::new();
    for entry in 1..=7 {
        for (column, value) in columns {
            // A record that becomes a record is no edit.
            if !(column == "kind" && matches!(entry, 3 | 7)) {
                let sql = format!("UPDATE entry SET {column} = {value} WHERE sequence = {entry}");
                table.push((sql, entry, Breach::Changed));
            }
        }
    }
    assert_eq!(table.len(), 117);
    expect_breaches(&table);
}

#[test]
fn a_removed_absent_or_empty_field_is_found() {
    expect_breaches(&[
        ("UPDATE entry SET epsilon = NULL WHERE sequence = 2", 2, Breach::Changed),
        ("UPDATE entry SET document = '' WHERE sequence = 2", 2, Breach::Changed),
        ("UPDATE entry SET epsilon = '2/20' WHERE sequence = 2", 2, Breach::Changed),
        ("UPDATE entry SET document = document || ' ' WHERE sequence = 7", 7, Breach::Changed),
    ]);
}

#[test]
fn a_deleted_entry_is_found() {
    let mut table: Vec<(String, u64, Breach)> = (1..=7)
        .map(|entry| (format!("DELETE FROM entry WHERE sequence = {entry}"), entry, Breach::Missing))
        .collect();
    table.push(("DELETE FROM entry WHERE sequence > 5".into(), 6, Breach::Missing));
    table.push(("DELETE FROM entry".into(), 1, Breach::Missing));
    // The entries after it move up, so that there is no gap.
    for entry in 1..=6 {
        let sql = format!(
            "DELETE FROM entry WHERE sequence = {entry}; \
             UPDATE entry SET sequence = -sequence WHERE sequence > {entry}; \
             UPDATE entry SET sequence = -sequence - 1 WHERE sequence < 0"
        );
        table.push((sql, entry, Breach::Changed));
    }
    expect_breaches(&table);
}

#[test]
fn swapped_entries_are_found() {
    let swap = |a: u64, b: u64| {
        format!(
            "UPDATE entry SET sequence = 100 WHERE sequence = {a}; UPDATE entry SET sequence = {a} WHERE sequence = {b}; \
             UPDATE entry SET sequence = {b} WHERE sequence = 100"
        )
    };
    let table: Vec<(String, u64, Breach)> = [(1, 4), (2, 5), (3, 7), (6, 7), (2, 3)]
        .into_iter()
        .map(|(a, b)| (swap(a, b), a, Breach::Changed))
        .collect();
    expect_breaches(&table);
}

const FIELDS: &str = "unit, population, rule, parts, before, tally, kind, at, account, epsilon, delta, question, key, charge, \
                      document, previous, hash";

#[test]
fn an_inserted_entry_is_found() {
    let copy = |from: u64, to: i64| {
        format!(
            "INSERT INTO entry (sequence, {FIELDS}) SELECT {to}, {FIELDS} FROM entry WHERE sequence = {from}"
        )
    };
    expect_breaches(&[
        (copy(2, 8), 8, Breach::Changed),
        (copy(5, 0), 1, Breach::Missing),
        (copy(5, -1), 1, Breach::Missing),
        (copy(5, 100), 8, Breach::Missing),
        (
            "INSERT INTO entry (sequence, kind, at, account, previous, hash) VALUES (8, 'note', '', '', '', '')".into(),
            8,
            Breach::Changed,
        ),
    ]);
}

#[test]
fn an_edited_head_is_found() {
    let cut = "DELETE FROM entry WHERE sequence = 7; UPDATE head SET entries = 6";
    expect_breaches(&[
        ("UPDATE head SET entries = 6", 7, Breach::NotTheHead),
        ("UPDATE head SET entries = 8", 8, Breach::Missing),
        ("UPDATE head SET hash = (SELECT hash FROM entry WHERE sequence = 6)", 7, Breach::NotTheHead),
        ("UPDATE head SET hash = 'x'", 0, Breach::NotTheHead),
        ("DELETE FROM head", 0, Breach::NotTheHead),
        ("DELETE FROM entry; UPDATE head SET entries = 0", 0, Breach::NotTheHead),
        (cut, 6, Breach::NotTheHead),
    ]);
}

/// Whoever rewrites the end of the chain and the head alike is found only with a head noted elsewhere.
#[test]
fn a_noted_head_shows_a_tail_that_was_cut() {
    let folder = Folder::new();
    let ledger = sample(&folder);
    let noted = ledger.verify().expect("sound").head;
    let start =
        Head { entries: 0, ..Ledger::create(folder.file("new")).and_then(|l| l.verify()).expect("new").head };
    let earlier = {
        let entries = ledger.export().expect("sound").entries;
        Head { entries: 4, hash: entries[3].hash }
    };
    for head in [noted, earlier, start] {
        assert_eq!(ledger.verify_against(&head).expect("on the chain").head, noted);
    }
    let path = ledger.path().to_owned();
    drop(ledger);
    tamper(
        &path,
        "DELETE FROM entry WHERE sequence > 5; \
         UPDATE head SET entries = 5, hash = (SELECT hash FROM entry WHERE sequence = 5); \
         UPDATE standing SET entry = 2, hash = (SELECT hash FROM entry WHERE sequence = 2) WHERE account = 'survey'",
    );
    let mut ledger = Ledger::open(&path).expect("a ledger");
    ledger.verify().expect("the file alone cannot show it");
    let lost = |expected| Err(LedgerError::HeadNotFound { path: path.clone(), expected });
    assert_eq!(ledger.verify_against(&noted), lost(noted));
    assert!(ledger.verify_against(&earlier).is_ok());
    // New entries in place of those that were cut off do not hide the cut.
    for _ in 0..2 {
        ask(&mut ledger, "survey", &charge("other", "0.1"), Some("{}")).expect("it fits");
    }
    assert_eq!(ledger.verify_against(&noted), lost(noted));
    let beyond = Head { entries: u64::MAX, hash: noted.hash };
    assert_eq!(ledger.verify_against(&beyond), lost(beyond));
}

/// What is checked for every charge: the head, the last entry, the account and its last charge. And for every recall:
/// both entries.
#[test]
fn writing_stops_at_a_broken_head_and_recall_at_a_broken_document() {
    for (sql, entry, breach) in [
        ("UPDATE entry SET document = '{}' WHERE sequence = 7", 7, Breach::Changed),
        ("DELETE FROM entry WHERE sequence = 7", 7, Breach::Missing),
        ("DELETE FROM entry", 7, Breach::Missing),
        ("UPDATE entry SET sequence = 9 WHERE sequence = 7", 9, Breach::Changed),
        ("UPDATE entry SET hash = 'x' WHERE sequence = 6", 7, Breach::Unlinked),
        ("UPDATE head SET entries = 6", 7, Breach::NotTheHead),
        ("DELETE FROM head", 0, Breach::NotTheHead),
        ("UPDATE entry SET epsilon = '1000/1' WHERE sequence = 1", 1, Breach::Changed),
        ("UPDATE entry SET tally = '0 0/1 0/1 0,0,0 -' WHERE sequence = 6", 6, Breach::Changed),
        ("UPDATE entry SET epsilon = '1/1000' WHERE sequence = 6", 6, Breach::Changed),
        ("UPDATE entry SET account = 'other' WHERE sequence = 6", 6, Breach::NotTheLast),
        ("DELETE FROM entry WHERE sequence = 6", 7, Breach::Unlinked),
        (
            "UPDATE standing SET entry = 2, hash = (SELECT hash FROM entry WHERE sequence = 2) WHERE account = 'survey'",
            6,
            Breach::NotTheLast,
        ),
        ("UPDATE standing SET hash = 'x' WHERE account = 'survey'", 6, Breach::NotTheLast),
        ("DELETE FROM standing", 6, Breach::NotTheLast),
    ] {
        let folder = Folder::new();
        let path = sample(&folder).path().to_owned();
        tamper(&path, sql);
        let mut ledger = Ledger::open(&path).expect("a ledger");
        let expected = LedgerError::Broken { path, entry, breach };
        assert_eq!(ask(&mut ledger, "survey", &charge("q", "0.1"), Some("{}")), Err(expected), "{sql}");
    }
    let folder = Folder::new();
    let path = sample(&folder).path().to_owned();
    tamper(&path, "UPDATE entry SET document = '{}' WHERE sequence = 3");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    let expected = LedgerError::Broken { path, entry: 3, breach: Breach::Changed };
    assert_eq!(ledger.find("survey", "first"), Err(expected.clone()));
    let recalled =
        ledger.answer("survey", &charge("first", "0.1"), |_| true, &at(), |_| Ok::<_, String>("{}".into()));
    assert_eq!(recalled, Err(DrawError::Ledger(expected)));
}

/// Either of two tables keeps the name of an account from being given again.
#[test]
fn a_name_that_one_table_lost_is_not_given_again() {
    for sql in [
        "UPDATE entry SET account = 'other' WHERE sequence = 1",
        "DELETE FROM standing WHERE account = 'survey'",
    ] {
        let folder = Folder::new();
        let path = sample(&folder).path().to_owned();
        tamper(&path, sql);
        let mut ledger = Ledger::open(&path).expect("a ledger");
        let again = ledger.create_account("survey", &amount("9"), &amount("0"), &at());
        assert_eq!(again, Err(LedgerError::AccountExists { name: "survey".into() }), "{sql}");
    }
}

/// An index with wrong keys says that the last entry of one account is that of another, and the table says so too.
#[test]
fn the_entry_of_another_account_is_no_standing() {
    let folder = Folder::new();
    let path = sample(&folder).path().to_owned();
    tamper(
        &path,
        "DROP INDEX states; \
         CREATE INDEX states ON entry (CASE sequence WHEN 5 THEN 'survey' WHEN 6 THEN 'trial' ELSE account END, sequence) \
         WHERE kind <> 'record'; \
         PRAGMA writable_schema = ON; \
         UPDATE sqlite_schema SET sql = 'CREATE INDEX states ON entry (account, sequence) WHERE kind <> ''record''' \
         WHERE name = 'states'; \
         PRAGMA writable_schema = OFF; \
         UPDATE standing SET entry = 5, hash = (SELECT hash FROM entry WHERE sequence = 5) WHERE account = 'survey'",
    );
    let ledger = Ledger::open(&path).expect("a ledger");
    let expected = LedgerError::Broken { path, entry: 5, breach: Breach::Impossible };
    assert_eq!(ledger.account("survey").map(|_| ()), Err(expected));
}

/// The total stands in the account's last entry, so an edit of an older one changes nothing for a charge; `verify`
/// finds it.
#[test]
fn an_edited_older_charge_gives_nothing_back() {
    let folder = Folder::new();
    let path = sample(&folder).path().to_owned();
    tamper(&path, "UPDATE entry SET epsilon = '1/1000', tally = '1 1/1000 0/1 0,0,0 -' WHERE sequence = 2");
    let mut ledger = Ledger::open(&path).expect("a ledger");
    assert_eq!(ledger.account("survey").expect("there").sum_epsilon, amount("0.4"));
    let refused = ask(&mut ledger, "survey", &charge("q", "0.7"), Some("{}"));
    assert!(matches!(refused, Err(LedgerError::Exceeded(_))), "{refused:?}");
    assert_eq!(
        ledger.verify().map(|_| ()),
        Err(LedgerError::Broken { path, entry: 2, breach: Breach::Changed })
    );
}

/// Altered tables, and values of another type.
#[test]
fn altered_tables_are_found() {
    let folder = Folder::new();
    for (i, sql) in [
        "DROP TRIGGER no_update",
        "DROP INDEX states",
        "CREATE TRIGGER t AFTER INSERT ON entry BEGIN DELETE FROM head; END",
        "ALTER TABLE entry ADD COLUMN more TEXT",
        "CREATE VIEW v AS SELECT 1",
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.file(&i.to_string());
        drop(Ledger::create(&path).expect("new"));
        Connection::open(&path).and_then(|connection| connection.execute_batch(sql)).expect(sql);
        let reason = "its tables were altered".to_owned();
        assert_eq!(Ledger::open(&path).map(|_| ()), Err(LedgerError::Damaged { path, reason }), "{sql}");
    }
}
