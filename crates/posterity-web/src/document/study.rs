//! The results of a study in a folder of the folder. All of it is derived again, as `posterity verify` does.

use std::fs;
use std::io;
use std::path::Path;

use maud::{Markup, html};
use posterity::verification::VerificationError;
use posterity_study::{StudyVerificationError, VerifiedStudy, verify_folder};

use super::verified::{Found, charged};
use crate::folder::Folder;
use crate::html;
use crate::note::Note;
use crate::sentence::sentence;
use crate::site::Site;
use crate::temporary;

/// Whether a file is the list of all results of a study, which has a report beside it.
pub(super) fn is_study(folder: &Folder, name: &str) -> bool {
    let (before, file) = parts(name);
    file == "study.json" && folder.find(&format!("{before}report.html")).is_some()
}

/// Verifies all results: the body of a page that says what was found, with a way to each document.
pub(super) fn study(site: &Site, folder: &Folder, name: &str) -> Result<Markup, String> {
    let study = verified(folder, name)?;
    let note = Note::Verified(found(&study, site.ledger())?);
    Ok(html! {
        div.intro {
            p.kicker { "Results of a study" }
            h1 { (study.title()) }
            (note.html())
        }
        section {
            h2 { "Its documents" }
            ul.plain id="documents" {
                @for (file, _) in study.documents() { li { (open(site, name, file)) } }
            }
        }
    })
}

/// The way to a document of the study whose list has this name.
fn open(site: &Site, name: &str, file: &str) -> Markup {
    html! {
        form.inline-form action="/document/open" method="post" {
            (site.token_field())
            (html::hidden("document", format!("{}{file}", parts(name).0)))
            button aria-label={ "Open " (file) } { "Open" }
            " " (file)
        }
    }
}

/// What was verified, with the names of the parts. What is the same of several documents is said once.
fn found(study: &VerifiedStudy, ledger: Option<&Path>) -> Result<Found, String> {
    let derived = match study.files() {
        0 => "All that its documents say follows from what was asked, promised and drawn.".to_owned(),
        files => format!("All {files} files of the study follow from what was asked, promised and drawn."),
    };
    let mut found = vec![("Derived again", derived)];
    for (file, verified) in study.documents() {
        let charged = ("Charged", charged(verified, ledger).map_err(|why| format!("{file}: {why}"))?);
        if !found.contains(&charged) {
            found.push(charged);
        }
    }
    if study.is_signed() {
        let key = "Whose signature study.json has was not checked: `posterity verify --key` does that.";
        found.push(("Signed", key.to_owned()));
    }
    let words = "the titles and descriptions, which are the words of the study's author".to_owned();
    found.extend(study.not_checked().into_iter().chain([words]).map(|what| ("Not checked", what)));
    Ok(found)
}

/// Verifies a copy of the results, so that nothing is read through a link that leads out of the folder.
fn verified(folder: &Folder, name: &str) -> Result<VerifiedStudy, String> {
    let unwritten = |error: io::Error| format!("The results cannot be copied: {error}.");
    let scratch = temporary::folder().map_err(unwritten)?;
    let manifest: serde_json::Value = serde_json::from_str(&folder.text(name)?).unwrap_or_default();
    for path in folder.beside(name) {
        let file = parts(&path).1;
        // Other files may hold records. They are not read, and found by their names: they do not belong there.
        let is_result = path == name || manifest["files"].get(file).is_some();
        let text = if is_result { folder.text(&path).unwrap_or_default() } else { String::new() };
        fs::write(scratch.path().join(file), text).map_err(unwritten)?;
    }
    verify_folder(scratch.path(), &()).map_err(|error| match error {
        // The reason may hold a piece of the file, which may hold records.
        StudyVerificationError::NotAStudy { .. } => {
            format!(
                "{name} is not what `posterity study` writes. Choose the study.json of a folder of results."
            )
        }
        StudyVerificationError::Document { file, error: VerificationError::Unreadable { .. } } => {
            format!("{file} is no document of a release. Ask for the original.")
        }
        other => sentence(other).replace(&format!("{}/", scratch.path().display()), ""),
    })
}

/// The folder of a file, with what stands before the name, and the name.
fn parts(name: &str) -> (&str, &str) {
    name.split_at(name.rfind('/').map_or(0, |slash| slash + 1))
}
