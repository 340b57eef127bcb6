//! Files put together by hand, with content that no writer produces.

use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};

use super::files::file_of;

/// A structure of Thrift's compact protocol.
#[derive(Clone, Default)]
pub(super) struct Out {
    pub(super) bytes: Vec<u8>,
    last: u8,
}

impl Out {
    pub(super) fn varint(mut self, mut value: u64) -> Self {
        while value > 127 {
            self.bytes.push(value as u8 & 127 | 128);
            value >>= 7;
        }
        self.bytes.push(value as u8);
        self
    }

    pub(super) fn tag(mut self, id: u8, of: u8) -> Self {
        self.bytes.push((id - self.last) << 4 | of);
        self.last = id;
        self
    }

    /// A number of 32 bits, or one that does not fit into them.
    pub(super) fn int(self, id: u8, value: i64) -> Self {
        self.tag(id, 5).varint((value << 1 ^ value >> 63).cast_unsigned())
    }

    /// A number of 64 bits.
    pub(super) fn long(self, id: u8, value: i64) -> Self {
        self.tag(id, 6).varint((value << 1 ^ value >> 63).cast_unsigned())
    }

    pub(super) fn binary(self, id: u8, value: &[u8]) -> Self {
        let mut out = self.tag(id, 8).varint(value.len() as u64);
        out.bytes.extend(value);
        out
    }

    pub(super) fn truth(self, id: u8, value: bool) -> Self {
        self.tag(id, if value { 1 } else { 2 })
    }

    pub(super) fn structure(self, id: u8, inner: Self) -> Self {
        let mut out = self.tag(id, 12);
        out.bytes.extend(inner.end());
        out
    }

    pub(super) fn list(self, id: u8, inner: Vec<Self>) -> Self {
        let mut out = self.tag(id, 9);
        out.bytes.push(0xfc);
        out = out.varint(inner.len() as u64);
        for inner in inner {
            out.bytes.extend(inner.end());
        }
        out
    }

    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// A file of one column, which is text unless it is said to be of another type.
#[derive(Clone)]
pub(super) struct Crafted {
    /// The number of the type, and of the codec.
    pub(super) physical: i64,
    pub(super) codec: i64,
    pub(super) rows: i64,
    pub(super) values: i64,
    pub(super) optional: bool,
    /// The dictionary and its stated number of values.
    pub(super) dictionary: Option<(Vec<u8>, i64)>,
    /// Pages: number of values, encoding, stated size, bytes.
    pub(super) pages: Vec<(i64, i64, Option<i64>, Vec<u8>)>,
    /// Whether pages state their checksums.
    pub(super) checksums: bool,
    /// How many values are missing and how many bytes the levels take, if pages are of the second version.
    pub(super) second: Option<(i64, i64)>,
    pub(super) data_offset: Option<i64>,
    pub(super) chunk_bytes: Option<i64>,
}

impl Crafted {
    pub(super) fn new(rows: i64, encoding: i64, page: Vec<u8>) -> Self {
        Self {
            physical: 6,
            codec: 0,
            rows,
            values: rows,
            optional: false,
            dictionary: None,
            pages: vec![(rows, encoding, None, page)],
            checksums: false,
            second: None,
            data_offset: None,
            chunk_bytes: None,
        }
    }

    /// Keys into the values "a" and "b".
    pub(super) fn keyed(rows: i64, page: Vec<u8>) -> Self {
        let dictionary = Some((b"\x01\0\0\0a\x01\0\0\0b".to_vec(), 2));
        Self { dictionary, ..Self::new(rows, 8, page) }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut file = b"PAR1".to_vec();
        if let Some((bytes, count)) = &self.dictionary {
            let size = bytes.len() as i64;
            let header = self.checksum(Out::default().int(1, 2).int(2, size).int(3, size), bytes);
            file.extend(header.structure(7, Out::default().int(1, *count).int(2, 0)).end());
            file.extend(bytes);
        }
        let data = file.len() as i64;
        for (values, encoding, stated, bytes) in &self.pages {
            let header = Out::default()
                .int(1, if self.second.is_some() { 3 } else { 0 })
                .int(2, stated.unwrap_or(bytes.len() as i64))
                .int(3, bytes.len() as i64);
            let header = self.checksum(header, bytes);
            let header = match self.second {
                None => {
                    let page = Out::default().int(1, *values).int(2, *encoding).int(3, 3).int(4, 3);
                    header.structure(5, page)
                }
                Some((missing, levels)) => {
                    let page = Out::default().int(1, *values).int(2, missing).int(3, *values);
                    header.structure(8, page.int(4, *encoding).int(5, levels).int(6, 0).truth(7, false))
                }
            };
            file.extend(header.end());
            file.extend(bytes);
        }
        let size = self.chunk_bytes.unwrap_or(file.len() as i64 - 4);
        let column = Out::default()
            .int(1, self.physical)
            .list(2, vec![])
            .list(3, vec![])
            .int(4, self.codec)
            .long(5, self.values)
            .long(6, size)
            .long(7, size)
            .long(9, self.data_offset.unwrap_or(data))
            .long(11, if self.dictionary.is_some() { 4 } else { 0 });
        let root = Out::default().binary(4, b"root").int(5, 1);
        let leaf = Out::default().int(1, self.physical).int(3, i64::from(self.optional)).binary(4, b"column");
        let leaf = if self.physical == 6 { leaf.int(6, 0) } else { leaf };
        let chunk = Out::default().long(2, 4).structure(3, column);
        let group = Out::default().list(1, vec![chunk]).long(2, size).long(3, self.rows);
        footer(
            file,
            Out::default().int(1, 1).list(2, vec![root, leaf]).long(3, self.rows).list(4, vec![group]),
        )
    }

    /// Adds the checksum of the bytes that follow a header, if it is to be stated.
    fn checksum(&self, header: Out, bytes: &[u8]) -> Out {
        if self.checksums { header.int(4, i64::from(crc(bytes).cast_signed())) } else { header }
    }

    /// How many rows come, with so much memory, before this many pieces have come.
    pub(super) fn read(&self, memory: usize, pieces: usize) -> Result<u64, Flaw> {
        let memory = MemoryLimit::new(memory);
        let file = ParquetFile::open(file_of(&self.bytes()), &memory)?;
        let (mut rows, mut seen) = (0, 0);
        let done = file.read::<Option<Flaw>>(0, &[0], &memory, &Spares::default(), &mut |columns| {
            assert!(columns[0].len() <= 65_536);
            rows += columns[0].len() as u64;
            seen += 1;
            if seen < pieces { Ok(()) } else { Err(None) }
        });
        match done {
            Err(Some(flaw)) => Err(flaw),
            _ => Ok(rows),
        }
    }
}

pub(super) fn footer(mut file: Vec<u8>, metadata: Out) -> Vec<u8> {
    let metadata = metadata.end();
    file.extend(&metadata);
    file.extend((metadata.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

/// A header of the runs: this many times the value of the byte that follows.
pub(super) fn run(count: u64) -> Vec<u8> {
    Out::default().varint(count << 1).bytes
}

pub(super) fn keys(runs: &[u8]) -> Vec<u8> {
    [&[1], runs].concat()
}

/// The CRC-32 of bytes, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}
