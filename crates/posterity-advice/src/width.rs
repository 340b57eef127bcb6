//! How wide the interval of a share will be, of any mechanism.

use posterity::{Adjacency, Terms};
use posterity_core::mechanism::{Drawing, Mechanism, Space};
use posterity_core::model::Counts;

use crate::design::{MOST_CELLS, OneRelease};
use crate::shape::Shape;

/// Where neither the noise adds up nor two categories have a list of all laws, reading a release takes time for every
/// possible data set. With more of these than this the width is not computed.
const MAX_CANDIDATES: f64 = 1_000.0;

/// The expected width of the widest interval of a share that documents of the mechanism show at these counts; none if
/// they show none that has the noise in it, or if it would take too long.
///
/// It is twice the half-width that [`design`](crate::design) forecasts: of noise that adds up, and of two categories whose
/// laws are listed, of confidence intervals, and otherwise of credible ones.
pub(crate) fn expected_width(mechanism: &dyn Mechanism, counts: &Counts, level: f64) -> Option<f64> {
    let setting = mechanism.setting();
    if setting.k() > MOST_CELLS {
        return None;
    }
    let is_product = mechanism.additive().is_some() || mechanism.likelihood().is_some();
    let candidates = Space::Candidates.size(setting.k(), counts.total());
    let is_listed = setting.k() == 2 && mechanism.drawing() == Drawing::Candidate;
    if !is_product && candidates > MAX_CANDIDATES {
        return None;
    }
    if !is_product && !is_listed && !mechanism.has_likelihood() {
        return None;
    }
    let parts = counts.as_slice().iter().map(|&count| count as f64).collect();
    let shape = Shape::new(parts).ok()?;
    let adjacency = if setting.n_is_private() { Adjacency::AddRemove } else { Adjacency::Replace };
    let by = (Terms::usual_mechanism(adjacency), adjacency);
    let release = OneRelease::of_column(by, setting.prior(), counts.total(), Some(&shape), level).ok()?;
    // What has no interval here is shown without one.
    let found = release.widths(mechanism).ok()?;
    Some(2.0 * found.first()?.each.iter().copied().fold(0.0, f64::max))
}
