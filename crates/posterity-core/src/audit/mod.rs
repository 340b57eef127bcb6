//! What a mechanism really loses, from the exact law of what it draws.

mod loss;

pub use loss::{Audit, AuditError, Scope, Witness, audit};
