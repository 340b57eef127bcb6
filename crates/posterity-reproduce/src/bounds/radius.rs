//! The error radius of a mechanism.

use posterity_core::accuracy::{DistanceLaw, Metric};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::Counts;
use posterity_core::sensitivity::local;

use super::error::BoundsError;

/// The distance that a release exceeds with a given probability only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRadius {
    /// The least t with `P(H <= t) >= 1 - gamma`.
    pub radius: f64,
    /// The radius over `epsilon LS`, said to be bounded in n.
    pub ratio: f64,
}

/// The error radius of a mechanism at given counts; `gamma` is the probability of missing it, `limit` as in
/// [`Mechanism::law`] (003_726dbba4c7a48de5.txt, theorem 4.1).
///
/// There the least t with `P(H < t) >= 1 - gamma` is asked for. Distances are discrete, so there is none; this is the
/// infimum, at which the probability of "at most" is meant.
///
/// # Errors
/// [`BoundsError`] if the law cannot be listed.
pub fn error_radius(
    mechanism: &dyn Mechanism,
    counts: &Counts,
    gamma: f64,
    limit: u64,
) -> Result<ErrorRadius, BoundsError> {
    let setting = mechanism.setting();
    let law = DistanceLaw::new(&mechanism.law(counts, limit)?, setting.prior(), Metric::Hellinger)?;
    // The distance of the truth from itself may be a negative zero.
    let radius = law.quantile(1.0 - gamma).abs();
    Ok(ErrorRadius { radius, ratio: radius / (setting.epsilon().to_f64() * local(setting.prior(), counts)?) })
}
