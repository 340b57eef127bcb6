//! The sets of outcomes that mechanisms have.

use crate::sampler::ln_candidates;

/// All vectors of counts that a mechanism may release, in lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// The candidates: k whole numbers that sum to n.
    Candidates,
    /// k whole numbers from 0 to n.
    Cube,
    /// k-1 whole numbers from 0 to n, and what they leave of n, or zero.
    Remainder,
}

impl Space {
    /// The number of outcomes, as far as floating point can say.
    #[must_use]
    pub fn size(self, k: usize, n: u64) -> f64 {
        match self {
            Self::Candidates => libm::round(libm::exp(ln_candidates(k, n))),
            Self::Cube => libm::pow(n as f64 + 1.0, k as f64),
            Self::Remainder => libm::pow(n as f64 + 1.0, k as f64 - 1.0),
        }
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
        }
    }
}

/// Calls `visit` with every vector of `k` whole numbers that sums to `n`, in lexicographic order.
fn for_each_candidate(k: usize, n: u64, mut visit: impl FnMut(&[u64])) {
    let mut counts = vec![0; k];
    counts[k - 1] = n;
    loop {
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
            let mut all = Vec::new();
            for_each_candidate(k, n, |counts| all.push(counts.to_vec()));
            let mut cube = Vec::new();
            for_each_in_cube(k, n, |counts| cube.push(counts.to_vec()));
            assert!(cube.is_sorted());
            assert_eq!(cube.len() as u64, (n + 1).pow(k as u32));
            cube.retain(|counts| counts.iter().sum::<u64>() == n);
            assert_eq!(all, cube);
        }
    }
}
