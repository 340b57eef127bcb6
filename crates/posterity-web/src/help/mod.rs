//! Help: the words that the pages use.

mod markdown;
mod page;

pub(crate) use page::page;
