//! The form of a posterior over declared categories.

mod asked;
mod form;
mod mechanisms;
mod undeclared;

pub(crate) use asked::TableForm;
