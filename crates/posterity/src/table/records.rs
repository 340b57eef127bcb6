//! Readings and comparisons as rows of one table, for other programs.

use super::{Contrasted, ReadingTable};
use crate::csv::Cell;

/// A row of a table of readings and comparisons: a share, a mean, or a measure of a comparison.
#[derive(Clone, Debug)]
pub struct Record<'a> {
    /// The reading or comparison.
    pub reading: String,
    /// The value of each column that is read, where the row has one.
    pub labels: Vec<Option<&'a str>>,
    /// What the number says.
    pub measure: &'static str,
    /// The posterior mean.
    pub mean: Option<f64>,
    /// The median, of comparisons.
    pub median: Option<f64>,
    /// The interval.
    pub interval: [f64; 2],
    /// The probability that the first is larger, of comparisons of two.
    pub probability_larger: Option<f64>,
    /// The probability of the interval.
    pub level: f64,
    /// How it was computed.
    pub method: &'static str,
    /// The error that is stated.
    pub error: f64,
}

impl<'a> Record<'a> {
    /// Its cells, below [`record_header`].
    pub fn cells(self) -> impl Iterator<Item = Cell<'a>> {
        let [low, high] = self.interval;
        let labels = self.labels.into_iter().map(|label| label.map_or(Cell::Missing, Cell::text));
        let numbers = [
            Cell::text(self.measure),
            Cell::optional(self.mean),
            Cell::optional(self.median),
            Cell::number(low),
            Cell::number(high),
            Cell::optional(self.probability_larger),
            Cell::number(self.level),
            Cell::text(self.method),
            Cell::number(self.error),
        ];
        [Cell::text(self.reading)].into_iter().chain(labels).chain(numbers)
    }
}

/// The columns that are read, each once.
#[must_use]
pub fn columns_read(readings: &[ReadingTable]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in readings.iter().flat_map(|table| table.given.iter().chain(&table.of)) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// The header of a table of records in which these columns are read.
pub fn record_header<'a>(columns: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let numbers =
        ["measure", "mean", "median", "low", "high", "probability_larger", "level", "method", "error"];
    ["reading"].into_iter().chain(columns.to_vec()).chain(numbers)
}

/// The rows of all readings and comparisons, with a label for each of these columns.
pub fn records<'a>(
    columns: Vec<&'a str>,
    readings: &'a [ReadingTable],
    comparisons: &'a [Contrasted],
) -> impl Iterator<Item = Record<'a>> {
    let number = columns.len();
    let read = readings.iter().flat_map(move |table| {
        let columns = columns.clone();
        table.rows.iter().map(move |row| Record {
            reading: table.reading.to_string(),
            labels: columns.iter().map(|name| row.cell.get(name).or_else(|| row.given.get(name))).collect(),
            measure: table.statistic.word(),
            mean: Some(row.mean),
            median: None,
            interval: row.interval,
            probability_larger: None,
            level: table.level,
            method: table.method.word(),
            error: table.error,
        })
    });
    let compared = comparisons.iter().flat_map(move |one| {
        one.measures.iter().map(move |measured| Record {
            reading: one.comparison.to_string(),
            labels: vec![None; number],
            measure: measured.measure.with_unit(),
            mean: measured.mean,
            median: Some(measured.median),
            interval: measured.interval,
            probability_larger: one.probability_larger,
            level: one.level,
            method: one.method.word(),
            error: measured.error,
        })
    });
    read.chain(compared)
}
