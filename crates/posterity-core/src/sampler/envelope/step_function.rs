//! Step functions that bound the weight of one category from above.

use std::f64::consts::LN_2;

use super::ROUND_UP;
use crate::sampler::bits::{BitSource, SourceError, uniform_u128};
use crate::sampler::ruler::Ruler;

/// Steps of the bounding step functions are whole multiples of 2^-50.
const STEP_BITS: u32 = 50;

/// One category other than the pivot. Its counts are cut into pieces, each with a lower bound on the cost.
#[derive(Clone)]
pub(super) struct Axis {
    pub(super) category: usize,
    /// First count of each piece, in increasing order; the first is 0.
    pub(super) starts: Vec<u64>,
    pub(super) costs: Vec<f64>,
}

impl Axis {
    /// Pieces near `c` hold one count; further away their width grows in proportion to the distance.
    pub(super) fn new(ruler: &dyn Ruler, category: usize, c: u64, n: u64, widening: f64) -> Self {
        let cost = |r| ruler.axis_cost(category, c, r) / ROUND_UP;
        let width = |distance: u64| ((distance as f64 * widening) as u64).max(1);
        let mut below = Vec::new();
        // The pieces so far begin at `end`. The next piece ends just below, and the cost there bounds the whole piece.
        let mut end = c;
        while end > 0 {
            let last = end - 1;
            let start = last - (width(c - last) - 1).min(last);
            below.push((start, cost(last)));
            end = start;
        }
        below.reverse();
        let mut pieces = below;
        let mut start = c;
        while start <= n {
            pieces.push((start, cost(start)));
            start += width(start - c);
        }
        let (starts, costs) = pieces.into_iter().unzip();
        Self { category, starts, costs }
    }

    pub(super) fn piece(&self, count: u64) -> usize {
        self.starts.partition_point(|&start| start <= count) - 1
    }
}

/// A step function over the pieces of an axis, used as a probability law.
#[derive(Clone)]
pub(super) struct Factor {
    /// Height of each piece in units of 2^-STEP_BITS.
    pub(super) heights: Vec<u64>,
    /// Sum of the heights over all counts up to the end of each piece.
    cumulative: Vec<u128>,
    pub(super) ln_total: f64,
}

impl Factor {
    pub(super) fn new(axis: &Axis, n: u64, theta: f64) -> Self {
        let unit = (1_u64 << STEP_BITS) as f64;
        let mut heights = Vec::with_capacity(axis.costs.len());
        let mut cumulative = Vec::with_capacity(axis.costs.len());
        let mut total = 0_u128;
        for (piece, &cost) in axis.costs.iter().enumerate() {
            let exponent = theta * cost;
            // Beyond 35 the exponential is below one unit.
            let height =
                if exponent > 35.0 { 1 } else { libm::ceil(libm::exp(-exponent) * ROUND_UP * unit) as u64 };
            let end = axis.starts.get(piece + 1).copied().unwrap_or(n + 1);
            total += u128::from(height) * u128::from(end - axis.starts[piece]);
            heights.push(height);
            cumulative.push(total);
        }
        Self { heights, cumulative, ln_total: libm::log(total as f64) }
    }

    /// The height of the step at the count that a candidate has on this axis.
    pub(super) fn height(&self, axis: &Axis, candidate: &[u64]) -> u64 {
        self.heights[axis.piece(candidate[axis.category])]
    }

    pub(super) fn total(&self) -> u128 {
        self.cumulative.last().copied().unwrap_or(0)
    }

    /// The logarithm of the sum of the step function.
    pub(super) fn ln_mass(&self) -> f64 {
        self.ln_total - f64::from(STEP_BITS) * LN_2
    }

    pub(super) fn sample(&self, axis: &Axis, bits: &mut dyn BitSource) -> Result<u64, SourceError> {
        let choice = uniform_u128(self.total(), bits)?;
        let piece = self.cumulative.partition_point(|&sum| sum <= choice);
        let before = if piece == 0 { 0 } else { self.cumulative[piece - 1] };
        // The quotient is below the number of counts in the piece.
        Ok(axis.starts[piece] + ((choice - before) / u128::from(self.heights[piece])) as u64)
    }
}

/// How strongly the proposals prefer counts near the truth: `theta = strength / bound`. The draws are exact for any
/// strength; the one with the least mass keeps the most proposals. If the counts are large, half the dimension is
/// best. In many dimensions the best strength is often larger and changes slowly from layer to layer, so the search
/// begins at that of the layer before.
pub(super) struct Tilt {
    strength: f64,
    factors: &'static [f64],
}

impl Tilt {
    pub(super) fn new(dimension: f64, strength: f64) -> Self {
        let factors: &[f64] = if dimension < 8.0 { &[1.0] } else { &[1.0, 1.25, 0.8] };
        Self { strength, factors }
    }

    /// The lightest step functions above `exp(theta (bound - L))` among a few tilts, and the logarithm of their mass.
    pub(super) fn cover(&mut self, axes: &[Axis], n: u64, bound: f64) -> (f64, Vec<Factor>) {
        let mut best = (f64::INFINITY, Vec::new(), self.strength);
        for factor in self.factors {
            let strength = self.strength * factor;
            let factors: Vec<Factor> =
                axes.iter().map(|axis| Factor::new(axis, n, strength / bound)).collect();
            let ln_mass = strength + factors.iter().map(Factor::ln_mass).sum::<f64>();
            if ln_mass < best.0 {
                best = (ln_mass, factors, strength);
            }
        }
        self.strength = best.2;
        (best.0, best.1)
    }
}
