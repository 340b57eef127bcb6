//! The sets of outcomes that mechanisms have.

use crate::pulse::beat;
use crate::sampler::ln_candidates;
use crate::special::ln_binomial;

/// The number of candidates beyond which a mechanism that keeps a weight for each of them is refused.
pub const MAX_CANDIDATES: usize = 20_000;

/// All vectors of counts that a mechanism may release, in lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The candidates: k whole numbers that sum to n.
    Candidates,
    /// k whole numbers from 0 to n.
    Cube,
    /// k-1 whole numbers from 0 to n, and what they leave of n, or zero.
    Remainder,
    /// What is left of whole numbers that sum to n when each is clipped to `0..=n`: k whole numbers from 0 to n that
    /// sum to n, or to more if one of them is zero.
    Lattice,
}

impl Space {
    /// The number of outcomes, as far as floating point can say.
    #[must_use]
    pub fn size(self, k: usize, n: u64) -> f64 {
        match self {
            Self::Candidates => libm::round(libm::exp(ln_candidates(k, n))),
            Self::Cube => libm::pow(n as f64 + 1.0, k as f64),
            Self::Remainder => libm::pow(n as f64 + 1.0, k as f64 - 1.0),
            // With z zeros, the other k-z are from 1 to n: n^(k-z) of them, of which C(n, k-z) sum to at most n.
            Self::Lattice => {
                let beyond = |zeros: usize| {
                    let others = k - zeros;
                    let all = libm::pow(n as f64, others as f64);
                    let small =
                        if others as u64 > n { 0.0 } else { libm::exp(ln_binomial(n, others as u64)) };
                    let places = libm::exp(ln_binomial(k as u64, zeros as u64));
                    // Too many is too many, also where the difference of the two would be no number.
                    if all.is_finite() { places * (all - small).max(0.0) } else { f64::INFINITY }
                };
                Self::Candidates.size(k, n) + libm::round((1..k - 1).map(beyond).sum())
            }
        }
    }

    /// Every outcome. Look at the size of the space first.
    #[must_use]
    pub fn list(self, k: usize, n: u64) -> Vec<Vec<u64>> {
        let mut all = Vec::new();
        self.for_each(k, n, |outcome| all.push(outcome.to_vec()));
        all
    }

    /// Calls `visit` with every outcome.
    pub fn for_each(self, k: usize, n: u64, mut visit: impl FnMut(&[u64])) {
        match self {
            Self::Candidates => for_each_candidate(k, n, visit),
            Self::Cube => for_each_in_cube(k, n, visit),
            Self::Remainder => {
                let mut outcome = vec![0; k];
                for_each_in_cube(k - 1, n, |free| {
                    outcome[..k - 1].copy_from_slice(free);
                    outcome[k - 1] = n.saturating_sub(free.iter().sum());
                    visit(&outcome);
                });
            }
            Self::Lattice => {
                let mut outcome = vec![0; k];
                for_each_in_cube(k - 1, n, |free| {
                    outcome[..k - 1].copy_from_slice(free);
                    let least = n.saturating_sub(free.iter().sum());
                    // With a zero among them the last may be anything from what is missing on.
                    for last in least..=if free.contains(&0) { n } else { least } {
                        outcome[k - 1] = last;
                        visit(&outcome);
                    }
                });
            }
        }
    }
}

/// Calls `visit` with every vector of `k` whole numbers that sums to `n`, in lexicographic order.
fn for_each_candidate(k: usize, n: u64, mut visit: impl FnMut(&[u64])) {
    let mut counts = vec![0; k];
    counts[k - 1] = n;
    loop {
        beat();
        visit(&counts);
        // The next one: empty the last category into the first place before it that it can raise by one.
        let rest = std::mem::take(&mut counts[k - 1]);
        if rest > 0 {
            counts[k - 2] += 1;
            counts[k - 1] = rest - 1;
            continue;
        }
        // Everything sits before the last place: carry from the last place that holds something.
        let Some(place) = (1..k - 1).rev().find(|&place| counts[place] > 0) else { return };
        let carried = std::mem::take(&mut counts[place]);
        counts[place - 1] += 1;
        counts[k - 1] = carried - 1;
    }
}

/// Calls `visit` with every vector of `length` whole numbers from 0 to `n`, in lexicographic order.
fn for_each_in_cube(length: usize, n: u64, mut visit: impl FnMut(&[u64])) {
    let mut counts = vec![0; length];
    loop {
        beat();
        visit(&counts);
        let Some(place) = counts.iter().rposition(|&count| count < n) else { return };
        counts[place] += 1;
        counts[place + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerations_are_complete_and_in_order() {
        for (k, n) in [(2, 5), (3, 4), (4, 3), (5, 1)] {
            let mut cube = Space::Cube.list(k, n);
            assert!(cube.is_sorted());
            assert_eq!(cube.len() as u64, (n + 1).pow(k as u32));
            cube.retain(|counts| counts.iter().sum::<u64>() >= n);
            cube.retain(|counts| counts.contains(&0) || counts.iter().sum::<u64>() == n);
            assert_eq!(Space::Lattice.list(k, n), cube);
            assert_eq!(Space::Lattice.size(k, n), cube.len() as f64, "k {k} n {n}");
            cube.retain(|counts| counts.iter().sum::<u64>() == n);
            assert_eq!(Space::Candidates.list(k, n), cube);
        }
    }

    /// A size is never below the true one, and always a number, because limits rely on it.
    #[test]
    fn sizes_beyond_floating_point_are_infinite() {
        for space in [Space::Candidates, Space::Cube, Space::Remainder, Space::Lattice] {
            for (k, n) in [(200, 1_000), (1_000, 1_000_000), (300, 3_000), (120, 1_200), (5_000, 10)] {
                assert!(space.size(k, n) > 1e15, "{space:?} k {k} n {n}: {}", space.size(k, n));
            }
        }
    }
}
