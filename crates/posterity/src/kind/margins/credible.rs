//! Credible intervals of shares, means and comparisons within the released tables (docs/proofs/residuals.md, theorems 9
//! and 10).

use posterity_core::confidence::Interval;
use posterity_core::noise_aware::{GroupDraw, NoisyGroups, SharePosterior, SharePrior};
use posterity_core::table::Block;
use posterity_margins::Estimated;
use posterity_margins::interval::Within;

use crate::table::{IntervalKind, Parts, Reader, ReadingError, ReadingRow, Sample, Side, Ways};

/// A mean and an interval of a posterior, and how they were drawn unless they are exact.
pub(super) struct Credible {
    mean: f64,
    ends: [f64; 2],
    pub(super) drawn: Option<Drawn>,
}

/// The largest standard error of a number, and how many draws there were.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    pub(super) error: f64,
    pub(super) draws: u64,
}

/// Which cells of a table are listed.
pub(super) fn mark<'a>(listed: impl IntoIterator<Item = &'a usize>, table: &Estimated) -> Vec<bool> {
    let mut marked = vec![false; table.cells().len()];
    listed.into_iter().for_each(|&cell| marked[cell] = true);
    marked
}

impl Credible {
    fn exact(mean: f64, ends: [f64; 2]) -> Self {
        Self { mean, ends, drawn: None }
    }

    /// A row that shows this interval.
    pub(super) fn row(self, row: ReadingRow, mostly_prior: bool) -> ReadingRow {
        ReadingRow { mean: self.mean, credible: self.ends, interval: self.ends, mostly_prior, ..row }
    }
}

impl Drawn {
    /// What holds for both.
    pub(super) fn largest(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) => Some(Self { error: a.error.max(b.error), draws: a.draws.max(b.draws) }),
            (one, other) => one.or(other),
        }
    }
}

/// The prior of a share: each cell of the table that a reading names is as likely as any other.
pub(super) struct Prior {
    parameters: SharePrior,
    records: Option<u64>,
}

impl Prior {
    pub(super) fn new(table: &Estimated, group: &[bool], condition: &[bool]) -> Self {
        let cells = |marked: &[bool]| marked.iter().filter(|&&inside| inside).count() as f64;
        let (group, condition) = (cells(group), cells(condition));
        let outside = table.cells().len() as f64 - condition;
        let parameters = SharePrior { group, others: condition - group, outside };
        Self { parameters, records: table.records() }
    }

    /// The standard deviation of the share before the release.
    pub(super) fn deviation(&self) -> f64 {
        let SharePrior { group, others, .. } = self.parameters;
        let sum = group + others;
        (group * others / (sum * sum * (sum + 1.0))).sqrt()
    }

    /// The posterior of the share, given the estimates of the group and its condition; none if all of the condition is in the
    /// group.
    pub(super) fn posterior(&self, share: &Within) -> Result<Option<SharePosterior>, ReadingError> {
        if self.parameters.others <= 0.0 {
            return Ok(None);
        }
        share.posterior(self.parameters, self.records).ok_or_else(no_noise).map(Some)
    }

    /// The interval that has the probability of the level, given the estimates of the group and its condition.
    pub(super) fn credible(&self, share: &Within, ways: Ways) -> Result<Credible, ReadingError> {
        let Some(posterior) = self.posterior(share)? else { return Ok(Credible::exact(1.0, [1.0; 2])) };
        let ends = match ways.interval {
            IntervalKind::Shortest => posterior.shortest(ways.level)?,
            _ => posterior.interval(ways.level)?,
        };
        Ok(Credible::exact(posterior.mean(), ends))
    }
}

/// The numbers of a condition: each group of cells has one.
pub(super) struct Scores<'a> {
    groups: &'a [Vec<usize>],
    numbers: &'a [f64],
    least: f64,
    width: f64,
}

impl<'a> Scores<'a> {
    pub(super) fn new(block: &'a Block, numbers: &'a [f64]) -> Self {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let width = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
        Self { groups: block.asked(), numbers, least, width }
    }

    /// The number of each group as one between 0 and 1.
    fn scores(&self) -> impl Iterator<Item = f64> {
        self.numbers
            .iter()
            .map(|number| if self.width > 0.0 { (number - self.least) / self.width } else { 0.0 })
    }

    /// The score of each cell of the table; cells of no group have zero.
    pub(super) fn of_cells(&self, table: &Estimated) -> Vec<f64> {
        let mut found = vec![0.0; table.cells().len()];
        for (cells, score) in self.groups.iter().zip(self.scores()) {
            cells.iter().for_each(|&cell| found[cell] = score);
        }
        found
    }

    /// From a mean of numbers between 0 and 1 to that of the numbers themselves.
    fn stretch(&self) -> impl Fn(f64) -> f64 + Copy {
        let (least, width) = (self.least, self.width);
        move |mean| least + width * mean
    }

    /// The interval of the mean of the numbers, from that of numbers between 0 and 1.
    pub(super) fn stretched(&self, found: Interval) -> Interval {
        let stretch = self.stretch();
        let (ends, estimate) = (found.ends.map(stretch), found.estimate.map(stretch));
        Interval { ends, estimate, deviation: self.width * found.deviation, ..found }
    }

    /// The standard deviation of the mean of the numbers before the release: each cell is as likely as any other.
    pub(super) fn prior_deviation(&self) -> f64 {
        let cells = || self.groups.iter().map(|cells| cells.len() as f64).zip(self.scores());
        let sum: f64 = cells().map(|(cells, _)| cells).sum();
        let mean = cells().map(|(cells, score)| cells * score).sum::<f64>() / sum;
        let square = cells().map(|(cells, score)| cells * (score - mean) * (score - mean)).sum::<f64>() / sum;
        self.width * (square / (sum + 1.0)).sqrt()
    }

    /// The least number, and how much larger the largest one is.
    pub(super) fn range(&self) -> (f64, f64) {
        (self.least, self.width)
    }

    /// The cells of the larger number, if there are two groups: then the mean is their share, stretched.
    pub(super) fn larger_of_two(&self) -> Option<&'a [usize]> {
        let [first, second] = self.groups else { return None };
        Some(if self.numbers[0] > self.numbers[1] { first } else { second })
    }

    /// Chains of draws of the mean.
    pub(super) fn chains(&self, table: &Estimated) -> Result<Vec<Vec<f64>>, ReadingError> {
        let groups = groups(table, self.groups, &vec![0; self.groups.len()])?;
        let one = |draw: &GroupDraw| {
            let inside = || draw.shares.iter().zip(self.numbers);
            inside().map(|(share, number)| share * number).sum::<f64>()
                / inside().map(|(share, _)| share).sum::<f64>()
        };
        Ok(groups.chains(Reader::SEED, one))
    }

    /// The posterior of the mean. Two numbers make it a share, which is exact.
    pub(super) fn credible(
        &self,
        table: &Estimated,
        mean: &Within,
        condition: &[bool],
        ways: Ways,
    ) -> Result<Credible, ReadingError> {
        let stretch = self.stretch();
        if self.width <= 0.0 {
            return Ok(Credible::exact(self.least, [self.least; 2]));
        }
        if let Some(larger) = self.larger_of_two() {
            let Credible { mean, ends, .. } =
                Prior::new(table, &mark(larger, table), condition).credible(mean, ways)?;
            return Ok(Credible::exact(stretch(mean), ends.map(stretch)));
        }
        let sample = Sample::of_chains(self.chains(table)?);
        let error = sample.interval_error(ways.level).max(sample.mean_error());
        let drawn = Some(Drawn { error, draws: sample.len() });
        Ok(Credible { mean: sample.mean(), ends: sample.interval_of(ways), drawn })
    }
}

/// The mean and the interval of the share of one side of a comparison, as of a reading.
pub(super) fn share_of(table: &Estimated, side: &Side, ways: Ways) -> Result<(f64, [f64; 2]), ReadingError> {
    let [group, condition] = [&side.group, &side.block].map(|cells| mark(cells, table));
    let share = table.share(&group, Some(&condition));
    let credible = Prior::new(table, &group, &condition).credible(&share, ways)?;
    Ok((credible.mean, credible.ends))
}

/// Chains of draws of the shares of both sides of a comparison.
pub(super) fn compared(table: &Estimated, sides: [&Side; 2]) -> Result<Vec<Vec<[f64; 2]>>, ReadingError> {
    let parts = Parts::new(table.cells().len(), sides);
    let groups = groups(table, &parts.cells, &parts.conditions())?;
    Ok(groups.chains(Reader::SEED, |draw| parts.shares(&draw.shares)))
}

fn groups(
    table: &Estimated,
    groups: &[Vec<usize>],
    conditions: &[usize],
) -> Result<NoisyGroups, ReadingError> {
    table.groups(groups, conditions).ok_or_else(no_noise)
}

/// Every table has noise on all that is not public.
fn no_noise() -> ReadingError {
    ReadingError::Document { reason: "its tables have parts without noise".to_owned() }
}
