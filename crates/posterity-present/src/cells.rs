//! The cells of a release as rows.

use posterity::Document;
use posterity::number::{interval, narrowest, parameter, to_width};

use crate::sheet::{Column, Sheet, Value};

/// All cells for other programs, with the promise in every row.
#[must_use]
pub fn records(document: &Document) -> Sheet<'_> {
    let columns = [
        "category",
        "parameter",
        "mean",
        "low",
        "high",
        "level",
        "private",
        "epsilon",
        "n",
        "about",
        "promise",
    ];
    let (mean, intervals) = document.best_summary();
    let about = document.about().in_words();
    let rows = document.categories().names().iter().enumerate().map(move |(i, name)| {
        let [low, high] = intervals[i];
        vec![
            Value::text(name),
            Value::Real(document.posterior().parameters.parameters()[i]),
            Value::Real(mean[i]),
            Value::Real(low),
            Value::Real(high),
            Value::Real(document.request().level()),
            Value::Truth(document.is_private()),
            Value::Real(document.epsilon()),
            Value::Whole(document.n()),
            Value::text(about.clone()),
            Value::text(&document.guarantee().statement),
        ]
    });
    Sheet::new(columns.map(Column::text).into(), rows)
}

/// The mean, the interval and the parameter of each category, for a reader.
#[must_use]
pub fn categories(document: &Document) -> Sheet<'_> {
    let posterior = document.posterior();
    // Intervals that leave the noise out are too narrow, which the reader must not miss.
    let noise = if document.noise_aware().is_some() { "" } else { " without noise" };
    let columns = vec![
        Column::text("category"),
        Column::number("mean"),
        Column::number(format!("{} % interval{noise}", posterior.percent())),
        Column::number("parameter"),
    ];
    let (mean, intervals) = document.best_summary();
    let width = narrowest(intervals.iter().copied());
    let rows = posterior.categories.names().iter().enumerate().map(move |(i, name)| {
        let width = width.unwrap_or(intervals[i][1] - intervals[i][0]);
        vec![
            Value::text(name),
            Value::text(to_width(mean[i], width)),
            Value::text(interval(intervals[i], width)),
            Value::text(parameter(posterior.parameters.parameters()[i])),
        ]
    });
    Sheet::new(columns, rows)
}
