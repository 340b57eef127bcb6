//! What forms of releases are made from.

use std::path::Path;

use maud::Markup;

use crate::folder::Folder;

/// What forms of releases are made from: the data that there is, and who may pay.
pub(crate) struct Desk<'a> {
    pub(crate) folder: Option<&'a Folder>,
    pub(crate) ledger: Option<&'a Path>,
    /// The hidden field of every form.
    pub(crate) token: Markup,
}
