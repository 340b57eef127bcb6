//! Lookups of declared values.

mod integers;
mod table;
mod words;

pub(crate) use integers::Integers;
pub(crate) use words::Words;
