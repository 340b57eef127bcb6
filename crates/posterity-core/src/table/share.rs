//! The share that a group of cells has among the cells of its block.

use std::collections::BTreeMap;

use thiserror::Error;

use super::grouping::Grouping;
use super::laws::Sums;
use crate::model::{LevelError, interval_level};
use crate::noise_aware::{BetaMixture, Look, Mass, NoiseAware, Points, Tail, guess, middle, shortest, solve};
use crate::parallelism::Parallelism;
use crate::pulse::beat;
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
    /// For each count of the block, its probability and the mixture over the counts of the group. Nothing if the share
    /// is one.
    parts: Vec<(f64, BetaMixture)>,
    error: f64,
}

/// A share depends on too many pairs of counts to weigh each.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error(
    "the share depends on {pairs:.1e} pairs of counts, more than the {MAX_PAIRS:.0e} that are weighed; draw it instead"
)]
pub struct TooManyPairs {
    /// How many pairs there are.
    pub pairs: f64,
}

/// The most pairs of counts that are weighed. They take about 0.1 GiB.
const MAX_PAIRS: f64 = 4e6;

/// About as many counts of the block make a first guess at a quantile.
const THINNED: usize = 32;

/// The weight that may be cut off at either end of the law of a block's count, and of a group's count given that.
const CUT_BLOCK_TAIL: f64 = 1e-14;

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
        Self { rows: rows.collect(), n: aware.n(), missing: aware.missing_up(), trim: aware.is_trimmed() }
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
        Self { rows: rows.collect(), n: aware.n(), missing: 0.0, trim: false }
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
            Law::Sums(row) => row.share(self.n, self.missing, self.trim),
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
    fn share(&self, n: u64, missing: f64, trim: bool) -> Result<Share, TooManyPairs> {
        let Some(others) = &self.others else { return Ok(Share { parts: Vec::new(), error: 0.0 }) };
        // The law of the count of the block: its own law times that of everything else.
        let low = self.block.start.max(n.saturating_sub(self.outside.end()));
        let high = self.block.end().min(n.saturating_sub(self.outside.start)).max(low);
        let weights: Vec<f64> =
            (low..=high).map(|count| self.block.at(count) * self.outside.at(n - count)).collect();
        let likely = weights.iter().copied().collect::<Sum>().value();
        let negligible = if trim { CUT_BLOCK_TAIL } else { 0.0 };
        let kept = middle(&weights, negligible * likely);
        let counts = low + kept.start as u64..low + kept.end as u64;
        let range = |count: u64| {
            let first = self.group.start.max(count.saturating_sub(others.end()));
            let last = self.group.end().min(count.saturating_sub(others.start)).max(first);
            (first, last)
        };
        let pairs: f64 = counts.clone().map(range).map(|(first, last)| (last - first + 1) as f64).sum();
        if pairs > MAX_PAIRS {
            return Err(TooManyPairs { pairs });
        }
        let mut parts = Vec::with_capacity(counts.clone().count());
        let mut total = Sum::default();
        for count in counts {
            beat();
            let (first, last) = range(count);
            if first > count {
                continue;
            }
            let last = last.min(count);
            let joint: Vec<f64> =
                (first..=last).map(|part| self.group.at(part) * others.at(count - part)).collect();
            let sum = joint.iter().copied().collect::<Sum>().value();
            let weight = sum * self.outside.at(n - count);
            if weight <= 0.0 || sum.is_nan() {
                continue;
            }
            let kept = middle(&joint, negligible * sum);
            let kept_sum = joint[kept.clone()].iter().copied().collect::<Sum>().value();
            let shares = joint[kept.clone()].iter().map(|value| value / kept_sum).collect();
            total.add(weight);
            parts.push((
                weight,
                BetaMixture::new(self.alpha, self.beside, count, first + kept.start as u64, shares),
            ));
        }
        let total = total.value();
        parts.iter_mut().for_each(|(weight, _)| *weight /= total);
        let laws = [&self.group, others, &self.outside];
        let lost: f64 = laws.iter().map(|law| law.lost + law.error).sum::<f64>() + missing;
        let relative: f64 = laws.iter().map(|law| law.relative).sum();
        let error = 2.0 * (lost / total + relative + 4.0 * negligible);
        Ok(Share { parts, error })
    }
}

impl Share {
    /// The share from the counts of a group and of its block with their probabilities; one if there are none.
    fn of_pairs((alpha, beside): (f64, f64), pairs: Option<&Points>, error: f64) -> Self {
        let mut blocks: BTreeMap<u64, BTreeMap<u64, Sum>> = BTreeMap::new();
        for (counts, probability) in pairs.into_iter().flat_map(Points::iter) {
            if let &[part, count] = counts {
                blocks.entry(count).or_default().entry(part).or_default().add(probability);
            }
        }
        let part = |(count, parts): (u64, BTreeMap<u64, Sum>)| {
            let weight = parts.values().map(|&sum| sum.value()).collect::<Sum>().value();
            let (first, last) = (*parts.keys().next()?, *parts.keys().next_back()?);
            let value = |part: u64| parts.get(&part).map_or(0.0, |&sum| sum.value());
            let shares = (first..=last).map(|part| value(part) / weight).collect();
            (weight > 0.0).then(|| (weight, BetaMixture::new(alpha, beside, count, first, shares)))
        };
        Self { parts: blocks.into_iter().filter_map(part).collect(), error }
    }

    /// Whether the group is its whole block, so that the share is one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.parts.is_empty()
    }

    /// The expected share.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.is_one() {
            return 1.0;
        }
        self.parts.iter().map(|(weight, part)| weight * part.mean()).collect::<Sum>().value()
    }

    /// The variance of the share.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let term = |(weight, part): &(f64, BetaMixture)| {
            let shift = part.mean() - mean;
            weight * (part.variance() + shift * shift)
        };
        self.parts.iter().map(term).collect::<Sum>().value()
    }

    /// The probability of at most `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        if self.is_one() {
            return if x >= 1.0 { 1.0 } else { 0.0 };
        }
        self.parts.iter().map(|(weight, part)| weight * part.cdf(x)).collect::<Sum>().value()
    }

    /// The density at `x`; zero if the share is one.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        self.parts.iter().map(|(weight, part)| weight * part.density(x)).collect::<Sum>().value()
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
        if let [(_, only)] = self.parts.as_slice() {
            return if tail == Tail::Lower { only.quantile(p) } else { only.upper_quantile(p) };
        }
        if self.is_one() {
            return 1.0;
        }
        let guess = guess(p, tail, self.mean(), self.variance());
        // The law over every few counts of the block is almost the same, and its quantile a better guess.
        let guess = match self.parts.len() / THINNED {
            0 | 1 => guess,
            step => solve(p, tail, guess, |x| self.look_at(x, tail, step)),
        };
        solve(p, tail, guess, |x| self.look_at(x, tail, 1))
    }

    /// The tail at a point, from one of so many counts of the block.
    fn look_at(&self, x: f64, tail: Tail, step: usize) -> Look {
        let mut sum = Look::default();
        let mut mass = Sum::default();
        let some = || self.parts.iter().skip(step / 2).step_by(step);
        // All weights sum to one.
        let total: f64 = if step == 1 { 1.0 } else { some().map(|(weight, _)| weight).sum() };
        for (weight, part) in some() {
            let weight = weight / total;
            let one = part.look(x, tail);
            mass.add(weight * one.mass);
            sum.density += weight * one.density;
            sum.slope += weight * one.slope;
        }
        Look { mass: mass.value(), ..sum }
    }
}
