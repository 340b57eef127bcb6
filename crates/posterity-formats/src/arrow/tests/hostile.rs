//! Files with one false statement each.

use std::io::Write;
use std::time::Instant;

use arrow_ipc as ipc;
use arrow_ipc::CompressionType;
use arrow_schema::{DataType, Field, Fields};

use super::craft::{Craft, framed, schema_only, stream};
use super::{file, read_all};
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::value::Value;

/// The first column, or what is wrong with it.
fn column(bytes: &[u8]) -> Result<Vec<String>, Flaw> {
    let start = Instant::now();
    let mut values = Vec::new();
    let outcome = read_all(file(bytes), &MemoryLimit::new(1 << 30), &mut |_, _, piece| {
        let shown = (0..piece[0].len().min(50)).map(|row| match piece[0].get(row) {
            Value::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
            other => format!("{other:?}"),
        });
        values.extend(shown.take(1000 - values.len().min(1000)));
    });
    assert!(start.elapsed().as_secs() < 3, "{:?}", start.elapsed());
    outcome.map(|_| values)
}

fn damaged(bytes: &[u8]) -> bool {
    matches!(column(bytes), Err(Flaw::Damaged))
}

fn too_large(bytes: &[u8]) -> bool {
    matches!(column(bytes), Err(Flaw::TooLarge))
}

fn words<const N: usize>(numbers: [i32; N]) -> Vec<u8> {
    numbers.into_iter().flat_map(i32::to_le_bytes).collect()
}

fn text(offsets: &[u8], bytes: &[u8]) -> Vec<u8> {
    stream(&DataType::Utf8, &[Craft::new(offsets.len() as i64 / 4 - 1, 0, &[&[], offsets, bytes])])
}

#[test]
fn offsets() {
    assert_eq!(column(&text(&words([0, 1, 3]), b"abc")).unwrap(), ["a", "bc"]);
    assert_eq!(column(&text(&words([1, 1, 3]), b"abc")).unwrap(), ["", "bc"]);
    assert!(damaged(&text(&words([0, 2, 1]), b"abc")));
    assert!(damaged(&text(&words([0, 2, 4]), b"abc")));
    assert!(damaged(&text(&words([-1, 2, 3]), b"abc")));
    assert!(damaged(&text(&words([0, -2, 3]), b"abc")));
    // Too few offsets, and none at all.
    assert!(damaged(&stream(&DataType::Utf8, &[Craft::new(2, 0, &[&[], &words([0, 1]), b"abc"])])));
    assert!(damaged(&stream(&DataType::Utf8, &[Craft::new(2, 0, &[&[], &[], &[]])])));
    assert_eq!(column(&stream(&DataType::Utf8, &[Craft::new(0, 0, &[&[], &[], &[]])])).unwrap().len(), 0);
    let wide = [0, 1, i64::MAX].map(i64::to_le_bytes).concat();
    assert!(damaged(&stream(&DataType::LargeUtf8, &[Craft::new(2, 0, &[&[], &wide, b"abc"])])));
}

#[test]
fn text_that_is_not() {
    assert!(matches!(column(&text(&words([0, 1, 3]), b"a\xffc")), Err(Flaw::NotUtf8)));
    // All bytes together are text, but neither string is.
    assert!(matches!(column(&text(&words([0, 1, 2]), "é".as_bytes())), Err(Flaw::NotUtf8)));
    // What stands for a missing value does not matter.
    let missing = Craft::new(2, 1, &[&[0b10], &words([0, 1, 2]), b"\xffa"]);
    assert_eq!(column(&stream(&DataType::Utf8, &[missing])).unwrap(), ["Missing", "a"]);
}

#[test]
fn views() {
    // The bytes that a view repeats are right where the string is, or nothing is.
    let long: &[u8] = b"a string of more than twelve bytes";
    let view = |len: i32, index: i32, offset: i32| {
        let prefix = usize::try_from(offset).ok().and_then(|offset| long.get(offset..)?.first_chunk());
        words([len, i32::from_le_bytes(*prefix.unwrap_or(&[0; 4])), index, offset])
    };
    let bytes = |views: &[u8], buffers: &[&[u8]]| {
        let parts = [&[&[] as &[u8], views], buffers].concat();
        let craft = Craft::new(views.len() as i64 / 16, 0, &parts);
        stream(&DataType::Utf8View, &[Craft { variadic: vec![buffers.len() as i64], ..craft }])
    };
    assert_eq!(column(&bytes(&view(13, 0, 2), &[long])).unwrap(), ["string of mor"]);
    assert_eq!(column(&bytes(&view(13, 1, 21), &[&[], long])).unwrap(), [" twelve bytes"]);
    for (len, index, offset) in
        [(13, 1, 0), (13, -1, 0), (13, 0, 22), (13, 0, -1), (-1, 0, 0), (i32::MAX, 0, 0), (i32::MIN, 0, 0)]
    {
        assert!(damaged(&bytes(&view(len, index, offset), &[long])), "{len} {index} {offset}");
    }
    // Bytes that are not those of the string, and bytes behind a short string.
    assert!(damaged(&bytes(&words([13, 0, 0, 2]), &[long])));
    let short = |len: i32| bytes(&[&len.to_le_bytes()[..], b"abc", &[0; 9]].concat(), &[]);
    assert_eq!(column(&short(3)).unwrap(), ["abc"]);
    assert_eq!(column(&short(4)).unwrap(), ["abc\0"]);
    assert!(damaged(&short(2)) && damaged(&short(0)));
    let one = Craft::new(1, 0, &[&[], &view(13, 0, 2), long]);
    for variadic in [vec![], vec![0], vec![2], vec![-1], vec![i64::MAX], vec![1, 0], vec![i64::MAX, i64::MAX]]
    {
        assert!(damaged(&stream(&DataType::Utf8View, &[Craft { variadic, ..one.clone() }])));
    }
    // Two thousand views of the same hundred thousand bytes.
    let same = vec![b'a'; 100_000];
    let view = words([100_000, i32::from_le_bytes(*b"aaaa"), 0, 0]);
    assert!(too_large(&bytes(&view.repeat(2000), &[&same])));
    assert!(column(&bytes(&view.repeat(500), &[&same])).is_ok());
}

/// A bitmap of validity of which no bit is missing.
const ALL: u8 = 0xff;

#[test]
fn missing_values_are_as_many_as_stated() {
    let numbers: Vec<u8> = (0..20i32).flat_map(i32::to_le_bytes).collect();
    let bitmap = |absent: &[usize]| {
        let mut bytes = [ALL; 3];
        absent.iter().for_each(|row| bytes[row / 8] &= !(1 << (row % 8)));
        bytes
    };
    let read = |missing: i64, bitmap: &[u8]| {
        column(&stream(&DataType::Int32, &[Craft::new(20, missing, &[bitmap, &numbers])]))
    };
    assert_eq!(read(0, &[]).unwrap().len(), 20);
    assert_eq!(read(0, &bitmap(&[])).unwrap()[..2], ["Integer(0)", "Integer(1)"]);
    assert_eq!(read(2, &bitmap(&[0, 19])).unwrap()[..2], ["Missing", "Integer(1)"]);
    // What stands behind the last row does not matter.
    assert!(read(0, &bitmap(&[20, 21, 22, 23])).is_ok());
    for (missing, absent) in
        [(0, &[3][..]), (1, &[]), (2, &[3]), (1, &[3, 19]), (3, &[3, 19]), (20, &[3]), (1, &[20])]
    {
        let outcome = read(missing, &bitmap(absent));
        assert!(matches!(outcome, Err(Flaw::Damaged)), "{missing} {absent:?}: {outcome:?}");
    }
    // A bitmap that is too short, and one that is not there.
    assert!(matches!(read(0, &bitmap(&[])[..2]), Err(Flaw::Damaged)));
    assert!(matches!(read(1, &[]), Err(Flaw::Damaged)));
    // The same of text, of values that are not read, of keys and of a dictionary.
    let offsets = words([0, 1, 2]);
    let text = |missing| stream(&DataType::Utf8, &[Craft::new(2, missing, &[&[0b10], &offsets, b"ab"])]);
    assert_eq!(column(&text(1)).unwrap(), ["Missing", "b"]);
    assert!(damaged(&text(0)) && damaged(&text(2)));
    let empty = DataType::Struct(Fields::empty());
    let strange = |missing| stream(&empty, &[Craft::new(2, missing, &[&[0b10]])]);
    assert!(column(&strange(1)).is_ok() && damaged(&strange(0)) && damaged(&strange(2)));
    let keyed = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    let both = |values: i64, keys: i64| {
        let dictionary = Craft::new(2, values, &[&[0b01], &offsets, b"ab"]);
        let dictionary = Craft { dictionary: Some((0, false)), ..dictionary };
        stream(&keyed, &[dictionary, Craft::new(2, keys, &[&[0b01], &[0, 0]])])
    };
    assert_eq!(column(&both(1, 1)).unwrap(), ["a", "Missing"]);
    for (values, keys) in [(0, 1), (2, 1), (1, 0), (1, 2)] {
        assert!(damaged(&both(values, keys)), "{values} {keys}");
    }
}

#[test]
fn keys() {
    let data_type = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8));
    let values = Craft::new(3, 1, &[&[0b101], &words([0, 1, 1, 2]), b"ab"]);
    let values = Craft { dictionary: Some((0, false)), ..values };
    let keys = |missing: i64, keys: &[i8], valid: u8| {
        let keys: Vec<u8> = keys.iter().map(|&key| key as u8).collect();
        Craft::new(keys.len() as i64, missing, &[&[valid], &keys])
    };
    let read = |batches: &[Craft]| column(&stream(&data_type, batches));
    // A missing value of the dictionary is one of the column.
    assert_eq!(read(&[values.clone(), keys(0, &[2, 1, 0], ALL)]).unwrap(), ["b", "Missing", "a"]);
    assert!(matches!(read(&[values.clone(), keys(0, &[3], ALL)]), Err(Flaw::Damaged)));
    assert!(matches!(read(&[values.clone(), keys(0, &[-1], ALL)]), Err(Flaw::Damaged)));
    // The key of a missing value does not matter, nor does a dictionary that no key needs.
    assert_eq!(read(&[values.clone(), keys(1, &[99, 0], 0b10)]).unwrap(), ["Missing", "a"]);
    assert_eq!(read(&[keys(1, &[99], 0)]).unwrap(), ["Missing"]);
    assert!(matches!(read(&[keys(0, &[0], ALL)]), Err(Flaw::Damaged)));
    // A list that grows is longer only for what comes after, and one that is replaced is gone.
    let more = Craft { dictionary: Some((0, true)), ..values.clone() };
    assert_eq!(
        read(&[values.clone(), keys(0, &[0], ALL), more.clone(), keys(0, &[3, 5], ALL)]).unwrap(),
        ["a", "a", "b"]
    );
    assert!(read(&[values.clone(), keys(0, &[3], ALL), more.clone(), keys(0, &[3, 5], ALL)]).is_err());
    assert!(read(&[values.clone(), more.clone(), values.clone(), keys(0, &[3], ALL)]).is_err());
    assert!(read(&[more, keys(0, &[0], ALL)]).is_err());
    // The values of another dictionary are of no use.
    let other = Craft { dictionary: Some((7, false)), ..values };
    assert!(read(&[other, keys(0, &[0], ALL)]).is_err());
}

#[test]
fn numbers_of_parts_and_rows() {
    let good = Craft::new(2, 0, &[&[], &[1, 2, 3, 4, 5, 6, 7, 8]]);
    let read = |craft: Craft| column(&stream(&DataType::Int32, &[craft]));
    assert_eq!(read(good.clone()).unwrap().len(), 2);
    let wrong = [
        Craft { rows: 3, ..good.clone() },
        Craft { rows: -1, ..good.clone() },
        Craft { rows: 3, nodes: vec![(3, 0)], ..good.clone() },
        Craft { rows: 1 << 62, nodes: vec![(1 << 62, 0)], ..good.clone() },
        Craft { nodes: vec![(2, 3)], ..good.clone() },
        Craft { nodes: vec![(2, -1)], ..good.clone() },
        Craft { nodes: vec![(2, 1)], ..good.clone() },
        Craft { nodes: vec![], ..good.clone() },
        Craft { nodes: vec![(2, 0), (2, 0)], ..good.clone() },
        Craft { buffers: vec![(0, 0)], ..good.clone() },
        Craft { buffers: vec![(0, 0), (0, 8), (0, 8)], ..good.clone() },
        Craft { buffers: vec![(0, 0), (1, 8)], ..good.clone() },
        // It does not begin at a multiple of eight.
        Craft { body: vec![0; 16], buffers: vec![(0, 0), (4, 8)], ..good.clone() },
        Craft { buffers: vec![(0, 0), (-8, 8)], ..good.clone() },
        Craft { buffers: vec![(0, 0), (8, i64::MAX)], ..good.clone() },
        Craft { buffers: vec![(0, 0), (i64::MAX, 8)], ..good.clone() },
        Craft { body_length: Some(-1), ..good.clone() },
        Craft { body_length: Some(i64::MAX), ..good.clone() },
        Craft { body_length: Some(9), ..good.clone() },
    ];
    for craft in wrong {
        assert!(matches!(read(craft.clone()), Err(Flaw::Damaged)), "{craft:?}");
    }
}

#[test]
fn rows_without_bytes() {
    let empty = DataType::Struct(Fields::empty());
    for (data_type, buffers) in [(DataType::Null, 0), (empty, 1), (DataType::FixedSizeBinary(0), 2)] {
        let read =
            |rows: i64| column(&stream(&data_type, &[Craft::new(rows, 0, &vec![&[] as &[u8]; buffers])]));
        assert!(read(1 << 20).is_ok());
        assert!(matches!(read(1 << 60), Err(Flaw::Damaged)), "{data_type}");
    }
    // Bytes that belong to no row change nothing.
    let stray = Craft::new(1 << 60, 0, &[&[], &[1, 2, 3, 4]]);
    assert!(damaged(&stream(&DataType::FixedSizeBinary(0), &[stray])));
    let null = stream(&DataType::Null, &[Craft::new(1 << 31, 1 << 31, &[])]);
    let memory = MemoryLimit::new(1 << 20);
    let mut rows = 0;
    read_all(file(&null), &memory, &mut |_, _, piece| rows += piece[0].len()).unwrap();
    assert_eq!(rows, 1 << 31);
    // The number of all rows must be a number.
    let many = Craft::new(i64::MAX, 0, &[]);
    assert!(damaged(&stream(&DataType::Null, &[many.clone(), many.clone(), many])));
}

fn compressed(codec: CompressionType, stated: i64, frame: &[u8], rows: i64) -> Vec<u8> {
    let buffer = [&stated.to_le_bytes(), frame].concat();
    let craft = Craft::new(rows, 0, &[&[], &buffer]);
    stream(&DataType::Int64, &[Craft { codec: Some(codec), ..craft }])
}

#[test]
fn compressed_lengths() {
    let zeros = vec![0; 10 << 20];
    let rows = zeros.len() as i64 / 8;
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(&zeros).unwrap();
    let frames = [
        (CompressionType::LZ4_FRAME, lz4.finish().unwrap()),
        (CompressionType::ZSTD, zstd::bulk::compress(&zeros, 3).unwrap()),
    ];
    for (codec, frame) in frames {
        let read = |stated: i64, rows: i64| compressed(codec, stated, &frame, rows);
        let all = zeros.len() as i64;
        assert!(column(&read(all, rows)).is_ok());
        // Fewer rows than there are bytes for is allowed.
        assert!(column(&read(all, 5)).is_ok());
        assert!(damaged(&read(all, rows + 1)));
        for stated in [1, 100, all - 1, all + 1, 2 * all] {
            assert!(damaged(&read(stated, 1)), "{stated}");
        }
        for stated in [(256 << 20) + 1, 1 << 40, 1 << 62, i64::MAX] {
            assert!(too_large(&read(stated, 1)), "{stated}");
        }
        for stated in [-2, i64::MIN, 0] {
            assert!(damaged(&read(stated, 1)), "{stated}");
        }
        // It says that it is not compressed: then these bytes are the values.
        assert!(column(&read(-1, 3)).is_ok());
        // A frame that is cut, and one that is not there.
        assert!(damaged(&compressed(codec, all, &frame[..frame.len() / 2], rows)));
        assert!(damaged(&compressed(codec, all, &[], rows)));
        let short = Craft::new(1, 0, &[&[], &[1, 2, 3]]);
        assert!(damaged(&stream(&DataType::Int64, &[Craft { codec: Some(codec), ..short }])));
    }
    // Half a gigabyte in a few kilobytes.
    let frame = zstd::bulk::compress(&vec![0; 512 << 20], 3).unwrap();
    assert!(frame.len() < 100_000);
    assert!(too_large(&compressed(CompressionType::ZSTD, 512 << 20, &frame, 1)));
    assert!(damaged(&compressed(CompressionType::ZSTD, 8, &frame, 1)));
    // A window of terabytes.
    let window = [0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0];
    assert!(damaged(&compressed(CompressionType::ZSTD, 8, &window, 1)));
}

#[test]
fn all_buffers_of_a_batch_together() {
    // Five buffers of 60 MiB each, in a stream of a few kilobytes.
    let frame = zstd::bulk::compress(&vec![0; 60 << 20], 3).unwrap();
    let buffer = [&(60_i64 << 20).to_le_bytes(), frame.as_slice()].concat();
    let parts = [&[] as &[u8], &buffer, &buffer, &buffer, &buffer, &buffer];
    let craft = Craft { variadic: vec![4], codec: Some(CompressionType::ZSTD), ..Craft::new(1, 0, &parts) };
    assert!(too_large(&stream(&DataType::Utf8View, std::slice::from_ref(&craft))));
    let craft = Craft { variadic: vec![1], buffers: craft.buffers[..3].to_vec(), ..craft };
    assert_eq!(column(&stream(&DataType::Utf8View, &[craft])).unwrap(), [""]);
}

#[test]
fn lengths_of_metadata() {
    let good = text(&words([0, 1]), b"a");
    for len in [1, 3, 8, 1 << 20, 1 << 30, i32::MAX as u32, 1 << 31, u32::MAX - 1] {
        let mut bytes = good.clone();
        bytes[4..8].copy_from_slice(&len.to_le_bytes());
        assert!(damaged(&bytes), "{len}");
    }
    let mut long = framed(&vec![0; 17 << 20]);
    assert!(too_large(&long));
    long.truncate(1 << 20);
    assert!(damaged(&long));
    // The end of the stream may be marked or not, but nothing may follow: records there would not be counted.
    assert!(column(&[&good[..], &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]].concat()).is_ok());
    assert!(column(&[&good[..], &[0, 0, 0, 0]].concat()).is_ok());
    assert!(damaged(&[&good[..], &[0, 0, 0, 0], &good].concat()));
    assert!(damaged(&[&good[..], &good].concat()));
    assert!(damaged(&good[..good.len() - 1]));
    for bytes in [&b""[..], b"ARROW", b"ARROW1", b"ARROW1\0\0ARROW1", b"ARROW1\0\0\xff\xff\xff\x7fARROW1"] {
        assert!(damaged(bytes), "{bytes:?}");
    }
    assert!(matches!(column(b"FEA1 and so on"), Err(Flaw::Unsupported("Feather files of version 1"))));
}

#[test]
fn schemas() {
    let null = |builder: &mut flatbuffers::FlatBufferBuilder<'_>| {
        ipc::Null::create(builder, &ipc::NullArgs {}).as_union_value()
    };
    let big = schema_only(ipc::Endianness::Big, |builder| {
        let type_ = Some(null(builder));
        ipc::Field::create(
            builder,
            &ipc::FieldArgs { type_type: ipc::Type::Null, type_, ..Default::default() },
        )
    });
    assert!(matches!(column(&big), Err(Flaw::Unsupported("big-endian files"))));
    let unknown = schema_only(ipc::Endianness::Little, |builder| {
        let type_ = Some(null(builder));
        ipc::Field::create(builder, &ipc::FieldArgs { type_type: ipc::Type(99), type_, ..Default::default() })
    });
    assert!(matches!(column(&unknown), Err(Flaw::Unsupported(_))));
    // Each level contains the one below twice: a tree of 2^40 columns in a few kilobytes.
    let tree = schema_only(ipc::Endianness::Little, |builder| {
        let type_ = Some(null(builder));
        let leaf = ipc::FieldArgs { type_type: ipc::Type::Null, type_, ..Default::default() };
        let mut field = ipc::Field::create(builder, &leaf);
        for _ in 0..40 {
            let children = Some(builder.create_vector(&[field, field]));
            let type_ = Some(ipc::Struct_::create(builder, &ipc::Struct_Args {}).as_union_value());
            let args =
                ipc::FieldArgs { type_type: ipc::Type::Struct_, type_, children, ..Default::default() };
            field = ipc::Field::create(builder, &args);
        }
        field
    });
    assert!(tree.len() < 10_000 && damaged(&tree));
    let nested = |depth| {
        let wrap = |inner, _| DataType::Struct(Fields::from(vec![Field::new("inner", inner, true)]));
        stream(&(0..depth).fold(DataType::Null, wrap), &[])
    };
    assert!(column(&nested(63)).is_ok());
    assert!(matches!(column(&nested(64)), Err(Flaw::Unsupported(_))));
}

#[test]
fn footers_that_list_a_batch_twice() {
    use arrow_array::{Int64Array, RecordBatch};
    let column: arrow_array::ArrayRef = std::sync::Arc::new(Int64Array::from(vec![1; 100]));
    let batch = RecordBatch::try_from_iter([("column", column)]).unwrap();
    let mut writer = ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.write(&batch).unwrap();
    let good = writer.into_inner().unwrap();
    assert_eq!(super::ArrowFile::open(file(&good), &MemoryLimit::new(1 << 20)).unwrap().batches(), 2);
    let footer = {
        let len = u32::from_le_bytes(good[good.len() - 10..good.len() - 6].try_into().unwrap()) as usize;
        &good[good.len() - 10 - len..good.len() - 10]
    };
    let footer = ipc::root_as_footer(footer).unwrap();
    let block = *footer.recordBatches().unwrap().get(0);
    let blocks = |count: usize| {
        let mut builder = flatbuffers::FlatBufferBuilder::new();
        let batches = Some(builder.create_vector(&vec![block; count]));
        let schema =
            Some(ipc::convert::IpcSchemaEncoder::new().schema_to_fb_offset(&mut builder, &batch.schema()));
        let args = ipc::FooterArgs {
            version: ipc::MetadataVersion::V5,
            schema,
            recordBatches: batches,
            ..Default::default()
        };
        let footer = ipc::Footer::create(&mut builder, &args);
        builder.finish(footer, None);
        let footer = builder.finished_data();
        [&good[..], footer, &(footer.len() as i32).to_le_bytes(), b"ARROW1"].concat()
    };
    assert!(super::ArrowFile::open(file(&blocks(1)), &MemoryLimit::new(1 << 20)).is_ok());
    assert!(damaged(&blocks(100)));
}
