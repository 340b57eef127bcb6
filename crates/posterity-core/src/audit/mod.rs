//! What a mechanism really loses, from the exact law of what it draws.
//!
//! [`audit`] chooses between three ways with the same result within their proven enclosures (docs/proofs/audit.md):
//!
//! - [`enumerate`] compares the complete laws of all adjacent data sets. It serves every mechanism;
//! - exponential mechanisms over two categories: each law is a band of outcomes around the data, and one value for all others;
//! - exponential mechanisms over more categories: every probability is computed once, in tiles of outcomes that all data sets
//!   share.
//!
//! The last two estimate the loss of every pair of adjacent data sets, with a proven bound on the error. Then the pairs that
//! may have the largest loss are compared by their complete laws.

mod band;
mod cost_table;
mod enumeration;
mod estimate;
mod kernel;
mod law;
mod loss;
mod orbits;
mod report;
mod scope;
mod selection;
mod tiles;
mod witness;
mod worst;

pub use enumeration::enumerate;
pub use loss::audit;
pub use report::Audit;
pub use scope::{AuditError, Scope};
pub use witness::Witness;
