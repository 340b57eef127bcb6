//! Comparing a column of numbers with an exact number, in numbers that the engine holds exactly.

use posterity_formats::Number;

use super::dialect::Dialect;
use super::stored::Stored;
use crate::filter::Comparator;

/// How a column of numbers compares with a number: the same for every value that the column can hold. The result is unknown
/// where the column is missing.
pub(super) fn compared(
    dialect: Dialect,
    column: &str,
    stored: Stored,
    comparator: Comparator,
    number: &Number,
) -> String {
    if dialect.has_types() {
        return compared_as(column, stored, comparator, number);
    }
    // Each value is stored in its own way, whatever the column is said to hold.
    let [real, whole] =
        [Stored::Number, Stored::Integer].map(|stored| compared_as(column, stored, comparator, number));
    format!("CASE typeof({column}) WHEN 'real' THEN {real} ELSE {whole} END")
}

fn compared_as(column: &str, stored: Stored, comparator: Comparator, number: &Number) -> String {
    let bound = match stored {
        Stored::Integer => Bound::of_integer(number),
        _ => Bound::of_double(number),
    };
    let always = |truth: bool| format!("{column} {} {column}", if truth { "=" } else { "<>" });
    let written = match &bound.least {
        Least::Below => {
            return always(!matches!(comparator, Comparator::Less | Comparator::AtMost | Comparator::Equal));
        }
        Least::Above => {
            return always(matches!(comparator, Comparator::Less | Comparator::AtMost | Comparator::Unequal));
        }
        Least::At(written) => written,
    };
    let symbol = match (comparator, bound.is_exact) {
        (Comparator::Equal, false) => return always(false),
        (Comparator::Unequal, false) => return always(true),
        // Between the number and the least one that is not below it, the column holds nothing.
        (Comparator::AtMost, false) => Comparator::Less.symbol(),
        (Comparator::Greater, false) => Comparator::AtLeast.symbol(),
        (comparator, _) => comparator.symbol(),
    };
    format!("{column} {symbol} {written}")
}

/// The least number of a type that is not below an exact one.
struct Bound {
    least: Least,
    /// Whether it is that number.
    is_exact: bool,
}

enum Least {
    /// Every value of the type is above the number.
    Below,
    /// As it is written in SQL.
    At(String),
    /// Every value of the type is below the number.
    Above,
}

impl Bound {
    fn of_integer(number: &Number) -> Self {
        let least = number.least_integer();
        let is_exact = least.is_some_and(|least| Number::from_i128(least) == *number);
        let least = match least {
            Some(least) if least <= i64::MIN.into() => Least::Below,
            Some(least) if least <= i64::MAX.into() => Least::At(least.to_string()),
            _ => Least::Above,
        };
        Self { least, is_exact }
    }

    fn of_double(number: &Number) -> Self {
        let least = number.least_f64();
        if least == f64::INFINITY {
            return Self { least: Least::Above, is_exact: false };
        }
        let is_exact = Number::from_f64(least).is_some_and(|least| least == *number);
        // With an exponent all engines read a number with a floating point, or one that becomes it without rounding.
        Self { least: Least::At(format!("{least:e}")), is_exact }
    }
}
