//! The page on which a question is asked.

use maud::{Markup, html};

use super::fields::fields;
use super::form::AskForm;
use super::outlook::outlook;
use crate::extract::Query;
use crate::folder::Folder;
use crate::html;
use crate::known::Known;
use crate::layout::{self, Section};
use crate::question::Kind;
use crate::reply::{Answer, Reply};
use crate::site::Site;

const LEAD: &str = "What do you want to know? No record is read here. First you see how precise an answer could be, and what it would cost.";

/// The choice of a form, or the form with what was typed. A question that can be planned leads to its plan.
pub(crate) fn page(site: &Site, Query(form): Query<AskForm>) -> Answer {
    let Some(folder) = site.folder() else { return Ok(Reply::Html(without_data())) };
    let kind = match form.question.kind.value() {
        Ok(Some(kind)) => kind,
        Ok(None) => return Ok(Reply::Html(choice(&Markup::default()))),
        Err(wrong) => return Ok(Reply::Html(choice(&html::wrong(wrong)))),
    };
    let known = Known::of(folder, &form.question);
    let plan = if form.go.is_empty() { None } else { Some(form.plan(&known)) };
    match plan {
        Some(Ok(plan)) => Ok(Reply::Redirect(format!("/plan?{}", plan.query()))),
        wrong => {
            let wrong = wrong.and_then(Result::err);
            let outlook = outlook(site, &form, &known);
            Ok(Reply::Html(with(kind, &form, folder, &known, (&outlook, wrong.as_deref()))))
        }
    }
}

/// The four forms to choose from.
pub(crate) fn kinds() -> Markup {
    html! {
        ul.kinds {
            @for kind in Kind::ALL { (html::kind(kind, &format!("/ask?kind={kind}"))) }
        }
    }
}

fn choice(wrong: &Markup) -> Markup {
    layout::page("Ask", Section::Ask, &html! { (html::intro("Ask", LEAD)) (wrong) (kinds()) })
}

fn without_data() -> Markup {
    let lead = "There is no folder of data yet. Start Posterity with the folder that holds your files:";
    let body = html! {
        (html::intro("Ask", lead))
        (html::shell("posterity web --data FOLDER"))
        p { "You can " a href="/plan" { "plan" } " without any data." }
    };
    layout::page("Ask", Section::Ask, &body)
}

fn with(
    kind: Kind,
    form: &AskForm,
    folder: &Folder,
    known: &Known,
    (outlook, wrong): (&Markup, Option<&str>),
) -> Markup {
    let kept = [
        ("kind", &*kind.to_string()),
        ("adjacency", &form.adjacency),
        ("e", &form.epsilon),
        ("shape", &form.shape),
        ("study", &form.question.study),
    ];
    let kept = kept.into_iter().filter(|(_, value)| !value.is_empty());
    let body = html! {
        div.intro {
            p.kicker { a href="/ask" { "Other questions" } }
            h1 { (kind.title()) }
            p.lead { (kind.example()) }
        }
        (html::maybe_wrong(wrong))
        form.asking id="ask-form" data-keep="/ask" action="/ask" method="get" autocomplete="off" {
            div.release {
                @for (name, value) in kept { (html::hidden(name, value)) }
                noscript { p { button { "Show what is known of the file" } } }
                (fields(kind, form, folder, known))
                p.act {
                    button name="go" value="plan" { "See what to expect" }
                    " "
                    span.help { "This reads no record and charges nothing." }
                }
            }
            (outlook)
        }
    };
    layout::page(kind.title(), Section::Ask, &body)
}
