//! A release: what is asked, a summary, a confirmation, and the result.

mod asked;
mod command;
mod document;
mod download;
mod form;
mod job;
mod mechanisms;
mod outcome;
mod shown;
mod summary;
mod undeclared;

pub(crate) use document::{document_body, downloads};
pub(crate) use download::{download, file, file_of_any, sheet_of, with_account};
pub(crate) use form::{file_fields, page};
pub(crate) use job::Releases;
pub(crate) use outcome::{progress, result};
pub(crate) use shown::{Shown, inline, labelled};
pub(crate) use summary::{Spending, check, confirm, draft, how_written, intervals};
