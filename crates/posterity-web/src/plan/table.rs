//! A table by its columns: what to expect of each reading, from one joint release or from several.

use posterity::Prior;
use posterity::number::percent;
use posterity_advice::design::{
    Columns, Design, Table, TableAdvice, TableColumn, advise_table, design_in_words, half_width,
    releases_in_words, times,
};
use posterity_advice::plan::Truth;

use super::search::Aim;
use super::state::{PlanForm, State};
use super::table_lines::TableLines;
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
    if wanted || state.sides.len() < 2 || site.plans().tables.known(&key(state)) {
        return section(site, state);
    }
    "<p class=\"small waiting\">Forecasting the readings of the table…</p>".to_owned()
}

fn section(site: &Site, state: &State) -> String {
    if state.sides.len() < 2 {
        return String::new();
    }
    match site.plans().tables.get(&key(state), || compute(state)) {
        Ok(advice) => shown(state, &advice),
        Err(wrong) => format!("<h2>Column by column</h2><p class=\"notice\">{}</p>", html::text(wrong)),
    }
}

/// What the forecast depends on.
fn key(state: &State) -> String {
    format!("{:?}|{}|{}", state.sides, state.key(), state.epsilon)
}

pub(super) fn compute(state: &State) -> Result<TableAdvice, String> {
    let sizes = state.sides.iter().map(|&size| (None, size)).collect();
    let columns = Columns::numbered(sizes).map_err(sentence)?;
    let readings: Result<Vec<_>, _> = readings(&columns).iter().map(|reading| reading.parse()).collect();
    let readings = readings.map_err(sentence)?;
    let mut table = Table::new(columns, readings, state.n).map_err(sentence)?;
    if let Some(prior) = &state.prior {
        table = table.with_prior(of_each_cell(prior)?).map_err(sentence)?;
    }
    if let Truth::Shape(shape) = &state.truth {
        table = table.with_shape(shape.clone()).map_err(sentence)?;
    }
    advise_table(&table, &state.epsilon, &|_| ()).map_err(sentence)
}

/// The cells, each column by itself, and the first column given the last.
fn readings(columns: &Columns) -> Vec<String> {
    let names: Vec<&str> = columns.sizes().into_iter().map(|(name, _)| name).collect();
    let mut readings = vec![names.join(", ")];
    readings.extend(names.iter().map(|&name| name.to_owned()));
    if let [first, .., last] = names.as_slice() {
        readings.push(format!("{first} | {last}"));
    }
    readings
}

/// The prior parameter that all cells have.
fn of_each_cell(prior: &Prior) -> Result<f64, String> {
    match prior.parameters() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => Ok(*first),
        _ => Err("Readings of a table are forecast with one prior parameter for all cells. Give one number as the prior to see them."
            .to_owned()),
    }
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
        Some(_) => "Means over simulated releases.",
        None => "Exact: all possible releases were listed.",
    };
    let name = |column: Option<&TableColumn>| column.map(|one| html::text(&one.name)).unwrap_or_default();
    let (first, last) = (name(advice.columns.first()), name(advice.columns.last()));
    let columns: Vec<String> = advice
        .columns
        .iter()
        .map(|column| format!("{} with {} values", column.name, column.values))
        .collect();
    format!(
        "<h2>Column by column</h2><p id=\"table-advice\"><strong>{}</strong> {}</p>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Readings\"><table class=\"numbers\"><thead><tr>\
         <th scope=\"col\">reading</th>{head}<th scope=\"col\">without privacy</th></tr></thead><tbody>{rows}\
         <tr><th scope=\"row\">times as wide, mean</th>{mean}<td>1.00</td></tr></tbody></table></div>{}\
         <p class=\"small\">Expected half-widths of {} % intervals in percentage points, on average over the rows of each reading, at \
         ε = {} in all. The columns are called {}. <code>{first} | {last}</code> stands for the shares of {first} within each value of {last}. \
         {how}</p>\
         <section class=\"lines\"><h3 class=\"unseen\">The same elsewhere</h3>{}</section>",
        html::text(&advice.recommendation),
        html::text(&advice.reason),
        advice.designs.iter().map(division).collect::<String>(),
        percent(advice.level),
        html::text(&state.epsilon),
        html::text(columns.join(", ")),
        TableLines::new(state, advice).all()
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
    use crate::extract::fields;

    fn state(query: &str) -> State {
        State::new(fields(query.as_bytes()).expect(query)).expect(query)
    }

    #[test]
    fn all_readings_are_forecast() {
        let plan = state("n=500&k=2+x+3&e=2&prior=0.5&shape=1,2,3,4,5,6");
        let advice = compute(&plan).expect("valid");
        assert_eq!(advice.prior.to_bits(), 0.5_f64.to_bits());
        let html = shown(&plan, &advice);
        assert!(html.contains("a with 2 values, b with 3 values") && html.contains(">joint<"), "{html}");
        // The cells need the joint table, so that each way has a release of it.
        let first = &advice.designs[0].readings;
        assert_eq!(first.iter().map(|one| one.rows).collect::<Vec<_>>(), [6, 2, 3, 6]);
    }

    #[test]
    fn a_prior_of_its_own_for_each_cell_is_refused() {
        assert!(compute(&state("n=500&k=2x2&prior=1,2,3,4")).expect_err("refused").contains("one prior"));
        assert!(compute(&state("n=500&k=2x2&prior=2,2,2,2")).is_ok());
    }
}
