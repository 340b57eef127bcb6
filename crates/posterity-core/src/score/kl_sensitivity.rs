//! Sensitivities of the Kullback-Leibler divergences, which are not metrics.
//!
//! The change of the divergence when one record moves is linear, or monotone, in the released counts, so that it is
//! largest where all released records are in one of the two categories (docs/proofs/scores.md). So the local
//! sensitivity is a formula. The global and the smooth ones are its largest values, found by a search with bounds.

use std::sync::Arc;

use super::chernoff_sensitivity::check;
use super::cost_sensitivity::total;
use super::fitted::{power_of_two_above, rounded_up};
use super::linear::LinearRuler;
use super::search::{Box, largest};
use super::{Decay, FittedScore, ScoreError};
use crate::distance::gamma_gap;
use crate::model::{Counts, Prior, PriorError};
use crate::sampler::Ruler;
use crate::special::digamma::ln_minus_digamma;
use crate::special::gamma::ln_1p_inverse;
use crate::special::{Enclosed, Number};

/// Which of the two posteriors the expectation is taken under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Under {
    /// The true one: `KL(true, released)`.
    Truth,
    /// The released one: `KL(released, true)`.
    Released,
}

/// With prior parameters below one half and three or more categories, the most records.
const MAX_RECORDS: u64 = 3_000;

/// A divergence under a prior, for n records.
#[derive(Debug)]
pub(super) struct KlSensitivity {
    under: Under,
    prior: Prior,
    n: u64,
    largest: f64,
}

impl KlSensitivity {
    pub(super) fn new(score: &'static str, prior: &Prior, n: u64, under: Under) -> Result<Self, ScoreError> {
        let small = prior.parameters().iter().any(|&alpha| alpha < 0.5);
        if prior.len() > 2 && small && n > MAX_RECORDS {
            return Err(ScoreError::TooManyRecords { score, n, max: MAX_RECORDS });
        }
        let largest = rounded_up(largest_divergence(prior.parameters(), n));
        if !largest.is_normal() {
            return Err(ScoreError::Infinite { score });
        }
        Ok(Self { under, prior: prior.clone(), n, largest })
    }

    /// Between data with counts x and y of categories i and j, and the same with one record moved from i to j: the
    /// change of the divergence of the candidate that has all records in j. This is a bound on it for x and y in a
    /// range, and exact for one point.
    fn most_change(&self, (i, j): (usize, usize), x: (u64, u64), (y0, _): (u64, u64)) -> f64 {
        let alpha = self.prior.parameters();
        self.source(alpha[i], x) + self.target(alpha[j], y0)
    }

    /// The part of the change that the category has which a record leaves; positive.
    fn source<T: Number>(&self, alpha: T, (x0, x1): (u64, u64)) -> T {
        let more = (x1 - 1) as f64;
        match self.under {
            Under::Truth => {
                let less = alpha + (x0 - 1) as f64;
                // ln(1 + 1/z) - w(z+1) = 1/z - w(z), with w(z) = ln z - digamma(z), falls with z.
                T::from(more) / (alpha + more) + (ln_1p_inverse(less) - ln_minus_digamma(less + 1.0))
            }
            Under::Released if x1 == 1 => ln_minus_digamma(alpha),
            Under::Released => ln_1p_inverse(alpha / more) + ln_minus_digamma(alpha),
        }
    }

    /// The part of the change that the category has which a record joins; positive.
    fn target<T: Number>(&self, alpha: T, y: u64) -> T {
        let (joined, others) = (alpha + y as f64, (self.n - y) as f64);
        match self.under {
            Under::Truth => ln_minus_digamma(joined) + T::from(others - 1.0) / joined,
            Under::Released => ln_1p_inverse(joined / others) - ln_minus_digamma(alpha + self.n as f64),
        }
    }

    /// The largest value of all moves between two categories in all data sets. `value` is given a bound on the change,
    /// and the ranges of the counts of the two categories; it grows with the first and is exact for a single data set.
    fn largest_move(&self, value: &dyn Fn(f64, (usize, usize), Box<2>) -> f64) -> f64 {
        let (k, n) = (self.prior.len(), self.n);
        let alpha = self.prior.parameters();
        let mut best = 0.0_f64;
        for pair in (0..k).flat_map(|i| (0..k).filter(move |&j| j != i).map(move |j| (i, j))) {
            let of = |x: (u64, u64), y: (u64, u64)| {
                let change = self.most_change(pair, x, y);
                if change > 0.0 { value(change, pair, [x, y]) } else { 0.0 }
            };
            let found = if k == 2 {
                largest(
                    [(1, n)],
                    |&[x]: &Box<1>| of(x, (n - x.1, n - x.0)),
                    |&[(low, high)]| [(high - low) as f64],
                )
            } else {
                let bound = |&[x, y]: &Box<2>| {
                    if x.0 + y.0 > n { 0.0 } else { of((x.0, x.1.min(n - y.0)), (y.0, y.1.min(n - x.0))) }
                };
                let size = |(low, high): (u64, u64), alpha: f64| (high - low) as f64 / (alpha + low as f64);
                largest([(1, n), (0, n - 1)], bound, |&[x, y]| {
                    [size(x, alpha[pair.0]), size(y, alpha[pair.1])]
                })
            };
            best = best.max(found);
        }
        best
    }
}

/// The least distance from counts to data sets with counts of two categories in these ranges.
fn distance(counts: &[u64], (i, j): (usize, usize), [x, y]: [(u64, u64); 2]) -> u64 {
    let gained = x.0.saturating_sub(counts[i]) + y.0.saturating_sub(counts[j]);
    let lost = counts[i].saturating_sub(x.1) + counts[j].saturating_sub(y.1);
    gained.max(lost)
}

impl FittedScore for KlSensitivity {
    fn largest(&self) -> f64 {
        self.largest
    }

    fn most_inverse(&self) -> f64 {
        // The changes towards the two ends of a pair add up to 2n/A or more.
        total(&self.prior, self.n) / self.n as f64 * (1.0 + 1e-9)
    }

    fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        check(&self.prior, counts)?;
        let counts = counts.as_slice();
        let k = counts.len();
        let mut best = 0.0_f64;
        for (i, j) in (0..k).flat_map(|i| (0..k).filter(move |&j| j != i).map(move |j| (i, j))) {
            let (x, y) = (counts[i], counts[j]);
            if x > 0 {
                let there = self.most_change((i, j), (x, x), (y, y));
                let back = self.most_change((j, i), (y + 1, y + 1), (x - 1, x - 1));
                best = best.max(there).max(back);
            }
        }
        Ok(best)
    }

    fn global(&self) -> f64 {
        self.largest_move(&|change, _, _| change)
    }

    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        check(&self.prior, counts)?;
        let counts = counts.as_slice();
        Ok(self.largest_move(&|change, pair, [x, y]| {
            // A move counts at both of its ends.
            let moved = [(x.0 - 1, x.1 - 1), (y.0 + 1, y.1 + 1)];
            decay.at(change, distance(counts, pair, [x, y]).min(distance(counts, pair, moved)))
        }))
    }

    fn error(&self, category: usize, c: u64, r: u64) -> f64 {
        let alpha = Enclosed::from(self.prior.parameters()[category]);
        let divergence = gamma_gap(alpha + c as f64, alpha + r as f64, Enclosed::from(r as f64 - c as f64));
        let source = if c > 0 { self.source(alpha, (c, c)).relative() } else { 0.0 };
        let target = if c < self.n { self.target(alpha, c).relative() } else { 0.0 };
        // A sum, and not the largest of the three, since that would leave out NaN.
        divergence.relative() + source + target
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        let cost = match self.under {
            Under::Truth => |alpha: f64, c: u64, r: u64| {
                gamma_gap(alpha + c as f64, alpha + r as f64, r as f64 - c as f64)
            },
            Under::Released => |alpha: f64, c: u64, r: u64| {
                gamma_gap(alpha + r as f64, alpha + c as f64, c as f64 - r as f64)
            },
        };
        Arc::new(LinearRuler::new(self.prior.parameters(), cost, self.unit(), self.largest, false))
    }

    fn unit(&self) -> f64 {
        power_of_two_above(self.largest)
    }
}

/// The largest divergence between posteriors of n records. The second posterior has all records in one category, and
/// the first has none there. The records of the first are in one category if its prior parameter is at least one half,
/// because the divergence is then convex in its counts; in general the best way to divide them is found category by
/// category.
fn largest_divergence(alpha: &[f64], n: u64) -> f64 {
    let gap = |alpha: f64, c: u64, r: u64| gamma_gap(alpha + c as f64, alpha + r as f64, r as f64 - c as f64);
    let convex = alpha.len() == 2 || alpha.iter().all(|&alpha| alpha >= 0.5);
    let mut best = 0.0_f64;
    for (j, &target) in alpha.iter().enumerate() {
        let others = || alpha.iter().enumerate().filter(move |&(i, _)| i != j).map(|(_, &alpha)| alpha);
        let first = if convex {
            others().map(|alpha| gap(alpha, n, 0)).fold(0.0, f64::max)
        } else {
            let mut most = vec![0.0_f64];
            for alpha in others() {
                let here: Vec<f64> = (0..=n).map(|c| gap(alpha, c, 0)).collect();
                let length = n as usize + 1;
                let divided = |sum: usize| {
                    let from = sum.saturating_sub(most.len() - 1);
                    (from..=sum).map(|c| here[c] + most[sum - c]).fold(0.0, f64::max)
                };
                most = (0..length).map(divided).collect();
            }
            most[n as usize]
        };
        best = best.max(first + gap(target, 0, n));
    }
    best
}
