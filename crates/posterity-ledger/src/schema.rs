//! The tables of a ledger file, and how a file is recognised.

use rusqlite::Connection;

use crate::head::Head;

/// Marks the file as ours in the database header: "PstL".
const APPLICATION: i32 = 0x5073_744c;

/// The format that this version writes.
pub(crate) const FORMAT: i32 = 1;

/// Name and statement of each object, in the spelling in which SQLite keeps them, so that they can be compared.
///
/// The triggers stop careless edits; the hash chain shows deliberate ones. The indexes serve one query each: is there
/// such an account, which entry says last how it stands, was this asked before, which document belongs to this charge.
/// The table `standing` says a second time which entry is the last of each account: one flipped bit in the index cannot
/// hide a charge. The column `rule` says how an account counts: its adjacency unless that is replace, and how its charges
/// add up; in a charge, what its release promises if n is private in it. A charge with a price in rho has it in the column `parts`, and neither epsilon nor delta. What may be long stands at the end of a row, because SQLite walks through it to reach what follows.
const OBJECTS: [(&str, &str); 9] = [
    (
        "entry",
        "CREATE TABLE entry (
    sequence INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    account TEXT NOT NULL,
    epsilon TEXT,
    delta TEXT,
    key TEXT,
    charge INTEGER,
    unit TEXT,
    population TEXT,
    rule TEXT,
    parts TEXT,
    before INTEGER,
    tally TEXT,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    question TEXT,
    document TEXT
) STRICT",
    ),
    (
        "head",
        "CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    entries INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT",
    ),
    (
        "standing",
        "CREATE TABLE standing (
    account TEXT PRIMARY KEY,
    entry INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT, WITHOUT ROWID",
    ),
    ("accounts", "CREATE UNIQUE INDEX accounts ON entry (account) WHERE kind = 'account'"),
    ("states", "CREATE INDEX states ON entry (account, sequence) WHERE kind <> 'record'"),
    ("asked", "CREATE INDEX asked ON entry (account, key) WHERE kind = 'charge'"),
    ("recorded", "CREATE UNIQUE INDEX recorded ON entry (charge) WHERE kind = 'record'"),
    (
        "no_update",
        "CREATE TRIGGER no_update BEFORE UPDATE ON entry BEGIN SELECT raise(ABORT, 'entries are never changed'); END",
    ),
    (
        "no_delete",
        "CREATE TRIGGER no_delete BEFORE DELETE ON entry BEGIN SELECT raise(ABORT, 'entries are never deleted'); END",
    ),
];

/// What a database turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// A ledger of this format.
    Ours,
    /// A ledger whose tables are not as we made them.
    Altered,
    /// A ledger of another format.
    Other(i32),
    /// A database without anything in it.
    Blank,
    /// Something else.
    Foreign,
}

/// Makes a blank database a ledger, within the caller's transaction.
pub(crate) fn initialise(connection: &Connection) -> rusqlite::Result<()> {
    for (_, statement) in OBJECTS {
        connection.execute(statement, [])?;
    }
    let start = Head::START;
    connection.execute("INSERT INTO head (id, entries, hash) VALUES (1, 0, ?1)", [start.hash.to_string()])?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)
}

/// Says what a database is, without changing it.
pub(crate) fn identify(connection: &Connection) -> rusqlite::Result<Identity> {
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let (application, format) = (number("application_id")?, number("user_version")?);
    // SQLite adds objects of its own, such as statistics. They are left out.
    let mut statement = connection.prepare(
        "SELECT name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )?;
    let objects: Vec<(String, String)> =
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    Ok(match application {
        APPLICATION if format != FORMAT => Identity::Other(format),
        APPLICATION if as_made(&objects) => Identity::Ours,
        APPLICATION => Identity::Altered,
        0 if format == 0 && objects.is_empty() => Identity::Blank,
        _ => Identity::Foreign,
    })
}

/// Whether these are the objects of a ledger, as [`initialise`] made them.
fn as_made(found: &[(String, String)]) -> bool {
    let is_expected = |(name, sql): &(String, String)| OBJECTS.contains(&(name.as_str(), sql.as_str()));
    found.len() == OBJECTS.len() && found.iter().all(is_expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger() -> Connection {
        let connection = Connection::open_in_memory().expect("memory");
        initialise(&connection).expect("a blank database");
        connection
    }

    #[test]
    fn identifies() {
        assert_eq!(identify(&ledger()), Ok(Identity::Ours));
        assert_eq!(identify(&Connection::open_in_memory().expect("memory")), Ok(Identity::Blank));
        for (sql, identity) in [
            ("DROP TRIGGER no_update", Identity::Altered),
            ("DROP INDEX states; CREATE INDEX states ON entry (account)", Identity::Altered),
            ("CREATE TABLE more (x)", Identity::Altered),
            (
                "CREATE TRIGGER t AFTER INSERT ON entry BEGIN UPDATE head SET entries = 0; END",
                Identity::Altered,
            ),
            ("PRAGMA user_version = 0", Identity::Other(0)),
            ("PRAGMA user_version = 2", Identity::Other(2)),
            ("PRAGMA application_id = 7", Identity::Foreign),
            ("PRAGMA application_id = 0", Identity::Foreign),
            ("ANALYZE", Identity::Ours),
            ("VACUUM", Identity::Ours),
        ] {
            let connection = ledger();
            connection.execute_batch(sql).expect(sql);
            assert_eq!(identify(&connection), Ok(identity), "{sql}");
        }
    }

    /// Each query is answered by its index.
    #[test]
    fn indexes_serve_their_queries() {
        let connection = ledger();
        for (sql, part) in [
            (
                "SELECT max(sequence) FROM entry WHERE kind <> 'record' AND account = ?1",
                "INDEX states (account=?)",
            ),
            ("SELECT entry, hash FROM standing WHERE account = ?1", "PRIMARY KEY (account=?)"),
            ("SELECT 1 FROM entry WHERE kind = 'account' AND account = ?1", "INDEX accounts (account=?)"),
            ("SELECT * FROM entry WHERE kind = 'record' AND charge = ?1", "INDEX recorded (charge=?)"),
            (
                "SELECT * FROM entry WHERE kind = 'charge' AND account = ?1 AND key = ?2",
                "INDEX asked (account=? AND key=?)",
            ),
        ] {
            let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect(sql);
            let plan: Vec<String> = statement
                .query_map(rusqlite::params_from_iter((0..statement.parameter_count()).map(|_| "x")), |row| {
                    row.get(3)
                })
                .and_then(Iterator::collect)
                .expect(sql);
            assert!(plan.len() == 1 && plan[0].contains(part), "{plan:?}");
        }
    }
}
