//! What only a posterior has: its cells with their densities.

use maud::{Markup, html};
use posterity::{Document, Publication, Reading};
use posterity_plot::PosteriorPlot;
use posterity_present::cells::{categories, records};
use posterity_present::html::table_rows;
use posterity_present::{csv, precision};

use super::{Own, OwnFile};
use crate::document::figure;
use crate::html;
use crate::readings;

/// The cells of one column are the answer. Of several columns, the cells are folded below it.
pub(super) fn own(document: &Document) -> Result<Own, String> {
    document.complete();
    let svg = PosteriorPlot::new(document).svg().map_err(|error| error.to_string())?;
    let cells = html! {
        div.result { div { (table(document)) } (figure(&svg, "The posterior of each category")) }
    };
    let (before, after, repeated) = if document.about().columns.len() < 2 {
        (cells, Markup::default(), document.space().ok().map(|space| Reading::joint(&space)))
    } else {
        let number = document.categories().names().len();
        let folded = html! {
            details.cells { summary { "All " (number) " cells, with their parameters and densities" } (cells) }
        };
        (Markup::default(), folded, None)
    };
    let text = |document: &Publication| {
        document.posterior().map(|document| csv::text(records(document))).unwrap_or_default()
    };
    Ok(Own {
        before,
        repeated,
        after,
        promise: Some(precision(document)),
        picture: Some(svg),
        file: Some(OwnFile { name: "release.csv", label: "CSV", text }),
        ..Own::default()
    })
}

/// The mean, the interval and the parameter of each category, with the digits of the command.
fn table(document: &Document) -> Markup {
    let rows = table_rows(categories(document), usize::MAX, &[]);
    html! {
        (html::scroll("Categories", &html! { table.numbers { (rows) } }))
        (readings::below(document.cells(), &[]))
    }
}
