//! A release for people who decide: the sheet of a committee, a label, and the record of a public registry.
//!
//! Every sentence is derived from the documents, and from the account that paid if a ledger is at hand. So it is true of
//! every kind of document, or it is not said.

mod answer;
mod case;
mod html;
mod label;
mod markdown;
mod page;
mod registry;
mod sheet;
mod standing;
mod words;

pub use answer::meanings;
pub use case::{Answered, Case, CaseError};
pub use label::label;
pub use page::{Block, Description, Section, Table};
pub use registry::{Registered, RegistryError, registry};
pub use sheet::sheet;
pub use standing::{Standing, beside};
pub use words::subject;
