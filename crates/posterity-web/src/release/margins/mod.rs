//! The form of tables of many columns.

mod asked;
mod form;

pub(crate) use asked::MarginsForm;
