//! What a value of the official implementation is here.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::*;
use arrow_schema::{DataType, TimeUnit};

use crate::column::ValueKind;
use crate::value::Value;

/// The value of a row.
pub(super) fn value(array: &dyn Array, row: usize) -> Value<'_> {
    use DataType::*;
    if array.is_null(row) {
        return Value::Missing;
    }
    macro_rules! of {
        ($type:ty) => {
            array.as_primitive::<$type>().value(row)
        };
    }
    macro_rules! key {
        ($type:ty) => {{
            let array = array.as_dictionary::<$type>();
            let key = array.keys().value(row) as usize;
            match value(array.values().as_ref(), key) {
                Value::Strange => Value::Strange,
                value => value,
            }
        }};
    }
    let decimal = |mantissa, scale: i8| match scale {
        0 => Value::Integer(mantissa),
        scale => Value::Decimal { mantissa, scale: i32::from(scale) },
    };
    let instant = |ticks, per_second| Value::Instant { ticks, per_second };
    match array.data_type() {
        Null => Value::Missing,
        Boolean => Value::Boolean(array.as_boolean().value(row)),
        Int8 => Value::Integer(of!(Int8Type).into()),
        Int16 => Value::Integer(of!(Int16Type).into()),
        Int32 => Value::Integer(of!(Int32Type).into()),
        Int64 => Value::Integer(of!(Int64Type).into()),
        UInt8 => Value::Integer(of!(UInt8Type).into()),
        UInt16 => Value::Integer(of!(UInt16Type).into()),
        UInt32 => Value::Integer(of!(UInt32Type).into()),
        UInt64 => Value::Integer(of!(UInt64Type).into()),
        Float16 => Value::Single(of!(Float16Type).to_f32()),
        Float32 => Value::Single(of!(Float32Type)),
        Float64 => Value::Double(of!(Float64Type)),
        Decimal32(_, scale) => decimal(of!(Decimal32Type).into(), *scale),
        Decimal64(_, scale) => decimal(of!(Decimal64Type).into(), *scale),
        Decimal128(_, scale) => decimal(of!(Decimal128Type), *scale),
        Decimal256(_, scale) => decimal(of!(Decimal256Type).to_i128().unwrap(), *scale),
        Date32 => Value::Day(of!(Date32Type)),
        Date64 => instant(of!(Date64Type), 1_000),
        Timestamp(TimeUnit::Second, _) => instant(of!(TimestampSecondType), 1),
        Timestamp(TimeUnit::Millisecond, _) => instant(of!(TimestampMillisecondType), 1_000),
        Timestamp(TimeUnit::Microsecond, _) => instant(of!(TimestampMicrosecondType), 1_000_000),
        Timestamp(TimeUnit::Nanosecond, _) => instant(of!(TimestampNanosecondType), 1_000_000_000),
        Utf8 => Value::Text(array.as_string::<i32>().value(row).as_bytes()),
        LargeUtf8 => Value::Text(array.as_string::<i64>().value(row).as_bytes()),
        Utf8View => Value::Text(array.as_string_view().value(row).as_bytes()),
        Binary => Value::Bytes(array.as_binary::<i32>().value(row)),
        LargeBinary => Value::Bytes(array.as_binary::<i64>().value(row)),
        BinaryView => Value::Bytes(array.as_binary_view().value(row)),
        FixedSizeBinary(_) => Value::Bytes(array.as_fixed_size_binary().value(row)),
        Dictionary(_, values) if kind(values) == ValueKind::Strange => Value::Strange,
        Dictionary(keys, _) => match keys.as_ref() {
            Int8 => key!(Int8Type),
            Int16 => key!(Int16Type),
            Int32 => key!(Int32Type),
            Int64 => key!(Int64Type),
            UInt8 => key!(UInt8Type),
            UInt16 => key!(UInt16Type),
            UInt32 => key!(UInt32Type),
            _ => key!(UInt64Type),
        },
        _ => Value::Strange,
    }
}

/// What the values of a type are.
pub(super) fn kind(data_type: &DataType) -> ValueKind {
    use DataType::*;
    match data_type {
        Null => ValueKind::Missing,
        Boolean => ValueKind::Boolean,
        Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 => ValueKind::Integer,
        Float16 | Float32 | Float64 => ValueKind::Float,
        Decimal32(_, 0) | Decimal64(_, 0) | Decimal128(_, 0) | Decimal256(_, 0) => ValueKind::Integer,
        Decimal32(..) | Decimal64(..) | Decimal128(..) | Decimal256(..) => ValueKind::Decimal,
        Date32 => ValueKind::Day,
        Date64 | Timestamp(..) => ValueKind::Instant,
        Utf8 | LargeUtf8 | Utf8View => ValueKind::Text,
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => ValueKind::Bytes,
        Dictionary(_, values) => kind(values),
        _ => ValueKind::Strange,
    }
}

/// Whether two values are the same, also those that are not numbers.
pub(super) fn same(left: Value<'_>, right: Value<'_>) -> bool {
    match (left, right) {
        (Value::Single(left), Value::Single(right)) => {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        }
        (Value::Double(left), Value::Double(right)) => left.to_bits() == right.to_bits(),
        (left, right) => left == right,
    }
}
