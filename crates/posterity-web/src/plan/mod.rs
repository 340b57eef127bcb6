//! The plan: what to expect before there is any data.

mod cache;
mod curves;
mod found;
mod lines;
mod now;
mod outlook;
mod page;
mod search;
mod state;
mod table;
mod table_lines;
mod words;

pub(crate) use cache::Cache;
pub(crate) use curves::curves;
pub(crate) use now::{Expected, expected, now};
pub(crate) use page::{page, search};
pub(crate) use state::PlanForm;
pub(crate) use table::table;
pub(crate) use words::{meaning, warnings, warnings_of};
