//! The results of a study.

use axum::extract::Path;
use maud::{Markup, html};
use posterity::Publication;
use posterity_present::describe::{Answered, Case, CaseError, sheet};
use posterity_study::{check_requirements, verdicts_sheet};

use super::asked::Asked;
use super::job::{Job, Results};
use super::page;
use super::summary::budget;
use crate::document::{figure, sheets, with_account};
use crate::failure::Failure;
use crate::layout::{self, Section};
use crate::plan::warnings;
use crate::readings;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::units::how_many;

pub(super) const UNKNOWN: Failure = Failure::NotFound(
    "These results are no longer known here. Carry out the plan again: what was charged is recalled, and costs nothing.",
);

/// The page of the results, or of the progress.
pub(crate) fn result(site: &Site, Path(id): Path<String>) -> Answer {
    let job = site.studies().job(&id).ok_or(UNKNOWN)?;
    let page = match job.outcome() {
        None => {
            let body = html! {
                h1 { (job.asked().study.plan().title()) }
                section data-progress={ "/study/result/" (id) "/progress" } { (working(&job)) }
            };
            layout::waiting("Carrying out a study", Section::Study, &body)
        }
        Some(Err(why)) => {
            page::with(site, &job.asked().typed, Some(&format!("Not carried out. {}", sentence(why))))
        }
        Some(Ok(results)) => {
            let body = body(job.asked(), results, &format!("/study/result/{id}"));
            layout::page("Results", Section::Study, &body)
        }
    };
    Ok(Reply::Html(page))
}

/// How far a study is, for a page that waits; nothing once it is done.
pub(crate) fn progress(site: &Site, Path(id): Path<String>) -> Answer {
    let running = site.studies().job(&id).filter(|job| job.is_running());
    Ok(Reply::Html(running.map(|job| working(&job)).unwrap_or_default()))
}

fn working(job: &Job) -> Markup {
    let (words, share) = job.progress().now();
    html! {
        p.lead role="status" { (words) }
        p { progress aria-label="The study" value=[share.map(|share| format!("{share:.3}"))] {} }
    }
}

/// The report, as a page of its own.
pub(crate) fn report(site: &Site, Path(id): Path<String>) -> Answer {
    let results = site.studies().done(&id).ok_or(UNKNOWN)?;
    results.files.get("report.html").map(|text| Reply::Foreign(text.clone())).ok_or(UNKNOWN)
}

/// A file of the results.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    if name == "sheet.html" || name == "sheet.md" {
        return sheet_file(site, &id, name);
    }
    let results = site.studies().done(&id).ok_or(UNKNOWN)?;
    let content = results.files.get(&name).ok_or(Failure::NotFound("There is no such file."))?.clone();
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("json") => "application/json",
        Some("csv") => "text/csv; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Ok(Reply::File { name, kind, content })
}

/// The sheet of all answers for a committee, as a page or as a file.
fn sheet_file(site: &Site, id: &str, name: String) -> Answer {
    let job = site.studies().job(id).ok_or(UNKNOWN)?;
    let results = site.studies().done(id).ok_or(UNKNOWN)?;
    let plan = job.asked().study.plan();
    let documents: Vec<(String, &Publication)> = results.answers.documents().collect();
    let answered = plan.titles().zip(&documents);
    let answered = answered.map(|(title, (file, document))| Answered { title: Some(title), file, document });
    let bad = |error: CaseError| Failure::Bad(sentence(error));
    let case = Case::of_study(plan.title(), plan.description(), answered.collect(), "FOLDER").map_err(bad)?;
    let verdicts = check_requirements(plan.requirements(), &results.answers);
    let case = case.with_requirements(verdicts_sheet(&verdicts));
    let case = match documents.first() {
        Some((_, first)) => with_account(site, case, first)?,
        None => case,
    };
    let sheet = sheet(&case);
    if name == "sheet.html" {
        return Ok(Reply::Foreign(sheet.html()));
    }
    Ok(Reply::File { name, kind: "text/markdown; charset=utf-8", content: sheet.markdown() })
}

fn body(asked: &Asked, results: &Results, address: &str) -> Markup {
    let plan = asked.study.plan();
    let titles = plan.questions().map(|asked| (asked.title(), asked.description()));
    html! {
        div.intro {
            (said(asked, results))
            (downloads(results, address))
        }
        @for ((title, about), answer) in titles.zip(results.answers.answers()) {
            section.question {
                h2 { (title) }
                @if let Some(about) = about { p { (about) } }
                (question(answer, results.files.get(&format!("{}.svg", answer.name()))))
                p.small {
                    a href={ (address) "/answer/" (answer.name()) } {
                        "Read something else from this answer"
                        span.unseen { ": " (title) }
                    }
                    ", at no cost."
                }
            }
        }
    }
}

/// What was asked and paid, and what is promised.
fn said(asked: &Asked, Results { answers, paid, .. }: &Results) -> Markup {
    let plan = asked.study.plan();
    let delta = plan.delta().map(posterity::Amount::to_f64_shown).unwrap_or_default();
    let protects = answers.documents().next().map(|(_, document)| document.guarantee().protects.clone());
    html! {
        p.kicker { @if answers.private() { "Private study" } @else { "Not a private study" } }
        h1 { (plan.title()) }
        p.lead {
            (budget(plan)) " for all questions together, " (how_many(answers.n(), asked.unit_column().is_some())) ". "
            (protects.unwrap_or_default())
        }
        p.paid role="status" { (paid) }
        (warnings(plan.records().adjacency, plan.epsilon().to_f64_shown(), delta, answers.n()))
        @if let Some(about) = plan.description() { p { (about) } }
    }
}

fn downloads(results: &Results, address: &str) -> Markup {
    html! {
        p.downloads {
            a.button id="report" href={ (address) "/report" } { "Open the report" }
            " "
            a.button href={ (address) "/report.html" } download { "Report (HTML)" }
            " "
            (sheets(address))
        }
        details {
            summary { "All files: documents (JSON), tables (CSV), pictures (SVG)" }
            ul.plain.files id="downloads" {
                @for name in results.files.keys().filter(|name| *name != "report.html") {
                    li { a href={ (address) "/" (name) } download { (name) } }
                }
            }
        }
    }
}

/// What was read from one answer, with the picture of its cells if it has one.
fn question(answer: &posterity_study::Answer, picture: Option<&String>) -> Markup {
    html! {
        (readings::grid(answer.tables(), answer.comparisons()))
        (readings::tested(&answer.document().tests()))
        p.small { (answer.document().holds()) }
        @if let Some(svg) = picture {
            details {
                summary { "All cells of this question, as a picture" }
                (figure(svg, "The posterior of each category"))
            }
        }
    }
}
