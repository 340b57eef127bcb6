//! The releases that a plan looks at: all that matter, or simulated ones.

use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Released, Setting};
use posterity_core::sampler::SeededBits;

use super::plan_error::PlanError;
use super::truth::{Truth, drawn_from_prior};

/// The releases of a mechanism at made-up data.
pub(super) enum Draws {
    /// Each release with its probability.
    Listed {
        /// The likeliest releases with their probabilities.
        weighed: Vec<(Released, f64)>,
        /// The probability of all others together.
        left_out: f64,
    },
    /// Independent releases from a fixed seed.
    Simulated {
        /// The releases. Look at the first `least`, and at more until the answer is precise.
        drawn: Vec<Released>,
        /// The data that were drawn from the prior for them, if they were.
        truths: Vec<Vec<u64>>,
        /// How many to look at in any case.
        least: usize,
    },
}

/// The seed of simulated releases. It is fixed, so that everybody gets the same plan.
pub(super) const SEED: u64 = 1;

/// Laws with more outcomes are not listed.
const MAX_LISTED_OUTCOMES: f64 = 20_001.0;

/// Releases are left out if all of them together are less likely than this.
const LEFT_OUT_PROBABILITY: f64 = 1e-7;

/// About how many counts may be weighed, in all releases together, where the list is exact.
const MAX_WEIGHED_COUNTS: f64 = 1.5e5;

/// The same where releases are simulated: at least and at most, with bounds on the number of releases.
const SIMULATED: [(f64, f64, f64); 2] = [(3e4, 4.0, 64.0), (1.5e5, 4.0, 400.0)];

/// About how many counts the noise leaves possible in one release, in all categories together. The time to weigh them
/// is proportional to it, at a few dozen nanoseconds each.
fn possible_counts(setting: &Setting) -> f64 {
    setting.k() as f64 * (setting.n() as f64 + 1.0).min(90.0 / setting.epsilon().to_f64()) + 50.0
}

impl Draws {
    /// The releases of a mechanism at the made-up data. They are listed exactly if they are few.
    pub(super) fn new(mechanism: &dyn Mechanism, truth: &Truth) -> Result<Self, PlanError> {
        let setting = mechanism.setting();
        let counts = truth.counts(setting)?;
        if let Some(counts) = &counts
            && let Some(exact) = Self::exact(mechanism, counts)?
        {
            return Ok(exact);
        }
        let [least, most] = SIMULATED
            .map(|(budget, least, most)| (budget / possible_counts(setting)).clamp(least, most) as usize);
        let (drawn, truths) = draw(mechanism, counts.as_ref(), most)?;
        Ok(Self::Simulated { drawn, truths, least })
    }

    /// The likeliest releases, until those left are negligible together; none if they are too many.
    fn exact(mechanism: &dyn Mechanism, counts: &Counts) -> Result<Option<Self>, PlanError> {
        let setting = mechanism.setting();
        let (k, n) = (setting.k(), setting.n());
        if mechanism.space().size(k, n) > MAX_LISTED_OUTCOMES {
            return Ok(None);
        }
        let logs =
            mechanism.ln_probabilities(counts).map_err(posterity_core::mechanism::ReleaseError::from)?;
        let most = (MAX_WEIGHED_COUNTS / possible_counts(setting)) as usize;
        let mut order: Vec<usize> = (0..logs.len()).collect();
        order.sort_by(|&a, &b| logs[b].total_cmp(&logs[a]));
        let mut left_out = 1.0;
        let needed = order.iter().take_while(|&&index| {
            let needed = left_out > LEFT_OUT_PROBABILITY;
            left_out -= if needed { logs[index].exp() } else { 0.0 };
            needed
        });
        let needed = needed.count();
        if needed > most {
            return Ok(None);
        }
        order.truncate(needed);
        order.sort_unstable();
        let (mut index, mut wanted) = (0, order.into_iter().peekable());
        let mut weighed = Vec::with_capacity(needed);
        mechanism.space().for_each(k, n, |released| {
            if wanted.next_if_eq(&index).is_some() {
                weighed.push((Released::new(released.to_vec()), logs[index].exp()));
            }
            index += 1;
        });
        Ok(Some(Self::Listed { weighed, left_out: left_out.max(0.0) }))
    }
}

/// Seeded releases in the order in which they are drawn, and the data that were drawn for them, if they were.
pub(super) fn draw(
    mechanism: &dyn Mechanism,
    counts: Option<&Counts>,
    runs: usize,
) -> Result<(Vec<Released>, Vec<Vec<u64>>), PlanError> {
    let bits = &mut SeededBits::new(SEED);
    if let Some(counts) = counts {
        return Ok((mechanism.release_many(counts, runs, bits)?, Vec::new()));
    }
    let setting = mechanism.setting();
    let (mut drawn, mut truths) = (Vec::with_capacity(runs), Vec::with_capacity(runs));
    for _ in 0..runs {
        let counts = drawn_from_prior(setting.prior(), setting.n(), bits)?;
        drawn.push(mechanism.release(&Counts::new(counts.clone())?, bits)?);
        truths.push(counts);
    }
    Ok((drawn, truths))
}
