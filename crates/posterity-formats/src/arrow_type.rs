//! What the columns of an Arrow schema are.

use arrow_schema::{DataType, Schema};

use crate::column::{Field, ValueKind};

/// The columns of a schema.
pub fn fields(schema: &Schema) -> Vec<Field> {
    let field = |field: &arrow_schema::FieldRef| Field {
        name: field.name().clone(),
        kind: kind(field.data_type()),
        described: field.data_type().to_string(),
    };
    schema.fields().iter().map(field).collect()
}

/// What the values of a type are.
pub fn kind(kind: &DataType) -> ValueKind {
    match kind {
        DataType::Null => ValueKind::Missing,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => ValueKind::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            ValueKind::Bytes
        }
        DataType::Boolean => ValueKind::Boolean,
        kind if kind.is_integer() => ValueKind::Integer,
        kind if kind.is_floating() => ValueKind::Float,
        DataType::Decimal32(_, 0) | DataType::Decimal64(_, 0) | DataType::Decimal128(_, 0) => {
            ValueKind::Integer
        }
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) => ValueKind::Decimal,
        DataType::Date32 => ValueKind::Day,
        DataType::Date64 | DataType::Timestamp(..) => ValueKind::Instant,
        DataType::Dictionary(_, value) if !matches!(**value, DataType::Dictionary(..)) => self::kind(value),
        _ => ValueKind::Strange,
    }
}
