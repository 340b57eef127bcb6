//! The law of a mechanism at one data set.

use super::scope::AuditError;
use crate::mechanism::Mechanism;
use crate::model::Counts;

/// The logarithms of the probabilities of all outcomes.
pub(super) fn ln_law(mechanism: &dyn Mechanism, counts: &[u64]) -> Result<Vec<f64>, AuditError> {
    // Only where n is private are there data sets without records.
    Ok(mechanism.ln_probabilities(&Counts::perhaps_empty(counts.to_vec())?)?)
}
