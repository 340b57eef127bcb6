//! A release: what is asked, a summary, a confirmation, and the result.

mod asked;
mod command;
mod download;
mod form;
mod job;
mod outcome;
mod shown;
mod summary;

pub(crate) use asked::Asked;
pub(crate) use command::quoted;
pub(crate) use download::{download, file};
pub(crate) use form::page;
pub(crate) use job::Job;
pub(crate) use outcome::{progress, result};
pub(crate) use shown::{Shown, document_body, inline};
pub(crate) use summary::{check, confirm, draft};
