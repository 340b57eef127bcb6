//! Readings and comparisons as rows.

use posterity::number::{self, counted, grouped, narrowest, percent, to_width};
use posterity::table::{Measured, Operand, ReadingMethod, Statistic};
use posterity::{Contrasted, ReadingTable};

use crate::sheet::{Column, Sheet, Value};

/// The rows of all readings and comparisons for other programs: a column for each column of the release that is read.
#[must_use]
pub fn records<'a>(readings: &'a [ReadingTable], comparisons: &'a [Contrasted]) -> Sheet<'a> {
    let read = columns_read(readings);
    let numbers =
        ["measure", "mean", "median", "low", "high", "probability_larger", "level", "method", "error"];
    let names = ["reading"].into_iter().chain(read.iter().copied()).chain(numbers);
    let columns = names.map(|name| Column::text(name.to_owned())).collect();
    let unread = vec![Value::Missing; read.len()];
    let read = readings.iter().flat_map(move |table| {
        let read = read.clone();
        table.rows.iter().map(move |row| {
            let label = |name: &&str| row.cell.get(name).or_else(|| row.given.get(name));
            let labels = read.iter().map(|name| label(name).map_or(Value::Missing, Value::text));
            let what = (table.reading.to_string(), table.statistic.word());
            let numbers = [Value::Real(row.mean), Value::Missing];
            record(what, labels, numbers, row.interval, None, (table.level, table.method, table.error))
        })
    });
    let compared = comparisons.iter().flat_map(move |one| {
        let unread = unread.clone();
        one.measures.iter().map(move |measured| {
            let what = (one.comparison.to_string(), measured.measure.with_unit());
            let numbers = [Value::optional(measured.mean), Value::Real(measured.median)];
            let how = (one.level, one.method, measured.error);
            let labels = unread.iter().cloned();
            record(what, labels, numbers, measured.interval, one.probability_larger, how)
        })
    });
    Sheet::new(columns, read.chain(compared))
}

/// The columns that are read, each once.
fn columns_read(readings: &[ReadingTable]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in readings.iter().flat_map(|table| table.given.iter().chain(&table.of)) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// One row: what is read and what the number says, the labels, mean and median, and how it was computed.
fn record<'a>(
    (reading, measure): (String, &'a str),
    labels: impl Iterator<Item = Value<'a>>,
    [mean, median]: [Value<'a>; 2],
    [low, high]: [f64; 2],
    larger: Option<f64>,
    (level, method, error): (f64, ReadingMethod, f64),
) -> Vec<Value<'a>> {
    let numbers = [
        Value::text(measure),
        mean,
        median,
        Value::Real(low),
        Value::Real(high),
        Value::optional(larger),
        Value::Real(level),
        Value::text(method.word()),
        Value::Real(error),
    ];
    [Value::text(reading)].into_iter().chain(labels).chain(numbers).collect()
}

/// The rows of a reading for a reader: the columns of the condition, those of the cells, the mean and the interval.
#[must_use]
pub fn reading(table: &ReadingTable) -> Sheet<'_> {
    let noise = if table.method == ReadingMethod::WithoutNoise { " without noise" } else { "" };
    let what = match table.statistic {
        Statistic::Share => "mean".to_owned(),
        Statistic::Mean => format!("mean of {}", table.of.join(", ")),
    };
    let cells = if table.statistic == Statistic::Mean { &[][..] } else { &table.of };
    let columns = table.given.iter().chain(cells).map(|name| Column::text(name.clone()));
    let numbers =
        [Column::number(what), Column::number(format!("{} % interval{noise}", percent(table.level)))];
    let width = narrowest(table.rows.iter().map(|row| row.interval));
    let rows = table.rows.iter().map(move |row| {
        let labels = row.given.iter().chain(row.cell.iter()).map(|(_, value)| Value::text(value));
        let width = width.unwrap_or(row.interval[1] - row.interval[0]);
        let numbers =
            [Value::text(to_width(row.shown(), width)), Value::text(number::interval(row.interval, width))];
        labels.chain(numbers).collect()
    });
    Sheet::new(columns.chain(numbers).collect(), rows)
}

/// A comparison for a reader: both shares, what comes out, and the probability that the first is larger.
#[must_use]
pub fn comparison(compared: &Contrasted) -> Sheet<'_> {
    let interval = format!("{} % interval", percent(compared.level));
    let columns =
        vec![Column::text(""), Column::number("mean"), Column::number("median"), Column::number(interval)];
    let operand = |operand: &Operand| {
        let width = operand.interval[1] - operand.interval[0];
        let name = match (operand.given.is_empty(), operand.cell.is_empty()) {
            (true, _) => operand.cell.to_string(),
            (_, true) => operand.given.to_string(),
            _ => format!("{} | {}", operand.cell, operand.given),
        };
        vec![
            Value::text(name),
            Value::text(to_width(operand.shown(), width)),
            Value::Missing,
            Value::text(number::interval(operand.interval, width)),
        ]
    };
    let measured = |measured: &Measured| {
        let width = measured.interval[1] - measured.interval[0];
        vec![
            Value::text(measured.measure.with_unit()),
            measured.mean.map_or(Value::Missing, |mean| Value::text(to_width(mean, width))),
            Value::text(to_width(measured.median, width)),
            Value::text(number::interval(measured.interval, width)),
        ]
    };
    let larger = compared.probability_larger.map(|larger| {
        let first = "P(first is larger)";
        vec![Value::text(first), Value::text(counted(larger)), Value::Missing, Value::Missing]
    });
    let operands = [&compared.first, &compared.second].into_iter().flatten().map(operand);
    let rows: Vec<_> = operands.chain(compared.measures.iter().map(measured)).chain(larger).collect();
    Sheet::new(columns, rows)
}

/// How many draws some numbers come from, and how exact they are.
#[must_use]
pub fn drawn(what: &str, draws: u64, seed: u64, error: f64) -> String {
    let draws = grouped(&draws.to_string());
    format!(
        "{what} come from {draws} draws of seed {seed}, with a standard error of at most {}.",
        rough(error)
    )
}

/// An error, of which two digits are enough.
#[must_use]
pub fn rough(error: f64) -> String {
    if error >= 1e-3 { format!("{error:.4}") } else { format!("{error:.1e}") }
}

/// Said where the noise is not modelled.
pub const WITHOUT_NOISE: &str =
    "the noise of this mechanism is not modelled, so the intervals leave it out and are too narrow";
