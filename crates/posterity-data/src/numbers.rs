//! A lookup of declared integers.

use datafusion::arrow::datatypes::ArrowNativeType;

use crate::words::mix;

/// Integers with their positions: an open table of at least twice their number, probed in order.
#[derive(Clone, Debug)]
pub(crate) struct Numbers<T> {
    slots: Vec<Option<(T, usize)>>,
}

impl<T: ArrowNativeType + Eq> Numbers<T> {
    /// A table of different integers.
    pub(crate) fn new(numbers: &[(T, usize)]) -> Self {
        let mut table = Self { slots: vec![None; (2 * numbers.len() + 1).next_power_of_two()] };
        for &(number, position) in numbers {
            let mut slot = table.first(number);
            while table.slots[slot].is_some() {
                slot = table.next(slot);
            }
            table.slots[slot] = Some((number, position));
        }
        table
    }

    /// The position of an integer.
    #[inline]
    pub(crate) fn find(&self, number: T) -> Option<usize> {
        let mut slot = self.first(number);
        loop {
            let (found, position) = self.slots[slot]?;
            if found == number {
                return Some(position);
            }
            slot = self.next(slot);
        }
    }

    #[inline]
    fn first(&self, number: T) -> usize {
        mix(number.as_usize() as u64) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
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
