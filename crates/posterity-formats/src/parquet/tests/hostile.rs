//! Files written by hand, with statements that no writer makes.

use crate::column::ColumnValues;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};

use super::craft::{Crafted, Out, footer, keys, run};
use super::files::file_of;
use super::seen::{Seen, read_all};

const LIMIT: usize = 16 << 20;

#[test]
fn runs_without_end_are_cut_into_pieces() {
    let rows = (1 << 31) - 1;
    let page = keys(&[run(rows), vec![1]].concat());
    assert_eq!(Crafted::keyed(rows as i64, page).read(LIMIT, 50).unwrap(), 50 * 65_536);
    // All rows missing, in eleven bytes.
    let levels = [run(rows), vec![0]].concat();
    let page = [&(levels.len() as u32).to_le_bytes()[..], &levels].concat();
    let missing = Crafted { optional: true, ..Crafted::new(rows as i64, 0, page) };
    assert_eq!(missing.read(LIMIT, 50).unwrap(), 50 * 65_536);
    // Lengths of nothing, in one block of 2^31 values.
    let page = Out::default().varint(1 << 31).varint(1).varint(rows).varint(0).varint(0).varint(0).bytes;
    assert_eq!(Crafted::new(rows as i64, 6, page).read(LIMIT, 50).unwrap(), 50 * 65_536);
}

#[test]
fn rows_must_add_up() {
    let three = keys(&[run(3), vec![1]].concat());
    assert_eq!(Crafted::keyed(3, three.clone()).read(LIMIT, 9).unwrap(), 3);
    let good = Crafted::keyed(3, three.clone());
    for bad in [
        Crafted { rows: 4, ..good.clone() },
        Crafted { rows: 2, ..good.clone() },
        Crafted { rows: 4, values: 4, ..good.clone() },
        Crafted { rows: 2, values: 2, ..good.clone() },
        Crafted { rows: -3, values: -3, ..good.clone() },
        Crafted { values: -1, ..good.clone() },
        Crafted { pages: vec![], ..good.clone() },
        Crafted { pages: vec![good.pages[0].clone(), good.pages[0].clone()], ..good.clone() },
        Crafted { pages: vec![(-3, 8, None, three.clone())], ..good.clone() },
        // Fewer keys than rows.
        Crafted { pages: vec![(3, 8, None, keys(&[run(2), vec![1]].concat()))], ..good.clone() },
        // A key beyond the dictionary.
        Crafted { pages: vec![(3, 8, None, [&[2], &run(3)[..], &[2]].concat())], ..good.clone() },
        // No dictionary.
        Crafted { dictionary: None, ..good.clone() },
        Crafted { dictionary: Some((good.dictionary.clone().unwrap().0, 3)), ..good.clone() },
        Crafted {
            dictionary: Some((good.dictionary.clone().unwrap().0, i64::from(i32::MAX))),
            ..good.clone()
        },
    ] {
        assert!(matches!(bad.read(LIMIT, 9), Err(Flaw::Damaged)), "{:?}", bad.read(LIMIT, 9));
    }
}

#[test]
fn places_must_lie_in_the_file() {
    let good = Crafted::keyed(3, keys(&[run(3), vec![1]].concat()));
    for bad in [
        Crafted { data_offset: Some(-4), ..good.clone() },
        Crafted { data_offset: Some(0), dictionary: None, ..good.clone() },
        Crafted { data_offset: Some(1 << 40), dictionary: None, ..good.clone() },
        Crafted { data_offset: Some(i64::MAX), dictionary: None, ..good.clone() },
        Crafted { chunk_bytes: Some(-1), ..good.clone() },
        Crafted { chunk_bytes: Some(1 << 20), ..good.clone() },
        Crafted { chunk_bytes: Some(i64::MAX), ..good.clone() },
        Crafted { chunk_bytes: Some(0), ..good.clone() },
    ] {
        assert!(matches!(bad.read(LIMIT, 9), Err(Flaw::Damaged)), "{:?}", bad.read(LIMIT, 9));
    }
}

#[test]
fn sizes_are_bounded_before_memory_is_taken() {
    let stated = |size| {
        let mut text = Crafted::keyed(3, keys(&[run(3), vec![1]].concat()));
        text.pages[0].2 = Some(size);
        text.read(LIMIT, 9)
    };
    assert!(matches!(stated(1 << 20), Err(Flaw::Damaged)), "it is not compressed");
    assert!(matches!(stated(-1), Err(Flaw::Damaged)));
    assert!(matches!(stated(1 << 40), Err(Flaw::Damaged)), "sizes have 32 bits");
}

#[test]
fn a_page_that_does_not_fit_is_refused_before_memory_is_taken() {
    // Compressed by snappy, and it states this many bytes.
    let stated = |size: u64| {
        let bytes = Out::default().varint(size).bytes;
        let pages = vec![(3, 0, Some(size as i64), bytes)];
        Crafted { codec: 1, pages, ..Crafted::new(3, 0, vec![]) }.read(LIMIT, 9)
    };
    assert!(matches!(stated(17 << 20), Err(Flaw::TooLarge)));
    assert!(matches!(stated((1 << 31) - 1), Err(Flaw::TooLarge)));
    assert!(matches!(stated(1 << 20), Err(Flaw::Damaged)));
}

#[test]
fn checksums_are_verified() {
    let page = keys(&[run(3), vec![1]].concat());
    let good = Crafted { checksums: true, ..Crafted::keyed(3, page.clone()) };
    assert_eq!(good.read(LIMIT, 9).unwrap(), 3);
    let bytes = good.bytes();
    let dictionary = &good.dictionary.as_ref().unwrap().0;
    // Every bit of the dictionary and of the page, wherever they stand in the file.
    for body in [dictionary, &page] {
        let at = bytes.windows(body.len()).position(|window| window == body).unwrap();
        for bit in 0..body.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[at + bit / 8] ^= 1 << (bit % 8);
            let read = read_all(file_of(&damaged), &MemoryLimit::new(LIMIT));
            assert!(matches!(read, Err(Flaw::Damaged)), "bit {bit}: {read:?}");
        }
    }
}

#[test]
fn levels_are_as_long_as_they_say_and_say_as_many_rows() {
    // Ten rows, of which two are missing, behind the length of their levels.
    let strings = b"\x01\0\0\0x".repeat(8);
    let page = |levels: &[u8]| [&(levels.len() as u32).to_le_bytes()[..], levels, &strings].concat();
    let read = |levels: &[u8]| Crafted { optional: true, ..Crafted::new(10, 0, page(levels)) }.read(LIMIT, 9);
    let packed = [0b101, 0b1111_1010, 0b11];
    assert_eq!(read(&packed).unwrap(), 10);
    assert_eq!(read(&[16, 1, 4, 0]).unwrap(), 10, "eight times one, and twice zero");
    // Some writers fill up with zeros, and runs with what they packed before.
    assert_eq!(read(&[16, 1, 4, 0, 0]).unwrap(), 10);
    assert_eq!(read(&[0b1001, 0b1111_1010, 0b11, 7, 0, 0]).unwrap(), 10);
    let filled =
        |groups: u8| [&[groups << 1 | 1, 0b1111_1010, 0b11][..], &vec![7; groups as usize - 2]].concat();
    assert_eq!(read(&filled(32)).unwrap(), 10);
    assert!(matches!(read(&filled(34)), Err(Flaw::Damaged)));
    for bad in [
        // None; one group of two; a run that states two groups and has one and a half, or three and has two.
        &[][..],
        &[0b11, 0b1111_1010],
        &packed[..2],
        &[0b111, 0b1111_1010, 0b11],
        // Fewer and more rows than there are, and more missing values or fewer.
        &[16, 1, 2, 0],
        &[16, 1, 6, 0],
        &[16, 1, 4, 0, 2, 0],
        &[14, 1, 6, 0],
        &[18, 1, 2, 0],
        // No level is two.
        &[16, 2, 4, 0],
        // Bytes behind the last run.
        &[0b101, 0b1111_1010, 0b11, 1],
    ] {
        assert!(matches!(read(bad), Err(Flaw::Damaged)), "{bad:?}");
    }
    // The same in the second version, whose header also says how many are missing.
    let second = |missing: i64, levels: &[u8], length: i64| {
        let page = [levels, &strings].concat();
        let second = Some((missing, length));
        Crafted { optional: true, second, ..Crafted::new(10, 0, page) }.read(LIMIT, 9)
    };
    assert_eq!(second(2, &packed, 3).unwrap(), 10);
    for (missing, levels, length) in [
        (1, &packed[..], 3),
        (3, &packed, 3),
        (0, &packed, 3),
        (11, &packed, 3),
        (-1, &packed, 3),
        (2, &packed, 2),
        (2, &packed, 4),
        (2, &packed, 0),
        (2, &packed, -1),
        (2, &packed[..2], 2),
    ] {
        let read = second(missing, levels, length);
        assert!(matches!(read, Err(Flaw::Damaged)), "{missing} {levels:?} {length}: {read:?}");
    }
}

#[test]
fn a_page_is_read_to_its_end() {
    let more = |page: &[u8], byte: u8| [page, &[0, byte]].concat();
    let plain = b"\x01\0\0\0x".repeat(3);
    let keyed = keys(&[run(3), vec![1]].concat());
    // The lengths 1, 1 and 1 as differences, without a width that counts, and the strings.
    let lengths =
        [&Out::default().varint(128).varint(4).varint(3).varint(2).varint(0).bytes[..], &[0; 4]].concat();
    let strings = [&lengths[..], b"abc"].concat();
    // The same behind prefixes of nothing.
    let none =
        [&Out::default().varint(128).varint(4).varint(3).varint(0).varint(0).bytes[..], &[0; 4]].concat();
    let shared = [&none[..], &strings].concat();
    for (good, page) in [
        (Crafted::new(3, 0, plain.clone()), plain),
        (Crafted::keyed(3, keyed.clone()), keyed),
        (Crafted::new(3, 6, strings.clone()), strings),
        (Crafted::new(3, 7, shared.clone()), shared),
    ] {
        assert_eq!(good.read(LIMIT, 9).unwrap(), 3);
        let (rows, encoding, ..) = good.pages[0];
        let longer =
            |byte| Crafted { pages: vec![(rows, encoding, None, more(&page, byte))], ..good.clone() };
        assert!(matches!(longer(9).read(LIMIT, 9), Err(Flaw::Damaged)), "encoding {encoding}");
        // Some writers fill up with zeros.
        assert_eq!(longer(0).read(LIMIT, 9).unwrap(), 3, "encoding {encoding}");
        let rows = Crafted { pages: vec![(2, encoding, None, page)], values: 2, rows: 2, ..good };
        assert!(matches!(rows.read(LIMIT, 9), Err(Flaw::Damaged)), "encoding {encoding}");
    }
    // A dictionary of fewer values than its page holds.
    let mut short = Crafted::keyed(3, keys(&[run(3), vec![0]].concat()));
    short.dictionary.as_mut().unwrap().1 = 1;
    assert!(matches!(short.read(LIMIT, 9), Err(Flaw::Damaged)));
}

#[test]
fn large_pages_are_not_held_if_they_are_plain() {
    const ROWS: i64 = 1_300_000;
    let memory = 4 << 20;
    let numbers: Vec<u8> = (0..ROWS).flat_map(i64::to_le_bytes).collect();
    let read = |file: &Crafted| {
        read_all(file_of(&file.bytes()), &MemoryLimit::new(memory)).map(|mut all| all.remove(0))
    };
    let required = Crafted { physical: 2, checksums: true, ..Crafted::new(ROWS, 0, numbers.clone()) };
    let seen = read(&required).unwrap();
    assert!(seen.iter().zip(0..ROWS).all(|(seen, n)| *seen == Seen::Integer(n.into())));
    // A wrong byte anywhere is noticed by the checksum, and a wrong size without.
    for at in [0, numbers.len() / 2, numbers.len() - 1] {
        let mut bytes = required.bytes();
        let start = bytes.len() - numbers.len();
        let start = (0..start).find(|start| bytes[*start..].starts_with(&numbers[..16])).unwrap();
        bytes[start + at] ^= 4;
        assert!(matches!(read_all(file_of(&bytes), &MemoryLimit::new(memory)), Err(Flaw::Damaged)), "{at}");
    }
    for size in [numbers.len() - 8, numbers.len() - 1] {
        let short = Crafted { physical: 2, ..Crafted::new(ROWS, 0, numbers[..size].to_vec()) };
        assert!(matches!(read(&short), Err(Flaw::Damaged)));
    }
    let long = Crafted { physical: 2, ..Crafted::new(ROWS - 1, 0, numbers.clone()) };
    assert!(matches!(read(&long), Err(Flaw::Damaged)));
    let filled = Crafted { physical: 2, ..Crafted::new(ROWS, 0, [&numbers[..], &[0; 8]].concat()) };
    assert_eq!(read(&filled).unwrap().len() as i64, ROWS);

    // Every fifth row is missing, which says the first version and the second.
    let rows = ROWS / 4 * 5;
    let present = |row: i64| row % 5 != 3;
    let mut levels = Out::default().varint((rows as u64).div_ceil(8) << 1 | 1).bytes;
    levels.extend((0..rows).step_by(8).map(|first| {
        (0..8).filter(|bit| present(first + bit) && first + bit < rows).map(|bit| 1u8 << bit).sum::<u8>()
    }));
    let length = levels.len();
    let first = [&(length as u32).to_le_bytes()[..], &levels, &numbers].concat();
    let first = Crafted { physical: 2, optional: true, ..Crafted::new(rows, 0, first) };
    let second = Crafted {
        second: Some((rows / 5, length as i64)),
        checksums: true,
        ..Crafted { physical: 2, optional: true, ..Crafted::new(rows, 0, [levels, numbers].concat()) }
    };
    for file in [first, second] {
        let mut next = 0;
        for (seen, row) in read(&file).unwrap().iter().zip(0..rows) {
            assert_eq!(*seen, if present(row) { Seen::Integer(next) } else { Seen::Missing });
            next += i128::from(present(row));
        }
        assert_eq!(next, i128::from(ROWS));
    }
}

#[test]
fn large_pages_of_strings_are_not_held_either() {
    // One string is longer than what is looked at at once.
    let length = |index: usize| if index == 7_000 { 1_500_000 } else { index % 700 };
    let count = 30_000;
    let mut page = Vec::new();
    for index in 0..count {
        page.extend((length(index) as u32).to_le_bytes());
        page.resize(page.len() + length(index), b'a' + (index % 26) as u8);
    }
    assert!(page.len() > 10 << 20);
    let file = Crafted { checksums: true, ..Crafted::new(count as i64, 0, page.clone()) };
    let seen = read_all(file_of(&file.bytes()), &MemoryLimit::new(6 << 20)).unwrap().remove(0);
    for (index, seen) in seen.iter().enumerate() {
        let Seen::Text(text) = seen else { panic!("not text") };
        assert!(text.len() == length(index) && text.bytes().all(|byte| byte == b'a' + (index % 26) as u8));
    }
    // The string alone does not fit; one that leads out of the page; one that is cut.
    assert!(matches!(file.read(2 << 20, 99), Err(Flaw::TooLarge)));
    let mut out = page.clone();
    out[3] = 1;
    assert!(matches!(Crafted::new(count as i64, 0, out).read(6 << 20, 99), Err(Flaw::Damaged)));
    page.truncate(page.len() - 1);
    assert!(matches!(Crafted::new(count as i64, 0, page).read(6 << 20, 99), Err(Flaw::Damaged)));
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
    assert!(matches!(Crafted::new(4_000, 7, page).read(64 << 20, 9), Err(Flaw::TooLarge)));
}

#[test]
fn text_must_be_utf8_and_keys_are_given_as_such() {
    let page = b"\x02\0\0\0\xc3\xa9\x01\0\0\0\xff".to_vec();
    assert!(matches!(Crafted::new(2, 0, page).read(LIMIT, 9), Err(Flaw::NotUtf8)));

    let text = Crafted::keyed(9, keys(&[run(9), vec![1]].concat()));
    let memory = MemoryLimit::new(LIMIT);
    let file = ParquetFile::open(file_of(&text.bytes()), &memory).unwrap();
    let spares = Spares::default();
    file.read::<Flaw>(0, &[0], &memory, &spares, &mut |columns| {
        let ColumnValues::Keyed { keys, values } = &columns[0] else { panic!("not keys") };
        assert_eq!((&keys[..], values.len()), (&[1; 9][..], 2));
        Ok(())
    })
    .unwrap();
    file.read::<Flaw>(0, &[], &memory, &spares, &mut |_| panic!("nothing was asked for")).unwrap();
    assert!(file.read::<Flaw>(0, &[1], &memory, &spares, &mut |_| Ok(())).is_err());
    assert!(file.read::<Flaw>(1, &[0], &memory, &spares, &mut |_| Ok(())).is_err());
}

#[test]
fn footers_are_checked() {
    let open = |bytes: &[u8]| ParquetFile::open(file_of(bytes), &MemoryLimit::new(LIMIT)).map(|_| ());
    for length in 0..12 {
        assert!(matches!(open(&b"PAR1PAR1PAR1"[..length]), Err(Flaw::Damaged)));
    }
    assert!(matches!(open(b"PAR1\0\0\0\0PAR1"), Err(Flaw::Damaged)));
    assert!(matches!(open(b"PAR1\x01\0\0\0PAR1"), Err(Flaw::Damaged)));
    assert!(matches!(open(b"PAR1\xff\xff\xff\xffPAR1"), Err(Flaw::Damaged)));
    assert!(matches!(open(b"PARE\0\0\0\0PARE"), Err(Flaw::Unsupported("encryption"))));
    let root = Out::default().binary(4, b"root").int(5, 0);
    let empty = Out::default().int(1, 1).list(2, vec![root.clone()]).long(3, 0).list(4, vec![]);
    assert!(open(&footer(b"PAR1".to_vec(), empty.clone())).is_ok());
    let encrypted = empty.structure(8, Out::default());
    assert!(matches!(open(&footer(b"PAR1".to_vec(), encrypted)), Err(Flaw::Unsupported("encryption"))));
    // Very many groups of no columns take memory, too.
    let group = Out::default().list(1, vec![]).long(2, 0).long(3, 0);
    let many = Out::default().int(1, 1).list(2, vec![root]).long(3, 0).list(4, vec![group; 1 << 20]);
    assert!(matches!(open(&footer(b"PAR1".to_vec(), many)), Err(Flaw::TooLarge)));
}
