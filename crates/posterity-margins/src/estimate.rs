//! Estimates of tables from a draw.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use posterity_core::confidence::{
    Interval, Mean, QuantileInterval, Side, Size, Subject, contiguous, correlation, isotonic_bin,
};
use posterity_core::model::{LevelError, interval_level};
use posterity_core::noise_aware::{NoisyGroups, Total};
use thiserror::Error;

use crate::axes::{Fibres, centre_whole};
use crate::column_set::ColumnSet;
use crate::components::Components;
use crate::draw::{Released, ReleasedError};
use crate::interval::{NormalNoise, Tail, Within};
use crate::plan::Plan;

/// A draw with its plan, ready to be read.
#[derive(Clone, Debug)]
pub struct Estimates<'a> {
    plan: &'a Plan,
    released: &'a Released,
}

/// The estimate of a table, and what is known of its noise.
///
/// Every cell is without bias. The noise of a linear function of the cells has the variance [`Estimated::variance`] at
/// most: discrete Gaussian noise has at most the variance of its parameter, and for parameters above 1 it is the same to
/// seven digits.
#[derive(Clone, Debug)]
pub struct Estimated {
    cells: Vec<f64>,
    components: Components,
    records: Option<u64>,
}

/// A set is not in the workload.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the columns {set} are not together in any released table; ask for columns that are")]
pub struct NotReleased {
    /// The set.
    pub set: ColumnSet,
}

impl<'a> Estimates<'a> {
    /// A draw that was made by a plan.
    ///
    /// # Errors
    /// [`ReleasedError`] if it does not fit the plan.
    pub fn new(plan: &'a Plan, released: &'a Released) -> Result<Self, ReleasedError> {
        let n = released.residuals().first().and_then(|first| first.first());
        let possible = !plan.adjacency().is_replace() || n.is_some_and(|&n| n >= 0);
        if possible && released.fits(plan.workload()) {
            Ok(Self { plan, released })
        } else {
            Err(ReleasedError)
        }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// The number of records, with noise if it is private.
    #[must_use]
    pub fn records(&self) -> i64 {
        self.released.residual(0)[0]
    }

    /// The estimate of the table of some columns.
    ///
    /// # Errors
    /// [`NotReleased`] if no released table has them.
    pub fn table(&self, set: &ColumnSet) -> Result<Estimated, NotReleased> {
        let index = self.plan.workload().find(set).ok_or_else(|| NotReleased { set: set.clone() })?;
        let parts = self.plan.workload().subsets(index);
        let parts = parts.into_iter().map(|subset| self.residual(subset)).collect();
        let sizes = self.plan.workload().sizes(index);
        let cells = added(parts, &sizes, |own, smaller, size| own + smaller / size as f64);
        let n = self.plan.adjacency().is_replace().then(|| self.records() as u64);
        Ok(Estimated { cells, components: Components::new(self.plan, index), records: n })
    }

    /// [`Estimates::table`] without any rounding, for audits.
    ///
    /// # Errors
    /// [`NotReleased`] if no released table has them.
    pub fn exact_table(&self, set: &ColumnSet) -> Result<Vec<RBig>, NotReleased> {
        let index = self.plan.workload().find(set).ok_or_else(|| NotReleased { set: set.clone() })?;
        let parts = self.plan.workload().subsets(index);
        let parts = parts.into_iter().map(|subset| self.exact_residual(subset)).collect();
        let sizes = self.plan.workload().sizes(index);
        Ok(added(parts, &sizes, |own: &RBig, smaller: &RBig, size| {
            own + smaller / RBig::from(UBig::from(size))
        }))
    }

    /// The estimate of a residual: what was drawn, divided by the number of cells and centred along every axis.
    fn residual(&self, index: usize) -> Vec<f64> {
        let cells = self.plan.workload().cells(index) as f64;
        self.centred(index).into_iter().map(|value| value as f64 / (cells * cells)).collect()
    }

    fn exact_residual(&self, index: usize) -> Vec<RBig> {
        let cells = UBig::from(self.plan.workload().cells(index));
        let square = &cells * &cells;
        self.centred(index)
            .into_iter()
            .map(|value| RBig::from_parts(IBig::from(value), square.clone()))
            .collect()
    }

    /// What was drawn, centred, times the number of cells. The numbers are below `2^63 * 2^22`.
    fn centred(&self, index: usize) -> Vec<i128> {
        let mut values: Vec<i128> =
            self.released.residual(index).iter().map(|&value| i128::from(value)).collect();
        centre_whole(&mut values, &self.plan.workload().sizes(index));
        values
    }
}

impl Estimated {
    /// The estimate of every cell, the last column running fastest.
    #[must_use]
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The number of records, if it is public.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        self.records
    }

    /// What is known of the noise.
    #[must_use]
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// The estimate of `sum g_i T_i`. Cells beyond the list count zero.
    #[must_use]
    pub fn value(&self, g: &[f64]) -> f64 {
        g.iter().zip(&self.cells).map(|(g, cell)| g * cell).sum()
    }

    /// The variance of [`Estimated::value`].
    #[must_use]
    pub fn variance(&self, g: &[f64]) -> f64 {
        self.covariance(g, g)
    }

    /// The share of a group of cells among those for which a condition holds; of all records if there is none. Cells of
    /// the group that are not in the condition do not count.
    #[must_use]
    pub fn share(&self, group: &[bool], condition: Option<&[bool]>) -> Within {
        let numbers: Vec<f64> = group.iter().map(|&inside| f64::from(u8::from(inside))).collect();
        self.mean(&numbers, condition)
    }

    /// The mean of a number between 0 and 1 that each cell has, over the records for which a condition holds. A share is
    /// the mean of ones and zeros.
    #[must_use]
    pub fn mean(&self, numbers: &[f64], condition: Option<&[bool]>) -> Within {
        let holds = |cell: usize| condition.is_none_or(|cells| cells.get(cell).copied().unwrap_or(false));
        let t: Vec<f64> = (0..self.cells.len()).map(|cell| f64::from(u8::from(holds(cell)))).collect();
        let number = |cell: usize| numbers.get(cell).copied().unwrap_or(0.0);
        let s: Vec<f64> = t.iter().enumerate().map(|(cell, holds)| holds * number(cell)).collect();
        let everything = t.iter().all(|&one| one > 0.0);
        let known = self.records.filter(|_| everything);
        let [condition_variance, covariance] =
            if known.is_some() { [0.0, 0.0] } else { [self.variance(&t), self.covariance(&s, &t)] };
        Within {
            group: self.value(&s),
            condition: known.map_or_else(|| self.value(&t), |n| n as f64),
            group_variance: self.variance(&s),
            condition_variance,
            covariance,
            tail: Tail::new(self.components.terms(), self.components.least_parameter()),
        }
    }

    /// A confidence interval at this level for the mean of a number over the records of some groups of cells, each with its
    /// number. Nothing if there are not two different ones. The noisy counts of the numbers say how they spread
    /// (docs/proofs/intervals.md, "Means"). The coverage is measured.
    #[must_use]
    pub fn mean_interval(
        &self,
        groups: &[Vec<usize>],
        numbers: &[f64],
        about: Subject,
        level: f64,
    ) -> Option<Interval> {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let range = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        let (mut scores, mut holds) = (vec![0.0; self.cells.len()], vec![false; self.cells.len()]);
        for (cells, number) in groups.iter().zip(numbers) {
            for &cell in cells {
                (scores[cell], holds[cell]) = ((number - least) / range, true);
            }
        }
        let within = self.mean(&scores, Some(&holds));
        let sum = |cells: &Vec<usize>| cells.iter().map(|&cell| self.cells[cell]).sum::<f64>();
        let size = 0.5 * (1.0 - level);
        let reach = within.tail.deviations(size * Size::TAKEN) * libm::sqrt(within.condition_variance);
        let count = |end: f64| libm::round(end.max(0.0)) as u64;
        let records = if within.condition_variance > 0.0 {
            let (low, high) = (within.condition - reach, within.condition + reach);
            Size::Between(count(libm::floor(low)), count(libm::ceil(high)), Size::TAKEN)
        } else {
            Size::Known(count(within.condition))
        };
        let moments = [within.group_variance, within.condition_variance, within.covariance];
        let noise = NormalNoise::new(moments, within.tail, size);
        let mean = Mean::new(numbers, groups.iter().map(sum).collect(), records, about, &noise)?;
        Some(mean.interval(level))
    }

    /// The interval at this level for the p-quantile of some records, whose groups have the cells of one bin each, from the
    /// lowest to the highest (docs/proofs/ordered.md, theorem 2).
    ///
    /// # Errors
    /// [`LevelError`].
    pub fn quantile(
        &self,
        bins: &[Vec<usize>],
        p: f64,
        about: Subject,
        level: f64,
    ) -> Result<QuantileInterval, LevelError> {
        interval_level(level)?;
        let mut condition = vec![false; self.cells.len()];
        bins.iter().flatten().for_each(|&cell| condition[cell] = true);
        let mut group = vec![false; self.cells.len()];
        let mut below = Vec::with_capacity(bins.len());
        for cells in &bins[..bins.len() - 1] {
            cells.iter().for_each(|&cell| group[cell] = true);
            below.push(self.share(&group, Some(&condition)));
        }
        // The level was checked.
        let ends = contiguous(
            bins.len(),
            |edge| below[edge - 1].is_smaller(p, about, level).unwrap_or(false),
            |edge| below[edge - 1].is_larger(p, about, level).unwrap_or(false),
        );
        let all = self.share(&condition, Some(&condition));
        let over: Vec<f64> = below.iter().map(|one| one.group - p * all.condition).collect();
        let bin = (all.condition > 0.0).then(|| isotonic_bin(&over).clamp(ends[0], ends[1] - 1));
        Ok(QuantileInterval { ends, bin, may_be_empty: all.may_be_empty(level) })
    }

    /// The sum of a number over the records of the cells that have one, and how far its interval at this level reaches to
    /// either side. Cells without records of their own have zero.
    #[must_use]
    pub fn sum(&self, numbers: &[f64], level: f64) -> (f64, f64) {
        // Where n is public the same number in every cell has no noise.
        let shared = match self.records {
            Some(n) => numbers.iter().sum::<f64>() / numbers.len() as f64 * n as f64,
            None => 0.0,
        };
        let mean =
            if self.records.is_some() { numbers.iter().sum::<f64>() / numbers.len() as f64 } else { 0.0 };
        let weights: Vec<f64> = numbers.iter().map(|number| number - mean).collect();
        let tail = Tail::new(self.components.terms(), self.components.least_parameter());
        let reach = tail.deviations(0.5 * (1.0 - level)) * libm::sqrt(self.variance(&weights));
        (shared + self.value(&weights), reach)
    }

    /// What is known of groups of cells that have no cell in common, as if the noise were normal, with the prior under
    /// which each cell of the table is as likely as any other. `conditions` has the number of each group's condition,
    /// which counts where the number of records is private. If the groups are all cells and that number is public, what
    /// is in no group stands for the last group. None if the noise of some sum of groups is known.
    #[must_use]
    pub fn groups(&self, groups: &[Vec<usize>], conditions: &[usize]) -> Option<NoisyGroups> {
        let inside: usize = groups.iter().map(Vec::len).sum();
        let (mut measured, mut rest) = (groups, self.cells.len() - inside);
        if let ([first @ .., last], 0, Some(_)) = (groups, rest, self.records) {
            (measured, rest) = (first, last.len());
        }
        let one = |cells: &Vec<usize>| {
            let mut marked = vec![0.0; self.cells.len()];
            cells.iter().for_each(|&cell| marked[cell] = 1.0);
            marked
        };
        let functions: Vec<Vec<f64>> = measured.iter().map(one).collect();
        let estimates = functions.iter().map(|function| self.value(function)).collect();
        let prior = measured.iter().map(|cells| cells.len() as f64).collect();
        let total = match self.records {
            Some(records) => Total::Known { records, rest: rest as f64 },
            None => Total::Unknown { conditions: conditions.to_vec() },
        };
        NoisyGroups::new(estimates, &self.components.covariances(&functions), prior, total)
    }

    /// The correlation of the errors of the shares of two sides: of the noise, and about the population also of the
    /// records that are drawn.
    #[must_use]
    pub fn correlation(&self, sides: [Side<'_>; 2], about: Subject) -> f64 {
        let sum = |cells: &[usize]| cells.iter().map(|&cell| self.cells[cell]).sum::<f64>();
        let weights = sides.map(|side| side.weights(self.cells.len(), sum(side.condition)));
        correlation(&weights, |a, b| {
            let sampling = if about == Subject::Population { self.sampling_covariance(a, b) } else { 0.0 };
            sampling + self.covariance(a, b)
        })
    }

    /// The covariance of two weighted sums of the counts of independent records, with proportions as estimated.
    fn sampling_covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
            self.cells.iter().enumerate().map(|(cell, count)| count * of(cell)).sum()
        };
        let size = self.cells.iter().sum::<f64>().max(1.0);
        sum(&|cell| a[cell] * b[cell]) - sum(&|cell| a[cell]) * sum(&|cell| b[cell]) / size
    }

    /// The covariance of the estimates of two linear functions.
    #[must_use]
    pub fn covariance(&self, g: &[f64], h: &[f64]) -> f64 {
        self.components.covariance(g, h)
    }
}

/// `T_B = sum over A of r_A / prod of m_i over B without A`, axis by axis. `parts` holds an array for every subset A of
/// B, by the bits of its columns. For each axis the arrays without it are spread along it, divided by its size, and added
/// to those with it: `prod (1 + m_i)` additions for the first axis and fewer for the others.
fn added<T: Clone>(mut parts: Vec<Vec<T>>, sizes: &[usize], add: impl Fn(&T, &T, usize) -> T) -> Vec<T> {
    // The array of a mask has the axes of its bits and those that are done. From the last axis on, the masks without
    // its bit are in the first half.
    for axis in (0..sizes.len()).rev() {
        let with = parts.split_off(1 << axis);
        let spread = |(mask, (smaller, own)): (usize, (Vec<T>, Vec<T>))| {
            let has = |place: usize| place >= axis || mask >> place & 1 == 1;
            let shape: Vec<usize> =
                (0..sizes.len()).filter(|&place| has(place)).map(|place| sizes[place]).collect();
            let at = (0..axis).filter(|&place| has(place)).count();
            spread_along(&smaller, own, &Fibres::along(&shape, at), &add)
        };
        parts = parts.into_iter().zip(with).enumerate().map(spread).collect();
    }
    parts.pop().unwrap_or_default()
}

fn spread_along<T>(
    smaller: &[T],
    mut own: Vec<T>,
    fibres: &Fibres,
    add: &impl Fn(&T, &T, usize) -> T,
) -> Vec<T> {
    for (start, value) in fibres.starts().zip(smaller) {
        for step in 0..fibres.length {
            let place = start + step * fibres.stride;
            own[place] = add(&own[place], value, fibres.length);
        }
    }
    own
}
