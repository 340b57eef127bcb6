//! A release: what is asked, a summary, a confirmation, and the result. All kinds have the same pages: what is typed becomes a
//! plan, and everything else is taken from that.

mod asked;
mod clerk;
mod command;
mod elsewhere;
mod fieldsets;
mod forecast;
mod form;
mod kinds;
mod mechanisms;
pub(crate) mod nodes;
mod outcome;
mod summary;

pub(crate) use asked::Asked;
pub(crate) use form::page;
pub(crate) use kinds::FormOf;
pub(crate) use outcome::{download, progress, result};
pub(crate) use summary::{check, confirm, draft, plan_file};
