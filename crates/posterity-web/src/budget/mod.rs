//! Budgets: accounts, what is left of them, and what they were spent on.

mod document;
mod page;

pub(crate) use document::{download, entry};
pub(crate) use page::{create, page, verify};
