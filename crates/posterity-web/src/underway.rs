//! Releases that are under way.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::counting::counting;
use crate::drafts::Drafts;
use crate::failure::Failure;
use crate::html;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};

/// The message about a result that is not known any more.
pub(crate) const GONE: Failure =
    Failure::NotFound("This result is no longer known. If it was charged, the budget's history has it.");

/// The page of a release that is under way. It asks this address how far it is.
pub(crate) fn waiting(progress: &str, rows: &AtomicU64) -> String {
    let body = format!(
        "<h1>Releasing</h1><section data-progress=\"{}\">{}</section>",
        html::text(progress),
        working(rows)
    );
    layout::waiting("Releasing", Section::Release, &body)
}

/// How far a release is, for a page that waits; nothing once it is done.
pub(crate) fn progress<A, T>(releases: &Drafts<A, AtomicU64, T>, id: &str) -> Answer {
    let running = releases.job(id).filter(|job| job.is_running());
    Ok(Reply::Html(running.map(|job| working(job.progress())).unwrap_or_default()))
}

fn working(rows: &AtomicU64) -> String {
    format!(
        "<p class=\"lead\" role=\"status\">{}</p><p><progress aria-label=\"Counting\"></progress></p>",
        counting(rows.load(Ordering::Relaxed))
    )
}
