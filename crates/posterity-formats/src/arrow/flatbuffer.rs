//! A reader of flatbuffers that checks every position before it follows it.
//!
//! A table begins with the distance back to its vtable, which lists where each of its slots stands. References lead
//! forward only, so that no table contains itself; but tables can share parts, and a small buffer can describe a tree
//! of enormous size. Following a reference therefore costs something, and the sum that a buffer may cost is
//! proportional to its length.

use std::cell::Cell;

use crate::flaw::Flaw;

/// The cost of opening a table. A string costs twice its length.
const TABLE_COST: usize = 8;

/// The bytes of a flatbuffer and what may still be spent on it.
#[derive(Debug)]
pub(super) struct Flatbuffer<'a> {
    bytes: &'a [u8],
    left: Cell<usize>,
}

impl<'a> Flatbuffer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // A valid buffer is read once, with some parts shared.
        Self { bytes, left: Cell::new(bytes.len().saturating_mul(4).saturating_add(4096)) }
    }

    /// The table that the buffer is about.
    pub(super) fn root(&self) -> Result<FlatTable<'_>, Flaw> {
        self.table(self.follow(0)?)
    }

    fn table(&self, at: usize) -> Result<FlatTable<'_>, Flaw> {
        self.spend(TABLE_COST)?;
        let back = i64::from(i32::from_le_bytes(self.array(at)?));
        let vtable = i64::try_from(at).ok().and_then(|at| at.checked_sub(back)).ok_or(Flaw::Damaged)?;
        let vtable = usize::try_from(vtable).map_err(|_| Flaw::Damaged)?;
        let size = usize::from(u16::from_le_bytes(self.array(vtable)?));
        let len = usize::from(u16::from_le_bytes(self.array(add(vtable, 2)?)?));
        let slots = self.slice(vtable, size)?.get(4..).ok_or(Flaw::Damaged)?;
        self.slice(at, len)?;
        Ok(FlatTable { buffer: self, at, len, slots })
    }

    /// Where the reference at a position leads.
    fn follow(&self, at: usize) -> Result<usize, Flaw> {
        add(at, u32::from_le_bytes(self.array(at)?) as usize)
    }

    fn spend(&self, cost: usize) -> Result<(), Flaw> {
        self.left.set(self.left.get().checked_sub(cost).ok_or(Flaw::Damaged)?);
        Ok(())
    }

    fn slice(&self, at: usize, len: usize) -> Result<&[u8], Flaw> {
        self.bytes.get(at..add(at, len)?).ok_or(Flaw::Damaged)
    }

    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N], Flaw> {
        self.slice(at, N)?.try_into().map_err(|_| Flaw::Damaged)
    }
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlatTable<'b> {
    buffer: &'b Flatbuffer<'b>,
    at: usize,
    len: usize,
    slots: &'b [u8],
}

impl<'b> FlatTable<'b> {
    pub(super) fn u8(&self, slot: usize, absent: u8) -> Result<u8, Flaw> {
        self.scalar(slot).map(|bytes| bytes.map_or(absent, u8::from_le_bytes))
    }

    pub(super) fn i16(&self, slot: usize, absent: i16) -> Result<i16, Flaw> {
        self.scalar(slot).map(|bytes| bytes.map_or(absent, i16::from_le_bytes))
    }

    pub(super) fn i32(&self, slot: usize, absent: i32) -> Result<i32, Flaw> {
        self.scalar(slot).map(|bytes| bytes.map_or(absent, i32::from_le_bytes))
    }

    pub(super) fn i64(&self, slot: usize, absent: i64) -> Result<i64, Flaw> {
        self.scalar(slot).map(|bytes| bytes.map_or(absent, i64::from_le_bytes))
    }

    /// The table in a slot; also the value of a union, whose type stands in a slot of its own.
    pub(super) fn table(&self, slot: usize) -> Result<Option<FlatTable<'b>>, Flaw> {
        match self.slot(slot, 4)? {
            None => Ok(None),
            Some(at) => self.buffer.table(self.buffer.follow(at)?).map(Some),
        }
    }

    pub(super) fn string(&self, slot: usize) -> Result<Option<&'b str>, Flaw> {
        let Some(vector) = self.vector(slot, 1)? else { return Ok(None) };
        self.buffer.spend(vector.len.saturating_mul(2))?;
        let bytes = self.buffer.slice(vector.at, vector.len)?;
        std::str::from_utf8(bytes).map(Some).map_err(|_| Flaw::Damaged)
    }

    /// The vector in a slot, whose items take this many bytes each.
    pub(super) fn vector(&self, slot: usize, width: usize) -> Result<Option<Vector<'b>>, Flaw> {
        let Some(at) = self.slot(slot, 4)? else { return Ok(None) };
        let at = self.buffer.follow(at)?;
        let len = u32::from_le_bytes(self.buffer.array(at)?) as usize;
        let at = add(at, 4)?;
        self.buffer.slice(at, len.checked_mul(width).ok_or(Flaw::Damaged)?)?;
        self.buffer.spend(TABLE_COST)?;
        Ok(Some(Vector { buffer: self.buffer, at, len, width }))
    }

    /// The vector of tables in a slot, empty if absent.
    pub(super) fn tables(&self, slot: usize) -> Result<Vector<'b>, Flaw> {
        let absent = Vector { buffer: self.buffer, at: 0, len: 0, width: 4 };
        Ok(self.vector(slot, 4)?.unwrap_or(absent))
    }

    /// The vector of structs in a slot, empty if absent.
    pub(super) fn structs(&self, slot: usize, width: usize) -> Result<Vector<'b>, Flaw> {
        let absent = Vector { buffer: self.buffer, at: 0, len: 0, width };
        Ok(self.vector(slot, width)?.unwrap_or(absent))
    }

    fn scalar<const N: usize>(&self, slot: usize) -> Result<Option<[u8; N]>, Flaw> {
        self.slot(slot, N)?.map(|at| self.buffer.array(at)).transpose()
    }

    /// Where a slot of this many bytes stands, unless it is absent.
    fn slot(&self, slot: usize, width: usize) -> Result<Option<usize>, Flaw> {
        let offset = match self.slots.chunks_exact(2).nth(slot) {
            Some(&[low, high]) => usize::from(u16::from_le_bytes([low, high])),
            _ => 0,
        };
        match offset {
            0 => Ok(None),
            _ if add(offset, width)? > self.len => Err(Flaw::Damaged),
            _ => add(self.at, offset).map(Some),
        }
    }
}

/// A vector, all of whose items lie within the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector<'b> {
    buffer: &'b Flatbuffer<'b>,
    at: usize,
    len: usize,
    width: usize,
}

impl<'b> Vector<'b> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The table that an item refers to.
    pub(super) fn table(&self, index: usize) -> Result<FlatTable<'b>, Flaw> {
        self.buffer.table(self.buffer.follow(self.item(index, 0)?)?)
    }

    /// A number within an item, this many bytes behind its beginning.
    pub(super) fn i64(&self, index: usize, within: usize) -> Result<i64, Flaw> {
        Ok(i64::from_le_bytes(self.buffer.array(self.item(index, within)?)?))
    }

    /// A number of 32 bits within an item, this many bytes behind its beginning.
    pub(super) fn i32(&self, index: usize, within: usize) -> Result<i32, Flaw> {
        Ok(i32::from_le_bytes(self.buffer.array(self.item(index, within)?)?))
    }

    /// A number within an item that is not negative.
    pub(super) fn count(&self, index: usize, within: usize) -> Result<u64, Flaw> {
        u64::try_from(self.i64(index, within)?).map_err(|_| Flaw::Damaged)
    }

    fn item(&self, index: usize, within: usize) -> Result<usize, Flaw> {
        if index >= self.len {
            return Err(Flaw::Damaged);
        }
        let offset = index.checked_mul(self.width).ok_or(Flaw::Damaged)?;
        add(add(self.at, offset)?, within)
    }
}

fn add(left: usize, right: usize) -> Result<usize, Flaw> {
    left.checked_add(right).ok_or(Flaw::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table at 8 whose vtable at 4 has no slots.
    const EMPTY: [u8; 12] = [8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0];

    #[test]
    fn reads_absent_slots_as_their_defaults() -> Result<(), Flaw> {
        let buffer = Flatbuffer::new(&EMPTY);
        let root = buffer.root()?;
        assert_eq!(root.i64(3, 7)?, 7);
        assert!(root.table(0)?.is_none() && root.string(9)?.is_none());
        assert_eq!(root.tables(1)?.len(), 0);
        Ok(())
    }

    #[test]
    fn refuses_every_cut() {
        for len in 0..EMPTY.len() {
            assert!(Flatbuffer::new(&EMPTY[..len]).root().is_err(), "{len}");
        }
    }

    #[test]
    fn a_table_that_contains_itself_ends() -> Result<(), Flaw> {
        // The vtable at 4 has one slot; the table at 12 refers in it to itself, by a reference that goes around the
        // end.
        let bytes = [12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 252, 255, 255, 255];
        assert!(Flatbuffer::new(&bytes).root()?.table(0).is_err());
        // References only lead forward, so that only the vtable can be shared; opening it for ever is refused all the
        // same.
        let buffer = Flatbuffer::new(&EMPTY);
        let opened = (0..100_000).take_while(|_| buffer.root().is_ok()).count();
        assert!(opened < 1000, "{opened}");
        Ok(())
    }
}
