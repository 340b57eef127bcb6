//! The release that is read.

use maud::{Markup, html};
use serde::Deserialize;

use crate::html;

/// Where a release is kept, and its name there.
#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    pub(crate) of: Origin,
    pub(crate) id: String,
}

/// Where releases are kept. Forms name it in small letters.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Origin {
    /// The results of this run.
    Result,
    /// What was read again in this run.
    Reading,
    /// The answers of studies of this run: the study, `/answer/` and the name of the answer.
    Study,
    /// The ledger.
    Entry,
}

impl Source {
    /// The page of the release. Its files are below that.
    pub(crate) fn address(&self) -> String {
        let page = match self.of {
            Origin::Result => "/release/result",
            Origin::Reading => "/reading",
            Origin::Study => "/study/result",
            Origin::Entry => "/budget/entry",
        };
        format!("{page}/{}", self.id)
    }

    /// The hidden fields of a form.
    pub(crate) fn fields(&self) -> Markup {
        let of = format!("{:?}", self.of).to_lowercase();
        html! { (html::hidden("of", of)) (html::hidden("id", &self.id)) }
    }
}
