//! Readings within the released tables.

use posterity_core::confidence::{ComparedShare, Interval, correlation};
use posterity_core::model::interval_level;
use posterity_core::table::Block;
use posterity_margins::{ColumnSet, Estimated, Estimates};

use super::MarginsDocument;
use super::answer::{Margins, MarginsReading};
use super::asked::{LaidOut, LaidOutContrast};
use super::credible::{Drawn, Prior, Scores, compared, mark, share_of};
use crate::about::About;
use crate::table::{
    Contrast, Contrasted, IntervalKind, Labels, Layout, Numbers, Reader, Reading, ReadingError,
    ReadingMethod, ReadingRow, ReadingTable, Side, Space, Statistic, Subject, Term, Unknown, Ways,
    part_label,
};

impl Margins {
    /// Reads shares, means or counts of columns that stand together in a table.
    ///
    /// # Errors
    /// [`ReadingError`]; it names tables that have some of the columns if none has all of them.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        self.read_with(reading, self.request.terms.ways)
    }

    fn read_with(&self, reading: &Reading, ways: Ways) -> Result<ReadingTable, ReadingError> {
        let asked = LaidOut::new(&self.request.about, self.plan.workload(), reading)?;
        if let Some(bins) = &asked.bins {
            let each = |reading: &Reading, ways| self.read_with(reading, ways);
            let (first, rows) = bins.read(ways, each, |table: &ReadingTable| &table.rows)?;
            let (level, simultaneous) = (ways.level, ways.simultaneous);
            return Ok(ReadingTable { reading: reading.clone(), level, simultaneous, rows, ..first });
        }
        let table = self.table(&asked.set)?;
        let statistic = reading.statistic();
        let ways = match &asked.numbers {
            Some(numbers) if statistic == Statistic::Mean => numbers.ways_of_mean(ways),
            _ => ways,
        };
        let (rows, drawn) = match (&asked.numbers, statistic) {
            (Some(numbers), Statistic::Mean) => means(&table, &asked.layout, numbers, ways)?,
            (Some(numbers), Statistic::Sum) => (sums(&table, &asked.layout, numbers, ways), None),
            (Some(numbers), _) => (quantiles(&table, &asked.layout, numbers, reading, ways)?, None),
            (None, Statistic::Count) => (counts(&table, &asked.layout, ways), None),
            (None, _) => (shares(&table, &asked.layout, ways)?, None),
        };
        let of_records = matches!(statistic, Statistic::Count | Statistic::Sum);
        Ok(ReadingTable {
            of: reading.asked_columns(),
            given: Term::columns(reading.given()),
            reading: reading.clone(),
            statistic,
            method: match statistic {
                _ if drawn.is_some() => ReadingMethod::Draws,
                Statistic::Count | Statistic::Sum => ReadingMethod::Proven,
                _ => ReadingMethod::Measured,
            },
            error: drawn.map_or(0.0, |drawn| drawn.error),
            draws: drawn.map(|drawn| drawn.draws),
            seed: drawn.map(|_| Reader::SEED),
            level: ways.level,
            interval: ways.interval,
            about: if of_records { Subject::Records } else { ways.about },
            simultaneous: ways.simultaneous,
            unknown: unknown(&table, asked.layout.unknown().as_ref(), ways)?,
            words: asked.words,
            rows,
        })
    }

    /// Compares shares of columns that stand together in a table.
    ///
    /// # Errors
    /// As [`Margins::read`], and [`ReadingError::NoIndependence`].
    pub fn contrast(&self, contrast: &Contrast) -> Result<Contrasted, ReadingError> {
        if contrast.number_of().is_some() {
            let ways = Ways { interval: IntervalKind::Confidence, ..self.request.terms.ways };
            let read = |reading: &Reading, level: f64| {
                self.read_with(reading, Ways { level, simultaneous: false, ..ways })
            };
            let weights = |side: &Reading, mean: f64| {
                let set = LaidOut::new(&self.request.about, self.plan.workload(), side).ok()?;
                let table = self.table(&set.set).ok()?;
                let weights = set.numbers?.weights(&set.layout.blocks[0], table.cells().len(), mean);
                Some((table, weights))
            };
            let of_noise = |sides: [&Reading; 2], means: [f64; 2]| {
                let both = weights(sides[0], means[0]).zip(weights(sides[1], means[1]));
                both.map_or(0.0, |((table, one), (_, other))| {
                    correlation(&[Some(one), Some(other)], |a, b| table.covariance(a, b))
                })
            };
            return Contrasted::of_numbers(contrast, ways, read, of_noise);
        }
        let LaidOutContrast { set, sides } =
            LaidOutContrast::new(&self.request.about, self.plan.workload(), contrast)?;
        let (table, ways) = (self.table(&set)?, self.request.terms.ways);
        let share = |side: &Side| {
            let [group, condition] = [&side.group, &side.block].map(|cells| mark(cells, &table));
            let share = table.share(&group, Some(&condition));
            ComparedShare::new(ways.level, |level| share.interval(ways.about, level))
        };
        let shares = [share(&sides[0])?, share(&sides[1])?];
        let both = [sides[0].side(&shares[0]), sides[1].side(&shares[1])];
        let correlation = table.correlation(both, ways.about);
        let left_out = [&sides[0], &sides[1]].map(|side| unknown(&table, side.unknown.as_ref(), ways));
        let [first, second] = left_out;
        let left_out = [first?, second?];
        let confident = |sides| {
            Contrasted::confident(contrast, ways, sides, left_out, [&shares[0], &shares[1]], correlation)
        };
        if ways.interval == IntervalKind::Confidence {
            return Ok(confident(sides));
        }
        let shares = [share_of(&table, &sides[0], ways)?, share_of(&table, &sides[1], ways)?];
        let chains = compared(&table, [&sides[0], &sides[1]])?;
        Ok(confident(sides).credible(ways, shares, &chains, Reader::SEED))
    }

    /// What is compared.
    #[must_use]
    pub fn comparisons(&self) -> Vec<Contrasted> {
        // A request has comparisons within its tables only.
        self.request.terms.comparisons.iter().filter_map(|one| self.contrast(one).ok()).collect()
    }

    /// The estimate of the table of some columns.
    pub(super) fn table(&self, set: &ColumnSet) -> Result<Estimated, ReadingError> {
        let broken = || ReadingError::Document { reason: "its draw does not fit its tables".to_owned() };
        let estimates: Estimates<'_> = self.estimates().ok_or_else(broken)?;
        estimates.table(set).map_err(|_| broken())
    }

    /// What is read: what was asked for, or each column by itself if nothing was.
    #[must_use]
    pub fn readings(&self) -> Vec<ReadingTable> {
        let terms = &self.request.terms;
        let usual;
        let readings = if terms.readings.is_empty() && terms.comparisons.is_empty() {
            usual = self.usual_readings();
            &usual
        } else {
            &terms.readings
        };
        // A request has readings of its tables only.
        readings.iter().filter_map(|reading| self.read(reading).ok()).collect()
    }

    /// Each column by itself. Those of more than [`Space::MOST_LISTED`] values are left out.
    #[must_use]
    pub fn usual_readings(&self) -> Vec<Reading> {
        usual_readings(&self.request.about)
    }
}

/// Each column by itself, if it does not have too many values.
pub(super) fn usual_readings(about: &About) -> Vec<Reading> {
    let few = about.columns.iter().filter(|column| column.values.len() <= Space::MOST_LISTED);
    few.map(|column| Reading::shares(vec![Term::each(&column.name)], Vec::new())).collect()
}

impl MarginsDocument {
    /// The same draw with other intervals, readings and comparisons. A signature is left out.
    ///
    /// # Errors
    /// [`ReadingError`] if there are no such intervals, or no table has the columns of a reading or a comparison.
    pub fn with_readings(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        self.read_as(&MarginsReading { ways, readings, comparisons })
    }
}

/// The share of each group in its condition.
fn shares(table: &Estimated, layout: &Layout, ways: Ways) -> Result<Vec<ReadingRow>, ReadingError> {
    let all = layout.labels.iter().map(|(_, cells)| cells.len()).sum();
    let ways = Ways { level: ways.level_of_each(all), ..ways };
    let mut rows = Vec::with_capacity(all);
    for (block, (given, labels)) in layout.blocks.iter().zip(&layout.labels) {
        let condition = mark(block.asked().iter().flatten().chain(block.others()), table);
        for (asked, label) in block.asked().iter().zip(labels) {
            rows.push(share(table, (asked, &condition), (given, label), ways)?);
        }
    }
    Ok(rows)
}

/// The share of a group in its condition.
fn share(
    table: &Estimated,
    (asked, condition): (&[usize], &[bool]),
    labels: (&Labels, &Labels),
    ways: Ways,
) -> Result<ReadingRow, ReadingError> {
    let group = mark(asked, table);
    let share = table.share(&group, Some(condition));
    let found = share.interval(ways.about, ways.level)?;
    let row = interval_row(labels, &found);
    if ways.interval == IntervalKind::Confidence {
        return Ok(row);
    }
    let prior = Prior::new(table, &group, condition);
    Ok(prior.credible(&share, ways)?.row(row, found.deviation > prior.deviation()))
}

/// How large the part is whose values are unknown, from what [`Layout::unknown`] gives.
fn unknown(table: &Estimated, block: Option<&Block>, ways: Ways) -> Result<Option<Unknown>, ReadingError> {
    let one = |block: &Block| {
        let condition = mark(block.asked().iter().flatten().chain(block.others()), table);
        let none = Labels::default();
        share(table, (&block.asked()[0], &condition), (&none, &none), ways).map(|row| Unknown::from(&row))
    };
    block.map(one).transpose()
}

/// The mean of the numbers of each condition, from that of numbers between 0 and 1, and the draws of all credible
/// intervals, if there were any.
fn means(
    table: &Estimated,
    layout: &Layout,
    numbers: &Numbers,
    ways: Ways,
) -> Result<(Vec<ReadingRow>, Option<Drawn>), ReadingError> {
    let (low, drawn) = means_of(table, layout, &numbers.low, ways)?;
    let Some(high) = &numbers.high else { return Ok((low, drawn)) };
    let (high, of_high) = means_of(table, layout, high, ways)?;
    let rows = low.into_iter().zip(high).map(|(low, high)| low.spanning(high)).collect();
    Ok((rows, Drawn::largest(drawn, of_high)))
}

/// The mean of one number of each group.
fn means_of(
    table: &Estimated,
    layout: &Layout,
    numbers: &[Vec<f64>],
    ways: Ways,
) -> Result<(Vec<ReadingRow>, Option<Drawn>), ReadingError> {
    let level = ways.level_of_each(layout.blocks.len());
    let mut rows = Vec::with_capacity(layout.blocks.len());
    let mut drawn = None;
    for ((block, (given, _)), numbers) in layout.blocks.iter().zip(&layout.labels).zip(numbers) {
        let scores = Scores::new(block, numbers);
        let of_cells = scores.of_cells(table);
        let condition = mark(block.asked().iter().flatten(), table);
        let mean = table.mean(&of_cells, Some(&condition));
        let many = || table.mean_interval(block.asked(), numbers, ways.about, level);
        let found = match (numbers.len() > 2).then(many).flatten() {
            Some(found) => found,
            // A share, stretched.
            None => scores.stretched(mean.interval(ways.about, level)?),
        };
        let row = interval_row((given, &Labels::default()), &found);
        rows.push(if ways.interval == IntervalKind::Confidence {
            row
        } else {
            let credible = scores.credible(table, &mean, &condition, Ways { level, ..ways })?;
            drawn = Drawn::largest(drawn, credible.drawn);
            credible.row(row, found.deviation > scores.prior_deviation())
        });
    }
    Ok((rows, drawn))
}

/// The sum of each condition, over its records. The noise of a weighted sum of cells has tails that are known.
fn sums(table: &Estimated, layout: &Layout, numbers: &Numbers, ways: Ways) -> Vec<ReadingRow> {
    let level = ways.level_of_each(layout.blocks.len());
    let one = |block: usize, numbers: &[Vec<f64>]| {
        let mut weights = vec![0.0; table.cells().len()];
        for (cells, number) in layout.blocks[block].asked().iter().zip(&numbers[block]) {
            cells.iter().for_each(|&cell| weights[cell] = *number);
        }
        let (estimate, reach) = table.sum(&weights, level);
        ReadingRow::confident(
            layout.labels[block].0.clone(),
            Some(estimate),
            [estimate - reach, estimate + reach],
        )
    };
    let row = |block: usize| {
        let low = one(block, &numbers.low);
        match &numbers.high {
            Some(high) => low.spanning(one(block, high)),
            None => low,
        }
    };
    (0..layout.blocks.len()).map(row).collect()
}

/// The quantiles of each condition, from tests of the shares below its edges.
fn quantiles(
    table: &Estimated,
    layout: &Layout,
    numbers: &Numbers,
    reading: &Reading,
    ways: Ways,
) -> Result<Vec<ReadingRow>, ReadingError> {
    let Some((what, column)) = reading.number_of() else { return Ok(Vec::new()) };
    let parts = what.parts();
    let level = interval_level(ways.level_of_each(layout.blocks.len() * parts.len()))?;
    let mut rows = Vec::with_capacity(layout.blocks.len() * parts.len());
    for (block, (given, _)) in layout.labels.iter().enumerate() {
        let order = numbers.order(block);
        let bins = order.cells(&layout.blocks[block]);
        for &part in &parts {
            let found = table.quantile(&bins, part, ways.about, level)?;
            let row = order.row(given.clone(), found.ends, found.bin, found.may_be_empty);
            rows.push(ReadingRow { cell: part_label(column, &parts, part), ..row });
        }
    }
    Ok(rows)
}

/// How many records each condition has. The noise of a sum of cells has tails that are known.
fn counts(table: &Estimated, layout: &Layout, ways: Ways) -> Vec<ReadingRow> {
    let level = ways.level_of_each(layout.blocks.len());
    let one = |(block, (given, _)): (&Block, &(Labels, Vec<Labels>))| {
        let group = mark(block.asked().iter().flatten(), table);
        let (estimate, ends) = count(table, &group, level);
        row((given, &Labels::default()), Some(estimate), estimate.clamp(ends[0], ends[1]), ends)
    };
    layout.blocks.iter().zip(&layout.labels).map(one).collect()
}

/// A number of records with its confidence interval, in whole numbers that are possible.
fn count(table: &Estimated, group: &[bool], level: f64) -> (f64, [f64; 2]) {
    if let Some(n) = table.records().filter(|_| !group.contains(&false)) {
        return (n as f64, [n as f64; 2]);
    }
    let found = table.share(group, None);
    let reach = found.tail.deviations(0.5 * (1.0 - level)) * found.group_variance.sqrt();
    let most = table.records().map_or(f64::INFINITY, |n| n as f64);
    // Rounded outwards in the last digits, so that no whole number is lost.
    let low = (found.group - reach - 1e-6).ceil().clamp(0.0, most);
    let high = (found.group + reach + 1e-6).floor().clamp(0.0, most);
    (found.group, [low, high.max(low)])
}

/// A row with its interval.
fn interval_row(labels: (&Labels, &Labels), found: &Interval) -> ReadingRow {
    let shown = row(labels, found.estimate, found.shown(), found.ends);
    ReadingRow { may_be_empty: found.may_be_empty, ..shown }
}

fn row((given, cell): (&Labels, &Labels), estimate: Option<f64>, mean: f64, ends: [f64; 2]) -> ReadingRow {
    let row = ReadingRow::confident(given.clone(), estimate, ends);
    ReadingRow { cell: cell.clone(), mean, ..row }
}
