//! Tables and views of SQLite files.
//!
//! A file may be hostile. It is opened to be read only, and nothing in its schema is trusted: functions that could do
//! harm are not called, and extensions are not loaded. The statement is made of quoted names, and nothing that a record
//! holds becomes a part of it. The messages of SQLite may quote values, so only its result code is told.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, ffi};

use crate::column::{Field, ValueKind};
use crate::files::Files;
use crate::format::Format;
use crate::mixed::{MixedColumn, MixedValue};
use crate::piece::Piece;
use crate::read_error::ReadError;
use crate::relation::Relation;
use crate::repeated::refuse_repeated;
use crate::text::MAX_RECORD;
use crate::value::Value;
use crate::visitor::{Visitor, Wanted};
use crate::waves::{PIECE, PIECE_BYTES, Waves};

/// How long to wait for a program that writes the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hands over the rows of a table or a view of all files.
pub(crate) fn read_sqlite<V: Visitor>(files: &Files, visitor: &V) -> Result<(), V::Error> {
    let mut common: Option<Vec<String>> = None;
    for (number, path) in files.paths.iter().enumerate() {
        let database = Database::open(files, path)?;
        let fields = database.fields()?;
        let mut names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        names.sort_unstable();
        if common.get_or_insert_with(|| names.clone()) != &names {
            let first = files.paths.first().map(|path| files.shown(path)).unwrap_or_default();
            return Err(ReadError::MixedColumns { first, second: files.shown(path) }.into());
        }
        let wanted = visitor.wanted().bind(&fields)?;
        let columns: Vec<&str> = wanted.iter().map(|&column| fields[column].name.as_str()).collect();
        database.read(&columns, visitor.wanted().strict(), Waves::new(visitor, number as u32))?;
    }
    Ok(())
}

/// A file that is open, and what is read of it.
struct Database<'a> {
    connection: Connection,
    files: &'a Files,
    path: &'a Path,
    relation: &'a Relation,
}

impl<'a> Database<'a> {
    /// Opens a file and finds the table or the view in it.
    fn open(files: &'a Files, path: &'a Path) -> Result<Self, ReadError> {
        // The library opens files by their names, so that nothing tells whether they are still below a folder.
        if files.below.is_some() {
            return Err(ReadError::UnsupportedFile { path: files.shown(path), what: "the format of SQLite" });
        }
        let failed = |error| refusal(&error, files, path);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        guard(&connection).map_err(failed)?;
        let Some(relation) = &files.relation else {
            let tables = tables(&connection).map_err(failed)?;
            return Err(ReadError::NoTable { path: files.shown(path), tables });
        };
        let database = Self { connection, files, path, relation };
        database.check()?;
        Ok(database)
    }

    /// Refuses what is no table, or no view.
    fn check(&self) -> Result<(), ReadError> {
        let name = self.relation.name();
        let query = "SELECT type, sql FROM sqlite_schema WHERE name = ?1 AND type IN ('table', 'view')";
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?));
        let found = self.connection.query_row(query, [name], read).optional();
        let Some((kind, sql)) = found.map_err(|error| self.failed(&error))? else {
            let tables = tables(&self.connection).map_err(|error| self.failed(&error))?;
            return Err(ReadError::NoTable { path: self.files.shown(self.path), tables });
        };
        match (self.relation, kind == "view") {
            (Relation::Table(_), true) => Err(ReadError::View { name: name.to_owned() }),
            (Relation::View(_), false) => Err(ReadError::NotAView { name: name.to_owned() }),
            (Relation::Table(_), false) if sql.is_some_and(|sql| is_virtual(&sql)) => {
                Err(ReadError::UnsupportedFile { path: self.files.shown(self.path), what: "a virtual table" })
            }
            _ => Ok(()),
        }
    }

    /// The columns. Each value has a type of its own.
    fn fields(&self) -> Result<Vec<Field>, ReadError> {
        let query = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1";
        let names =
            names(&self.connection, query, [self.relation.name()]).map_err(|error| self.failed(&error))?;
        refuse_repeated(names.iter().map(String::as_str))?;
        let field = |name| Field { name, kind: ValueKind::Mixed, described: "SQLite".into() };
        Ok(names.into_iter().map(field).collect())
    }

    /// Hands over the records, some pieces at a time. A row that is too long is refused if this is strict, and one
    /// without values otherwise.
    fn read<V: Visitor>(
        &self,
        columns: &[&str],
        strict: bool,
        mut waves: Waves<'_, V, SqlitePiece>,
    ) -> Result<(), V::Error> {
        let failed = |error: rusqlite::Error| self.failed(&error);
        let mut statement = self.connection.prepare(&statement(columns, self.relation)).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut piece = SqlitePiece::new(columns.len());
        while let Some(row) = rows.next().map_err(failed)? {
            if !piece.add(row).map_err(failed)? {
                if strict {
                    return Err(ReadError::TooLong { path: self.files.shown(self.path) }.into());
                }
                piece.add_without_values();
            }
            if piece.is_full() {
                waves.add(std::mem::replace(&mut piece, SqlitePiece::new(columns.len())))?;
            }
        }
        waves.add(piece)?;
        waves.finish()
    }

    fn failed(&self, error: &rusqlite::Error) -> ReadError {
        refusal(error, self.files, self.path)
    }
}

/// The names of the tables, which belong to the schema.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name";
    names(connection, query, [])
}

fn names(connection: &Connection, query: &str, with: impl rusqlite::Params) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(query)?;
    statement.query_map(with, |row| row.get(0))?.collect()
}

/// Allows a connection to read, and nothing else.
fn guard(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(config, on)?;
    }
    // All statements see the file as it is now, whatever another program writes meanwhile.
    connection
        .execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; BEGIN")
}

fn is_virtual(sql: &str) -> bool {
    let mut words = sql.split_ascii_whitespace().skip(1);
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("virtual"))
}

/// Reads columns in the order of the table: an index could hold something else than the table. A value that is too long
/// is not loaded, and the last column says that there is one.
fn statement(columns: &[&str], relation: &Relation) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let length = |name: &str| format!("octet_length({})", quoted(name));
    let column = |name: &&str| {
        format!("CASE WHEN {} > {MAX_RECORD} THEN NULL ELSE {} END, ", length(name), quoted(name))
    };
    let long = |name: &&str| format!("coalesce({}, 0) > {MAX_RECORD} OR ", length(name));
    let columns_of = columns.iter().map(column).collect::<String>();
    let too_long = columns.iter().map(long).collect::<String>();
    let unaided = if matches!(relation, Relation::Table(_)) { " NOT INDEXED" } else { "" };
    format!("SELECT {columns_of}{too_long}0 FROM main.{}{unaided}", quoted(relation.name()))
}

/// What a failure means. The message of the library is not repeated.
fn refusal(error: &rusqlite::Error, files: &Files, path: &Path) -> ReadError {
    let code = error.sqlite_error().map_or(ffi::SQLITE_ERROR, |error| error.extended_code);
    match code & 0xff {
        ffi::SQLITE_NOTADB | ffi::SQLITE_CORRUPT => ReadError::Damaged { format: Format::Sqlite },
        ffi::SQLITE_TOOBIG => ReadError::TooLong { path: files.shown(path) },
        ffi::SQLITE_NOMEM => ReadError::LargePiece { path: files.shown(path) },
        _ => ReadError::Sqlite { path: files.shown(path), code },
    }
}

/// Records of a table.
#[derive(Debug)]
struct SqlitePiece {
    columns: Vec<MixedColumn>,
    rows: usize,
    bytes: usize,
}

impl SqlitePiece {
    fn new(columns: usize) -> Self {
        Self { columns: vec![MixedColumn::default(); columns], rows: 0, bytes: 0 }
    }

    /// Adds a record, and says whether it did: not if it is too long.
    fn add(&mut self, row: &Row<'_>) -> rusqlite::Result<bool> {
        if row.get::<_, bool>(self.columns.len())? {
            return Ok(false);
        }
        let mut bytes = 0;
        for index in 0..self.columns.len() {
            bytes += size(row.get_ref(index)?);
        }
        if bytes > MAX_RECORD {
            return Ok(false);
        }
        for (index, column) in self.columns.iter_mut().enumerate() {
            push(column, row.get_ref(index)?);
        }
        self.bytes += bytes;
        self.rows += 1;
        Ok(true)
    }

    /// Adds a record all of whose values are missing.
    fn add_without_values(&mut self) {
        self.columns.iter_mut().for_each(|column| column.push(MixedValue::Missing));
        self.rows += 1;
    }

    fn is_full(&self) -> bool {
        self.rows >= PIECE || self.bytes >= PIECE_BYTES
    }
}

impl Piece for SqlitePiece {
    fn rows(&self) -> usize {
        self.rows
    }

    fn value(&self, column: usize, row: usize) -> Value<'_> {
        self.columns[column].get(row)
    }
}

fn size(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => size_of::<i64>(),
    }
}

/// Adds a value by its storage class, whatever the column declares.
fn push(column: &mut MixedColumn, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => column.push(MixedValue::Missing),
        ValueRef::Integer(number) => column.push(MixedValue::Integer(&number.to_string())),
        ValueRef::Real(number) => column.push(MixedValue::Double(number)),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => column.push(MixedValue::Text(text)),
            Err(_) => column.push(MixedValue::Bytes(bytes)),
        },
        ValueRef::Blob(bytes) => column.push(MixedValue::Bytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted() {
        let text = statement(&["a\"b"], &Relation::Table("t; DROP TABLE t".into()));
        assert!(text.contains("ELSE \"a\"\"b\" END"), "{text}");
        assert!(text.ends_with("FROM main.\"t; DROP TABLE t\" NOT INDEXED"), "{text}");
    }

    #[test]
    fn virtual_tables_are_told_by_their_definition() {
        assert!(is_virtual("CREATE VIRTUAL TABLE t USING fts5(a)"));
        assert!(is_virtual("create\n virtual\ttable t using x"));
        assert!(!is_virtual("CREATE TABLE virtual (a)"));
    }
}
