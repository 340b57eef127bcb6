//! The form of tables of many columns.

mod asked;
mod form;
mod typed;

pub(crate) use typed::MarginsForm;
