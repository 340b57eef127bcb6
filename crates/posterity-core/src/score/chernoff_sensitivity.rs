//! Sensitivities of one minus a Chernoff coefficient, which is not a metric.
//!
//! With two categories a search with bounds finds them for any n (docs/proofs/scores.md); with more, all data sets and
//! candidates are compared.

use std::sync::{Arc, Mutex, OnceLock};

use super::bounded::BoundedRuler;
use super::cost_sensitivity::total;
use super::fitted::error_of_cost;
use super::graph::DataGraph;
use super::search::{Box, largest};
use super::{Decay, FittedScore, ScoreError};
use crate::distance::{chernoff_cost, chernoff_rise, gamma_shortfall};
use crate::mechanism::Space;
use crate::model::{Counts, Prior, PriorError};
use crate::parallelism::Parallelism;
use crate::sampler::{CostKind, Ruler};
use crate::special::gamma::ln_1p_inverse;
use crate::special::{Enclosed, Sum};

/// The most data sets that are compared with all candidates, for three or more categories.
const MAX_DATA_SETS: usize = 3_000;

/// For two categories and so few records, the sensitivities of all data sets are kept once they are needed.
const KEPT: u64 = 1_000;

/// One minus the Chernoff coefficient of an order, under a prior, for n records.
#[derive(Debug)]
pub(super) struct ChernoffSensitivity {
    prior: Prior,
    n: u64,
    order: f64,
    /// For three or more categories: the local sensitivities of all data sets.
    graph: OnceLock<DataGraph>,
    /// For two categories: the same, by first count.
    line: OnceLock<Vec<f64>>,
    /// The smooth sensitivities that were asked for last.
    smooth: Mutex<Option<(Decay, Arc<Vec<f64>>)>>,
}

impl ChernoffSensitivity {
    pub(super) fn new(score: &'static str, prior: &Prior, n: u64, order: f64) -> Result<Self, ScoreError> {
        let data_sets = Space::Candidates.size(prior.len(), n);
        if prior.len() > 2 && data_sets > MAX_DATA_SETS as f64 {
            return Err(ScoreError::TooManyDataSets { score, data_sets, max: MAX_DATA_SETS });
        }
        Ok(Self {
            prior: prior.clone(),
            n,
            order,
            graph: OnceLock::new(),
            line: OnceLock::new(),
            smooth: Mutex::new(None),
        })
    }

    /// The prior and the order, for two categories.
    fn two(&self) -> Option<Line> {
        match *self.prior.parameters() {
            [first, second] => Some(Line { alpha: [first, second], n: self.n, order: self.order }),
            _ => None,
        }
    }

    fn graph(&self) -> &DataGraph {
        self.graph.get_or_init(|| {
            let (alpha, l, n) = (self.prior.parameters(), self.order, self.n);
            let table = |of: fn(f64, f64, u64, u64) -> f64| -> Vec<Vec<Vec<f64>>> {
                let row = |alpha: f64, c: u64| (0..=n).map(|r| of(alpha, l, c, r)).collect();
                alpha.iter().map(|&alpha| (0..=n).map(|c| row(alpha, c)).collect()).collect()
            };
            let (costs, rises) = (table(chernoff_cost), table(chernoff_rise));
            DataGraph::new(alpha.len(), n, |counts, from, to, candidate| {
                let rise = rises[to][counts[to] as usize][candidate[to] as usize]
                    - rises[from][counts[from] as usize - 1][candidate[from] as usize];
                let count = |i: usize| match counts[i] as usize {
                    c if rise >= 0.0 => c,
                    c => c + usize::from(i == to) - usize::from(i == from),
                };
                let parts = costs.iter().enumerate().map(|(i, costs)| costs[count(i)][candidate[i] as usize]);
                difference(parts.collect::<Sum>().value(), rise)
            })
        })
    }

    /// The local sensitivities of all data sets with two categories, by first count.
    fn line(&self, line: Line) -> &[f64] {
        self.line.get_or_init(|| {
            let pairs = Parallelism::AllCores.map(0..self.n, |c| line.pair(c));
            (0..=self.n as usize)
                .map(|c| {
                    let below = if c > 0 { pairs[c - 1] } else { 0.0 };
                    pairs.get(c).map_or(below, |&above| above.max(below))
                })
                .collect()
        })
    }

    /// The smooth sensitivities of all data sets, which are kept for the next question.
    fn all_smooth(&self, decay: Decay, compute: impl FnOnce() -> Vec<f64>) -> Arc<Vec<f64>> {
        // If another thread failed while it held the lock, the value is computed anew.
        let mut kept = self.smooth.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match &*kept {
            Some((of, values)) if *of == decay => Arc::clone(values),
            _ => {
                let values = Arc::new(compute());
                *kept = Some((decay, Arc::clone(&values)));
                values
            }
        }
    }
}

/// The difference of `exp(-cost)` of two data sets, by the lower of their costs and by how much the other is higher or
/// lower. The lower one is not the sum of the other and a negative rise, because both may be large.
fn difference(cost: f64, rise: f64) -> f64 {
    -libm::exp(-cost) * libm::expm1(-rise.abs())
}

/// The largest discounted value over a line of data sets, for each of them, by one pass in each direction.
fn two_passes(local: &[f64], decay: Decay) -> Vec<f64> {
    let mut values = local.to_vec();
    let mut pass = |order: &mut dyn Iterator<Item = usize>| {
        let mut best: Option<usize> = None;
        for at in order {
            let from_best = best.map_or(0.0, |source| decay.at(local[source], at.abs_diff(source) as u64));
            if from_best <= local[at] {
                best = Some(at);
            }
            values[at] = values[at].max(from_best);
        }
    };
    pass(&mut (0..local.len()));
    pass(&mut (0..local.len()).rev());
    values
}

impl FittedScore for ChernoffSensitivity {
    fn largest(&self) -> f64 {
        1.0
    }

    fn most_inverse(&self) -> f64 {
        // An adjacent data set costs at least x = l (1-l)/(A+1), and scores at least x/(1+x) (docs/proofs/scores.md).
        1.0 + (total(&self.prior, self.n) + 1.0) / (self.order * (1.0 - self.order))
    }

    fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        check(&self.prior, counts)?;
        let counts = counts.as_slice();
        Ok(match self.two() {
            Some(line) => {
                let below = if counts[0] > 0 { line.pair(counts[0] - 1) } else { 0.0 };
                if counts[1] > 0 { line.pair(counts[0]).max(below) } else { below }
            }
            None => self.graph().local(counts),
        })
    }

    fn global(&self) -> f64 {
        match self.two() {
            Some(line) => line.largest(&|value, _| value),
            None => self.graph().global(),
        }
    }

    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        check(&self.prior, counts)?;
        let counts = counts.as_slice();
        Ok(match self.two() {
            Some(line) if self.n <= KEPT => {
                self.all_smooth(decay, || two_passes(self.line(line), decay))[counts[0] as usize]
            }
            Some(line) => line.smooth(counts[0], decay),
            None => {
                let graph = self.graph();
                self.all_smooth(decay, || graph.smooth(decay))[graph.index(counts)]
            }
        })
    }

    fn error(&self, category: usize, c: u64, r: u64) -> f64 {
        let (alpha, l) = (self.prior.parameters()[category], self.order);
        let enclosed = Enclosed::from(alpha);
        let cost = error_of_cost(chernoff_cost(enclosed, l, c, r));
        let rise = if c < self.n { error_of_cost(chernoff_rise(enclosed, l, c, r)) } else { 0.0 };
        // Moving a record into or out of the category shows that 1/LS is at most this. A change exp(-L) (1 -
        // exp(-rise)) is the largest one only if L is at most ln(2/LS). Below 2^-50 its error does not matter.
        let inverse = 1.0 + (2.0 * (alpha + c as f64) + 1.0) / (l * (1.0 - l));
        let most_cost = libm::log(2.0 * inverse.min((1_u64 << 50) as f64));
        most_cost * cost + rise
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        let l = self.order;
        let cost = move |alpha: f64, c: u64, r: u64| chernoff_cost(alpha, l, c, r);
        let kind = if l == 0.5 { CostKind::Overlap } else { CostKind::Sum };
        Arc::new(BoundedRuler::new(self.prior.parameters(), cost, kind))
    }

    fn unit(&self) -> f64 {
        1.0
    }
}

/// Refuses counts of another number of categories.
pub(super) fn check(prior: &Prior, counts: &Counts) -> Result<(), PriorError> {
    if counts.len() == prior.len() {
        return Ok(());
    }
    Err(PriorError::WrongLength { found: prior.len(), expected: counts.len() })
}

/// Two categories. A data set is named by its first count. The change of the score between c and c+1 at r <= c is
/// `exp(-L(c, r)) (1 - exp(-rise))`; for r > c the categories change places.
#[derive(Clone, Copy, Debug)]
struct Line {
    alpha: [f64; 2],
    n: u64,
    order: f64,
}

impl Line {
    fn mirrored(self) -> Self {
        Self { alpha: [self.alpha[1], self.alpha[0]], ..self }
    }

    /// `L(c, r)`.
    fn cost(&self, c: u64, r: u64) -> f64 {
        chernoff_cost(self.alpha[0], self.order, c, r)
            + chernoff_cost(self.alpha[1], self.order, self.n - c, self.n - r)
    }

    /// `L(c+1, r) - L(c, r)`.
    fn rise(&self, c: u64, r: u64) -> f64 {
        chernoff_rise(self.alpha[0], self.order, c, r)
            - chernoff_rise(self.alpha[1], self.order, self.n - c - 1, self.n - r)
    }

    /// The largest change between the data sets c and c+1 over all candidates.
    fn pair(&self, c: u64) -> f64 {
        self.pair_below(c).max(self.mirrored().pair_below(self.n - c - 1))
    }

    /// The largest difference over the candidates `r = c - d`, `d >= 0`. The rise grows with d, and so does the cost.
    fn pair_below(&self, c: u64) -> f64 {
        let bound = |&[(near, far)]: &Box<1>| difference(self.cost(c, c - near), self.rise(c, c - far));
        largest([(0, c)], bound, |&[(near, far)]| [(far - near) as f64])
    }

    /// The smooth sensitivity of the data set c.
    fn smooth(&self, c: u64, decay: Decay) -> f64 {
        let discounted = |c: u64| {
            move |value: f64, pairs: (u64, u64)| {
                // The pair (x, x+1) has its nearer end at c, at x or at x+1.
                let distance = if pairs.0 > c { pairs.0 - c } else { c.saturating_sub(pairs.1 + 1) };
                decay.at(value, distance)
            }
        };
        let here = self.largest_below(&discounted(c));
        here.max(self.mirrored().largest_below(&discounted(self.n - c)))
    }

    fn largest(&self, value: &dyn Fn(f64, (u64, u64)) -> f64) -> f64 {
        self.largest_below(value).max(self.mirrored().largest_below(value))
    }

    /// The largest value of all pairs (c, c+1) and all candidates `r <= c`, with `d = c - r`. `value` is given a bound
    /// on the change and the range of c; it grows with the first and is exact for a single c.
    fn largest_below(&self, value: &dyn Fn(f64, (u64, u64)) -> f64) -> f64 {
        let last = self.n - 1;
        let bound = |&[(r0, r1), (d0, d1)]: &Box<2>| {
            if r0 + d0 > last {
                return 0.0;
            }
            // Without the candidates that would need c > n - 1.
            let (r1, d1) = (r1.min(last - d0), d1.min(last - r0));
            let change = difference(self.least_cost((r0, r1), d0), self.most_rise((r0, r1), (d0, d1)));
            value(change, (r0 + d0, (r1 + d1).min(last)))
        };
        let coarse = |&[(r0, r1), (d0, d1)]: &Box<2>| {
            let c1 = (r1 + d1).min(last);
            let edge = (self.alpha[0] + r0 as f64).min(self.alpha[1] + (self.n - c1) as f64);
            let (r0, r1, d0, d1) = (r0 as f64, r1 as f64, d0 as f64, d1 as f64);
            [(r1 - r0) / (edge + d0), (d1 - d0) * (1.0 / (d0 + 1.0) + 1.0 / libm::sqrt(edge + d0))]
        };
        largest([(0, last), (0, last)], bound, coarse)
    }

    /// A lower bound on `L(c, r)`: the part of the first category falls as both counts grow, that of the second grows,
    /// and both grow with d.
    fn least_cost(&self, (r0, r1): (u64, u64), d: u64) -> f64 {
        let (l, n) = (self.order, self.n);
        // Only the difference of the two counts and the prior enter, so the first may be beyond n.
        chernoff_cost(self.alpha[0], l, r1 + d, r1) + chernoff_cost(self.alpha[1], l, n - (r0 + d), n - r0)
    }

    /// An upper bound on the rise.
    fn most_rise(&self, (r0, r1): (u64, u64), (d0, d1): (u64, u64)) -> f64 {
        let (l, last) = (self.order, self.n - 1);
        // l ln(a/m) + sigma(m) with m = alpha + r + l d and a = m + (1-l) d: falls with r; the logarithm grows with d,
        // and sigma falls with it.
        let m = |d: u64| self.alpha[0] + r0 as f64 + l * d as f64;
        let first = l * libm::log1p((1.0 - l) * d1 as f64 / m(d1)) + gamma_shortfall(m(d0), l);
        // l ln(m'/a') - sigma(m') with a' = alpha + n - 1 - c and m' = a' + (1-l)(d+1): grows with r and d, apart from
        // sigma, which falls as m' grows.
        let a = self.alpha[1] + (last - (r1 + d1).min(last)) as f64;
        let r = r1.min(last - d1);
        let m = self.alpha[1] + (self.n - r) as f64 - l * (d0 + 1) as f64;
        let second = l * ln_1p_inverse(a / ((1.0 - l) * (d1 + 1) as f64)) - gamma_shortfall(m, l);
        first + second
    }
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;

    /// If this fails, the bounds of the search are not bounds, or the passes leave out data sets.
    #[test]
    fn the_search_finds_what_the_passes_find() {
        let mut random = Random::new(23);
        for case in 0..60 {
            let alpha = random.prior(2, if case % 3 == 0 { 1e-3 } else { 0.05 }, 30.0);
            let line = Line {
                alpha: [alpha[0], alpha[1]],
                n: 1 + random.below(if case % 5 == 0 { 300 } else { 40 }),
                order: [0.5, 0.25, 0.9, 0.01][case % 4],
            };
            // By definition: every pair of adjacent data sets, every candidate.
            let change = |c: u64, r: u64| {
                let nearer = if r > c { c + 1 } else { c };
                difference(line.cost(nearer, r), line.rise(c, r))
            };
            let pairs: Vec<f64> =
                (0..line.n).map(|c| (0..=line.n).map(|r| change(c, r)).fold(0.0, f64::max)).collect();
            let local: Vec<f64> = (0..=line.n as usize)
                .map(|c| {
                    let below = c.checked_sub(1).map_or(0.0, |c| pairs[c]);
                    pairs.get(c).map_or(below, |&above| above.max(below))
                })
                .collect();
            let close = |found: f64, exact: f64| (found / exact - 1.0).abs() < 1e-12;
            for c in 0..line.n {
                assert!(close(line.pair(c), pairs[c as usize]), "{line:?} at {c}");
            }
            let global = line.largest(&|value, _| value);
            assert!(close(global, local.iter().copied().fold(0.0, f64::max)), "{line:?}");
            for decay in
                [Decay::Gamma(random.log_uniform(1e-4, 10.0)), Decay::Beta(random.log_uniform(1e-4, 1.0))]
            {
                let smooth = two_passes(&local, decay);
                for c in 0..=line.n {
                    let each = local.iter().zip(0..).map(|(&ls, x): (&f64, u64)| decay.at(ls, x.abs_diff(c)));
                    let exact = each.fold(0.0, f64::max);
                    assert!(close(smooth[c as usize], exact), "{line:?} {decay:?} at {c}: passes");
                    if c % 7 == 0 {
                        let found = line.smooth(c, decay);
                        assert!(close(found, exact), "{line:?} {decay:?} at {c}: {found} {exact}");
                    }
                }
            }
        }
    }
}
