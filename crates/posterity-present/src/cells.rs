//! The cells of a release as rows.

use posterity::Document;
use posterity::number::{count, interval, narrowest, percent, to_width};
use posterity_core::confidence::CountInterval;

use crate::intervals::{NO_SHARE, Shown, marked};
use crate::mark::Mark;
use crate::readings::{self, Numbers};
use crate::sheet::{Column, Sheet, Value};

/// All cells for other programs, with the promise in every row.
#[must_use]
pub fn records(document: &Document) -> Sheet<'_> {
    let columns = ["category", "records", "records_low", "records_high"].into_iter().chain(Numbers::COLUMNS);
    let columns = columns.chain(["epsilon", "n", "data", "promise"]).map(Column::text);
    let about = document.about().in_words();
    let counts = document.cell_counts();
    let rows = document.categories().names().iter().zip(numbers(document)).enumerate();
    let rows = rows.map(move |(i, (name, numbers))| {
        let count = counts.as_ref().and_then(|counts| counts.get(i));
        let ends = count.map_or([Value::Missing, Value::Missing], |count| count.ends.map(Value::Whole));
        let [low, high] = ends;
        let estimate = count.map_or(Value::Missing, |count| Value::Real(within(count)));
        let cell = [Value::text(name), estimate, low, high];
        let release = [
            Value::Real(document.epsilon()),
            document.n().map_or(Value::Missing, Value::Whole),
            Value::text(about.clone()),
            Value::text(&document.guarantee().statement),
        ];
        cell.into_iter().chain(numbers.values(Value::Real)).chain(release).collect()
    });
    Mark::of(document).on(Sheet::new(columns.collect(), rows))
}

/// The numbers of each cell.
pub fn numbers(document: &Document) -> Box<dyn Iterator<Item = Numbers> + '_> {
    if let Some(table) = document.cells() {
        let numbers = |row: Option<_>| {
            row.map_or_else(|| Numbers::of_unknown(table), |row| Numbers::of_row(table, row))
        };
        return Box::new((0..document.categories().names().len()).map(move |i| numbers(document.cell(i))));
    }
    let ((mean, intervals), level) = (document.best_summary(), document.request().level());
    Box::new(mean.iter().zip(intervals).map(move |(&mean, &ends)| Numbers::of_posterior(mean, ends, level)))
}

/// The estimated number of records: the noisy count, cut to the ends of its interval.
fn within(count: &CountInterval) -> f64 {
    let [low, high] = count.ends.map(|end| end as f64);
    count.estimate.clamp(low, high)
}

/// The share and the number of records of each category, with the interval of each, for a reader. Where the noise does not
/// add up, nothing is said of numbers of records but which were released.
#[must_use]
pub fn categories(document: &Document) -> Sheet<'_> {
    let shown = Shown::of_cells(document);
    let counts = document.cell_counts();
    let columns = vec![
        Column::text("category"),
        Column::number(shown.share()),
        Column::number(shown.head()),
        Column::number(match counts {
            Some(_) => format!("records ({} %)", percent(document.request().level())),
            None => "released count".to_owned(),
        }),
    ];
    let released = document.released_counts().as_slice();
    let (number, intervals) = document.best_summary();
    let cells = document.cells();
    let width = narrowest(intervals.iter().copied());
    let names = document.categories_in_words().into_owned();
    let rows = names.into_iter().enumerate().map(move |(i, name)| {
        let width = width.unwrap_or(intervals[i][1] - intervals[i][0]);
        let number = to_width(number[i], width);
        let records = match counts.as_ref().and_then(|counts| counts.get(i)) {
            Some(found) => {
                let ends = found.ends.map(|end| end as f64);
                format!("{} ({})", count(within(found).round()), readings::counts(ends))
            }
            None => count(released.get(i).map_or(0.0, |&count| count as f64)),
        };
        let row = cells.map(|table| (document.cell(i), table.interval));
        // What is unknown has no share among the known.
        let [number, ends] = match row {
            Some((None, _)) => [NO_SHARE.to_owned(), NO_SHARE.to_owned()],
            Some((Some(row), kind)) => [marked(row, kind, &number), interval(intervals[i], width)],
            None => [number, interval(intervals[i], width)],
        };
        vec![Value::text(name), Value::text(number), Value::text(ends), Value::text(records)]
    });
    Sheet::new(columns, rows)
}
