//! Strings that stand one after the other, between offsets.

use super::buffers::Buffer;
use crate::column::Strings;
use crate::flaw::Flaw;
use crate::positional_file::PositionalFile;

/// The offsets of some rows, one more than there are rows. None goes back, and none leads beyond the strings.
pub(super) fn offsets(
    buffer: &Buffer,
    source: &PositionalFile,
    wide: bool,
    start: u64,
    rows: usize,
    end: u64,
) -> Result<Vec<u64>, Flaw> {
    let width = if wide { 8 } else { 4 };
    let at = start.checked_mul(width as u64).ok_or(Flaw::Damaged)?;
    let bytes = buffer.range(source, at, (rows + 1) * width)?;
    let mut offsets = Vec::with_capacity(rows + 1);
    if wide {
        // A negative one is taken for one that leads too far.
        offsets.extend(bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)));
    } else {
        offsets.extend(bytes.as_chunks().0.iter().map(|&bytes| u64::from(u32::from_le_bytes(bytes))));
    }
    let within = offsets.last().is_some_and(|&last| last <= end);
    if within && offsets.is_sorted() { Ok(offsets) } else { Err(Flaw::Damaged) }
}

/// How many rows, at least one, have not more than this many bytes.
pub(super) fn fitting(offsets: &[u64], limit: u64) -> usize {
    let first = offsets.first().copied().unwrap_or(0);
    offsets.partition_point(|&offset| offset - first <= limit).saturating_sub(1).max(1)
}

/// The strings between offsets.
pub(super) fn gather(buffer: &Buffer, source: &PositionalFile, offsets: &[u64]) -> Result<Strings, Flaw> {
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else { return Err(Flaw::Damaged) };
    let len = usize::try_from(last - first).map_err(|_| Flaw::TooLarge)?;
    let bytes = buffer.range(source, first, len)?.into_owned();
    let ends = offsets.iter().skip(1).map(|&offset| (offset - first) as usize).collect();
    Ok(Strings { bytes, ends })
}

/// Checks that each string is UTF-8, except those that stand for a missing value.
pub(super) fn check_text(strings: &Strings, valid: Option<&[bool]>) -> Result<(), Flaw> {
    // Most often all bytes are text together, and no string ends within a letter.
    if let Ok(text) = std::str::from_utf8(&strings.bytes)
        && strings.ends.iter().all(|&end| text.is_char_boundary(end))
    {
        return Ok(());
    }
    let is_text =
        |row: usize| valid.is_some_and(|valid| !valid[row]) || std::str::from_utf8(strings.get(row)).is_ok();
    if (0..strings.ends.len()).all(is_text) { Ok(()) } else { Err(Flaw::NotUtf8) }
}
