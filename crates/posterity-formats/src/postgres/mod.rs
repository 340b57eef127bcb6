//! Tables and views of a PostgreSQL server.
//!
//! All records come from one snapshot, in one stream. The catalogue is asked with parameters, and the statement that
//! reads consists of quoted names: nothing that a user wrote is a part of it otherwise. Only the columns of the question
//! are read. The messages of the server quote values, so only its error code is told.

mod catalogue;
mod column_type;
mod copy;
mod numeric;
mod piece;
mod scram;
mod session;
mod tls;
mod transport;
mod wire;

use crate::column::Field;
use crate::files::Files;
use crate::postgres_fault::PostgresFault;
use crate::postgres_server::PostgresServer;
use crate::read_error::ReadError;
use crate::relation::Relation;
use crate::visitor::{Visitor, Wanted};
use crate::waves::Waves;

use catalogue::{Found, Table};
use column_type::ColumnType;
use copy::Rows;
use piece::PostgresPiece;
use session::{NO_INDEX, Session};

/// Hands over the rows of a table or a view.
pub(crate) fn read_postgres<V: Visitor>(
    server: &PostgresServer,
    files: &Files,
    visitor: &V,
) -> Result<(), V::Error> {
    let failed = |fault| ReadError::Postgres { address: server.to_string(), fault };
    let mut session = Session::open(server).map_err(failed)?;
    let table = locked(&mut session, files, failed)?;
    let fields: Vec<Field> = table.columns.iter().map(|column| column.field.clone()).collect();
    let positions = visitor.wanted().bind(&fields)?;
    let columns: Vec<_> = positions.iter().map(|&position| &table.columns[position]).collect();
    if matches!(files.relation, Some(Relation::Table(_))) {
        session.command(NO_INDEX).map_err(failed)?;
    }
    let rows = session.copy(&table.statement(&columns), columns.len()).map_err(failed)?;
    let kinds: Vec<ColumnType> = columns.iter().map(|column| column.kind).collect();
    hand_over(rows, &kinds, visitor, failed)
}

/// Hands over records of columns of these types.
fn hand_over<V: Visitor>(
    mut rows: Rows<'_>,
    kinds: &[ColumnType],
    visitor: &V,
    failed: impl Fn(PostgresFault) -> ReadError + Copy,
) -> Result<(), V::Error> {
    let mut waves = Waves::new(visitor, 0);
    let mut piece = PostgresPiece::new(kinds);
    while next(&mut rows, &mut piece).map_err(failed)? {
        if piece.is_full() {
            waves.add(std::mem::replace(&mut piece, PostgresPiece::new(kinds)))?;
        }
    }
    waves.add(piece)?;
    // Nothing that was handed over is used unless the server confirms it.
    rows.finish().map_err(failed)?;
    waves.finish()
}

/// Adds the next record to a piece, unless there is none.
fn next(rows: &mut Rows<'_>, piece: &mut PostgresPiece) -> Result<bool, PostgresFault> {
    if !rows.next()? {
        return Ok(false);
    }
    for column in &mut piece.columns {
        let field = rows.field()?;
        piece.bytes += field.map_or(1, <[u8]>::len);
        column.push(field)?;
    }
    piece.rows += 1;
    Ok(true)
}

/// Finds the table or the view, and keeps others from changing what it is until all is read.
fn locked(
    session: &mut Session,
    files: &Files,
    failed: impl Fn(PostgresFault) -> ReadError + Copy,
) -> Result<Table, ReadError> {
    session.begin().map_err(failed)?;
    let found = match &files.relation {
        Some(relation) => catalogue::find(session, relation).map_err(failed)?.zip(Some(relation)),
        None => None,
    };
    let Some((found, relation)) = found else {
        let tables = catalogue::tables(session).map_err(failed)?;
        return Err(ReadError::NoTable { path: files.given.clone(), tables });
    };
    check(&found, relation, files)?;
    catalogue::lock(session, &found, relation).map_err(failed)?;
    Table::read(session, found, relation).map_err(failed)
}

/// Refuses what is no table, or no view.
fn check(found: &Found, relation: &Relation, files: &Files) -> Result<(), ReadError> {
    let name = relation.name().to_owned();
    let unsupported = |what| ReadError::UnsupportedFile { path: files.given.clone(), what };
    match (relation, found.kind) {
        (Relation::Table(_), 'v') => Err(ReadError::View { name }),
        (Relation::View(_), 'v') => Ok(()),
        (_, 'm') => Err(unsupported("a materialised view")),
        (_, 'f') => Err(unsupported("a foreign table")),
        (Relation::View(_), _) => Err(ReadError::NotAView { name }),
        (Relation::Table(_), 'p') if found.strange_parts => {
            Err(unsupported("a foreign table as a partition"))
        }
        (Relation::Table(_), 'p') => Ok(()),
        // Whether their rows are records of the named table is not plain.
        (Relation::Table(_), 'r') if found.has_heirs => {
            Err(unsupported("tables that inherit from the named one"))
        }
        (Relation::Table(_), 'r') => Ok(()),
        (Relation::Table(_), _) => Err(unsupported("a relation that is no table")),
    }
}
