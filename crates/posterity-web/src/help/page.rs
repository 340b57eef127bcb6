//! The page with the glossary.

use super::markdown::Text;
use crate::layout::{self, Section};
use crate::reply::{Answer, Reply};
use crate::site::Site;

const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

/// The glossary of the documentation.
pub(crate) fn page(_: &Site, (): ()) -> Answer {
    let text = Text::new(GLOSSARY);
    let links: String =
        text.headings().map(|(id, name)| format!("<li><a href=\"#{id}\">{name}</a></li>")).collect();
    let body = format!(
        "<div class=\"intro\"><h1>Help</h1><p class=\"lead\">What to do first is on the <a href=\"/home\">start page</a>. These are the words \
         that Posterity uses.</p></div><nav aria-label=\"Words\"><ul class=\"words\">{links}</ul></nav><div class=\"glossary\">{}</div>",
        text.html()
    );
    Ok(Reply::Html(layout::page("Help", Section::Help, &body)))
}
