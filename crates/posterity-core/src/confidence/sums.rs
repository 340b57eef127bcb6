//! A draw, and the laws of the noise in the sums of its cells.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::conditional::Conditional;
use super::joint::Joint;
use super::share;
use super::subject::Subject;
use crate::model::{Prior, Setting};
use crate::noise::{Evidence, Factor, FoldedNoise, Noise};
use crate::noise_aware::NoiseAware;
use crate::parallelism::Parallelism;

/// Noise that was added to the counts: independent of them, and of the same law in each cell.
#[derive(Clone, Debug)]
pub struct Additive {
    /// The noise of one cell. If every cell has noise, it is known how much there is in all, because n is public.
    pub noise: Arc<dyn Noise>,
    /// The cell without noise of its own, which is what the others leave of n.
    pub remainder: Option<usize>,
}

/// What was drawn, ready to be read by groups of cells.
#[derive(Debug)]
pub struct Sums {
    drawn: Vec<i64>,
    n: u64,
    additive: Additive,
    /// The noise of all cells together.
    total: i64,
    /// Whether the last cell holds those that are not there.
    n_is_private: bool,
    known: Mutex<Known>,
}

/// Laws that were computed before.
#[derive(Debug, Default)]
struct Known {
    folded: HashMap<u64, Option<Arc<FoldedNoise>>>,
    sums: HashMap<NoisedCells, Option<Arc<FoldedNoise>>>,
    mirrored: HashMap<NoisedCells, Option<Arc<FoldedNoise>>>,
    joints: HashMap<(NoisedCells, NoisedCells), Option<Arc<Joint>>>,
    intervals: HashMap<IntervalKey, Interval>,
}

/// What an interval depends on: the noisy counts of the group and of the others of its condition, if that is not
/// everything, what it is about, and its level.
type IntervalKey = (GroupSum, Option<GroupSum>, Subject, u64);

/// What the law of the noise of a sum of cells depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NoisedCells {
    /// How many of the cells have noise of their own.
    pub(super) noised: u64,
    /// Whether the remainder is among them.
    pub(super) remainder: bool,
}

/// The noisy count of a group of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupSum {
    /// The sum of what was drawn.
    pub drawn: i64,
    kind: NoisedCells,
}

/// The noisy counts of a group of cells and of the other cells of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within {
    /// The group.
    pub group: GroupSum,
    /// The others for which the condition holds.
    pub others: GroupSum,
}

/// An interval for a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Both ends.
    pub ends: [f64; 2],
    /// The share of the expected counts, without bias but for its denominator: below 0 or above 1 if the noise makes it
    /// so. Nothing if the condition has no expected records.
    pub estimate: Option<f64>,
    /// Whether no record may satisfy the condition.
    pub may_be_empty: bool,
    /// The standard error of the estimate.
    pub deviation: f64,
}

impl Interval {
    /// The number to show beside the interval: the estimate within its ends, or their middle if there is none.
    #[must_use]
    pub fn shown(&self) -> f64 {
        let [low, high] = self.ends;
        self.estimate.unwrap_or(0.5 * (low + high)).clamp(low, high)
    }
}

/// An interval for a number of records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountInterval {
    /// Both ends.
    pub ends: [u64; 2],
    /// The noisy count without the mean of the noise.
    pub estimate: f64,
}

impl GroupSum {
    /// The same group with another noisy count.
    #[must_use]
    pub fn as_if_drawn(self, drawn: i64) -> Self {
        Self { drawn, ..self }
    }

    pub(super) fn kind(self) -> NoisedCells {
        self.kind
    }

    /// The noisy count of this and another group.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            drawn: self.drawn.saturating_add(other.drawn),
            kind: NoisedCells {
                noised: self.kind.noised + other.kind.noised,
                remainder: self.kind.remainder || other.kind.remainder,
            },
        }
    }

    /// The noisy count without a part of the group; nothing if the part is all of it.
    #[must_use]
    pub fn without(self, part: Self) -> Option<Self> {
        let kind = NoisedCells {
            noised: self.kind.noised - part.kind.noised,
            remainder: self.kind.remainder && !part.kind.remainder,
        };
        (kind.noised > 0 || kind.remainder)
            .then(|| Self { drawn: self.drawn.saturating_sub(part.drawn), kind })
    }
}

impl Interval {
    /// What is said where nothing is known.
    const WIDEST: Self =
        Self { ends: [0.0, 1.0], estimate: None, may_be_empty: true, deviation: f64::INFINITY };
}

impl Sums {
    /// What was drawn of n records, where n is public.
    #[must_use]
    pub fn new(drawn: Vec<i64>, n: u64, additive: Additive) -> Self {
        let total = drawn.iter().fold(0_i64, |sum, &y| sum.saturating_add(y)).saturating_sub(n as i64);
        Self { drawn, n, additive, total, n_is_private: false, known: Mutex::default() }
    }

    /// What a mechanism with additive noise drew at these public inputs.
    #[must_use]
    pub fn of_setting(drawn: Vec<i64>, setting: &Setting, additive: Additive) -> Self {
        if setting.n_is_private() {
            Self::of_private_n(drawn, setting.n(), additive.noise)
        } else {
            Self::new(drawn, setting.n(), additive)
        }
    }

    /// What was drawn of at most `most` records. How many there are is private, and every cell has noise of its own.
    #[must_use]
    pub fn of_private_n(mut drawn: Vec<i64>, most: u64, noise: Arc<dyn Noise>) -> Self {
        // Records that are not there are one more cell without noise: what the others leave of the most.
        let absent = drawn.len();
        let there = drawn.iter().fold(0_i64, |sum, &y| sum.saturating_add(y));
        drawn.push((most as i64).saturating_sub(there));
        let additive = Additive { noise, remainder: Some(absent) };
        Self { drawn, n: most, additive, total: 0, n_is_private: true, known: Mutex::default() }
    }

    /// Whether the number of records is private.
    #[must_use]
    pub fn n_is_private(&self) -> bool {
        self.n_is_private
    }

    /// The number of records; where it is private, the estimate of it, and at least one.
    #[must_use]
    pub fn size(&self) -> f64 {
        if !self.n_is_private {
            return self.n as f64;
        }
        let there: f64 = self.drawn[..self.drawn.len() - 1].iter().map(|&y| y as f64).sum();
        let mean = self.folded(1).map_or(0.0, |one| one.mean() * (self.drawn.len() - 1) as f64);
        (there - mean).clamp(1.0, self.n as f64)
    }

    /// The number of records, or where it is private the most that there may be.
    pub(super) fn records(&self) -> u64 {
        self.n
    }

    /// The noise of one cell.
    pub(super) fn noise_of_cells(&self) -> &dyn Noise {
        &*self.additive.noise
    }

    /// Whether one cell has what the others leave.
    pub(super) fn has_remainder(&self) -> bool {
        self.additive.remainder.is_some()
    }

    /// The noise of all cells together.
    pub(super) fn total(&self) -> i64 {
        self.total
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> usize {
        self.drawn.len()
    }

    /// The expected count of some cells given what was drawn: without the mean of the noise.
    pub(super) fn expected(&self, cells: &[usize]) -> Option<f64> {
        let group = self.group(cells);
        Some(group.drawn as f64 - self.noise(group)?.mean())
    }

    /// The covariance of two weighted sums of the counts of n independent records, with proportions as drawn.
    pub(super) fn sampling_covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
            self.drawn.iter().enumerate().map(|(cell, &y)| y as f64 * of(cell)).sum()
        };
        sum(&|cell| a[cell] * b[cell]) - sum(&|cell| a[cell]) * sum(&|cell| b[cell]) / self.size()
    }

    /// The covariance of two weighted sums of the noise.
    pub(super) fn noise_covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let Some(one) = self.folded(1) else { return 0.0 };
        // The remainder is minus the noise of the others; known total noise leaves nothing of the mean weight.
        let shift = |weights: &[f64]| match self.additive.remainder {
            Some(last) => weights[last],
            None => weights.iter().sum::<f64>() / weights.len() as f64,
        };
        let (from_a, from_b) = (shift(a), shift(b));
        let product: f64 = a.iter().zip(b).map(|(a, b)| (a - from_a) * (b - from_b)).sum();
        one.variance() * product
    }

    /// The noisy count of some cells.
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn group(&self, cells: &[usize]) -> GroupSum {
        let drawn = cells.iter().fold(0_i64, |sum, &cell| sum.saturating_add(self.drawn[cell]));
        let remainder = self.additive.remainder.is_some_and(|last| cells.contains(&last));
        GroupSum { drawn, kind: NoisedCells { noised: cells.len() as u64 - u64::from(remainder), remainder } }
    }

    /// The law of the noise of a sum of cells that have noise of their own. Nothing if it is too wide.
    #[must_use]
    pub fn folded(&self, cells: u64) -> Option<Arc<FoldedNoise>> {
        let known = |known: &Known| known.folded.get(&cells).cloned();
        self.once(
            known,
            || self.additive.noise.folded(cells),
            |known, law| {
                known.folded.insert(cells, law);
            },
        )
    }

    /// The law of the noise in the sum of a group. Nothing if it is too wide.
    #[must_use]
    pub fn noise(&self, group: GroupSum) -> Option<Arc<FoldedNoise>> {
        let kind = group.kind;
        let known = |known: &Known| known.sums.get(&kind).cloned();
        self.once(
            known,
            || self.law(kind),
            |known, law| {
                known.sums.insert(kind, law);
            },
        )
    }

    /// The law of minus the noise in the sum of a group.
    fn mirrored(&self, group: GroupSum) -> Option<Arc<FoldedNoise>> {
        let kind = group.kind;
        let known = |known: &Known| known.mirrored.get(&kind).cloned();
        self.once(
            known,
            || Some(self.noise(group)?.mirrored(0)),
            |known, law| {
                known.mirrored.insert(kind, law);
            },
        )
    }

    /// The law of the noise of a kind, and of all other cells, before the condition that all noise has the known sum.
    /// Nothing for a kind with the remainder, which takes whatever the others leave.
    pub(super) fn free(&self, kind: NoisedCells) -> Option<Option<Arc<FoldedNoise>>> {
        if kind.remainder { Some(None) } else { self.folded(kind.noised).map(Some) }
    }

    /// The kind of all cells but those of some kinds.
    pub(super) fn rest(&self, kinds: &[NoisedCells]) -> NoisedCells {
        let all = self.drawn.len() as u64 - u64::from(self.additive.remainder.is_some());
        let remainder = self.additive.remainder.is_some() && !kinds.iter().any(|kind| kind.remainder);
        NoisedCells { noised: all.saturating_sub(kinds.iter().map(|kind| kind.noised).sum()), remainder }
    }

    fn law(&self, kind: NoisedCells) -> Option<FoldedNoise> {
        match (self.free(kind)?, self.free(self.rest(&[kind]))?) {
            (Some(own), Some(others)) => own.given_total(&others, self.total),
            (Some(own), None) => Some((*own).clone()),
            (None, others) => others.map(|others| others.mirrored(self.total)),
        }
    }

    pub(super) fn joint(&self, group: GroupSum, others: GroupSum) -> Option<Arc<Joint>> {
        let key = (group.kind, others.kind);
        let known = |known: &Known| known.joints.get(&key).cloned();
        let make = || {
            // Always the same way round, so that the digits do not depend on which thread asks first.
            if key.0 > key.1 {
                return Some(self.joint(others, group)?.transposed());
            }
            let laws = [self.noise(group)?, self.noise(others)?];
            let rest = self.rest(&[group.kind, others.kind]);
            let free = [self.free(group.kind)?, self.free(others.kind)?, self.free(rest)?];
            Joint::new([&laws[0], &laws[1]], [0, 1, 2].map(|i| free[i].as_deref()), self.total)
        };
        self.once(known, make, |known, joint| {
            known.joints.insert(key, joint);
        })
    }

    /// What is known, or else what is made. Two threads may make the same at once.
    fn once<T>(
        &self,
        known: impl Fn(&Known) -> Option<Option<Arc<T>>>,
        make: impl FnOnce() -> Option<T>,
        keep: impl FnOnce(&mut Known, Option<Arc<T>>),
    ) -> Option<Arc<T>> {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known(&lock()) {
            return found;
        }
        let made = make().map(Arc::new);
        keep(&mut lock(), made.clone());
        made
    }

    /// What the noisy counts of groups say about the true ones, if the groups together are all cells and there are n
    /// records. Nothing if the noise is too wide.
    fn evidence(&self, groups: &[GroupSum], n: u64) -> Option<Evidence> {
        let factor = |group: &GroupSum| {
            if group.kind.remainder {
                return Some(Factor::Flat);
            }
            let at = group.drawn.clamp(-MOST_DRAWN, MOST_DRAWN);
            // One cell may have a closed form.
            let closed = Some(group.kind).filter(|kind| kind.noised == 1);
            if let Some(closed) = closed.and_then(|_| self.additive.noise.closed_factor(at, n)) {
                return Some(closed);
            }
            Some(Factor::Summed { law: self.folded(group.kind.noised)?, at })
        };
        groups.iter().map(factor).collect::<Option<Vec<_>>>().map(Evidence::new)
    }

    /// The posterior of the shares of groups that together are all cells, with these prior parameters. Nothing if there
    /// is only one group, or the noise is too wide.
    ///
    /// Where n is private, the last share of the posterior, after those of the groups, is that of the records that are
    /// not there. With parameters that sum to one, every n is as likely as any other a priori (docs/proofs/private-n.md).
    #[must_use]
    pub fn posterior(&self, groups: &[GroupSum], prior: &[f64]) -> Option<NoiseAware> {
        let (mut groups, mut prior, mut n) = (groups.to_vec(), prior.to_vec(), self.n);
        if self.n_is_private {
            n = self.most_there()?;
            groups.push(self.group(&[self.drawn.len() - 1]));
            prior.push(1.0);
        }
        // What the noise is, the evidence says.
        let setting = Setting::new(Prior::new(prior).ok()?, n, "1".parse().ok()?).ok()?;
        NoiseAware::new(&setting, &self.evidence(&groups, n)?).ok()
    }

    /// The most records for which the noise has a probability in its tables. More are less likely than `exp(-60)`.
    fn most_there(&self) -> Option<u64> {
        let cells: Vec<usize> = (0..self.drawn.len() - 1).collect();
        let all = self.group(&cells);
        let most = all.drawn.saturating_sub(self.noise(all)?.start());
        Some(most.clamp(1, self.n as i64) as u64)
    }

    /// The interval at this level for the number of records in a group.
    #[must_use]
    pub fn count(&self, group: GroupSum, level: f64) -> CountInterval {
        let (Some(noise), Some(mirrored)) = (self.noise(group), self.mirrored(group)) else {
            // Noise that is too wide to tabulate is symmetric, or off by half a record per cell.
            return CountInterval { ends: [0, self.n], estimate: group.drawn as f64 };
        };
        let (n, y) = (self.n, group.drawn.clamp(-MOST_DRAWN, MOST_DRAWN));
        let size = 0.5 * (1.0 - level);
        let low = share::records(n, y, &noise, size);
        let high = n - share::records(n, n as i64 - y, &mirrored, size);
        CountInterval { ends: [low, high.max(low)], estimate: y as f64 - noise.mean() }
    }

    /// The interval at this level for the share of a group among all records.
    #[must_use]
    pub fn share(&self, group: GroupSum, about: Subject, level: f64) -> Interval {
        self.kept((group, None, about, level.to_bits()), || self.new_share(group, about, level))
    }

    /// The interval that was computed before. Of many cells, most have one of a few small counts.
    fn kept(&self, asked: IntervalKey, make: impl FnOnce() -> Interval) -> Interval {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().intervals.get(&asked) {
            return *found;
        }
        let found = make();
        lock().intervals.insert(asked, found);
        found
    }

    fn new_share(&self, group: GroupSum, about: Subject, level: f64) -> Interval {
        let (Some(noise), Some(mirrored)) = (self.noise(group), self.mirrored(group)) else {
            return Interval::WIDEST;
        };
        let (n, y) = (self.n, group.drawn.clamp(-MOST_DRAWN, MOST_DRAWN));
        let size = 0.5 * (1.0 - level);
        let (low, high) = match about {
            Subject::Population => {
                let above = share::population(n, n as i64 - y, &mirrored, size);
                (share::population(n, y, &noise, size), (1.0 - above).next_up().min(1.0))
            }
            Subject::Records => {
                let above = share::records(n, n as i64 - y, &mirrored, size);
                (share::records(n, y, &noise, size) as f64 / n as f64, (n - above) as f64 / n as f64)
            }
        };
        let estimate = (y as f64 - noise.mean()) / n as f64;
        let within = estimate.clamp(0.0, 1.0);
        let sampling = if about == Subject::Population { within * (1.0 - within) * n as f64 } else { 0.0 };
        Interval {
            ends: [low, high.max(low)],
            estimate: Some(estimate),
            may_be_empty: false,
            deviation: libm::sqrt(noise.variance() + sampling) / n as f64,
        }
    }

    /// Applies a function to each group, on all cores.
    pub fn map<G: Sync, T: Send>(groups: &[G], one: impl Fn(&G) -> T + Sync + Send) -> Vec<T> {
        let how = if groups.len() > 1 { Parallelism::AllCores } else { Parallelism::OneThread };
        how.map(groups, one)
    }

    /// The interval of a group that is its whole condition, and so has all of it.
    #[must_use]
    pub fn whole() -> Interval {
        Interval { ends: [1.0, 1.0], estimate: Some(1.0), may_be_empty: false, deviation: 0.0 }
    }

    /// The interval at this level for the share of a group within a condition. The others of the condition must not be
    /// all other cells: then the condition always holds, and [`Sums::share`] is the interval.
    #[must_use]
    pub fn conditional(&self, within: Within, about: Subject, level: f64) -> Interval {
        let Within { group, others } = within;
        let asked = (group, Some(others), about, level.to_bits());
        self.kept(asked, || self.new_conditional(within, about, level))
    }

    fn new_conditional(&self, within: Within, about: Subject, level: f64) -> Interval {
        let Within { group, others } = within;
        let condition = group.with(others);
        let condition = GroupSum { drawn: condition.drawn.clamp(-MOST_DRAWN, MOST_DRAWN), ..condition };
        let (Some(of_condition), Some(of_group), Some(of_others)) =
            (self.noise(condition), self.noise(group), self.noise(others))
        else {
            return Interval::WIDEST;
        };
        let (Some(joint), Some(mirrored)) = (self.joint(group, others), self.joint(others, group)) else {
            return Interval::WIDEST;
        };
        let test = Conditional::new(self.n, condition.drawn, &of_condition, about, level);
        let clamp = |y: i64| y.clamp(-MOST_DRAWN, MOST_DRAWN);
        let (u, v) = (clamp(group.drawn), clamp(others.drawn));
        let low = test.lower_end(u, v, &joint);
        let high = 1.0 - test.lower_end(v, u, &mirrored);
        let expected = [u as f64 - of_group.mean(), v as f64 - of_others.mean()];
        let count = expected[0] + expected[1];
        let estimate = (count > 0.0).then(|| expected[0] / count);
        Interval {
            ends: [low.min(high), high.max(low)],
            estimate,
            may_be_empty: test.may_be_empty(),
            deviation: estimate.map_or(f64::INFINITY, |share| {
                let share = share.clamp(0.0, 1.0);
                let sampling = if about == Subject::Population { count * share * (1.0 - share) } else { 0.0 };
                libm::sqrt(joint.variance(share) + sampling) / count
            }),
        }
    }
}

/// Larger noisy counts do not occur; a document that has them is forged, and must not end in an overflow.
pub(super) const MOST_DRAWN: i64 = 1 << 53;
