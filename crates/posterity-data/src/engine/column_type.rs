//! Which types of columns can be categories or units, and how their values are named.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, cast, lit};

use crate::space::Axis;

/// The code of a value that is not declared, in the column of this position.
pub(crate) fn outside_code(position: usize) -> i64 {
    -2 * position as i64 - 1
}

/// The code of a missing value, in the column of this position.
pub(crate) fn missing_code(position: usize) -> i64 {
    -2 * position as i64 - 2
}

/// The code of a record without a unit: below all others.
pub(crate) const NO_UNIT: i64 = i64::MIN;

/// Whether values of this type have one exact printed form.
pub(crate) fn names_categories(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Boolean | DataType::Null => {
            true
        }
        DataType::Dictionary(_, value) => !value.is_null() && !nested(value) && names_categories(value),
        kind => kind.is_integer(),
    }
}

/// Whether equality of this type tells units apart.
pub(crate) fn names_units(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, value) => !nested(value) && names_units(value),
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Date32
        | DataType::Date64
        | DataType::Timestamp(..) => true,
        kind => kind.is_decimal() || names_categories(kind),
    }
}

fn nested(kind: &DataType) -> bool {
    kind.is_nested() || matches!(kind, DataType::Dictionary(..))
}

/// The index of the value on the axis, or a negative code.
///
/// A lookup of literals of the column's own type: the engine turns it into one hash table, and needs no cast of the
/// column. Whatever the column holds, few different codes come out.
pub(crate) fn code(column: Expr, kind: &DataType, nullable: bool, axis: &Axis, position: usize) -> Expr {
    let outside = axis.other.map_or_else(|| outside_code(position), |index| index as i64);
    let missing = axis.missing.map_or_else(|| missing_code(position), |index| index as i64);
    if kind.is_null() {
        return lit(missing);
    }
    let (value, kind) = match kind {
        // Only dictionaries of text are looked up as they are.
        DataType::Dictionary(_, value) if !value.is_string() => {
            (cast(column.clone(), value.as_ref().clone()), value.as_ref())
        }
        kind => (column.clone(), kind),
    };
    let branches: Vec<(Box<Expr>, Box<Expr>)> = axis
        .declared
        .iter()
        .enumerate()
        .filter_map(|(index, name)| Some((literal(name, kind)?, index)))
        .map(|(value, index)| (Box::new(lit(value)), Box::new(lit(index as i64))))
        .collect();
    let present = if branches.is_empty() {
        lit(outside)
    } else {
        Expr::Case(Case::new(Some(Box::new(value)), branches, Some(Box::new(lit(outside)))))
    };
    if !nullable || missing == outside {
        return present;
    }
    let null = (Box::new(column.is_null()), Box::new(lit(missing)));
    Expr::Case(Case::new(None, vec![null], Some(Box::new(present))))
}

/// The value of this type that is printed as `name`; none if there is none, such as 01 among integers.
fn literal(name: &str, kind: &DataType) -> Option<ScalarValue> {
    match kind {
        DataType::Utf8 => Some(ScalarValue::Utf8(Some(name.into()))),
        DataType::LargeUtf8 => Some(ScalarValue::LargeUtf8(Some(name.into()))),
        DataType::Utf8View => Some(ScalarValue::Utf8View(Some(name.into()))),
        DataType::Dictionary(key, value) => {
            Some(ScalarValue::Dictionary(key.clone(), Box::new(literal(name, value)?)))
        }
        kind => ScalarValue::try_from_string(name.to_owned(), kind)
            .ok()
            .filter(|value| !value.is_null() && value.to_string() == name),
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::TimeUnit;

    use super::*;

    #[test]
    fn exact_types_only() {
        let text = DataType::Utf8;
        let dictionary = |value: DataType| DataType::Dictionary(Box::new(DataType::Int8), Box::new(value));
        for kind in [
            text.clone(),
            DataType::LargeUtf8,
            DataType::Utf8View,
            DataType::Boolean,
            DataType::UInt64,
            dictionary(text.clone()),
            dictionary(DataType::Int32),
        ] {
            assert!(names_categories(&kind) && names_units(&kind), "{kind}");
        }
        for kind in [
            DataType::Float64,
            DataType::Float16,
            dictionary(DataType::Float32),
            dictionary(dictionary(text)),
            DataType::new_list(DataType::Utf8, true),
        ] {
            assert!(!names_categories(&kind) && !names_units(&kind), "{kind}");
        }
        for kind in
            [DataType::Date32, DataType::Timestamp(TimeUnit::Second, None), DataType::Decimal128(9, 2)]
        {
            assert!(!names_categories(&kind) && names_units(&kind), "{kind}");
        }
    }

    #[test]
    fn only_the_printed_form_matches() {
        let table = [
            ("1", DataType::Int8, true),
            ("-1", DataType::Int64, true),
            ("01", DataType::Int64, false),
            ("+1", DataType::Int64, false),
            (" 1", DataType::Int64, false),
            ("1.0", DataType::Int64, false),
            ("300", DataType::UInt8, false),
            ("18446744073709551615", DataType::UInt64, true),
            ("true", DataType::Boolean, true),
            ("True", DataType::Boolean, false),
            ("1", DataType::Boolean, false),
            ("01", DataType::Utf8View, true),
        ];
        for (name, kind, expected) in table {
            assert_eq!(literal(name, &kind).is_some(), expected, "{name} {kind}");
        }
    }
}
