//! Rows as lines of text, with the cells of each column below each other.

use std::borrow::Cow;

use posterity::hidden::shown;

use crate::sheet::{Column, Setting, Sheet, Value};

/// Between two columns.
const GAP: usize = 2;

/// A cell of a table of text.
#[derive(Debug)]
pub struct AlignedCell<'a> {
    /// Its column.
    pub column: &'a Column,
    /// Its value; nothing in the line of heads.
    pub value: Option<&'a Value<'a>>,
    /// Its text. Names may hold characters with which they could write over the rest of a terminal; these are shown.
    pub text: &'a str,
    /// How many letters stand before it in its line.
    pub begin: usize,
}

/// Rows as lines of text. A function writes each cell, which may add colours or wrap it.
#[must_use]
pub fn aligned(sheet: Sheet<'_>, write: &dyn Fn(&AlignedCell<'_>) -> String) -> String {
    let columns = sheet.columns;
    let heads: Vec<Cow<'_, str>> = columns.iter().map(|column| shown(&column.name)).collect();
    let rows: Vec<Vec<Value<'_>>> = sheet.rows.collect();
    let texts: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|value| shown(&value.shown()).into_owned()).collect()).collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|index| {
            let cells = texts.iter().filter_map(|row| row.get(index)).map(|text| length(text));
            cells.chain([length(&heads[index])]).max().unwrap_or(0)
        })
        .collect();
    let mut all = String::new();
    // A table of names and values has no heads.
    if heads.iter().any(|head| !head.is_empty()) {
        let cells = heads.iter().map(|head| (None, &**head));
        all += &line(&columns, &widths, cells, write);
    }
    for (row, texts) in rows.iter().zip(&texts) {
        let cells = row.iter().zip(texts).map(|(value, text)| (Some(value), text.as_str()));
        all += &line(&columns, &widths, cells, write);
    }
    all
}

/// The first rows as lines of plain text; a last line says how many more rows there are.
///
/// ```
/// use posterity_present::{Column, Sheet, Value, aligned_text};
/// let rows = [["A", "0.5"], ["B", "12.25"], ["C", "1"]];
/// let rows = rows.map(|row| row.map(Value::text).to_vec());
/// let sheet = Sheet::new(vec![Column::text("ward"), Column::number("share")], rows);
/// assert_eq!(aligned_text(sheet, 2), "ward  share\nA       0.5\nB     12.25\n... and 1 more row\n");
/// ```
#[must_use]
pub fn aligned_text(sheet: Sheet<'_>, most: usize) -> String {
    let Sheet { columns, rows } = sheet;
    let mut rows: Vec<Vec<Value<'_>>> = rows.collect();
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    let mut text = aligned(Sheet::new(columns, rows), &|cell| cell.text.to_owned());
    match more {
        0 => {}
        1 => text += "... and 1 more row\n",
        more => text += &format!("... and {more} more rows\n"),
    }
    text
}

/// One row. Spaces are written before the next cell, so that no line ends in spaces.
fn line<'a>(
    columns: &'a [Column],
    widths: &[usize],
    cells: impl Iterator<Item = (Option<&'a Value<'a>>, &'a str)>,
    write: &dyn Fn(&AlignedCell<'_>) -> String,
) -> String {
    let mut line = String::new();
    let (mut begin, mut spaces) = (0, 0);
    for ((column, (value, text)), &widest) in columns.iter().zip(cells).zip(widths) {
        let free = widest.saturating_sub(length(text));
        if text.is_empty() {
            spaces += widest;
        } else {
            let before = if column.setting == Setting::Right { free } else { 0 };
            line += &" ".repeat(spaces + before);
            line += &write(&AlignedCell { column, value, text, begin });
            spaces = free - before;
        }
        begin += widest + GAP;
        spaces += GAP;
    }
    line.push('\n');
    line
}

fn length(text: &str) -> usize {
    text.chars().count()
}
