//! What is said above a release.

use maud::{Markup, html};

use crate::html;

/// What is said above a release: what was paid for it, or what was found when it was verified.
#[derive(Clone, Debug, Default)]
pub(crate) enum Note {
    #[default]
    Nothing,
    /// What was paid, for a release of this run.
    Paid(String),
    /// What was verified of a document that was opened, with the names of the parts.
    Verified(Vec<(&'static str, String)>),
}

impl Note {
    pub(crate) fn html(&self) -> Markup {
        match self {
            Self::Nothing => Markup::default(),
            Self::Paid(paid) => html! { p.paid role="status" { (paid) } },
            Self::Verified(found) => html! {
                section.card id="verified" role="status" { h2 { "Verified" } (html::facts(found)) }
            },
        }
    }
}
