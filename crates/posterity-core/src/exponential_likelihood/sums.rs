//! Sums over the candidates near a data set of two categories.

use super::{DISTANCE_ERROR, LEFT_OUT_COST, ROUNDING};
use crate::audit::cost_table::{CostTable, most};
use crate::distance::{Pair, ln_bc};
use crate::mechanism::FAR_COST;
use crate::pulse::beat;
use crate::special::kernel::{exponents, weigh};

/// Candidates of two categories, named by their first count.
pub(super) struct Line {
    pub(super) alpha: [f64; 2],
    pub(super) n: u64,
    /// Where the prior is too extreme for one, costs are computed one by one.
    table: Option<CostTable>,
}

/// Computing a cost takes as long as reading this many from the table.
const COMPUTED_COST: f64 = 32.0;

/// The candidates near a data set, and the number of the others if their weights matter: `exp(-scale)` each.
pub(super) struct Near {
    start: usize,
    end: usize,
    far: usize,
}

impl Near {
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }
}

impl Line {
    pub(super) fn new(alpha: [f64; 2], n: u64) -> Self {
        let table = CostTable::fits(alpha, n).then(|| CostTable::new(alpha, n));
        Self { alpha, n, table }
    }

    /// What one candidate takes, beside a cost from the table.
    pub(super) fn price(&self) -> f64 {
        if self.table.is_some() { 1.0 } else { COMPUTED_COST }
    }

    /// The cost of a category of these counts, and of the other one.
    pub(super) fn category(&self, category: usize, c: usize, r: usize) -> f64 {
        -ln_bc(Pair::of_counts(self.alpha[category], c as u64, r as u64))
    }

    fn cost(&self, c: usize, r: usize) -> f64 {
        let last = self.n as usize;
        self.table.as_ref().map_or_else(
            || self.category(0, c, r) + self.category(1, last - c, last - r),
            |table| table.cost(c, r),
        )
    }

    /// The costs of c and all r from `start` on.
    pub(super) fn costs(&self, c: usize, start: usize, costs: &mut [f64]) {
        match &self.table {
            Some(table) => table.costs(c, start, costs),
            None => (start..).zip(costs).for_each(|(r, cost)| *cost = self.cost(c, r)),
        }
    }

    /// A cost from which on weights are `exp(-scale)`, up to the error of distances, or negligible together; and whether
    /// they matter.
    pub(super) fn furthest(&self, scale: f64) -> (f64, bool) {
        let skip = (LEFT_OUT_COST + libm::log(self.n as f64 + 1.0)) / scale;
        if skip < 1.0 { (FAR_COST.min(-libm::log1p(-skip * skip)), false) } else { (FAR_COST, true) }
    }

    /// The candidates whose weights are neither `exp(-scale)` nor negligible together. Costs grow with the distance.
    pub(super) fn near(&self, c: usize, scale: f64) -> Near {
        let last = self.n as usize;
        let (furthest, far_matters) = self.furthest(scale);
        let start = c - most(c, |steps| self.cost(c, c - steps) <= furthest);
        let end = c + 1 + most(last - c, |steps| self.cost(c, c + steps) <= furthest);
        Near { start, end, far: if far_matters { last + 1 - (end - start) } else { 0 } }
    }

    /// `Z(c) = sum_r exp(-scale H(c, r))`.
    pub(super) fn total(&self, c: usize, scale: f64, [costs, weights]: &mut [Vec<f64>; 2]) -> f64 {
        beat();
        let near = self.near(c, scale);
        let length = near.len();
        costs.resize(length, 0.0);
        weights.resize(length, 0.0);
        self.costs(c, near.start, costs);
        exponents(costs, scale);
        weigh(costs, weights, f64::INFINITY) + near.far as f64 * libm::exp(-scale)
    }
}

/// A bound on the relative error of a sum Z at this scale (docs/proofs/audit.md, lemma 4).
pub(super) fn error_of_total(total: f64, scale: f64) -> f64 {
    scale * DISTANCE_ERROR * (total - 1.0).clamp(0.0, 1.0) + ROUNDING
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;
    use crate::sampler::RoundedScore;
    use crate::special::Sum;

    fn random_line(random: &mut Random, case: u64) -> Line {
        let alpha = match case % 4 {
            0 => random.prior(2, 1e-300, 1e9),
            1 => random.prior(2, 1e-3, 1e3),
            2 => random.prior(2, 1e14, 1e300),
            _ => vec![1.0, 1.0],
        };
        Line::new([alpha[0], alpha[1]], 1 + random.below(if case.is_multiple_of(8) { 40_000 } else { 900 }))
    }

    /// If this fails, a normaliser is not the sum of all weights, or loses digits.
    #[test]
    fn sums_agree_with_the_scores() {
        let mut random = Random::new(31);
        let (mut largest, mut computed) = (0.0_f64, 0);
        for case in 0..400 {
            let line = random_line(&mut random, case);
            computed += usize::from(line.table.is_none());
            let (alpha, n) = (line.alpha, line.n);
            let c = if case % 5 == 0 { 0 } else { random.below(n + 1) };
            let scale = random.log_uniform(1e-3, 1e4);
            let direct: f64 = (0..=n)
                .map(|r| {
                    let pairs = [Pair::of_counts(alpha[0], c, r), Pair::of_counts(alpha[1], n - c, n - r)];
                    let score = RoundedScore::from_costs(pairs.into_iter().map(|pair| -ln_bc(pair)));
                    libm::exp(-scale * score.distance())
                })
                .collect::<Sum>()
                .value();
            let found = line.total(c as usize, scale, &mut Default::default());
            let part = (found / direct - 1.0).abs() / error_of_total(found, scale);
            largest = largest.max(part);
            assert!(part <= 1.0, "{alpha:?} n {n} c {c} scale {scale}: {found} {direct}");
        }
        println!("largest error, as a part of what is allowed: {largest}; {computed} without a table");
        assert!(computed > 50, "{computed} priors were too extreme for a table");
    }
}
