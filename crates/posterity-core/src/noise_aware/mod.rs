//! The posterior that takes the privacy noise into account, exactly.
//!
//! A mechanism releases not the counts c but counts with noise. A reader who takes them for the true counts gets
//! intervals that are too narrow. This module applies Bayes' rule to the release instead. Given the release, the counts
//! have `p(c) ~ prod_i Gamma(alpha_i + c_i)/c_i! L_i(c_i)` subject to `sum c = n`, where L is the likelihood of the
//! release ([`Evidence`]), and given the counts theta is Dirichlet(alpha + c). So each theta_i is a finite mixture of
//! Beta distributions. The weights of the mixture are marginals of p and are computed by convolutions
//! (docs/proofs/noise-aware.md).

mod bell;
mod blocks;
mod by_tree;
mod by_waves;
mod groups;
mod joint;
mod kinds;
mod laws;
mod logs;
mod mass;
mod mixture;
mod points;
mod search;
mod solve;
mod tilt;
mod tree;
mod unit;
mod waves;
mod window;
mod within;

pub use groups::{CHAINS, GroupDraw, NoisyGroups, Total, chain_error};
pub use mixture::BetaMixture;
pub use within::{NoisyShare, SharePosterior, SharePrior};

use std::sync::OnceLock;

use thiserror::Error;

use crate::model::{Dirichlet, LevelError, Setting, interval_level};
use crate::noise::{Evidence, Factor};
use crate::parallelism::Parallelism;
use crate::sampler::{BitSource, SourceError, unchecked_dirichlet};
use crate::special::Sum;
use by_waves::Patience;
use joint::{Bounds, Joint};
use kinds::Kinds;
pub(crate) use mass::{CUT_TAIL, Mass, Transforms, middle, norm, transform_size};
pub(crate) use points::Points;
pub(crate) use solve::{Look, Tail, guess, shortest, solve};
pub(crate) use tree::Tree;
pub(crate) use waves::{Purpose, Waves};

/// The posterior of the categories' probabilities given a release.
#[derive(Clone, Debug)]
pub struct NoiseAware {
    alpha: Vec<f64>,
    n: u64,
    marginals: Vec<BetaMixture>,
    cells: Cells,
    bounds: Bounds,
    /// Whether ends of negligible weight were cut off.
    trimmed: bool,
}

/// The weights of the counts of the categories, before the condition that all counts sum to n.
#[derive(Clone, Debug)]
enum Cells {
    /// One by one, and those of their sums.
    Each(Tree),
    /// Of each kind of category. The tree is made when counts are drawn.
    Kinds { laws: Vec<Mass>, kinds: Kinds, tree: OnceLock<Tree> },
    /// Not one by one: all data sets with their probabilities.
    Listed(Points),
}

/// Why the noise-aware posterior cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum NoiseAwareError {
    /// The noise spreads over more counts than can be handled.
    #[error(
        "the noise leaves {counts:.1e} counts possible, more than the {MAX_POSSIBLE_COUNTS:.1e} that this version can weigh; a larger epsilon \
         makes them fewer"
    )]
    TooWide {
        /// How many counts are possible, over all categories.
        counts: f64,
    },
    /// There are more data sets, or more probabilities to compute, than can be handled.
    #[error(
        "the likelihood of {mechanism} is not a product over the categories, and to list it takes {work:.1e} probabilities at \
         {data_sets:.1e} data sets, more than the {max_work:.0e} at {max_data_sets:.0e} that are allowed; take fewer records or \
         categories, or the mechanism lattice"
    )]
    TooMany {
        /// The mechanism.
        mechanism: &'static str,
        /// How many data sets there are.
        data_sets: f64,
        /// How many probabilities would be computed.
        work: f64,
        /// How many data sets are allowed.
        max_data_sets: f64,
        /// How many probabilities are allowed.
        max_work: f64,
    },
    /// The bound on the error of the posterior is too large.
    #[error(
        "the noise-aware posterior is known only to {error:.1e} of its mass at this prior and epsilon; take a prior nearer to 1"
    )]
    Imprecise {
        /// The bound on its error.
        error: f64,
    },
    /// The released counts do not sum to n, as those of this mechanism do.
    #[error(
        "the released counts sum to {found}, and those of this mechanism to {expected}; give the release of this very mechanism"
    )]
    Total {
        /// The number of records.
        expected: u64,
        /// The sum of the released counts.
        found: u64,
    },
    /// The release has another number of categories than the prior.
    #[error(
        "the release has {found} categories and the prior {expected}; give the release of this very mechanism"
    )]
    Categories {
        /// Categories of the prior.
        expected: usize,
        /// Categories of the release.
        found: usize,
    },
}

/// The most possible counts, summed over the categories. They take about 0.7 GiB of memory.
const MAX_POSSIBLE_COUNTS: f64 = 1.2e7;

/// Up to this many possible counts, one thread is faster than waking others.
const ONE_THREAD: f64 = 4_096.0;

impl Parallelism {
    /// How to work on this number of possible counts.
    pub(crate) fn for_counts(counts: f64) -> Self {
        if counts <= ONE_THREAD { Self::OneThread } else { Self::AllCores }
    }

    /// How to work on several releases of this setting: all at once, or one after another where each needs so much
    /// memory that together they would need too much. Then the work on each is shared between the cores.
    pub(crate) fn over_releases(setting: &Setting) -> Self {
        let window = (setting.n() as f64 + 1.0).min(WINDOW / setting.epsilon().to_f64());
        if setting.k() as f64 * window <= AT_ONCE { Self::AllCores } else { Self::OneThread }
    }
}

/// About how many counts of one category are possible at epsilon 1.
const WINDOW: f64 = 90.0;

/// Possible counts of a release that is worked on beside others. They take about 30 MiB of memory.
const AT_ONCE: f64 = 5e5;

impl NoiseAware {
    /// The posterior given what was released.
    ///
    /// # Errors
    /// [`NoiseAwareError`].
    pub fn new(setting: &Setting, evidence: &Evidence) -> Result<Self, NoiseAwareError> {
        let (alpha, n) = (setting.prior().parameters(), setting.n());
        let factors = evidence.factors();
        if factors.len() != alpha.len() {
            return Err(NoiseAwareError::Categories { expected: alpha.len(), found: factors.len() });
        }
        if !by_waves::is_large(alpha.len(), n) {
            return by_tree::posterior(alpha, n, factors, None);
        }
        let left = match by_waves::posterior(alpha, n, factors, Patience::ForTheQuicker) {
            Ok(aware) => return Ok(aware),
            Err(left) => left,
        };
        by_tree::posterior(alpha, n, factors, left.tilt).or_else(|error| match error {
            // Convolutions lose more digits than sums over waves.
            NoiseAwareError::Imprecise { .. } => {
                by_waves::posterior(alpha, n, factors, Patience::Any).map_err(|_| error)
            }
            error => Err(error),
        })
    }

    /// The posterior given the probabilities of all data sets. They differ in total variation from the exact ones by at
    /// most `error_up`.
    ///
    /// # Errors
    /// [`NoiseAwareError::Imprecise`] if that is too much.
    pub(crate) fn of_points(
        setting: &Setting,
        points: Points,
        error_up: f64,
    ) -> Result<Self, NoiseAwareError> {
        let bounds = Bounds { error: error_up, missing: 0.0 }.check()?;
        let (alpha, n) = (setting.prior().parameters(), setting.n());
        let parallelism = Parallelism::for_counts(points.len() as f64 * alpha.len() as f64);
        let laws = parallelism.map(0..alpha.len(), |category| {
            let (first, weights) = points.marginal(category);
            Mass::new(first, weights)
        });
        let marginals =
            Joint::new(laws, 0.0, parallelism).marginals(alpha.iter().copied(), alpha, n, parallelism);
        Ok(Self { alpha: alpha.to_vec(), n, marginals, cells: Cells::Listed(points), bounds, trimmed: false })
    }

    /// The posterior of each category's probability.
    #[must_use]
    pub fn marginals(&self) -> &[BetaMixture] {
        &self.marginals
    }

    /// The expected count of each category.
    #[must_use]
    pub fn mean_counts(&self) -> Vec<f64> {
        self.of_marginals(BetaMixture::mean_count)
    }

    /// The expected probability of each category.
    #[must_use]
    pub fn mean(&self) -> Vec<f64> {
        self.of_marginals(BetaMixture::mean)
    }

    /// The variance of each category's probability.
    #[must_use]
    pub fn variance(&self) -> Vec<f64> {
        self.of_marginals(BetaMixture::variance)
    }

    /// The equal-tailed interval of each category's probability.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn intervals(&self, level: f64) -> Result<Vec<[f64; 2]>, LevelError> {
        interval_level(level)?;
        let interval =
            |marginal: &BetaMixture| marginal.interval(level).map_or([0.0, 1.0], |(low, high)| [low, high]);
        Ok(self.of_marginals(interval))
    }

    /// The shortest interval of each category's probability.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn shortest(&self, level: f64) -> Result<Vec<[f64; 2]>, LevelError> {
        interval_level(level)?;
        Ok(self.of_marginals(|marginal| {
            shortest(level, |p| marginal.quantile(p), |p| marginal.upper_quantile(p))
        }))
    }

    /// Something of every category's posterior; of each kind of category it is computed once.
    fn of_marginals<T: Clone + Send>(&self, one: impl Fn(&BetaMixture) -> T + Sync + Send) -> Vec<T> {
        match &self.cells {
            Cells::Each(_) | Cells::Listed(_) => {
                let counts: usize = self.marginals.iter().map(BetaMixture::len).sum();
                Parallelism::for_counts(counts as f64).map(&self.marginals, one)
            }
            Cells::Kinds { kinds, .. } => {
                let of_kinds = Parallelism::AllCores.map(&kinds.first, |&cell| one(&self.marginals[cell]));
                kinds.spread(&of_kinds)
            }
        }
    }

    /// A bound on the total variation distance between this and the exact posterior of the counts. It covers rounding
    /// and the counts outside the windows.
    #[must_use]
    pub fn error_up(&self) -> f64 {
        self.bounds.error
    }

    /// The prior parameters.
    #[must_use]
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The number of records.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    /// A bound on the weight that is missing from the leaves or wrong in them, among the counts that sum to n.
    pub(crate) fn missing_up(&self) -> f64 {
        self.bounds.missing
    }

    /// Whether ends of negligible weight are cut off. In small problems they are not.
    pub(crate) fn is_trimmed(&self) -> bool {
        self.trimmed
    }

    /// Whether it comes from a list of all data sets, because the likelihood is not a product over the categories.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.points().is_some()
    }

    /// The data sets with their probabilities, if they are listed.
    pub(crate) fn points(&self) -> Option<&Points> {
        match &self.cells {
            Cells::Listed(points) => Some(points),
            Cells::Each(_) | Cells::Kinds { .. } => None,
        }
    }

    /// The weights of the counts of each category, before the condition that all counts sum to n. Nothing if they are
    /// listed.
    pub(crate) fn leaves(&self) -> Option<Vec<&Mass>> {
        match &self.cells {
            Cells::Each(tree) => {
                let mut leaves = Vec::with_capacity(self.alpha.len());
                tree.leaves(&mut leaves);
                Some(leaves)
            }
            Cells::Kinds { laws, kinds, .. } => {
                Some(kinds.of_cell.iter().map(|&kind| &laws[kind as usize]).collect())
            }
            Cells::Listed(_) => None,
        }
    }

    /// The kind of every category and the law of each kind, if there are so many categories that kinds were made.
    pub(crate) fn kinds(&self) -> Option<(&[u32], &[Mass])> {
        match &self.cells {
            Cells::Kinds { laws, kinds, .. } => Some((&kinds.of_cell, laws)),
            Cells::Each(_) | Cells::Listed(_) => None,
        }
    }

    /// One draw of the true counts given the release. It uses floating point, so it is for analysis, not for privacy.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn sample_counts(&self, bits: &mut dyn BitSource) -> Result<Vec<u64>, SourceError> {
        let Some(tree) = self.tree() else { return self.points().map_or(Ok(Vec::new()), |p| p.sample(bits)) };
        let mut counts = Vec::with_capacity(self.alpha.len());
        tree.sample(self.n, bits, &mut counts)?;
        Ok(counts)
    }

    /// One draw from each source, the same as by [`NoiseAware::sample_counts`], on all cores.
    pub(crate) fn sample_counts_each<B: BitSource + Send>(
        &self,
        mut bits: Vec<B>,
    ) -> Result<Vec<Vec<u64>>, SourceError> {
        /// This many draws visit the tree together.
        const TOGETHER: usize = 50;
        let Some(tree) = self.tree() else {
            return bits.iter_mut().map(|bits| self.sample_counts(bits)).collect();
        };
        let groups: Vec<&mut [B]> = bits.chunks_mut(TOGETHER).collect();
        let drawn = Parallelism::AllCores.map(groups, |bits| {
            let mut counts = vec![Vec::with_capacity(self.alpha.len()); bits.len()];
            tree.sample_each(&vec![self.n; bits.len()], bits, &mut counts)?;
            Ok(counts)
        });
        Ok(drawn.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }

    /// The tree from which counts are drawn. Nothing if the data sets are listed.
    fn tree(&self) -> Option<&Tree> {
        /// What is cut off from the laws of sums that only serve draws. It is below the rounding of a draw.
        const TRIM: f64 = 1e-20;
        match &self.cells {
            Cells::Listed(_) => None,
            Cells::Each(tree) => Some(tree),
            Cells::Kinds { laws, kinds, tree } => Some(tree.get_or_init(|| {
                let laws: Vec<Mass> = laws.iter().map(|law| law.clone().trimmed_to(TRIM)).collect();
                let leaves = kinds.of_cell.iter().map(|&kind| laws[kind as usize].clone()).collect();
                let transforms = Transforms::default();
                Tree::new(leaves, (0, 0), self.n, TRIM, &transforms, Parallelism::AllCores)
            })),
        }
    }

    /// One joint draw of the probabilities of all categories given the release. It uses floating point, so it is for
    /// analysis, not for privacy.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn sample(&self, bits: &mut dyn BitSource) -> Result<Vec<f64>, SourceError> {
        let counts = self.sample_counts(bits)?;
        let parameters: Vec<f64> =
            self.alpha.iter().zip(&counts).map(|(alpha, &count)| alpha + count as f64).collect();
        unchecked_dirichlet(&parameters, bits)
    }

    /// The Dirichlet distribution with the same means and the same sum of variances; none if its parameters are not
    /// valid.
    #[must_use]
    pub fn moment_matched(&self) -> Option<Dirichlet> {
        let mean = self.mean();
        let spread = mean.iter().map(|mean| mean * (1.0 - mean)).collect::<Sum>().value();
        let variance = self.variance().into_iter().collect::<Sum>().value();
        let total = spread / variance - 1.0;
        Dirichlet::new(mean.iter().map(|mean| mean * total).collect()).ok()
    }
}

/// The categories of which the release says nothing.
fn uninformative(factors: &[Factor]) -> Vec<usize> {
    (0..factors.len()).filter(|&category| matches!(factors[category], Factor::Flat)).collect()
}
