//! Comparing a whole column with a number.

use std::cmp::Ordering;
use std::ops::Range;

use posterity_formats::{ColumnValues, Number, Store};

use super::Filter;
use super::expression::{Comparator, Expression};

/// A condition that compares its only column with a number.
pub(crate) struct Threshold<'f> {
    comparison: Comparator,
    number: &'f Number,
}

impl Filter {
    /// The condition, if it compares a column with a number.
    pub(crate) fn threshold(&self) -> Option<Threshold<'_>> {
        match &self.condition {
            Expression::Comparison { comparison, left, right } => match (&**left, &**right) {
                (Expression::Column(_), Expression::Number(number)) => {
                    Some(Threshold { comparison: *comparison, number })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl Threshold<'_> {
    /// Lists the rows of a range for which the condition is true, as [`Filter::matches`] would row by row. Returns
    /// `false`, and lists nothing, if the column has no numbers that can be compared at once, or some without an
    /// answer.
    pub(crate) fn choose(&self, column: &ColumnValues, range: Range<usize>, chosen: &mut Vec<u32>) -> bool {
        let ColumnValues::Plain { values, valid } = column else { return false };
        let comparison = self.comparison;
        let start = range.start;
        let found = match values {
            Store::Doubles(values) => {
                let values = &values[range.clone()];
                let Some(threshold) = self.number.as_threshold() else { return false };
                if !values.iter().all(|value| value.is_finite()) {
                    return false;
                }
                match comparison {
                    Comparator::Less => list(values, start, chosen, |value| value < threshold),
                    Comparator::AtMost => list(values, start, chosen, |value| value <= threshold),
                    Comparator::Greater => list(values, start, chosen, |value| value > threshold),
                    Comparator::AtLeast => list(values, start, chosen, |value| value >= threshold),
                    Comparator::Equal => list(values, start, chosen, |value| value == threshold),
                    Comparator::Unequal => list(values, start, chosen, |value| value != threshold),
                }
            }
            Store::Integers(values) => {
                let (floor, whole) = self.number.floor_at(0);
                let Ok(floor) = i64::try_from(floor) else { return false };
                // A number between two whole ones is above the lower one, and equal to none.
                let at = if whole { Ordering::Equal } else { Ordering::Less };
                list(&values[range], start, chosen, |value| {
                    comparison.holds(if value == floor { at } else { value.cmp(&floor) })
                })
            }
            _ => return false,
        };
        chosen.truncate(found);
        if let Some(valid) = valid {
            chosen.retain(|&row| valid[row as usize]);
        }
        true
    }
}

/// Writes the rows whose values are wanted to the front of the list, and says how many they are. Whether one is wanted
/// decides nothing but the place of the next, so that the processor need not guess it.
fn list<T: Copy>(values: &[T], start: usize, rows: &mut Vec<u32>, wanted: impl Fn(T) -> bool) -> usize {
    rows.resize(values.len(), 0);
    let mut found = 0;
    for (row, &value) in (start..).zip(values) {
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
        let threshold = filter.threshold().expect("a column and a number");
        if !threshold.choose(column, range.clone(), &mut chosen) {
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

    #[test]
    fn what_has_no_answer_is_left_to_each_row() {
        let column = |values| ColumnValues::Plain { values, valid: None };
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!compared(&column(Store::Doubles(vec![1.0, 1.0, odd, 1.0, 1.0])), "x < 2"), "{odd}");
        }
        assert!(!compared(&column(Store::Singles(vec![0.1; 5])), "x < 2"));
        assert!(!compared(&column(Store::Integers(vec![1; 5])), "x < 1e30"));
        assert!(!compared(&column(Store::Doubles(vec![0.1; 5])), "x < 0.10000000000000000555"));
        for other in ["x < 2 AND x > 1", "2 > x", "x < y", "x = '2'", "NOT x < 2"] {
            assert!(Filter::parse(other).expect("a condition").threshold().is_none(), "{other}");
        }
    }
}
