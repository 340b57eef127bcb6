//! A release under way, the page of its result, and its files.

use std::path::Path as FilePath;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::Path;
use maud::{Markup, html};
use posterity::signing::SecretKey;

use super::asked::Asked;
use super::clerk::Clerk;
use super::command::PLAN_FILE;
use super::elsewhere::{elsewhere, plan_of};
use super::fieldsets;
use crate::counting::counting;
use crate::document::{Shown, body, file};
use crate::failure::Failure;
use crate::inputs::told;
use crate::layout::{self, Section};
use crate::note::Note;
use crate::readings::{Origin, Source};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The message about a result that is not known any more.
const GONE: Failure =
    Failure::NotFound("This result is no longer known. If it was charged, the budget's history has it.");

/// Carries out a release: count, charge, draw, record, sign, read.
pub(super) fn run(
    asked: &Asked,
    ledger: Option<&FilePath>,
    key: Option<SecretKey>,
    rows: &AtomicU64,
) -> Result<Shown, String> {
    let mut clerk = Clerk::new(ledger.zip(asked.account.as_deref()), key, rows)?;
    let (document, said) = asked.answer(&mut clerk)?;
    Shown::new(document, Note::Paid(said))
}

/// The page of a result, or of its progress.
pub(crate) fn result(site: &Site, Path(id): Path<String>) -> Answer {
    let job = site.releases().job(&id).ok_or(GONE)?;
    let page = match job.outcome() {
        None => {
            let body = html! {
                h1 { "Releasing" }
                section data-progress={ "/release/result/" (id) "/progress" } { (working(job.progress())) }
            };
            layout::waiting("Releasing", Section::Release, &body)
        }
        // What was typed stays, to be corrected.
        Some(Err(why)) => {
            let wrong = format!("Not released. {}", sentence(told(why))).into();
            fieldsets::page(job.asked().of, &site.desk(), &job.asked().answers, Some(&wrong))
        }
        Some(Ok(shown)) => {
            let source = Source { of: Origin::Result, id };
            let lines = elsewhere(site, job.asked(), &source.address());
            let body = html! { (body(site, shown, &source, &shown.form(), None)) (lines) };
            layout::page("Release", Section::Release, &body)
        }
    };
    Ok(Reply::Html(page))
}

/// How far a release is, for a page that waits; nothing once it is done.
pub(crate) fn progress(site: &Site, Path(id): Path<String>) -> Answer {
    let running = site.releases().job(&id).filter(|job| job.is_running());
    Ok(Reply::Html(running.map(|job| working(job.progress())).unwrap_or_default()))
}

fn working(rows: &AtomicU64) -> Markup {
    html! {
        p.lead role="status" { (counting(rows.load(Ordering::Relaxed))) }
        p { progress aria-label="Counting" {} }
    }
}

/// A file of a result of this run.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    let job = site.releases().job(&id).filter(|_| name == PLAN_FILE);
    match job {
        Some(job) => Ok(plan_of(job.asked())),
        None => file(site, &*site.releases().done(&id).ok_or(GONE)?, &name),
    }
}
