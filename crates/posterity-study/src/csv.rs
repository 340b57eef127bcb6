//! The tables of a study as comma-separated values.

use posterity::number::digits;
use posterity::{Contrasted, Document, ReadingTable};
use posterity_present::{Column, Sheet, Value, csv};

/// The cells of a release.
pub(crate) fn cells(document: &Document) -> String {
    let columns = ["category", "mean", "low", "high", "level", "released_count"].map(Column::text);
    let (mean, intervals) = document.best_summary();
    let released = document.released_counts().as_slice();
    let rows = document.categories().names().iter().enumerate().map(|(index, name)| {
        let [low, high] = intervals[index];
        let numbers = [mean[index], low, high, document.request().level()].map(number);
        let released = Value::text(released[index].to_string());
        [Value::text(name)].into_iter().chain(numbers).chain([released]).collect()
    });
    csv::text(Sheet::new(columns.into(), rows))
}

/// The rows of a reading: a column for each column of the release that it names, then the numbers.
pub(crate) fn reading(table: &ReadingTable) -> String {
    let names = table.given.iter().chain(&table.of).cloned();
    let columns = names.map(Column::text).chain(["mean", "low", "high", "level"].map(Column::text));
    let rows = table.rows.iter().map(|row| {
        let labels = table.given.iter().map(|column| row.given.get(column));
        let labels = labels.chain(table.of.iter().map(|column| row.cell.get(column)));
        let [low, high] = row.interval;
        let numbers = [row.mean, low, high, table.level].map(number);
        labels.map(|label| label.map_or(Value::Missing, Value::text)).chain(numbers).collect()
    });
    csv::text(Sheet::new(columns.collect(), rows))
}

/// The measures of all comparisons.
pub(crate) fn comparisons(all: &[Contrasted]) -> String {
    let columns = ["comparison", "measure", "median", "low", "high", "level", "probability_larger", "error"];
    let rows = all.iter().flat_map(|one| {
        one.measures.iter().map(|measured| {
            let [low, high] = measured.interval;
            let larger = one.probability_larger.map_or(Value::Missing, number);
            let numbers = [measured.median, low, high, one.level].map(number);
            [Value::text(one.comparison.to_string()), Value::text(measured.measure.words())]
                .into_iter()
                .chain(numbers)
                .chain([larger, number(measured.error)])
                .collect()
        })
    });
    csv::text(Sheet::new(columns.map(Column::text).into(), rows))
}

/// A number in digits that mean something.
fn number(value: f64) -> Value<'static> {
    Value::text(digits(value))
}
