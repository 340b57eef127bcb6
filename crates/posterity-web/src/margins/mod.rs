//! Tables of many columns: a form, a summary, and the release with its readings.

mod asked;
mod command;
mod document;
mod files;
mod form;
mod job;
mod noise;
mod outcome;
mod shown;
mod summary;

pub(crate) use document::{body, grid};
pub(crate) use files::file;
pub(crate) use form::page;
pub(crate) use job::MarginsReleases;
pub(crate) use outcome::{download, progress, result};
pub(crate) use shown::Shown;
pub(crate) use summary::{check, confirm, draft};
