//! Readings within the released tables.

use posterity_margins::{Estimated, Estimates};

use super::MarginsDocument;
use super::answer::Margins;
use super::asked::{Asked, check};
use crate::document::DocumentError;
use crate::table::{
    IntervalKind, Labels, Layout, NO_INTERVAL, Reading, ReadingError, ReadingMethod, ReadingRow,
    ReadingTable, Space, Statistic, Subject, Term, Ways,
};

impl Margins {
    /// Reads shares or counts of columns that stand together in a table.
    ///
    /// # Errors
    /// [`ReadingError`]; it names tables that have some of the columns if none has all of them.
    pub fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        let asked = Asked::new(&self.request.about, self.plan.workload(), reading)?;
        let broken = || ReadingError::Document { reason: "its draw does not fit its tables".to_owned() };
        let estimates: Estimates<'_> = self.estimates().ok_or_else(broken)?;
        let table = estimates.table(&asked.set).map_err(|_| broken())?;
        let ways = self.request.terms.ways;
        let rows = if reading.is_count() {
            counts(&table, &asked.layout, ways)
        } else {
            shares(&table, &asked.layout, ways)?
        };
        let names = |terms: &[Term]| terms.iter().map(|term| term.column.clone()).collect();
        let count = reading.is_count();
        Ok(ReadingTable {
            of: names(reading.shares_of()),
            given: names(reading.given()),
            reading: reading.clone(),
            statistic: if count { Statistic::Count } else { Statistic::Share },
            method: ReadingMethod::Exact,
            error: 0.0,
            draws: None,
            seed: None,
            level: ways.level,
            interval: IntervalKind::Confidence,
            about: if count { Subject::Records } else { ways.about },
            simultaneous: ways.simultaneous,
            rows,
        })
    }

    /// What is read: what was asked for, or each column by itself.
    #[must_use]
    pub fn readings(&self) -> Vec<ReadingTable> {
        let terms = &self.request.terms;
        let usual;
        let readings = if terms.readings.is_empty() {
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
        let columns = self.request.about.columns.iter();
        let few = columns.filter(|column| column.values.len() <= Space::MOST_LISTED);
        few.map(|column| Reading::shares(vec![Term::each(&column.name)], Vec::new())).collect()
    }
}

impl MarginsDocument {
    /// The same draw with other intervals and readings. A signature is left out.
    ///
    /// # Errors
    /// [`ReadingError`] if there are no such intervals, or a table does not have the columns of a reading.
    pub fn with_readings(&self, ways: Ways, readings: Vec<Reading>) -> Result<Self, ReadingError> {
        let answer = self.answer();
        answer.request.check_ways(ways)?;
        let workload = answer.plan.workload();
        readings.iter().try_for_each(|reading| check(self.about(), workload, reading))?;
        self.read_as(answer.asked_as(ways, readings))
            .map_err(|error: DocumentError| ReadingError::Document { reason: error.to_string() })
    }
}

/// The share of each group in its condition.
fn shares(table: &Estimated, layout: &Layout, ways: Ways) -> Result<Vec<ReadingRow>, ReadingError> {
    let all = layout.labels.iter().map(|(_, cells)| cells.len()).sum();
    let (level, cells) = (ways.level_of_each(all), table.cells().len());
    let mut rows = Vec::with_capacity(all);
    for (block, (given, labels)) in layout.blocks.iter().zip(&layout.labels) {
        let mut condition = vec![false; cells];
        block.asked().iter().flatten().chain(block.others()).for_each(|&cell| condition[cell] = true);
        let condition = condition.contains(&false).then_some(condition);
        for (asked, label) in block.asked().iter().zip(labels) {
            let mut group = vec![false; cells];
            asked.iter().for_each(|&cell| group[cell] = true);
            let found = table.share(&group, condition.as_deref()).interval(ways.about.into(), level)?;
            let [low, high] = found.ends;
            let mean = found.estimate.unwrap_or(0.5 * (low + high)).clamp(low, high);
            let shown = row((given, label), found.estimate, mean, found.ends);
            rows.push(ReadingRow { may_be_empty: found.may_be_empty, ..shown });
        }
    }
    Ok(rows)
}

/// How many records each condition has. The noise of a sum of cells has tails that are known.
fn counts(table: &Estimated, layout: &Layout, ways: Ways) -> Vec<ReadingRow> {
    let level = ways.level_of_each(layout.blocks.len());
    let one = |(block, (given, _)): (&_, &(Labels, Vec<Labels>))| {
        let block: &posterity_core::table::Block = block;
        let mut group = vec![false; table.cells().len()];
        block.asked().iter().flatten().for_each(|&cell| group[cell] = true);
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

fn row((given, cell): (&Labels, &Labels), estimate: Option<f64>, mean: f64, ends: [f64; 2]) -> ReadingRow {
    ReadingRow {
        given: given.clone(),
        cell: cell.clone(),
        estimate,
        mean,
        confidence: Some(ends),
        credible: NO_INTERVAL,
        interval: ends,
        mostly_prior: false,
        may_be_empty: false,
    }
}
