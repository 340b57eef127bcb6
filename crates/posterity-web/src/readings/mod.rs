//! Readings and comparisons of a release. They follow from the release alone, so they cost nothing.

mod asked;
mod form;
mod store;
mod tables;

pub(crate) use asked::{AskedReadings, fields};
pub(crate) use form::form;
pub(crate) use store::Kept;
pub(crate) use tables::{grid, tables};
