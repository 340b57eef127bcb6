//! A release: what is asked, a summary, a confirmation, and the result.

mod asked;
mod command;
mod download;
mod form;
mod job;
mod outcome;
mod store;
mod summary;

pub(crate) use download::{download, file};
pub(crate) use form::page;
pub(crate) use outcome::{Shown, document_body, result};
pub(crate) use store::Releases;
pub(crate) use summary::{check, confirm, draft};
