//! A lookup of declared integers.

use super::table::{Lookup, mix};

/// Integers with their positions.
#[derive(Clone, Debug)]
pub(crate) struct Integers(Lookup<i128>);

impl Integers {
    /// A table of different integers.
    pub(crate) fn new(numbers: &[(i128, usize)]) -> Self {
        let keys: Vec<_> =
            numbers.iter().map(|&(number, position)| (mix(number as u64), number, position)).collect();
        Self(Lookup::new(&keys))
    }

    /// The position of an integer.
    #[inline]
    pub(crate) fn find(&self, number: i128) -> Option<usize> {
        self.0.find(mix(number as u64), |found, _| found == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_number_and_no_other() {
        let numbers: Vec<(i128, usize)> = (0..3_000).map(|i| (i * i * i - 1_000, i as usize)).collect();
        let table = Integers::new(&numbers);
        for &(number, position) in &numbers {
            assert_eq!(table.find(number), Some(position));
        }
        for number in [i128::MIN, i128::MAX, -1_001, 2, 1 << 64] {
            assert_eq!(table.find(number), None);
        }
        assert_eq!(Integers::new(&[]).find(0), None);
    }
}
