//! Tables as comma-separated values.

use posterity::csv::{Cell, header, line};
use posterity::number::digits;
use posterity::{Contrasted, Document, ReadingTable};

/// The cells of a release.
pub(crate) fn cells(document: &Document) -> String {
    let mut csv = header(["category", "mean", "low", "high", "level", "released_count"]);
    let (mean, intervals) = document.best_summary();
    let released = document.released_counts().as_slice();
    for (index, name) in document.categories().names().iter().enumerate() {
        let [low, high] = intervals[index];
        csv += &line([
            Cell::text(name),
            number(mean[index]),
            number(low),
            number(high),
            number(document.request().level()),
            Cell::number(released[index]),
        ]);
    }
    csv
}

/// The rows of a reading: a column for each column of the release that it names, then the numbers.
pub(crate) fn reading(table: &ReadingTable) -> String {
    let names: Vec<&str> = table.given.iter().chain(&table.of).map(String::as_str).collect();
    let mut csv = header(names.into_iter().chain(["mean", "low", "high", "level"]));
    for row in &table.rows {
        let labels = table.given.iter().map(|column| row.given.get(column));
        let labels = labels.chain(table.of.iter().map(|column| row.cell.get(column)));
        let [low, high] = row.interval;
        let numbers = [row.mean, low, high, table.level].map(number);
        csv += &line(labels.map(|label| label.map_or(Cell::Missing, Cell::text)).chain(numbers));
    }
    csv
}

/// The measures of all comparisons.
pub(crate) fn comparisons(all: &[Contrasted]) -> String {
    let mut csv =
        header(["comparison", "measure", "median", "low", "high", "level", "probability_larger", "error"]);
    for one in all {
        for measured in &one.measures {
            let [low, high] = measured.interval;
            csv += &line([
                Cell::text(one.comparison.to_string()),
                Cell::text(measured.measure.words()),
                number(measured.median),
                number(low),
                number(high),
                number(one.level),
                one.probability_larger.map_or(Cell::Missing, number),
                number(measured.error),
            ]);
        }
    }
    csv
}

/// A number in digits that mean something.
fn number(value: f64) -> Cell<'static> {
    Cell::Number(digits(value))
}
