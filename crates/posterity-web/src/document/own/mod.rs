//! What only documents of one kind have on their pages. Those of a kind without a file here are shown as well, from what
//! every document says.

mod margins;
mod posterior;

use maud::Markup;
use posterity::{Publication, Reading};

/// What the page of a document has because of its kind.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// What stands before the tables.
    pub(super) before: Markup,
    /// The reading that is shown there, and not again.
    pub(super) repeated: Option<Reading>,
    /// What stands behind the downloads.
    pub(super) after: Markup,
    /// Readings that are one button each, behind that.
    pub(super) choices: Vec<Reading>,
    /// What is said beside the promise.
    pub(super) promise: Option<String>,
    /// A picture of all of it, as SVG.
    pub(super) picture: Option<String>,
    /// One more file.
    pub(super) file: Option<OwnFile>,
}

/// A file with comma-separated values, which is made when somebody asks for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnFile {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) text: fn(&Publication) -> String,
}

impl Own {
    pub(super) fn of(document: &Publication) -> Result<Self, String> {
        match document {
            Publication::Table(document) => posterior::own(document),
            Publication::Margins(document) => Ok(margins::own(document)),
            _ => Ok(Self::default()),
        }
    }
}
