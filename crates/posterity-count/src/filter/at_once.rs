//! Comparing a whole column with a number or a pattern.

use std::cmp::Ordering;
use std::ops::Range;

use posterity_formats::{ColumnValues, Number, Store, Strings};

use super::Filter;
use super::expression::{Comparator, Expression};
use super::like::Pattern;
use super::value_kind::is_plain;

/// A condition on a column that can be compared at once.
pub(crate) enum AtOnce<'f> {
    /// With a number.
    Number(Comparator, &'f Number),
    /// With a pattern, or whether it differs from it.
    Pattern(&'f Pattern, bool),
}

impl Filter {
    /// The condition, if it compares its only column with a number or a pattern.
    pub(crate) fn at_once(&self) -> Option<AtOnce<'_>> {
        match &self.condition {
            Expression::Comparison { comparison, left, right } => match (&**left, &**right) {
                (Expression::Column(_), Expression::Number(number)) => {
                    Some(AtOnce::Number(*comparison, number))
                }
                _ => None,
            },
            Expression::Like { operand, pattern, negated } => match &**operand {
                Expression::Column(_) => Some(AtOnce::Pattern(pattern, *negated)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl AtOnce<'_> {
    /// Lists the rows of a range for which the condition is true, as [`Filter::matches`] would row by row. Returns
    /// `false`, and lists nothing, if the column has no values that can be compared at once, or some without an answer.
    pub(crate) fn choose(&self, column: &ColumnValues, range: Range<usize>, chosen: &mut Vec<u32>) -> bool {
        let ColumnValues::Plain { values, valid } = column else { return false };
        let found = match (self, values) {
            (Self::Number(comparison, number), Store::Doubles(values)) => {
                doubles(*comparison, number, &values[range.clone()], range.start, chosen)
            }
            (Self::Number(comparison, number), Store::Integers(values)) => {
                integers(*comparison, number, &values[range.clone()], range.start, chosen)
            }
            (Self::Pattern(pattern, negated), Store::Text(texts)) => {
                like(pattern, *negated, texts, range, chosen)
            }
            _ => None,
        };
        chosen.truncate(found.unwrap_or(0));
        if let Some(valid) = valid {
            chosen.retain(|&row| valid[row as usize]);
        }
        found.is_some()
    }
}

/// How many rows were listed of those whose numbers compare so; nothing if one has no answer.
fn doubles(
    comparison: Comparator,
    number: &Number,
    values: &[f64],
    start: usize,
    chosen: &mut Vec<u32>,
) -> Option<usize> {
    let number = number.as_threshold()?;
    if !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let values = values.iter().copied();
    Some(match comparison {
        Comparator::Less => list(values, start, chosen, |value| value < number),
        Comparator::AtMost => list(values, start, chosen, |value| value <= number),
        Comparator::Greater => list(values, start, chosen, |value| value > number),
        Comparator::AtLeast => list(values, start, chosen, |value| value >= number),
        Comparator::Equal => list(values, start, chosen, |value| value == number),
        Comparator::Unequal => list(values, start, chosen, |value| value != number),
    })
}

fn integers(
    comparison: Comparator,
    number: &Number,
    values: &[i64],
    start: usize,
    chosen: &mut Vec<u32>,
) -> Option<usize> {
    let (floor, whole) = number.floor_at(0);
    let floor = i64::try_from(floor).ok()?;
    // A number between two whole ones is above the lower one, and equal to none.
    let at = if whole { Ordering::Equal } else { Ordering::Less };
    Some(list(values.iter().copied(), start, chosen, |value| {
        comparison.holds(if value == floor { at } else { value.cmp(&floor) })
    }))
}

/// How many rows were listed of those whose text fits a pattern, or does not; nothing if some text may be no text.
fn like(
    pattern: &Pattern,
    negated: bool,
    texts: &Strings,
    range: Range<usize>,
    chosen: &mut Vec<u32>,
) -> Option<usize> {
    let mut plain = true;
    let found = list(range.clone().map(|row| texts.get(row)), range.start, chosen, |text| {
        plain &= is_plain(text);
        pattern.matches(text) != negated
    });
    plain.then_some(found)
}

/// Writes the rows whose values are wanted to the front of the list, and says how many they are. Whether one is wanted
/// decides nothing but the place of the next, so that the processor need not guess it.
fn list<T>(
    values: impl ExactSizeIterator<Item = T>,
    start: usize,
    rows: &mut Vec<u32>,
    mut wanted: impl FnMut(T) -> bool,
) -> usize {
    rows.resize(values.len(), 0);
    let mut found = 0;
    for (row, value) in (start..).zip(values) {
        rows[found] = row as u32;
        found += usize::from(wanted(value));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;
    use posterity_formats::Value;

    struct Row<'a>(&'a ColumnValues, usize);

    impl Record for Row<'_> {
        fn value(&self, _column: usize) -> Value<'_> {
            self.0.get(self.1)
        }
    }

    /// Whether the whole column was compared at once. If it was, it must be as row by row.
    fn compared(column: &ColumnValues, condition: &str) -> bool {
        let filter = Filter::parse(condition).expect("a condition");
        let mut chosen = Vec::new();
        let range = 2..column.len() - 1;
        let at_once = filter.at_once().expect("a column and a number, or a pattern");
        if !at_once.choose(column, range.clone(), &mut chosen) {
            assert!(chosen.is_empty());
            return false;
        }
        let one_by_one: Vec<u32> = range
            .filter(|&row| filter.matches(&Row(column, row)).expect("an answer"))
            .map(|row| row as u32)
            .collect();
        assert_eq!(chosen, one_by_one, "{condition} {column:?}");
        true
    }

    /// If this fails, a filter means another thing where a file holds numbers than where it holds their digits.
    #[test]
    fn all_at_once_is_one_by_one() {
        let doubles = [
            -1e300,
            -2.5,
            -2.0,
            -0.0,
            0.0,
            0.1,
            0.3,
            0.1 + 0.2,
            1.0,
            2.0,
            2.5,
            2.500_000_000_000_000_4,
            3.0,
            9_007_199_254_740_993.0,
            1e15,
            1e22,
            1e23,
            f64::MIN_POSITIVE,
            f64::MAX,
        ];
        let integers = [i64::MIN, -3, -2, -1, 0, 1, 2, 3, 1 << 53, (1 << 53) + 1, i64::MAX - 1, i64::MAX];
        let columns = [Store::Doubles(doubles.to_vec()), Store::Integers(integers.to_vec())];
        let numbers = [
            "0",
            "-0.0",
            "0.1",
            "0.3",
            "2",
            "2.0",
            "2.5",
            "-2.5",
            "1e15",
            "999999999999999",
            "1e22",
            "0.30000000000000004",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775806.5",
            "-9223372036854775808",
            "1e-22",
            "1e30",
        ];
        let mut at_once = 0;
        for values in columns {
            let some = (0..values.len()).map(|row| row % 3 != 0).collect();
            for valid in [None, Some(some)] {
                let column = ColumnValues::Plain { values: values.clone(), valid };
                for number in numbers {
                    for sign in ["<", "<=", ">", ">=", "=", "<>"] {
                        at_once += usize::from(compared(&column, &format!("x {sign} {number}")));
                    }
                }
            }
        }
        // All but numbers of too many digits for doubles, and beyond those of 64 bits.
        assert!(at_once > 300, "{at_once}");
    }

    fn texts(values: &[&str], valid: Option<Vec<bool>>) -> ColumnValues {
        let mut texts = Strings::default();
        values.iter().for_each(|value| texts.push(value.as_bytes()));
        ColumnValues::Plain { values: Store::Text(texts), valid }
    }

    #[test]
    fn patterns_at_once_are_patterns_one_by_one() {
        let values =
            ["", "a", "ab", "aba", "abba", "N/A", "i", "日本", "ß", "id17", "id1", "id1 7", "x%", "ab"];
        let some = (0..values.len()).map(|row| row % 3 != 0).collect();
        for valid in [None, Some(some)] {
            let column = texts(&values, valid);
            for pattern in
                ["", "%", "_", "a%", "%a", "ab%ba", "%b%", "_b%", "id1%7", "日%", "%%_", "%a%b%a%", "x!%"]
            {
                for like in ["LIKE", "NOT LIKE"] {
                    assert!(compared(&column, &format!("x {like} '{pattern}' ESCAPE '!'")), "{pattern}");
                }
            }
        }
    }

    #[test]
    fn what_has_no_answer_is_left_to_each_row() {
        for odd in ["1", "-2.5e3", "2020-01-31", "NaN", "inf", "-inf", "+", ".5"] {
            assert!(!compared(&texts(&["a", "b", "c", odd, "d"], None), "x LIKE 'a%'"), "{odd}");
        }
        let column = |values| ColumnValues::Plain { values, valid: None };
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!compared(&column(Store::Doubles(vec![1.0, 1.0, odd, 1.0, 1.0])), "x < 2"), "{odd}");
        }
        assert!(!compared(&column(Store::Singles(vec![0.1; 5])), "x < 2"));
        assert!(!compared(&column(Store::Integers(vec![1; 5])), "x < 1e30"));
        assert!(!compared(&column(Store::Doubles(vec![0.1; 5])), "x < 0.10000000000000000555"));
        for other in ["x < 2 AND x > 1", "2 > x", "x < y", "x = '2'", "NOT x < 2", "'a' LIKE 'a%'"] {
            assert!(Filter::parse(other).expect("a condition").at_once().is_none(), "{other}");
        }
    }
}
