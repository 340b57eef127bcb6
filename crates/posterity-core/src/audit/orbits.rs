//! Pairs of adjacent data sets that arise from each other by exchanging categories of equal prior parameters.
//!
//! Such an exchange, applied to the data and to the outcome, does not change a distance. So all pairs of an orbit lose
//! the same, except for the rounding of their scores and scales.

use crate::pulse::beat;

/// Two adjacent data sets, by their places in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) here: usize,
    pub(super) there: usize,
}

/// All data sets of a size in lexicographic order, with the categories that may be exchanged.
pub(super) struct PairOrbits<'a> {
    counts: &'a [u64],
    /// The categories, in sets of equal prior parameters.
    classes: Vec<Vec<usize>>,
    k: usize,
}

/// Scales of an orbit may differ by this part of themselves, 2^-48. If they differ by more, nothing is exchanged.
const SAME_SCALE: f64 = 1.0 / (1_u64 << 48) as f64;

impl<'a> PairOrbits<'a> {
    /// The orbits of data sets with these scales.
    pub(super) fn new(alpha: &[f64], counts: &'a [u64], scales: &[f64]) -> Self {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for (category, value) in alpha.iter().enumerate() {
            match classes.iter_mut().find(|class| alpha[class[0]] == *value) {
                Some(class) => class.push(category),
                None => classes.push(vec![category]),
            }
        }
        let mut orbits = Self { counts, classes, k: alpha.len() };
        let same = scales.iter().enumerate().all(|(index, &scale)| {
            beat();
            let first = scales[orbits.first(Pair { here: index, there: index }).here];
            (scale - first).abs() <= SAME_SCALE * first
        });
        if !same {
            orbits.classes = (0..orbits.k).map(|category| vec![category]).collect();
        }
        orbits
    }

    /// Calls `visit` with every pair of adjacent data sets and the representative of its orbit. Of the two data sets of
    /// a pair, the second has a record moved to the front, so that it comes later in the order.
    pub(super) fn for_each_pair(&self, mut visit: impl FnMut(Pair, Pair)) {
        for here in 0..self.counts.len() / self.k {
            beat();
            let mut data = self.data(here).to_vec();
            for to in 0..self.k - 1 {
                for from in to + 1..self.k {
                    if data[from] == 0 {
                        continue;
                    }
                    data[from] -= 1;
                    data[to] += 1;
                    let there = self.index(&data);
                    data[from] += 1;
                    data[to] -= 1;
                    let pair = Pair { here, there };
                    visit(pair, self.first(pair).min(self.first(Pair { here: there, there: here })));
                }
            }
        }
    }

    /// The pair of the orbit in which the first data set is sorted within each class, and then the second.
    fn first(&self, pair: Pair) -> Pair {
        let (here, there) = (self.data(pair.here), self.data(pair.there));
        let (mut first, mut second) = (here.to_vec(), there.to_vec());
        for class in self.classes.iter().filter(|class| class.len() > 1) {
            let mut sorted = class.clone();
            sorted.sort_unstable_by_key(|&category| (here[category], there[category]));
            for (&to, from) in class.iter().zip(sorted) {
                (first[to], second[to]) = (here[from], there[from]);
            }
        }
        Pair { here: self.index(&first), there: self.index(&second) }
    }

    /// The counts of a data set.
    fn data(&self, index: usize) -> &[u64] {
        &self.counts[index * self.k..(index + 1) * self.k]
    }

    /// The place of a data set in the order.
    fn index(&self, data: &[u64]) -> usize {
        let (mut low, mut high) = (0, self.counts.len() / self.k - 1);
        while low < high {
            let middle = (low + high) / 2;
            if self.data(middle) < data { low = middle + 1 } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::mechanism::Space;

    /// If this fails, some pairs are never evaluated, or more than needed are.
    #[test]
    fn orbits_partition_the_pairs() {
        for (alpha, size) in [(&[1.0, 1.0, 1.0][..], 6), (&[2.0, 1.0, 2.0], 2), (&[1.0, 2.0, 3.0], 1)] {
            let (k, n) = (alpha.len(), 20);
            let mut counts = Vec::new();
            Space::Candidates.for_each(k, n, |data| counts.extend_from_slice(data));
            let orbits = PairOrbits::new(alpha, &counts, &vec![1.0; counts.len() / k]);
            let (mut all, mut firsts) = (0, BTreeSet::new());
            orbits.for_each_pair(|pair, first| {
                let class = |at: usize| {
                    let mut data: Vec<(u64, u64)> =
                        alpha.iter().zip(orbits.data(at)).map(|(a, &c)| (a.to_bits(), c)).collect();
                    data.sort_unstable();
                    data
                };
                let (mut two, mut like) =
                    ([class(pair.here), class(pair.there)], [class(first.here), class(first.there)]);
                two.sort();
                like.sort();
                assert_eq!(two, like);
                firsts.insert(first);
                all += 1;
            });
            // Pairs with equal counts have smaller orbits.
            assert!(
                firsts.len() * size >= all && firsts.len() * size <= all + all / 2,
                "{} {all}",
                firsts.len()
            );
            // If the scales differ, every pair is its own representative.
            let scales: Vec<f64> = (0..counts.len() / k).map(|index| 1.0 + index as f64).collect();
            let mut single = 0;
            PairOrbits::new(alpha, &counts, &scales).for_each_pair(|pair, first| {
                single += 1;
                assert_eq!(pair, first);
            });
            assert_eq!(single, all);
        }
    }
}
