//! A lookup of declared integers.

use super::table::{Lookup, mix};

/// Integers with their positions.
#[derive(Clone, Debug)]
pub(crate) struct Integers {
    is_empty: bool,
    lookup: Lookup<i128>,
    near: Option<NearIntegers>,
}

/// Integers that are near each other, with their positions: as codes of small integers are.
#[derive(Clone, Debug)]
pub(crate) struct NearIntegers {
    least: i64,
    /// For each number from the least one to the largest its position, if it has one.
    positions: Vec<Option<u32>>,
}

/// Integers are near each other if they are among so many.
const NEAR: i128 = 1 << 12;

impl Integers {
    /// A table of different integers.
    pub(crate) fn new(numbers: &[(i128, usize)]) -> Self {
        let keys: Vec<_> =
            numbers.iter().map(|&(number, position)| (mix(number as u64), number, position)).collect();
        Self { is_empty: numbers.is_empty(), lookup: Lookup::new(&keys), near: NearIntegers::new(numbers) }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The position of an integer.
    #[inline]
    pub(crate) fn find(&self, number: i128) -> Option<usize> {
        self.lookup.find(mix(number as u64), |found, _| found == number)
    }

    /// The same integers, if they are near each other.
    pub(crate) fn near(&self) -> Option<&NearIntegers> {
        self.near.as_ref()
    }
}

impl NearIntegers {
    fn new(numbers: &[(i128, usize)]) -> Option<Self> {
        let least = numbers.iter().map(|(number, _)| *number).min()?;
        let largest = numbers.iter().map(|(number, _)| *number).max()?;
        // The difference of two numbers of 128 bits may be larger than one.
        let length = largest.checked_sub(least).filter(|length| *length < NEAR)? + 1;
        let mut positions = vec![None; length as usize];
        for &(number, position) in numbers {
            positions[(number - least) as usize] = Some(position as u32);
        }
        i64::try_from(largest).ok()?;
        Some(Self { least: i64::try_from(least).ok()?, positions })
    }

    /// The position of an integer.
    #[inline]
    pub(crate) fn find(&self, number: i64) -> Option<u32> {
        // What lies below the least one wraps around to a number above all.
        let place = (number as u64).wrapping_sub(self.least as u64);
        self.positions.get(usize::try_from(place).ok()?).copied().flatten()
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
        assert!(table.near().is_none() && Integers::new(&[]).near().is_none());
    }

    /// If this fails, a number is counted as another one where the declared ones are near each other.
    #[test]
    fn near_numbers_are_found_alike() {
        for least in [0, -3, i128::from(i64::MIN), i128::from(i64::MAX) - 40] {
            let numbers: Vec<(i128, usize)> =
                [7, 0, 3, 40, 12].into_iter().map(|more| least + more).zip(0..).collect();
            let table = Integers::new(&numbers);
            let near = table.near().expect("near");
            let edges = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX].map(i128::from);
            for number in (least - 5..least + 50).chain(edges) {
                let Ok(small) = i64::try_from(number) else { continue };
                assert_eq!(
                    near.find(small).map(|position| position as usize),
                    table.find(number),
                    "{least} {number}"
                );
            }
        }
        for far in [[0, NEAR], [i128::MIN, i128::MAX], [i64::MAX.into(), i128::from(i64::MAX) + 1]] {
            assert!(Integers::new(&[(far[0], 0), (far[1], 1)]).near().is_none(), "{far:?}");
        }
    }
}
