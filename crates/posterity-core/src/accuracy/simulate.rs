//! Accuracy by simulation, where there are too many outcomes to list.

use super::{DistanceLaw, Metric};
use crate::mechanism::{Mechanism, ReleaseError};
use crate::model::{Counts, PriorError};
use crate::pulse::beat;
use crate::sampler::BitSource;
use thiserror::Error;

/// Why a simulation failed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The counts do not fit the prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
}

/// The empirical law of the distance in `runs` independent draws.
///
/// # Errors
/// [`SimulationError`].
pub fn simulate(
    mechanism: &dyn Mechanism,
    counts: &Counts,
    metric: Metric,
    runs: usize,
    bits: &mut dyn BitSource,
) -> Result<DistanceLaw, SimulationError> {
    let prior = mechanism.setting().prior();
    let truth = counts.as_slice();
    let share = 1.0 / runs as f64;
    let mut points = Vec::with_capacity(runs);
    let mut exact = 0.0;
    for released in mechanism.release_many(counts, runs, bits)? {
        beat();
        let released = released.as_slice();
        if released == truth {
            exact += share;
        }
        points.push((metric.between(prior, truth, released)?, share));
    }
    Ok(DistanceLaw::from_points(points, exact))
}
