//! What changes at once when the budget changes.

use std::sync::Arc;

use maud::{Markup, html};
use posterity::number::points;
use posterity::{Adjacency, Epsilon, Terms};
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
use crate::release::nodes;
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
pub(super) fn searching(tried: u64) -> Markup {
    html! {
        p.notice role="status" { "Searching for the least epsilon: " (tried) " tried so far." }
        p { progress aria-label="Searching" {} }
    }
}

/// The part of the page that depends on the budget.
pub(super) fn section(site: &Site, state: &State) -> Markup {
    outlook(site, state).map_or_else(html::wrong, |outlook| answer(state, &outlook))
}

/// What to expect of the answer to a question.
pub(crate) struct Expected {
    pub(crate) question: Question,
    pub(crate) epsilon: Epsilon,
    /// The half-width of the widest interval as a share, and that without privacy.
    pub(crate) private: f64,
    pub(crate) without: f64,
    /// Whom it protects.
    pub(crate) unit: Option<String>,
    pub(crate) adjacency: Adjacency,
}

/// What to expect of the answer to a question, or why that is not known; nothing while the least epsilon is searched for.
pub(crate) fn expected(site: &Site, typed: PlanForm) -> Result<Option<Expected>, String> {
    let state = match Aim::new(&site.plans().searches, &typed) {
        Ok(Aim::Ready(state)) => state,
        Ok(Aim::Searching(_)) => return Ok(None),
        Ok(Aim::Wrong(why)) => return Err(why),
        Err(_) => return Err("Too much is going on at once. Try again in a moment.".to_owned()),
    };
    let outlook = outlook(site, &state)?;
    let State { question, epsilon, adjacency, typed, .. } = *state;
    let question = question.ok_or("Choose the form of the question.")?;
    let unit = typed.question.unit.get().map(ToOwned::to_owned);
    Ok(Some(Expected {
        question,
        epsilon,
        private: outlook.private,
        without: outlook.without,
        unit,
        adjacency,
    }))
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

fn error_in_points(error: f64) -> String {
    if error < 5e-5 { "below 0.005".to_owned() } else { format!("{:.2}", 100.0 * error) }
}

fn answer(state: &State, outlook: &Outlook) -> Markup {
    let unit = state.typed.question.unit.or("record");
    html! {
        h2.unseen { "What to expect" }
        (figures(state, outlook))
        p.small {
            (least(state))
            "Expected half-width of the widest " (interval(state)) " " (outlook.how)
        }
        (next(state))
        @if !state.n_is_private() { (repeated(outlook.simulated.as_ref())) }
        section.card {
            h3 { "What ε = " (state.epsilon) " means for one person" }
            (words::meaning(state.adjacency, state.epsilon.to_f64(), 0.0, None, unit))
        }
        section.lines {
            h2 { "The same elsewhere" }
            @match &state.table {
                Some(table) => { (TableLines::new(state, table).all()) },
                None => { (lines::all(state)) },
            }
        }
    }
}

/// The half-widths with and without privacy.
fn figures(state: &State, Outlook { private, without, .. }: &Outlook) -> Markup {
    html! {
        dl.figures {
            div.main-figure {
                dt { "with privacy, ε = " span id="epsilon-now" { (state.epsilon) } }
                dd { "± " span id="width-private" { (points(*private)) } " " small { "points" } }
            }
            div {
                dt { "without privacy" }
                dd { "± " span id="width-without" { (points(*without)) } " " small { "points" } }
            }
            div {
                dt { "privacy makes it" }
                dd.phrase { (wider(*private, *without)) }
            }
        }
    }
}

/// How much wider intervals are than without privacy, in words.
fn wider(private: f64, without: f64) -> String {
    let wider = 100.0 * (private / without - 1.0);
    if wider < 0.05 {
        "no wider".to_owned()
    } else if wider < 10.0 {
        format!("{wider:.1} % wider")
    } else if wider < 300.0 {
        format!("{wider:.0} % wider")
    } else {
        format!("{:.1} times as wide", private / without)
    }
}

/// For what epsilon is the least one, if it was searched for.
fn least(state: &State) -> Markup {
    let Some(found) = &state.found else { return Markup::default() };
    let usual = || Terms::usual_mechanism(state.adjacency).to_string();
    let is_several = state.table.as_ref().is_some_and(|table| table.columns().as_slice().len() > 1);
    html! {
        "This is the least epsilon of three digits for ± " (state.typed.width) " points, with "
        (found.mechanism.map_or_else(usual, ToString::to_string))
        @if is_several { " in one release of all columns" }
        ". "
        @if !found.why.is_empty() { (found.why) " " }
    }
}

/// Whose half-width is expected, as the end of a sentence.
fn interval(state: &State) -> Markup {
    let records = html! {
        ", in percentage points, for "
        @if state.n_is_private() { "a guess of " }
        (posterity::number::grouped(&state.n.to_string())) " records"
    };
    let Some(table) = &state.table else {
        return html! {
            "95 % confidence interval of a share" (records)
            @if state.typed.shape.is_empty() {
                " in " (state.k) " equal shares."
            } @else {
                " in shares " (state.typed.shape) "."
            }
        };
    };
    let asked = state.question.as_ref().filter(|one| one.comparison().is_none()).and_then(Question::reading);
    let readings = asked.map_or_else(|| table.readings().to_vec(), |reading| vec![reading]);
    let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
    html! {
        "95 % confidence interval of " code { (readings.join("; ")) } (records) ", if " (table.assumed()) "."
    }
}

/// The way to the release.
fn next(state: &State) -> Markup {
    html! {
        @if state.question.as_ref().is_some_and(|question| question.comparison().is_some()) {
            p.small {
                "The difference of the two has an interval of its own. It is wider than each of theirs: about 1.4 times, if \
                 both are equally wide."
            }
        }
        p.act {
            (step(state, "use", &format!("Use ε = {}", state.epsilon)))
            " "
            @if let Some(words) = study_words(state) { (step(state, "add", words)) }
        }
    }
}

/// A button that goes on with what this part of the page is about. It sends what is typed by then, so that nobody goes on with
/// something else than they see.
fn step(state: &State, name: &str, words: &str) -> Markup {
    html! { button.way-on id=(name) name=(name) value=(state.typed.seen()) form="plan-form" { (words) } }
}

/// The address that a button of the page leads to.
pub(super) fn address(state: &State) -> Option<String> {
    if state.typed.add.get().is_some() {
        return made(state).map(|made| format!("/study/make?{}", made.query()));
    }
    Some(format!("/release?{}", release_query(state)))
}

/// All that is known by now, as the form of a release takes it.
fn release_query(state: &State) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("epsilon", &state.epsilon.to_string());
    query.extend_pairs(state.typed.adjacency.get().map(|adjacency| ("adjacency", adjacency)));
    query.extend_pairs(state.typed.prior.get().map(|prior| ("prior", prior)));
    let found = state.found.as_ref().and_then(|found| found.mechanism);
    let other = found.filter(|one| one.spec() != Terms::usual_mechanism(state.adjacency));
    query.extend_pairs(other.map(|one| ("mechanism", one.spec().to_string())));
    if let Some(question) = &state.question {
        let typed = state.typed.question.as_released();
        let asked = typed.pairs().into_iter().filter(|(name, _)| *name != "study");
        query.extend_pairs(asked.filter(|(name, _)| !nodes::is_for_forecasts(&typed.columns, name)));
        query.extend_pairs(question.reading().map(|reading| ("read", reading.to_string())));
        query.extend_pairs(question.comparison().map(|comparison| ("compare", comparison.to_string())));
    }
    query.finish()
}

/// The study with this question in it; nothing if there is no question, or the study has no room.
fn made(state: &State) -> Option<MadeForm> {
    let form = &state.typed.question;
    let made = MadeForm::of(&form.study).ok().filter(|_| state.question.is_some())?;
    made.with(form, &state.epsilon.to_string(), state.n, &state.typed.adjacency)
}

/// What the button says that leads to that study.
fn study_words(state: &State) -> Option<&'static str> {
    let is_new = state.typed.question.study.is_empty();
    made(state).map(|_| if is_new { "Make a study with it" } else { "Add it to the study" })
}

/// The picture of repeated releases.
fn repeated(simulated: Option<&SimulatedReleases>) -> Markup {
    let Some(simulated) = simulated else {
        return html! { p.notice { "Releases at this budget take too long to be simulated here." } };
    };
    let shown = simulated.releases.len().min(pictures::MAX_ROWS);
    let held = simulated.releases.iter().take(shown).filter(|release| {
        let ([low, high], truth) = (release.intervals[0], simulated.shares[0]);
        low <= truth && truth <= high
    });
    html! {
        figure {
            figcaption {
                h3 { "If you released it " (shown) " times" }
                p.small {
                    "Each line is one simulated release of the same made-up data: its 95 % interval for the first category, as \
                     its document would show it. " (held.count()) " of " (shown) " hold the truth. The band is the interval \
                     without any noise."
                }
            }
            (pictures::releases(simulated, 0))
        }
    }
}
