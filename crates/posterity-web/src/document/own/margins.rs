//! What only tables of many columns have: the noise of each table, and a list of them.

use maud::html;
use posterity::Reading;
use posterity::margins::MarginsDocument;
use posterity::table::Term;
use posterity_advice::margins::{MarginsLevel, margins_levels};

use super::Own;
use crate::noise::{noise_table, of_columns};

/// The released tables and their noise.
pub(super) fn own(document: &MarginsDocument) -> Own {
    let sizes = document.answer().tables();
    let all: usize = sizes.iter().map(|size| size.tables).sum();
    let sizes: Vec<String> = sizes.iter().map(|size| of_columns(size.tables, size.columns)).collect();
    let level = document.answer().asked().terms().ways.level;
    let after = html! {
        section id="tables" {
            h2 { "The tables that were released" }
            p { (all) " tables: " (sizes.join(", ")) ". A reading has its columns in one of them." }
            @if let Some(levels) = levels(document, level) { (noise_table(&levels, level)) }
        }
    };
    Own { after, choices: choices(document), ..Own::default() }
}

/// What to expect of the tables. Where n is private, that is by its released number, which has noise.
fn levels(document: &MarginsDocument, level: f64) -> Option<Vec<MarginsLevel>> {
    let answer = document.answer();
    let noisy = || answer.read(&"count".parse().ok()?).ok()?.rows.first()?.estimate;
    let n = document.n().map(|n| n as f64).or_else(noisy)?;
    if n < 1.0 { None } else { margins_levels(answer.plan(), n, level).ok() }
}

/// Each table, read as its last column within each value of the others.
fn choices(document: &MarginsDocument) -> Vec<Reading> {
    let columns = &document.about().columns;
    let term = |&column: &u16| Term::each(&columns[usize::from(column)].name);
    let sets = document.answer().plan().workload().sets().iter();
    sets.filter_map(|set| {
        let mut terms: Vec<Term> = set.columns().iter().map(term).collect();
        let last = terms.pop()?;
        Some(Reading::shares(vec![last], terms))
    })
    .collect()
}
