//! From the buffers of a column to its values, for some rows at a time.

use std::sync::Arc;

use super::bits::bits;
use super::buffers::Buffer;
use super::decompress::Allowance;
use super::form::{Form, Whole};
use super::message::{Numbering, Place, Records};
use super::numbers::{numbers, signed, unsigned};
use super::snapshot::Snapshot;
use super::strings::{check_text, fitting, gather, offsets};
use super::views::{VIEW, Views};
use super::wanted::Wanted;
use crate::column::{ColumnValues, MISSING, Store, Strings};
use crate::flaw::Flaw;
use crate::positional_file::PositionalFile;

/// Views may refer to the same bytes many times. Beyond this many times these bytes, and this many bytes for each row,
/// a batch is taken for an attack.
const MAX_REPEATS: u64 = 1024;
const MAX_VIEWED: u64 = 4096;

/// A column of a batch.
#[derive(Debug)]
pub(super) struct ColumnReader<'a> {
    source: &'a PositionalFile,
    form: &'a Form,
    /// The bitmap of validity. It may be absent if no value is missing.
    validity: Option<Buffer>,
    /// How many values are missing, as the batch says, of the rows that are still to be read.
    missing: u64,
    /// Values, keys, offsets or views.
    values: Buffer,
    /// The bytes of strings.
    strings: Vec<Buffer>,
    /// What views may still refer to.
    viewed: u64,
    dictionary: Option<&'a Snapshot>,
    /// Whether text that is not UTF-8 is refused.
    strict: bool,
}

/// Some rows of a column whose strings are not read yet.
#[derive(Debug)]
pub(super) struct Draft {
    start: u64,
    valid: Option<Vec<bool>>,
    lengths: Lengths,
}

#[derive(Debug)]
enum Lengths {
    /// All are the same.
    Same,
    Offsets(Vec<u64>),
    Views(Views),
}

impl<'a> ColumnReader<'a> {
    /// Finds the buffers of a column. Decompresses them if needed.
    pub(super) fn open(
        source: &'a PositionalFile,
        place: &Place,
        records: &Records<'_>,
        numbering: &Numbering,
        wanted: &Wanted<'a>,
        allowance: &mut Allowance<'_>,
    ) -> Result<Self, Flaw> {
        let &Wanted { form, before, dictionary, strict } = wanted;
        let missing = records.missing(before.nodes)?;
        let first = numbering.first_buffer(before)?;
        let mut buffer = |index: usize| {
            Buffer::open(source, records.buffer(first + index, place)?, records.codec(), allowance)
        };
        let validity = if form.has_validity() { Some(buffer(0)?) } else { None };
        let validity = validity.filter(|bitmap| missing > 0 || bitmap.len() > 0);
        let values = match form {
            Form::Missing | Form::Strange { .. } => Buffer::EMPTY,
            _ => buffer(1)?,
        };
        let strings = match form {
            Form::Offsets { .. } => vec![buffer(2)?],
            Form::Views { .. } => {
                (0..numbering.strings(before)?).map(|at| buffer(2 + at)).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        let stored = strings.iter().fold(0u64, |sum, buffer| sum.saturating_add(buffer.len()));
        let viewed =
            stored.saturating_mul(MAX_REPEATS).saturating_add(records.rows().saturating_mul(MAX_VIEWED));
        let reader = Self { source, form, validity, missing, values, strings, viewed, dictionary, strict };
        reader.check(records.rows())?;
        Ok(reader)
    }

    /// Checks that the buffers are long enough.
    fn check(&self, rows: u64) -> Result<(), Flaw> {
        let short = |buffer: &Buffer, needed: Option<u64>| needed.is_none_or(|needed| buffer.len() < needed);
        let width = self.form.width().map(|width| rows.checked_mul(width as u64));
        let needed = match self.form {
            _ if rows == 0 => Some(0),
            Form::Boolean => Some(rows.div_ceil(8)),
            Form::Offsets { wide, .. } => {
                rows.checked_add(1).and_then(|ends| ends.checked_mul(if *wide { 8 } else { 4 }))
            }
            _ => width.unwrap_or(Some(0)),
        };
        let bare = self.validity.as_ref().is_some_and(|bitmap| short(bitmap, Some(rows.div_ceil(8))));
        if bare || short(&self.values, needed) { Err(Flaw::Damaged) } else { Ok(()) }
    }

    /// Whether each row takes some bits of the file, so that there cannot be more rows than the file has bits.
    pub(super) fn weighs(&self) -> bool {
        let empty = matches!(self.form, Form::Missing | Form::Strange { .. } | Form::Fixed { width: 0 });
        self.validity.is_some() || !empty
    }

    /// Reads what must be known of some rows before their strings can be.
    pub(super) fn draft(&self, start: u64, rows: usize) -> Result<Draft, Flaw> {
        let valid = match &self.validity {
            Some(bitmap) => Some(bits(bitmap, self.source, start, rows)?),
            None => None,
        };
        let lengths = match (self.form, self.strings.first()) {
            (Form::Offsets { wide, .. }, Some(strings)) => {
                Lengths::Offsets(offsets(&self.values, self.source, *wide, start, rows, strings.len())?)
            }
            (Form::Views { .. }, _) => {
                let bytes = self.values.range(self.source, scaled(start, VIEW)?, rows * VIEW)?;
                Lengths::Views(Views::read(&bytes, valid.as_deref(), &self.strings)?)
            }
            _ => Lengths::Same,
        };
        Ok(Draft { start, valid, lengths })
    }

    /// Reads this many rows of a draft.
    pub(super) fn finish(&mut self, draft: Draft, rows: usize) -> Result<ColumnValues, Flaw> {
        let Draft { start, valid, lengths } = draft;
        let valid = self.counted(valid, rows)?;
        let text = matches!(self.form, Form::Offsets { text: true, .. } | Form::Views { text: true });
        let values = match lengths {
            Lengths::Offsets(mut offsets) => {
                offsets.truncate(rows + 1);
                let buffer = self.strings.first().ok_or(Flaw::Damaged)?;
                self.written(gather(buffer, self.source, &offsets)?, text, valid.as_deref())?
            }
            Lengths::Views(views) => {
                self.viewed = self.viewed.checked_sub(views.bytes(rows)).ok_or(Flaw::TooLarge)?;
                let strings = views.gather(rows, &self.strings, self.source)?;
                self.written(strings, text, valid.as_deref())?
            }
            Lengths::Same => match self.form {
                Form::Missing => Store::Missing(rows),
                Form::Strange { .. } => Store::Strange(rows),
                Form::Boolean => Store::Booleans(bits(&self.values, self.source, start, rows)?),
                Form::Keyed { keys, .. } => return self.keyed(*keys, start, rows, valid.as_deref()),
                Form::Fixed { width } => {
                    let bytes = self.fixed(start, rows, *width)?.into_owned();
                    Store::Bytes(Strings { bytes, ends: (1..=rows).map(|row| row * width).collect() })
                }
                form => {
                    let bytes = self.fixed(start, rows, form.width().unwrap_or(0))?;
                    numbers(form, &bytes, valid.as_deref())?.ok_or(Flaw::Damaged)?
                }
            },
        };
        Ok(ColumnValues::Plain { values, valid })
    }

    fn written(&self, strings: Strings, text: bool, valid: Option<&[bool]>) -> Result<Store, Flaw> {
        if !text {
            return Ok(Store::Bytes(strings));
        }
        match check_text(&strings, valid) {
            Ok(()) => Ok(Store::Text(strings)),
            Err(Flaw::NotUtf8) if !self.strict => Ok(Store::BytesOrText(strings)),
            Err(flaw) => Err(flaw),
        }
    }

    /// Checks, after the last row, that as many values were missing as the batch says.
    pub(super) fn close(&self) -> Result<(), Flaw> {
        if self.validity.is_some() && self.missing > 0 { Err(Flaw::Damaged) } else { Ok(()) }
    }

    /// Which of this many rows are there, unless all are. Their missing values are counted.
    fn counted(&mut self, valid: Option<Vec<bool>>, rows: usize) -> Result<Option<Vec<bool>>, Flaw> {
        let Some(mut valid) = valid else { return Ok(None) };
        valid.truncate(rows);
        let missing = valid.iter().filter(|valid| !**valid).count() as u64;
        self.missing = self.missing.checked_sub(missing).ok_or(Flaw::Damaged)?;
        Ok((missing > 0).then_some(valid))
    }

    fn keyed(
        &self,
        keys: Whole,
        start: u64,
        rows: usize,
        valid: Option<&[bool]>,
    ) -> Result<ColumnValues, Flaw> {
        let bytes = self.fixed(start, rows, keys.bytes)?;
        let keys = if keys.signed {
            // A negative key is taken for one that leads too far.
            signed(&bytes, keys.bytes).into_iter().map(|key| key as u64).collect()
        } else {
            unsigned(&bytes, keys.bytes)
        };
        let key = |(row, key): (usize, u64)| {
            if valid.is_some_and(|valid| !valid[row]) {
                return Ok(MISSING);
            }
            self.dictionary.and_then(|dictionary| dictionary.key(key)).ok_or(Flaw::Damaged)
        };
        let keys = keys.into_iter().enumerate().map(key).collect::<Result<_, _>>()?;
        let values = self.dictionary.map_or_else(|| Arc::new(Store::Missing(0)), Snapshot::values);
        Ok(ColumnValues::Keyed { keys, values })
    }

    fn fixed(&self, start: u64, rows: usize, width: usize) -> Result<std::borrow::Cow<'_, [u8]>, Flaw> {
        let len = rows.checked_mul(width).ok_or(Flaw::TooLarge)?;
        self.values.range(self.source, scaled(start, width)?, len)
    }
}

impl Draft {
    /// How many rows, at least one, have strings of not more than this many bytes.
    pub(super) fn fitting(&self, limit: u64) -> usize {
        match &self.lengths {
            Lengths::Same => usize::MAX,
            Lengths::Offsets(offsets) => fitting(offsets, limit),
            Lengths::Views(views) => views.fitting(limit),
        }
    }

    /// The memory that the strings of this many rows take, and what it takes to read them.
    pub(super) fn bytes(&self, rows: usize) -> u64 {
        match &self.lengths {
            Lengths::Same => 0,
            Lengths::Offsets(offsets) => match (offsets.first(), offsets.get(rows)) {
                (Some(first), Some(last)) => last - first,
                _ => 0,
            },
            Lengths::Views(views) => views.cost(rows),
        }
    }
}

fn scaled(start: u64, width: usize) -> Result<u64, Flaw> {
    start.checked_mul(width as u64).ok_or(Flaw::Damaged)
}
