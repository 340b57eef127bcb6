//! A release: what is asked, a summary, a confirmation, and the result.

mod asked;
mod command;
mod download;
mod form;
mod job;
mod outcome;
mod shown;
mod store;
mod summary;

pub(crate) use download::{download, file};
pub(crate) use form::page;
pub(crate) use outcome::result;
pub(crate) use shown::{Shown, document_body};
pub(crate) use store::Releases;
pub(crate) use summary::{check, confirm, draft};
