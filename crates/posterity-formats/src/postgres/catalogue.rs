//! What the catalogue of a database says of a table.

use crate::column::Field;
use crate::postgres_fault::PostgresFault;
use crate::relation::{Relation, qualified};

use super::column_type::ColumnType;
use super::session::Session;

/// A table or a view as the catalogue has it.
pub(super) struct Found {
    /// Its identifier.
    oid: String,
    /// The letter of `pg_class.relkind`.
    pub(super) kind: char,
    /// Whether other tables inherit from it, or are its partitions.
    pub(super) has_heirs: bool,
    /// Whether one of these is something else than a table.
    pub(super) strange_parts: bool,
}

/// A table or a view whose columns are known.
pub(super) struct Table {
    name: String,
    kind: char,
    pub(super) columns: Vec<Column>,
}

/// A column.
pub(super) struct Column {
    pub(super) field: Field,
    pub(super) kind: ColumnType,
}

/// Names are compared as text: a name that is too long is not cut to one that exists.
const FIND: &str = "WITH RECURSIVE named AS (
      SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname::text = $1 AND c.relname::text = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND n.nspname <> 'information_schema' AND left(n.nspname::text, 3) <> 'pg_'),
    below AS (
      SELECT i.inhrelid FROM pg_inherits i JOIN named ON i.inhparent = named.oid
      UNION SELECT i.inhrelid FROM pg_inherits i JOIN below ON i.inhparent = below.inhrelid)
    SELECT oid, relkind, EXISTS (SELECT FROM below),
      EXISTS (SELECT FROM below JOIN pg_class c ON c.oid = below.inhrelid WHERE c.relkind NOT IN ('r', 'p', 'i', 'I'))
    FROM named";

/// The type of a domain is that which it stands for.
const COLUMNS: &str = "WITH RECURSIVE base AS (
      SELECT a.attnum, a.attname, format_type(a.atttypid, a.atttypmod) AS described, a.atttypid AS type, a.atttypmod AS modifier
      FROM pg_attribute a WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL SELECT b.attnum, b.attname, b.described, t.typbasetype,
        CASE WHEN b.modifier < 0 THEN t.typtypmod ELSE b.modifier END
      FROM base b JOIN pg_type t ON t.oid = b.type WHERE t.typtype = 'd')
    SELECT b.attname, b.described, t.oid, t.typtype, b.modifier
    FROM base b JOIN pg_type t ON t.oid = b.type WHERE t.typtype <> 'd' ORDER BY b.attnum";

/// The functions look at what is there now, and the tables of the catalogue show what the snapshot does.
const UNCHANGED: &str = "WITH RECURSIVE parts AS (
      SELECT $2::oid AS oid UNION SELECT i.inhrelid FROM pg_inherits i JOIN parts ON i.inhparent = parts.oid)
    SELECT to_regclass($1)::oid = $2::oid AND NOT EXISTS (
      SELECT FROM parts JOIN pg_class c USING (oid)
      WHERE c.relkind = 'r' AND pg_relation_filenode(c.oid) IS DISTINCT FROM c.relfilenode)";

const TABLES: &str =
    "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname <> 'information_schema'
      AND left(n.nspname::text, 3) <> 'pg_' ORDER BY n.nspname, c.relname LIMIT 1000";

/// The names of the tables, which belong to the schema.
pub(super) fn tables(session: &mut Session) -> Result<Vec<String>, PostgresFault> {
    let rows = session.query(TABLES, &[])?;
    rows.iter().map(|row| Ok(qualified(text(row, 0)?, text(row, 1)?))).collect()
}

/// Looks for a table or a view by its exact name.
pub(super) fn find(session: &mut Session, relation: &Relation) -> Result<Option<Found>, PostgresFault> {
    let (schema, name) = relation.parts();
    if schema.contains('\0') || name.contains('\0') {
        return Ok(None);
    }
    let rows = session.query(FIND, &[&schema, &name])?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some(Found {
        oid: text(row, 0)?.to_owned(),
        kind: letter(row, 1)?,
        has_heirs: text(row, 2)? != "f",
        strange_parts: text(row, 3)? != "f",
    }))
}

/// Keeps others from changing the table until all is read; they may read and write its rows. Whoever may read one column
/// may do this. The snapshot is older than the lock, so the table must be what it was then: of one that was written anew
/// in between, the snapshot would show nothing.
pub(super) fn lock(session: &mut Session, found: &Found, relation: &Relation) -> Result<(), PostgresFault> {
    let name = named(relation);
    session.query(&locking(&name), &[])?;
    let rows = session.query(UNCHANGED, &[&name, &found.oid])?;
    let unchanged = rows.first().is_some_and(|row| text(row, 0) == Ok("t"));
    if unchanged { Ok(()) } else { Err(PostgresFault::Changed) }
}

fn locking(name: &str) -> String {
    format!("SELECT FROM {name} LIMIT 0")
}

impl Table {
    /// Reads what columns there are.
    pub(super) fn read(
        session: &mut Session,
        found: Found,
        relation: &Relation,
    ) -> Result<Self, PostgresFault> {
        let rows = session.query(COLUMNS, &[&found.oid])?;
        let columns = rows.iter().map(|row| {
            let number = |index| text(row, index)?.parse::<i64>().map_err(|_| PostgresFault::NotPostgres);
            let kind = ColumnType::new(number(2)?, letter(row, 3)?, number(4)?);
            let (name, described) = (text(row, 0)?.to_owned(), text(row, 1)?.to_owned());
            Ok(Column { field: Field { name, kind: kind.values(), described }, kind })
        });
        Ok(Self { name: named(relation), kind: found.kind, columns: columns.collect::<Result<_, _>>()? })
    }

    /// The statement that reads some columns.
    pub(super) fn statement(&self, columns: &[&Column]) -> String {
        let columns: Vec<String> = columns.iter().map(|column| column.read()).collect();
        let only = if self.kind == 'r' { "ONLY " } else { "" };
        format!("COPY (SELECT {} FROM {only}{}) TO STDOUT (FORMAT binary)", columns.join(", "), self.name)
    }
}

impl Column {
    /// How the column is read. Of a type that is not known, the server is asked only whether there is a value: to send
    /// it would run what somebody wrote for that type.
    fn read(&self) -> String {
        let name = quoted(&self.field.name);
        match self.kind {
            ColumnType::Other => format!("CASE WHEN {name} IS DISTINCT FROM NULL THEN true END"),
            _ => name,
        }
    }
}

fn named(relation: &Relation) -> String {
    let (schema, name) = relation.parts();
    format!("{}.{}", quoted(&schema), quoted(&name))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn text(row: &[Option<String>], index: usize) -> Result<&str, PostgresFault> {
    row.get(index).and_then(Option::as_deref).ok_or(PostgresFault::NotPostgres)
}

fn letter(row: &[Option<String>], index: usize) -> Result<char, PostgresFault> {
    text(row, index)?.chars().next().ok_or(PostgresFault::NotPostgres)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::ValueKind;

    fn column(name: &str, kind: ColumnType) -> Column {
        Column { field: Field { name: name.into(), kind: ValueKind::Text, described: "text".into() }, kind }
    }

    #[test]
    fn names_are_quoted() {
        let relation = Relation::Table("\"s; \"\"\".t\" FROM x".into());
        assert_eq!(locking(&named(&relation)), "SELECT FROM \"s; \"\"\".\"t\"\" FROM x\" LIMIT 0");
        let columns = [column("a\"b", ColumnType::Text), column("point", ColumnType::Other)];
        let table = Table { name: named(&relation), kind: 'r', columns: Vec::new() };
        assert_eq!(
            table.statement(&columns.iter().collect::<Vec<_>>()),
            "COPY (SELECT \"a\"\"b\", CASE WHEN \"point\" IS DISTINCT FROM NULL THEN true END FROM ONLY \"s; \"\"\".\"t\"\" FROM x\") \
             TO STDOUT (FORMAT binary)"
        );
    }
}
