//! One file per command.

mod advise;
mod audit;
mod budget;
mod compare;
mod completions;
mod inspect;
mod least;
mod man;
mod pictures;
mod read;
mod readings;
mod release;
mod reproduce;
mod rows;
mod study;
mod table_advice;
mod verify;
#[cfg(feature = "web")]
mod web;

pub(crate) use advise::advise;
pub(crate) use audit::audit;
pub(crate) use budget::budget;
pub(crate) use compare::compare;
pub(crate) use completions::completions;
pub(crate) use inspect::inspect;
pub(crate) use man::man;
pub(crate) use read::read;
pub(crate) use release::release;
pub(crate) use reproduce::reproduce;
pub(crate) use study::study;
pub(crate) use verify::verify;
#[cfg(feature = "web")]
pub(crate) use web::web;
