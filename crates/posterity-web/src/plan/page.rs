//! The page of the plan.

use super::search::Aim;
use super::state::PlanForm;
use super::{curves, now, table};
use crate::adjacency;
use crate::extract::Query;
use crate::html;
use crate::layout::{self, Section};
use crate::question::{Kind, Question};
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::slider::{LARGEST, SMALLEST};

/// Steps of the slider in each decade; the script knows them too.
const STEPS: f64 = 30.0;

/// The whole page.
pub(crate) fn page(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    let wanted = typed.curves.get().is_some();
    let not_drawn = || {
        format!(
            "<p class=\"small waiting\">Drawing the curves…</p><noscript><p><a href=\"/plan?{}&amp;curves=1\">Draw the curves</a></p>\
             </noscript>",
            html::text(typed.query())
        )
    };
    let (shown, now, curves, table) = match Aim::new(&site.plans().searches, &typed)? {
        Aim::Ready(state) => {
            let is_drawn = wanted || curves::are_known(site, &state);
            let curves = if is_drawn { curves::section(site, &state) } else { not_drawn() };
            let table = table::section_or_notice(site, &state, wanted);
            (form(&state.typed), now::section(site, &state), curves, table)
        }
        Aim::Searching(tried) => return Ok(Reply::Html(waiting(&typed, tried))),
        Aim::Wrong(wrong) => (form(&typed), html::wrong(wrong), not_drawn(), String::new()),
    };
    let body = format!(
        "{INTRO}<div class=\"plan\">{shown}<div class=\"answer\"><section id=\"now\" aria-live=\"polite\">{now}</section></div></div>\
         <section id=\"curves\">{curves}</section><section id=\"table\">{table}</section>"
    );
    Ok(Reply::Html(layout::page("Plan", Section::Plan, &body)))
}

const INTRO: &str = "<div class=\"intro\"><h1>Plan a release</h1><p class=\"lead\">How precise can a private answer be? Choose the size of \
                     your data and a privacy budget. No data is read here.</p></div>";

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected.",
    "The number of records above is a guess, and the noise is geometric.",
];

/// The page while the least epsilon is searched for. It asks again until it is found.
fn waiting(typed: &PlanForm, tried: u64) -> String {
    let body = format!(
        "{INTRO}<div class=\"plan\">{}<div class=\"answer\"><section data-progress=\"/plan/search?{}\">{}</section></div></div>",
        form(typed),
        html::text(typed.query()),
        now::searching(tried)
    );
    layout::waiting("Plan", Section::Plan, &body)
}

/// How far the search is, for a page that waits; nothing once it is done.
pub(crate) fn search(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    Ok(Reply::Html(match Aim::new(&site.plans().searches, &typed)? {
        Aim::Searching(tried) => now::searching(tried),
        Aim::Ready(_) | Aim::Wrong(_) => String::new(),
    }))
}

fn form(typed: &PlanForm) -> String {
    let epsilon: f64 = typed.epsilon.parse().unwrap_or(1.0);
    let steps = (LARGEST / SMALLEST).log10() * STEPS;
    let place = ((epsilon / SMALLEST).log10() * STEPS).round().clamp(0.0, steps);
    let data = if typed.has_question() { question_fields(typed) } else { number_fields(typed) };
    format!(
        "<form class=\"panel\" id=\"plan-form\" action=\"/plan\" method=\"get\" autocomplete=\"off\">{data}\
         <fieldset><legend>Privacy budget</legend>{}\
         <p class=\"budget\"><label for=\"e\">Epsilon</label><input id=\"e\" name=\"e\" value=\"{}\" inputmode=\"decimal\"></p>\
         <p><label class=\"unseen\" for=\"slider\">Epsilon, on a logarithmic scale</label>\
         <input id=\"slider\" type=\"range\" min=\"0\" max=\"{steps}\" step=\"1\" value=\"{place}\" aria-valuetext=\"{}\" hidden>\
         <span class=\"ends\" id=\"ends\" hidden aria-hidden=\"true\"><span>0.01 more private</span><span>more precise 10</span></span></p>\
         <p><label for=\"w\">Or the error you can bear, in points</label><input id=\"w\" name=\"w\" value=\"{}\" inputmode=\"decimal\" \
         aria-describedby=\"w-help\"><span class=\"help\" id=\"w-help\">± 5 means: a share of 40 % is known to be within 35 % and 45 %. \
         The least epsilon that does it is then searched for.</span></p></fieldset>\
         <p class=\"act\"><button>Show</button></p></form>",
        adjacency::field(&typed.adjacency, FOLLOWS),
        html::text(&typed.epsilon),
        html::text(&typed.epsilon),
        html::text(&typed.width),
    )
}

/// The number of records.
fn records_field(typed: &PlanForm) -> String {
    format!(
        "<p><label for=\"n\">Records, or people</label><input id=\"n\" name=\"n\" value=\"{}\" inputmode=\"numeric\"></p>",
        html::text(&typed.n)
    )
}

/// The question that the plan is for, with what is expected of its groups.
fn question_fields(typed: &PlanForm) -> String {
    let question = Question::new(&typed.question).ok().flatten();
    let words = question.map(|question| question.words()).unwrap_or_default();
    let grouped = typed.question.kind.value().ok().flatten().is_some_and(Kind::has_groups);
    let sizes = if grouped {
        format!(
            "<p><label for=\"sizes\">Sizes of the groups</label><input id=\"sizes\" name=\"sizes\" value=\"{}\" placeholder=\"equal\" \
             aria-describedby=\"sizes-help\"><span class=\"help\" id=\"sizes-help\">One for each, from public sources: {PUBLIC_ONLY}</span></p>",
            html::text(&typed.question.sizes)
        )
    } else {
        shape_field(typed, "For example 6, 1, 3; of a table those of its columns: ward=50,30,20.")
    };
    format!(
        "<fieldset><legend>Your question</legend><p id=\"question\">{}</p><p><a id=\"change\" href=\"/ask?{}\">Change the question</a></p>\
         {}{}{sizes}</fieldset>",
        html::text(words),
        html::text(typed.query()),
        typed.question.hidden_but(&["sizes"]),
        records_field(typed)
    )
}

/// Why sizes are not counted in the data.
const PUBLIC_ONLY: &str = "sizes counted in the data would be published through your choice of epsilon.";

fn shape_field(typed: &PlanForm, example: &str) -> String {
    format!(
        "<p><label for=\"shape\">Expected shares</label><input id=\"shape\" name=\"shape\" value=\"{}\" placeholder=\"equal\" \
         aria-describedby=\"shape-help\"><span class=\"help\" id=\"shape-help\">{example} Take them from public sources: {PUBLIC_ONLY}</span></p>",
        html::text(&typed.shape)
    )
}

/// The size of data that nobody asked a question about yet.
fn number_fields(typed: &PlanForm) -> String {
    let more = html::attribute("open", !typed.prior.is_empty() || !typed.shape.is_empty());
    format!(
        "<fieldset><legend>Your data</legend>{}\
         <p><label for=\"k\">Categories</label><input id=\"k\" name=\"k\" value=\"{}\" aria-describedby=\"k-help\">\
         <span class=\"help\" id=\"k-help\">For a table, the values of each column: 12 x 2. They are called a, b, c.</span></p>\
         <p><label for=\"read\">What you will read of a table</label><input id=\"read\" name=\"read\" value=\"{}\" \
         placeholder=\"everything below\" aria-describedby=\"read-help\"><span class=\"help\" id=\"read-help\">b | a is the shares of b \
         within each value of a: a rate for each ward.</span></p>\
         <details{more}><summary>Prior and expected shares</summary>\
         <p><label for=\"prior\">Prior</label><input id=\"prior\" name=\"prior\" value=\"{}\" placeholder=\"1\" \
         aria-describedby=\"prior-help\"><span class=\"help\" id=\"prior-help\">Dirichlet parameters: one for all, or one for each. 1 is \
         uniform.</span></p>{}</details></fieldset>",
        records_field(typed),
        html::text(&typed.k),
        html::text(&typed.read),
        html::text(&typed.prior),
        shape_field(typed, "For example 6, 1, 3; of a table those of its columns: a=50,30,20; b=1,3.")
    )
}
