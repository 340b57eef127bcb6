//! Readings and comparisons, for every exporter.

use clap::Args;
use posterity::number::{self, counted, grouped, narrowest, percent, to_width};
use posterity::{
    Contrast, Contrasted, Measured, Operand, Reader, Reading, ReadingError, ReadingMethod, ReadingTable,
    Space, Statistic, columns_read, record_header,
};

use crate::failure::Failure;
use crate::output::{Column, Page, Paragraph, Sheet, Value};

/// What is read from a release.
#[derive(Debug, Args)]
pub(crate) struct ReadingArgs {
    /// Show these shares or means: 'outcome | ward', 'ward in {A, B}', 'mean(score) | ward'; repeat the flag for several. It
    /// costs no privacy; `posterity read --help` shows all forms [default: all cells, and each column by itself]
    #[arg(long, value_name = "READING")]
    pub(super) read: Vec<Reading>,

    /// Compare two shares: 'outcome=yes | ward: A - B', or 'independence(outcome, ward)'; repeat the flag for several. It costs
    /// no privacy
    #[arg(long, value_name = "COMPARISON")]
    pub(super) compare: Vec<Contrast>,
}

/// Refuses readings that a release with these cells does not have. Nothing is charged before.
pub(crate) fn check(args: &ReadingArgs, space: Result<Space, ReadingError>) -> Result<(), Failure> {
    if args.read.is_empty() && args.compare.is_empty() {
        return Ok(());
    }
    let space = space.map_err(Failure::refused)?;
    for reading in &args.read {
        reading.check(&space).map_err(|error| Failure::usage("--read", error))?;
    }
    for contrast in &args.compare {
        contrast.check(&space).map_err(|error| Failure::usage("--compare", error))?;
    }
    Ok(())
}

/// Reads all that is asked for.
pub(crate) fn read_all(
    reader: &Reader,
    args: &ReadingArgs,
) -> Result<(Vec<ReadingTable>, Vec<Contrasted>), Failure> {
    let readings = args.read.iter().map(|reading| reader.read(reading));
    let comparisons = args.compare.iter().map(|contrast| reader.contrast(contrast));
    let readings = readings.collect::<Result<_, _>>().map_err(|error| Failure::usage("--read", error))?;
    let comparisons =
        comparisons.collect::<Result<_, _>>().map_err(|error| Failure::usage("--compare", error))?;
    Ok((readings, comparisons))
}

/// Adds tables and sentences for a reader.
pub(crate) fn show<'a>(page: &mut Page<'a>, readings: &'a [ReadingTable], comparisons: &'a [Contrasted]) {
    for table in readings {
        page.say(Paragraph::led("Reading:", table.reading.to_string()));
        page.sheet(sheet(table));
    }
    for comparison in comparisons {
        page.say(Paragraph::led("Comparison:", comparison.comparison.to_string()));
        page.sheet(compared(comparison));
    }
    for table in readings.iter().filter(|table| table.method == ReadingMethod::Draws) {
        let (draws, seed) = (table.draws.unwrap_or_default(), table.seed.unwrap_or_default());
        page.say(drawn(&format!("The intervals of {}", table.reading), draws, seed, table.error));
    }
    if let Some(comparison) = comparisons.first() {
        let error = comparisons.iter().map(|comparison| comparison.error).fold(0.0, f64::max);
        page.say(drawn("Comparisons", comparison.draws, comparison.seed, error));
    }
    let plain = readings.iter().map(|table| table.method).chain(comparisons.iter().map(|one| one.method));
    if plain.into_iter().any(|method| method == ReadingMethod::WithoutNoise) {
        page.say(Paragraph::warning(
            "the noise of this mechanism is not modelled, so the intervals leave it out and are too narrow.",
        ));
    } else if readings.iter().any(|table| table.method == ReadingMethod::Exact) {
        let error = readings.iter().map(|table| table.error).fold(0.0, f64::max);
        page.explain(Paragraph::led(
            "Readings:",
            format!(
                "shares are exact, with the privacy noise in them, up to {} of their probability. They follow from the \
                 release alone, so they cost nothing.",
                rough(error)
            ),
        ));
    }
}

fn drawn(what: &str, draws: u64, seed: u64, error: f64) -> String {
    let draws = grouped(&draws.to_string());
    format!(
        "{what} come from {draws} draws of seed {seed}, with a standard error of at most {}.",
        rough(error)
    )
}

/// The rows of a reading: the columns of the condition, those of the cells, the mean and the interval.
fn sheet(table: &ReadingTable) -> Sheet<'_> {
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
            [Value::text(to_width(row.mean, width)), Value::text(number::interval(row.interval, width))];
        labels.chain(numbers).collect()
    });
    Sheet::new(columns.chain(numbers).collect(), rows)
}

/// A comparison: both shares, what comes out, and the probability that the first is larger.
fn compared(comparison: &Contrasted) -> Sheet<'_> {
    let interval = format!("{} % interval", percent(comparison.level));
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
            Value::text(to_width(operand.mean, width)),
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
    let larger = comparison.probability_larger.map(|larger| {
        let first = "P(first is larger)";
        vec![Value::text(first), Value::text(counted(larger)), Value::Missing, Value::Missing]
    });
    let operands = [&comparison.first, &comparison.second].into_iter().flatten().map(operand);
    let rows: Vec<_> = operands.chain(comparison.measures.iter().map(measured)).chain(larger).collect();
    Sheet::new(columns, rows)
}

/// An error, of which two digits are enough.
fn rough(error: f64) -> String {
    if error >= 1e-3 { format!("{error:.4}") } else { format!("{error:.1e}") }
}

/// The rows of all readings and comparisons for other programs: a column for each column of the table that is read.
pub(crate) fn records<'a>(readings: &'a [ReadingTable], comparisons: &'a [Contrasted]) -> Sheet<'a> {
    let read = columns_read(readings);
    let columns = record_header(&read).map(|name| Column::text(name.to_owned())).collect();
    let rows = posterity::records(read, readings, comparisons).map(|record| {
        let [low, high] = record.interval;
        let labels = record.labels.into_iter().map(|label| label.map_or(Value::Missing, Value::text));
        let numbers = [
            Value::text(record.measure),
            Value::optional(record.mean),
            Value::optional(record.median),
            Value::Real(low),
            Value::Real(high),
            Value::optional(record.probability_larger),
            Value::Real(record.level),
            Value::text(record.method),
            Value::Real(record.error),
        ];
        [Value::text(record.reading)].into_iter().chain(labels).chain(numbers).collect()
    });
    Sheet::new(columns, rows)
}
