//! What changes at once when the budget changes.

use std::sync::Arc;

use posterity::Terms;
use posterity::number::points;
use posterity_advice::design::HalfWidth;
use posterity_advice::plan::{SimulatedReleases, simulate_releases};

use super::cache::Outlook;
use super::search::Aim;
use super::state::{PlanForm, State};
use super::table_lines::TableLines;
use super::{lines, outlook, words};
use crate::extract::Query;
use crate::html;
use crate::made::MadeForm;
use crate::pictures;
use crate::question::Question;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The most counts that simulated releases may leave possible in all.
const MAX_SIMULATED_COUNTS: f64 = 1e5;
/// The fewest releases that make a picture.
const MIN_RELEASES: f64 = 4.0;

/// The part of the page that depends on the budget, alone.
pub(crate) fn now(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    Ok(Reply::Html(match Aim::new(&site.plans().searches, &typed)? {
        Aim::Ready(state) => section(site, &state),
        Aim::Searching(tried) => searching(tried),
        Aim::Wrong(wrong) => html::wrong(wrong),
    }))
}

/// Said while the least epsilon is searched for.
pub(super) fn searching(tried: u64) -> String {
    format!(
        "<p class=\"notice\" role=\"status\">Searching for the least epsilon: {tried} tried so far.</p>\
         <p><progress aria-label=\"Searching\"></progress></p>"
    )
}

/// The part of the page that depends on the budget.
pub(super) fn section(site: &Site, state: &State) -> String {
    outlook(site, state).map_or_else(html::wrong, |outlook| answer(state, &outlook))
}

fn outlook(site: &Site, state: &State) -> Result<Arc<Outlook>, String> {
    let key = format!("{}|{}|{:?}", state.key(), state.epsilon, state.share);
    site.plans().outlooks.get(&key, || {
        let simulated = || -> Result<SimulatedReleases, String> {
            let possible = state.k as f64 * (state.n as f64 + 1.0).min(90.0 / state.epsilon.to_f64()) + 50.0;
            let runs =
                (MAX_SIMULATED_COUNTS / possible).clamp(MIN_RELEASES, pictures::MAX_ROWS as f64) as usize;
            simulate_releases(&state.request_at(&state.epsilon)?, &state.shape, runs).map_err(sentence)
        };
        let is_simulated = !state.n_is_private() && state.is_quick_at(&state.epsilon);
        let simulated = if is_simulated { Some(simulated()?) } else { None };
        let HalfWidth { private, without, standard_error } = outlook::widths(state, &state.epsilon)?;
        let how = standard_error.filter(|error| *error > 0.0).map(|error| {
            format!("Mean over simulated releases, standard error {} points.", error_in_points(error))
        });
        Ok(Outlook { private, without, how: how.unwrap_or_default(), simulated })
    })
}

const INTERVAL: &str = "95 % confidence interval of a share";

fn error_in_points(error: f64) -> String {
    if error < 5e-5 { "below 0.005".to_owned() } else { format!("{:.2}", 100.0 * error) }
}

fn answer(state: &State, outlook: &Outlook) -> String {
    let Outlook { private, without, how, simulated } = outlook;
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
    let (what, shares) = match &state.table {
        Some(table) => {
            let asked =
                state.question.as_ref().filter(|one| one.comparison().is_none()).and_then(Question::reading);
            let readings = asked.map_or_else(|| table.readings().to_vec(), |reading| vec![reading]);
            let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
            let what =
                format!("95 % confidence interval of <code>{}</code>", html::text(readings.join("; ")));
            (what, format!(", if {}", html::text(table.assumed())))
        }
        None if state.typed.shape.is_empty() => {
            (INTERVAL.to_owned(), format!(" in {} equal shares", state.k))
        }
        None => (INTERVAL.to_owned(), format!(" in shares {}", html::text(&state.typed.shape))),
    };
    let several = state.table.as_ref().is_some_and(|table| table.columns().as_slice().len() > 1);
    let least = match &state.found {
        Some(found) => format!(
            "This is the least epsilon of three digits for ± {} points, with {}{}. {}{}",
            html::text(&state.typed.width),
            html::text(
                found
                    .mechanism
                    .map_or_else(|| Terms::usual_mechanism(state.adjacency).to_string(), ToString::to_string)
            ),
            if several { " in one release of all columns" } else { "" },
            html::text(&found.why),
            if found.why.is_empty() { "" } else { " " }
        ),
        None => String::new(),
    };
    format!(
        "<h2 class=\"unseen\">What to expect</h2>\
         <dl class=\"figures\">\
         <div class=\"main-figure\"><dt>with privacy, ε = <span id=\"epsilon-now\">{epsilon}</span></dt>\
         <dd>± <span id=\"width-private\">{}</span> <small>points</small></dd></div>\
         <div><dt>without privacy</dt><dd>± <span id=\"width-without\">{}</span> <small>points</small></dd></div>\
         <div><dt>privacy makes it</dt><dd class=\"phrase\">{wider}</dd></div></dl>\
         <p class=\"small\">{least}Expected half-width of the widest {what}, in percentage points, for {}{} records{shares}. \
         {how}</p>{}{}\
         <section class=\"card\"><h3>What ε = {epsilon} means for one person</h3>{}</section>\
         <section class=\"lines\"><h2>The same elsewhere</h2>{}</section>",
        points(*private),
        points(*without),
        if state.n_is_private() { "a guess of " } else { "" },
        posterity::number::grouped(&state.n.to_string()),
        next(state),
        if state.n_is_private() { String::new() } else { repeated(simulated.as_ref()) },
        words::meaning(
            state.adjacency,
            state.epsilon.to_f64(),
            0.0,
            None,
            state.typed.question.unit.or("record")
        ),
        match &state.table {
            Some(table) => TableLines::new(state, table).all(),
            None => lines::all(state),
        }
    )
}

/// The way to the release, with all that is known by now.
fn next(state: &State) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("epsilon", &state.epsilon.to_string());
    query.extend_pairs(state.typed.adjacency.get().map(|adjacency| ("adjacency", adjacency)));
    let found = state.found.as_ref().and_then(|found| found.mechanism);
    let other = found.filter(|one| one.spec() != Terms::usual_mechanism(state.adjacency));
    query.extend_pairs(other.map(|one| ("mechanism", one.spec().to_string())));
    let mut wider = "";
    if let Some(question) = &state.question {
        query.extend_pairs(state.typed.question.pairs().into_iter().filter(|(name, _)| *name != "study"));
        query.extend_pairs(question.reading().map(|reading| ("read", reading.to_string())));
        query.extend_pairs(question.comparison().map(|comparison| ("compare", comparison.to_string())));
        if question.comparison().is_some() {
            wider = "<p class=\"small\">The difference of the two has an interval of its own. It is wider than each of theirs: about \
                     1.4 times, if both are equally wide.</p>";
        }
    }
    format!(
        "{wider}<p class=\"act\"><a class=\"button\" id=\"use\" href=\"/release?{}\">Use ε = {}</a>{}</p>",
        html::text(query.finish()),
        html::text(&state.epsilon),
        add_to_study(state)
    )
}

/// The way to a study with this question in it; nothing if there is no question.
fn add_to_study(state: &State) -> String {
    let form = &state.typed.question;
    let made = MadeForm::of(&form.study).ok().filter(|_| state.question.is_some());
    let made =
        made.and_then(|made| made.with(form, &state.epsilon.to_string(), state.n, &state.typed.adjacency));
    let words = if form.study.is_empty() { "Make a study with it" } else { "Add it to the study" };
    let link = |made: MadeForm| {
        format!("<a id=\"add\" href=\"/study/make?{}\">{words}</a>", html::text(made.query()))
    };
    made.map(link).unwrap_or_default()
}

/// The picture of repeated releases.
fn repeated(simulated: Option<&SimulatedReleases>) -> String {
    let Some(simulated) = simulated else {
        return "<p class=\"notice\">Releases at this budget take too long to be simulated here.</p>"
            .to_owned();
    };
    let shown = simulated.releases.len().min(pictures::MAX_ROWS);
    let held = simulated.releases.iter().take(shown).filter(|release| {
        let ([low, high], truth) = (release.intervals[0], simulated.shares[0]);
        low <= truth && truth <= high
    });
    format!(
        "<figure><figcaption><h3>If you released it {shown} times</h3><p class=\"small\">Each line is one simulated release of the same \
         made-up data: its 95 % interval for the first category, as its document would show it. {} of {shown} hold the truth. \
         The band is the interval without any noise.</p></figcaption>{}</figure>",
        held.count(),
        pictures::releases(simulated, 0)
    )
}
