//! What to expect of the answers of a study. No data is read.

use maud::{Markup, html};
use posterity::plan::Plan;
use posterity_advice::design::half_width;
use posterity_present::html::table_rows;
use posterity_study::{QuestionForecast, Verdict, forecast as forecast_of, verdicts_sheet};

use crate::html;
use crate::sentence::sentence;

/// The most cells of a question whose forecast a page waits for.
const MOST_CELLS: u64 = 1_000;
/// The same of all tables of many columns together.
const MOST_CELLS_OF_TABLES: u64 = 20_000;

/// How wide the intervals of each reading will be for n people, and whether what the plan requires is to be expected.
pub(crate) fn forecast(plan: &Plan, n: u64) -> Markup {
    let cells = |of_tables: bool| {
        let asked = plan.questions().filter(move |one| one.tables().is_some() == of_tables);
        asked.filter_map(|one| one.cells())
    };
    let is_large =
        cells(false).any(|cells| cells > MOST_CELLS) || cells(true).sum::<u64>() > MOST_CELLS_OF_TABLES;
    if is_large {
        return html! {
            p.notice {
                "This is too large to be forecast here. Use " code { "posterity study --plan-only --n" } "."
            }
        };
    }
    let forecast = match forecast_of(plan, n, &|_| ()) {
        Ok(forecast) => forecast,
        Err(wrong) => return html::wrong(sentence(wrong)),
    };
    let table = html! {
        table.numbers {
            thead {
                tr { @for name in ["reading", "with privacy", "without"] { th scope="col" { (name) } } }
            }
            tbody {
                @for (title, found) in plan.titles().zip(&forecast.questions) { (expected(title, found)) }
            }
        }
    };
    html! {
        section id="expected" {
            h2 { "What to expect" }
            (html::scroll("Forecast", &table))
            p.small {
                "Expected half-widths of intervals in percentage points, on average over the rows of each reading, if "
                (forecast.assumed) "."
            }
            (required(&forecast.requirements))
        }
    }
}

fn expected(title: &str, found: &QuestionForecast) -> Markup {
    html! {
        tr { th scope="rowgroup" colspan="3" { (title) } }
        @if let Some(why) = &found.refused { tr { td colspan="3" { (sentence(why)) } } }
        @if let Some(text) = &found.warning {
            tr { td colspan="3" { strong { "Warning:" } " " (sentence(text)) } }
        }
        @for one in &found.readings {
            tr {
                th scope="row" { code { (one.reading) } }
                td { (half_width(one, one.half_width)) }
                td { (half_width(one, one.without_privacy)) }
            }
        }
    }
}

/// Whether what the plan requires is to be expected.
fn required(verdicts: &[Verdict]) -> Markup {
    if verdicts.is_empty() {
        return Markup::default();
    }
    let rows = table_rows(verdicts_sheet(verdicts), usize::MAX, &[]);
    html! {
        h3 { "What the plan requires" }
        (html::scroll("Requirements", &html! { table.read { (rows) } }))
    }
}
