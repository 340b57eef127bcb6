//! The share of a group among all records.

use super::binomial::expectation;
use super::ends::{deviations, lower_end};
use crate::noise::FoldedNoise;

/// How precisely an end is found, relative to it; always from outside.
pub(super) const CLOSE: f64 = 1e-10;

/// The lower end of the interval for the share of the population that a group has, if the group has the noisy count y
/// of n records: no smaller share has `P(C + Z >= y) > size`, where `C ~ Bin(n, p)`.
///
/// A count above n would reject every share, so that the interval would be empty: it is taken for n.
pub(super) fn population(n: u64, y: i64, noise: &FoldedNoise, size: f64) -> f64 {
    let mean = noise.mean();
    let y = y.min(n as i64 + libm::floor(mean) as i64);
    if noise.at_least(y) > size {
        return 0.0;
    }
    let (low, high) = (y - noise.end(), y - noise.start());
    let tail = |p: f64| expectation(n, p, low, high, |count| noise.at_least(y - count as i64));
    lower_end(0.0, wilson(n, y as f64 - mean, noise.variance(), size), size, CLOSE, tail)
}

/// The lower end of the interval for the count of the group among the records themselves: the least count c with
/// `P(Z >= y - c) > size`.
pub(super) fn records(n: u64, y: i64, noise: &FoldedNoise, size: f64) -> u64 {
    let (_, high) = noise.middle(size);
    y.saturating_sub(high).clamp(0, n as i64) as u64
}

/// The smaller share p with `(count/n - p)^2 = z^2 (p (1-p)/n + variance/n^2)` (Wilson 1927, with noise).
fn wilson(n: u64, count: f64, variance: f64, size: f64) -> f64 {
    let (n, z) = (n as f64, deviations(size));
    let share = count / n;
    let (a, b) = (1.0 + z * z / n, share + 0.5 * z * z / n);
    let c = share * share - z * z * variance / (n * n);
    let root = (b - libm::sqrt((b * b - a * c).max(0.0))) / a;
    root.clamp(1e-9, 1.0 - 1e-9)
}
