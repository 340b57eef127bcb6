//! The form of a posterior over declared categories.

mod asked;
mod form;
mod mechanisms;
mod typed;
mod undeclared;

pub(crate) use typed::TableForm;
