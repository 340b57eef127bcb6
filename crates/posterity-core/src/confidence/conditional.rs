//! The share of a group within a condition whose true count is not known.

use super::binomial::expectation;
use super::ends::{deviations, first_kept};
use super::joint::{Joint, Table};
use super::subject::Subject;
use crate::noise::FoldedNoise;

/// A test of the share p of a group within a condition, by `D = u - p w` with the noisy counts u of the group and w of
/// the condition.
///
/// Given the true count c of the condition, D is a centred binomial number plus noise. The p-value is the largest over
/// the counts of a set that holds the true one but for a probability that is taken off the size of the test.
pub(super) struct Conditional {
    /// The counts of the condition at which the tail is computed; none for records, where they do not matter.
    counts: Vec<u64>,
    /// Whether the set has more counts than these.
    thinned: bool,
    may_be_empty: bool,
    size: f64,
    drawn: f64,
}

/// The part of `1 - level` that the set of counts may take.
pub(super) const SET_SHARE: f64 = 0.02;

/// How precisely an end is found, relative to it; always from outside.
const CLOSE: f64 = 1e-5;

/// The most counts at which the tail is computed.
const COUNTS: u64 = 24;

impl Conditional {
    /// A test for a condition with this noisy count and this noise.
    pub(super) fn new(n: u64, w: i64, noise: &FoldedNoise, about: Subject, level: f64) -> Self {
        let beta = SET_SHARE * (1.0 - level);
        let (low, high) = noise.middle(0.5 * beta);
        let inside = |count: i64| count.clamp(0, n as i64) as u64;
        let (least, most) = (inside(w.saturating_sub(high)), inside(w.saturating_sub(low)));
        let (counts, thinned) = match about {
            Subject::Records => (Vec::new(), false),
            Subject::Population => spread(least, most, COUNTS),
        };
        let size = match about {
            Subject::Records => 0.5 * (1.0 - level),
            Subject::Population => 0.5 * (1.0 - level - beta),
        };
        Self { counts, thinned, may_be_empty: least == 0, size, drawn: w as f64 - noise.mean() }
    }

    /// Whether the set of counts holds zero.
    pub(super) fn may_be_empty(&self) -> bool {
        self.may_be_empty
    }

    /// The lower end of the interval: the least share that is not rejected because u is too large.
    ///
    /// A negative count v of the others would make every share too small, so that the interval would be empty: it is
    /// taken for none.
    pub(super) fn lower_end(&self, u: i64, v: i64, joint: &Joint) -> f64 {
        let (u, v) = (u as f64, (v as f64).max(joint.mean_of_others().ceil()));
        let value = |p: f64| self.p_value(p, u, v, &joint.table(p)) + joint.lost();
        first_kept(self.guess(u, v, joint), self.size, CLOSE, value)
    }

    /// The largest `P(C - p c + N >= u - p w)` over the counts c, where `C ~ Bin(c, p)`.
    fn p_value(&self, p: f64, u: f64, v: f64, noise: &Table) -> f64 {
        // A number on the edge is in the tail, however it is rounded.
        let d = (1.0 - p) * u - p * v - 1e-9 * (1.0 + u.abs() + v.abs());
        if self.counts.is_empty() {
            return noise.at_least(d);
        }
        let tail = |&count: &u64| {
            let at = d + p * count as f64;
            let (low, high) = (libm::floor(at - noise.end()) as i64, libm::ceil(at - noise.start()) as i64);
            expectation(count, p, low, high, |part| noise.at_least(at - part as f64))
        };
        let tails: Vec<f64> = self.counts.iter().map(tail).collect();
        let largest = tails.iter().copied().fold(0.0, f64::max);
        if !self.thinned {
            return largest;
        }
        // Between two counts the tail is almost a straight line.
        let bend = |three: &[f64]| (three[0] - 2.0 * three[1] + three[2]).abs();
        largest + 0.25 * tails.windows(3).map(bend).fold(0.0, f64::max)
    }

    /// Where the end would be if D were normal.
    fn guess(&self, u: f64, v: f64, joint: &Joint) -> f64 {
        let z = deviations(self.size);
        let w = u + v;
        let count = if self.counts.is_empty() { 0.0 } else { self.drawn.max(0.0) };
        let share = if w > 0.0 { (u / w).clamp(0.0, 1.0) } else { 0.5 };
        let mut p = share;
        for _ in 0..8 {
            let deviation = libm::sqrt(joint.variance(p) + count * p * (1.0 - p));
            let next = (u - z * deviation) / w.max(1.0);
            p = (0.5 * (p + next)).clamp(1e-6, 1.0 - 1e-6);
        }
        p
    }
}

/// At most `parts + 1` of the counts between two, and whether some were left out. Small counts are closer together,
/// because there the law changes most.
pub(super) fn spread(least: u64, most: u64, parts: u64) -> (Vec<u64>, bool) {
    if most - least <= parts {
        return ((least..=most).collect(), false);
    }
    let width = (most - least) as f64;
    let at = |step: u64| {
        let part = step as f64 / parts as f64;
        least + libm::round(width * part * part) as u64
    };
    let mut counts: Vec<u64> = (0..=parts).map(at).collect();
    counts.dedup();
    (counts, true)
}
