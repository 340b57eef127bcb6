//! Budgets: accounts, what is left of them, and what they were spent on.

mod account;
mod account_form;
mod create;
mod document;
mod page;

pub(crate) use create::create;
pub(crate) use document::{download, entry, stored};
pub(crate) use page::{page, verify};
