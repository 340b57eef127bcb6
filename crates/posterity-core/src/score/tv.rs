//! The total variation distance, for two categories.

use std::sync::Arc;

use super::bounded::{cost_of, furthest, share_of};
use super::chernoff_sensitivity::check;
use super::cost_sensitivity::total;
use super::{Decay, Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::distance::tv_of_two;
use crate::model::{Counts, Prior, PriorError};
use crate::sampler::{CostKind, RoundedScore, Ruler};
use crate::special::gamma::{HALF_LN_TAU, ln_gamma_over_power};
use crate::special::{Enclosed, Number};

pub(super) const FACTS: Facts = Facts {
    name: "tv",
    example: "tv",
    summary: "total variation distance; for two categories",
    metric: true,
};

/// The largest sum of the prior parameters and n, 2^54. Beyond it the point where two densities cross has too few
/// digits (docs/proofs/scores.md).
const MOST_TOTAL: f64 = (1_u64 << 54) as f64;

/// The score `tv`: the total variation distance, for two categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tv;

impl Tv {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

impl Definition for Tv {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        match *prior.parameters() {
            [first, second] => {
                let total = total(prior, n);
                if total > MOST_TOTAL {
                    return Err(ScoreError::TotalTooLarge { score: FACTS.name, total, most: MOST_TOTAL });
                }
                Ok(Arc::new(Fitted { prior: prior.clone(), alpha: [first, second], n }))
            }
            _ => Err(ScoreError::TwoCategories { score: FACTS.name, k: prior.len() }),
        }
    }
}

/// The total variation distance between `Beta(a+1, b)` and `Beta(a, b+1)`, which is
/// `Gamma(N+1)/(Gamma(a+1) Gamma(b+1)) (a/N)^a (b/N)^b` with `N = a+b`. It falls as a or b grow.
///
/// Between adjacent posteriors over any number of categories the density ratio depends on `theta_i/(theta_i + theta_j)`
/// only, so it is their distance as well.
fn adjacent<T: Number>(a: T, b: T) -> T {
    let total = a + b;
    let ln = ln_gamma_over_power(total) - ln_gamma_over_power(a) - ln_gamma_over_power(b) - HALF_LN_TAU;
    (total.at_least(1.0) / a.at_least(1.0) / b.at_least(1.0)).sqrt() * ln.exp()
}

#[derive(Debug)]
struct Fitted {
    prior: Prior,
    alpha: [f64; 2],
    n: u64,
}

impl Fitted {
    /// The distance between the posteriors of the first counts x and x - 1.
    fn step(&self, x: u64) -> f64 {
        adjacent(self.alpha[0] + (x - 1) as f64, self.alpha[1] + (self.n - x) as f64)
    }

    /// The largest of these steps with its discount, among some.
    fn largest(&self, steps: impl Iterator<Item = u64>, value: impl Fn(f64, u64) -> f64) -> f64 {
        steps.filter(|x| (1..=self.n).contains(x)).map(|x| value(self.step(x), x)).fold(0.0, f64::max)
    }
}

/// Along the line of data sets, one over the step is concave and its logarithm convex, so ends matter only
/// (docs/proofs/scores.md).
impl FittedScore for Fitted {
    fn largest(&self) -> f64 {
        1.0
    }

    fn most_inverse(&self) -> f64 {
        // A step is shortest in the middle.
        let half = 0.5 * (self.alpha[0] + self.alpha[1] + (self.n - 1) as f64);
        (1.0 + 1e-9) / adjacent(half, half)
    }

    fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        check(&self.prior, counts)?;
        let c = counts.as_slice()[0];
        Ok(self.largest([c, c + 1].into_iter(), |step, _| step))
    }

    fn global(&self) -> f64 {
        self.largest([1, self.n].into_iter(), |step, _| step)
    }

    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        check(&self.prior, counts)?;
        let c = counts.as_slice()[0];
        // The step between x - 1 and x has its nearer end at this distance.
        let distance = |x: u64| if x > c { x - 1 - c } else { c - x };
        Ok(self.largest([c, c + 1, 1, self.n].into_iter(), |step, x| decay.at(step, distance(x))))
    }

    fn error(&self, category: usize, c: u64, _r: u64) -> f64 {
        let [here, there] = [self.alpha[category], self.alpha[1 - category]].map(Enclosed::from);
        if c == self.n { 0.0 } else { adjacent(here + c as f64, there + (self.n - 1 - c) as f64).relative() }
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        Arc::new(TvRuler { alpha: self.alpha, n: self.n })
    }

    fn unit(&self) -> f64 {
        1.0
    }
}

/// The cost is `-ln(1 - TV)`, of which each category has one half.
#[derive(Debug)]
struct TvRuler {
    alpha: [f64; 2],
    n: u64,
}

/// Costs are cut off here, so that the error of `1 - TV` stays far below it.
const LARGEST_COST: f64 = 8.0;

impl TvRuler {
    /// The distance, by the count of one category.
    fn distance(&self, category: usize, c: u64, r: u64) -> f64 {
        let (c, r) = if category == 0 { (c, r) } else { (self.n - c, self.n - r) };
        tv_of_two(self.alpha, self.n, c, r)
    }
}

impl Ruler for TvRuler {
    fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    fn cost(&self, category: usize, c: u64, r: u64) -> f64 {
        // The neighbours of a category that has all records or none.
        if r > self.n { f64::INFINITY } else { 0.5 * self.axis_cost(category, c, r) }
    }

    fn axis_cost(&self, category: usize, c: u64, r: u64) -> f64 {
        cost_of(self.distance(category, c, r)).min(LARGEST_COST)
    }

    fn share(&self, cost: f64) -> f64 {
        share_of(cost)
    }

    fn cost_of(&self, share: f64) -> f64 {
        cost_of(share)
    }

    fn furthest(&self, scale: f64, _ln_candidates: f64) -> f64 {
        furthest(scale)
    }

    fn kind(&self) -> CostKind {
        CostKind::Bound
    }

    fn score(&self, counts: &[u64], candidate: &[u64]) -> RoundedScore {
        RoundedScore::from_share(self.distance(0, counts[0], candidate[0]))
    }
}
