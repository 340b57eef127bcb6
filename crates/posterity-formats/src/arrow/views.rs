//! Strings that views refer to. A view holds a short string itself; for a long one it says the buffer and the position
//! in it.

use super::buffers::Buffer;
use crate::column::Strings;
use crate::flaw::Flaw;
use crate::positional_file::PositionalFile;

/// The length of a view.
pub(super) const VIEW: usize = 16;

/// The longest string that a view holds itself.
const INLINE: usize = 12;

/// How many bytes of a long string a view repeats.
const PREFIX: usize = 4;

/// Strings that stand this close together are read together.
const GAP: u64 = 4 << 10;

/// The most bytes that are read together for several strings.
const RUN: u64 = 1 << 20;

/// The views of some rows.
#[derive(Debug)]
pub(super) struct Views {
    views: Vec<View>,
}

#[derive(Clone, Copy, Debug)]
struct View {
    len: u32,
    place: Place,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Inline([u8; INLINE]),
    /// With its first bytes, which the view repeats.
    Buffer {
        index: u32,
        offset: u32,
        prefix: [u8; PREFIX],
    },
}

impl Views {
    /// Reads views. Those of missing values are taken for empty strings.
    pub(super) fn read(bytes: &[u8], valid: Option<&[bool]>, buffers: &[Buffer]) -> Result<Self, Flaw> {
        let mut views = Vec::with_capacity(bytes.len() / VIEW);
        for (row, view) in bytes.as_chunks::<VIEW>().0.iter().enumerate() {
            let word = |at: usize| u32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
            let mut inline = [0; INLINE];
            inline.copy_from_slice(&view[4..]);
            let (len, index, offset) = (word(0), word(8), word(12));
            let place = if valid.is_some_and(|valid| !valid[row]) {
                views.push(View { len: 0, place: Place::Inline(inline) });
                continue;
            } else if len as usize <= INLINE {
                // The format says what fills a view up, so that views can be compared as a whole.
                if inline[len as usize..].iter().any(|byte| *byte != 0) {
                    return Err(Flaw::Damaged);
                }
                Place::Inline(inline)
            } else {
                let end = u64::from(offset) + u64::from(len);
                let buffer = buffers.get(index as usize).ok_or(Flaw::Damaged)?;
                if len > i32::MAX as u32 || end > buffer.len() {
                    return Err(Flaw::Damaged);
                }
                Place::Buffer { index, offset, prefix: [view[4], view[5], view[6], view[7]] }
            };
            views.push(View { len, place });
        }
        Ok(Self { views })
    }

    /// The bytes of the strings of this many rows.
    pub(super) fn bytes(&self, rows: usize) -> u64 {
        self.views.iter().take(rows).map(|view| u64::from(view.len)).sum()
    }

    /// The memory that the strings of this many rows take, with what is read at once to find them.
    pub(super) fn cost(&self, rows: usize) -> u64 {
        let bytes = self.bytes(rows);
        bytes + bytes.max(RUN)
    }

    /// How many rows, at least one, have not more than this many bytes.
    pub(super) fn fitting(&self, limit: u64) -> usize {
        let mut sum = 0;
        let fits = |view: &&View| {
            sum += u64::from(view.len);
            sum <= limit
        };
        self.views.iter().take_while(fits).count().max(1)
    }

    /// The strings of this many rows.
    pub(super) fn gather(
        &self,
        rows: usize,
        buffers: &[Buffer],
        source: &PositionalFile,
    ) -> Result<Strings, Flaw> {
        let len = usize::try_from(self.bytes(rows)).map_err(|_| Flaw::TooLarge)?;
        let mut strings = Strings { bytes: vec![0; len], ends: Vec::with_capacity(rows) };
        let mut far = Vec::new();
        let mut start = 0;
        for view in self.views.iter().take(rows) {
            let end = start + view.len as usize;
            match view.place {
                Place::Inline(bytes) => {
                    strings.bytes[start..end].copy_from_slice(&bytes[..view.len as usize]);
                }
                Place::Buffer { index, offset, prefix } => {
                    far.push((index, offset, view.len, start));
                    strings.bytes[start..start + PREFIX].copy_from_slice(&prefix);
                }
            }
            strings.ends.push(end);
            start = end;
        }
        // In the order of the file, whatever that of the rows.
        far.sort_unstable();
        let mut rest = far.as_slice();
        while let Some(&(index, first, ..)) = rest.first() {
            let (members, end) = run(rest);
            let buffer = buffers.get(index as usize).ok_or(Flaw::Damaged)?;
            let first = u64::from(first);
            let bytes = buffer.range(source, first, (end - first) as usize)?;
            for &(_, offset, len, start) in &rest[..members] {
                let (from, len) = ((u64::from(offset) - first) as usize, len as usize);
                if strings.bytes[start..start + PREFIX] != bytes[from..from + PREFIX] {
                    return Err(Flaw::Damaged);
                }
                strings.bytes[start..start + len].copy_from_slice(&bytes[from..from + len]);
            }
            rest = &rest[members..];
        }
        Ok(strings)
    }
}

/// How many of the first strings, sorted by their place, are read together, and where the last of these ends.
fn run(sorted: &[(u32, u32, u32, usize)]) -> (usize, u64) {
    let Some(&(index, first, len, _)) = sorted.first() else { return (0, 0) };
    let mut end = u64::from(first) + u64::from(len);
    let mut members = 1;
    for &(other, offset, len, _) in &sorted[1..] {
        let (offset, len) = (u64::from(offset), u64::from(len));
        let joined = end.max(offset + len);
        if other != index || offset > end + GAP || (joined - u64::from(first) > RUN && joined > end) {
            break;
        }
        end = joined;
        members += 1;
    }
    (members, end)
}
