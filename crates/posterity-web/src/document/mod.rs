//! Releases that are there already: of any kind, from a draw, a ledger, a study, or a file of the folder.

mod files;
mod open;
mod own;
mod page;
mod picture;
mod shown;
mod study;
mod verified;

pub(crate) use files::{file, sheets, with_account};
pub(crate) use open::{choice, open};
pub(crate) use page::body;
pub(crate) use picture::figure;
pub(crate) use shown::Shown;
