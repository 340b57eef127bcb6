//! What to expect of the answer of a release. No data is read.

use maud::{Markup, html};
use posterity::margins::{MarginsTerms, PlannedMargins};
use posterity::plan::Plan;
use posterity_advice::margins::margins_levels;

use crate::noise::{noise_table, of_columns};
use crate::people;
use crate::sentence::sentence;
use crate::study;

/// How wide the intervals of each reading are expected to be, if the number of people was typed.
pub(super) fn of_plan(plan: &Plan, n: Option<u64>) -> Markup {
    match n {
        Some(n) => study::forecast(plan, n),
        // Nobody has to say it.
        None => Markup::default(),
    }
}

/// The tables with their noise, and what to expect of them if the number of records was typed.
pub(super) fn of_margins(planned: &PlannedMargins, n: Option<u64>) -> Markup {
    let (plan, level) = (planned.plan(), planned.terms().ways.level);
    let workload = plan.workload();
    let of_size = |columns: usize| {
        let tables = workload.sets().iter().filter(|set| set.len() == columns).count();
        of_columns(tables, columns)
    };
    let sizes: Vec<String> = (1..=workload.order()).map(of_size).collect();
    let n = n.filter(|n| *n > 0).map(|n| n as f64);
    let noise = match n.and_then(|n| margins_levels(plan, n, level).ok()) {
        Some(levels) => noise_table(&levels, level),
        None => people::unknown(),
    };
    html! {
        section id="tables" {
            h2 { "The tables" }
            p { (sizes.join(", ")) "." }
            @if let Some(text) = n.and_then(|n| MarginsTerms::mostly_noise(plan, n)) {
                p.notice { strong { "Warning:" } " " (sentence(text)) }
            }
            (noise)
        }
    }
}
