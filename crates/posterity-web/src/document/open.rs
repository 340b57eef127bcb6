//! Opening a document that is a file of the folder.

use maud::{Markup, html};
use serde::Deserialize;

use super::shown::Shown;
use super::study::{is_study, study};
use super::verified::verified;
use crate::chosen;
use crate::extract::Form;
use crate::html;
use crate::layout::{self, Section};
use crate::note::Note;
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::typed::Typed;

/// The file that is to be opened.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Opened {
    document: Typed,
}

/// The page that offers the documents of the folder.
pub(crate) fn choice(site: &Site, (): ()) -> Answer {
    Ok(Reply::Html(with(site, &Opened::default(), None)))
}

/// Verifies a document, and leads to it.
pub(crate) fn open(site: &Site, Form(typed): Form<Opened>) -> Answer {
    match opened(site, &typed) {
        Ok(Found::Study(body)) => Ok(Reply::Html(layout::page("Results of a study", Section::None, &body))),
        Ok(Found::Release(shown)) => {
            Ok(Reply::Redirect(format!("/reading/{}", site.readings().add(*shown)?)))
        }
        Err(why) => Ok(Reply::Html(with(site, &typed, Some(&why)))),
    }
}

/// What a file of the folder is.
enum Found {
    /// The list of all results of a study, as the body of its page.
    Study(Markup),
    /// A document of any kind.
    Release(Box<Shown>),
}

fn opened(site: &Site, typed: &Opened) -> Result<Found, String> {
    let folder = chosen::folder(site.folder())?;
    let name = typed.document.get().ok_or("Choose a document.")?;
    if !folder.documents().iter().any(|known| known == name) {
        return Err("There is no such document in the folder.".to_owned());
    }
    if is_study(folder, name) {
        return study(site, folder, name).map(Found::Study);
    }
    let text = folder.text(name)?;
    let (document, found) = verified(&text, site.ledger()).map_err(|why| format!("{name}: {why}"))?;
    Ok(Found::Release(Box::new(Shown::new(document, Note::Verified(found))?.of_file(name))))
}

fn with(site: &Site, typed: &Opened, wrong: Option<&str>) -> Markup {
    const LEAD: &str = "A release that was written as JSON is verified, shown, and read again at no cost. No data is needed for \
                        that. To verify all results of a study, choose the study.json in their folder.";
    let documents = site.folder().map(crate::folder::Folder::documents).unwrap_or_default();
    let body = html! {
        (html::intro("Open a document", LEAD))
        (html::maybe_wrong(wrong))
        @if documents.is_empty() {
            p.notice {
                "There is no document yet. Put it into the folder of " code { "posterity web --data FOLDER" }
                ", with a name that ends in .json."
            }
        } @else {
            (form(&site.token_field(), &documents, typed))
        }
    };
    layout::page("Open a document", Section::None, &body)
}

fn form(token: &Markup, documents: &[String], typed: &Opened) -> Markup {
    html! {
        form.release action="/document/open" method="post" autocomplete="off" {
            (token)
            fieldset {
                legend { "The document" }
                p {
                    label for="document" { "File" }
                    select id="document" name="document" required {
                        option value="" { "Choose a document" }
                        (html::options(documents, |name| *typed.document == *name || documents.len() == 1))
                    }
                }
            }
            p.act { button { "Open" } }
        }
    }
}
