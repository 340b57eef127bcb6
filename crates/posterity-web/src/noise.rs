//! The noise of released tables, and how wide their intervals are expected to be.

use maud::{Markup, html};
use posterity::number::{brief, decimal, percent, points};
use posterity_advice::margins::{CellWidth, MarginsLevel};
use posterity_present::html::table_rows;
use posterity_present::{Column, Sheet, Value};

use crate::html;

/// A table with a line for the tables of each size.
pub(crate) fn noise_table(levels: &[MarginsLevel], level: f64) -> Markup {
    html! {
        (html::scroll("Noise", &html! { table.numbers { (table_rows(sheet(levels), usize::MAX, &[])) } }))
        p.small {
            "Noise is the standard deviation of the number of records in one cell. The L1 error is the expected sum of the \
             errors of all shares of a table, by the noise alone. The last columns have half the width of the "
            (percent(level)) " % confidence interval of a cell, in percentage points: about the records / about the \
             population. All of it is of the table in the middle: half of the tables have less."
        }
    }
}

fn sheet(levels: &[MarginsLevel]) -> Sheet<'_> {
    let mut columns = vec![Column::text("tables"), Column::number("noise"), Column::number("L1 error")];
    let shares = shares(levels);
    columns.extend(shares.iter().map(|share| Column::number(format!("± at {} %", percent(*share)))));
    let row = move |level: &MarginsLevel| {
        let mut row = vec![
            Value::text(of_columns(level.tables, level.columns)),
            Value::text(brief(level.deviation)),
            Value::text(decimal(level.expected_l1)),
        ];
        row.extend(shares.iter().map(|share| Value::text(widths(level, *share))));
        row
    };
    Sheet::new(columns, levels.iter().map(row).collect::<Vec<_>>())
}

/// The shares whose intervals are forecast.
fn shares(levels: &[MarginsLevel]) -> Vec<f64> {
    let mut shares: Vec<f64> =
        levels.first().iter().flat_map(|level| level.half_widths.iter().map(|width| width.share)).collect();
    shares.dedup();
    shares
}

/// About the records and about the population: `0.527 / 1.57`.
fn widths(level: &MarginsLevel, share: f64) -> String {
    let of_share = level.half_widths.iter().filter(|width| width.share == share);
    of_share.map(|width: &CellWidth| points(width.half_width)).collect::<Vec<_>>().join(" / ")
}

/// `28 of 2 columns`
pub(crate) fn of_columns(tables: usize, columns: usize) -> String {
    format!("{tables} of {columns} column{}", if columns == 1 { "" } else { "s" })
}
