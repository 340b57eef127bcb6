//! What repeated releases of the same data would look like.

use posterity::Request;
use posterity_core::model::{Adjacency, Counts};
use posterity_core::sampler::SeededBits;

use super::plan_error::PlanError;
use crate::design::{OneRelease, SEED};
use crate::shape::Shape;

/// Simulated releases of one made-up data set.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedReleases {
    /// The made-up data.
    pub counts: Vec<u64>,
    /// The share of each category in the made-up data.
    pub shares: Vec<f64>,
    /// The interval of each category without any noise.
    pub without: Vec<[f64; 2]>,
    /// The releases, in the order in which they were drawn.
    pub releases: Vec<SimulatedRelease>,
}

/// What the document of one simulated release says of each category.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRelease {
    /// The estimates.
    pub estimates: Vec<f64>,
    /// The intervals.
    pub intervals: Vec<[f64; 2]>,
}

/// Draws releases of the made-up data from a fixed seed. They are not releases of anybody's data.
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::{Shape, plan::simulate_releases};
/// let request = Terms::new("1".parse()?).request(2, 90, &|_| ())?;
/// let simulated = simulate_releases(&request, &Shape::even(2), 20)?;
/// assert_eq!((simulated.counts, simulated.releases.len()), (vec![45, 45], 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`].
pub fn simulate_releases(
    request: &Request,
    shape: &Shape,
    releases: usize,
) -> Result<SimulatedReleases, PlanError> {
    let setting = request.setting();
    if shape.len() != setting.k() {
        return Err(PlanError::Shape { shape: shape.len(), categories: setting.k() });
    }
    let counts = Counts::new(shape.counts(setting.n()))?;
    let mechanism = request.mechanism(&|_| ())?;
    let (by, level) = ((request.spec().clone(), Adjacency::Replace), request.level());
    let release = OneRelease::of_column(by, setting.prior(), setting.n(), Some(shape), level)?;
    let drawn = mechanism.draw_many(&counts, releases, &mut SeededBits::new(SEED))?;
    let read = |one| {
        let (estimates, intervals) = release.read(&*mechanism, one)?.into_iter().unzip();
        Ok::<_, PlanError>(SimulatedRelease { estimates, intervals })
    };
    let shares = counts.as_slice().iter().map(|&count| count as f64 / setting.n() as f64);
    Ok(SimulatedReleases {
        shares: shares.collect(),
        without: release.without_noise(&counts)?,
        releases: drawn.iter().map(read).collect::<Result<_, _>>()?,
        counts: counts.as_slice().to_vec(),
    })
}
