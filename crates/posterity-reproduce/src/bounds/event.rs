//! Events of the distance, decided up to rounding.

use posterity_core::mechanism::OutputLaw;
use posterity_core::special::Sum;

/// Two distances whose relative difference is at most this are equal: rounding alone may separate them.
const SAME: f64 = 1e-12;

/// Whether a distance is below t by more than rounding.
pub(super) fn below(distance: f64, t: f64) -> bool {
    distance < t * (1.0 - SAME)
}

/// Whether a distance equals another up to rounding.
pub(super) fn same(distance: f64, other: f64) -> bool {
    (distance - other).abs() <= SAME * other
}

/// The probability that the distance of a release satisfies the event.
pub(super) fn probability(law: &OutputLaw, event: impl Fn(f64) -> bool) -> f64 {
    let hits = law.outcomes().filter(|outcome| event(outcome.distance));
    hits.map(|outcome| outcome.probability).collect::<Sum>().value()
}
