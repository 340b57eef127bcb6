//! Finding the category of a value.

use std::borrow::Cow;

use posterity_formats::Value;

use crate::bins::Bins;
use crate::cells::Dimension;
use crate::decimal_comma::point_for_comma;
use crate::filter::printed;
use crate::lookup::Integers;
use crate::lookup::Words;
use crate::question::Domain;
use crate::whole_number::whole_number;

/// The code of a value that is not declared, where no category stands for it.
pub(crate) const OUTSIDE: u32 = u32::MAX;
/// The code of a missing value, where no category stands for it.
pub(crate) const MISSING: u32 = u32::MAX - 1;
/// The code of a value that has no exact name, such as a fraction or a list.
pub(crate) const UNNAMED: u32 = u32::MAX - 2;

/// Finds the category of a value: the index on its dimension, or one of the codes above, which are larger than any
/// index.
#[derive(Clone, Debug)]
pub(crate) struct ValueCoder {
    table: Table,
    other: u32,
    missing: u32,
    /// The code of a number with a decimal comma that a bin would hold if it were written with a point.
    comma: u32,
}

#[derive(Clone, Debug)]
enum Table {
    Words {
        /// The declared values and the aliases, with the indices of their categories.
        words: Words,
        /// Those words that are whole numbers as they are printed.
        numbers: Integers,
    },
    Bins(Bins),
}

impl ValueCoder {
    /// The coder of one dimension.
    pub(crate) fn new(dimension: &Dimension) -> Self {
        let table = match &dimension.domain {
            Domain::Bins(bins) => Table::Bins(bins.clone()),
            Domain::Values(values) => {
                let words = dimension.names_of(values).map(|(name, index)| (name.as_str(), index));
                let words: Vec<(&str, usize)> = words.collect();
                let whole = words.iter().filter_map(|&(name, index)| {
                    let number: i128 = name.parse().ok()?;
                    (number.to_string() == name).then_some((number, index))
                });
                Table::Words { numbers: Integers::new(&whole.collect::<Vec<_>>()), words: Words::new(&words) }
            }
        };
        let code = |index: Option<usize>, otherwise| index.map_or(otherwise, |index| index as u32);
        let other = code(dimension.other, OUTSIDE);
        Self { table, other, missing: code(dimension.missing, MISSING), comma: other }
    }

    /// Takes numbers with a decimal comma for values that are not declared, whatever stands for other values. Where n is private
    /// they stay other values, because nothing that one record holds may change what is done with it.
    pub(crate) fn refuse_decimal_commas(&mut self) {
        self.comma = OUTSIDE;
    }

    /// Whether a value is a number with a decimal comma that a bin would hold if it were written with a point.
    pub(crate) fn is_decimal_comma(&self, value: Value<'_>) -> bool {
        match (&self.table, value) {
            (Table::Bins(bins), Value::Text(text)) => point_for_comma(text)
                .is_some_and(|number| bins.find(Value::Text(number.as_bytes())).is_some()),
            _ => false,
        }
    }

    /// The categories of whole numbers of 64 bits, where a short list has them: the same as those of [`ValueCoder::code`].
    pub(crate) fn of_integers(&self) -> Option<impl Fn(i64) -> u32> {
        match &self.table {
            Table::Words { numbers, .. } => {
                let near = numbers.near()?;
                Some(|number| near.find(number).unwrap_or(self.other))
            }
            Table::Bins(_) => None,
        }
    }

    /// The bins into which floating-point numbers of 64 bits are sorted, and the category of each of them, and of none.
    pub(crate) fn of_doubles(&self) -> Option<(&Bins, impl Fn(Option<usize>) -> u32)> {
        match &self.table {
            Table::Words { .. } => None,
            Table::Bins(bins) => Some((bins, |bin: Option<usize>| bin.map_or(self.other, |bin| bin as u32))),
        }
    }

    /// Whether a whole number is declared, so that a column of numbers with fractions may have a category.
    pub(crate) fn has_whole_numbers(&self) -> bool {
        matches!(&self.table, Table::Words { numbers, .. } if !numbers.is_empty())
    }

    /// The category of a value. It depends on that value only.
    #[inline]
    pub(crate) fn code(&self, value: Value<'_>) -> u32 {
        let found = match (&self.table, value) {
            (_, Value::Missing) => return self.missing,
            (Table::Words { words, .. }, Value::Text(text)) => words.find(text),
            (Table::Words { numbers, .. }, Value::Integer(number)) => numbers.find(number),
            (Table::Words { words, .. }, Value::Boolean(truth)) => words.find(truth_name(truth)),
            (Table::Words { words, numbers }, Value::Literal(literal)) => match digits(literal) {
                Some(digits) => words.find(digits),
                None => match whole_number(value) {
                    Some(number) => numbers.find(number),
                    None => return UNNAMED,
                },
            },
            (Table::Words { numbers, .. }, Value::Double(_) | Value::Single(_) | Value::Decimal { .. }) => {
                match whole_number(value) {
                    Some(number) => numbers.find(number),
                    None => return UNNAMED,
                }
            }
            (Table::Words { words, .. }, Value::Day(_)) => match printed(value) {
                Some(name) => words.find(&name),
                None => return UNNAMED,
            },
            (Table::Words { .. }, _) | (Table::Bins(_), Value::Strange | Value::Bytes(_)) => return UNNAMED,
            (Table::Bins(bins), value) => bins.find(value),
        };
        match found {
            Some(position) => position as u32,
            None if self.comma != self.other && self.is_decimal_comma(value) => self.comma,
            None => self.other,
        }
    }
}

/// The exact name of a value, with which declared names are compared; `None` if it is missing or has none.
#[inline]
pub(crate) fn name(value: Value<'_>) -> Option<Cow<'_, [u8]>> {
    match value {
        Value::Text(text) => Some(Cow::Borrowed(text)),
        Value::Integer(number) => Some(Cow::Owned(number.to_string().into_bytes())),
        Value::Boolean(truth) => Some(Cow::Borrowed(truth_name(truth))),
        Value::Literal(literal) => {
            digits(literal).map_or_else(|| whole_name(value), |digits| Some(Cow::Borrowed(digits)))
        }
        Value::Decimal { .. } | Value::Single(_) | Value::Double(_) => whole_name(value),
        Value::Day(_) => printed(value),
        Value::Missing | Value::Bytes(_) | Value::Instant { .. } | Value::Strange => None,
    }
}

/// The digits of a whole number that is not stored as one.
fn whole_name(value: Value<'_>) -> Option<Cow<'static, [u8]>> {
    whole_number(value).map(|number| Cow::Owned(number.to_string().into_bytes()))
}

/// How a truth value is printed.
pub(crate) fn truth_name(truth: bool) -> &'static [u8] {
    if truth { b"true" } else { b"false" }
}

/// The digits of a number that JSON writes as a whole one; nothing for one with a point or an exponent.
pub(crate) fn digits(number: &[u8]) -> Option<&[u8]> {
    let digits = number.strip_prefix(b"-").unwrap_or(number);
    match digits {
        b"0" => Some(digits),
        digits if digits.iter().all(u8::is_ascii_digit) => Some(number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cells;
    use crate::question::{Column, Question};

    fn coder(values: &[&str], other: Option<&str>, missing: Option<&str>) -> ValueCoder {
        let (other, missing) = (other.map(Into::into), missing.map(Into::into));
        let column = Column { other, missing, ..Column::new("a", values.iter().copied()) };
        ValueCoder::new(&Cells::new(&Question::new(vec![column])).expect("valid").dimensions()[0])
    }

    #[test]
    fn only_the_printed_form_matches() {
        let coder = coder(&["1", "-1", "01", "true", "18446744073709551615", "0"], None, None);
        let table = [
            (Value::Text(b"1"), 0),
            (Value::Text(b"1.0"), OUTSIDE),
            (Value::Text(b"01"), 2),
            (Value::Text(b" 1"), OUTSIDE),
            (Value::Integer(1), 0),
            (Value::Integer(-1), 1),
            (Value::Integer(u64::MAX.into()), 4),
            (Value::Integer(7), OUTSIDE),
            (Value::Literal(b"-1"), 1),
            (Value::Literal(b"-0"), 5),
            (Value::Literal(b"1.0"), 0),
            (Value::Literal(b"1e0"), 0),
            (Value::Literal(b"1.5"), UNNAMED),
            (Value::Boolean(true), 3),
            (Value::Boolean(false), OUTSIDE),
            (Value::Missing, MISSING),
            (Value::Double(1.0), 0),
            (Value::Double(-0.0), 5),
            (Value::Double(8.0), OUTSIDE),
            (Value::Double(1.5), UNNAMED),
            (Value::Single(-1.0), 1),
            (Value::Decimal { mantissa: 10, scale: 1 }, 0),
            (Value::Decimal { mantissa: 11, scale: 1 }, UNNAMED),
            (Value::Day(1), OUTSIDE),
            (Value::Day(i32::MAX), UNNAMED),
            (Value::Instant { ticks: 1, per_second: 1 }, UNNAMED),
            (Value::Strange, UNNAMED),
        ];
        for (value, code) in table {
            assert_eq!(coder.code(value), code, "{value:?}");
        }
    }

    /// If this fails, a value that is counted by its name is another one where it is declared.
    #[test]
    fn a_value_is_found_by_its_name_and_by_no_other() {
        let values = [
            Value::Text(b"1"),
            Value::Text(b"01"),
            Value::Text("ä ".as_bytes()),
            Value::Integer(1),
            Value::Integer(i128::MIN),
            Value::Literal(b"-0"),
            Value::Literal(b"12"),
            Value::Literal(b"1.0"),
            Value::Literal(b"1e0"),
            Value::Boolean(true),
            Value::Missing,
            Value::Bytes(b"1"),
            Value::Decimal { mantissa: 1, scale: 0 },
            Value::Decimal { mantissa: 1, scale: 1 },
            Value::Single(1.0),
            Value::Double(1.0),
            Value::Day(1),
            Value::Instant { ticks: 1, per_second: 1 },
            Value::Strange,
        ];
        let found = values.map(|value| name(value).map(|name| String::from_utf8_lossy(&name).into_owned()));
        let mut names: Vec<&str> = found.iter().flatten().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let lowest = "-170141183460469231731687303715884105728";
        assert_eq!(names, [lowest, "0", "01", "1", "12", "1970-01-02", "true", "ä "]);
        let coder = coder(&names, None, None);
        for (value, found) in values.into_iter().zip(&found) {
            let code = coder.code(value);
            assert_eq!(names.get(code as usize).copied(), found.as_deref(), "{value:?}");
        }
    }

    #[test]
    fn other_and_missing_values_have_a_place_where_it_is_declared() {
        let coder = coder(&["x", "y"], Some("rest"), Some("y"));
        assert_eq!(coder.code(Value::Text(b"z")), 2);
        assert_eq!(coder.code(Value::Integer(5)), 2);
        assert_eq!(coder.code(Value::Missing), 1);
        assert_eq!(coder.code(Value::Literal(b"0.5")), UNNAMED, "a fraction has no name, so it is not other");
    }

    /// If this fails, a column of whole numbers is counted otherwise than value by value.
    #[test]
    fn integers_have_the_same_categories_at_once() {
        for coder in
            [coder(&["3", "x", "1", "-2", "07"], None, None), coder(&["5", "0"], Some("other"), None)]
        {
            let at_once = coder.of_integers().expect("near");
            for number in (-20..20).chain([i64::MIN, i64::MAX]) {
                assert_eq!(at_once(number), coder.code(Value::Integer(number.into())), "{number}");
            }
        }
        assert!(coder(&["x", "y"], None, None).of_integers().is_none());
        assert!(coder(&["0", "1000000"], None, None).of_integers().is_none());
    }
}
