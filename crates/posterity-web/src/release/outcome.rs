//! The page of a result.

use std::sync::Arc;

use posterity::number::grouped;

use super::command::command;
use super::form;
use super::job::Job;
use super::shown::document_body;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::sentence;
use crate::readings;
use crate::site::{Reply, Site};

/// The page of a result, or of its progress.
pub(crate) fn result(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let id = fields.text("id");
    let unknown =
        Failure::NotFound("This result is no longer known. If it was charged, the budget's history has it.");
    let job = site.releases().job(id).ok_or(unknown)?;
    let page = match job.outcome() {
        None => {
            let body = format!(
                "<h1>Releasing</h1><section data-progress=\"/release/result/{}/progress\">{}</section>",
                html::text(id),
                counting(&job)
            );
            layout::waiting("Releasing", Section::Release, &body)
        }
        // What was typed stays, to be corrected.
        Some(Err(why)) => {
            form::with(site, &job.asked().typed, Some(&format!("Not released. {}", sentence(why))))
        }
        Some(Ok(shown)) => {
            let again = format!(
                "<section class=\"lines\"><h2>The same as a command</h2><div class=\"line\"><pre id=\"line-command\" tabindex=\"0\"><code>{}\
                 </code></pre><button type=\"button\" class=\"copy\" data-copy=\"line-command\" hidden>Copy</button></div></section>",
                html::text(command(site.ledger(), job.asked()))
            );
            let ask = readings::form(&site.token_field(), "result", id, &Fields::default(), None);
            let body = document_body(shown, &format!("/release/result/{}", html::text(id)), &ask) + &again;
            layout::page("Release", Section::Release, &body)
        }
    };
    Ok(Reply::Html(page))
}

/// How far a release is, for a page that waits; nothing once it is done.
pub(crate) fn progress(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let running = site.releases().job(fields.text("id")).filter(|job| job.outcome().is_none());
    Ok(Reply::Html(running.map(|job| counting(&job)).unwrap_or_default()))
}

fn counting(job: &Job) -> String {
    format!(
        "<p class=\"lead\" role=\"status\">Counting: {} rows so far.</p><p><progress aria-label=\"Counting\"></progress></p>",
        grouped(&job.rows().to_string())
    )
}
