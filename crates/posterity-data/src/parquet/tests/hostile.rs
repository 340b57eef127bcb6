//! Files written by hand, with statements that no writer makes.

use crate::column::{ColumnValues, Flaw};
use crate::parquet::ParquetFile;
use crate::room::Room;

use super::files::file_of;

/// A structure of Thrift's compact protocol.
#[derive(Clone, Default)]
struct Out {
    bytes: Vec<u8>,
    last: u8,
}

impl Out {
    fn varint(mut self, mut value: u64) -> Self {
        while value > 127 {
            self.bytes.push(value as u8 & 127 | 128);
            value >>= 7;
        }
        self.bytes.push(value as u8);
        self
    }

    fn tag(mut self, id: u8, of: u8) -> Self {
        self.bytes.push((id - self.last) << 4 | of);
        self.last = id;
        self
    }

    fn int(self, id: u8, value: i64) -> Self {
        self.tag(id, 6).varint((value << 1 ^ value >> 63).cast_unsigned())
    }

    fn binary(self, id: u8, value: &[u8]) -> Self {
        let mut out = self.tag(id, 8).varint(value.len() as u64);
        out.bytes.extend(value);
        out
    }

    fn structure(self, id: u8, inner: Self) -> Self {
        let mut out = self.tag(id, 12);
        out.bytes.extend(inner.end());
        out
    }

    fn list(self, id: u8, inner: Vec<Self>) -> Self {
        let mut out = self.tag(id, 9);
        out.bytes.push(0xfc);
        out = out.varint(inner.len() as u64);
        for inner in inner {
            out.bytes.extend(inner.end());
        }
        out
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// A file of one column, which is text.
#[derive(Clone)]
struct Text {
    rows: i64,
    values: i64,
    optional: bool,
    /// The dictionary and its stated number of values.
    dictionary: Option<(Vec<u8>, i64)>,
    /// Pages: number of values, encoding, stated size, bytes.
    pages: Vec<(i64, i64, Option<i64>, Vec<u8>)>,
    data_offset: Option<i64>,
    chunk_bytes: Option<i64>,
}

impl Text {
    fn new(rows: i64, encoding: i64, page: Vec<u8>) -> Self {
        Self {
            rows,
            values: rows,
            optional: false,
            dictionary: None,
            pages: vec![(rows, encoding, None, page)],
            data_offset: None,
            chunk_bytes: None,
        }
    }

    /// Keys into the values "a" and "b".
    fn keyed(rows: i64, page: Vec<u8>) -> Self {
        let dictionary = Some((b"\x01\0\0\0a\x01\0\0\0b".to_vec(), 2));
        Self { dictionary, ..Self::new(rows, 8, page) }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut file = b"PAR1".to_vec();
        if let Some((bytes, count)) = &self.dictionary {
            let size = bytes.len() as i64;
            let header = Out::default().int(1, 2).int(2, size).int(3, size);
            file.extend(header.structure(7, Out::default().int(1, *count).int(2, 0)).end());
            file.extend(bytes);
        }
        let data = file.len() as i64;
        for (values, encoding, stated, bytes) in &self.pages {
            let header = Out::default()
                .int(1, 0)
                .int(2, stated.unwrap_or(bytes.len() as i64))
                .int(3, bytes.len() as i64);
            let page = Out::default().int(1, *values).int(2, *encoding).int(3, 3).int(4, 3);
            file.extend(header.structure(5, page).end());
            file.extend(bytes);
        }
        let size = self.chunk_bytes.unwrap_or(file.len() as i64 - 4);
        let column = Out::default()
            .int(1, 6)
            .int(4, 0)
            .int(5, self.values)
            .int(7, size)
            .int(9, self.data_offset.unwrap_or(data))
            .int(11, if self.dictionary.is_some() { 4 } else { 0 });
        let root = Out::default().binary(4, b"root").int(5, 1);
        let leaf = Out::default().int(1, 6).int(3, i64::from(self.optional)).binary(4, b"text").int(6, 0);
        let group =
            Out::default().list(1, vec![Out::default().int(2, 4).structure(3, column)]).int(3, self.rows);
        footer(
            file,
            Out::default().int(1, 1).list(2, vec![root, leaf]).int(3, self.rows).list(4, vec![group]),
        )
    }

    /// How many rows come, with so much room, before this many pieces have come.
    fn read(&self, room: usize, pieces: usize) -> Result<u64, Flaw> {
        let room = Room::new(room);
        let file = ParquetFile::open(file_of(&self.bytes()), &room)?;
        let (mut rows, mut seen) = (0, 0);
        let done = file.read::<Option<Flaw>>(0, &[0], &room, &mut |columns| {
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

fn footer(mut file: Vec<u8>, metadata: Out) -> Vec<u8> {
    let metadata = metadata.end();
    file.extend(&metadata);
    file.extend((metadata.len() as u32).to_le_bytes());
    file.extend(b"PAR1");
    file
}

/// A header of the runs: this many times the value of the byte that follows.
fn run(count: u64) -> Vec<u8> {
    Out::default().varint(count << 1).bytes
}

fn keys(runs: &[u8]) -> Vec<u8> {
    [&[1], runs].concat()
}

const ROOM: usize = 16 << 20;

#[test]
fn runs_without_end_are_cut_into_pieces() {
    let rows = (1 << 31) - 1;
    let page = keys(&[run(rows), vec![1]].concat());
    assert_eq!(Text::keyed(rows as i64, page).read(ROOM, 50).unwrap(), 50 * 65_536);
    // All rows missing, in eleven bytes.
    let levels = [run(rows), vec![0]].concat();
    let page = [&(levels.len() as u32).to_le_bytes()[..], &levels].concat();
    let missing = Text { optional: true, ..Text::new(rows as i64, 0, page) };
    assert_eq!(missing.read(ROOM, 50).unwrap(), 50 * 65_536);
    // Lengths of nothing, in one block of 2^31 values.
    let page = Out::default().varint(1 << 31).varint(1).varint(rows).varint(0).varint(0).varint(0).bytes;
    assert_eq!(Text::new(rows as i64, 6, page).read(ROOM, 50).unwrap(), 50 * 65_536);
}

#[test]
fn rows_must_add_up() {
    let three = keys(&[run(3), vec![1]].concat());
    assert_eq!(Text::keyed(3, three.clone()).read(ROOM, 9).unwrap(), 3);
    let good = Text::keyed(3, three.clone());
    for bad in [
        Text { rows: 4, ..good.clone() },
        Text { rows: 2, ..good.clone() },
        Text { rows: 4, values: 4, ..good.clone() },
        Text { rows: 2, values: 2, ..good.clone() },
        Text { rows: -3, values: -3, ..good.clone() },
        Text { values: -1, ..good.clone() },
        Text { pages: vec![], ..good.clone() },
        Text { pages: vec![good.pages[0].clone(), good.pages[0].clone()], ..good.clone() },
        Text { pages: vec![(-3, 8, None, three.clone())], ..good.clone() },
        // Fewer keys than rows.
        Text { pages: vec![(3, 8, None, keys(&[run(2), vec![1]].concat()))], ..good.clone() },
        // A key beyond the dictionary.
        Text { pages: vec![(3, 8, None, [&[2], &run(3)[..], &[2]].concat())], ..good.clone() },
        // No dictionary.
        Text { dictionary: None, ..good.clone() },
        Text { dictionary: Some((good.dictionary.clone().unwrap().0, 3)), ..good.clone() },
        Text { dictionary: Some((good.dictionary.clone().unwrap().0, i64::from(i32::MAX))), ..good.clone() },
    ] {
        assert!(matches!(bad.read(ROOM, 9), Err(Flaw::Damaged)), "{:?}", bad.read(ROOM, 9));
    }
}

#[test]
fn places_must_lie_in_the_file() {
    let good = Text::keyed(3, keys(&[run(3), vec![1]].concat()));
    for bad in [
        Text { data_offset: Some(-4), ..good.clone() },
        Text { data_offset: Some(0), dictionary: None, ..good.clone() },
        Text { data_offset: Some(1 << 40), dictionary: None, ..good.clone() },
        Text { data_offset: Some(i64::MAX), dictionary: None, ..good.clone() },
        Text { chunk_bytes: Some(-1), ..good.clone() },
        Text { chunk_bytes: Some(1 << 20), ..good.clone() },
        Text { chunk_bytes: Some(i64::MAX), ..good.clone() },
        Text { chunk_bytes: Some(0), ..good.clone() },
    ] {
        assert!(matches!(bad.read(ROOM, 9), Err(Flaw::Damaged)), "{:?}", bad.read(ROOM, 9));
    }
}

#[test]
fn sizes_are_bounded_before_memory_is_taken() {
    let stated = |size| {
        let mut text = Text::keyed(3, keys(&[run(3), vec![1]].concat()));
        text.pages[0].2 = Some(size);
        text.read(ROOM, 9)
    };
    assert!(matches!(stated(129 << 20), Err(Flaw::TooLarge)));
    assert!(matches!(stated(100 << 20), Err(Flaw::TooLarge)), "there is less room");
    assert!(matches!(stated(1 << 20), Err(Flaw::Damaged)));
    assert!(matches!(stated(-1), Err(Flaw::Damaged)));
    assert!(matches!(stated(1 << 40), Err(Flaw::Damaged)), "sizes have 32 bits");
}

#[test]
fn strings_that_share_their_beginnings_do_not_fill_the_memory() {
    // One string of 60,000 bytes, and 3,999 more that are the same.
    let size = 60_000u64;
    let lengths = |first: u64, least: i64| {
        Out::default()
            .varint(1 << 12)
            .varint(1)
            .varint(4_000)
            .varint(first << 1)
            .varint((least << 1 ^ least >> 63).cast_unsigned())
    };
    // The prefixes are 0, then all 60,000: the first difference is that, and the others are 0 (16 bits each).
    let mut prefixes = lengths(0, 0).varint(16).bytes;
    prefixes.extend((size as u16).to_le_bytes());
    prefixes.resize(prefixes.len() + (4_095 * 2), 0);
    let mut suffixes = lengths(size, -(size as i64)).varint(16).bytes;
    suffixes.extend([0, 0]);
    for _ in 0..4_095 {
        suffixes.extend((size as u16).to_le_bytes());
    }
    let page = [prefixes, suffixes, vec![b'x'; size as usize]].concat();
    assert!(matches!(Text::new(4_000, 7, page).read(64 << 20, 9), Err(Flaw::TooLarge)));
}

#[test]
fn text_must_be_utf8_and_keys_are_given_as_such() {
    let page = b"\x02\0\0\0\xc3\xa9\x01\0\0\0\xff".to_vec();
    assert!(matches!(Text::new(2, 0, page).read(ROOM, 9), Err(Flaw::NotUtf8)));

    let text = Text::keyed(9, keys(&[run(9), vec![1]].concat()));
    let room = Room::new(ROOM);
    let file = ParquetFile::open(file_of(&text.bytes()), &room).unwrap();
    file.read::<Flaw>(0, &[0], &room, &mut |columns| {
        let ColumnValues::Keyed { keys, values } = &columns[0] else { panic!("not keys") };
        assert_eq!((&keys[..], values.len()), (&[1; 9][..], 2));
        Ok(())
    })
    .unwrap();
    file.read::<Flaw>(0, &[], &room, &mut |_| panic!("nothing was asked for")).unwrap();
    assert!(file.read::<Flaw>(0, &[1], &room, &mut |_| Ok(())).is_err());
    assert!(file.read::<Flaw>(1, &[0], &room, &mut |_| Ok(())).is_err());
}

#[test]
fn footers_are_checked() {
    let open = |bytes: &[u8]| ParquetFile::open(file_of(bytes), &Room::new(ROOM)).map(|_| ());
    for length in 0..12 {
        assert!(matches!(open(&b"PAR1PAR1PAR1"[..length]), Err(Flaw::Damaged)));
    }
    assert!(matches!(open(b"PAR1\0\0\0\0PAR1"), Err(Flaw::Damaged)));
    assert!(matches!(open(b"PAR1\x01\0\0\0PAR1"), Err(Flaw::Damaged)));
    assert!(matches!(open(b"PAR1\xff\xff\xff\xffPAR1"), Err(Flaw::Damaged)));
    assert!(matches!(open(b"PARE\0\0\0\0PARE"), Err(Flaw::Unsupported("encryption"))));
    let root = Out::default().binary(4, b"root").int(5, 0);
    let empty = Out::default().int(1, 1).list(2, vec![root.clone()]).int(3, 0).list(4, vec![]);
    assert!(open(&footer(b"PAR1".to_vec(), empty.clone())).is_ok());
    let encrypted = empty.structure(8, Out::default());
    assert!(matches!(open(&footer(b"PAR1".to_vec(), encrypted)), Err(Flaw::Unsupported("encryption"))));
    // Very many groups of no columns take room, too.
    let group = Out::default().int(3, 0);
    let many = Out::default().int(1, 1).list(2, vec![root]).int(3, 0).list(4, vec![group; 1 << 20]);
    assert!(matches!(open(&footer(b"PAR1".to_vec(), many)), Err(Flaw::TooLarge)));
}
