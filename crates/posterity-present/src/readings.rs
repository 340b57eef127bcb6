//! Readings and comparisons as rows.

use posterity::number::{self, counted, grouped, narrowest, to_width};
use posterity::table::{
    IntervalKind, Measured, Measurement, Operand, ReadingMethod, ReadingRow, Statistic, Subject, Unknown,
    frequency_error,
};
use posterity::{Contrasted, ReadingTable};

use crate::intervals::{NO_SHARE, Shown, marked};
use crate::mark::Mark;
use crate::sheet::{Column, Sheet, Value};
use crate::uncertain::{self, numbers, percent, percents};

/// The rows of all readings and comparisons for other programs: a column for each column of the release that is read, and
/// where values are unknown, the share and the interval of their part. The mark says whether the release is private.
#[must_use]
pub fn records<'a>(mark: Mark, readings: &'a [ReadingTable], comparisons: &'a [Contrasted]) -> Sheet<'a> {
    let read = columns_read(readings);
    let names = ["reading"].into_iter().chain(read.iter().copied()).chain(["measure"]);
    let names = names.chain(Numbers::COLUMNS).chain(["median", "probability_larger", "method", "error"]);
    let with_unknown = readings.iter().any(|table| table.unknown.is_some());
    let names = names.chain(UNKNOWN.into_iter().filter(move |_| with_unknown));
    let columns = names.map(|name| Column::text(name.to_owned())).collect();
    let unread = vec![Value::Missing; read.len()];
    let read = readings.iter().flat_map(move |table| {
        let read = read.clone();
        table.rows.iter().map(move |row| {
            let label = |name: &&str| row.cell.get(name).or_else(|| row.given.get(name));
            let labels = read.iter().map(|name| label(name).map_or(Value::Missing, Value::text));
            let what = (table.reading.to_string(), table.statistic.word());
            let how = (table.method, table.error);
            let record = record(what, labels, Numbers::of_row(table, row), [None; 2], how);
            record.into_iter().chain(with_unknown.then(|| unknown(table)).into_iter().flatten()).collect()
        })
    });
    let compared = comparisons.iter().flat_map(move |one| {
        let unread = unread.clone();
        one.measures.iter().map(move |measured| {
            let what = (one.comparison.to_string(), measured.measure.with_unit());
            let more = [Some(measured.median), one.probability_larger];
            let labels = unread.iter().cloned();
            let how = (one.method, measured.error);
            let record = record(what, labels, Numbers::of_measured(one, measured), more, how);
            let none = UNKNOWN.map(|_| Value::Missing).into_iter().filter(|_| with_unknown);
            record.into_iter().chain(none).collect()
        })
    });
    mark.on(Sheet::new(columns, read.chain(compared)))
}

/// The columns of what is unknown.
pub const UNKNOWN: [&str; 3] = ["unknown", "unknown_low", "unknown_high"];

/// The part of the records of a reading whose value is unknown, with its interval: a value for each of [`UNKNOWN`].
#[must_use]
pub fn unknown<'a>(table: &ReadingTable) -> [Value<'a>; 3] {
    match table.unknown {
        Some(Unknown { share, interval: [low, high] }) => [share, low, high].map(Value::Real),
        None => UNKNOWN.map(|_| Value::Missing),
    }
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

/// One row: what is read and what the number says, the labels, the numbers, the median and the probability of a
/// comparison, and how they were computed.
fn record<'a>(
    (reading, measure): (String, &'a str),
    labels: impl Iterator<Item = Value<'a>>,
    numbers: Numbers,
    more: [Option<f64>; 2],
    (method, error): (ReadingMethod, f64),
) -> Vec<Value<'a>> {
    let how = more.map(Value::optional).into_iter().chain([Value::text(method.word()), Value::Real(error)]);
    let what = [Value::text(reading)].into_iter().chain(labels).chain([Value::text(measure)]);
    what.chain(numbers.values(Value::Real)).chain(how).collect()
}

/// The numbers of a row, for other programs.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    estimate: Option<f64>,
    mean: Option<f64>,
    interval: [f64; 2],
    confidence: Option<[f64; 2]>,
    credible: [f64; 2],
    kind: IntervalKind,
    level: f64,
    about: Subject,
    marks: [bool; 2],
}

impl Numbers {
    /// The names of their columns.
    pub const COLUMNS: [&'static str; 13] = [
        "estimate",
        "mean",
        "low",
        "high",
        "interval_kind",
        "level",
        "about",
        "confidence_low",
        "confidence_high",
        "credible_low",
        "credible_high",
        "mostly_prior",
        "may_be_empty",
    ];

    /// Those of a row of a reading.
    #[must_use]
    pub fn of_row(table: &ReadingTable, row: &ReadingRow) -> Self {
        Self {
            estimate: row.estimate,
            mean: Some(row.mean),
            interval: row.interval,
            confidence: row.confidence,
            credible: row.credible,
            kind: table.interval,
            level: table.level,
            about: table.about,
            marks: [row.mostly_prior, row.may_be_empty],
        }
    }

    /// Those of a comparison.
    #[must_use]
    pub fn of_measured(one: &Contrasted, measured: &Measured) -> Self {
        Self {
            estimate: measured.estimate,
            mean: measured.mean,
            interval: measured.interval,
            confidence: measured.confidence,
            credible: measured.credible,
            kind: one.interval,
            level: one.level,
            about: one.about,
            marks: [false; 2],
        }
    }

    /// Those of a cell that has no share of its own, because a value is unknown there.
    #[must_use]
    pub fn of_unknown(table: &ReadingTable) -> Self {
        let none = [f64::NAN; 2];
        Self {
            estimate: None,
            mean: None,
            interval: none,
            confidence: None,
            credible: none,
            kind: table.interval,
            level: table.level,
            about: table.about,
            marks: [false; 2],
        }
    }

    /// Those of a cell whose posterior alone is known.
    #[must_use]
    pub fn of_posterior(mean: f64, credible: [f64; 2], level: f64) -> Self {
        Self {
            estimate: None,
            mean: Some(mean),
            interval: credible,
            confidence: None,
            credible,
            kind: IntervalKind::Credible,
            level,
            about: Subject::Population,
            marks: [false; 2],
        }
    }

    /// One value for each column, with the numbers as they are to be written.
    pub fn values<'a>(self, number: impl Fn(f64) -> Value<'a>) -> [Value<'a>; 13] {
        let optional = |value: Option<f64>| value.map_or(Value::Missing, &number);
        let [low, high] = self.interval.map(|end| optional(Some(end).filter(|end| !end.is_nan())));
        let ends = |of: Option<[f64; 2]>| of.map_or([Value::Missing, Value::Missing], |of| of.map(&number));
        let ([confidence_low, confidence_high], [credible_low, credible_high]) =
            (ends(self.confidence), ends(Some(self.credible).filter(|ends| !ends[0].is_nan())));
        let [mostly_prior, may_be_empty] = self.marks.map(Value::Truth);
        [
            optional(self.estimate),
            optional(self.mean),
            low,
            high,
            Value::text(self.kind.word()),
            number(self.level),
            Value::text(self.about.word()),
            confidence_low,
            confidence_high,
            credible_low,
            credible_high,
            mostly_prior,
            may_be_empty,
        ]
    }
}

/// The rows of a reading for a reader: the columns of the condition, those of the cells, the number and the interval.
#[must_use]
pub fn reading(table: &ReadingTable) -> Sheet<'_> {
    let columns = columns(table);
    let width = narrowest(table.rows.iter().map(|row| row.interval));
    let rows = table.rows.iter().map(move |row| {
        let labels = row.given.iter().chain(row.cell.iter());
        let labels = labels.map(|(column, value)| Value::text(table.words.value(column, value)));
        let width = width.unwrap_or(row.interval[1] - row.interval[0]);
        let (number, ends) = match table.statistic {
            Statistic::Count => (number::count(row.shown().round()), counts(row.interval)),
            Statistic::Quantile => (place(row), edges(row.interval)),
            _ => (to_width(row.shown(), width), number::interval(row.interval, width)),
        };
        let numbers = [Value::text(marked(row, table.interval, &number)), Value::text(ends)];
        labels.chain(numbers).collect()
    });
    Sheet::new(columns, rows)
}

/// The columns of a reading: those of the condition, those of the cells, the number and the interval.
fn columns(table: &ReadingTable) -> Vec<Column> {
    let shown = Shown::from(table);
    let what = match table.statistic {
        Statistic::Share => shown.share().to_owned(),
        Statistic::Count => "count".to_owned(),
        Statistic::Mean | Statistic::Sum | Statistic::Quantile => number_of(table),
    };
    let names = table.given.iter().chain(cells(table)).map(|name| Column::text(name.clone()));
    names.chain([Column::number(what), Column::number(shown.head())]).collect()
}

/// The columns whose values are cells. A number of a column has none, but for the names of several quantiles.
#[must_use]
pub fn cells(table: &ReadingTable) -> &[String] {
    let has_cells = |row: &ReadingRow| !row.cell.is_empty();
    if table.statistic == Statistic::Share || table.rows.iter().any(has_cells) { &table.of } else { &[] }
}

/// The number of a column that a table has, in words.
fn number_of(table: &ReadingTable) -> String {
    let number = table.reading.number_of();
    number.map_or_else(|| table.of.join(", "), |(what, column)| what.in_words(column))
}

/// Where the estimate of a quantile lies: a number, or a bin.
fn place(row: &ReadingRow) -> String {
    match (row.bin, row.estimate) {
        (Some(bin), _) => edges(bin),
        (None, Some(number)) => number.to_string(),
        (None, None) => NO_SHARE.to_owned(),
    }
}

/// From one number of a column to another.
#[must_use]
pub fn edges([low, high]: [f64; 2]) -> String {
    format!("{low} to {high}")
}

/// A reading in percent, for people who have never seen a share: `38.7 %`, with its interval.
#[must_use]
pub fn in_percent(table: &ReadingTable) -> Sheet<'_> {
    let columns = columns(table);
    let cells = cells(table);
    let rows = table.rows.iter().map(move |row| {
        let given = table.given.iter().map(|column| (column, row.given.get(column)));
        let labels = given.chain(cells.iter().map(|column| (column, row.cell.get(column))));
        let [value, interval] = match table.statistic {
            Statistic::Share => [percent(row.shown(), row.interval), percents(row.interval)],
            Statistic::Mean | Statistic::Sum => {
                [uncertain::number(row.shown(), row.interval), numbers(row.interval)]
            }
            Statistic::Quantile => [place(row), edges(row.interval)],
            Statistic::Count => [number::count(row.shown().round()), counts(row.interval)],
        };
        let numbers = [marked(row, table.interval, &value), interval];
        let labels = labels.map(|(column, value)| {
            value.map_or(Value::Missing, |value| Value::text(table.words.value(column, value)))
        });
        labels.chain(numbers.map(Value::text)).collect()
    });
    Sheet::new(columns, rows)
}

/// What a table shows: `admitted, by department and gender`.
#[must_use]
pub fn in_words(table: &ReadingTable) -> String {
    let and = |names: &[String]| match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    };
    let of = match table.statistic {
        Statistic::Share => and(&table.of),
        Statistic::Mean | Statistic::Sum | Statistic::Quantile => number_of(table),
        Statistic::Count => "count".to_owned(),
    };
    let of = if table.reading.is_of_all() { format!("{of} of all") } else { of };
    match table.given.as_slice() {
        [] => of,
        given => format!("{of}, by {}", and(given)),
    }
}

/// Comparisons in percent and in points, for people who have never seen a share.
#[must_use]
pub fn compared_in_percent(all: &[Contrasted]) -> Sheet<'_> {
    // Where the kinds differ, each interval says its own.
    let heads: Vec<String> = all.iter().map(|one| Shown::from(one).head()).collect();
    let same = heads.windows(2).all(|two| two[0] == two[1]);
    let head = heads.into_iter().next().filter(|_| same).unwrap_or_else(|| "interval".to_owned());
    let columns = vec![
        Column::text("what"),
        Column::text("measure"),
        Column::number("value"),
        Column::number(head),
        Column::number("the first is larger"),
    ];
    let rows = all.iter().flat_map(move |one| {
        one.measures.iter().map(move |measured| {
            let [value, interval] = measured_in_percent(measured);
            let kind = if same { String::new() } else { format!(" ({})", one.interval) };
            vec![
                Value::text(one.comparison.to_string()),
                Value::text(measured.measure.words()),
                Value::text(value),
                Value::text(interval + &kind),
                one.probability_larger.map_or(Value::Missing, |larger| Value::text(likely(larger))),
            ]
        })
    });
    Sheet::new(columns, rows)
}

/// What comes out of a comparison, with its interval. A difference is in points.
fn measured_in_percent(measured: &Measured) -> [String; 2] {
    if measured.measure != Measurement::Difference {
        return [uncertain::number(measured.shown(), measured.interval), numbers(measured.interval)];
    }
    let points = [percent(measured.shown(), measured.interval), percents(measured.interval)];
    points.map(|text| text.replace(" %", " points"))
}

/// A probability in words that do not say more than the draws do.
fn likely(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent < 0.1 => "under 0.1 %".to_owned(),
        percent if percent > 99.9 => "over 99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// An interval of numbers of records.
#[must_use]
pub fn counts([low, high]: [f64; 2]) -> String {
    format!("{} to {}", number::count(low), number::count(high))
}

/// A comparison for a reader: both shares, what comes out, and the probability that the first is larger.
#[must_use]
pub fn comparison(compared: &Contrasted) -> Sheet<'_> {
    let head = Shown::from(compared).head();
    if compared.interval == IntervalKind::Confidence {
        let columns = vec![Column::text(""), Column::number("estimate"), Column::number(head)];
        let rows = lines(compared, |[name, shown, _, interval]| vec![name, shown, interval]);
        return Sheet::new(columns, rows);
    }
    let columns =
        vec![Column::text(""), Column::number("mean"), Column::number("median"), Column::number(head)];
    Sheet::new(columns, lines(compared, |[name, mean, median, interval]| vec![name, mean, median, interval]))
}

/// The rows of a comparison: the name, the estimate or the mean, the median and the interval.
fn lines<'a>(
    compared: &'a Contrasted,
    row: impl Fn([Value<'a>; 4]) -> Vec<Value<'a>>,
) -> Vec<Vec<Value<'a>>> {
    let confidence = compared.interval == IntervalKind::Confidence;
    let operand = |operand: &Operand| {
        let width = operand.interval[1] - operand.interval[0];
        [
            Value::text(compared.name(operand)),
            Value::text(if operand.may_be_empty {
                NO_SHARE.into()
            } else {
                to_width(operand.shown(), width)
            }),
            Value::Missing,
            Value::text(number::interval(operand.interval, width)),
        ]
    };
    let measured = |measured: &Measured| {
        // An interval without an upper end is as exact as its lower end.
        let [low, high] = measured.interval;
        let width = if high.is_finite() { high - low } else { measured.shown() - low };
        let number = if confidence { Some(measured.shown()) } else { measured.mean };
        [
            Value::text(measured.measure.with_unit()),
            number.map_or(Value::Missing, |number| Value::text(to_width(number, width))),
            Value::text(to_width(measured.median, width)),
            Value::text(number::interval(measured.interval, width)),
        ]
    };
    let larger = compared.probability_larger.map(|larger| {
        let first = "P(first is larger)";
        [Value::text(first), Value::text(counted(larger)), Value::Missing, Value::Missing]
    });
    let operands = [&compared.first, &compared.second].into_iter().flatten().map(operand);
    operands.chain(compared.measures.iter().map(measured)).chain(larger).map(row).collect()
}

/// How many draws some numbers come from, and how exact they are.
#[must_use]
pub fn drawn(what: &str, draws: u64, seed: u64, error: f64) -> String {
    let draws = grouped(&draws.to_string());
    let precision = if error > 0.0 {
        format!("with a standard error of at most {}", rough(error))
    } else {
        "which all agree".to_owned()
    };
    format!("{what} come from {draws} draws of seed {seed}, {precision}.")
}

/// What is known of the intervals of tables and comparisons: a sentence for each method. Where there are several methods,
/// it begins with what it is about.
#[must_use]
pub fn bases<'a>(
    tables: impl IntoIterator<Item = &'a ReadingTable>,
    comparisons: &'a [Contrasted],
) -> Vec<String> {
    let tables = tables.into_iter().map(|table| (table.method, table.reading.to_string()));
    let compared = comparisons.iter().map(|one| (one.method, one.comparison.to_string()));
    let mut known: Vec<(ReadingMethod, Vec<String>)> = Vec::new();
    for (method, name) in tables.chain(compared) {
        match known.iter_mut().find(|(other, _)| *other == method) {
            Some((_, names)) => names.push(name),
            None => known.push((method, vec![name])),
        }
    }
    let one = known.len() == 1;
    let sentence = |(method, names): (ReadingMethod, Vec<String>)| {
        if one {
            return method.sentence().to_owned();
        }
        format!("{}: {}", names.join("; "), method.sentence())
    };
    known.into_iter().map(sentence).collect()
}

/// How exact what comparisons take from draws is: all of it, or beside confidence intervals only the probability that the
/// first is larger.
#[must_use]
pub fn drawn_comparisons(comparisons: &[Contrasted]) -> Option<String> {
    let (draws, seed) = comparisons.iter().find_map(|one| one.draws.zip(one.seed))?;
    let probability =
        |one: &Contrasted| one.probability_larger.map_or(0.0, |larger| frequency_error(larger, draws));
    let worst = |error: &dyn Fn(&Contrasted) -> f64| comparisons.iter().map(error).fold(0.0, f64::max);
    if comparisons.iter().all(|one| one.interval == IntervalKind::Confidence) {
        comparisons.iter().find(|one| one.probability_larger.is_some())?;
        let what = "Probabilities that the first is larger";
        return Some(drawn(what, draws, seed, worst(&probability)));
    }
    Some(drawn("Comparisons", draws, seed, worst(&|one| one.error)))
}

/// An error, of which two digits are enough.
#[must_use]
pub fn rough(error: f64) -> String {
    if error >= 1e-3 { format!("{error:.4}") } else { format!("{error:.1e}") }
}

/// Said where the noise is not modelled.
pub const WITHOUT_NOISE: &str =
    "the noise of this mechanism is not modelled, so the intervals leave it out and are too narrow";
