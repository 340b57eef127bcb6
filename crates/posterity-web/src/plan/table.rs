//! A table by its columns: what to expect of each reading, from one joint release or from several.

use std::sync::Arc;

use posterity::Epsilon;
use posterity::number::percent;
use posterity_advice::design::{
    Design, TableAdvice, TableColumn, advise_table, design_in_words, half_width, releases_in_words, times,
};

use super::search::Aim;
use super::state::{PlanForm, State};
use crate::extract::Query;
use crate::html;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The readings of the table, alone; nothing if the plan is of no table.
pub(crate) fn table(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    let state = Aim::new(&site.plans().searches, &typed)?.ready();
    Ok(Reply::Html(state.map(|state| section(site, &state)).unwrap_or_default()))
}

/// The readings of the table, or a sentence that they are to come.
pub(super) fn section_or_notice(site: &Site, state: &State, wanted: bool) -> String {
    if wanted || state.table.is_none() || site.plans().tables.known(&key(state)) {
        return section(site, state);
    }
    "<p class=\"small waiting\">Forecasting the readings of the table…</p>".to_owned()
}

fn section(site: &Site, state: &State) -> String {
    if state.table.is_none() {
        return String::new();
    }
    match advice(site, state) {
        Ok(advice) => shown(state, &advice),
        Err(wrong) => format!("<h2>Column by column</h2><p class=\"notice\">{}</p>", html::text(wrong)),
    }
}

/// What the forecast depends on.
fn key(state: &State) -> String {
    format!("{}|{}", state.key(), state.epsilon)
}

/// What to expect of the readings of the table.
pub(super) fn advice(site: &Site, state: &State) -> Result<Arc<TableAdvice>, String> {
    site.plans().tables.get(&key(state), || compute(state, &state.epsilon))
}

/// The same at another budget.
pub(super) fn compute(state: &State, epsilon: &Epsilon) -> Result<TableAdvice, String> {
    let table = state.table.as_ref().ok_or("This is no table.")?;
    advise_table(table, epsilon, &|_| ()).map_err(sentence)
}

fn shown(state: &State, advice: &TableAdvice) -> String {
    let cell = |text: &str| format!("<td>{}</td>", html::text(text));
    let head: String = advice
        .designs
        .iter()
        .map(|design| format!("<th scope=\"col\">{}</th>", html::text(design_in_words(design))))
        .collect();
    let readings = advice.designs.first().map_or(0, |design| design.readings.len());
    let row = |index: usize| {
        let one = &advice.designs[0].readings[index];
        let widths = advice.designs.iter().map(|design| design.readings[index].half_width);
        let widths: String =
            widths.chain([one.without_privacy]).map(|width| cell(&half_width(one, width))).collect();
        format!("<tr><th scope=\"row\"><code>{}</code></th>{widths}</tr>", html::text(&one.reading))
    };
    let rows: String = (0..readings).map(row).collect();
    let mean: String = advice.designs.iter().map(|design| cell(&times(design.times))).collect();
    let how = match advice.seed {
        Some(_) => "Means of numbers have credible intervals, which are simulated.",
        None => "",
    };
    let name = |column: Option<&TableColumn>| column.map(|one| html::text(&one.name)).unwrap_or_default();
    let (first, last) = (name(advice.columns.first()), name(advice.columns.last()));
    let within = if advice.columns.len() > 1 {
        format!(
            "<code>{first} | {last}</code> stands for the shares of {first} within each value of {last}. "
        )
    } else {
        String::new()
    };
    let title = if state.question.is_some() { "What you will read" } else { "Column by column" };
    let columns: Vec<String> = advice
        .columns
        .iter()
        .map(|column| format!("{} with {} values", column.name, column.values))
        .collect();
    format!(
        "<h2>{title}</h2><p id=\"table-advice\"><strong>{}</strong> {}</p>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Readings\"><table class=\"numbers\"><thead><tr>\
         <th scope=\"col\">reading</th>{head}<th scope=\"col\">without privacy</th></tr></thead><tbody>{rows}\
         <tr><th scope=\"row\">times as wide, mean</th>{mean}<td>1.00</td></tr></tbody></table></div>{}\
         <p class=\"small\">Expected half-widths of {} % confidence intervals in percentage points, on average over the rows of each reading, at \
         ε = {} in all. The columns are called {}. {within}{how}</p>",
        html::text(&advice.recommendation),
        html::text(&advice.reason),
        advice.designs.iter().map(division).collect::<String>(),
        percent(advice.level),
        html::text(&state.epsilon),
        html::text(columns.join(", ")),
    )
}

/// What each release of a design gets; nothing if there is one only.
fn division(design: &Design) -> String {
    if design.releases.len() < 2 {
        return String::new();
    }
    format!(
        "<p class=\"small\">{}: {}.</p>",
        html::text(design_in_words(design)),
        html::text(releases_in_words(&design.releases))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::fields;

    fn state(query: &str) -> State {
        State::new(fields(query.as_bytes()).expect(query)).expect(query)
    }

    #[test]
    fn all_readings_are_forecast() {
        let plan = state("n=500&k=2+x+3&e=2&shape=b=1,2,3");
        let advice = compute(&plan, &plan.epsilon).expect("valid");
        let html = shown(&plan, &advice);
        assert!(html.contains("a with 2 values, b with 3 values") && html.contains(">joint<"), "{html}");
        // The cells need the joint table, so that each way has a release of it.
        let first = &advice.designs[0].readings;
        assert_eq!(first.iter().map(|one| one.rows).collect::<Vec<_>>(), [6, 2, 3, 6, 6]);
    }
}
