//! Tables as lines of plain text, for consoles of programs: no colours, and nothing is wrapped.

use posterity::Publication;
use posterity::hidden::shown;

use crate::cells::categories;
use crate::discovered::largest_counts;
use crate::intervals::below;
use crate::readings::reading;
use crate::sheet::{Setting, Sheet};

/// Between two columns.
const GAP: &str = "  ";

/// How many tables of a document are shown.
const MOST_TABLES: usize = 8;

/// The first rows of a sheet below the names of its columns, and how many there are besides. Texts stand to the left, numbers to
/// the right.
///
/// ```
/// use posterity_present::{Column, Sheet, Value, text};
/// let columns = vec![Column::text("ward"), Column::number("share")];
/// let rows = [("A", "0.5"), ("North", "0.25"), ("B", "0.25")];
/// let sheet = Sheet::new(columns, rows.map(|(ward, share)| vec![Value::text(ward), Value::text(share)]));
/// assert_eq!(text::table(sheet, 2), "ward   share\nA        0.5\nNorth   0.25\n... and 1 more row\n");
/// ```
#[must_use]
pub fn table(sheet: Sheet<'_>, most: usize) -> String {
    let Sheet { columns, mut rows } = sheet;
    let head = columns.iter().map(|column| column.name.to_string()).collect();
    let row =
        |row: Vec<crate::Value<'_>>| row.iter().map(|value| shown(&value.shown()).into_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows.by_ref().take(most).map(row)).collect();
    let width = |place: usize| {
        lines.iter().filter_map(|line| line.get(place)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&columns).zip(&widths).map(|((cell, column), &width)| {
            if column.setting == Setting::Right {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            }
        });
        text += cells.collect::<Vec<_>>().join(GAP).trim_end();
        text.push('\n');
    }
    match rows.count() {
        0 => {}
        1 => text += "... and 1 more row\n",
        more => text += &format!("... and {more} more rows\n"),
    }
    text
}

/// The first tables of a document with at most so many rows each, and what stands below them.
#[must_use]
pub fn first_tables(document: &Publication, most: usize) -> (Vec<String>, Vec<String>) {
    match document {
        Publication::Table(document) => {
            (vec![table(categories(document), most)], below(document.cells(), &[]))
        }
        Publication::Discovered(document) => {
            let largest = largest_counts(document);
            let tables =
                if largest.rows.is_empty() { Vec::new() } else { vec![table(reading(&largest), most)] };
            (tables, Vec::new())
        }
        other => {
            let readings = other.readings();
            let first = &readings[..readings.len().min(MOST_TABLES)];
            (first.iter().map(|one| table(reading(one), most)).collect(), below(first, &[]))
        }
    }
}
