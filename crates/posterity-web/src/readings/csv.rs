//! Readings and comparisons as comma-separated values.

use posterity::Document;
use posterity::csv::{header, line};
use posterity::table::{columns_read, record_header, records};

/// All rows, in the columns of `posterity read --format csv`: a column for each column of the release that is read.
pub(crate) fn csv(document: &Document) -> String {
    let (readings, comparisons) = (document.readings(), document.comparisons());
    let columns = columns_read(readings);
    let mut text = header(record_header(&columns));
    for record in records(columns, readings, comparisons) {
        text += &line(record.cells());
    }
    text
}
