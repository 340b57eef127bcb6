//! The tables of a study as comma-separated values.

use posterity::number::digits;
use posterity::{Contrasted, Document, ReadingTable};
use posterity_present::readings::{Numbers, UNKNOWN, unknown};
use posterity_present::{Column, Mark, Sheet, Value, cells as present, csv};

/// The cells of a release.
pub(crate) fn cells(document: &Document) -> String {
    let columns = ["category"].into_iter().chain(Numbers::COLUMNS).chain(["released_count"]);
    let released = document.released_counts().as_slice().iter().map(|count| Value::text(count.to_string()));
    let cells = document.categories().names().iter().zip(present::numbers(document)).zip(released);
    let rows = cells.map(|((name, numbers), released)| {
        [Value::text(name)].into_iter().chain(numbers.values(number)).chain([released]).collect()
    });
    csv::text(Mark::of(document).on(Sheet::new(columns.map(Column::text).collect(), rows)))
}

/// The rows of a reading: a column for each column of the release that it names, then the numbers.
pub(crate) fn reading(mark: Mark, table: &ReadingTable) -> String {
    let names = table.given.iter().chain(&table.of).cloned();
    let columns = names.map(Column::text).chain(Numbers::COLUMNS.map(Column::text));
    let heads = UNKNOWN.into_iter().filter(|_| table.unknown.is_some());
    let columns = columns.chain(heads.map(Column::text));
    let rows = table.rows.iter().map(|row| {
        let labels = table.given.iter().map(|column| row.given.get(column));
        let labels = labels.chain(table.of.iter().map(|column| row.cell.get(column)));
        let labels = labels.map(|label| label.map_or(Value::Missing, Value::text));
        let part = table.unknown.map(|_| unknown(table)).into_iter().flatten();
        labels.chain(Numbers::of_row(table, row).values(number)).chain(part).collect()
    });
    csv::text(mark.on(Sheet::new(columns.collect(), rows)))
}

/// The measures of all comparisons.
pub(crate) fn comparisons(mark: Mark, all: &[Contrasted]) -> String {
    let columns = ["comparison", "measure", "probability_larger"].into_iter().chain(Numbers::COLUMNS);
    let columns = columns.chain(["median", "error"]).map(Column::text);
    let rows = all.iter().flat_map(|one| {
        one.measures.iter().map(|measured| {
            let larger = one.probability_larger.map_or(Value::Missing, number);
            [Value::text(one.comparison.to_string()), Value::text(measured.measure.words()), larger]
                .into_iter()
                .chain(Numbers::of_measured(one, measured).values(number))
                .chain([number(measured.median), number(measured.error)])
                .collect()
        })
    });
    csv::text(mark.on(Sheet::new(columns.collect(), rows)))
}

/// A number in digits that mean something.
fn number(value: f64) -> Value<'static> {
    Value::text(digits(value))
}
