//! Readings and comparisons of a release. They follow from the release alone, so they cost nothing.

mod asked;
mod form;
mod menus;
mod source;
mod store;
mod tables;

pub(crate) use asked::AskedReadings;
pub(crate) use form::ReadingForm;
pub(crate) use source::{Origin, Source};
pub(crate) use store::Kept;
pub(crate) use tables::{below, grid, tested};
