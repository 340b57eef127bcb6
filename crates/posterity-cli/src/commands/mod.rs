//! One file per command.

mod inspect;
mod release;

pub(crate) use inspect::inspect;
pub(crate) use release::release;
