//! A lookup of declared integers.

use datafusion::arrow::datatypes::ArrowNativeType;

use crate::lookup::{Lookup, mix};

/// Integers with their positions.
#[derive(Clone, Debug)]
pub(crate) struct Numbers<T>(Lookup<T>);

impl<T: ArrowNativeType + Eq> Numbers<T> {
    /// A table of different integers.
    pub(crate) fn new(numbers: &[(T, usize)]) -> Self {
        let keys: Vec<_> =
            numbers.iter().map(|&(number, position)| (mixed(number), number, position)).collect();
        Self(Lookup::new(&keys))
    }

    /// The position of an integer.
    #[inline]
    pub(crate) fn find(&self, number: T) -> Option<usize> {
        self.0.find(mixed(number), |found, _| found == number)
    }
}

#[inline]
fn mixed<T: ArrowNativeType>(number: T) -> u64 {
    mix(number.as_usize() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_number_and_no_other() {
        let numbers: Vec<(i64, usize)> = (0..3_000).map(|i| (i * i * i - 1_000, i as usize)).collect();
        let table = Numbers::new(&numbers);
        for &(number, position) in &numbers {
            assert_eq!(table.find(number), Some(position));
        }
        for number in [i64::MIN, i64::MAX, -1_001, 2] {
            assert_eq!(table.find(number), None);
        }
        assert_eq!(Numbers::<u8>::new(&[]).find(0), None);
    }
}
