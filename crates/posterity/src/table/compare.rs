//! From a comparison to its numbers, by exact draws.

use posterity_core::confidence::{self, Association, ComparedShare, Interval, Scale, half_of_misses};
use posterity_core::noise_aware::chain_error;
use posterity_core::table::{Block, Draw, Grouping};

use super::contrast::{Contrast, ContrastKind};
use super::contrasted::{Contrasted, Measured, Measurement, Operand};
use super::error::ReadingError;
use super::labels::Labels;
use super::layout::{Layout, Terms};
use super::number_of::NumberOf;
use super::numbers::Numbers;
use super::read::{Summaries, confidence as intervals};
use super::reader::Reader;
use super::reading::Reading;
use super::rows::{NO_INTERVAL, ReadingMethod, ReadingRow, ReadingTable, Unknown};
use super::sample::Sample;
use super::space::Space;
use super::term::Term;
use super::ways::{IntervalKind, Subject, Ways};
use super::words::Words;

impl Reader {
    /// Compares shares.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn contrast(&self, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
        compare(self, contrast)
    }
}

impl Contrast {
    /// Checks that shares of a release with these cells can be compared in this way. It needs no release, so it can be
    /// done before one is drawn.
    ///
    /// # Errors
    /// [`ReadingError`] as [`Reader::contrast`].
    pub fn check(&self, space: &Space) -> Result<(), ReadingError> {
        if self.number_of().is_some() {
            let sides = [self.reading(0), self.reading(1)];
            return sides.iter().flatten().try_for_each(|reading| reading.check(space));
        }
        match self.kind() {
            ContrastKind::Independence => grid(space, self).map(|_| ()),
            _ => (0..2).try_for_each(|side| Side::new(space, self, side).map(|_| ())),
        }
    }
}

fn compare(reader: &Reader, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
    if contrast.number_of().is_some() {
        return numbers(reader, contrast);
    }
    match contrast.kind() {
        ContrastKind::Independence => independence(reader, contrast),
        kind => shares(reader, contrast, kind),
    }
}

/// One side of a comparison: its cells and those of its condition.
pub(crate) struct Side {
    labels: (Labels, Labels),
    words: Words,
    /// The cells of unknown values, with all others for which the condition holds.
    pub(crate) unknown: Option<Block>,
    pub(crate) group: Vec<usize>,
    pub(crate) block: Vec<usize>,
}

impl Side {
    pub(crate) fn new(space: &Space, contrast: &Contrast, side: usize) -> Result<Self, ReadingError> {
        let (of, given) = contrast.side(side);
        let (text, words) = (|| contrast.to_string(), Words::of_terms(space, of.iter().chain(&given)));
        let terms = Terms { of: &of, given: &given, of_all: contrast.of_all };
        let mut layout = Layout::new(space, terms, &text)?;
        let unknown = layout.unknown();
        let missing = || ReadingError::NoCells { reading: text() };
        let block = layout.blocks.pop().ok_or_else(missing)?;
        let (given, cells) = layout.labels.pop().ok_or_else(missing)?;
        let cell = cells.into_iter().next().ok_or_else(missing)?;
        let group = block.asked().first().cloned().ok_or_else(missing)?;
        let block = block.asked().iter().flatten().chain(block.others()).copied().collect();
        Ok(Self { labels: (given, cell), words, group, block, unknown })
    }

    /// The cells, with the interval for their share.
    pub(crate) fn side<'a>(&'a self, share: &'a ComparedShare) -> confidence::Side<'a> {
        confidence::Side { group: &self.group, condition: &self.block, share }
    }

    /// The share with nothing but a confidence interval.
    pub(crate) fn confident(self, interval: &Interval, unknown: Option<Unknown>) -> Operand {
        let (given, cell) = self.labels;
        Operand {
            given,
            cell,
            estimate: interval.estimate,
            mean: interval.shown(),
            confidence: Some(interval.ends),
            credible: NO_INTERVAL,
            interval: interval.ends,
            may_be_empty: interval.may_be_empty,
            unknown,
        }
    }

    /// The condition, of which the group is asked for. The cells of the group come first in it.
    fn as_block(&self) -> Block {
        Block::new(vec![self.group.clone()], self.block[self.group.len()..].to_vec())
    }

    /// The share as a reading.
    fn operand(&self, reader: &Reader) -> Result<Compared, ReadingError> {
        let grouping = grouping(reader, vec![self.as_block()])?;
        let summaries = Summaries::new(reader, &grouping)?;
        let summary = &summaries.rows[0][0];
        let (given, cell) = self.labels.clone();
        let operand = Operand {
            given,
            cell,
            estimate: summary.estimate(),
            mean: summary.mean,
            confidence: summary.confidence.map(|interval| interval.ends),
            credible: summary.credible,
            interval: summary.interval(summaries.interval),
            may_be_empty: summary.confidence.is_some_and(|interval| interval.may_be_empty),
            unknown: Unknown::of(reader, self.unknown.clone())?,
        };
        let wide = Ways { level: half_of_misses(reader.ways.level), ..reader.ways };
        let wide = reader.sums.as_ref().map(|sums| intervals(sums, &grouping.blocks()[0], &grouping, wide));
        let share = summary.confidence.zip(wide.and_then(|wide| wide.first().copied()));
        let share = share.map(|(interval, wide)| ComparedShare { interval, wide: wide.ends });
        Ok(Compared { operand, method: summaries.method, share })
    }
}

/// One of two shares that are compared, with how it was read.
struct Compared {
    operand: Operand,
    method: ReadingMethod,
    /// Its confidence intervals.
    share: Option<ComparedShare>,
}

fn grouping(reader: &Reader, blocks: Vec<Block>) -> Result<Grouping, ReadingError> {
    Grouping::new(reader.space.all_cells(), blocks)
        .map_err(|error| ReadingError::Document { reason: error.to_string() })
}

/// The cells of both conditions, divided by what they belong to.
pub(crate) struct Parts {
    /// In which of the first group, its condition, the second group and its condition each part is.
    kinds: Vec<[bool; 4]>,
    /// The cells of each part.
    pub(crate) cells: Vec<Vec<usize>>,
}

impl Parts {
    /// The parts of a table of this many cells.
    pub(crate) fn new(cells: usize, [first, second]: [&Side; 2]) -> Self {
        let mark = |of: &[usize]| {
            let mut marked = vec![false; cells];
            of.iter().for_each(|&cell| marked[cell] = true);
            marked
        };
        let marks = [&first.group, &first.block, &second.group, &second.block].map(|cells| mark(cells));
        let mut parts: Vec<([bool; 4], Vec<usize>)> = Vec::new();
        for cell in (0..cells).filter(|&cell| marks[1][cell] || marks[3][cell]) {
            let kind = [marks[0][cell], marks[1][cell], marks[2][cell], marks[3][cell]];
            match parts.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, cells)) => cells.push(cell),
                None => parts.push((kind, vec![cell])),
            }
        }
        let (kinds, cells) = parts.into_iter().unzip();
        Self { kinds, cells }
    }

    /// Whether a cell is in both conditions.
    fn overlap(&self) -> bool {
        self.kinds.iter().any(|kind| kind[1] && kind[3])
    }

    /// The condition of each part: the first, or the second if they have no cell in common.
    pub(crate) fn conditions(&self) -> Vec<usize> {
        let overlap = self.overlap();
        self.kinds.iter().map(|kind| usize::from(kind[3] && !overlap)).collect()
    }

    /// Both shares, from those of the parts.
    pub(crate) fn shares(&self, of_parts: &[f64]) -> [f64; 2] {
        let sum = |which: usize| -> f64 {
            of_parts.iter().zip(&self.kinds).filter(|(_, kind)| kind[which]).map(|(share, _)| share).sum()
        };
        // A condition of tiny parameters may have no mass in a draw.
        [sum(0) / sum(1).max(f64::MIN_POSITIVE), sum(2) / sum(3).max(f64::MIN_POSITIVE)]
    }
}

/// How to find both shares in a draw.
struct Pair {
    grouping: Grouping,
    /// For conditions that overlap, what they consist of.
    parts: Option<Parts>,
}

impl Pair {
    fn new(reader: &Reader, first: &Side, second: &Side) -> Result<Self, ReadingError> {
        let mut parts = Parts::new(reader.space.all_cells(), [first, second]);
        if !parts.overlap() {
            let blocks = vec![first.as_block(), second.as_block()];
            return Ok(Self { grouping: grouping(reader, blocks)?, parts: None });
        }
        let blocks = vec![Block::new(std::mem::take(&mut parts.cells), Vec::new())];
        Ok(Self { grouping: grouping(reader, blocks)?, parts: Some(parts) })
    }

    fn shares(&self, draw: &Draw) -> [f64; 2] {
        match &self.parts {
            Some(parts) => parts.shares(&draw.shares[0]),
            None => [draw.shares[0][0], draw.shares[1][0]],
        }
    }
}

fn shares(reader: &Reader, contrast: &Contrast, kind: ContrastKind) -> Result<Contrasted, ReadingError> {
    let (first, second) = (Side::new(&reader.space, contrast, 0)?, Side::new(&reader.space, contrast, 1)?);
    let pair = Pair::new(reader, &first, &second)?;
    let (one, other) = (first.operand(reader)?, second.operand(reader)?);
    let draws = reader.sampler(&pair.grouping).map(reader.draws, reader.seed, |draw| pair.shares(draw));
    let count = draws.len() as f64;
    let larger = draws.iter().filter(|[first, second]| first > second).count() as f64 / count;
    let measure = measurement(kind);
    let sample = Sample::new(draws.iter().map(|both| value(kind, *both)).collect());
    // The mean of a difference is the difference of the means of both shares.
    let mean = (kind == ContrastKind::Difference).then_some(one.operand.mean - other.operand.mean);
    let mut measured = Measured::of_draws(measure, mean, &sample, reader.ways);
    if let (Some(sums), Some(a), Some(b)) = (&reader.sums, &one.share, &other.share) {
        let sides = [first.side(a), second.side(b)];
        let found = sums.contrast(sides, reader.ways.about, scale(kind));
        (measured.estimate, measured.confidence) = (found.estimate, Some(found.ends));
        if reader.ways.interval == IntervalKind::Confidence {
            measured.interval = found.ends;
        }
    }
    let alone = reader.has_no_credible() && measured.confidence.is_some();
    if alone {
        (measured.credible, measured.error) = (NO_INTERVAL, 0.0);
        (measured.mean, measured.median) = (measured.estimate, measured.estimate.unwrap_or(measured.median));
    }
    let interval = match measured.confidence {
        Some(_) => reader.ways.interval,
        None => reader.ways.interval.without_confidence(),
    };
    let method = one.method;
    let of_probability = frequency_error(larger, draws.len() as u64);
    let compared = Contrasted {
        first: Some(one.operand),
        second: Some(other.operand),
        interval,
        about: reader.ways.about_of(interval),
        error: measured.error.max(if alone { 0.0 } else { of_probability }),
        measures: vec![measured],
        probability_larger: (!alone).then_some(larger),
        // Nothing of what is left comes from draws.
        draws: (!alone).then_some(reader.draws),
        seed: (!alone).then_some(reader.seed),
        words: first.words.clone().and(second.words.clone()),
        ..blank(reader, contrast, method)
    };
    Ok(compared.with_basis())
}

/// The difference of two means or quantiles.
fn numbers(reader: &Reader, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
    let about = Ways { interval: IntervalKind::Confidence, ..reader.ways };
    let read = |reading: &Reading, level: f64| {
        let ways = Ways { level, simultaneous: false, ..about };
        Reader { ways, ..reader.clone() }.confidence_alone().read(reading)
    };
    let weights = |reading: &Reading, mean: f64| {
        let (_, column) = reading.number_of()?;
        let (layout, numbers) = Numbers::new(&reader.space, reading, column).ok()?;
        Some(numbers.weights(&layout.blocks[0], reader.space.all_cells(), mean))
    };
    let correlation = |sides: [&Reading; 2], means: [f64; 2]| {
        let [one, other] = [weights(sides[0], means[0]), weights(sides[1], means[1])];
        let sums = reader.sums.as_ref();
        one.zip(other).zip(sums).map_or(0.0, |((one, other), sums)| sums.noise_correlation(&one, &other))
    };
    Contrasted::of_numbers(contrast, about, read, correlation)
}

/// The comparison of two shares.
fn value(kind: ContrastKind, [first, second]: [f64; 2]) -> f64 {
    let positive = |share: f64| share.max(f64::MIN_POSITIVE);
    let odds = |share: f64| positive(share) / positive(1.0 - share);
    match kind {
        ContrastKind::Difference => first - second,
        ContrastKind::Ratio => (positive(first) / positive(second)).min(f64::MAX),
        ContrastKind::OddsRatio | ContrastKind::Independence => (odds(first) / odds(second)).min(f64::MAX),
    }
}

/// What a comparison of shares measures.
fn measurement(kind: ContrastKind) -> Measurement {
    match kind {
        ContrastKind::Difference => Measurement::Difference,
        ContrastKind::Ratio => Measurement::Ratio,
        ContrastKind::OddsRatio | ContrastKind::Independence => Measurement::OddsRatio,
    }
}

/// On which scale shares are compared.
fn scale(kind: ContrastKind) -> Scale {
    match kind {
        ContrastKind::Difference => Scale::Difference,
        ContrastKind::Ratio => Scale::Ratio,
        ContrastKind::OddsRatio | ContrastKind::Independence => Scale::OddsRatio,
    }
}

impl Contrasted {
    /// The difference of two means or quantiles, from readings of both at a level.
    ///
    /// Quantiles have the intervals of half the misses each: both hold at once at least as often as the level says, and so
    /// does the difference (docs/proofs/ordered.md). Those of means are combined as shares are, and are those of quantiles
    /// where those of shares are; of bins, the lower edges of one side with the upper ones of the other.
    pub(crate) fn of_numbers(
        contrast: &Contrast,
        ways: Ways,
        read: impl Fn(&Reading, f64) -> Result<ReadingTable, ReadingError>,
        correlation: impl Fn([&Reading; 2], [f64; 2]) -> f64,
    ) -> Result<Self, ReadingError> {
        let missing = || ReadingError::NoCells { reading: contrast.to_string() };
        let sides = [contrast.reading(0).ok_or_else(missing)?, contrast.reading(1).ok_or_else(missing)?];
        let of_means = contrast.number_of().is_some_and(|(what, _)| *what == NumberOf::Mean);
        let one = |side: &Reading, level: f64| -> Result<(ReadingTable, ReadingRow), ReadingError> {
            let mut table = read(side, level)?;
            if table.interval != IntervalKind::Confidence || table.rows.is_empty() {
                return Err(ReadingError::NotAdditive { what: "differences of means and quantiles" });
            }
            let row = table.rows.remove(0);
            Ok((table, row))
        };
        let both =
            |level: f64| -> Result<_, ReadingError> { Ok((one(&sides[0], level)?, one(&sides[1], level)?)) };
        // Both intervals at once.
        let ((table, first), (other, second)) = both(half_of_misses(ways.level))?;
        let apart = [first.interval[0] - second.interval[1], first.interval[1] - second.interval[0]];
        let (first, second, ends) = if of_means {
            let wide = [first.interval, second.interval];
            let ((_, first), (_, second)) = both(ways.level)?;
            let means = [first.estimate, second.estimate];
            let shared =
                means[0].zip(means[1]).map(|(one, other)| correlation([&sides[0], &sides[1]], [one, other]));
            let joined = shared.and_then(|shared| joined([&first, &second], shared));
            // An end that is the same at both levels is that of all numbers, and not one that a test rejected.
            let is_apart = |end: usize| {
                let same = |row: &ReadingRow, wide: [f64; 2], end: usize| row.interval[end] == wide[end];
                first.may_be_empty
                    || second.may_be_empty
                    || same(&first, wide[0], end)
                    || same(&second, wide[1], 1 - end)
            };
            let end = |end: usize| joined.filter(|_| !is_apart(end)).map_or(apart[end], |joined| joined[end]);
            let ends = [end(0), end(1)];
            (first, second, ends)
        } else {
            (first, second, apart)
        };
        let estimate = place_of(first.estimate, first.bin).zip(place_of(second.estimate, second.bin));
        let estimate = estimate.map(|(one, other)| one - other);
        let measured = Measured {
            measure: Measurement::NumberDifference,
            mean: estimate,
            estimate,
            median: estimate.unwrap_or(0.5 * (ends[0] + ends[1])).clamp(ends[0], ends[1]),
            confidence: Some(ends),
            credible: NO_INTERVAL,
            interval: ends,
            error: 0.0,
        };
        let operand = |row: ReadingRow| Operand {
            given: row.given,
            cell: row.cell,
            estimate: place_of(row.estimate, row.bin),
            mean: row.mean,
            confidence: row.confidence,
            credible: NO_INTERVAL,
            interval: row.interval,
            may_be_empty: row.may_be_empty,
            unknown: None,
        };
        Ok(Self {
            comparison: contrast.clone(),
            kind: contrast.kind(),
            of: contrast.asked_columns(),
            given: Term::columns(contrast.given()),
            first: Some(operand(first)),
            second: Some(operand(second)),
            unknown: table.unknown,
            measures: vec![measured],
            probability_larger: None,
            method: if of_means { ReadingMethod::Measured } else { table.method },
            error: 0.0,
            draws: None,
            seed: None,
            level: ways.level,
            interval: IntervalKind::Confidence,
            about: ways.about,
            words: table.words.and(other.words),
        })
    }

    /// A comparison of two shares that have confidence intervals and no posterior.
    pub(crate) fn confident(
        contrast: &Contrast,
        ways: Ways,
        sides: [Side; 2],
        unknown: [Option<Unknown>; 2],
        shares: [&ComparedShare; 2],
        correlation: f64,
    ) -> Self {
        let found = scale(contrast.kind()).interval(shares, correlation);
        let [low, high] = found.ends;
        let measured = Measured {
            measure: measurement(contrast.kind()),
            mean: found.estimate,
            estimate: found.estimate,
            median: found.estimate.unwrap_or(low).clamp(low, high),
            confidence: Some(found.ends),
            credible: NO_INTERVAL,
            interval: found.ends,
            error: 0.0,
        };
        let [first, second] = sides;
        let words = first.words.clone().and(second.words.clone());
        Self {
            comparison: contrast.clone(),
            kind: contrast.kind(),
            of: contrast.asked_columns(),
            given: Term::columns(contrast.given()),
            first: Some(first.confident(&shares[0].interval, unknown[0])),
            second: Some(second.confident(&shares[1].interval, unknown[1])),
            unknown: None,
            measures: vec![measured],
            probability_larger: None,
            method: ReadingMethod::Measured,
            error: 0.0,
            draws: None,
            seed: None,
            level: ways.level,
            interval: IntervalKind::Confidence,
            about: ways.about,
            words,
        }
    }

    /// Compares by the posterior, in the place of the confidence intervals: of both shares the mean and the interval, and
    /// chains of draws of both together.
    pub(crate) fn credible(
        self,
        ways: Ways,
        shares: [(f64, [f64; 2]); 2],
        chains: &[Vec<[f64; 2]>],
        seed: u64,
    ) -> Self {
        let of_chain = |chain: &Vec<[f64; 2]>| chain.iter().map(|both| value(self.kind, *both)).collect();
        let sample = Sample::of_chains(chains.iter().map(of_chain).collect());
        let larger = |chain: &Vec<[f64; 2]>| {
            chain.iter().filter(|[first, second]| first > second).count() as f64 / chain.len() as f64
        };
        let larger: Vec<f64> = chains.iter().map(larger).collect();
        // The mean of a ratio may be infinite.
        let mean = (self.kind == ContrastKind::Difference).then(|| sample.mean());
        let drawn = Measured::of_draws(measurement(self.kind), mean, &sample, ways);
        let known = self.measures.first().map_or((None, None), |known| (known.estimate, known.confidence));
        let error = mean.map_or(drawn.error, |_| drawn.error.max(sample.mean_error()));
        let measured = Measured { estimate: known.0, confidence: known.1, error, ..drawn };
        let operand = |operand: Operand, (mean, ends): (f64, [f64; 2])| Operand {
            mean,
            credible: ends,
            interval: ends,
            ..operand
        };
        let [one, other] = shares;
        Self {
            first: self.first.map(|first| operand(first, one)),
            second: self.second.map(|second| operand(second, other)),
            error: measured.error.max(chain_error(&larger)).max(1.0 / sample.len().max(1) as f64),
            measures: vec![measured],
            probability_larger: Some(larger.iter().sum::<f64>() / larger.len() as f64),
            method: ReadingMethod::Draws,
            draws: Some(sample.len()),
            seed: Some(seed),
            interval: ways.interval,
            ..self
        }
    }
}

impl Contrasted {
    /// Says what is known of confidence intervals, if they are shown.
    fn with_basis(self) -> Self {
        let confident = self.interval == IntervalKind::Confidence;
        Self { method: if confident { ReadingMethod::Measured } else { self.method }, ..self }
    }
}

/// The standard error of a probability from this many draws. Where all draws agree it is that of one draw which does not:
/// they say that the rest is rare, and not that it never happens.
#[must_use]
pub fn frequency_error(frequency: f64, draws: u64) -> f64 {
    let count = draws.max(1) as f64;
    (frequency * (1.0 - frequency) / count).sqrt().max(1.0 / count)
}

impl Measured {
    fn of_draws(measure: Measurement, mean: Option<f64>, sample: &Sample, ways: Ways) -> Self {
        let error = sample.interval_error(ways.level).max(sample.quantile_error(0.5));
        let (median, credible) = (sample.quantile(0.5), sample.interval_of(ways));
        Self { measure, mean, estimate: None, median, confidence: None, credible, interval: credible, error }
    }
}

/// The interval of the difference of two means, from the distances of their ends from the estimates.
fn joined([first, second]: [&ReadingRow; 2], shared: f64) -> Option<[f64; 2]> {
    let (one, other) = (first.estimate?, second.estimate?);
    let [[a, b], [c, d]] = [first.interval, second.interval];
    let [bins, others] = [first, second].map(|row| 0.5 * row.of_bins.unwrap_or(0.0));
    // Noise that both share in the same direction would make the interval shorter; that is left out.
    let shared = shared.min(0.0);
    let reach = |one: f64, other: f64| {
        let (one, other) = (one.max(0.0), other.max(0.0));
        (one * one + other * other - 2.0 * shared * one * other).sqrt()
    };
    let low = (one - bins) - (other + others) - reach(one - bins - a, d - other - others);
    let high = (one + bins) - (other - others) + reach(b - one - bins, other - others - c);
    Some([low.max(a - d), high.min(b - c)])
}

/// A number, or the middle of a bin.
fn place_of(estimate: Option<f64>, bin: Option<[f64; 2]>) -> Option<f64> {
    estimate.or(bin.map(|[low, high]| 0.5 * (low + high)))
}

/// A comparison without numbers.
fn blank(reader: &Reader, contrast: &Contrast, method: ReadingMethod) -> Contrasted {
    Contrasted {
        comparison: contrast.clone(),
        kind: contrast.kind(),
        of: contrast.asked_columns(),
        given: Term::columns(contrast.given()),
        first: None,
        second: None,
        unknown: None,
        measures: Vec::new(),
        probability_larger: None,
        method: if method == ReadingMethod::WithoutNoise { method } else { ReadingMethod::Draws },
        error: 0.0,
        draws: Some(reader.draws),
        seed: Some(reader.seed),
        level: reader.ways.level,
        interval: reader.ways.interval.without_confidence(),
        about: reader.ways.about_of(reader.ways.interval.without_confidence()),
        words: Words::default(),
    }
}

/// The cells of two columns, and how many values each has.
fn grid(space: &Space, contrast: &Contrast) -> Result<(Layout, usize, usize), ReadingError> {
    let terms = Terms { of: contrast.shares_of(), given: contrast.given(), of_all: contrast.of_all };
    let layout = Layout::new(space, terms, &|| contrast.to_string())?;
    let size = |index: usize| -> Result<usize, ReadingError> {
        let column = &space.columns()[space.column(&contrast.shares_of()[index].column)?];
        Ok(if contrast.of_all { column.values.len() } else { column.answers().count() })
    };
    let (rows, columns) = (size(0)?, size(1)?);
    if layout.blocks[0].asked().len() != rows * columns {
        // A condition on one of both columns leaves nothing to be independent of.
        let given = contrast.given().iter().map(|term| term.column.clone());
        let both = given.filter(|name| contrast.shares_of().iter().any(|term| term.column == *name));
        return Err(ReadingError::Repeated { what: both.collect::<Vec<_>>().join(", ") });
    }
    Ok((layout, rows, columns))
}

fn independence(reader: &Reader, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
    if reader.dependent {
        return Err(ReadingError::DependentRecords);
    }
    let (layout, rows, columns) = grid(&reader.space, contrast)?;
    let unknown = Unknown::of(reader, layout.unknown())?;
    let found = associated(reader, &layout, (contrast, columns))?;
    let grouping = layout.grouping(&reader.space)?;
    let measure = |draw: &Draw| association(&draw.shares[0], rows, columns);
    let draws = reader.sampler(&grouping).map(reader.draws, reader.seed, measure);
    let measured = [Measurement::MutualInformation, Measurement::CramersV].into_iter().enumerate();
    let measured = measured.map(|(index, measure)| {
        let values: Vec<f64> = draws.iter().map(|both| both[index]).collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
        let measured = Measured::of_draws(measure, Some(mean), &Sample::new(values), reader.ways);
        Measured { error: measured.error.max((variance / count).sqrt()), ..measured }
    });
    let mut measures: Vec<Measured> = measured.collect();
    let is_confident = found.is_some() && reader.ways.interval == IntervalKind::Confidence;
    if let Some(found) = found {
        for (measured, (estimate, ends)) in
            measures.iter_mut().zip([(None, found.information), (found.estimate, found.ends)])
        {
            (measured.estimate, measured.confidence) = (estimate, Some(ends));
            if is_confident {
                measured.interval = ends;
            }
        }
    }
    let method = if reader.models_noise() { ReadingMethod::Draws } else { ReadingMethod::WithoutNoise };
    let error = measures.iter().map(|one| one.error).fold(0.0, f64::max);
    let compared = Contrasted { unknown, measures, error, ..blank(reader, contrast, method) };
    if !is_confident {
        return Ok(compared);
    }
    let interval = IntervalKind::Confidence;
    Ok(Contrasted { interval, about: Subject::Population, ..compared }.with_basis())
}

/// The confidence intervals of mutual information and Cramer's V; none where the noise does not add up. They are about the
/// population.
fn associated(
    reader: &Reader,
    layout: &Layout,
    (contrast, columns): (&Contrast, usize),
) -> Result<Option<Association>, ReadingError> {
    let Some(sums) = reader.sums.as_ref().filter(|_| reader.ways.about == Subject::Population) else {
        return Ok(None);
    };
    let table = sums.table(layout.blocks[0].asked(), columns);
    let table = table.ok_or(ReadingError::NotAdditive { what: "tests of so many cells" })?;
    Ok(Some(table.association(reader.ways.level, sums.seed(&contrast.to_string()))))
}

/// The mutual information, in nats, and Cramer's V of a table of probabilities (Cramer 1946, section 21.9):
/// `I = sum p_ij ln(p_ij / (p_i q_j))` and `V^2 = sum (p_ij - p_i q_j)^2/(p_i q_j) / (min(rows, columns) - 1)`.
fn association(shares: &[f64], rows: usize, columns: usize) -> [f64; 2] {
    let of_row = |row: usize| shares[row * columns..(row + 1) * columns].iter().sum::<f64>();
    let of_column = |column: usize| shares.iter().skip(column).step_by(columns).sum::<f64>();
    let across: Vec<f64> = (0..columns).map(of_column).collect();
    let (mut information, mut squares) = (0.0, 0.0);
    for row in 0..rows {
        let down = of_row(row);
        for (column, other) in across.iter().enumerate() {
            let (share, expected) = (shares[row * columns + column], down * other);
            if expected > 0.0 {
                squares += (share - expected) * (share - expected) / expected;
            }
            if share > 0.0 && expected > 0.0 {
                information += share * (share / expected).ln();
            }
        }
    }
    let most = rows.min(columns).saturating_sub(1).max(1) as f64;
    [information.max(0.0), (squares / most).sqrt().min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values by hand: an independent table has zeros, a diagonal one ln 2 and 1.
    #[test]
    fn association_of_known_tables() {
        let near = |found: [f64; 2], expected: [f64; 2]| {
            assert!((found[0] - expected[0]).abs() < 1e-12, "{found:?} {expected:?}");
            assert!((found[1] - expected[1]).abs() < 1e-12, "{found:?} {expected:?}");
        };
        near(association(&[0.1, 0.3, 0.15, 0.45], 2, 2), [0.0, 0.0]);
        near(association(&[0.5, 0.0, 0.0, 0.5], 2, 2), [2_f64.ln(), 1.0]);
        // Odds 4 to 1 on the diagonal: V = 0.6, I = 0.8 ln 1.6 + 0.2 ln 0.4.
        near(association(&[0.4, 0.1, 0.1, 0.4], 2, 2), [0.8 * 1.6_f64.ln() + 0.2 * 0.4_f64.ln(), 0.6]);
    }
}
