//! Thrift's compact protocol, in which Parquet writes its metadata.

use super::hybrid::varint_of;
use crate::flaw::Flaw;

/// How deep the structures of a file may lie within each other. Those of the format stay below ten.
const DEPTH: u32 = 32;

/// A reader over bytes. It never reads beyond them, whatever they state.
pub(super) struct Thrift<'a> {
    bytes: &'a [u8],
    at: usize,
    short: bool,
}

/// The type of a value, as the protocol numbers it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Type(u8);

impl Type {
    pub(super) const TRUE: Self = Self(1);
    const FALSE: Self = Self(2);
    pub(super) const BYTE: Self = Self(3);
    const I16: Self = Self(4);
    pub(super) const I32: Self = Self(5);
    pub(super) const I64: Self = Self(6);
    const DOUBLE: Self = Self(7);
    pub(super) const BINARY: Self = Self(8);
    pub(super) const LIST: Self = Self(9);
    const SET: Self = Self(10);
    const MAP: Self = Self(11);
    pub(super) const STRUCT: Self = Self(12);
    const UUID: Self = Self(13);
}

/// A field of a structure: its number, the type of its value, and whether a structure must have it.
/// The type of a truth value is [`Type::TRUE`].
#[derive(Clone, Copy)]
pub(super) struct Known {
    id: i16,
    of: Type,
    required: bool,
}

impl Known {
    /// A field that every structure of its kind has.
    pub(super) const fn required(id: i16, of: Type) -> Self {
        Self { id, of, required: true }
    }

    /// A field that may be absent.
    pub(super) const fn optional(id: i16, of: Type) -> Self {
        Self { id, of, required: false }
    }
}

/// A field of a structure: its number and the type of its value.
#[derive(Clone, Copy)]
pub(super) struct Tag {
    /// Its number.
    pub(super) id: i16,
    /// The type of what follows.
    pub(super) of: Type,
}

impl<'a> Thrift<'a> {
    /// Reads from the first byte on.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, short: false }
    }

    /// How many bytes have been read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Whether reading failed since the bytes came to an end: more of them may help.
    pub(super) fn ran_out(&self) -> bool {
        self.short
    }

    /// Goes through the fields of a structure, of which these are known. The visitor has to read or skip each value.
    ///
    /// A known field of another type, or that comes twice, is an error, and so is the absence of a required one. Other
    /// fields may be anything: writers add their own.
    pub(super) fn fields(
        &mut self,
        known: &[Known],
        visit: &mut dyn FnMut(&mut Self, Tag) -> Result<(), Flaw>,
    ) -> Result<(), Flaw> {
        let mut last = 0i16;
        let mut seen = 0u64;
        while let Some(tag) = self.tag(last)? {
            last = tag.id;
            if let Some(index) = known.iter().position(|field| field.id == tag.id) {
                let of = if tag.of == Type::FALSE { Type::TRUE } else { tag.of };
                if of != known[index].of || seen >> index & 1 == 1 {
                    return Err(Flaw::Damaged);
                }
                seen |= 1 << index;
            }
            visit(self, tag)?;
        }
        let complete = |(index, field): (usize, &Known)| !field.required || seen >> index & 1 == 1;
        if known.iter().enumerate().all(complete) { Ok(()) } else { Err(Flaw::Damaged) }
    }

    /// A whole number of 64 bits.
    pub(super) fn integer(&mut self, tag: Tag) -> Result<i64, Flaw> {
        if tag.of == Type::I64 { self.zigzag() } else { Err(Flaw::Damaged) }
    }

    /// A whole number of 32 bits.
    pub(super) fn small(&mut self, tag: Tag) -> Result<i32, Flaw> {
        if tag.of != Type::I32 {
            return Err(Flaw::Damaged);
        }
        i32::try_from(self.zigzag()?).map_err(|_| Flaw::Damaged)
    }

    /// A whole number of 8 bits.
    pub(super) fn tiny(&mut self, tag: Tag) -> Result<i8, Flaw> {
        if tag.of == Type::BYTE { Ok(i8::from_le_bytes([self.byte()?])) } else { Err(Flaw::Damaged) }
    }

    /// A truth value, which stands in the type of its field.
    pub(super) fn boolean(&mut self, tag: Tag) -> Result<bool, Flaw> {
        match tag.of {
            Type::TRUE => Ok(true),
            Type::FALSE => Ok(false),
            _ => Err(Flaw::Damaged),
        }
    }

    /// A string of bytes.
    pub(super) fn binary(&mut self, tag: Tag) -> Result<&'a [u8], Flaw> {
        if tag.of != Type::BINARY {
            return Err(Flaw::Damaged);
        }
        self.string()
    }

    /// The header of a list of structures: how many follow. There are at most as many as bytes left.
    pub(super) fn structures(&mut self, tag: Tag) -> Result<usize, Flaw> {
        let (of, count) = self.list(tag)?;
        if of != Type::STRUCT && count > 0 {
            return Err(Flaw::Damaged);
        }
        Ok(count)
    }

    /// Checks that a structure follows.
    pub(super) fn structure(&mut self, tag: Tag) -> Result<(), Flaw> {
        if tag.of == Type::STRUCT { Ok(()) } else { Err(Flaw::Damaged) }
    }

    /// Leaves out a value.
    pub(super) fn skip(&mut self, tag: Tag) -> Result<(), Flaw> {
        self.skip_at(tag.of, DEPTH, false)
    }

    fn skip_at(&mut self, of: Type, depth: u32, in_list: bool) -> Result<(), Flaw> {
        let depth = depth.checked_sub(1).ok_or(Flaw::Damaged)?;
        match of {
            // In a list a truth value is a byte; in a structure it stands in the type.
            Type::TRUE | Type::FALSE => {
                if in_list {
                    self.byte()?;
                }
                Ok(())
            }
            Type::BYTE => self.byte().map(drop),
            Type::I16 | Type::I32 | Type::I64 => self.varint().map(drop),
            Type::DOUBLE => self.take(8).map(drop),
            Type::UUID => self.take(16).map(drop),
            Type::BINARY => self.string().map(drop),
            Type::LIST | Type::SET => {
                let (of, count) = self.list(Tag { id: 0, of })?;
                for _ in 0..count {
                    self.skip_at(of, depth, true)?;
                }
                Ok(())
            }
            Type::MAP => {
                let count = self.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let count = self.within(count)?;
                let types = self.byte()?;
                for _ in 0..count {
                    self.skip_at(Type(types >> 4), depth, true)?;
                    self.skip_at(Type(types & 15), depth, true)?;
                }
                Ok(())
            }
            Type::STRUCT => {
                let mut last = 0;
                while let Some(tag) = self.tag(last)? {
                    last = tag.id;
                    self.skip_at(tag.of, depth, false)?;
                }
                Ok(())
            }
            _ => Err(Flaw::Damaged),
        }
    }

    /// The next field of a structure, or none at its end.
    fn tag(&mut self, last: i16) -> Result<Option<Tag>, Flaw> {
        let byte = self.byte()?;
        let of = Type(byte & 15);
        if of == Type(0) {
            return Ok(None);
        }
        let id = match byte >> 4 {
            0 => i16::try_from(self.zigzag()?).map_err(|_| Flaw::Damaged)?,
            delta => last.checked_add(i16::from(delta)).ok_or(Flaw::Damaged)?,
        };
        Ok(Some(Tag { id, of }))
    }

    fn list(&mut self, tag: Tag) -> Result<(Type, usize), Flaw> {
        if tag.of != Type::LIST && tag.of != Type::SET {
            return Err(Flaw::Damaged);
        }
        let byte = self.byte()?;
        let count = match byte >> 4 {
            15 => self.varint()?,
            count => u64::from(count),
        };
        Ok((Type(byte & 15), self.within(count)?))
    }

    fn string(&mut self) -> Result<&'a [u8], Flaw> {
        let length = self.varint()?;
        let length = self.within(length)?;
        self.take(length)
    }

    fn zigzag(&mut self) -> Result<i64, Flaw> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn varint(&mut self) -> Result<u64, Flaw> {
        varint_of(|| self.byte())
    }

    fn byte(&mut self) -> Result<u8, Flaw> {
        self.take(1)?.first().copied().ok_or(Flaw::Damaged)
    }

    /// A count of things that take a byte each at least: there are not more of them than bytes.
    fn within(&mut self, count: u64) -> Result<usize, Flaw> {
        match usize::try_from(count) {
            Ok(count) if count <= self.bytes.len() - self.at => Ok(count),
            _ => {
                self.short = true;
                Err(Flaw::Damaged)
            }
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Flaw> {
        let Some(taken) = self.bytes[self.at..].get(..count) else {
            self.short = true;
            return Err(Flaw::Damaged);
        };
        self.at += count;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skip(bytes: &[u8]) -> Result<usize, Flaw> {
        let mut thrift = Thrift::new(bytes);
        thrift.skip(Tag { id: 1, of: Type::STRUCT })?;
        Ok(thrift.position())
    }

    #[test]
    fn numbers_are_read_to_their_last_bit() {
        let least = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let mut thrift = Thrift::new(&least);
        assert_eq!(thrift.integer(Tag { id: 1, of: Type::I64 }).unwrap(), i64::MIN);
        let too_long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
        assert!(Thrift::new(&too_long).integer(Tag { id: 1, of: Type::I64 }).is_err());
    }

    #[test]
    fn known_fields_have_their_type_and_come_once() {
        const KNOWN: [Known; 3] =
            [Known::required(1, Type::I32), Known::optional(2, Type::TRUE), Known::optional(3, Type::I64)];
        let read = |bytes: &[u8]| Thrift::new(bytes).fields(&KNOWN, &mut |thrift, tag| thrift.skip(tag));
        // One; one and a truth value of either kind; one, and a number that no version knows yet.
        for good in [&[0x15, 2, 0][..], &[0x15, 2, 0x11, 0], &[0x15, 2, 0x12, 0], &[0x15, 2, 0x84, 2, 0]] {
            assert!(read(good).is_ok(), "{good:?}");
        }
        for bad in [
            // The required field is absent.
            &[0][..],
            &[0x26, 2, 0],
            // It is of 16 or 64 bits, a byte, a string, or a truth value.
            &[0x14, 2, 0],
            &[0x16, 2, 0],
            &[0x13, 2, 0],
            &[0x18, 1, b'x', 0],
            &[0x11, 0],
            // A truth value is a number, and a long number a short one.
            &[0x15, 2, 0x15, 2, 0],
            &[0x15, 2, 0x25, 2, 0],
            // It comes twice: the second time by its number and not by the distance from the last.
            &[0x15, 2, 0x05, 2, 4, 0],
        ] {
            assert!(read(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn structures_are_skipped_and_their_depth_is_bounded() {
        // A field of each of: true, i32, binary, list of two booleans, empty map; then the end.
        let bytes = [0x11, 0x15, 0x02, 0x18, 0x01, b'x', 0x19, 0x21, 0x01, 0x02, 0x1b, 0x00, 0x00];
        assert_eq!(skip(&bytes).unwrap(), bytes.len());
        // Structures within structures without end.
        assert!(skip(&[0x1c; 1000]).is_err());
        // Lists within lists without end.
        let mut lists = vec![0x19];
        lists.resize(1000, 0x19);
        assert!(skip(&lists).is_err());
    }

    #[test]
    fn counts_beyond_the_bytes_are_refused() {
        assert!(skip(&[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]).is_err());
        assert!(skip(&[0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]).is_err());
        assert!(skip(&[0x1b, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x11]).is_err());
    }
}
