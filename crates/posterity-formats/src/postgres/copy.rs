//! Records as `COPY .. (FORMAT binary)` sends them.

use std::io::{Read, Write};

use crate::postgres_fault::PostgresFault;
use crate::text::MAX_RECORD;

use super::transport::Transport;
use super::wire::Wire;

/// Records in a stream. The borders of messages mean nothing.
pub(super) struct Rows<'a, T = Transport> {
    wire: &'a mut Wire<T>,
    columns: usize,
    buffer: Vec<u8>,
    at: usize,
    /// How many bytes the record at hand may still have.
    left: usize,
    rows: u64,
}

const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

impl<'a, T: Read + Write> Rows<'a, T> {
    /// What comes behind the answer to the statement.
    pub(super) fn begin(wire: &'a mut Wire<T>, columns: usize) -> Result<Self, PostgresFault> {
        let mut rows = Self { wire, columns, buffer: Vec::new(), at: 0, left: MAX_RECORD, rows: 0 };
        if rows.take(SIGNATURE.len())? != SIGNATURE {
            return Err(PostgresFault::NotPostgres);
        }
        // Flags, and the length of what follows the head: neither is used by any version.
        if rows.take(8)? != [0; 8] {
            return Err(PostgresFault::NotPostgres);
        }
        Ok(rows)
    }

    /// Goes to the next record, if there is one.
    pub(super) fn next(&mut self) -> Result<bool, PostgresFault> {
        match i16::from_be_bytes(self.bytes()?) {
            -1 => return Ok(false),
            columns if usize::try_from(columns) == Ok(self.columns) => {}
            _ => return Err(PostgresFault::NotPostgres),
        }
        self.left = MAX_RECORD;
        self.rows += 1;
        Ok(true)
    }

    /// The next field of the record; nothing if it is missing.
    pub(super) fn field(&mut self) -> Result<Option<&[u8]>, PostgresFault> {
        let length = i32::from_be_bytes(self.bytes()?);
        if length == -1 {
            return Ok(None);
        }
        let length = usize::try_from(length).map_err(|_| PostgresFault::NotPostgres)?;
        self.left = self.left.checked_sub(length).ok_or(PostgresFault::TooLong)?;
        self.take(length).map(Some)
    }

    /// Checks that the server has sent all, and says so.
    pub(super) fn finish(self) -> Result<(), PostgresFault> {
        if self.at != self.buffer.len() {
            return Err(PostgresFault::NotPostgres);
        }
        self.wire.expect(b'c')?;
        let done = format!("COPY {}\0", self.rows);
        if self.wire.expect(b'C')? != done.as_bytes() {
            return Err(PostgresFault::Lost);
        }
        self.wire.expect(b'Z').map(|_| ())
    }

    fn bytes<const WIDTH: usize>(&mut self) -> Result<[u8; WIDTH], PostgresFault> {
        self.take(WIDTH)?.try_into().map_err(|_| PostgresFault::NotPostgres)
    }

    /// The next bytes, of as many messages as are needed.
    fn take(&mut self, many: usize) -> Result<&[u8], PostgresFault> {
        while self.buffer.len() - self.at < many {
            self.buffer.drain(..self.at);
            self.at = 0;
            self.buffer.extend_from_slice(self.wire.expect(b'd')?);
        }
        let start = self.at;
        self.at += many;
        Ok(&self.buffer[start..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::wire::message;
    use std::io::Cursor;

    /// All fields that a server sends so.
    fn read(sent: Vec<u8>, columns: usize) -> Result<Vec<Option<Vec<u8>>>, PostgresFault> {
        let mut wire = Wire::new(Cursor::new(sent));
        let mut rows = Rows::begin(&mut wire, columns)?;
        let mut fields = Vec::new();
        while rows.next()? {
            for _ in 0..columns {
                fields.push(rows.field()?.map(<[u8]>::to_vec));
            }
        }
        rows.finish().map(|()| fields)
    }

    fn stream() -> Vec<u8> {
        let row = |fields: &[u8]| [&[0, 2][..], fields].concat();
        let missing = [255; 4];
        [
            &SIGNATURE[..],
            &[0; 8],
            &row(&[&[0, 0, 0, 1, b'x'][..], &missing].concat()),
            &row(&[&missing[..], &[0, 0, 0, 0]].concat()),
            &[255, 255],
        ]
        .concat()
    }

    fn end() -> Vec<u8> {
        [message(b'c', b""), message(b'C', b"COPY 2\0"), message(b'Z', b"I")].concat()
    }

    fn in_messages(stream: &[u8], size: usize) -> Vec<u8> {
        stream.chunks(size).flat_map(|part| message(b'd', part)).chain(end()).collect()
    }

    #[test]
    fn the_borders_of_messages_mean_nothing() {
        let expected = vec![Some(b"x".to_vec()), None, None, Some(Vec::new())];
        for size in 1..stream().len() + 1 {
            assert_eq!(read(in_messages(&stream(), size), 2), Ok(expected.clone()), "{size}");
        }
    }

    /// If this fails, a part of the records is taken for all of them.
    #[test]
    fn streams_that_end_early_are_refused() {
        let whole = in_messages(&stream(), 7);
        for cut in 0..whole.len() {
            assert!(read(whole[..cut].to_vec(), 2).is_err(), "{cut}");
        }
        let fewer = [message(b'd', &stream()), message(b'c', b""), message(b'C', b"COPY 3\0")].concat();
        assert_eq!(read(fewer, 2), Err(PostgresFault::Lost));
        let refused = [message(b'd', &stream()), message(b'E', b"C40001\0MMallory\0\0")].concat();
        assert_eq!(read(refused, 2), Err(PostgresFault::Refused { code: "40001".into() }));
    }

    #[test]
    fn hostile_lengths_take_no_memory() {
        let head = [&SIGNATURE[..], &[0; 8], &[0, 1]].concat();
        for (length, fault) in [
            ([0x7f, 0xff, 0xff, 0xff], PostgresFault::TooLong),
            ([0xff, 0xff, 0xff, 0xfe], PostgresFault::NotPostgres),
        ] {
            assert_eq!(read(message(b'd', &[&head[..], &length].concat()), 1), Err(fault));
        }
        assert_eq!(read(vec![b'd', 0xff, 0xff, 0xff, 0xff], 1), Err(PostgresFault::TooLong));
        assert_eq!(read(vec![b'd', 0, 0, 0, 3], 1), Err(PostgresFault::NotPostgres));
        assert_eq!(read(in_messages(&stream(), 9), 3), Err(PostgresFault::NotPostgres));
    }

    /// Bytes that somebody changed are read or refused, and neither panic nor hang.
    #[test]
    fn damaged_streams_do_no_harm() {
        let whole = in_messages(&stream(), 11);
        for at in 0..whole.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = byte;
                let _ = read(bytes, 2);
            }
        }
    }
}
