//! The cells of a release as rows.

use posterity::Document;
use posterity::number::{interval, narrowest, parameter, to_width};

use crate::intervals::{Shown, marked};
use crate::readings::Numbers;
use crate::sheet::{Column, Sheet, Value};

/// All cells for other programs, with the promise in every row.
#[must_use]
pub fn records(document: &Document) -> Sheet<'_> {
    let columns = ["category", "parameter"].into_iter().chain(Numbers::COLUMNS);
    let columns = columns.chain(["private", "epsilon", "n", "data", "promise"]).map(Column::text);
    let about = document.about().in_words();
    let rows = document.categories().names().iter().zip(numbers(document)).enumerate();
    let rows = rows.map(move |(i, (name, numbers))| {
        let cell = [Value::text(name), Value::Real(document.posterior().parameters.parameters()[i])];
        let release = [
            Value::Truth(document.is_private()),
            Value::Real(document.epsilon()),
            document.n().map_or(Value::Missing, Value::Whole),
            Value::text(about.clone()),
            Value::text(&document.guarantee().statement),
        ];
        cell.into_iter().chain(numbers.values(Value::Real)).chain(release).collect()
    });
    Sheet::new(columns.collect(), rows)
}

/// The numbers of each cell.
pub fn numbers(document: &Document) -> Box<dyn Iterator<Item = Numbers> + '_> {
    if let Some(table) = document.cells() {
        return Box::new(table.rows.iter().map(|row| Numbers::of_row(table, row)));
    }
    let ((mean, intervals), level) = (document.best_summary(), document.request().level());
    Box::new(mean.iter().zip(intervals).map(move |(&mean, &ends)| Numbers::of_posterior(mean, ends, level)))
}

/// The number, the interval and the parameter of each category, for a reader.
#[must_use]
pub fn categories(document: &Document) -> Sheet<'_> {
    let (posterior, shown) = (document.posterior(), Shown::of_cells(document));
    let columns = vec![
        Column::text("category"),
        Column::number(shown.share()),
        Column::number(shown.head()),
        Column::number("parameter"),
    ];
    let (number, intervals) = document.best_summary();
    let cells = document.cells();
    let width = narrowest(intervals.iter().copied());
    let rows = posterior.categories.names().iter().enumerate().map(move |(i, name)| {
        let width = width.unwrap_or(intervals[i][1] - intervals[i][0]);
        let number = to_width(number[i], width);
        let row = cells.and_then(|table| Some((table.rows.get(i)?, table.interval)));
        vec![
            Value::text(name),
            Value::text(row.map_or_else(|| number.clone(), |(row, kind)| marked(row, kind, &number))),
            Value::text(interval(intervals[i], width)),
            Value::text(parameter(posterior.parameters.parameters()[i])),
        ]
    });
    Sheet::new(columns, rows)
}
