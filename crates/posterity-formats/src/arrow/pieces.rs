//! A batch in pieces that fit into memory, all columns in step.

use super::container::Batch;
use super::decode::ColumnReader;
use super::decompress::{Allowance, MAX_HELD};
use super::message::{Header, Place};
use super::schema::Parts;
use super::wanted::Wanted;
use crate::column::ColumnValues;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::positional_file::PositionalFile;

/// The most rows of a piece.
pub(super) const MAX_ROWS: usize = 1 << 16;

/// The bytes that a piece should not exceed, unless a single row does.
const PIECE: usize = 8 << 20;

/// The most rows of a batch whose columns take no bytes. Without this limit a small file could state any number.
const MAX_WEIGHTLESS: u64 = 1 << 31;

/// Reads some columns of a message, a piece at a time.
pub(super) fn pieces<E: From<Flaw>>(
    source: &PositionalFile,
    batch: &Batch,
    parts: Parts,
    wanted: &[Wanted<'_>],
    memory: &MemoryLimit,
    each: &mut dyn FnMut(&[ColumnValues]) -> Result<(), E>,
) -> Result<(), E> {
    if wanted.is_empty() || batch.rows == 0 {
        return Ok(());
    }
    let mut readers = open(source, &batch.place, parts, wanted, memory)?;
    if batch.rows > MAX_WEIGHTLESS && !readers.iter().any(ColumnReader::weighs) {
        return Err(Flaw::Damaged.into());
    }
    let cost = wanted.iter().fold(0usize, |sum, column| sum.saturating_add(column.form.cost()));
    let varying = wanted.iter().filter(|column| column.form.varies()).count().max(1);
    let limit = (PIECE / varying).max(64 << 10) as u64;
    let mut start = 0;
    while start < batch.rows {
        let most = MAX_ROWS.min(PIECE / cost.max(1)).max(1);
        let mut rows = usize::try_from(batch.rows - start).unwrap_or(most).min(most);
        let _drafts = take(memory, rows.saturating_mul(cost) as u64)?;
        let mut drafts = Vec::with_capacity(readers.len());
        for reader in &readers {
            let draft = reader.draft(start, rows)?;
            rows = rows.min(draft.fitting(limit));
            drafts.push(draft);
        }
        let _strings =
            take(memory, drafts.iter().fold(0, |sum: u64, draft| sum.saturating_add(draft.bytes(rows))))?;
        let columns: Vec<ColumnValues> = readers
            .iter_mut()
            .zip(drafts)
            .map(|(reader, draft)| reader.finish(draft, rows))
            .collect::<Result<_, _>>()?;
        each(&columns)?;
        start += rows as u64;
    }
    for reader in &readers {
        reader.close()?;
    }
    Ok(())
}

fn open<'a>(
    source: &'a PositionalFile,
    place: &Place,
    parts: Parts,
    wanted: &[Wanted<'a>],
    memory: &MemoryLimit,
) -> Result<Vec<ColumnReader<'a>>, Flaw> {
    let metadata = place.metadata(source, memory)?;
    let buffer = metadata.flatbuffer();
    let records = match Header::read(&buffer)? {
        Header::Records(records) | Header::Dictionary { values: records, .. } => records,
        Header::Schema(_) => return Err(Flaw::Damaged),
    };
    let numbering = records.check(parts)?;
    let mut allowance = Allowance::new(memory);
    let open =
        |column: &Wanted<'a>| ColumnReader::open(source, place, &records, &numbering, column, &mut allowance);
    wanted.iter().map(open).collect()
}

/// Takes memory for a piece, which is not larger than what a batch may hold.
fn take(memory: &MemoryLimit, bytes: u64) -> Result<crate::memory_limit::Held, Flaw> {
    match usize::try_from(bytes) {
        Ok(bytes) if bytes <= MAX_HELD => Ok(memory.take(bytes)?),
        _ => Err(Flaw::TooLarge),
    }
}
