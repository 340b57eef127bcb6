//! The posterior by a tree of convolutions, for any number of categories.

use super::joint::{Joint, MAX_CUT_SHARE};
use super::laws::{Laws, LeftOut};
use super::logs::Logs;
use super::mass::{CUT_TAIL, Mass, Transforms};
use super::search::{Missed, Search};
use super::tilt::{Means, first_tilt};
use super::tree::Tree;
use super::window::{Weight, Window, narrowed, number_of_counts, windows};
use super::{Cells, MAX_POSSIBLE_COUNTS, NoiseAware, NoiseAwareError, uninformative};
use crate::noise::Factor;
use crate::parallelism::Parallelism;

/// Up to this many categories times records, all counts are listed, without windows.
const SMALL_PROBLEM: f64 = 4_096.0;

/// The depth of the first windows.
const FIRST_DEPTH: f64 = 45.0;

/// Windows of this depth cut off nothing that a double could hold.
const FULL_DEPTH: f64 = 1e3;

/// If windows seem to cut off this many times too much, no tree is made of them.
const PLAIN_EXCESS: f64 = 10.0;

/// The posterior given factors. The search for the tilt begins at the given one, if there is one.
pub(super) fn posterior(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
    tilt: Option<f64>,
) -> Result<NoiseAware, NoiseAwareError> {
    let categories = Categories::new(alpha, n, factors);
    let is_small = alpha.len() as f64 * n as f64 <= SMALL_PROBLEM;
    let depth = if is_small { f64::INFINITY } else { FIRST_DEPTH };
    let tilt = tilt.unwrap_or_else(|| first_tilt(&categories.weights, &categories.ones, n, depth));
    Search { depth, tilt, tries: 1 }.run(|search| categories.attempt(search))
}

/// All categories with their weights.
struct Categories<'a> {
    alpha: &'a [f64],
    n: u64,
    weights: Vec<Weight<'a>>,
    /// One category has each of the weights.
    ones: Vec<u64>,
    /// The categories of which the release says nothing.
    uninformative: Vec<usize>,
    transforms: Transforms,
}

impl<'a> Categories<'a> {
    fn new(alpha: &'a [f64], n: u64, factors: &'a [Factor]) -> Self {
        let weights = alpha.iter().zip(factors).map(|(&alpha, factor)| Weight { alpha, factor, n });
        Self {
            alpha,
            n,
            weights: weights.collect(),
            ones: vec![1; alpha.len()],
            uninformative: uninformative(factors),
            transforms: Transforms::default(),
        }
    }

    /// The posterior, if the windows of this search are deep enough.
    fn attempt(&self, search: Search) -> Result<NoiseAware, Missed<NoiseAwareError>> {
        let windows = windows(&self.weights, search.tilt, search.depth, Parallelism::OneThread);
        let whole = windows.iter().all(|window| window.len() == self.n + 1);
        let deepest = whole || search.depth >= FULL_DEPTH;
        let narrow = narrowed(&windows, &self.ones, self.n).ok_or(Missed::NoSum)?;
        let counts = number_of_counts(&narrow);
        if counts > MAX_POSSIBLE_COUNTS {
            return Err(Missed::GivenUp(NoiseAwareError::TooWide { counts }));
        }
        let parallelism = Parallelism::for_counts(counts);
        let Laws { tilt, logs, laws, left_out } = self.laws(&windows, &narrow, search.tilt, parallelism);
        let cut_off = |excess| Missed::CutOff { excess, start: search.tilt, found: tilt };
        let outside = LeftOut::joint_up(&left_out);
        if !deepest {
            let excess = outside / self.guessed_likelihood(&laws) / MAX_CUT_SHARE;
            if excess > PLAIN_EXCESS {
                return Err(cut_off(excess));
            }
        }
        let trimmed = search.depth.is_finite();
        let trim = if trimmed { CUT_TAIL } else { 0.0 };
        let tree = Tree::new(laws, (0, 0), self.n, trim, &self.transforms, parallelism);
        let joint = Joint::new(tree.joint(self.n, &self.transforms, parallelism), outside, parallelism);
        let excess = joint.excess();
        // Deeper windows cut off less, but do not reduce rounding.
        if !deepest && (excess > 1.0 || excess.is_nan()) {
            return Err(cut_off(excess));
        }
        let bounds = joint.bounds(&logs, &self.ones, tilt, parallelism).map_err(Missed::GivenUp)?;
        let marginals = joint.marginals(self.alpha.iter().copied(), self.alpha, self.n, parallelism);
        Ok(NoiseAware {
            alpha: self.alpha.to_vec(),
            n: self.n,
            marginals,
            cells: Cells::Each(tree),
            bounds,
            trimmed,
        })
    }

    /// The laws of all counts within narrowed windows, at a tilt that is sought from `start` on.
    fn laws(&self, windows: &[Window], narrow: &[Window], start: f64, parallelism: Parallelism) -> Laws {
        let logs = parallelism.map(0..narrow.len(), |i| self.weights[i].logs(narrow[i], start));
        let tilt = self.tilt(&logs, start, parallelism);
        Laws::new(&self.weights, windows, narrow, logs, tilt, parallelism)
    }

    /// The tilt at which the means of all counts sum to n. The mean of a single uninformative count is known, whatever
    /// its window leaves out of it.
    fn tilt(&self, logs: &[Logs], start: f64, parallelism: Parallelism) -> f64 {
        let beside = |free: usize| {
            let others: Vec<&Logs> = (0..logs.len()).filter(|&i| i != free).map(|i| &logs[i]).collect();
            self.means(&others, parallelism).tilt_beside(self.alpha[free], start)
        };
        let found = if let [free] = self.uninformative[..] { beside(free) } else { None };
        found.unwrap_or_else(|| self.means(&logs.iter().collect::<Vec<_>>(), parallelism).tilt(start))
    }

    fn means<'m>(&'m self, logs: &'m [&'m Logs], parallelism: Parallelism) -> Means<'m> {
        Means { logs, cells: &self.ones[..logs.len()], n: self.n, parallelism }
    }

    /// About the probability that counts with these laws sum to n, if that is about their mean. Uninformative counts
    /// are left out.
    fn guessed_likelihood(&self, laws: &[Mass]) -> f64 {
        let known = laws.iter().enumerate().filter(|(index, _)| !self.uninformative.contains(index));
        let variance: f64 = known.map(|(_, law)| law.moments().1).sum();
        1.0 / libm::sqrt(core::f64::consts::TAU * variance + 1.0)
    }
}
