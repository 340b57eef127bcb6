//! What changes at once when the budget changes.

use std::sync::Arc;

use posterity::plan::{HalfWidth, expected_half_width, points, simulate_releases};

use super::cache::Outlook;
use super::state::{State, Typed, sentence};
use super::{lines, words};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::pictures;
use crate::site::{Reply, Site};

/// How many counts simulated releases may leave possible in all, and the least number of releases that make a picture.
const SIMULATED: (f64, f64) = (1e5, 4.0);

/// The part of the page that depends on the budget, alone.
pub(crate) fn now(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    Ok(Reply::Html(section(site, &State::new(Typed::new(fields)))))
}

/// The part of the page that depends on the budget.
pub(super) fn section(site: &Site, state: &Result<State, String>) -> String {
    let shown = state.as_ref().map_err(Clone::clone).and_then(|state| Ok((state, outlook(site, state)?)));
    match shown {
        Ok((state, outlook)) => answer(state, &outlook),
        Err(wrong) => format!("<p class=\"wrong\" role=\"alert\">{}</p>", html::text(wrong)),
    }
}

fn outlook(site: &Site, state: &State) -> Result<Arc<Outlook>, String> {
    let key = format!("{}|{}", state.key(), state.epsilon);
    site.plans().outlooks.get(&key, || {
        let request = state.request(&state.epsilon)?;
        let possible = state.k as f64 * (state.n as f64 + 1.0).min(90.0 / state.epsilon.to_f64()) + 50.0;
        let (budget, least) = SIMULATED;
        let runs = (budget / possible).clamp(least, pictures::ROWS as f64) as usize;
        Ok(Outlook {
            widths: expected_half_width(&request, &state.truth).map_err(sentence)?,
            simulated: simulate_releases(&request, &state.truth, runs).map_err(sentence)?,
        })
    })
}

fn answer(state: &State, outlook: &Outlook) -> String {
    let widest = outlook.widths.widest();
    let HalfWidth { private, without, standard_error } = widest;
    let wider = 100.0 * (private / without - 1.0);
    let wider = if wider < 0.05 {
        "no wider".to_owned()
    } else if wider < 10.0 {
        format!("{wider:.1} % wider")
    } else if wider < 300.0 {
        format!("{wider:.0} % wider")
    } else {
        format!("{:.1} times as wide", private / without)
    };
    let epsilon = html::text(&state.epsilon);
    let how = match (outlook.widths.simulated, standard_error) {
        (Some(runs), Some(error)) => format!(
            "Mean of {runs} simulated releases, standard error {} points.",
            if error < 5e-5 { "below 0.005".to_owned() } else { format!("{:.2}", 100.0 * error) }
        ),
        _ => "Exact: all possible releases were listed.".to_owned(),
    };
    let shares = if state.typed.shape.is_empty() {
        format!("{} equal shares", state.k)
    } else {
        format!("shares {}", html::text(&state.typed.shape))
    };
    let shown = outlook.simulated.releases.len().min(pictures::ROWS);
    let held = outlook.simulated.releases.iter().take(shown).filter(|release| {
        let ([low, high], truth) = (release.intervals[0], outlook.simulated.shares[0]);
        low <= truth && truth <= high
    });
    let held = held.count();
    format!(
        "<h2 class=\"unseen\">What to expect</h2>\
         <dl class=\"figures\">\
         <div class=\"main-figure\"><dt>with privacy, ε = {epsilon}</dt><dd>± <span id=\"width-private\">{}</span> <small>points</small></dd></div>\
         <div><dt>without privacy</dt><dd>± <span id=\"width-without\">{}</span> <small>points</small></dd></div>\
         <div><dt>privacy makes it</dt><dd class=\"phrase\">{wider}</dd></div></dl>\
         <p class=\"small\">Expected half-width of the widest 95 % interval of a share, in percentage points, for {} records in {shares}. \
         {how}</p>\
         <figure><figcaption><h3>If you released it {shown} times</h3><p class=\"small\">Each line is one simulated release of the same \
         made-up data: its 95 % interval for the first category, with the noise taken into account. {held} of {shown} hold the truth. \
         The band is the interval without any noise.</p></figcaption>{}</figure>\
         <section class=\"card\"><h3>What ε = {epsilon} means for one person</h3>{}</section>\
         <section class=\"lines\"><h2>The same elsewhere</h2>{}</section>",
        points(private),
        points(without),
        posterity::number::grouped(&state.n.to_string()),
        pictures::releases(&outlook.simulated, 0),
        words::meaning(state.epsilon.to_f64()),
        lines::all(state)
    )
}
