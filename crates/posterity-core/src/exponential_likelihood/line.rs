//! Two categories: the data sets form a line. Normalisers are sums over the candidates near their data set, or
//! polynomials through such sums with a proven error.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::simplex::MAX_WORK;
use super::stretch::Stretch;
use super::{DISTANCE_ERROR, LEFT_OUT_COST, Normalisers, ROUNDING, SAME_SCALE, Scaled, scale_of};
use crate::audit::cost_table::{CostTable, most};
use crate::distance::{Pair, ln_bc};
use crate::mechanism::FAR_COST;
use crate::pulse::beat;
use crate::special::kernel::{exponents, weigh};

/// The normalisers of all data sets.
///
/// # Errors
/// The work, if it is too much.
pub(super) fn normalisers(law: &dyn Scaled, alpha: [f64; 2]) -> Result<Normalisers, f64> {
    let n = law.setting().n();
    // Under equal prior parameters both halves of the line are the same.
    let mirrored = alpha[0] == alpha[1];
    let mut scales: Vec<f64> = (0..=if mirrored { n / 2 } else { n })
        .into_par_iter()
        .map(|c| {
            beat();
            scale_of(law, &[c, n - c])
        })
        .collect();
    let line = Line::new(alpha, n);
    let parts = line.parts(0..=scales.len() - 1, &scales);
    let work = parts.iter().map(|part| part.work(&line, &scales)).sum::<f64>() * line.price();
    if work.is_nan() || work > MAX_WORK {
        return Err(work);
    }
    let found: Vec<(Vec<f64>, f64)> = parts.par_iter().map(|part| part.ln_totals(&line, &scales)).collect();
    let error = found.iter().map(|(_, error)| *error).fold(0.0, f64::max);
    let mut ln_totals = found.into_iter().flat_map(|(ln_totals, _)| ln_totals).collect::<Vec<f64>>();
    if mirrored {
        for values in [&mut scales, &mut ln_totals] {
            let half = n.div_ceil(2) as usize;
            values.extend_from_within(..half);
            let other = values.len() - half;
            values[other..].reverse();
        }
    }
    let rounding = scales.iter().copied().fold(0.0, f64::max) * SAME_SCALE;
    Ok(Normalisers { scales, ln_totals, error: error + rounding + ROUNDING })
}

/// Candidates of two categories, named by their first count.
pub(super) struct Line {
    pub(super) alpha: [f64; 2],
    pub(super) n: u64,
    /// Where the prior is too extreme for one, costs are computed one by one.
    table: Option<CostTable>,
}

/// A cost that is computed takes as long as so many from the table.
const COMPUTED_COST: f64 = 32.0;

/// Fewer data sets than these are summed one by one.
const SUMMED: usize = 256;

/// Data sets next to each other, and how their normalisers are found.
enum Part {
    Summed(RangeInclusive<usize>),
    Interpolated(Stretch),
}

/// The candidates near a data set, and the number of the others if their weights matter: `exp(-scale)` each.
struct Near {
    start: usize,
    end: usize,
    far: usize,
}

impl Line {
    pub(super) fn new(alpha: [f64; 2], n: u64) -> Self {
        let table = CostTable::fits(alpha, n).then(|| CostTable::new(alpha, n));
        Self { alpha, n, table }
    }

    /// What one candidate takes, beside a cost from the table.
    fn price(&self) -> f64 {
        if self.table.is_some() { 1.0 } else { COMPUTED_COST }
    }

    /// Divides data sets until each part is short, or can be interpolated.
    fn parts(&self, all: RangeInclusive<usize>, scales: &[f64]) -> Vec<Part> {
        let (mut open, mut parts) = (vec![all], Vec::new());
        while let Some(range) = open.pop() {
            let (first, last) = (*range.start(), *range.end());
            let stretch =
                if last - first < SUMMED { None } else { Stretch::new(self, range.clone(), scales) };
            match stretch.filter(|stretch| stretch.sums_number() <= last - first) {
                Some(stretch) => parts.push(Part::Interpolated(stretch)),
                None if last - first < SUMMED => parts.push(Part::Summed(range)),
                None => {
                    let middle = first.midpoint(last);
                    open.extend([middle + 1..=last, first..=middle]);
                }
            }
        }
        parts
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
    fn near(&self, c: usize, scale: f64) -> Near {
        let last = self.n as usize;
        let (furthest, far_matters) = self.furthest(scale);
        let start = c - most(c, |steps| self.cost(c, c - steps) <= furthest);
        let end = c + 1 + most(last - c, |steps| self.cost(c, c + steps) <= furthest);
        Near { start, end, far: if far_matters { last + 1 - (end - start) } else { 0 } }
    }

    /// `Z(c) = sum_r exp(-scale H(c, r))`.
    fn total(&self, c: usize, scale: f64, [costs, weights]: &mut [Vec<f64>; 2]) -> f64 {
        beat();
        let near = self.near(c, scale);
        let length = near.end - near.start;
        costs.resize(length, 0.0);
        weights.resize(length, 0.0);
        self.costs(c, near.start, costs);
        exponents(costs, scale);
        weigh(costs, weights, f64::INFINITY) + near.far as f64 * libm::exp(-scale)
    }
}

impl Part {
    /// The number of weights that it takes, about.
    fn work(&self, line: &Line, scales: &[f64]) -> f64 {
        match self {
            Self::Interpolated(stretch) => stretch.work(),
            Self::Summed(range) => {
                let near = line.near(*range.end(), scales[*range.end()]);
                ((range.end() - range.start() + 1) * (near.end - near.start)) as f64
            }
        }
    }

    /// `ln Z` of its data sets, and a bound on what its error has beside that of the distances in a sum.
    fn ln_totals(&self, line: &Line, scales: &[f64]) -> (Vec<f64>, f64) {
        match self {
            Self::Interpolated(stretch) => stretch.ln_totals(line, scales),
            Self::Summed(range) => {
                let mut room = Default::default();
                let sums = range.clone().map(|c| libm::log(line.total(c, scales[c], &mut room)));
                (sums.collect(), 0.0)
            }
        }
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

    /// If this fails, a polynomial is farther from the sums than its bound. Scales have kinks, as smooth sensitivities do.
    #[test]
    fn stretches_are_as_near_to_the_sums_as_they_say() {
        let mut random = Random::new(32);
        let (mut largest, mut interpolated) = (0.0_f64, 0);
        for case in 0..60 {
            let alpha = if case % 2 == 0 { [1.0, 1.0] } else { [random.log_uniform(1e-3, 1e4), 2.5] };
            let n = 20_000 + random.below(60_000);
            let line = Line::new(alpha, n);
            let (scale, steep) = (random.log_uniform(0.05, 3_000.0), random.uniform(0.0, 1e-3));
            let scales: Vec<f64> = (0..=n as usize)
                .map(|c| if case % 3 == 0 { scale } else { scale * (1.0 + steep * (c % 977) as f64) })
                .collect();
            for part in line.parts(0..=n as usize, &scales) {
                let Part::Interpolated(stretch) = &part else { continue };
                let (found, bound) = part.ln_totals(&line, &scales);
                assert!(bound < 1e-7, "n {n} scale {scale}: {bound:e}");
                for _ in 0..3 {
                    let place = random.below(found.len() as u64) as usize;
                    let c = stretch.first() + place;
                    let total = line.total(c, scales[c], &mut Default::default());
                    let error = (found[place] - libm::log(total)).abs();
                    let allowed = bound + error_of_total(total, scales[c]);
                    largest = largest.max(error / allowed);
                    assert!(error <= allowed, "n {n} c {c} scale {scale}: {error:e} {allowed:e}");
                    interpolated += 1;
                }
            }
        }
        println!("largest error, as a part of what is allowed: {largest}; {interpolated} interpolations");
        assert!(interpolated > 500, "{interpolated} interpolations");
    }
}
