//! Readings and comparisons, for every exporter.

use posterity::number::{grouped, percent, to_width};
use posterity::{
    Contrasted, Measured, Measurement, Operand, Reader, ReadingError, ReadingMethod, ReadingTable, Space,
    Statistic,
};

use crate::args::ReadingArgs;
use crate::failure::Failure;
use crate::output::{Column, Page, Paragraph, Sheet, Value};

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
            [Value::text(to_width(row.mean, width)), Value::text(interval_text(row.interval, width))];
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
            Value::text(interval_text(operand.interval, width)),
        ]
    };
    let measured = |measured: &Measured| {
        let width = measured.interval[1] - measured.interval[0];
        vec![
            Value::text(name(measured.measure)),
            measured.mean.map_or(Value::Missing, |mean| Value::text(to_width(mean, width))),
            Value::text(to_width(measured.median, width)),
            Value::text(interval_text(measured.interval, width)),
        ]
    };
    let larger = comparison.probability_larger.map(|larger| {
        let first = "P(first is larger)";
        vec![Value::text(first), Value::text(probability(larger)), Value::Missing, Value::Missing]
    });
    let operands = [&comparison.first, &comparison.second].into_iter().flatten().map(operand);
    let rows: Vec<_> = operands.chain(comparison.measures.iter().map(measured)).chain(larger).collect();
    Sheet::new(columns, rows)
}

/// What a number says, in words.
fn name(measure: Measurement) -> &'static str {
    match measure {
        Measurement::Difference => "difference",
        Measurement::Ratio => "ratio",
        Measurement::OddsRatio => "odds ratio",
        Measurement::MutualInformation => "mutual information (nats)",
        Measurement::CramersV => "Cramer's V",
    }
}

/// A probability that was counted in draws. It is never written as certain.
fn probability(value: f64) -> String {
    match value {
        value if value < 5e-4 => "< 0.001".to_owned(),
        value if value > 1.0 - 5e-4 => "> 0.999".to_owned(),
        value => format!("{value:.3}"),
    }
}

/// An error, of which two digits are enough.
fn rough(error: f64) -> String {
    if error >= 1e-3 { format!("{error:.4}") } else { format!("{error:.1e}") }
}

fn interval_text([low, high]: [f64; 2], width: f64) -> String {
    format!("{} to {}", to_width(low, width), to_width(high, width))
}

/// The width of the narrowest interval, unless it is tiny: all rows have as many decimals as that needs.
fn narrowest(intervals: impl Iterator<Item = [f64; 2]>) -> Option<f64> {
    let widths = intervals.map(|[low, high]| high - low).filter(|width| *width > 0.0);
    Some(widths.fold(f64::INFINITY, f64::min)).filter(|width| *width > 1e-9 && width.is_finite())
}

/// The rows of all readings and comparisons for other programs: a column for each column of the table that is read.
pub(crate) fn records<'a>(readings: &'a [ReadingTable], comparisons: &'a [Contrasted]) -> Sheet<'a> {
    let mut names: Vec<&str> = Vec::new();
    for name in readings.iter().flat_map(|table| table.given.iter().chain(&table.of)) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let fixed =
        ["measure", "mean", "median", "low", "high", "probability_larger", "level", "method", "error"];
    let columns = ["reading"].into_iter().chain(names.iter().copied()).chain(fixed);
    let columns = columns.map(|name| Column::text(name.to_owned())).collect();
    let kept = names.clone();
    let rows = readings.iter().flat_map(move |table| {
        let names = kept.clone();
        table.rows.iter().map(move |row| {
            let labels = names.iter().map(|name| {
                let label = row.cell.get(name).or_else(|| row.given.get(name));
                label.map_or(Value::Missing, Value::text)
            });
            let measure = match table.statistic {
                Statistic::Share => "share",
                Statistic::Mean => "mean",
            };
            let numbers = [
                Value::text(measure),
                Value::Real(row.mean),
                Value::Missing,
                Value::Real(row.interval[0]),
                Value::Real(row.interval[1]),
                Value::Missing,
                Value::Real(table.level),
                Value::text(method(table.method)),
                Value::Real(table.error),
            ];
            let reading = [Value::text(table.reading.to_string())];
            reading.into_iter().chain(labels).chain(numbers).collect()
        })
    });
    let compared = comparisons.iter().flat_map(move |comparison| {
        let labels = names.len();
        comparison.measures.iter().map(move |measured| {
            let numbers = [
                Value::text(name(measured.measure)),
                Value::optional(measured.mean),
                Value::Real(measured.median),
                Value::Real(measured.interval[0]),
                Value::Real(measured.interval[1]),
                Value::optional(comparison.probability_larger),
                Value::Real(comparison.level),
                Value::text(method(comparison.method)),
                Value::Real(measured.error),
            ];
            let labels = std::iter::repeat_n(Value::Missing, labels);
            [Value::text(comparison.comparison.to_string())]
                .into_iter()
                .chain(labels)
                .chain(numbers)
                .collect()
        })
    });
    Sheet::new(columns, rows.chain(compared))
}

fn method(method: ReadingMethod) -> &'static str {
    match method {
        ReadingMethod::Exact => "exact",
        ReadingMethod::Draws => "draws",
        ReadingMethod::WithoutNoise => "without-noise",
    }
}
