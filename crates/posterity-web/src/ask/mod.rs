//! The question in words: one of four forms, each with only the fields that it needs.

mod fields;
mod form;
mod outlook;
mod page;

pub(crate) use page::{kinds, page};
