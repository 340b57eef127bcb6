//! Counts that are taken together at a few points.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

/// Neighbouring counts that are taken together, and at which points.
pub(super) struct Bin {
    pub(super) counts: RangeInclusive<u64>,
    /// Nothing if there are no more counts than points would be: then each stands for itself.
    pub(super) points: Option<Chebyshev>,
}

/// Chebyshev points of an interval, with the weights of the barycentric formula.
pub(super) struct Chebyshev {
    points: Vec<f64>,
    weights: Vec<f64>,
}

/// The width of a bin in square roots of its counts. Wider bins need fewer points in all, but more for each count.
const WIDTH: f64 = 8.0;

/// How far a tail probability may be from the one that is taken from the points of all bins.
pub(super) const OFF: f64 = 1e-10;

/// First parameters of Beta distributions up to a largest one.
pub(super) struct Level {
    pub(super) largest: f64,
    /// A bound on their probability together with any counts, divided by the weight of these counts.
    pub(super) most: f64,
}

/// The counts in bins, beside first parameters of these levels. What has little probability may be off by more.
pub(super) fn bins(
    counts: RangeInclusive<u64>,
    levels: &[Level],
    weight: impl Fn(RangeInclusive<u64>) -> f64,
) -> Vec<Bin> {
    let ranges = ranges(counts);
    let each = OFF / ranges.len() as f64;
    let bin = |counts: RangeInclusive<u64>| {
        let (first, last) = (*counts.start(), *counts.end());
        let off = each / weight(counts.clone());
        let enough =
            enough_points(first as f64, last as f64, levels, off).filter(|points| *points <= last - first);
        let points = enough.map(|enough| Chebyshev::new(first as f64, last as f64, enough as usize));
        Bin { counts, points }
    };
    ranges.into_iter().map(bin).collect()
}

/// Ranges of counts that are [`WIDTH`] wide.
fn ranges(counts: RangeInclusive<u64>) -> Vec<RangeInclusive<u64>> {
    let mut ranges = Vec::new();
    let mut first = *counts.start();
    while first <= *counts.end() {
        let root = (first as f64).sqrt() + WIDTH;
        let last = ((root * root) as u64).clamp(first, *counts.end());
        ranges.push(first..=last);
        first = last + 1;
    }
    ranges
}

/// How many Chebyshev points between two counts are enough, so that the tail at each count is the one of the polynomial
/// through them, but for `off` in all levels together. None if the counts are too near to zero for the proof
/// (docs/proofs/tables.md, lemma 1).
fn enough_points(first: f64, last: f64, levels: &[Level], off: f64) -> Option<u64> {
    let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
    let enough = |ellipse: f64| {
        let (along, across) = (0.5 * (ellipse + 1.0 / ellipse), 0.5 * (ellipse - 1.0 / ellipse));
        let q = (middle - 0.5) / (half * along);
        let ln_largest = half * across * across / along * (q - libm::sqrt(q * q - 1.0));
        // A tail beside small parameters grows less.
        let least = middle - half * along;
        let part = |level: &Level| (level.largest + 0.5) / (level.largest + least);
        let most: f64 = levels.iter().map(|level| level.most * libm::exp(part(level) * ln_largest)).sum();
        let ln_error = libm::log(4.0 / (ellipse - 1.0) * (most / off).max(1.0));
        (q > 1.0).then(|| (ln_error / libm::log(ellipse)).max(0.0).ceil() as u64 + 1)
    };
    (1..=60).filter_map(|step| enough(1.0 + 0.05 * f64::from(step))).min()
}

impl Bin {
    /// How many columns of weights it has: one for each point, or for each count.
    pub(super) fn columns(&self) -> f64 {
        match &self.points {
            Some(points) => points.len() as f64,
            None => self.counts.clone().count() as f64,
        }
    }
}

impl Chebyshev {
    fn new(first: f64, last: f64, number: usize) -> Self {
        let angles = || (0..number).map(|point| PI * (point as f64 + 0.5) / number as f64);
        let at = |angle: f64| 0.5 * (first + last) + 0.5 * (last - first) * libm::cos(angle);
        let sign = |place: usize| if place.is_multiple_of(2) { 1.0 } else { -1.0 };
        let weights = angles().enumerate().map(|(place, angle)| sign(place) * libm::sin(angle));
        Self { points: angles().map(at).collect(), weights: weights.collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn at(&self, place: usize) -> f64 {
        self.points[place]
    }

    /// The values at a number of the polynomials that are one at one of the points and zero at the others.
    pub(super) fn polynomials(&self, at: f64) -> Vec<f64> {
        if let Some(same) = self.points.iter().position(|&point| point == at) {
            return (0..self.len()).map(|place| if place == same { 1.0 } else { 0.0 }).collect();
        }
        let mut terms: Vec<f64> =
            self.points.iter().zip(&self.weights).map(|(point, weight)| weight / (at - point)).collect();
        let sum: f64 = terms.iter().sum();
        terms.iter_mut().for_each(|term| *term /= sum);
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::beta::{cdf, quantile};

    /// If this fails, tails at counts between the points are further from their polynomial than is said.
    #[test]
    fn tails_between_the_points_are_polynomials() {
        for start in [0_u64, 30, 200, 1_000, 20_000, 3_000_000, 400_000_000] {
            let counts = start..=start + 30 * (start.isqrt() + 2);
            let number = ranges(counts.clone()).len() as f64;
            let middle = start as f64 + 100.0;
            let parameters = [
                (0.01, 0.5),
                (1.0, 1.0),
                (7.5, 0.01),
                (0.1 * middle, 1.0),
                (middle, 20.0),
                (30.0 * middle, 1.0),
            ];
            // Levels of much and of little probability, and made for this parameter or for larger ones.
            let levels = [(1.0, 1.0), (1e-5, 1.0), (1.0, 20.0)];
            for ((a, prior), (most, times)) in
                parameters.iter().flat_map(|&pair| levels.iter().map(move |&level| (pair, level)))
            {
                let off = OFF / number / most;
                let level = Level { largest: times * a, most };
                for bin in bins(counts.clone(), &[level], |_| 1.0).into_iter().take(3) {
                    let Some(points) = &bin.points else { continue };
                    let (first, last) = (*bin.counts.start(), *bin.counts.end());
                    let counts: Vec<u64> =
                        (0..=10).map(|tenth| first + (last - first) * tenth / 10).collect();
                    let middle = 0.5 * (first as f64 + last as f64);
                    for p in [1e-6, 0.02, 0.3, 0.5, 0.8, 0.999] {
                        let x = quantile(p, a, prior + middle);
                        let tails: Vec<f64> =
                            points.points.iter().map(|point| cdf(x, a, prior + point)).collect();
                        for &count in &counts {
                            let shares = points.polynomials(count as f64);
                            let found: f64 =
                                shares.iter().zip(&tails).map(|(share, tail)| share * tail).sum();
                            let found_off = (found - cdf(x, a, prior + count as f64)).abs();
                            assert!(
                                found_off < off,
                                "{first} to {last}, a {a}, x {x}, {count}: {found_off:e}"
                            );
                        }
                    }
                }
            }
        }
    }
}
