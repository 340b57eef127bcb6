//! The page on which a study is made of questions.

use maud::{Markup, html};
use posterity::number::bound;
use posterity::plan::Plan;
use serde::Deserialize;

use super::asked::{StudyForm, plan};
use super::forecast::forecast;
use super::summary::check;
use crate::extract::{Form, Query};
use crate::failure::Failure;
use crate::html;
use crate::layout::{self, Section};
use crate::made::{MadeForm, Part};
use crate::payer;
use crate::question::{Kind, Question};
use crate::reply::{Answer, Reply};
use crate::site::Site;

const TITLE: &str = "Make a study";
const LEAD: &str = "Several questions about the same people share one budget and are paid for in one charge. No record is read here.";

/// The page with the questions so far.
pub(crate) fn make(site: &Site, Query(made): Query<MadeForm>) -> Answer {
    Ok(page(site, &made, "", &[]))
}

/// A study as it was typed, with the one that the page showed, and what is to be done with it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Pressed {
    /// The address of the study that the page showed.
    made: String,
    account: String,
    /// Whether to look at the summary. Otherwise the page is shown with what was typed.
    go: String,
    #[serde(flatten)]
    typed: MadeForm,
}

/// Shows the page with what was typed, or leads to the summary if that is what the page showed.
pub(crate) fn pressed(site: &Site, Form(pressed): Form<Pressed>) -> Answer {
    let Pressed { made, account, go, typed } = pressed;
    if go.is_empty() {
        return Ok(Reply::Redirect(format!("/study/make?{}", typed.query())));
    }
    let differs = typed.differs(&MadeForm::of(&made)?);
    if !differs.is_empty() {
        return Ok(page(site, &typed, &account, &differs));
    }
    check(site, Form(StudyForm { made: made.into(), account: account.into(), ..StudyForm::default() }))
}

fn page(site: &Site, made: &MadeForm, account: &str, differs: &[String]) -> Reply {
    let Some(folder) = site.folder() else { return Reply::Redirect("/study".to_owned()) };
    let parts = made.parts();
    let body = if parts.is_empty() {
        html! { p.notice { "There is no question yet." } (add(made, &parts)) }
    } else {
        let plan = plan(folder, made);
        let parsed = plan.as_ref().ok().map(|(_, file)| file.plan());
        html! {
            form id="made" action="/study/make" method="post" autocomplete="off" {
                (site.token_field())
                (html::hidden("made", made.query()))
                (form(made, &parts, parsed))
                (add(made, &parts))
                (plan.as_ref().map_or_else(html::wrong, |(text, file)| carry_out(site, made, account, text, file.plan())))
            }
        }
    };
    let body = html! { (html::intro(TITLE, LEAD)) (html::differs(differs)) (body) };
    Reply::Html(layout::page(TITLE, Section::Study, &body))
}

/// The plan as a file.
pub(crate) fn plan_file(_: &Site, Query(made): Query<MadeForm>) -> Answer {
    let content = made.plan().map_err(Failure::Bad)?.to_string();
    Ok(Reply::File { name: "study.toml".to_owned(), kind: "application/toml", content })
}

fn form(made: &MadeForm, parts: &[Part], plan: Option<&Plan>) -> Markup {
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "question" }
                    th scope="col" { "shares of the budget" }
                    th scope="col" class="number" { "ε" }
                    th scope="col" { span.unseen { "remove" } }
                }
            }
            tbody { @for (index, part) in parts.iter().enumerate() { (row(index, part, made, plan)) } }
        }
    };
    html! {
        @if let Some(one) = made.adjacency.get() { (html::hidden("adjacency", one)) }
        (html::scroll("Questions", &table))
        (whole(made))
        p.act { button { "See what each costs and gives" } }
        @if let Some(plan) = plan { (expected(made, plan)) }
    }
}

/// What is said of all questions together.
fn whole(made: &MadeForm) -> Markup {
    html! {
        div.column {
            p {
                label for="title" { "Title" }
                input id="title" name="title" value=(made.title) placeholder="A study";
            }
            p {
                label for="epsilon" { "Epsilon for all questions together" }
                input id="epsilon" name="epsilon" value=(made.epsilon) inputmode="decimal";
            }
            p {
                label for="n" { "How many people there are, about" }
                input id="n" name="n" value=(made.n) inputmode="numeric";
            }
        }
    }
}

fn expected(made: &MadeForm, plan: &Plan) -> Markup {
    match made.n.value() {
        Ok(Some(n)) => forecast(plan, n),
        Ok(None) => html! {
            p.notice { "Give the number of people to see how wide the intervals will be." }
        },
        Err(wrong) => html::wrong(wrong),
    }
}

/// A question with its share.
fn row(index: usize, part: &Part, made: &MadeForm, plan: Option<&Plan>) -> Markup {
    let words = Question::new(&part.form).ok().flatten().map(|question| question.words()).unwrap_or_default();
    let asked = plan.and_then(|plan| plan.questions().nth(index));
    let id = format!("s{index}");
    html! {
        tr {
            th scope="row" { (words) (html::hidden(&format!("q{index}"), &part.query)) }
            td {
                label.unseen for=(id) { "Shares of: " (words) }
                input id=(id) name=(id) value=(part.share) placeholder="1" inputmode="decimal";
            }
            td.number { @if let Some(asked) = asked { (bound(asked.epsilon().to_f64_shown())) } }
            td {
                a href={ "/study/make?" (made.without(index).query()) } { "Remove" span.unseen { ": " (words) } }
            }
        }
    }
}

/// The ways to one more question. It is about the same file and the same people.
fn add(made: &MadeForm, parts: &[Part]) -> Markup {
    let same = parts.first().map(|part| &part.form);
    let query = |kind: Kind| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("kind", &kind.to_string()).append_pair("study", &made.query());
        let kept = ["file", "header", "delimiter", "encoding", "schema", "unit"];
        let pairs = same.into_iter().flat_map(|form| form.pairs());
        query.extend_pairs(pairs.filter(|(name, _)| kept.contains(name)));
        query.extend_pairs(made.n.get().map(|n| ("n", n)));
        query.extend_pairs(made.adjacency.get().map(|one| ("adjacency", one)));
        query.finish()
    };
    html! {
        h2 { "Add a question" }
        ul.kinds { @for kind in Kind::ALL { (html::kind(kind, &format!("/ask?{}", query(kind)))) } }
    }
}

/// The plan, and the form that leads to its summary.
fn carry_out(site: &Site, made: &MadeForm, account: &str, text: &str, plan: &Plan) -> Markup {
    let query = made.query();
    let said = html! {
        h2 { "The plan" }
        p {
            "It is what " code { "posterity study" } " takes. "
            a href={ "/study/plan.toml?" (query) } download { "Save it" } " beside your data to keep it."
        }
    };
    html! {
        (html::lines(&said, "line-plan", text))
        div.release {
            fieldset {
                legend { "Carry it out" }
                p { "It costs ε = " (bound(plan.epsilon().to_f64_shown())) " for all questions together." }
                (payer::field(site.ledger(), account, true, None))
            }
            p.act {
                button id="summary" name="go" value="summary" { "Look at the summary" }
                " "
                span.help { "No data is read or charged yet." }
            }
        }
    }
}
