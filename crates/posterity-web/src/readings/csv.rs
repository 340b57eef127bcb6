//! Readings and comparisons as comma-separated values.

use posterity::{Document, columns_read, record_header, records};

/// All rows, in the columns of `posterity read --format csv`: a column for each column of the release that is read.
pub(crate) fn csv(document: &Document) -> String {
    let (readings, comparisons) = (document.readings(), document.comparisons());
    let columns = columns_read(readings);
    let mut text = line(record_header(&columns).map(ToOwned::to_owned));
    let optional = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    for record in records(columns, readings, comparisons) {
        let [low, high] = record.interval;
        let labels = record.labels.into_iter().map(|label| label.unwrap_or_default().to_owned());
        let numbers = [
            record.measure.to_owned(),
            optional(record.mean),
            optional(record.median),
            low.to_string(),
            high.to_string(),
            optional(record.probability_larger),
            record.level.to_string(),
            record.method.to_owned(),
            record.error.to_string(),
        ];
        text += &line([record.reading].into_iter().chain(labels).chain(numbers));
    }
    text
}

fn line(values: impl Iterator<Item = String>) -> String {
    let quoted = values.map(|value| {
        if value.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", value.replace('"', "\"\""))
        } else {
            value
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}
