//! Releases that are there already: of any kind, from a file of the folder or from elsewhere.

mod open;
mod page;
mod published;
mod study;
mod verified;

pub(crate) use open::{choice, open};
pub(crate) use page::{body, file};
pub(crate) use published::Published;
