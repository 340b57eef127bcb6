//! Scores that are a growing function of `-ln BC`.

use std::sync::Arc;

use super::fitted::error_of_cost;
use super::{Decay, FittedScore};
use crate::distance::cost_of_category;
use crate::model::{Counts, Prior, PriorError};
use crate::sampler::Ruler;
use crate::sensitivity::{beta_smooth_of, gamma_smooth_of, global_cost, local_cost};
use crate::special::Enclosed;

/// A metric that is a growing function of `-ln BC`, so that its local sensitivity is that function of the cost of the
/// furthest adjacent data set. The end-point theorem must hold for it (docs/proofs/scores.md). It must be at least the
/// Hellinger distance.
#[derive(Debug)]
pub(super) struct ScoreOfCost {
    pub(super) prior: Prior,
    pub(super) n: u64,
    pub(super) of_cost: fn(f64) -> f64,
    /// The slope of the score as a function of `sqrt(-ln BC)`, as a part of that at zero, where the score is this. Its
    /// logarithm is concave as a function of `sqrt(-ln BC)`, so that the slope falls.
    pub(super) slope: fn(f64) -> f64,
    pub(super) largest: f64,
    pub(super) unit: f64,
    /// Makes the ruler, given the prior parameters.
    pub(super) ruler: fn(&[f64]) -> Arc<dyn Ruler>,
}

/// The number of cells into which the scores up to the largest are divided, in the search for the largest rise.
const CELLS: u32 = 4096;

/// More than the rounding of a slope.
const SLOPE_ERROR: f64 = 1.0 / (1_u64 << 40) as f64;

impl FittedScore for ScoreOfCost {
    fn largest(&self) -> f64 {
        self.largest
    }

    /// `slope(D) + gamma D`: the first is largest at the lower end of a cell, the second at the upper one.
    fn rise_up(&self, gamma: f64) -> Option<f64> {
        let end = |cell: u32| self.largest * f64::from(cell) / f64::from(CELLS);
        let rise = |cell: u32| (self.slope)(end(cell)) + gamma * end(cell + 1);
        Some((0..CELLS).map(rise).fold(0.0, f64::max) * (1.0 + SLOPE_ERROR))
    }

    fn most_inverse(&self) -> f64 {
        // docs/proofs/exponential.md
        libm::sqrt(8.0 * total(&self.prior, self.n) + 2.0)
    }

    fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        Ok((self.of_cost)(local_cost(&self.prior, counts)?))
    }

    fn global(&self) -> f64 {
        (self.of_cost)(global_cost(&self.prior, self.n))
    }

    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        match decay {
            Decay::Gamma(gamma) => gamma_smooth_of(&self.prior, counts, gamma, self.of_cost),
            Decay::Beta(beta) => beta_smooth_of(&self.prior, counts, beta, self.of_cost),
        }
    }

    /// The relative error of the cost of a category; a growing function of it has no larger one (docs/proofs/ln-bc.md).
    fn error(&self, category: usize, c: u64, r: u64) -> f64 {
        let low = Enclosed::from(self.prior.parameters()[category]) + c.min(r) as f64;
        error_of_cost(cost_of_category(low, Enclosed::from(0.5 * c.abs_diff(r) as f64)))
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        (self.ruler)(self.prior.parameters())
    }

    fn unit(&self) -> f64 {
        self.unit
    }
}

/// The sum of the prior parameters and n.
pub(super) fn total(prior: &Prior, n: u64) -> f64 {
    prior.parameters().iter().copied().collect::<crate::special::Sum>().value() + n as f64
}

#[cfg(test)]
mod tests {
    use super::super::Scoring;
    use super::*;
    use crate::mechanism::Space;

    fn fitted(score: &str, alpha: &[f64], n: u64) -> Arc<dyn FittedScore> {
        let prior = Prior::new(alpha.to_vec()).expect("valid");
        score.parse::<Scoring>().expect("a score").fit(&prior, n).expect("it exists")
    }

    /// The largest values of `slope(D) + gamma D`, found with 30 digits.
    #[test]
    fn the_rise_is_rounded_up_by_less_than_a_thousandth() {
        for (score, gamma, exact) in [
            ("hellinger", 0.25, 1.020_745_47),
            ("hellinger", 0.5, 1.081_953_14),
            ("hellinger", 1.0, 1.312_744_08),
            ("hellinger", 2.0, 2.072_872_40),
            ("angle", 0.25, 1.060_694_85),
            ("angle", 0.5, 1.226_044_37),
            ("angle", 1.0, 1.755_046_38),
            ("angle", 2.0, 3.164_205_13),
        ] {
            let rise = fitted(score, &[1.0, 1.0], 9).rise_up(gamma).expect("it is known");
            assert!(rise > exact - 1e-8 && rise < exact * 1.001, "{score} {gamma}: {rise} {exact}");
        }
        let hellinger = fitted("hellinger", &[1.0, 1.0], 9);
        for power in -40..=40 {
            let gamma = 2_f64.powi(power);
            let closed = if gamma <= 1.5 { 1.0 + gamma * gamma / 3.0 } else { gamma + 0.25 };
            let rise = hellinger.rise_up(gamma).expect("it is known");
            assert!(rise < closed + gamma / f64::from(CELLS) + 1e-9, "{gamma}: {rise} {closed}");
        }
    }

    /// Lemma 3 of docs/proofs/exponential.md over all candidates: the score of r grows by at most `slope(D) LS(y)` from
    /// x to y. If this fails, ehds(sharp) is less private than it says.
    #[test]
    fn no_score_grows_by_more_than_its_slope() {
        let mut most: f64 = 0.0;
        for score in ["hellinger", "angle"] {
            for (alpha, n) in [
                (&[1.0, 1.0][..], 40_u64),
                (&[1e-6, 1e6], 30),
                (&[0.05, 0.05], 30),
                (&[300.0, 0.2], 30),
                (&[1.0, 1.0, 1.0], 9),
                (&[1e-4, 3.0, 1e4], 8),
                (&[0.5, 0.5, 20.0, 1e-3], 5),
            ] {
                let fitted = fitted(score, alpha, n);
                let ruler = fitted.ruler();
                let mut all = Vec::new();
                Space::Candidates.for_each(alpha.len(), n, |candidate| all.push(candidate.to_vec()));
                let distance = |a: &[u64], b: &[u64]| ruler.share(cost(&*ruler, a, b)) * fitted.unit();
                let slope = if score == "angle" {
                    super::super::angle::slope
                } else {
                    super::super::hellinger::slope
                };
                for x in &all {
                    for y in &all {
                        let moved: u64 = x.iter().zip(y).map(|(a, b)| a.abs_diff(*b)).sum();
                        if moved != 2 {
                            continue;
                        }
                        let step = distance(x, y);
                        for r in &all {
                            let (from, to) = (distance(x, r), distance(y, r));
                            let share = (to - from) / step;
                            assert!(share <= slope(from) + 1e-9, "{score} {alpha:?} {x:?} {y:?} {r:?}");
                            if from > 0.0 {
                                most = most.max(share / slope(from));
                            }
                        }
                    }
                }
            }
        }
        println!("the largest part of its slope by which a score grows: {most}");
        assert!(most > 0.5, "the check reaches half of the bound: {most}");
    }

    fn cost(ruler: &dyn Ruler, a: &[u64], b: &[u64]) -> f64 {
        a.iter().zip(b).enumerate().map(|(i, (&a, &b))| ruler.cost(i, a, b)).sum()
    }
}
