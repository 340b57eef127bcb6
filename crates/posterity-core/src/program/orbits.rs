//! Pairs of data set and candidate that exchanges of categories turn into each other.

use std::collections::HashMap;
use std::ops::Range;

use thiserror::Error;

use crate::model::Setting;
use crate::sampler::ln_candidates;
use crate::special::ln_gamma;

/// The pairs (c, r) up to permutations of categories with equal prior parameters.
///
/// Such permutations reorder the columns `(c_i, r_i)`. So an orbit is identified by its columns, sorted in decreasing
/// order within each class of equal parameters.
#[derive(Clone, Debug)]
pub(crate) struct Orbits {
    /// The categories, ordered so that those with equal parameters are next to each other.
    pub(crate) order: Vec<usize>,
    /// Whether a place in that order may be exchanged with the one before it.
    tied: Vec<bool>,
    n: u64,
    /// The sorted data sets, each with its sorted pairs.
    pub(crate) rows: Vec<Row>,
    /// The variable of each sorted pair, by its columns.
    pub(crate) variables: HashMap<Vec<(u64, u64)>, usize>,
}

/// A data set up to permutations, and the candidates up to permutations that do not change this data set.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) truth: Vec<u64>,
    /// How many data sets this one stands for.
    pub(crate) size: f64,
    pub(crate) candidates: Vec<Vec<u64>>,
    /// How many candidates each candidate stands for.
    pub(crate) sizes: Vec<f64>,
}

/// There are more orbits than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the linear program has {at_least:.3e} variables or more")]
pub(crate) struct TooManyVariables {
    /// A lower bound on the number of orbits.
    pub(crate) at_least: f64,
    /// How many are allowed.
    pub(crate) most: usize,
}

/// The most counts in all listed pairs together, which take 160 MB.
const MAX_COUNTS_IN_PAIRS: usize = 10_000_000;

impl Orbits {
    /// The orbits, if they are at most `max`; with very many categories, fewer are allowed.
    pub(crate) fn new(setting: &Setting, symmetric: bool, max: usize) -> Result<Self, TooManyVariables> {
        let (n, alpha) = (setting.n(), setting.prior().parameters());
        let max = max.min(MAX_COUNTS_IN_PAIRS / alpha.len());
        let (order, tied) = ordered(alpha, symmetric);
        let at_least = at_least(&tied, n);
        let too_large = || TooManyVariables { at_least: at_least.max(max as f64 + 1.0), most: max };
        if at_least > max as f64 {
            return Err(too_large());
        }
        let mut orbits = Self { order, tied, n, rows: Vec::new(), variables: HashMap::new() };
        let mut truths = Vec::new();
        if !sorted_vectors(&orbits.tied, n, max, &mut truths) {
            return Err(too_large());
        }
        for truth in truths {
            let tied = ties_within(&orbits.tied, &truth);
            let mut candidates = Vec::new();
            if !sorted_vectors(&tied, n, max - orbits.variables.len(), &mut candidates) {
                return Err(too_large());
            }
            for candidate in &candidates {
                let columns = truth.iter().copied().zip(candidate.iter().copied()).collect();
                orbits.variables.insert(columns, orbits.variables.len());
            }
            let sizes = candidates.iter().map(|candidate| arrangements(&tied, candidate)).collect();
            let size = arrangements(&orbits.tied, &truth);
            orbits.rows.push(Row { truth, size, candidates, sizes });
        }
        Ok(orbits)
    }

    /// A lower bound on the number of orbits, without a list of them.
    pub(crate) fn at_least(setting: &Setting, symmetric: bool) -> f64 {
        at_least(&ordered(setting.prior().parameters(), symmetric).1, setting.n())
    }

    /// The variable of a pair of counts, given in the order of the categories.
    pub(crate) fn find(&self, c: &[u64], r: &[u64]) -> Option<usize> {
        let proper = |counts: &[u64]| {
            let total = counts.iter().try_fold(0, |sum: u64, &count| sum.checked_add(count));
            counts.len() == self.order.len() && total == Some(self.n)
        };
        if !proper(c) || !proper(r) {
            return None;
        }
        self.find_columns(self.order.iter().map(|&i| (c[i], r[i])).collect())
    }

    /// The variable of a pair of counts, given in the order of the places.
    pub(crate) fn find_columns(&self, mut columns: Vec<(u64, u64)>) -> Option<usize> {
        for run in runs(&self.tied) {
            columns[run].sort_unstable_by(|a, b| b.cmp(a));
        }
        self.variables.get(&columns).copied()
    }
}

/// The categories with those of equal parameters next to each other, and whether each may be exchanged with the one
/// before it.
fn ordered(alpha: &[f64], symmetric: bool) -> (Vec<usize>, Vec<bool>) {
    let mut order: Vec<usize> = (0..alpha.len()).collect();
    order.sort_by(|&i, &j| alpha[i].total_cmp(&alpha[j]));
    let mut tied: Vec<bool> = vec![false; alpha.len()];
    for place in 1..alpha.len() {
        tied[place] = symmetric && alpha[order[place]] == alpha[order[place - 1]];
    }
    (order, tied)
}

/// No orbit has more elements than the group of exchanges, so there are at least this many orbits.
fn at_least(tied: &[bool], n: u64) -> f64 {
    let ln_group: f64 = runs(tied).map(|run| ln_gamma(run.len() as f64 + 1.0)).sum();
    libm::ceil((1.0 - 1e-9) * libm::exp(2.0 * ln_candidates(tied.len(), n) - ln_group))
}

/// The maximal runs of places of which each may be exchanged with the one before it.
fn runs(tied: &[bool]) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..tied.len()).filter(|&place| !tied[place]);
    starts.map(|start| {
        let end = (start + 1..tied.len()).find(|&place| !tied[place]).unwrap_or(tied.len());
        start..end
    })
}

/// The ties between places that also have equal `counts`.
fn ties_within(tied: &[bool], counts: &[u64]) -> Vec<bool> {
    (0..tied.len()).map(|place| tied[place] && counts[place] == counts[place - 1]).collect()
}

/// In how many ways the counts can be arranged by exchanging tied places.
fn arrangements(tied: &[bool], counts: &[u64]) -> f64 {
    // p!/(q! ..) for each run of p tied places that holds q times the same count, one factor at a time.
    let (mut ways, mut p, mut q) = (1.0, 0.0, 0.0);
    for (&tied, &same) in tied.iter().zip(&ties_within(tied, counts)) {
        p = if tied { p + 1.0 } else { 1.0 };
        q = if same { q + 1.0 } else { 1.0 };
        ways *= p / q;
    }
    libm::round(ways)
}

/// Lists the vectors of sum `n` whose tied places do not increase, in lexicographic order. False if there are more than
/// `max`.
fn sorted_vectors(tied: &[bool], n: u64, max: usize, list: &mut Vec<Vec<u64>>) -> bool {
    // From this place on, every place is tied to the one before it.
    let last_run = tied.iter().rposition(|&tied| !tied).unwrap_or(0);
    let bounds = |before: &[u64], left: u64| {
        let place = before.len();
        let most = match before.last() {
            Some(&last) if tied[place] => left.min(last),
            _ => left,
        };
        // In the last run none of the later places can hold more than this one, so it needs a least count.
        let least = if place >= last_run { left.div_ceil((tied.len() - place) as u64) } else { 0 };
        (least, most)
    };
    // The counts of the first places, the most that each of them can hold, and what is left of n.
    let (mut counts, mut mosts, mut left) = (Vec::with_capacity(tied.len()), Vec::new(), n);
    loop {
        while counts.len() < tied.len() {
            let (least, most) = bounds(&counts, left);
            if least > most {
                break;
            }
            counts.push(least);
            mosts.push(most);
            left -= least;
        }
        if counts.len() == tied.len() {
            list.push(counts.clone());
            if list.len() > max {
                return false;
            }
        }
        // The next one: one more in the last place that can hold it.
        loop {
            let (Some(count), Some(most)) = (counts.pop(), mosts.pop()) else { return true };
            left += count;
            if count < most {
                counts.push(count + 1);
                mosts.push(most);
                left -= count + 1;
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Space;

    /// Every vector once, in order, and none else: against all candidates, of which those are kept whose tied places do
    /// not increase.
    #[test]
    fn sorted_vectors_are_those_among_all_candidates() {
        for tied in [
            &[false, false, false][..],
            &[false, true, true],
            &[false, true, false, true],
            &[false, false, true],
            &[false, true],
        ] {
            for n in [1, 4, 7] {
                let mut expected = Vec::new();
                Space::Candidates.for_each(tied.len(), n, |counts| {
                    if (1..tied.len()).all(|place| !tied[place] || counts[place] <= counts[place - 1]) {
                        expected.push(counts.to_vec());
                    }
                });
                let mut found = Vec::new();
                assert!(sorted_vectors(tied, n, 10_000, &mut found));
                assert_eq!(found, expected, "{tied:?} {n}");
                assert!(!sorted_vectors(tied, n, found.len() - 1, &mut Vec::new()));
            }
        }
    }

    /// If this fails, a list of many categories is as deep as they are many, or takes all memory.
    #[test]
    fn very_many_categories_are_listed_or_refused_in_little_memory() {
        let new = |k: usize, n: u64| {
            let prior = crate::model::Prior::uniform(k).expect("valid");
            let setting = Setting::new(prior, n, "1".parse().expect("positive")).expect("valid");
            Orbits::new(&setting, true, 20_000).map(|orbits| orbits.variables.len())
        };
        assert_eq!(new(200_000, 1), Ok(2));
        let refused = new(120_000, 1_000).expect_err("partitions of 1,000");
        assert_eq!((refused.most, refused.at_least >= 84.0), (83, true));
    }
}
