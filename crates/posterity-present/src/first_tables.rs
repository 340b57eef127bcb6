//! The first numbers of a document, for consoles of programs and for notebooks.

use posterity::Publication;

use crate::cells::categories;
use crate::intervals::below;
use crate::readings::reading;
use crate::sheet::Sheet;

/// The most tables of a document that are shown.
const MOST_TABLES: usize = 8;

/// The most rows that are shown of a document with one table, and of each table of a document with several.
const MOST_ROWS: [usize; 2] = [40, 20];

/// Hands over the first tables of a document, each with how many of its rows are shown, and returns the sentences that stand
/// below them.
pub fn first_tables(document: &Publication, show: &mut dyn FnMut(Sheet<'_>, usize)) -> Vec<String> {
    if let Publication::Table(document) = document {
        show(categories(document), MOST_ROWS[0]);
        return below(document.cells(), &[]);
    }
    let all = document.pictured();
    let first = &all[..all.len().min(MOST_TABLES)];
    let most = MOST_ROWS[usize::from(first.len() > 1)];
    first.iter().filter(|table| !table.rows.is_empty()).for_each(|table| show(reading(table), most));
    document.beside().map_or_else(|| below(first, &[]), |said| vec![said])
}
