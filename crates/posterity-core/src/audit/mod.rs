//! What a mechanism really loses, from the exact law of what it draws, and scales that use a budget up.

mod calibrate;
mod loss;

pub use calibrate::{CalibrationError, Tight, best_gamma, tight};
pub use loss::{Audit, AuditError, Scope, Witness, audit};
