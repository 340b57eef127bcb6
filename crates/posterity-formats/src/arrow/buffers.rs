//! The buffers of a column in a batch.

use std::borrow::Cow;

use super::decompress::{Allowance, Codec, decompress};
use crate::flaw::Flaw;
use crate::memory_limit::Held;
use crate::positional_file::PositionalFile;

/// A buffer of a batch.
#[derive(Debug)]
pub(super) enum Buffer {
    /// It stands in the file and is read piece by piece.
    Stored { at: u64, len: u64 },
    /// It was compressed and is held in memory.
    Held { bytes: Vec<u8>, _held: Held },
}

impl Buffer {
    /// A buffer without bytes.
    pub(super) const EMPTY: Self = Self::Stored { at: 0, len: 0 };

    /// The buffer in a range of the file, decompressed if needed.
    pub(super) fn open(
        source: &PositionalFile,
        (at, len): (u64, u64),
        codec: Option<Codec>,
        allowance: &mut Allowance<'_>,
    ) -> Result<Self, Flaw> {
        let Some(codec) = codec.filter(|_| len > 0) else { return Ok(Self::Stored { at, len }) };
        // A compressed buffer begins with its length before compression, or -1 if it was left as it was.
        let rest = len.checked_sub(8).ok_or(Flaw::Damaged)?;
        let stated = i64::from_le_bytes(source.array(at)?);
        match u64::try_from(stated) {
            Ok(0) => Ok(Self::EMPTY),
            Ok(stated) => {
                let (bytes, held) = decompress(codec, source, (at + 8, rest), stated, allowance)?;
                Ok(Self::Held { bytes, _held: held })
            }
            Err(_) if stated == -1 => Ok(Self::Stored { at: at + 8, len: rest }),
            Err(_) => Err(Flaw::Damaged),
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Stored { len, .. } => *len,
            Self::Held { bytes, .. } => bytes.len() as u64,
        }
    }

    /// Some of its bytes, if it has them. The caller bounds how many.
    pub(super) fn range(
        &self,
        source: &PositionalFile,
        start: u64,
        len: usize,
    ) -> Result<Cow<'_, [u8]>, Flaw> {
        let end = start.checked_add(len as u64).filter(|&end| end <= self.len()).ok_or(Flaw::Damaged)?;
        match self {
            Self::Stored { at, .. } => source.bytes(at + start, len).map(Cow::Owned),
            Self::Held { bytes, .. } => {
                bytes.get(start as usize..end as usize).map(Cow::Borrowed).ok_or(Flaw::Damaged)
            }
        }
    }
}
