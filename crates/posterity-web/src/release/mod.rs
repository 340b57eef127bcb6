//! A release: what is asked, a summary, a confirmation, and the result. Each form is a folder here; all else is the same.

mod asked;
mod clerk;
mod command;
mod common;
mod fieldsets;
mod form;
mod margins;
mod outcome;
mod summary;
mod table;

pub(crate) use asked::Asked;
pub(crate) use form::page;
pub(crate) use margins::MarginsForm;
pub(crate) use outcome::{download, progress, result};
pub(crate) use summary::{check, confirm, draft};
pub(crate) use table::TableForm;
