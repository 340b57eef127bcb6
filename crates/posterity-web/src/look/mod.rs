//! *Look at the file*: what its columns hold, for the owner of the data only, and the schema that is written of it.

mod declared;
mod page;

pub(crate) use page::{look, page};
