//! One answer of a study as a release by itself, from which more can be read.

use axum::extract::Path;
use maud::html;

use super::outcome::UNKNOWN;
use crate::document::{Shown, body, file};
use crate::failure::Failure;
use crate::layout::{self, Section};
use crate::note::Note;
use crate::readings::{Origin, Source};
use crate::reply::{Answer, Reply};
use crate::site::Site;

/// What stands between a study and the name of one of its answers.
const ANSWER: &str = "/answer/";

/// The page of an answer.
pub(crate) fn answer(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    let source = Source { of: Origin::Study, id: format!("{id}{ANSWER}{name}") };
    let shown = answered(site, &source.id)?;
    let page = html! {
        p { a href={ "/study/result/" (id) } { "All results of the study" } }
        (body(site, &shown, &source, &shown.form(), None))
    };
    Ok(Reply::Html(layout::page("An answer of a study", Section::Study, &page)))
}

/// A file of an answer.
pub(crate) fn answer_file(site: &Site, Path((id, name, wanted)): Path<(String, String, String)>) -> Answer {
    file(site, &answered(site, &format!("{id}{ANSWER}{name}"))?, &wanted)
}

/// The answer that a study and its name lead to.
pub(crate) fn answered(site: &Site, place: &str) -> Result<Shown, Failure> {
    let (id, name) = place.split_once(ANSWER).ok_or(UNKNOWN)?;
    let results = site.studies().done(id).ok_or(UNKNOWN)?;
    let wanted = format!("{name}.json");
    let (_, document) = results.answers.documents().find(|(file, _)| *file == wanted).ok_or(UNKNOWN)?;
    Shown::new(document.clone(), Note::Nothing).map_err(Failure::Bad)
}
