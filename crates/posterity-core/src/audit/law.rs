//! The law of a mechanism at one data set.

use super::scope::AuditError;
use crate::mechanism::Mechanism;
use crate::model::Counts;

/// The logarithms of the probabilities of all outcomes.
pub(super) fn ln_law(mechanism: &dyn Mechanism, counts: &[u64]) -> Result<Vec<f64>, AuditError> {
    Ok(mechanism.ln_probabilities(&Counts::new(counts.to_vec())?)?)
}
