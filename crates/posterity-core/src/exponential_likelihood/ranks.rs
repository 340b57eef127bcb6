//! The places of data sets in lexicographic order.

/// The candidates of k categories and n records.
pub(super) struct Ranks {
    k: usize,
    /// For j = 1..=k, the number of candidates of j categories with m records, `C(m+j-1, j-1)`.
    numbers: Vec<Vec<usize>>,
}

impl Ranks {
    /// The order of so few candidates that they can be listed.
    pub(super) fn new(k: usize, n: u64) -> Self {
        let mut numbers = vec![vec![1; n as usize + 1]];
        for j in 1..k {
            let mut sum = 0;
            let row = numbers[j - 1].iter().map(|before| {
                sum += before;
                sum
            });
            let row = row.collect();
            numbers.push(row);
        }
        Self { k, numbers }
    }

    /// The place of a candidate.
    pub(super) fn rank(&self, counts: &[u64]) -> usize {
        let mut left: u64 = counts.iter().sum();
        let mut rank = 0;
        for (place, &count) in counts.iter().enumerate().take(self.k - 1) {
            // Candidates with less in this category: sum_{v < count} numbers[others](left - v).
            let all = &self.numbers[self.k - place - 1];
            rank += all[left as usize] - all[(left - count) as usize];
            left -= count;
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Space;

    #[test]
    fn ranks_are_places_in_the_order() {
        for (k, n) in [(2, 9), (3, 7), (4, 5), (6, 3), (5, 1)] {
            let ranks = Ranks::new(k, n);
            let mut place = 0;
            Space::Candidates.for_each(k, n, |counts| {
                assert_eq!(ranks.rank(counts), place, "{counts:?}");
                place += 1;
            });
        }
    }
}
