//! The same release elsewhere: as a plan, and as a command.

use maud::{Markup, html};

use super::asked::Asked;
use super::command::{PLAN_FILE, Paying, command};
use crate::html;
use crate::reply::Reply;
use crate::site::Site;

/// The same as a plan and as a command.
pub(super) fn elsewhere(site: &Site, asked: &Asked, address: &str) -> Markup {
    let said = html! {
        h2 { "The same as a plan" }
        p {
            "It is what " code { "posterity " (asked.of.word) " --plan" } " and " code { "posterity study" } " take, and these pages. "
            a id="plan-file" href={ (address) "/" (PLAN_FILE) } download { "Save it" } " beside your data to keep it."
        }
    };
    html! {
        (html::lines(&said, "line-plan", &asked.text()))
        @if let Some(folder) = site.folder() {
            (html::command(&command(asked, folder.path(), Paying { ledger: site.ledger(), key: site.key_file() })))
        }
    }
}

/// The plan of a release, as a file.
pub(super) fn plan_of(asked: &Asked) -> Reply {
    Reply::File { name: PLAN_FILE.to_owned(), kind: "application/toml", content: asked.text() }
}
