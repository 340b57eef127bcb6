//! What to expect of the answers of a study. No data is read.

use posterity::plan::Plan;
use posterity_advice::design::half_width;
use posterity_present::html::rows;
use posterity_study::{QuestionForecast, Verdict, forecast as forecast_of, verdicts_sheet};

use crate::html;
use crate::sentence::sentence;

/// The most cells of a question whose forecast a page waits for.
const MOST_CELLS: usize = 1_000;
/// The same of all tables of many columns together.
const MOST_CELLS_OF_TABLES: u64 = 20_000;

/// How wide the intervals of each reading will be for n people, and whether what the plan requires is to be expected.
pub(super) fn forecast(plan: &Plan, n: u64) -> String {
    let is_large = plan.asked().iter().any(|one| one.cells() > MOST_CELLS)
        || plan.margins().iter().map(|one| one.cells()).sum::<u64>() > MOST_CELLS_OF_TABLES;
    if is_large {
        return "<p class=\"notice\">This is too large to be forecast here. Use <code>posterity study --plan-only --n</code>.</p>".to_owned();
    }
    let forecast = match forecast_of(plan, n, &|_| ()) {
        Ok(forecast) => forecast,
        Err(wrong) => return html::wrong(sentence(wrong)),
    };
    let rows: String =
        plan.titles().zip(&forecast.questions).map(|(title, found)| expected(title, found)).collect();
    format!(
        "<section id=\"expected\"><h2>What to expect</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Forecast\">\
         <table class=\"numbers\"><thead><tr><th scope=\"col\">reading</th><th scope=\"col\">with privacy</th><th scope=\"col\">without</th></tr></thead>\
         <tbody>{rows}</tbody></table></div><p class=\"small\">Expected half-widths of intervals in percentage points, on average over the \
         rows of each reading, if {}.</p>{}</section>",
        html::text(forecast.assumed),
        required(&forecast.requirements)
    )
}

fn expected(title: &str, found: &QuestionForecast) -> String {
    let head = format!("<tr><th scope=\"rowgroup\" colspan=\"3\">{}</th></tr>", html::text(title));
    let refused = found
        .refused
        .iter()
        .map(|why| format!("<tr><td colspan=\"3\">{}</td></tr>", html::text(sentence(why))));
    let warning = found.warning.iter().map(|text| {
        format!("<tr><td colspan=\"3\"><strong>Warning:</strong> {}</td></tr>", html::text(sentence(text)))
    });
    let rows = found.readings.iter().map(|one| {
        format!(
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td>{}</td></tr>",
            html::text(&one.reading),
            html::text(half_width(one, one.half_width)),
            html::text(half_width(one, one.without_privacy))
        )
    });
    head + &refused.chain(warning).chain(rows).collect::<String>()
}

/// Whether what the plan requires is to be expected.
fn required(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    format!(
        "<h3>What the plan requires</h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Requirements\"><table class=\"read\">{}</table></div>",
        rows(verdicts_sheet(verdicts), usize::MAX, &[])
    )
}
