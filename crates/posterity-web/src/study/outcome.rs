//! The results of a study.

use axum::extract::Path;
use posterity::Publication;
use posterity_present::describe::{Answered, Case, CaseError, sheet};
use posterity_study::{check_requirements, verdicts_sheet};

use super::asked::Asked;
use super::job::{Job, Results};
use super::page;
use super::summary::budget;
use crate::document::{figure, with_account};
use crate::failure::Failure;
use crate::html;
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
            let body = format!(
                "<h1>{}</h1><section data-progress=\"/study/result/{}/progress\">{}</section>",
                html::text(job.asked().study.plan().title()),
                html::text(&id),
                working(&job)
            );
            layout::waiting("Carrying out a study", Section::Study, &body)
        }
        Some(Err(why)) => {
            page::with(site, &job.asked().typed, Some(&format!("Not carried out. {}", sentence(why))))
        }
        Some(Ok(results)) => {
            let body = body(job.asked(), results, &format!("/study/result/{}", html::text(id)));
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

fn working(job: &Job) -> String {
    let (words, share) = job.progress().now();
    let value = share.map(|share| format!(" value=\"{share:.3}\"")).unwrap_or_default();
    format!(
        "<p class=\"lead\" role=\"status\">{}</p><p><progress aria-label=\"The study\"{value}></progress></p>",
        html::text(words)
    )
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

fn body(asked: &Asked, results: &Results, address: &str) -> String {
    let Results { answers, files, paid } = results;
    let plan = asked.study.plan();
    let delta = plan.delta().map(posterity::Amount::to_f64_shown).unwrap_or_default();
    let protects = answers.documents().next().map(|(_, document)| document.guarantee().protects.clone());
    let private = if answers.private() { "Private study" } else { "Not a private study" };
    let about = plan.description().map(|about| format!("<p>{}</p>", html::text(about))).unwrap_or_default();
    let titles = plan.questions().map(|asked| (asked.title(), asked.description()));
    let questions = titles.zip(answers.answers()).map(|((title, about), answer)| {
        let picture = files.get(&format!("{}.svg", answer.name()));
        section(title, about, &question(answer, picture), address, answer.name())
    });
    let downloads: String = files
        .keys()
        .filter(|name| *name != "report.html")
        .map(|name| format!("<li><a href=\"{address}/{0}\" download>{0}</a></li>", html::text(name)))
        .collect();
    format!(
        "<div class=\"intro\"><p class=\"kicker\">{private}</p><h1>{}</h1><p class=\"lead\">{} for all questions together, {}. {}</p>\
         <p class=\"paid\" role=\"status\">{}</p>{}{about}\
         <p class=\"downloads\"><a class=\"button\" id=\"report\" href=\"{address}/report\">Open the report</a> \
         <a class=\"button\" href=\"{address}/report.html\" download>Report (HTML)</a> \
         <a class=\"button\" id=\"sheet\" href=\"{address}/sheet.html\">Sheet for the committee</a> \
         <a class=\"button\" href=\"{address}/sheet.md\" download>Sheet (Markdown)</a> \
         <button type=\"button\" id=\"print\" hidden>Print or save as PDF</button></p>\
         <details><summary>All files: documents (JSON), tables (CSV), pictures (SVG)</summary><ul class=\"plain files\" id=\"downloads\">{downloads}\
         </ul></details></div>{}",
        html::text(plan.title()),
        budget(plan),
        how_many(answers.n(), asked.unit_column().is_some()),
        html::text(protects.unwrap_or_default()),
        html::text(paid),
        warnings(plan.records().adjacency, plan.epsilon().to_f64_shown(), delta, answers.n()),
        questions.collect::<String>()
    )
}

/// What was read from one answer, and the way to read more.
fn section(title: &str, about: Option<&str>, read: &str, address: &str, name: &str) -> String {
    let about = about.map(|about| format!("<p>{}</p>", html::text(about))).unwrap_or_default();
    format!(
        "<section class=\"question\"><h2>{0}</h2>{about}{read}<p class=\"small\"><a href=\"{address}/answer/{1}\">Read something else from \
         this answer<span class=\"unseen\">: {0}</span></a>, at no cost.</p></section>",
        html::text(title),
        html::text(name)
    )
}

/// What was read from one answer, with the picture of its cells if it has one.
fn question(answer: &posterity_study::Answer, picture: Option<&String>) -> String {
    let picture = picture.map(|svg| {
        format!(
            "<details><summary>All cells of this question, as a picture</summary>{}</details>",
            figure(svg, "The posterior of each category")
        )
    });
    format!(
        "{}<p class=\"small\">{}</p>{}",
        readings::grid(answer.tables(), answer.comparisons()),
        html::text(answer.document().holds()),
        picture.unwrap_or_default()
    )
}
