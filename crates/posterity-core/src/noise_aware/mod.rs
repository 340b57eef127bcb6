//! The posterior that takes the privacy noise into account, exactly.
//!
//! A mechanism releases not the counts c but counts with noise. A reader who takes them for the true counts gets intervals
//! that are too narrow. This module applies Bayes' rule to the release instead. Given the release, the counts have
//! `p(c) ~ prod_i Gamma(alpha_i + c_i)/c_i! L_i(c_i)` subject to `sum c = n`, where L is the likelihood of the release
//! ([`Evidence`]), and given the counts theta is Dirichlet(alpha + c). So each theta_i is a finite mixture of Beta
//! distributions. The weights of the mixture are marginals of p and are computed by convolutions
//! (docs/proofs/noise-aware.md).

mod by_waves;
mod kinds;
mod logs;
mod mass;
mod mixture;
mod points;
mod solve;
mod tree;
mod unit;
mod waves;
mod window;

pub use mixture::BetaMixture;

use std::sync::OnceLock;

use thiserror::Error;

use crate::model::{Dirichlet, LevelError, Setting, interval_level};
use crate::noise::{Evidence, Factor};
use crate::parallelism::Parallelism;
use crate::sampler::{BitSource, SourceError, unchecked_dirichlet};
use crate::special::Sum;
use kinds::Kinds;
use logs::Logs;
use by_waves::Patience;
pub(crate) use mass::{Mass, CUT_TAIL, Transforms};
pub(crate) use points::Points;
pub(crate) use solve::{Look, Tail, guess, solve};
pub(crate) use tree::Tree;
pub(crate) use waves::{Purpose, Waves};
use window::{Weight, Window};

/// The posterior of the categories' probabilities given a release.
#[derive(Clone, Debug)]
pub struct NoiseAware {
    alpha: Vec<f64>,
    n: u64,
    marginals: Vec<BetaMixture>,
    cells: Cells,
    error: f64,
    /// A bound on the weight that is missing from the leaves or wrong in them, among the counts that sum to n.
    missing: f64,
    /// The probability that independent counts with the weights of the categories sum to n.
    likely: f64,
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
    /// How to work on so many possible counts.
    pub(crate) fn for_counts(counts: f64) -> Self {
        if counts <= ONE_THREAD { Self::OneThread } else { Self::AllCores }
    }

    /// How to work on several releases of this setting: all at once, or one after another where each needs so much memory that
    /// together they would need too much. Then the work on each is shared between the cores.
    pub(crate) fn over_releases(setting: &Setting) -> Self {
        let window = (setting.n() as f64 + 1.0).min(WINDOW / setting.epsilon().to_f64());
        if setting.k() as f64 * window <= AT_ONCE { Self::AllCores } else { Self::OneThread }
    }
}

/// About how many counts of one category are possible at epsilon 1.
const WINDOW: f64 = 90.0;

/// Possible counts of a release that is worked on beside others. They take about 30 MiB of memory.
const AT_ONCE: f64 = 5e5;

/// The largest share of the posterior that windows may cut off.
const MAX_CUT_SHARE: f64 = 1e-12;

/// The largest bound on the error that is accepted.
const WORST: f64 = 1e-6;

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
            return Self::one_by_one(alpha, n, factors, None);
        }
        let left = match by_waves::posterior(alpha, n, factors, Patience::ForTheQuicker) {
            Ok(aware) => return Ok(aware),
            Err(left) => left,
        };
        Self::one_by_one(alpha, n, factors, left.tilt).or_else(|error| match error {
            // Convolutions lose more digits than sums over waves.
            NoiseAwareError::Imprecise { .. } => {
                by_waves::posterior(alpha, n, factors, Patience::Any).map_err(|_| error)
            }
            error => Err(error),
        })
    }

    /// The posterior by a tree of convolutions, for any number of categories. The search for the tilt begins at a given one.
    fn one_by_one(
        alpha: &[f64],
        n: u64,
        factors: &[Factor],
        tilt: Option<f64>,
    ) -> Result<Self, NoiseAwareError> {
        let ones = vec![1; alpha.len()];
        let flat = flat(factors);
        let weights: Vec<Weight<'_>> =
            alpha.iter().zip(factors).map(|(&alpha, factor)| Weight { alpha, factor, n }).collect();
        let transforms = Transforms::default();
        // Small problems need no windows.
        let is_small = alpha.len() as f64 * n as f64 <= 4_096.0;
        let mut depth = if is_small { f64::INFINITY } else { 45.0 };
        let mut tilt = tilt.unwrap_or_else(|| first_tilt(&weights, &ones, n, depth));
        let mut tries = 0;
        loop {
            tries += 1;
            let start = tilt;
            let windows: Vec<Window> = weights.iter().map(|weight| weight.window(tilt, depth)).collect();
            let whole = windows.iter().all(|window| window.len() == n + 1);
            let Some(narrow) = narrowed(&windows, &ones, n) else {
                // No counts within the windows sum to n.
                depth *= 2.0;
                continue;
            };
            let counts = counts(&narrow);
            if counts > MAX_POSSIBLE_COUNTS {
                return Err(NoiseAwareError::TooWide { counts });
            }
            let parallelism = Parallelism::for_counts(counts);
            let logs = parallelism.map(0..weights.len(), |i| weights[i].logs(narrow[i], tilt));
            // The mean of a count of which nothing was said is known, whatever its window leaves out of it.
            let beside = |&flat: &usize| {
                let others: Vec<&Logs> = (0..logs.len()).filter(|&i| i != flat).map(|i| &logs[i]).collect();
                tilt_beside(&others, &ones[1..], alpha[flat], n, tilt, parallelism)
            };
            let found = flat.first().filter(|_| flat.len() == 1).and_then(beside);
            tilt = found.unwrap_or_else(|| tilt_of_means(&logs, &ones, tilt, n, parallelism));
            let leaves = parallelism.map(0..logs.len(), |i| {
                let (weight, narrow) = (&weights[i], narrow[i]);
                let (leaf, unit) = logs[i].weights(tilt);
                let inside = leaf.values.iter().copied().fold(0.0, f64::max);
                let left_out = LeftOut {
                    beyond: weight.outside(windows[i], tilt, unit),
                    largest: weight.largest_up(narrow, inside, tilt, unit),
                    total: 1.0 + weight.outside(narrow, tilt, unit),
                };
                (leaf, left_out)
            });
            let (leaves, left_out): (Vec<Mass>, Vec<LeftOut>) = leaves.into_iter().unzip();
            let outside = LeftOut::joint_up(&left_out);
            if !whole && depth < 1e3 {
                // Where it is plain before that the windows cut off too much, the tree is not made.
                let excess = outside / guessed_likelihood(&leaves, &flat) / MAX_CUT_SHARE;
                if excess > 10.0 {
                    depth = deeper(depth, excess, start, tilt, tries);
                    continue;
                }
            }
            let trim = if depth.is_finite() { CUT_TAIL } else { 0.0 };
            let tree = Tree::new(leaves, (0, 0), n, trim, &transforms, parallelism);
            let joint = tree.joint(&Mass::new(0, vec![1.0]), n, &transforms, parallelism);
            // The joint law of every category sums to P(sum = n). The bounds on what is missing from it are divided by the
            // least of these sums.
            let likely = joint.iter().map(|mass| total(&mass.values)).fold(f64::INFINITY, f64::min);
            let cut = joint.iter().map(|mass| mass.lost).fold(0.0, f64::max) + outside;
            let rounding = joint.iter().map(|mass| mass.error).fold(0.0, f64::max);
            let relative = joint.iter().map(|mass| mass.relative).fold(0.0, f64::max);
            let of_logs: f64 = logs.iter().zip(&joint).map(|(logs, mass)| logs.error_up(tilt, mass)).sum();
            let error = 2.0 * ((cut + rounding + of_logs) / likely + relative);
            // Wider windows cut off less, but do not reduce rounding.
            if cut / likely <= MAX_CUT_SHARE || whole || depth > 1e3 {
                if error.is_nan() || error > WORST {
                    return Err(NoiseAwareError::Imprecise { error });
                }
                let sum = alpha.iter().copied().collect::<Sum>();
                let joint: Vec<(Mass, f64)> = joint.into_iter().zip(alpha.iter().copied()).collect();
                let marginals = parallelism.map(joint, |(mass, alpha)| {
                    let mut rest = sum;
                    rest.add(-alpha);
                    marginal(mass, alpha, rest.value(), n)
                });
                let (missing, trimmed) = (outside + of_logs, depth.is_finite());
                let (alpha, cells) = (alpha.to_vec(), Cells::Each(tree));
                return Ok(Self { alpha, n, marginals, cells, error, missing, likely, trimmed });
            }
            depth = deeper(depth, cut / likely / MAX_CUT_SHARE, start, tilt, tries);
        }
    }

    /// The posterior given the probabilities of all data sets. They differ in total variation from the exact ones by at most
    /// `error_up`.
    ///
    /// # Errors
    /// [`NoiseAwareError::Imprecise`] if that is too much.
    pub(crate) fn of_points(
        setting: &Setting,
        points: Points,
        error_up: f64,
    ) -> Result<Self, NoiseAwareError> {
        if error_up.is_nan() || error_up > WORST {
            return Err(NoiseAwareError::Imprecise { error: error_up });
        }
        let (alpha, n) = (setting.prior().parameters(), setting.n());
        let sum = alpha.iter().copied().collect::<Sum>();
        let parallelism = Parallelism::for_counts(points.len() as f64 * alpha.len() as f64);
        let marginals = parallelism.map(0..alpha.len(), |category| {
            let mut rest = sum;
            rest.add(-alpha[category]);
            let (first, weights) = points.marginal(category);
            marginal(Mass::new(first, weights), alpha[category], rest.value(), n)
        });
        let (alpha, cells) = (alpha.to_vec(), Cells::Listed(points));
        let (error, missing, likely) = (error_up, 0.0, 1.0);
        Ok(Self { alpha, n, marginals, cells, error, missing, likely, trimmed: false })
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

    /// A bound on the total variation distance between this and the exact posterior of the counts. It covers rounding and
    /// the counts outside the windows.
    #[must_use]
    pub fn error_up(&self) -> f64 {
        self.error
    }

    /// The prior parameters.
    pub(crate) fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// The number of records.
    pub(crate) fn n(&self) -> u64 {
        self.n
    }

    /// A bound on the weight that is missing from the leaves or wrong in them, among the counts that sum to n.
    pub(crate) fn missing_up(&self) -> f64 {
        self.missing
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

    /// The weights of the counts of each category, before the condition that all counts sum to n. Nothing if they are listed.
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

    /// The probability that independent counts with the weights of the categories sum to n.
    pub(crate) fn likely(&self) -> f64 {
        self.likely
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
        /// As many draws visit the tree together.
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

    /// The Dirichlet distribution with the same means and the same sum of variances; none if its parameters are not valid.
    #[must_use]
    pub fn moment_matched(&self) -> Option<Dirichlet> {
        let mean = self.mean();
        let spread = mean.iter().map(|mean| mean * (1.0 - mean)).collect::<Sum>().value();
        let variance = self.variance().into_iter().collect::<Sum>().value();
        let total = spread / variance - 1.0;
        Dirichlet::new(mean.iter().map(|mean| mean * total).collect()).ok()
    }
}

/// Bounds on the weight of one category's counts, in units of the weight inside its narrowed window.
#[derive(Clone, Copy, Debug)]
struct LeftOut {
    /// The weight beyond the window before it was narrowed.
    beyond: f64,
    /// The largest weight of a single count.
    largest: f64,
    /// The weight of all counts.
    total: f64,
}

impl LeftOut {
    /// A bound on the joint weight of all counts that sum to n and of which at least one is outside its window. All but one
    /// of the other counts may have any value. The last one is determined by the sum, so it contributes its largest weight
    /// and not its total weight.
    fn joint_up(all: &[Self]) -> f64 {
        // The count that is determined by the sum is that of the category with the smallest quotient of largest and total
        // weight, or of the next category if that one is outside its window.
        let gain = |one: &Self| if one.total.is_finite() { one.largest / one.total } else { 0.0 };
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| gain(&all[a]).total_cmp(&gain(&all[b])));
        let [first, second] = [0, 1].map(|place| order.get(place).copied().unwrap_or(0));
        let one = |i: usize, rest: usize, others: f64| all[i].beyond * all[rest].largest * others;
        let mut sum = 0.0;
        if all[first].beyond > 0.0 {
            let others = (0..all.len()).filter(|&j| j != first && j != second);
            sum += one(first, second, others.map(|j| all[j].total).product());
        }
        // The products of all totals but two, from the products up to each category and from each category on.
        let kept = |j: &usize| *j != first;
        let mut after: Vec<f64> = Vec::with_capacity(all.len());
        let mut product = 1.0;
        for j in (0..all.len()).rev().filter(kept) {
            after.push(product);
            product *= all[j].total;
        }
        let mut before = 1.0;
        for (i, after) in (0..all.len()).filter(kept).zip(after.into_iter().rev()) {
            if all[i].beyond > 0.0 {
                sum += one(i, first, before * after);
            }
            before *= all[i].total;
        }
        sum
    }
}

fn total(values: &[f64]) -> f64 {
    values.iter().copied().collect::<Sum>().value()
}

/// How many counts there are in all windows.
fn counts(windows: &[Window]) -> f64 {
    windows.iter().map(|window| window.len() as f64).sum()
}

/// The tilt to begin with: that of the peaks, or none if windows are much narrower without. Peaks jump where the tilt is the
/// rate of the noise. There one side of each law is flat, and windows are far too wide.
fn first_tilt(weights: &[Weight<'_>], cells: &[u64], n: u64, depth: f64) -> f64 {
    let tilt = tilt_of_peaks(weights, cells, n);
    if tilt == 0.0 || depth == f64::INFINITY {
        return tilt;
    }
    let windows =
        |tilt: f64| -> Vec<Window> { weights.iter().map(|weight| weight.window(tilt, depth)).collect() };
    let straight = windows(0.0);
    let narrower = counts(&straight) < 0.5 * counts(&windows(tilt));
    if narrower && narrowed(&straight, cells, n).is_some() { 0.0 } else { tilt }
}

/// The depth of the next windows if those for the tilt `start` cut off `excess` times too much at the tilt that was found. What
/// they cut off falls as the exponential of their depth; if it does not after some tries, they are made twice as deep. At another
/// tilt, windows that are hardly deeper may do.
fn deeper(depth: f64, excess: f64, start: f64, found: f64, tries: usize) -> f64 {
    if start != found {
        return 1.1 * depth;
    }
    let more = libm::log(excess).max(1.0) + 1.0;
    if tries < 4 && more < depth { depth + more } else { 2.0 * depth }
}

/// About the probability that counts with these weights sum to n, if that is about their mean. Those of which nothing was said
/// are left out.
fn guessed_likelihood(leaves: &[Mass], flat: &[usize]) -> f64 {
    let known = leaves.iter().enumerate().filter(|(index, _)| !flat.contains(index));
    let variance: f64 = known.map(|(_, leaf)| leaf.moments().1).sum();
    1.0 / libm::sqrt(core::f64::consts::TAU * variance + 1.0)
}

/// The tilt at which the peaks of the categories sum to n. There are `cells` categories of each weight.
fn tilt_of_peaks(weights: &[Weight<'_>], cells: &[u64], n: u64) -> f64 {
    let peaks = |tilt: f64| weights.iter().map(move |weight| u128::from(weight.peak(tilt)));
    let sum = |tilt: f64| peaks(tilt).zip(cells).map(|(peak, &cells)| peak * u128::from(cells)).sum::<u128>();
    let n = u128::from(n);
    if sum(0.0) == n {
        return 0.0;
    }
    // The sum falls as the tilt grows. The steps of ln f are bounded, so the search finds both ends.
    let too_many = |tilt: f64| sum(tilt) > n;
    let sign = if too_many(0.0) { 1.0 } else { -1.0 };
    let (mut near, mut far) = (0.0, sign / n as f64);
    while too_many(far) == (sign > 0.0) && far.abs() < 1e4 {
        near = far;
        far *= 4.0;
    }
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        if too_many(middle) == (sign > 0.0) {
            near = middle;
        } else {
            far = middle;
        }
    }
    0.5 * (near + far)
}

/// The tilt at which the means of the categories sum to n, approximately, by Newton's method from `start`. If a law has
/// almost all its weight at one point, its variance is no guide; then steps of growing length find a bracket.
fn tilt_of_means(logs: &[Logs], cells: &[u64], start: f64, n: u64, parallelism: Parallelism) -> f64 {
    let (mut tilt, mut low, mut high) = (start, f64::NEG_INFINITY, f64::INFINITY);
    let lows = logs.iter().zip(cells).map(|(logs, &cells)| i128::from(logs.low) * i128::from(cells));
    let base = lows.sum::<i128>() - i128::from(n);
    let mut longest = 1.0;
    for _ in 0..100 {
        // The sums are taken in the order of the categories, so that they do not depend on the number of cores.
        let all = parallelism.map(logs, |logs| logs.moments(tilt));
        let variance: f64 = all.iter().zip(cells).map(|(one, &cells)| one.1 * cells as f64).sum();
        let means = all.iter().zip(cells).map(|(one, &cells)| one.0 * cells as f64);
        let excess = base as f64 + means.sum::<f64>();
        // If the mean is within a third of a standard deviation of n, the sum n is likely enough.
        if excess.abs() <= 0.3 * libm::sqrt(variance) || excess == 0.0 {
            break;
        }
        if excess > 0.0 {
            low = tilt;
        } else {
            high = tilt;
        }
        let step = (excess / variance).clamp(-longest, longest);
        if step.abs() == longest {
            longest *= 2.0;
        }
        let newton = tilt + step;
        tilt = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    tilt
}

/// The tilt at which the means of all counts sum to n, approximately, where one more count has the weights
/// `Gamma(alpha + c)/c!`. With a tilt t its mean is `alpha/(exp(t) - 1)`, so that the tilt is positive.
///
/// Near a tilt s the other means are about `m - v (t - s)`, and the mean of the one is about `alpha/t`: a quadratic equation.
fn tilt_beside(
    logs: &[&Logs],
    cells: &[u64],
    alpha: f64,
    n: u64,
    start: f64,
    parallelism: Parallelism,
) -> Option<f64> {
    let lows = logs.iter().zip(cells).map(|(logs, &cells)| i128::from(logs.low) * i128::from(cells));
    let base = (lows.sum::<i128>() - i128::from(n)) as f64;
    let mut tilt = start.max(0.0);
    for _ in 0..30 {
        // The sums are taken in the order of the categories, so that they do not depend on the number of cores.
        let all = parallelism.map(logs, |logs| logs.moments(tilt));
        let variance: f64 = all.iter().zip(cells).map(|(one, &cells)| one.1 * cells as f64).sum();
        let means: f64 = all.iter().zip(cells).map(|(one, &cells)| one.0 * cells as f64).sum();
        let odds = 1.0 / libm::expm1(tilt);
        let excess = base + means + alpha * odds;
        let spread = libm::sqrt(variance + alpha * odds * (odds + 1.0));
        // If the mean is within a third of a standard deviation of n, the sum n is likely enough.
        if tilt > 0.0 && excess.abs() <= 0.3 * spread {
            return Some(tilt);
        }
        // v t^2 + d t - alpha = 0, without cancellation.
        let d = -(base + means) - variance * tilt;
        let root = libm::sqrt(d * d + 4.0 * variance * alpha);
        tilt = if d > 0.0 { 2.0 * alpha / (d + root) } else { (root - d) / (2.0 * variance) };
        if !(tilt > 0.0 && tilt.is_finite()) {
            return None;
        }
    }
    None
}

/// The categories of which nothing was said.
fn flat(factors: &[Factor]) -> Vec<usize> {
    (0..factors.len()).filter(|&category| matches!(factors[category], Factor::Flat)).collect()
}

/// The windows without counts that the other windows cannot complete to the sum n; none if no counts within them sum
/// to n.
fn narrowed(windows: &[Window], cells: &[u64], n: u64) -> Option<Vec<Window>> {
    let sum = |end: fn(&Window) -> u64| {
        windows
            .iter()
            .zip(cells)
            .map(|(window, &cells)| u128::from(end(window)) * u128::from(cells))
            .sum::<u128>()
    };
    let (lows, highs) = (sum(|window| window.low), sum(|window| window.high));
    if lows > u128::from(n) || highs < u128::from(n) {
        return None;
    }
    let narrowed = windows.iter().map(|window| {
        let least = u128::from(n).saturating_sub(highs - u128::from(window.high));
        let most = u128::from(n).saturating_sub(lows - u128::from(window.low));
        // Both are between 0 and n, so the casts are exact.
        Window { low: window.low.max(least as u64), high: window.high.min(most as u64) }
    });
    Some(narrowed.collect())
}

/// The law of one count given that all sum to n.
fn marginal(mass: Mass, alpha: f64, rest: f64, n: u64) -> BetaMixture {
    let sum = total(&mass.values);
    let weights = mass.values.into_iter().map(|value| value / sum).collect();
    let mass = Mass::new(mass.start, weights).trimmed();
    BetaMixture::new(alpha, rest, n, mass.start, mass.values)
}
