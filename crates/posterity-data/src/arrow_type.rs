//! What the columns of an Arrow schema are.

use arrow_schema::{DataType, Schema};

use crate::column::{Field, Kind};

/// The columns of a schema.
pub(crate) fn fields(schema: &Schema) -> Vec<Field> {
    let field = |field: &arrow_schema::FieldRef| Field {
        name: field.name().clone(),
        kind: kind(field.data_type()),
        described: field.data_type().to_string(),
    };
    schema.fields().iter().map(field).collect()
}

/// What the values of a type are.
pub(crate) fn kind(kind: &DataType) -> Kind {
    match kind {
        DataType::Null => Kind::Missing,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            Kind::Bytes
        }
        DataType::Boolean => Kind::Boolean,
        kind if kind.is_integer() => Kind::Integer,
        kind if kind.is_floating() => Kind::Float,
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) => Kind::Decimal,
        DataType::Date32 => Kind::Day,
        DataType::Date64 | DataType::Timestamp(..) => Kind::Instant,
        DataType::Dictionary(_, value) if !matches!(**value, DataType::Dictionary(..)) => self::kind(value),
        _ => Kind::Strange,
    }
}
