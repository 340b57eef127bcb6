//! The expression that gives the number of the category of a value.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::expr::Case;
use datafusion::logical_expr::{Expr, cast, lit, when};

use super::numbers::Exact;
use crate::bins::Bins;
use crate::cells::Dimension;
use crate::filter::Comparator;

/// The codes of flaws are negative, and the one that is told first is the least: the least of some codes is what to
/// tell of them.
const FLAWS: i64 = -(1 << 32);

/// The code of a value that is not declared, in the column of this position.
pub(crate) fn outside_code(position: usize) -> i64 {
    FLAWS + 2 * position as i64
}

/// The code of a missing value, in the column of this position.
pub(crate) fn missing_code(position: usize) -> i64 {
    FLAWS + 2 * position as i64 + 1
}

/// The code of a record without a unit, which is told last.
pub(crate) const NO_UNIT: i64 = -1;

/// The codes that a column has for what is not declared and for what is missing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extra {
    outside: i64,
    missing: i64,
}

impl Extra {
    /// Those of the column of this position.
    pub(crate) fn of(dimension: &Dimension, position: usize) -> Self {
        Self {
            outside: dimension.other.map_or_else(|| outside_code(position), |index| index as i64),
            missing: dimension.missing.map_or_else(|| missing_code(position), |index| index as i64),
        }
    }

    /// The code of a column that holds nothing.
    pub(crate) fn nothing(self) -> Expr {
        lit(self.missing)
    }

    /// The index of the category that has the name or the alias that a column has, or one of these codes.
    ///
    /// A lookup of literals of the column's own type: the engine turns it into one hash table, and needs no cast of the
    /// column. Whatever the column holds, few different codes come out.
    pub(crate) fn declared<'a>(
        self,
        column: Expr,
        kind: &DataType,
        nullable: bool,
        names: impl Iterator<Item = (&'a String, usize)>,
    ) -> Expr {
        let (value, kind) = match kind {
            // Only dictionaries of text are looked up as they are.
            DataType::Dictionary(_, value) if !value.is_string() => {
                (cast(column.clone(), value.as_ref().clone()), value.as_ref())
            }
            kind => (column.clone(), kind),
        };
        let branches: Vec<(Box<Expr>, Box<Expr>)> = names
            .filter_map(|(index, name)| Some((literal(name, kind)?, index)))
            .map(|(value, index)| (Box::new(lit(value)), Box::new(lit(index as i64))))
            .collect();
        let present = if branches.is_empty() {
            lit(self.outside)
        } else {
            Expr::Case(Case::new(Some(Box::new(value)), branches, Some(Box::new(lit(self.outside)))))
        };
        if !nullable || self.missing == self.outside {
            return present;
        }
        let null = (Box::new(column.is_null()), Box::new(lit(self.missing)));
        Expr::Case(Case::new(None, vec![null], Some(Box::new(present))))
    }

    /// The index of the bin that holds a number, or one of these codes. The number may be missing where the column is
    /// not: what is not a number is not declared.
    pub(crate) fn binned(self, column: Expr, number: &Exact, bins: &Bins) -> Result<Expr, DataFusionError> {
        let mut code = when(column.is_null(), lit(self.missing));
        for (index, edge) in bins.numbers().iter().enumerate() {
            let below = index.checked_sub(1).map_or(self.outside, |bin| bin as i64);
            code = code.when(number.compare(Comparator::Less, edge), lit(below));
        }
        code.otherwise(lit(self.outside))
    }
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
    use super::*;

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
