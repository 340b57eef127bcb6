//! The largest value of a function of whole numbers, with a proof that it is the largest.
//!
//! The function is known through an upper bound on boxes that is exact on single points. Boxes are halved, the one with
//! the largest bound first, until no bound is above the largest value that was found (branch and bound).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::pulse::beat;

/// Whole numbers from the first to the last, for each of D coordinates.
pub(crate) type Box<const D: usize> = [(u64, u64); D];

/// Bounds this close to the largest value are not looked into: 2^-46 of the value.
const RELATIVE_GAP: f64 = 1.0 / (1_u64 << 46) as f64;

/// A box with its bound.
struct Bounded<const D: usize> {
    bound: f64,
    within: Box<D>,
}

impl<const D: usize> PartialEq for Bounded<D> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<const D: usize> Eq for Bounded<D> {}

impl<const D: usize> PartialOrd for Bounded<D> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const D: usize> Ord for Bounded<D> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then_with(|| other.within.cmp(&self.within))
    }
}

/// A number that is at least the largest value in a box, and above it by at most 2^-46 of it; zero if no value is
/// positive.
///
/// `bound` must be at least every value in a box; on a single point it is the value. It is not positive for a box
/// without points. `coarse` says how coarse each coordinate of a box is; the coarsest is halved.
pub(crate) fn largest<const D: usize>(
    within: Box<D>,
    bound: impl Fn(&Box<D>) -> f64,
    coarse: impl Fn(&Box<D>) -> [f64; D],
) -> f64 {
    let mut open = BinaryHeap::new();
    let first = bound(&within);
    open.push(Bounded { bound: first, within });
    let mut found = 0.0_f64;
    while let Some(Bounded { bound: most, within }) = open.pop() {
        beat();
        if most <= found * (1.0 + RELATIVE_GAP) {
            return most.max(found);
        }
        if within.iter().all(|(low, high)| low == high) {
            return most;
        }
        let sizes = coarse(&within);
        let halved = (0..D)
            .filter(|&d| within[d].0 < within[d].1)
            .max_by(|&d, &e| sizes[d].total_cmp(&sizes[e]))
            .unwrap_or(0);
        let (low, high) = within[halved];
        let middle = low + (high - low) / 2;
        for part in [(low, middle), (middle + 1, high)] {
            let mut half = within;
            half[halved] = part;
            let bound_of_half = bound(&half);
            if bound_of_half <= 0.0 {
                continue;
            }
            // The value at a corner shows early which boxes need not be looked into.
            let corner = half.map(|(low, _)| (low, low));
            found = found.max(bound(&corner));
            if bound_of_half > found * (1.0 + RELATIVE_GAP) || half == corner {
                open.push(Bounded { bound: bound_of_half, within: half });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of a falling and a growing function, bounded by the ends of the box.
    #[test]
    fn finds_the_largest_value() {
        let value = |x: f64, y: f64| (x + 1.0) * (-x / 300.0 - (y - 77.0).abs() / 5.0).exp();
        let bound = |within: &Box<2>| {
            let [(x0, x1), (y0, y1)] = within.map(|(low, high)| (low as f64, high as f64));
            let y = 77f64.clamp(y0, y1);
            (x1 + 1.0) * (-x0 / 300.0 - (y - 77.0).abs() / 5.0).exp()
        };
        let found = largest([(0, 1_000_000), (0, 1_000_000)], bound, |within| {
            within.map(|(low, high)| (high - low) as f64)
        });
        assert!((found / value(299.0, 77.0) - 1.0).abs() < 1e-13, "{found}");
    }
}
