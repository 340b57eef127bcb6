//! The page of the plan.

use maud::{Markup, html};

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
    let mut differs = Vec::new();
    let (shown, now, curves, table) = match Aim::new(&site.plans().searches, &typed)? {
        Aim::Ready(state) => {
            if let Some(seen) = typed.pressed() {
                differs = state.typed.differs(seen);
                if let Some(address) = now::address(&state).filter(|_| differs.is_empty()) {
                    return Ok(Reply::Redirect(address));
                }
            }
            let is_drawn = wanted || curves::are_known(site, &state);
            let curves = if is_drawn { curves::section(site, &state) } else { not_drawn(&typed) };
            let table = table::section_or_notice(site, &state, wanted);
            (form(&state.typed), now::section(site, &state), curves, table)
        }
        Aim::Searching(tried) => return Ok(Reply::Html(waiting(&typed, tried))),
        Aim::Wrong(wrong) => (form(&typed), html::wrong(wrong), not_drawn(&typed), Markup::default()),
    };
    let body = html! {
        (html::intro(TITLE, LEAD))
        (html::differs(&differs))
        div.plan {
            (shown)
            div.answer { section id="now" aria-live="polite" { (now) } }
        }
        section id="curves" { (curves) }
        section id="table" { (table) }
    };
    Ok(Reply::Html(layout::page("Plan", Section::Plan, &body)))
}

/// Said in place of the curves, which a script asks for.
fn not_drawn(typed: &PlanForm) -> Markup {
    html! {
        p.small.waiting { "Drawing the curves…" }
        noscript { p { a href={ "/plan?" (typed.query()) "&curves=1" } { "Draw the curves" } } }
    }
}

const TITLE: &str = "Plan a release";
const LEAD: &str = "How precise can a private answer be? Choose the size of your data and a privacy budget. No data is read here.";

/// What follows if the number of people is public, and if it is not.
const FOLLOWS: [&str; 2] = [
    "What each person says is protected.",
    "The number of records above is a guess, and the noise is geometric.",
];

/// The page while the least epsilon is searched for. It asks again until it is found.
fn waiting(typed: &PlanForm, tried: u64) -> Markup {
    let body = html! {
        (html::intro(TITLE, LEAD))
        div.plan {
            (form(typed))
            div.answer {
                section data-progress={ "/plan/search?" (typed.query()) } { (now::searching(tried)) }
            }
        }
    };
    layout::waiting("Plan", Section::Plan, &body)
}

/// How far the search is, for a page that waits; nothing once it is done.
pub(crate) fn search(site: &Site, Query(typed): Query<PlanForm>) -> Answer {
    Ok(Reply::Html(match Aim::new(&site.plans().searches, &typed)? {
        Aim::Searching(tried) => now::searching(tried),
        Aim::Ready(_) | Aim::Wrong(_) => Markup::default(),
    }))
}

fn form(typed: &PlanForm) -> Markup {
    html! {
        form.panel id="plan-form" action="/plan" method="get" autocomplete="off" {
            @if typed.has_question() { (question_fields(typed)) } @else { (number_fields(typed)) }
            (budget_fields(typed))
            p.act { button { "Show" } }
        }
    }
}

fn budget_fields(typed: &PlanForm) -> Markup {
    html! {
        fieldset {
            legend { "Privacy budget" }
            (adjacency::field(&typed.adjacency, FOLLOWS))
            p.budget {
                label for="e" { "Epsilon" }
                input id="e" name="e" value=(typed.epsilon) inputmode="decimal";
            }
            (slider(&typed.epsilon))
            p {
                label for="w" { "Or the error you can bear, in points" }
                input id="w" name="w" value=(typed.width) inputmode="decimal" aria-describedby="w-help";
                span.help id="w-help" {
                    "± 5 means: a share of 40 % is known to be within 35 % and 45 %. The least epsilon that does it is then \
                     searched for."
                }
            }
        }
    }
}

/// The slider, which only scripts show.
fn slider(typed: &str) -> Markup {
    let epsilon: f64 = typed.parse().unwrap_or(1.0);
    let steps = (LARGEST / SMALLEST).log10() * STEPS;
    let place = ((epsilon / SMALLEST).log10() * STEPS).round().clamp(0.0, steps);
    html! {
        p {
            label.unseen for="slider" { "Epsilon, on a logarithmic scale" }
            input id="slider" type="range" min="0" max=(steps) step="1" value=(place) aria-valuetext=(typed) hidden;
            span.ends id="ends" hidden aria-hidden="true" {
                span { "0.01 more private" }
                span { "more precise 10" }
            }
        }
    }
}

/// The number of records.
fn records_field(typed: &PlanForm) -> Markup {
    html! {
        p {
            label for="n" { "Records, or people" }
            input id="n" name="n" value=(typed.n) inputmode="numeric";
        }
    }
}

/// The question that the plan is for, with what is expected of its groups.
fn question_fields(typed: &PlanForm) -> Markup {
    let question = Question::new(&typed.question).ok().flatten();
    let grouped = typed.question.kind.value().ok().flatten().is_some_and(Kind::has_groups);
    html! {
        fieldset {
            legend { "Your question" }
            p id="question" { @if let Some(question) = question { (question.words()) } }
            p { a id="change" href={ "/ask?" (typed.query()) } { "Change the question" } }
            (typed.question.hidden_but(&["sizes"]))
            (records_field(typed))
            @if grouped {
                (sizes_field(&typed.question.sizes))
            } @else {
                (shape_field(typed, "For example 6, 1, 3; of a table those of its columns: ward=50,30,20."))
            }
        }
    }
}

fn sizes_field(typed: &str) -> Markup {
    html! {
        p {
            label for="sizes" { "Sizes of the groups" }
            input id="sizes" name="sizes" value=(typed) placeholder="equal" aria-describedby="sizes-help";
            span.help id="sizes-help" { "One for each, from public sources: " (PUBLIC_ONLY) }
        }
    }
}

/// Why sizes are not counted in the data.
const PUBLIC_ONLY: &str = "sizes counted in the data would be published through your choice of epsilon.";

fn shape_field(typed: &PlanForm, example: &str) -> Markup {
    html! {
        p {
            label for="shape" { "Expected shares" }
            input id="shape" name="shape" value=(typed.shape) placeholder="equal" aria-describedby="shape-help";
            span.help id="shape-help" { (example) " Take them from public sources: " (PUBLIC_ONLY) }
        }
    }
}

/// The size of data that nobody asked a question about yet.
fn number_fields(typed: &PlanForm) -> Markup {
    html! {
        fieldset {
            legend { "Your data" }
            (records_field(typed))
            p {
                label for="k" { "Categories" }
                input id="k" name="k" value=(typed.k) aria-describedby="k-help";
                span.help id="k-help" {
                    "For a table, the values of each column: 12 x 2. They are called a, b, c."
                }
            }
            p {
                label for="read" { "What you will read of a table" }
                input id="read" name="read" value=(typed.read) placeholder="everything below"
                    aria-describedby="read-help";
                span.help id="read-help" {
                    "b | a is the shares of b within each value of a: a rate for each ward."
                }
            }
            (prior_fields(typed))
        }
    }
}

fn prior_fields(typed: &PlanForm) -> Markup {
    html! {
        details open[!typed.prior.is_empty() || !typed.shape.is_empty()] {
            summary { "Prior and expected shares" }
            p {
                label for="prior" { "Prior" }
                input id="prior" name="prior" value=(typed.prior) placeholder="1" aria-describedby="prior-help";
                span.help id="prior-help" { "Dirichlet parameters: one for all, or one for each. 1 is uniform." }
            }
            (shape_field(typed, "For example 6, 1, 3; of a table those of its columns: a=50,30,20; b=1,3."))
        }
    }
}
