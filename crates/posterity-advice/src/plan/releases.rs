//! What repeated releases of the same data would look like.

use posterity::Request;
use posterity_core::decode::noise_aware;
use posterity_core::model::interval_level;

use super::draws::draw;
use super::plan_error::PlanError;
use super::truth::Truth;

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

/// What one simulated release says of each category, with the noise taken into account.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRelease {
    /// The means.
    pub mean: Vec<f64>,
    /// The intervals.
    pub intervals: Vec<[f64; 2]>,
}

/// Draws releases of the made-up data from a fixed seed. They are not releases of anybody's data.
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::plan::{Truth, simulate_releases};
/// let request = Terms::new("1".parse()?).request(2, 90, &|_| ())?;
/// let simulated = simulate_releases(&request, &Truth::Even, 20)?;
/// assert_eq!((simulated.counts, simulated.releases.len()), (vec![45, 45], 20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PlanError`]. With [`Truth::Prior`], which is not one data set, even shares are assumed.
pub fn simulate_releases(
    request: &Request,
    truth: &Truth,
    releases: usize,
) -> Result<SimulatedReleases, PlanError> {
    let level = interval_level(request.level())?;
    let setting = request.setting();
    let counts = match truth.counts(setting)? {
        Some(counts) => counts,
        None => return simulate_releases(request, &Truth::Even, releases),
    };
    let mechanism = request.mechanism(&|_| ())?;
    let mut simulated = Vec::with_capacity(releases);
    for released in draw(&*mechanism, Some(&counts), releases)?.0 {
        let aware = noise_aware(&*mechanism, &released)?;
        simulated.push(SimulatedRelease { mean: aware.mean(), intervals: aware.intervals(level)? });
    }
    let shares = counts.as_slice().iter().map(|&count| count as f64 / setting.n() as f64);
    Ok(SimulatedReleases {
        shares: shares.collect(),
        without: setting.prior().posterior(counts.as_slice())?.intervals(level)?,
        counts: counts.as_slice().to_vec(),
        releases: simulated,
    })
}
