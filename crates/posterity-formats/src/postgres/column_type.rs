//! The types of columns.

use crate::column::ValueKind;

/// The type of a column, by how the server sends its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Boolean,
    /// Of two, four or eight bytes.
    Integer,
    /// Four bytes without a sign.
    Oid,
    Single,
    Double,
    Text,
    /// Text that is filled up with blanks, which mean nothing.
    Padded,
    Uuid,
    Bytes,
    Day,
    Instant,
    /// Decimals without digits behind the point.
    Whole,
    Decimal,
    /// Any other type, of which only whether there is a value is read.
    Other,
}

/// What lies before the modifier of a decimal.
const MODIFIER: i64 = 4;

impl ColumnType {
    /// The type with this identifier of `pg_type`, the letter of its kind and the modifier of the column. The
    /// identifiers of these types are fixed (`pg_type.dat` of PostgreSQL).
    pub(super) fn new(oid: i64, kind: char, modifier: i64) -> Self {
        match oid {
            16 => Self::Boolean,
            17 => Self::Bytes,
            20 | 21 | 23 => Self::Integer,
            26 => Self::Oid,
            // text, name, varchar
            25 | 19 | 1043 => Self::Text,
            // char(n)
            1042 => Self::Padded,
            700 => Self::Single,
            701 => Self::Double,
            1082 => Self::Day,
            // timestamp, timestamptz
            1114 | 1184 => Self::Instant,
            1700 if modifier >= MODIFIER && scale(modifier) <= 0 => Self::Whole,
            1700 => Self::Decimal,
            2950 => Self::Uuid,
            _ if kind == 'e' => Self::Text,
            _ => Self::Other,
        }
    }

    /// What its values are.
    pub(super) fn values(self) -> ValueKind {
        match self {
            Self::Boolean => ValueKind::Boolean,
            Self::Integer | Self::Oid | Self::Whole => ValueKind::Integer,
            Self::Single | Self::Double => ValueKind::Float,
            Self::Text | Self::Padded | Self::Uuid => ValueKind::Text,
            Self::Bytes => ValueKind::Bytes,
            Self::Day => ValueKind::Day,
            Self::Instant => ValueKind::Instant,
            Self::Decimal => ValueKind::Decimal,
            Self::Other => ValueKind::Strange,
        }
    }
}

/// How many digits of a decimal stand behind the point: the lowest eleven bits of the modifier, with a sign.
fn scale(modifier: i64) -> i64 {
    (((modifier - MODIFIER) & 0x7ff) ^ 1024) - 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_by_their_modifier() {
        let modifier = |precision: i64, scale: i64| ((precision << 16) | (scale & 0x7ff)) + MODIFIER;
        let kind = |modifier| ColumnType::new(1700, 'b', modifier);
        assert_eq!(kind(modifier(9, 0)), ColumnType::Whole);
        assert_eq!(kind(modifier(9, -2)), ColumnType::Whole);
        assert_eq!(kind(modifier(9, 2)), ColumnType::Decimal);
        assert_eq!(kind(modifier(1000, 1000)), ColumnType::Decimal);
        assert_eq!(kind(-1), ColumnType::Decimal);
    }

    #[test]
    fn only_known_types_are_read() {
        assert_eq!(ColumnType::new(16_500, 'e', -1), ColumnType::Text);
        for (oid, kind) in [(114, 'b'), (3802, 'b'), (1083, 'b'), (1009, 'b'), (16_500, 'b'), (16_501, 'c')] {
            assert_eq!(ColumnType::new(oid, kind, -1), ColumnType::Other, "{oid}");
        }
    }
}
