//! Arrays of all types, from a seed.

use std::sync::Arc;

use arrow_array::types::*;
use arrow_array::*;
use arrow_schema::{DataType, TimeUnit};
use posterity_testkit::Random;

/// How values are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) rows: usize,
    /// How many of a hundred values are missing.
    pub(super) missing: usize,
    /// How many different values there are, at most.
    pub(super) different: usize,
    /// Whether values come in runs.
    pub(super) runs: bool,
}

/// The types that are written.
pub(super) fn types() -> Vec<DataType> {
    vec![
        DataType::Boolean,
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Int64,
        DataType::UInt8,
        DataType::UInt16,
        DataType::UInt32,
        DataType::UInt64,
        DataType::Float16,
        DataType::Float32,
        DataType::Float64,
        DataType::Date32,
        DataType::Timestamp(TimeUnit::Millisecond, None),
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        DataType::Timestamp(TimeUnit::Nanosecond, None),
        DataType::Decimal128(7, 2),
        DataType::Decimal128(16, 0),
        DataType::Decimal128(23, 5),
        DataType::Decimal128(38, 38),
        DataType::Decimal256(60, 3),
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Binary,
        DataType::FixedSizeBinary(1),
        DataType::FixedSizeBinary(16),
        DataType::Time32(TimeUnit::Millisecond),
        DataType::Time64(TimeUnit::Microsecond),
        DataType::Null,
    ]
}

/// For each row a number, or none.
fn numbers(seed: &mut Random, draw: Draw) -> Vec<Option<u64>> {
    let pool: Vec<u64> = (0..draw.different)
        .map(|index| match seed.index(4) {
            0 => index as u64,
            1 => u64::MAX - index as u64,
            2 => seed.bits() >> seed.index(64),
            _ => seed.bits(),
        })
        .collect();
    let mut all: Vec<Option<u64>> = Vec::with_capacity(draw.rows);
    while all.len() < draw.rows {
        let value = if seed.index(100) < draw.missing { None } else { Some(pool[seed.index(pool.len())]) };
        let run = if draw.runs { 1 + seed.index(100) } else { 1 };
        all.extend(std::iter::repeat_n(value, run.min(draw.rows - all.len())));
    }
    all
}

fn text(number: u64) -> String {
    let alphabet = ["a", "bc", "é", "", "漢字", "🙂", "value "];
    let mut seed = Random::new(number);
    (0..seed.index(6)).map(|_| alphabet[seed.index(alphabet.len())]).collect()
}

/// An array of a type.
pub(super) fn array(of: &DataType, seed: &mut Random, draw: Draw) -> ArrayRef {
    let numbers = numbers(seed, draw);
    macro_rules! primitive {
        ($type:ty, $convert:expr) => {
            Arc::new(
                numbers
                    .into_iter()
                    .map(|number| number.map($convert))
                    .collect::<PrimitiveArray<$type>>()
                    .with_data_type(of.clone()),
            )
        };
    }
    match of {
        DataType::Boolean => {
            Arc::new(numbers.into_iter().map(|n| n.map(|n| n & 1 == 1)).collect::<BooleanArray>())
        }
        DataType::Int8 => primitive!(Int8Type, |n| n as i8),
        DataType::Int16 => primitive!(Int16Type, |n| n as i16),
        DataType::Int32 => primitive!(Int32Type, |n| n as i32),
        DataType::Int64 => primitive!(Int64Type, |n| n as i64),
        DataType::UInt8 => primitive!(UInt8Type, |n| n as u8),
        DataType::UInt16 => primitive!(UInt16Type, |n| n as u16),
        DataType::UInt32 => primitive!(UInt32Type, |n| n as u32),
        DataType::UInt64 => primitive!(UInt64Type, |n| n),
        DataType::Float16 => {
            primitive!(Float16Type, |n| <Float16Type as ArrowPrimitiveType>::Native::from_bits(
                if n as u16 & 0x7c00 == 0x7c00 { n as u16 & 0xfc00 } else { n as u16 }
            ))
        }
        DataType::Float32 => primitive!(Float32Type, |n| f32::from_bits(n as u32)),
        DataType::Float64 => primitive!(Float64Type, f64::from_bits),
        DataType::Date32 => primitive!(Date32Type, |n| n as i32),
        DataType::Timestamp(TimeUnit::Millisecond, _) => primitive!(TimestampMillisecondType, |n| n as i64),
        DataType::Timestamp(TimeUnit::Microsecond, _) => primitive!(TimestampMicrosecondType, |n| n as i64),
        DataType::Timestamp(_, _) => primitive!(TimestampNanosecondType, |n| n as i64),
        DataType::Decimal128(precision, _) => {
            let bound = 10i128.pow(u32::from(*precision));
            primitive!(Decimal128Type, |n| (i128::from(n as i64) * 0x1_0000_0000_0001) % bound)
        }
        DataType::Decimal256(..) => {
            primitive!(Decimal256Type, |n| <Decimal256Type as ArrowPrimitiveType>::Native::from(n as i64))
        }
        DataType::Utf8 => Arc::new(numbers.into_iter().map(|n| n.map(text)).collect::<StringArray>()),
        DataType::LargeUtf8 => {
            Arc::new(numbers.into_iter().map(|n| n.map(text)).collect::<LargeStringArray>())
        }
        DataType::Binary => Arc::new(
            numbers
                .into_iter()
                .map(|n| n.map(|n| n.to_le_bytes()[..(n % 9) as usize].to_vec()))
                .collect::<BinaryArray>(),
        ),
        DataType::FixedSizeBinary(width) => {
            let values =
                numbers.into_iter().map(|n| n.map(|n| n.to_le_bytes().repeat(2)[..*width as usize].to_vec()));
            Arc::new(FixedSizeBinaryArray::try_from_sparse_iter_with_size(values, *width).unwrap())
        }
        DataType::Time32(_) => primitive!(Time32MillisecondType, |n| (n % 86_400_000) as i32),
        DataType::Time64(_) => primitive!(Time64MicrosecondType, |n| (n % 86_400_000_000) as i64),
        _ => Arc::new(NullArray::new(draw.rows)),
    }
}
