//! The page with the glossary.

use maud::html;

use super::markdown::Text;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};
use crate::site::Site;

const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

/// The glossary of the documentation.
pub(crate) fn page(_: &Site, (): ()) -> Answer {
    let text = Text::new(GLOSSARY);
    let body = html! {
        div.intro {
            h1 { "Help" }
            p.lead {
                "What to do first is on the " a href="/home" { "start page" } ". These are the words that Posterity uses."
            }
        }
        nav aria-label="Words" {
            ul.words { @for (id, name) in text.headings() { li { a href={ "#" (id) } { (name) } } } }
        }
        div.glossary { (text.html()) }
    };
    Ok(Reply::Html(layout::page("Help", Section::Help, &body)))
}
