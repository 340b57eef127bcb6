//! Tables as comma-separated values.

use posterity::number::digits;
use posterity::{Contrasted, Document, ReadingTable};

/// A table with a header.
#[derive(Debug, Default)]
pub(crate) struct Csv(String);

impl Csv {
    pub(crate) fn new(header: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut csv = Self::default();
        csv.row(header);
        csv
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        let cells: Vec<String> = cells.into_iter().map(|cell| quoted(cell.as_ref())).collect();
        self.0 += &cells.join(",");
        self.0.push('\n');
    }

    pub(crate) fn text(self) -> String {
        self.0
    }
}

/// Quotes a field where that is needed.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r'])
        || field.starts_with([' ', '\t'])
        || field.ends_with([' ', '\t'])
    {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}

/// The cells of a release.
pub(crate) fn cells(document: &Document) -> String {
    let mut csv = Csv::new(["category", "mean", "low", "high", "level", "released_count"]);
    let (mean, intervals) = document.best_summary();
    let released = document.released_counts().as_slice();
    for (index, name) in document.categories().names().iter().enumerate() {
        let [low, high] = intervals[index];
        csv.row([
            name.clone(),
            digits(mean[index]),
            digits(low),
            digits(high),
            digits(document.request().level()),
            released[index].to_string(),
        ]);
    }
    csv.text()
}

/// The rows of a reading: a column for each column of the release that it names, then the numbers.
pub(crate) fn reading(table: &ReadingTable) -> String {
    let names: Vec<&str> = table.given.iter().chain(&table.of).map(String::as_str).collect();
    let mut csv = Csv::new(names.iter().copied().chain(["mean", "low", "high", "level"]));
    for row in &table.rows {
        let labels = table.given.iter().map(|column| row.given.get(column));
        let labels = labels.chain(table.of.iter().map(|column| row.cell.get(column)));
        let [low, high] = row.interval;
        let numbers = [digits(row.mean), digits(low), digits(high), digits(table.level)];
        csv.row(labels.map(|label| label.unwrap_or_default().to_owned()).chain(numbers));
    }
    csv.text()
}

/// The measures of all comparisons.
pub(crate) fn comparisons(all: &[Contrasted]) -> String {
    let mut csv =
        Csv::new(["comparison", "measure", "median", "low", "high", "level", "probability_larger", "error"]);
    for one in all {
        for measured in &one.measures {
            let [low, high] = measured.interval;
            csv.row([
                one.comparison.to_string(),
                measured.measure.words().to_owned(),
                digits(measured.median),
                digits(low),
                digits(high),
                digits(one.level),
                one.probability_larger.map(digits).unwrap_or_default(),
                digits(measured.error),
            ]);
        }
    }
    csv.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_needed() {
        let mut csv = Csv::new(["a", "b"]);
        csv.row(["x,y", "say \"no\""]);
        csv.row(["two\nlines", " blank"]);
        assert_eq!(csv.text(), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n\"two\nlines\",\" blank\"\n");
    }
}
