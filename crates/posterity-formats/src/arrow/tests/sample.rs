//! Samples of all types, written by the official implementation.

use std::sync::Arc;

use arrow_array::builder::{BinaryViewBuilder, StringViewBuilder};
use arrow_array::types::*;
use arrow_array::*;
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer, i256};
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, MetadataVersion};
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema, TimeUnit, UnionFields, UnionMode};
use posterity_testkit::Random;

fn bytes(random: &mut Random) -> Vec<u8> {
    let end = if random.chance(20) { 40 } else { 13 };
    let len = random.index(end);
    (0..len).map(|_| random.bits() as u8).collect()
}

fn text(random: &mut Random) -> String {
    let end = if random.chance(20) { 40 } else { 8 };
    let len = random.index(end);
    (0..len).map(|_| ['a', 'b', ' ', 'é', '日', '🦀', '\0'][random.index(7)]).collect()
}

/// How a sample is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    pub(crate) columns: usize,
    pub(crate) batches: usize,
    pub(crate) rows: usize,
    pub(crate) streamed: bool,
    /// 0 is none, 1 LZ4, 2 Zstandard.
    pub(crate) codec: u8,
    /// 0 is version 5, 1 version 4, 2 version 4 as it was before the continuation marker.
    pub(crate) version: u8,
    /// 0 keeps dictionaries, 1 lets them grow, 2 replaces them.
    pub(crate) dictionaries: u8,
}

/// The batches of a sample and its file.
pub(crate) fn sample(options: Options) -> (Vec<RecordBatch>, Vec<u8>) {
    let mut random = Random::new(options.seed);
    let types: Vec<DataType> = (0..options.columns).map(|_| data_type(&mut random, 0)).collect();
    let dictionaries: Vec<Option<ArrayRef>> = types
        .iter()
        .map(|data_type| match data_type {
            DataType::Dictionary(_, values) => Some(array(&mut random, values, 100)),
            _ => None,
        })
        .collect();
    let fields: Vec<Field> = types
        .iter()
        .enumerate()
        .map(|(index, data_type)| Field::new(format!("column {index}"), data_type.clone(), true))
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let mut batches = Vec::new();
    for batch in 0..options.batches {
        let rows = if random.chance(10) { 0 } else { options.rows };
        let skip = random.index(20);
        let arrays = types.iter().zip(&dictionaries).map(|(data_type, dictionary)| {
            let array = match (data_type, dictionary) {
                (DataType::Dictionary(keys, values), Some(dictionary)) => {
                    let values = match options.dictionaries {
                        0 => dictionary.clone(),
                        1 => dictionary.slice(0, (30 * (batch + 1)).min(100)),
                        _ => array(&mut random, values, 5 + 30 * batch),
                    };
                    keyed(&mut random, keys, values, rows + skip)
                }
                _ => array(&mut random, data_type, rows + skip),
            };
            array.slice(skip, rows)
        });
        let arrays = arrays.collect();
        let count = RecordBatchOptions::new().with_row_count(Some(rows));
        batches.push(RecordBatch::try_new_with_options(schema.clone(), arrays, &count).unwrap());
    }
    // The official writer adds a buffer to runs in version 4, which even its own reader does not expect.
    let runs =
        schema.fields().iter().any(|field| format!("{:?}", field.data_type()).contains("RunEndEncoded"));
    let options = if runs { Options { version: 0, ..options } } else { options };
    let file = write(&batches, schema, options);
    (batches, file)
}

/// Writes batches.
pub(crate) fn write(batches: &[RecordBatch], schema: Arc<Schema>, options: Options) -> Vec<u8> {
    let codec = match options.codec {
        0 => None,
        1 => Some(CompressionType::LZ4_FRAME),
        _ => Some(CompressionType::ZSTD),
    };
    let version = if options.version == 0 { MetadataVersion::V5 } else { MetadataVersion::V4 };
    let handling =
        if options.dictionaries == 1 { DictionaryHandling::Delta } else { DictionaryHandling::Resend };
    let written = IpcWriteOptions::try_new(
        if options.seed.is_multiple_of(2) { 8 } else { 64 },
        options.version == 2,
        version,
    )
    .and_then(|written| written.try_with_compression(codec.filter(|_| options.version == 0)))
    .unwrap()
    .with_dictionary_handling(handling);
    if options.streamed {
        let mut writer = StreamWriter::try_new_with_options(Vec::new(), &schema, written).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.into_inner().unwrap()
    } else {
        let mut writer = FileWriter::try_new_with_options(Vec::new(), &schema, written).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.into_inner().unwrap()
    }
}

fn field(random: &mut Random, depth: usize) -> Arc<Field> {
    Arc::new(Field::new("item", data_type(random, depth + 1), true))
}

/// Any type of the format.
pub(crate) fn data_type(random: &mut Random, depth: usize) -> DataType {
    use DataType::*;
    let unit = [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond]
        [random.index(4)];
    let zone = [None, Some("UTC".into()), Some("+02:00".into())][random.index(3)].clone();
    match random.index(if depth < 3 { 46 } else { 33 }) {
        0 => Null,
        1 => Int8,
        2 => Int16,
        3 => Int32,
        4 => Int64,
        5 => UInt8,
        6 => UInt16,
        7 => UInt32,
        8 => UInt64,
        9 => Float16,
        10 => Float32,
        11 => Float64,
        12 => Binary,
        13 => LargeBinary,
        14 => BinaryView,
        15 => Utf8,
        16 => LargeUtf8,
        17 => Utf8View,
        18 => Boolean,
        19 => Decimal32(9, 2),
        20 => Decimal64(18, -3),
        21 => Decimal128(38, 10),
        22 => Decimal256(76, 4),
        23 => Date32,
        24 => Date64,
        25 => Time32(if random.chance(50) { TimeUnit::Second } else { TimeUnit::Millisecond }),
        26 => Time64(if random.chance(50) { TimeUnit::Microsecond } else { TimeUnit::Nanosecond }),
        27 => Timestamp(unit, zone),
        28 => Duration(unit),
        29 => Interval(IntervalUnit::YearMonth),
        30 => Interval(IntervalUnit::DayTime),
        31 => Interval(IntervalUnit::MonthDayNano),
        32 => FixedSizeBinary(1 + random.index(20) as i32),
        33 => List(field(random, depth)),
        34 => LargeList(field(random, depth)),
        35 => ListView(field(random, depth)),
        36 => LargeListView(field(random, depth)),
        37 => FixedSizeList(field(random, depth), 3),
        38 => Struct(Fields::from(vec![
            Field::new("a", data_type(random, depth + 1), true),
            Field::new("b", data_type(random, depth + 1), true),
        ])),
        39 => Struct(Fields::empty()),
        40 => {
            let mode = if random.chance(50) { UnionMode::Sparse } else { UnionMode::Dense };
            let types = [data_type(random, depth + 1), data_type(random, depth + 1)];
            let fields = types.into_iter().map(|data_type| Field::new("part", data_type, true));
            Union(UnionFields::try_new([3, 9], fields).unwrap(), mode)
        }
        41 => {
            let entries = Fields::from(vec![
                Field::new("keys", Utf8, false),
                Field::new("values", data_type(random, depth + 1), true),
            ]);
            Map(Arc::new(Field::new("entries", Struct(entries), false)), false)
        }
        42 => RunEndEncoded(
            Arc::new(Field::new("run_ends", Int32, false)),
            Arc::new(Field::new("values", Int64, true)),
        ),
        _ => {
            let keys = [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64][random.index(8)].clone();
            let values = loop {
                // The official implementation neither writes dictionaries of these nor compares them.
                match data_type(random, 3) {
                    Null => {}
                    values => break values,
                }
            };
            Dictionary(Box::new(keys), Box::new(values))
        }
    }
}

fn nulls(random: &mut Random, rows: usize) -> Option<NullBuffer> {
    if random.chance(30) {
        return None;
    }
    let percent = [5, 50, 100][random.index(3)];
    Some(NullBuffer::from((0..rows).map(|_| !random.chance(percent)).collect::<Vec<bool>>()))
}

fn lengths(random: &mut Random, rows: usize) -> Vec<usize> {
    (0..rows).map(|_| random.index(4)).collect()
}

fn options<T>(random: &mut Random, rows: usize, mut make: impl FnMut(&mut Random) -> T) -> Vec<Option<T>> {
    let nulls = nulls(random, rows);
    let there = |row| nulls.as_ref().is_none_or(|nulls: &NullBuffer| nulls.is_valid(row));
    (0..rows).map(|row| Some(make(random)).filter(|_| there(row))).collect()
}

macro_rules! primitive {
    ($type:ty, $random:expr, $rows:expr, $make:expr) => {
        Arc::new(options($random, $rows, $make).into_iter().collect::<PrimitiveArray<$type>>()) as ArrayRef
    };
}

/// Random values of a type. None is not a number: the official writer could not tell that two dictionaries are equal.
pub(crate) fn array(random: &mut Random, data_type: &DataType, rows: usize) -> ArrayRef {
    use DataType::*;
    let number = |random: &mut Random| random.bits() as i64 >> random.index(64);
    match data_type {
        Null => Arc::new(NullArray::new(rows)),
        Int8 => primitive!(Int8Type, random, rows, |random| random.bits() as i8),
        Int16 => primitive!(Int16Type, random, rows, |random| random.bits() as i16),
        Int32 => primitive!(Int32Type, random, rows, |random| random.bits() as i32),
        Int64 => primitive!(Int64Type, random, rows, number),
        UInt8 => primitive!(UInt8Type, random, rows, |random| random.bits() as u8),
        UInt16 => primitive!(UInt16Type, random, rows, |random| random.bits() as u16),
        UInt32 => primitive!(UInt32Type, random, rows, |random| random.bits() as u32),
        UInt64 => primitive!(UInt64Type, random, rows, |random| random.bits()),
        Float16 => {
            primitive!(Float16Type, random, rows, |random| half::f16::from_bits(
                random.bits() as u16 & 0xfbff
            ))
        }
        Float32 => {
            primitive!(Float32Type, random, rows, |random| f32::from_bits(random.bits() as u32 & !(1 << 23)))
        }
        Float64 => primitive!(Float64Type, random, rows, |random| f64::from_bits(random.bits() & !(1 << 52))),
        Boolean => {
            Arc::new(options(random, rows, |random| random.chance(50)).into_iter().collect::<BooleanArray>())
        }
        Decimal32(precision, scale) => Arc::new(
            options(random, rows, |random| (number(random) % 1_000_000_000) as i32)
                .into_iter()
                .collect::<Decimal32Array>()
                .with_precision_and_scale(*precision, *scale)
                .unwrap(),
        ),
        Decimal64(precision, scale) => Arc::new(
            options(random, rows, |random| number(random) / 10)
                .into_iter()
                .collect::<Decimal64Array>()
                .with_precision_and_scale(*precision, *scale)
                .unwrap(),
        ),
        Decimal128(precision, scale) => Arc::new(
            options(random, rows, |random| i128::from(number(random)) * i128::from(number(random)) / 3)
                .into_iter()
                .collect::<Decimal128Array>()
                .with_precision_and_scale(*precision, *scale)
                .unwrap(),
        ),
        Decimal256(precision, scale) => Arc::new(
            options(random, rows, |random| {
                i256::from_i128(i128::from(number(random)) * i128::from(number(random)))
            })
            .into_iter()
            .collect::<Decimal256Array>()
            .with_precision_and_scale(*precision, *scale)
            .unwrap(),
        ),
        Date32 => primitive!(Date32Type, random, rows, |random| random.bits() as i32),
        Date64 => primitive!(Date64Type, random, rows, number),
        Time32(TimeUnit::Second) => {
            primitive!(Time32SecondType, random, rows, |random| random.index(9) as i32)
        }
        Time32(_) => primitive!(Time32MillisecondType, random, rows, |random| random.index(9) as i32),
        Time64(TimeUnit::Nanosecond) => primitive!(Time64NanosecondType, random, rows, number),
        Time64(_) => primitive!(Time64MicrosecondType, random, rows, number),
        Timestamp(unit, zone) => {
            let values = options(random, rows, number).into_iter();
            match unit {
                TimeUnit::Second => {
                    Arc::new(values.collect::<TimestampSecondArray>().with_timezone_opt(zone.clone()))
                }
                TimeUnit::Millisecond => {
                    Arc::new(values.collect::<TimestampMillisecondArray>().with_timezone_opt(zone.clone()))
                }
                TimeUnit::Microsecond => {
                    Arc::new(values.collect::<TimestampMicrosecondArray>().with_timezone_opt(zone.clone()))
                }
                TimeUnit::Nanosecond => {
                    Arc::new(values.collect::<TimestampNanosecondArray>().with_timezone_opt(zone.clone()))
                }
            }
        }
        Duration(TimeUnit::Second) => primitive!(DurationSecondType, random, rows, number),
        Duration(TimeUnit::Millisecond) => primitive!(DurationMillisecondType, random, rows, number),
        Duration(TimeUnit::Microsecond) => primitive!(DurationMicrosecondType, random, rows, number),
        Duration(TimeUnit::Nanosecond) => primitive!(DurationNanosecondType, random, rows, number),
        Interval(IntervalUnit::YearMonth) => {
            primitive!(IntervalYearMonthType, random, rows, |random| random.bits() as i32)
        }
        Interval(IntervalUnit::DayTime) => primitive!(IntervalDayTimeType, random, rows, |random| {
            IntervalDayTimeType::make_value(random.bits() as i32, 5)
        }),
        Interval(IntervalUnit::MonthDayNano) => {
            primitive!(IntervalMonthDayNanoType, random, rows, |random| {
                IntervalMonthDayNanoType::make_value(1, 2, random.bits() as i64)
            })
        }
        Utf8 => Arc::new(options(random, rows, text).into_iter().collect::<StringArray>()),
        LargeUtf8 => Arc::new(options(random, rows, text).into_iter().collect::<LargeStringArray>()),
        Utf8View => {
            let mut builder = StringViewBuilder::new().with_fixed_block_size(100);
            options(random, rows, text).into_iter().for_each(|value| builder.append_option(value));
            Arc::new(builder.finish())
        }
        Binary => Arc::new(options(random, rows, bytes).into_iter().collect::<BinaryArray>()),
        LargeBinary => Arc::new(options(random, rows, bytes).into_iter().collect::<LargeBinaryArray>()),
        BinaryView => {
            let mut builder = BinaryViewBuilder::new().with_fixed_block_size(100);
            options(random, rows, bytes).into_iter().for_each(|value| builder.append_option(value));
            Arc::new(builder.finish())
        }
        FixedSizeBinary(width) => {
            let values =
                options(random, rows, |random| (0..*width).map(|_| random.bits() as u8).collect::<Vec<_>>());
            Arc::new(
                FixedSizeBinaryArray::try_from_sparse_iter_with_size(values.into_iter(), *width).unwrap(),
            )
        }
        List(item) => {
            let lengths = lengths(random, rows);
            let values = array(random, item.data_type(), lengths.iter().sum());
            let offsets = OffsetBuffer::from_lengths(lengths);
            Arc::new(ListArray::new(item.clone(), offsets, values, nulls(random, rows)))
        }
        LargeList(item) => {
            let lengths = lengths(random, rows);
            let values = array(random, item.data_type(), lengths.iter().sum());
            let offsets = OffsetBuffer::from_lengths(lengths);
            Arc::new(LargeListArray::new(item.clone(), offsets, values, nulls(random, rows)))
        }
        ListView(item) => {
            let values = array(random, item.data_type(), 20);
            let offsets: ScalarBuffer<i32> = (0..rows).map(|_| random.index(10) as i32).collect();
            let sizes: ScalarBuffer<i32> = (0..rows).map(|_| random.index(10) as i32).collect();
            Arc::new(ListViewArray::new(item.clone(), offsets, sizes, values, nulls(random, rows)))
        }
        LargeListView(item) => {
            let values = array(random, item.data_type(), 20);
            let offsets: ScalarBuffer<i64> = (0..rows).map(|_| random.index(10) as i64).collect();
            let sizes: ScalarBuffer<i64> = (0..rows).map(|_| random.index(10) as i64).collect();
            Arc::new(LargeListViewArray::new(item.clone(), offsets, sizes, values, nulls(random, rows)))
        }
        FixedSizeList(item, size) => {
            let values = array(random, item.data_type(), rows * *size as usize);
            Arc::new(FixedSizeListArray::new(item.clone(), *size, values, nulls(random, rows)))
        }
        Struct(fields) => {
            let arrays = fields.iter().map(|field| array(random, field.data_type(), rows)).collect();
            let nulls = nulls(random, rows);
            Arc::new(StructArray::try_new_with_length(fields.clone(), arrays, nulls, rows).unwrap())
        }
        Union(fields, mode) => {
            let types: ScalarBuffer<i8> = (0..rows).map(|_| if random.chance(50) { 3 } else { 9 }).collect();
            let arrays = fields.iter().map(|(_, field)| array(random, field.data_type(), rows)).collect();
            let offsets = (*mode == UnionMode::Dense).then(|| (0..rows as i32).collect());
            Arc::new(UnionArray::try_new(fields.clone(), types, offsets, arrays).unwrap())
        }
        Map(entries, sorted) => {
            let lengths = lengths(random, rows);
            let total = lengths.iter().sum();
            let Struct(fields) = entries.data_type() else { panic!("entries are structs") };
            let keys: StringArray = (0..total).map(|_| Some(text(random))).collect();
            let arrays = vec![Arc::new(keys) as ArrayRef, array(random, fields[1].data_type(), total)];
            let inner = StructArray::try_new_with_length(fields.clone(), arrays, None, total).unwrap();
            let offsets = OffsetBuffer::from_lengths(lengths);
            Arc::new(MapArray::new(entries.clone(), offsets, inner, nulls(random, rows), *sorted))
        }
        RunEndEncoded(..) => {
            let runs = rows.div_ceil(3);
            let ends: Int32Array = (1..=runs).map(|run| Some((3 * run).min(rows) as i32)).collect();
            let values = array(random, &Int64, runs);
            Arc::new(RunArray::<Int32Type>::try_new(&ends, &values).unwrap())
        }
        Dictionary(keys, values) => {
            // Always the same values, as a file cannot replace them.
            let values = array(&mut Random::new(50), values, 50);
            keyed(random, keys, values, rows)
        }
    }
}

fn keyed(random: &mut Random, keys: &DataType, values: ArrayRef, rows: usize) -> ArrayRef {
    macro_rules! keyed {
        ($type:ty) => {{
            let keys: PrimitiveArray<$type> =
                options(random, rows, |random| random.index(values.len()) as _).into_iter().collect();
            Arc::new(DictionaryArray::<$type>::new(keys, values))
        }};
    }
    match keys {
        DataType::Int8 => keyed!(Int8Type),
        DataType::Int16 => keyed!(Int16Type),
        DataType::Int32 => keyed!(Int32Type),
        DataType::Int64 => keyed!(Int64Type),
        DataType::UInt8 => keyed!(UInt8Type),
        DataType::UInt16 => keyed!(UInt16Type),
        DataType::UInt32 => keyed!(UInt32Type),
        _ => keyed!(UInt64Type),
    }
}
