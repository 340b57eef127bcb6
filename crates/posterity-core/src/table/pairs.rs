//! The weights of all pairs of counts of a group and of the rest of its block.

use std::f64::consts::PI;
use std::ops::RangeInclusive;

use crate::noise_aware::{BetaMixture, Mass};
use crate::pulse::beat;
use crate::special::Sum;

/// Laws of independent counts of a group, of the rest of its block and of everything else, given that they sum to n, as
/// far as they are looked at.
pub(super) struct Pairs<'a> {
    pub(super) group: (&'a Mass, RangeInclusive<u64>),
    pub(super) others: (&'a Mass, RangeInclusive<u64>),
    pub(super) outside: &'a Mass,
    /// The counts of the block.
    pub(super) block: RangeInclusive<u64>,
    pub(super) n: u64,
}

/// Counts of the rest of a block that are taken together, and at which points.
struct Bin {
    counts: RangeInclusive<u64>,
    /// Nothing if there are no more counts than points would be: then each stands for itself.
    points: Option<[f64; POINTS]>,
}

/// How many points stand for the counts of a bin, and the width of a bin in square roots of its counts.
///
/// `I_x(a, b)` is analytic in b, and steepest as a function of `sqrt(b)`, where it resembles a normal distribution of
/// deviation at least 1/2. Its polynomial through so many Chebyshev points of so narrow a bin is off by less than
/// [`OFF`], which a test measures.
const POINTS: usize = 36;
const WIDTH: f64 = 4.8;

/// How far a tail probability at a count may be from the one that is taken from the points of its bin.
const OFF: f64 = 1e-10;

impl Pairs<'_> {
    /// How many there are.
    pub(super) fn number(&self) -> f64 {
        self.others.1.clone().map(|beside| self.parts_beside(beside..=beside).count() as f64).sum()
    }

    /// A bound on what taking counts together adds to the error of a tail.
    pub(super) fn off_up(&self) -> f64 {
        let together = || bins(self.others.1.clone()).iter().any(|bin| bin.points.is_some());
        if self.known().is_none() && together() { OFF } else { 0.0 }
    }

    /// The count of the block, if there is only one.
    fn known(&self) -> Option<u64> {
        (self.block.start() == self.block.end()).then(|| *self.block.start())
    }

    /// The counts of the group beside any of these counts of the rest of the block.
    fn parts_beside(&self, beside: RangeInclusive<u64>) -> RangeInclusive<u64> {
        let first = self.block.start().saturating_sub(*beside.end()).max(*self.group.1.start());
        match self.block.end().checked_sub(*beside.start()) {
            Some(last) => first..=last.min(*self.group.1.end()),
            // No count, because the first one is above zero.
            None => first.max(1)..=0,
        }
    }

    /// The mixture of Beta distributions over all pairs, by parts: one if the count of the block is known, and otherwise
    /// one for each count of the rest of the block, or for each point of its bins.
    pub(super) fn parts(&self, alpha: f64, beside: f64) -> Vec<BetaMixture> {
        let mut parts: Vec<(f64, u64, Vec<f64>)> = Vec::new();
        if let Some(count) = self.known() {
            let range = (*self.group.1.start()).max(count.saturating_sub(*self.others.1.end()))
                ..=(*self.group.1.end()).min(count.saturating_sub(*self.others.1.start()));
            let weight = |part| self.group.0.at(part) * self.others.0.at(count - part);
            parts.push((count as f64, *range.start(), range.map(weight).collect()));
        } else {
            for bin in bins(self.others.1.clone()) {
                beat();
                parts.extend(self.binned(&bin));
            }
        }
        let total = parts.iter().flat_map(|(.., weights)| weights).copied().collect::<Sum>().value();
        parts.retain(|(.., weights)| weights.iter().any(|weight| *weight != 0.0));
        let part = |(point, first, mut weights): (f64, u64, Vec<f64>)| {
            weights.iter_mut().for_each(|weight| *weight /= total);
            match self.known() {
                Some(count) => BetaMixture::new(alpha, beside, count, first, weights),
                None => BetaMixture::beside(alpha, beside, point, first, weights),
            }
        };
        parts.into_iter().map(part).collect()
    }

    /// The weights of the counts of the group, from the first one on, at each point of a bin.
    fn binned(&self, bin: &Bin) -> Vec<(f64, u64, Vec<f64>)> {
        let Some(points) = &bin.points else {
            return bin.counts.clone().map(|beside| self.beside(beside)).collect();
        };
        let counts = self.parts_beside(bin.counts.clone());
        // The polynomials of each count, times its weight.
        let shares: Vec<[f64; POINTS]> = bin
            .counts
            .clone()
            .map(|count| polynomials(points, count as f64).map(|value| value * self.others.0.at(count)))
            .collect();
        let mut weights = vec![Vec::new(); POINTS];
        for part in counts.clone() {
            let mut sums = [0.0; POINTS];
            let first = (*bin.counts.start()).max(self.block.start().saturating_sub(part));
            let last = (*bin.counts.end()).min(self.block.end() - part);
            for beside in first..=last {
                let outside = self.outside.at(self.n - part - beside);
                let shares = &shares[(beside - bin.counts.start()) as usize];
                sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share * outside);
            }
            let group = self.group.0.at(part);
            weights.iter_mut().zip(sums).for_each(|(weights, sum)| weights.push(group * sum));
        }
        points.iter().zip(weights).map(|(&point, weights)| (point, *counts.start(), weights)).collect()
    }

    /// The same at a single count of the rest of the block.
    fn beside(&self, beside: u64) -> (f64, u64, Vec<f64>) {
        let counts = self.parts_beside(beside..=beside);
        let first = *counts.start();
        let own = self.others.0.at(beside);
        let weight = |part| self.group.0.at(part) * own * self.outside.at(self.n - part - beside);
        (beside as f64, first, counts.map(weight).collect())
    }
}

fn bins(counts: RangeInclusive<u64>) -> Vec<Bin> {
    let mut bins = Vec::new();
    let mut first = *counts.start();
    while first <= *counts.end() {
        let root = (first as f64).sqrt() + WIDTH;
        let last = ((root * root) as u64).clamp(first, *counts.end());
        let points = (last - first >= POINTS as u64).then(|| points(first as f64, last as f64));
        bins.push(Bin { counts: first..=last, points });
        first = last + 1;
    }
    bins
}

/// The angles of Chebyshev points.
fn angle(point: usize) -> f64 {
    PI * (point as f64 + 0.5) / POINTS as f64
}

/// The Chebyshev points of an interval.
fn points(first: f64, last: f64) -> [f64; POINTS] {
    std::array::from_fn(|point| 0.5 * (first + last) + 0.5 * (last - first) * libm::cos(angle(point)))
}

/// The polynomials that are one at one of the points and zero at the others, by the barycentric formula.
fn polynomials(points: &[f64; POINTS], at: f64) -> [f64; POINTS] {
    if let Some(same) = points.iter().position(|&point| point == at) {
        return std::array::from_fn(|point| if point == same { 1.0 } else { 0.0 });
    }
    let sign = |point: usize| if point.is_multiple_of(2) { 1.0 } else { -1.0 };
    let terms: [f64; POINTS] =
        std::array::from_fn(|point| sign(point) * libm::sin(angle(point)) / (at - points[point]));
    let sum: f64 = terms.iter().sum();
    terms.map(|term| term / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::beta::{cdf, quantile};

    /// If this fails, tails at counts between the points are further from their polynomial than is said.
    #[test]
    fn tails_between_the_points_are_polynomials() {
        for start in [0, 30, 200, 1_000, 20_000, 3_000_000, 400_000_000] {
            for bin in bins(start..=start + 30 * (start.isqrt() + 2)).into_iter().take(3) {
                let Some(points) = &bin.points else { continue };
                let (first, last) = (*bin.counts.start(), *bin.counts.end());
                let counts: Vec<u64> = (0..=10).map(|tenth| first + (last - first) * tenth / 10).collect();
                let middle = 0.5 * (first as f64 + last as f64);
                for (a, prior) in [
                    (0.01, 0.5),
                    (1.0, 1.0),
                    (7.5, 0.01),
                    (0.1 * middle, 1.0),
                    (middle, 20.0),
                    (30.0 * middle, 1.0),
                ] {
                    for p in [1e-6, 0.02, 0.3, 0.5, 0.8, 0.999] {
                        let x = quantile(p, a, prior + middle);
                        let tails = points.map(|point| cdf(x, a, prior + point));
                        for &count in &counts {
                            let shares = polynomials(points, count as f64);
                            let found: f64 = shares.iter().zip(tails).map(|(share, tail)| share * tail).sum();
                            let off = (found - cdf(x, a, prior + count as f64)).abs();
                            assert!(off < OFF, "{first} to {last}, a {a}, x {x}, {count}: {off:e}");
                        }
                    }
                }
            }
        }
    }
}
