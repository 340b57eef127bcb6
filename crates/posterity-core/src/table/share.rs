//! The share that a group of cells has among the cells of its block.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::grouping::Grouping;
use super::laws::Sums;
use super::pairs::Pairs;
use crate::model::{LevelError, interval_level};
use crate::noise_aware::{
    BetaMixture, Look, Mass, NoiseAware, Points, Tail, Transforms, guess, middle, shortest, solve,
};
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// The posterior of the share of each group in its block, given a release.
///
/// With `S` the cells of a group, `T` those of its block and `a`, `t` the counts of both, `theta_S / theta_T` given the
/// counts is Beta(alpha_S + a, alpha_T - alpha_S + t - a). The weight of `(a, t)` is the product of three laws of sums:
/// of S at a, of the rest of T at t - a, and of all other cells at n - t.
#[derive(Clone, Debug)]
pub struct Shares {
    rows: Vec<Vec<Law>>,
    n: u64,
    /// A bound on the weight that the leaves miss.
    missing: f64,
    trim: bool,
    transforms: Arc<Transforms>,
}

/// What one share depends on.
#[derive(Clone, Debug)]
enum Law {
    /// Sums of independent cells.
    Sums(Box<Row>),
    /// The share itself, from a list of all data sets.
    Known(Share),
}

/// The laws of the sums that one share depends on.
#[derive(Clone, Debug)]
struct Row {
    /// The prior parameters of the group, and of the rest of its block.
    alpha: f64,
    beside: f64,
    /// The sum of the group's cells.
    group: Mass,
    /// The sum of the other cells of its block; none if there are no others.
    others: Option<Mass>,
    /// The sum of the block's cells.
    block: Mass,
    /// The sum of all cells outside the block.
    outside: Mass,
}

/// The posterior of one share: a mixture of Beta distributions over the counts of the group and of its block.
#[derive(Clone, Debug)]
pub struct Share {
    /// The mixture over the counts of the group if the count of the block is known, and otherwise one for each count of
    /// the rest of the block. Nothing if the share is one.
    parts: Vec<BetaMixture>,
    mean: f64,
    variance: f64,
    error: f64,
}

/// A share depends on too many pairs of counts to weigh them, even where counts are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "the share depends on {pairs:.1e} pairs of counts, taken together where that is possible, more than the \
     {MAX_PAIRS:.0e} that are weighed; draw it instead"
)]
pub struct TooManyPairs {
    /// How many pairs there are.
    pub pairs: f64,
}

/// The most pairs of counts that are weighed, where a point stands for the counts that are taken together. They take about
/// 30 ms.
const MAX_PAIRS: f64 = 1e6;

/// The probability that may be cut off at either end of the counts of a group, of the rest of its block, and of the block.
const NEGLIGIBLE: f64 = 1e-12;

impl Shares {
    /// The laws of all shares of a grouping of the cells.
    #[must_use]
    pub fn new(aware: &NoiseAware, grouping: &Grouping) -> Self {
        let alpha = |cells: &[usize]| cells.iter().map(|&cell| aware.alpha()[cell]).collect::<Sum>().value();
        let Some(sums) = Sums::new(aware) else { return Self::listed(aware, grouping, &alpha) };
        let one = || Mass::new(0, vec![1.0]);
        let blocks = sums.parallelism.map(grouping.blocks(), |block| {
            let masses: Vec<Mass> = block.members().map(|cells| sums.of_cells(cells)).collect();
            let tree = sums.tree(masses.clone());
            let beside = tree.outsides(one(), None, &sums.transforms, sums.parallelism);
            (tree.mass().clone(), masses, beside)
        });
        let rest = (!grouping.rest().is_empty()).then(|| sums.of_cells(grouping.rest()));
        let whole = sums.tree(blocks.iter().map(|(mass, ..)| mass.clone()).chain(rest).collect());
        let outsides = whole.outsides(one(), Some(aware.n()), &sums.transforms, sums.parallelism);
        let rows = grouping.blocks().iter().zip(blocks).zip(outsides);
        let rows = rows.map(|((cells, (block, masses, beside)), outside)| {
            let alone = masses.len() == 1;
            let groups = cells.asked().iter().zip(masses).zip(beside);
            let row = |((asked, group), others): ((&Vec<usize>, Mass), Mass)| {
                let members = cells.members().filter(|member| member != asked);
                Law::Sums(Box::new(Row {
                    alpha: alpha(asked),
                    beside: members.map(alpha).collect::<Sum>().value(),
                    group,
                    others: (!alone).then_some(others),
                    block: block.clone(),
                    outside: outside.clone(),
                }))
            };
            groups.map(row).collect()
        });
        let (missing, trim) = (aware.missing_up(), aware.is_trimmed());
        Self { rows: rows.collect(), n: aware.n(), missing, trim, transforms: Arc::new(sums.transforms) }
    }

    /// The shares from a list of all data sets.
    fn listed(aware: &NoiseAware, grouping: &Grouping, alpha: &dyn Fn(&[usize]) -> f64) -> Self {
        let rows = grouping.blocks().iter().map(|block| {
            let whole: Vec<usize> = block.members().flatten().copied().collect();
            let of_group = |asked: &Vec<usize>| {
                let beside = block.members().filter(|member| member != asked).map(alpha);
                let parameters = (alpha(asked), beside.collect::<Sum>().value());
                let is_whole = asked.len() == whole.len();
                let pairs =
                    aware.points().filter(|_| !is_whole).map(|points| points.summed(&[asked, &whole]));
                Law::Known(Share::of_pairs(parameters, pairs.as_ref(), aware.error_up()))
            };
            block.asked().iter().map(of_group).collect()
        });
        Self { rows: rows.collect(), n: aware.n(), missing: 0.0, trim: false, transforms: Arc::default() }
    }

    /// How many groups each block asks for.
    pub fn blocks(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(Vec::len)
    }

    /// The posterior of the share of a group in its block.
    ///
    /// # Errors
    /// [`TooManyPairs`] if the counts of both are too uncertain to weigh every pair.
    ///
    /// # Panics
    /// If there is no such block or group.
    pub fn share(&self, block: usize, group: usize) -> Result<Share, TooManyPairs> {
        match &self.rows[block][group] {
            Law::Sums(row) => row.share(self.n, self.missing, self.trim, &self.transforms),
            Law::Known(share) => Ok(share.clone()),
        }
    }

    /// The means, the equal-tailed or shortest interval at this level and the bound on the error of every share, by blocks and groups.
    ///
    /// # Errors
    /// [`LevelError`] if the level is not strictly between 0 and 1. A share with [`TooManyPairs`] has that in its
    /// place.
    pub fn summaries(
        &self,
        level: f64,
        shortest: bool,
    ) -> Result<Vec<Vec<Result<Summary, TooManyPairs>>>, LevelError> {
        interval_level(level)?;
        let places: Vec<(usize, usize)> =
            self.blocks().enumerate().flat_map(|(b, groups)| (0..groups).map(move |g| (b, g))).collect();
        let summary = |(block, group): (usize, usize)| {
            let share = self.share(block, group)?;
            let interval =
                if shortest { share.shortest(level) } else { share.interval(level).map(<[f64; 2]>::from) };
            let interval = interval.unwrap_or([0.0, 1.0]);
            Ok(Summary { mean: share.mean(), interval, error: share.error_up() })
        };
        let mut found = Parallelism::AllCores.map(places, summary).into_iter();
        Ok(self.rows.iter().map(|row| found.by_ref().take(row.len()).collect()).collect())
    }
}

/// What is usually asked of a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The expected share.
    pub mean: f64,
    /// The interval.
    pub interval: [f64; 2],
    /// The bound on the error, as [`Share::error_up`].
    pub error: f64,
}

impl Row {
    fn share(
        &self,
        n: u64,
        missing: f64,
        trim: bool,
        transforms: &Transforms,
    ) -> Result<Share, TooManyPairs> {
        let Some(others) = &self.others else { return Ok(Share::new(Vec::new(), 0.0)) };
        // The law of the count of the block: its own law times that of everything else.
        let low = self.block.start.max(n.saturating_sub(self.outside.end()));
        let high = self.block.end().min(n.saturating_sub(self.outside.start)).max(low);
        let weights: Vec<f64> =
            (low..=high).map(|count| self.block.at(count) * self.outside.at(n - count)).collect();
        let likely = weights.iter().copied().collect::<Sum>().value();
        let negligible = if trim { NEGLIGIBLE * likely } else { 0.0 };
        let range = |start: u64, kept: Range<usize>| start + kept.start as u64..=start + kept.end as u64 - 1;
        // Whatever the other two laws are, together they weigh no count more than the largest weight of either.
        let cut = |law: &Mass, a: &Mass, b: &Mass| {
            let most = a.largest().min(b.largest());
            range(law.start, middle(&law.values, negligible / most))
        };
        let pairs = Pairs {
            group: (&self.group, cut(&self.group, others, &self.outside)),
            others: (others, cut(others, &self.group, &self.outside)),
            outside: &self.outside,
            block: range(low, middle(&weights, negligible)),
            n,
            likely,
        };
        let bins = pairs.bins(self.alpha);
        let number = pairs.number(&bins);
        if number > MAX_PAIRS {
            return Err(TooManyPairs { pairs: number });
        }
        let laws = [&self.group, others, &self.outside];
        let lost: f64 = laws.iter().map(|law| law.lost + law.error).sum::<f64>() + missing + 6.0 * negligible;
        let relative: f64 = laws.iter().map(|law| law.relative).sum();
        let (parts, off) = pairs.parts((self.alpha, self.beside), &bins, transforms);
        let error = 2.0 * (lost / likely + relative + off);
        Ok(Share::new(parts, error))
    }
}

impl Share {
    fn new(parts: Vec<BetaMixture>, error: f64) -> Self {
        if parts.is_empty() {
            return Self { parts, mean: 1.0, variance: 0.0, error };
        }
        if let [whole] = &*parts {
            let (mean, variance) = (whole.mean(), whole.variance());
            return Self { parts, mean, variance, error };
        }
        // From a point near the mean both moments take one pass and lose no digits.
        let heaviest = parts.iter().max_by(|one, other| one.weight().total_cmp(&other.weight()));
        let near = heaviest.map_or(0.5, |part| part.mean() / part.weight());
        let (mut mean, mut square) = (Sum::default(), Sum::default());
        for [of_part, square_of_part] in parts.iter().map(|part| part.moments_from(near)) {
            mean.add(of_part);
            square.add(square_of_part);
        }
        let mean = mean.value();
        let variance = square.value() - (mean - near) * (mean - near);
        Self { parts, mean, variance, error }
    }

    /// The share from the counts of a group and of its block with their probabilities; one if there are none.
    fn of_pairs((alpha, beside): (f64, f64), pairs: Option<&Points>, error: f64) -> Self {
        let mut counts: BTreeMap<u64, BTreeMap<u64, Sum>> = BTreeMap::new();
        let pairs = || pairs.into_iter().flat_map(Points::iter);
        let block = pairs().next().map(|(pair, _)| pair[1]);
        let known = block.filter(|block| pairs().all(|(pair, _)| pair[1] == *block));
        for (pair, probability) in pairs() {
            let others = if known.is_some() { 0 } else { pair[1] - pair[0] };
            counts.entry(others).or_default().entry(pair[0]).or_default().add(probability);
        }
        let part = |(others, parts): (u64, BTreeMap<u64, Sum>)| {
            let (first, last) = (*parts.keys().next()?, *parts.keys().next_back()?);
            let weight = |part: u64| parts.get(&part).map_or(0.0, |&sum| sum.value());
            let weights = (first..=last).map(weight).collect();
            Some(match known {
                Some(block) => BetaMixture::new(alpha, beside, block, first, weights),
                None => BetaMixture::beside(alpha, beside, others as f64, first, weights),
            })
        };
        Self::new(counts.into_iter().filter_map(part).collect(), error)
    }

    /// Whether the group is its whole block, so that the share is one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.parts.is_empty()
    }

    /// The expected share.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance of the share.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The probability of at most `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        if self.is_one() {
            return if x >= 1.0 { 1.0 } else { 0.0 };
        }
        self.parts.iter().map(|part| part.cdf(x)).collect::<Sum>().value()
    }

    /// The density at `x`; zero if the share is one.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        self.parts.iter().map(|part| part.density(x)).collect::<Sum>().value()
    }

    /// The value with probability `p` below it.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        self.solve(p, Tail::Lower)
    }

    /// The value with probability `p` above it.
    #[must_use]
    pub fn upper_quantile(&self, p: f64) -> f64 {
        self.solve(p, Tail::Upper)
    }

    /// The interval that has probability `level`, with equal probability on either side of it.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<(f64, f64), LevelError> {
        let tail = 0.5 * (1.0 - interval_level(level)?);
        Ok((self.quantile(tail), self.upper_quantile(tail)))
    }

    /// The shortest interval that has probability `level`.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn shortest(&self, level: f64) -> Result<[f64; 2], LevelError> {
        interval_level(level)?;
        Ok(shortest(level, |p| self.quantile(p), |p| self.upper_quantile(p)))
    }

    /// A bound on the total variation distance between this law and the exact one. It covers rounding and the counts
    /// that were left out.
    #[must_use]
    pub fn error_up(&self) -> f64 {
        self.error
    }

    fn solve(&self, p: f64, tail: Tail) -> f64 {
        if self.is_one() {
            return 1.0;
        }
        solve(p, tail, guess(p, tail, self.mean, self.variance), |x| self.look(x, tail))
    }

    fn look(&self, x: f64, tail: Tail) -> Look {
        let (mut mass, mut sum) = (Sum::default(), Look::default());
        for one in self.parts.iter().map(|part| part.look(x, tail)) {
            mass.add(one.mass);
            sum.density += one.density;
            sum.slope += one.slope;
        }
        Look { mass: mass.value(), ..sum }
    }
}
