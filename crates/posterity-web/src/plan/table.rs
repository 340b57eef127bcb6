//! A table by its columns: what to expect of each reading, from one joint release or from several.

use std::sync::Arc;

use maud::{Markup, html};
use posterity::Epsilon;
use posterity::number::percent;
use posterity_advice::design::{
    Design, TableAdvice, advise_table, design_in_words, half_width, releases_in_words, times,
};

use super::search::Aim;
use super::state::{PlanForm, State};
use crate::extract::Query;
use crate::html::scroll;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The readings of the table, alone; nothing if the plan is of no table.
pub(crate) fn table(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    let state = Aim::new(&site.plans().searches, &typed)?.ready();
    Ok(Reply::Html(state.map(|state| section(site, &state)).unwrap_or_default()))
}

/// The readings of the table, or a sentence that they are to come.
pub(super) fn section_or_notice(site: &Site, state: &State, wanted: bool) -> Markup {
    if wanted || state.table.is_none() || site.plans().tables.known(&key(state)) {
        return section(site, state);
    }
    html! { p.small.waiting { "Forecasting the readings of the table…" } }
}

fn section(site: &Site, state: &State) -> Markup {
    if state.table.is_none() {
        return Markup::default();
    }
    match advice(site, state) {
        Ok(advice) => shown(state, &advice),
        Err(wrong) => html! { h2 { "Column by column" } p.notice { (wrong) } },
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

fn shown(state: &State, advice: &TableAdvice) -> Markup {
    let columns: Vec<String> = advice
        .columns
        .iter()
        .map(|column| format!("{} with {} values", column.name, column.values))
        .collect();
    html! {
        h2 { @if state.question.is_some() { "What you will read" } @else { "Column by column" } }
        p id="table-advice" { strong { (advice.recommendation) } " " (advice.reason) }
        (scroll("Readings", &widths(advice)))
        @for design in &advice.designs { (division(design)) }
        p.small {
            "Expected half-widths of " (percent(advice.level)) " % confidence intervals in percentage points, on average over \
             the rows of each reading, at ε = " (state.epsilon) " in all. The columns are called " (columns.join(", ")) ". "
            @if let [first, .., last] = advice.columns.as_slice() {
                code { (first.name) " | " (last.name) } " stands for the shares of " (first.name)
                " within each value of " (last.name) ". "
            }
            @if advice.seed.is_some() { "Means of numbers have credible intervals, which are simulated." }
        }
    }
}

/// The half-widths of each reading in each design.
fn widths(advice: &TableAdvice) -> Markup {
    let readings = advice.designs.first().map(|design| design.readings.as_slice()).unwrap_or_default();
    html! {
        table.numbers {
            thead {
                tr {
                    th scope="col" { "reading" }
                    @for design in &advice.designs { th scope="col" { (design_in_words(design)) } }
                    th scope="col" { "without privacy" }
                }
            }
            tbody {
                @for (index, one) in readings.iter().enumerate() {
                    tr {
                        th scope="row" { code { (one.reading) } }
                        @for design in &advice.designs { td { (half_width(one, design.readings[index].half_width)) } }
                        td { (half_width(one, one.without_privacy)) }
                    }
                }
                tr {
                    th scope="row" { "times as wide, mean" }
                    @for design in &advice.designs { td { (times(design.times)) } }
                    td { "1.00" }
                }
            }
        }
    }
}

/// What each release of a design gets; nothing if there is one only.
fn division(design: &Design) -> Markup {
    html! {
        @if design.releases.len() > 1 {
            p.small { (design_in_words(design)) ": " (releases_in_words(&design.releases)) "." }
        }
    }
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
        let html = shown(&plan, &advice).into_string();
        assert!(html.contains("a with 2 values, b with 3 values") && html.contains(">joint<"), "{html}");
        // The cells need the joint table, so that each way has a release of it.
        let first = &advice.designs[0].readings;
        assert_eq!(first.iter().map(|one| one.rows).collect::<Vec<_>>(), [6, 2, 3, 6, 6]);
    }
}
