//! Rows of shares, means and counts.

use std::collections::HashMap;

use posterity_core::confidence::{GroupSum, Interval, Sums, Within};
use posterity_core::model::Dirichlet;
use posterity_core::noise_aware::BetaMixture;
use posterity_core::table::{Block, Draws, Grouping, Shares};

use super::error::ReadingError;
use super::grouped::Grouped;
use super::labels::Labels;
use super::layout::Layout;
use super::number_of::NumberOf;
use super::numbers::Numbers;
use super::reader::{Law, Reader};
use super::reading::Reading;
use super::rows::{NO_INTERVAL, ReadingMethod, ReadingRow, Unknown};
use super::sample::Sample;
use super::ways::{IntervalKind, Ways};

/// Rows with how they were computed.
pub(super) struct Rows {
    pub(super) rows: Vec<ReadingRow>,
    pub(super) unknown: Option<Unknown>,
    pub(super) interval: IntervalKind,
    pub(super) method: ReadingMethod,
    /// What is known of confidence intervals, if they are shown.
    pub(super) basis: Option<ReadingMethod>,
    pub(super) error: f64,
}

pub(super) fn shares(reader: &Reader, reading: &Reading) -> Result<Rows, ReadingError> {
    let space = &reader.space;
    let layout = Layout::of(space, reading)?;
    let (labels, unknown) = (layout.labels.clone(), Unknown::of(reader, layout.unknown())?);
    let grouping = layout.grouping(space)?;
    let summaries = Summaries::wanted(reader, &grouping)?;
    let interval = summaries.interval;
    let basis = (interval == IntervalKind::Confidence).then(|| basis(reader, &grouping));
    let rows = labels.into_iter().zip(summaries.rows).flat_map(|((given, cells), summaries)| {
        let row = move |(cell, summary): (Labels, Summarised)| summary.row(given.clone(), cell, interval);
        cells.into_iter().zip(summaries).map(row)
    });
    Ok(Rows {
        rows: rows.collect(),
        unknown,
        interval,
        method: summaries.method,
        basis,
        error: summaries.error,
    })
}

/// What is known of the confidence intervals of the shares of a grouping. The test of a share within a group is proven,
/// and the search for its ends looks at some points only (docs/proofs/intervals.md).
fn basis(reader: &Reader, grouping: &Grouping) -> ReadingMethod {
    match &reader.sums {
        Some(sums) if !is_everything(sums, grouping) => ReadingMethod::Measured,
        _ => ReadingMethod::Proven,
    }
}

impl Unknown {
    /// How large the part is whose values are unknown, from what [`Layout::unknown`] gives.
    pub(super) fn of(reader: &Reader, unknown: Option<Block>) -> Result<Option<Self>, ReadingError> {
        let Some(block) = unknown else { return Ok(None) };
        let grouping = Grouping::new(reader.space.all_cells(), vec![block])
            .map_err(|error| ReadingError::Document { reason: error.to_string() })?;
        let Summaries { rows, interval, .. } = Summaries::wanted(reader, &grouping)?;
        let row = rows.into_iter().flatten().next();
        Ok(row.map(|row| Self::from(&row.row(Labels::default(), Labels::default(), interval))))
    }
}

/// What is read of every share of a grouping.
pub(super) struct Summaries {
    pub(super) rows: Vec<Vec<Summarised>>,
    /// Which interval is shown.
    pub(super) interval: IntervalKind,
    pub(super) method: ReadingMethod,
    pub(super) error: f64,
}

/// What is read of a share.
#[derive(Clone, Debug)]
pub(super) struct Summarised {
    pub(super) mean: f64,
    pub(super) credible: [f64; 2],
    pub(super) confidence: Option<Interval>,
    mostly_prior: bool,
}

impl Summarised {
    fn of_posterior(mean: f64, credible: [f64; 2]) -> Self {
        Self { mean, credible, confidence: None, mostly_prior: false }
    }

    /// What the noisy counts say, without a posterior.
    fn of_confidence(interval: Interval) -> Self {
        Self {
            mean: interval.shown(),
            credible: NO_INTERVAL,
            confidence: Some(interval),
            mostly_prior: false,
        }
    }

    pub(super) fn estimate(&self) -> Option<f64> {
        self.confidence.and_then(|interval| interval.estimate)
    }

    /// The interval of a kind.
    pub(super) fn interval(&self, kind: IntervalKind) -> [f64; 2] {
        match (kind, self.confidence) {
            (IntervalKind::Confidence, Some(confidence)) => confidence.ends,
            _ => self.credible,
        }
    }

    fn row(self, given: Labels, cell: Labels, kind: IntervalKind) -> ReadingRow {
        ReadingRow {
            given,
            cell,
            estimate: self.estimate(),
            bin: None,
            mean: self.mean,
            confidence: self.confidence.map(|interval| interval.ends),
            credible: self.credible,
            interval: self.interval(kind),
            of_bins: None,
            mostly_prior: self.mostly_prior,
            may_be_empty: self.confidence.is_some_and(|interval| interval.may_be_empty),
        }
    }

    /// The mean of two numbers of which the first has this share: the share, stretched.
    fn stretched(&self, first: f64, second: f64) -> Self {
        let stretch = |share: f64| second + (first - second) * share;
        let ends = |ends: [f64; 2]| {
            let [one, other] = ends.map(stretch);
            [one.min(other), one.max(other)]
        };
        Self {
            mean: stretch(self.mean),
            credible: ends(self.credible),
            confidence: self.confidence.map(|interval| Interval {
                ends: ends(interval.ends),
                estimate: interval.estimate.map(stretch),
                ..interval
            }),
            ..*self
        }
    }
}

impl Summaries {
    pub(super) fn new(reader: &Reader, grouping: &Grouping) -> Result<Self, ReadingError> {
        let ways = Self::ways_of_each(reader, grouping);
        let mut summaries = Self::of_posterior(reader, grouping, ways)?;
        let Some(sums) = &reader.sums else {
            summaries.add_listed(reader, grouping, ways);
            return Ok(summaries);
        };
        let prior = Spreads::new(reader, grouping);
        let blocks = grouping.blocks().iter().zip(&mut summaries.rows).enumerate();
        for (index, (block, rows)) in blocks {
            let intervals = confidence(sums, block, grouping, ways);
            for (group, (row, interval)) in rows.iter_mut().zip(intervals).enumerate() {
                if reader.has_no_credible() {
                    *row = Summarised::of_confidence(interval);
                    continue;
                }
                row.mostly_prior = interval.deviation > prior.of(index, group);
                row.confidence = Some(interval);
            }
        }
        Ok(summaries)
    }

    /// What is wanted of each share.
    fn wanted(reader: &Reader, grouping: &Grouping) -> Result<Self, ReadingError> {
        Self::of_confidence(reader, grouping).map_or_else(|| Self::new(reader, grouping), Ok)
    }

    /// Confidence intervals alone, if nothing else is wanted and every one has an estimate to be shown beside it.
    fn of_confidence(reader: &Reader, grouping: &Grouping) -> Option<Self> {
        let interval = IntervalKind::Confidence;
        if !reader.confidence_alone || reader.ways.interval != interval {
            return None;
        }
        let (sums, ways) = (reader.sums.as_ref()?, Self::ways_of_each(reader, grouping));
        let row = |block| -> Vec<Summarised> {
            let intervals = confidence(sums, block, grouping, ways);
            intervals.into_iter().map(Summarised::of_confidence).collect()
        };
        let rows: Vec<Vec<Summarised>> = grouping.blocks().iter().map(row).collect();
        let all_shown = rows.iter().flatten().all(|row| row.estimate().is_some());
        all_shown.then_some(Self { rows, interval, method: ReadingMethod::Exact, error: 0.0 })
    }

    /// How each share is read, so that all intervals hold as they are asked for.
    fn ways_of_each(reader: &Reader, grouping: &Grouping) -> Ways {
        let rows = grouping.blocks().iter().map(|block| block.asked().len()).sum();
        Ways { level: reader.ways.level_of_each(rows), ..reader.ways }
    }

    /// Confidence intervals of two categories from a list of all laws, if there is one.
    fn add_listed(&mut self, reader: &Reader, grouping: &Grouping, ways: Ways) {
        let Some(listed) = &reader.listed else {
            self.interval = self.interval.without_confidence();
            return;
        };
        // Also where the posterior leaves the noise out, and so has no confidence intervals of its own.
        self.interval = ways.interval;
        for (block, rows) in grouping.blocks().iter().zip(&mut self.rows) {
            for (cells, row) in block.asked().iter().zip(rows) {
                row.confidence = Some(match cells.as_slice() {
                    // Of two categories, one that is its whole block has all of it.
                    &[category] if block.members_len() > 1 => listed.share(category, ways.about, ways.level),
                    _ => Sums::whole(),
                });
                if reader.has_no_credible() {
                    row.credible = NO_INTERVAL;
                }
            }
        }
    }

    /// Means and credible intervals.
    fn of_posterior(reader: &Reader, grouping: &Grouping, ways: Ways) -> Result<Self, ReadingError> {
        if let Some(sums) = reader.sums.as_ref().filter(|sums| sums.n_is_private()) {
            return Self::one_by_one(reader, sums, grouping, ways);
        }
        let Grouped { law, grouping } = reader.grouped(grouping);
        let interval = ways.interval;
        let aware = match &*law {
            Law::Plain(plain) => return Self::plain(plain, &grouping, ways),
            Law::Aware(aware) => aware,
        };
        let shortest = interval == IntervalKind::Shortest;
        if let [block] = grouping.blocks()
            && grouping.rest().is_empty()
            && block.others().is_empty()
            && block.asked().iter().all(|cells| cells.len() == 1)
        {
            // The cells themselves.
            let mean = aware.mean();
            let intervals =
                if shortest { aware.shortest(ways.level)? } else { aware.intervals(ways.level)? };
            let row = |cells: &Vec<usize>| Summarised::of_posterior(mean[cells[0]], intervals[cells[0]]);
            let rows = vec![block.asked().iter().map(row).collect()];
            return Ok(Self { rows, interval, method: ReadingMethod::Exact, error: aware.error_up() });
        }
        let summaries = Shares::new(aware, &grouping).summaries(ways.level, shortest)?;
        let mut error: f64 = 0.0;
        let mut rows = Vec::with_capacity(summaries.len());
        for block in summaries {
            let mut row = Vec::with_capacity(block.len());
            for summary in block {
                let Ok(summary) = summary else { return Ok(Self::drawn(reader, &law, &grouping, ways)) };
                error = error.max(summary.error);
                row.push(Summarised::of_posterior(summary.mean, summary.interval));
            }
            rows.push(row);
        }
        Ok(Self { rows, interval, method: ReadingMethod::Exact, error })
    }

    /// The shares where n is private: each share from the sums of its group, of the others of its condition and of the rest.
    /// A prior that is shared by many groups at once would outweigh the records.
    fn one_by_one(
        reader: &Reader,
        sums: &Sums,
        grouping: &Grouping,
        ways: Ways,
    ) -> Result<Self, ReadingError> {
        let mut found =
            Self { rows: Vec::new(), interval: ways.interval, method: ReadingMethod::Exact, error: 0.0 };
        let mut known: HashMap<[u64; 6], Summarised> = HashMap::new();
        for block in grouping.blocks() {
            let condition: Vec<usize> =
                block.asked().iter().flatten().chain(block.others()).copied().collect();
            let whole = sums.group(&condition);
            let mut rows = Vec::with_capacity(block.asked().len());
            for cells in block.asked() {
                let group = sums.group(cells);
                let Some(others) = whole.without(group) else {
                    rows.push(Summarised::of_posterior(1.0, [1.0, 1.0]));
                    continue;
                };
                let sizes = [cells.len() as u64, condition.len() as u64];
                let prior = [cells, &condition].map(|cells| reader.parameter(cells, 1).to_bits());
                let key = [group.drawn as u64, others.drawn as u64, sizes[0], sizes[1], prior[0], prior[1]];
                let row = match known.get(&key) {
                    Some(row) => row.clone(),
                    None => known
                        .entry(key)
                        .or_insert(found.one(reader, sums, (cells, &condition), ways)?)
                        .clone(),
                };
                rows.push(row);
            }
            found.rows.push(rows);
        }
        Ok(found)
    }

    /// One share where n is private, with the error of its law, or that it was drawn.
    fn one(
        &mut self,
        reader: &Reader,
        sums: &Sums,
        (cells, condition): (&[usize], &[usize]),
        ways: Ways,
    ) -> Result<Summarised, ReadingError> {
        let others = condition.iter().filter(|cell| !cells.contains(cell)).copied().collect();
        let grouping =
            Grouping::new(reader.space.all_cells(), vec![Block::new(vec![cells.to_vec()], others)])
                .map_err(|error| ReadingError::Document { reason: error.to_string() })?;
        // The noise may be so wide that nothing is known.
        let nothing = || Summarised::of_posterior(0.5, [0.0, 1.0]);
        let Some(Grouped { law, grouping }) = reader.of_groups(sums, &grouping) else { return Ok(nothing()) };
        let Law::Aware(aware) = &*law else { return Ok(nothing()) };
        let shortest = ways.interval == IntervalKind::Shortest;
        let summaries = Shares::new(aware, &grouping).summaries(ways.level, shortest)?;
        match summaries.into_iter().flatten().next() {
            Some(Ok(summary)) => {
                self.error = self.error.max(summary.error);
                Ok(Summarised::of_posterior(summary.mean, summary.interval))
            }
            _ => {
                let drawn = Self::drawn(reader, &law, &grouping, ways);
                (self.method, self.error) = (ReadingMethod::Draws, self.error.max(drawn.error));
                Ok(drawn.rows.into_iter().flatten().next().unwrap_or_else(nothing))
            }
        }
    }

    /// The shares of a Dirichlet distribution are Beta distributed.
    fn plain(plain: &Dirichlet, grouping: &Grouping, ways: Ways) -> Result<Self, ReadingError> {
        let sum = |cells: &mut dyn Iterator<Item = &usize>| {
            cells.map(|&cell| plain.parameters()[cell]).sum::<f64>()
        };
        let share = |inside: f64, beside: f64| -> Result<Summarised, ReadingError> {
            let two = Dirichlet::new(vec![inside, beside]);
            let Ok(two) = two else { return Ok(Summarised::of_posterior(1.0, [1.0, 1.0])) };
            Ok(Summarised::of_posterior(two.mean()[0], two.intervals(ways.level)?[0]))
        };
        let block = |block: &Block| {
            let row = |(index, group): (usize, &Vec<usize>)| {
                let others = block.asked().iter().enumerate().filter(|(other, _)| *other != index);
                let beside = others.flat_map(|(_, cells)| cells).chain(block.others());
                share(sum(&mut group.iter()), sum(&mut beside.into_iter()))
            };
            block.asked().iter().enumerate().map(row).collect::<Result<Vec<_>, _>>()
        };
        let rows = grouping.blocks().iter().map(block).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { rows, interval: IntervalKind::Credible, method: ReadingMethod::WithoutNoise, error: 0.0 })
    }

    fn drawn(reader: &Reader, law: &Law, grouping: &Grouping, ways: Ways) -> Self {
        let draws = law.sampler(grouping).map(reader.draws, reader.seed, Clone::clone);
        let mut error: f64 = 0.0;
        let mut rows = Vec::new();
        for (block, cells) in grouping.blocks().iter().enumerate() {
            let mut row = Vec::new();
            for group in 0..cells.asked().len() {
                let expected = draws.iter().map(|draw| draw.expected[block][group]).sum::<f64>();
                let sample = Sample::new(draws.iter().map(|draw| draw.shares[block][group]).collect());
                error = error.max(sample.interval_error(ways.level));
                let interval = sample.interval_of(ways);
                row.push(Summarised::of_posterior(expected / draws.len() as f64, interval));
            }
            rows.push(row);
        }
        Self { rows, interval: ways.interval, method: ReadingMethod::Draws, error }
    }
}

/// Whether shares of a grouping are among all records, whose number is public.
fn is_everything(sums: &Sums, grouping: &Grouping) -> bool {
    grouping.rest().is_empty() && grouping.blocks().len() == 1 && !sums.n_is_private()
}

/// The confidence interval of each share of a block.
pub(super) fn confidence(sums: &Sums, block: &Block, grouping: &Grouping, ways: Ways) -> Vec<Interval> {
    let Ways { level, about, .. } = ways;
    let everything = is_everything(sums, grouping);
    let groups: Vec<GroupSum> = block.asked().iter().map(|cells| sums.group(cells)).collect();
    let others = (!block.others().is_empty()).then(|| sums.group(block.others()));
    let whole = groups.iter().copied().chain(others).reduce(GroupSum::with);
    let one = |group: &GroupSum| match whole.map(|whole| whole.without(*group)) {
        None | Some(None) => Sums::whole(),
        Some(Some(_)) if everything => sums.share(*group, about, level),
        Some(Some(others)) => sums.conditional(Within { group: *group, others }, about, level),
    };
    Sums::map(&groups, one)
}

/// The standard deviation of the prior of each share.
struct Spreads {
    /// For each block, the prior parameters of its groups, and of the whole block.
    blocks: Vec<(Vec<f64>, f64)>,
}

impl Spreads {
    fn new(reader: &Reader, grouping: &Grouping) -> Self {
        let groups = grouping.blocks().iter().map(|block| block.members_len()).sum::<usize>()
            + usize::from(!grouping.rest().is_empty());
        let parameter = |cells: &[usize]| reader.parameter(cells, groups);
        let block = |block: &Block| {
            if reader.reads_one_by_one() {
                // Every share by itself: a group, the others, and perhaps a rest.
                return (vec![1.0 / 3.0; block.asked().len()], 2.0 / 3.0);
            }
            let asked: Vec<f64> = block.asked().iter().map(|cells| parameter(cells)).collect();
            let others = if block.others().is_empty() { 0.0 } else { parameter(block.others()) };
            let whole = asked.iter().sum::<f64>() + others;
            (asked, whole)
        };
        Self { blocks: grouping.blocks().iter().map(block).collect() }
    }

    fn of(&self, block: usize, group: usize) -> f64 {
        let (asked, whole) = &self.blocks[block];
        let share = asked[group] / whole;
        (share * (1.0 - share) / (whole + 1.0)).sqrt()
    }
}

impl Reader {
    /// Draws of all numbers of a reading together, from the posterior of which its credible intervals are: for each
    /// draw, one number for each row.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("A", 30), ("B", 20), ("C", 50)])?;
    /// let release = Publisher::new("1".parse()?).publish(&data)?;
    /// let draws = release.document().reader()?.sample(&"category".parse()?, 10, 1)?;
    /// assert!(draws.len() == 10 && draws.iter().all(|shares| (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn sample(&self, reading: &Reading, size: u64, seed: u64) -> Result<Vec<Vec<f64>>, ReadingError> {
        if reading.is_count() {
            return Err(ReadingError::CountSample);
        }
        let (layout, numbers) = match reading.number_of() {
            Some((NumberOf::Mean, column)) => {
                let (layout, numbers) = Numbers::new(&self.space, reading, column)?;
                (layout, Some(numbers.alone(column)?))
            }
            Some(_) => return Err(ReadingError::CountSample),
            None => (Layout::of(&self.space, reading)?, None),
        };
        let grouping = layout.grouping(&self.space)?;
        let value = |draw: &posterity_core::table::Draw| match &numbers {
            None => draw.shares.concat(),
            Some(numbers) => expected(draw, numbers),
        };
        Ok(self.sampler(&grouping).map(size, seed, value))
    }

    /// Draws of the shares of a grouping, from the law of which its credible intervals are.
    pub(super) fn sampler(&self, grouping: &Grouping) -> Draws {
        let Grouped { law, grouping } = self.grouped(grouping);
        law.sampler(&grouping)
    }
}

impl Law {
    pub(super) fn sampler(&self, grouping: &Grouping) -> Draws {
        match self {
            Self::Aware(aware) => Draws::new(aware, grouping),
            Self::Plain(plain) => Draws::of_dirichlet(plain, grouping),
        }
    }
}

/// The mean of a column of numbers within each condition. Its expectation is exact, and with two numbers it is a share,
/// stretched. That of bins lies between those of their lower and of their upper edges.
pub(super) fn means(reader: &Reader, reading: &Reading, column: &str) -> Result<Rows, ReadingError> {
    let (layout, numbers) = Numbers::new(&reader.space, reading, column)?;
    let reader = &Reader { ways: numbers.ways_of_mean(reader.ways), ..reader.clone() };
    let (labels, unknown) = (layout.labels.clone(), Unknown::of(reader, layout.unknown())?);
    let grouping = layout.grouping(&reader.space)?;
    let of = |numbers: &[Vec<f64>]| Means::of(reader, &grouping, numbers);
    let low = of(&numbers.low)?;
    let high = numbers.high.as_deref().map(of).transpose()?;
    let Means { interval, basis, method, error, .. } = low;
    let rows = |means: Means| -> Vec<ReadingRow> {
        let rows = labels.iter().zip(means.rows);
        rows.map(|((given, _), found)| found.row(given.clone(), Labels::default(), interval)).collect()
    };
    let error = high.as_ref().map_or(error, |high| high.error.max(error));
    let low = rows(low);
    let rows = match high {
        Some(high) => low.into_iter().zip(rows(high)).map(|(low, high)| low.spanning(high)).collect(),
        None => low,
    };
    Ok(Rows { rows, unknown, interval, method, basis, error })
}

/// What is read of the mean of each condition.
struct Means {
    rows: Vec<Summarised>,
    interval: IntervalKind,
    basis: Option<ReadingMethod>,
    method: ReadingMethod,
    error: f64,
}

impl Means {
    fn of(reader: &Reader, grouping: &Grouping, numbers: &[Vec<f64>]) -> Result<Self, ReadingError> {
        if numbers.iter().all(|numbers| numbers.len() <= 2) {
            Self::stretched(reader, grouping, numbers)
        } else {
            Self::of_many(reader, grouping, numbers)
        }
    }

    /// Of one or two numbers, from the share of the first.
    fn stretched(reader: &Reader, grouping: &Grouping, numbers: &[Vec<f64>]) -> Result<Self, ReadingError> {
        let Summaries { rows, interval, method, error } = Summaries::wanted(reader, grouping)?;
        let one = |(numbers, rows): (&Vec<f64>, Vec<Summarised>)| {
            let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
            rows[0].stretched(first, if rows.len() > 1 { last } else { 0.0 })
        };
        let rows = numbers.iter().zip(rows).map(one).collect();
        let basis = (interval == IntervalKind::Confidence).then(|| basis(reader, grouping));
        Ok(Self { rows, interval, basis, method, error })
    }

    /// Of more numbers.
    fn of_many(reader: &Reader, grouping: &Grouping, numbers: &[Vec<f64>]) -> Result<Self, ReadingError> {
        let ways = Ways { level: reader.ways.level_of_each(numbers.len()), ..reader.ways };
        let confidence = reader.sums.as_ref().map(|sums| {
            let blocks: Vec<(&Block, &Vec<f64>)> = grouping.blocks().iter().zip(numbers).collect();
            let one = |(block, numbers): &(&Block, &Vec<f64>)| {
                sums.mean(block.asked(), numbers, ways.about, ways.level)
            };
            Sums::map(&blocks, one)
        });
        let interval = match confidence {
            Some(_) => ways.interval,
            None => ways.interval.without_confidence(),
        };
        let basis = (interval == IntervalKind::Confidence).then_some(ReadingMethod::Measured);
        let alone =
            reader.has_no_credible() || reader.confidence_alone && interval == IntervalKind::Confidence;
        if let Some(confidence) = confidence.as_ref().filter(|_| alone) {
            let rows = confidence.iter().copied().map(Summarised::of_confidence).collect();
            return Ok(Self { rows, interval, basis, method: ReadingMethod::Exact, error: 0.0 });
        }
        if reader.dependent {
            return Err(ReadingError::DependentRecords);
        }
        let summaries = Summaries::of_posterior(reader, grouping, ways)?;
        let draws = reader.sampler(grouping).map(reader.draws, reader.seed, |draw| expected(draw, numbers));
        let mut error: f64 = 0.0;
        let rows = numbers.iter().zip(summaries.rows).enumerate().map(|(block, (numbers, rows))| {
            let sample = Sample::new(draws.iter().map(|values| values[block]).collect());
            error = error.max(sample.interval_error(ways.level));
            let mean = numbers.iter().zip(rows).map(|(number, row)| number * row.mean).sum::<f64>();
            let found = Summarised::of_posterior(mean, sample.interval_of(ways));
            Summarised { confidence: confidence.as_ref().map(|intervals| intervals[block]), ..found }
        });
        let rows = rows.collect();
        let exact = summaries.method == ReadingMethod::Exact;
        let method = if exact { ReadingMethod::Draws } else { summaries.method };
        Ok(Self { rows, interval, basis, method, error })
    }
}

/// The number of records of each condition. The counts of noise that adds up have a law of their own.
pub(super) fn counts(reader: &Reader, reading: &Reading) -> Result<Rows, ReadingError> {
    let Some(sums) = &reader.sums else { return Err(ReadingError::NoCounts) };
    let layout = Layout::of(&reader.space, reading)?;
    let labels: Vec<Labels> = layout.labels.iter().map(|(given, _)| given.clone()).collect();
    let groups: Vec<Vec<usize>> = layout.blocks.iter().flat_map(|block| block.asked()).cloned().collect();
    let level = reader.ways.level_of_each(groups.len());
    let grouping = Grouping::new(reader.space.all_cells(), vec![Block::new(groups.clone(), Vec::new())])
        .map_err(|error| ReadingError::Document { reason: error.to_string() })?;
    let law = reader.of_groups(sums, &grouping).map(|grouped| grouped.law);
    let aware = match law.as_deref() {
        Some(Law::Aware(aware)) => Some(aware),
        _ => None,
    };
    let error = aware.map_or(0.0, |aware| aware.error_up());
    let kind = reader.ways.interval;
    let row = |(index, (given, cells)): (usize, (Labels, &Vec<usize>))| {
        let found = sums.count(sums.group(cells), level);
        let confidence = found.ends.map(|end| end as f64);
        let (mean, credible) = match aware.and_then(|aware| aware.marginals().get(index)) {
            Some(marginal) => (marginal.mean_count(), count_interval(marginal, level, kind)),
            // One group of n records has all of them; or the noise is too wide to say more.
            None => (found.estimate.clamp(confidence[0], confidence[1]), confidence),
        };
        ReadingRow {
            mean,
            credible: if reader.dependent { NO_INTERVAL } else { credible },
            interval: if kind == IntervalKind::Confidence { confidence } else { credible },
            ..ReadingRow::confident(given, Some(found.estimate), confidence)
        }
    };
    let rows = labels.into_iter().zip(&groups).enumerate().map(row).collect();
    let basis = (kind == IntervalKind::Confidence).then_some(ReadingMethod::Proven);
    Ok(Rows { rows, unknown: None, interval: kind, method: ReadingMethod::Exact, basis, error })
}

/// The interval of a count: equal-tailed, or the shortest.
fn count_interval(marginal: &BetaMixture, level: f64, kind: IntervalKind) -> [f64; 2] {
    let counts: Vec<(u64, f64)> = marginal.counts().collect();
    let mut sums = vec![0.0];
    for (_, weight) in &counts {
        sums.push(sums[sums.len() - 1] + weight);
    }
    // The first count up to which there is more than this.
    let end = |below: f64| sums[1..].partition_point(|&sum| sum <= below).min(counts.len() - 1);
    let (low, high) = if kind == IntervalKind::Shortest {
        let to = |from: usize| sums[1..].partition_point(|&sum| sum < sums[from] + level);
        let from = (0..counts.len()).filter(|&from| to(from) < counts.len());
        from.map(|from| (from, to(from))).min_by_key(|(from, to)| to - from).unwrap_or((0, counts.len() - 1))
    } else {
        (end(0.5 * (1.0 - level)), end(0.5 * (1.0 + level)))
    };
    [counts[low].0 as f64, counts[high].0 as f64]
}

/// The mean of the numbers of each block in a draw.
fn expected(draw: &posterity_core::table::Draw, numbers: &[Vec<f64>]) -> Vec<f64> {
    let blocks = draw.shares.iter().zip(numbers);
    blocks.map(|(shares, numbers)| shares.iter().zip(numbers).map(|(s, n)| s * n).sum()).collect()
}
