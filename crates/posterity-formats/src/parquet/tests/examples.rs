//! Columns that Arrow's types do not lead to, and nested ones.

use std::sync::Arc;

use ::parquet::data_type::{
    ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int96, Int96Type,
};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;

use crate::column::ValueKind;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};

use super::seen::{Seen, read_all};

const SCHEMA: &str = "message all {
    optional int96 moment;
    required binary wide (DECIMAL(20, 3));
    optional binary choice (ENUM);
    required binary document (JSON);
    required fixed_len_byte_array(2) id;
    required fixed_len_byte_array(12) span (INTERVAL);
    optional int32 old_day (DATE);
    required int32 old_unsigned (UINT_8);
    optional group pair { required int32 x; optional int32 y; }
    optional group items (LIST) { repeated group list { optional int32 element; } }
    repeated int32 numbers;
    required int32 last;
}";

fn add<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, std::fs::File>,
    values: &[T::T],
    definition: Option<&[i16]>,
    repetition: Option<&[i16]>,
) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, definition, repetition).unwrap();
    column.close().unwrap();
}

#[test]
fn columns_of_every_make_are_read_and_nested_ones_are_listed() {
    let file = tempfile::tempfile().unwrap();
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_dictionary_enabled(false).build());
    let mut writer = SerializedFileWriter::new(file.try_clone().unwrap(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut moment = Int96::new();
    moment.set_data(5, 0, 2_440_589);
    let bytes = |bytes: &[u8]| ByteArray::from(bytes.to_vec());
    let fixed = |bytes: &[u8]| FixedLenByteArray::from(bytes.to_vec());
    add::<Int96Type>(&mut group, &[moment], Some(&[1, 0]), None);
    add::<ByteArrayType>(&mut group, &[bytes(&[0xff]), bytes(&[0; 20])], None, None);
    add::<ByteArrayType>(&mut group, &[bytes(b"red")], Some(&[0, 1]), None);
    add::<ByteArrayType>(&mut group, &[bytes(b"{}"), bytes(b"[]")], None, None);
    add::<FixedLenByteArrayType>(&mut group, &[fixed(b"ab"), fixed(b"\xff\0")], None, None);
    add::<FixedLenByteArrayType>(&mut group, &[fixed(&[1; 12]), fixed(&[2; 12])], None, None);
    add::<Int32Type>(&mut group, &[-1, 20_000], Some(&[1, 1]), None);
    add::<Int32Type>(&mut group, &[0, 255], None, None);
    add::<Int32Type>(&mut group, &[1], Some(&[1, 0]), None);
    add::<Int32Type>(&mut group, &[1], Some(&[2, 0]), None);
    add::<Int32Type>(&mut group, &[1, 2, 3], Some(&[3, 3, 3]), Some(&[0, 1, 0]));
    add::<Int32Type>(&mut group, &[7, 8], Some(&[1, 1, 0]), Some(&[0, 1, 0]));
    add::<Int32Type>(&mut group, &[41, 42], None, None);
    group.close().unwrap();
    writer.close().unwrap();

    let memory = MemoryLimit::new(64 << 20);
    let opened = ParquetFile::open(file.try_clone().unwrap(), &memory).unwrap();
    let fields: Vec<_> = opened
        .fields()
        .iter()
        .map(|field| (field.name.as_str(), field.kind, field.described.as_str()))
        .collect();
    let expected = [
        ("moment", ValueKind::Instant, "Timestamp(ns)"),
        ("wide", ValueKind::Decimal, "Decimal(20, 3)"),
        ("choice", ValueKind::Text, "Utf8"),
        ("document", ValueKind::Text, "Utf8"),
        ("id", ValueKind::Bytes, "FixedSizeBinary(2)"),
        ("span", ValueKind::Strange, "Interval"),
        ("old_day", ValueKind::Day, "Date32"),
        ("old_unsigned", ValueKind::Integer, "UInt8"),
        ("pair", ValueKind::Strange, "Struct"),
        ("items", ValueKind::Strange, "List"),
        ("numbers", ValueKind::Strange, "List"),
        ("last", ValueKind::Integer, "Int32"),
    ];
    assert_eq!(fields, expected);
    for nested in 8..11 {
        let read = opened.read::<Flaw>(0, &[nested], &memory, &Spares::default(), &mut |_| Ok(()));
        assert!(matches!(read, Err(Flaw::Unsupported("nested columns"))));
    }
    let seen = read_all(file, &memory).unwrap();
    assert_eq!(seen[0], [Seen::Instant(86_400_000_000_000 + 5, 1_000_000_000), Seen::Missing]);
    assert_eq!(seen[1], [Seen::Decimal(-1, 3), Seen::Decimal(0, 3)]);
    assert_eq!(seen[2], [Seen::Missing, Seen::Text("red".to_owned())]);
    assert_eq!(seen[3], [Seen::Text("{}".to_owned()), Seen::Text("[]".to_owned())]);
    assert_eq!(seen[4], [Seen::Bytes(b"ab".to_vec()), Seen::Bytes(b"\xff\0".to_vec())]);
    assert_eq!(seen[5], [Seen::Strange, Seen::Strange]);
    assert_eq!(seen[6], [Seen::Day(-1), Seen::Day(20_000)]);
    assert_eq!(seen[7], [Seen::Integer(0), Seen::Integer(255)]);
    assert_eq!(seen[11], [Seen::Integer(41), Seen::Integer(42)]);
}
