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
}

impl Orbits {
    pub(crate) fn new(setting: &Setting, symmetric: bool, max: usize) -> Result<Self, TooManyVariables> {
        let (k, n, alpha) = (setting.k(), setting.n(), setting.prior().parameters());
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_by(|&i, &j| alpha[i].total_cmp(&alpha[j]));
        let mut tied: Vec<bool> = vec![false; k];
        for place in 1..k {
            tied[place] = symmetric && alpha[order[place]] == alpha[order[place - 1]];
        }
        // No orbit has more elements than the group, so there are at least this many orbits.
        let ln_group: f64 = runs(&tied).map(|run| ln_gamma(run.len() as f64 + 1.0)).sum();
        let at_least = libm::ceil((1.0 - 1e-9) * libm::exp(2.0 * ln_candidates(k, n) - ln_group));
        let too_large = || TooManyVariables { at_least: at_least.max(max as f64 + 1.0) };
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

/// Lists the vectors of sum `n` whose tied places do not increase. False if there are more than `max`.
fn sorted_vectors(tied: &[bool], n: u64, max: usize, list: &mut Vec<Vec<u64>>) -> bool {
    fn extend(tied: &[bool], left: u64, max: usize, prefix: &mut Vec<u64>, list: &mut Vec<Vec<u64>>) -> bool {
        let place = prefix.len();
        if place == tied.len() {
            list.push(prefix.clone());
            return list.len() <= max;
        }
        let most = match prefix.last() {
            Some(&before) if tied[place] => left.min(before),
            _ => left,
        };
        // If all later places are tied to this one, none of them can hold more than it, so it needs a least count.
        let later = &tied[place + 1..];
        let least = if later.iter().all(|&tied| tied) { left.div_ceil(later.len() as u64 + 1) } else { 0 };
        (least..=most).all(|count| {
            prefix.push(count);
            let fits = extend(tied, left - count, max, prefix, list);
            prefix.pop();
            fits
        })
    }
    extend(tied, n, max, &mut Vec::with_capacity(tied.len()), list)
}
