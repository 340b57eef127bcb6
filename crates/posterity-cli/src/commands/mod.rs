//! One file per command.

mod advise;
mod audit;
mod budget;
mod compare;
mod inspect;
mod release;
mod reproduce;

pub(crate) use advise::advise;
pub(crate) use audit::audit;
pub(crate) use budget::budget;
pub(crate) use compare::compare;
pub(crate) use inspect::inspect;
pub(crate) use release::release;
pub(crate) use reproduce::reproduce;
