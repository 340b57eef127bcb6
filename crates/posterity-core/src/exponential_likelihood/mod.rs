//! Laws `P(r | c) = exp(-scale(c) score(c, r)) / Z(c)` as functions of the data c.
//!
//! The likelihood of a release under every possible data set is known exactly, but it is not a product over the
//! categories. So the data sets are listed, up to [`MAX_DATA_SETS`] of them. What takes time are the normalisers Z: a
//! sum over all releases for every data set. They do not depend on the release, so a mechanism computes them once.
//! There are three ways (docs/proofs/noise-aware.md):
//!
//! - two categories: sums over the releases near the data, at some data sets or at all, and between them polynomials
//!   through these sums, with a proven error;
//! - more categories, few data sets: all sums;
//! - more categories, many data sets: a power series of the weight in the Bhattacharyya coefficient, whose terms are
//!   products over the categories, and a sum over the releases near the data, where the series converges slowly.

mod direct;
mod line;
mod posterior;
mod ranks;
mod series;
mod simplex;
mod stretch;
mod sums;

use crate::mechanism::Space;
use crate::model::{Counts, Setting};
use crate::noise_aware::NoiseAwareError;

/// A law over all candidates whose score is the Hellinger distance.
pub(crate) trait Scaled: Sync {
    /// The name of the mechanism.
    fn name(&self) -> &'static str;

    /// The public inputs.
    fn setting(&self) -> &Setting;

    /// The factor of the score at these counts, which fit the setting.
    fn scale(&self, counts: &Counts) -> f64;
}

/// The scales and the normalisers of all data sets, in lexicographic order.
#[derive(Debug)]
pub(crate) struct Normalisers {
    scales: Vec<f64>,
    /// `ln Z`.
    ln_totals: Vec<f64>,
    /// A bound on the error of `scale score + ln Z`, apart from rounding of scores.
    error: f64,
}

/// The most data sets, which are also the most releases.
const MAX_DATA_SETS: f64 = 1.0e6 + 1.0;

/// The most numbers that a list of all data sets may have.
const MAX_COUNTS: f64 = 2e7;

/// A bound on the difference between a score and the distance that a sum uses, 2^-43, as in docs/proofs/audit.md, lemma
/// 4.
const DISTANCE_ERROR: f64 = 1.0 / (1_u64 << 43) as f64;

/// Weights `exp(-x)` are left out of a sum for x above this number plus the logarithm of the number of weights. The
/// weight of the data itself is one.
const LEFT_OUT_COST: f64 = 46.0;

/// Scales of data sets that differ by an exchange of categories may differ by this part of themselves, 2^-46.
const SAME_SCALE: f64 = 1.0 / (1_u64 << 46) as f64;

/// A bound on the rounding of a sum's logarithm, and on the weights that are left out.
const ROUNDING: f64 = 1e-13;

impl Normalisers {
    /// Computes them all.
    ///
    /// # Errors
    /// [`NoiseAwareError::TooMany`].
    pub(crate) fn new(law: &dyn Scaled) -> Result<Self, NoiseAwareError> {
        let setting = law.setting();
        let (k, n) = (setting.k(), setting.n());
        let data_sets = Space::Candidates.size(k, n);
        let too_many = |work: f64| NoiseAwareError::TooMany {
            mechanism: law.name(),
            data_sets,
            work,
            max_data_sets: MAX_DATA_SETS - 1.0,
            max_work: simplex::MAX_WORK,
        };
        if data_sets > MAX_DATA_SETS || data_sets * k as f64 > MAX_COUNTS {
            return Err(too_many(data_sets * data_sets));
        }
        match *setting.prior().parameters() {
            [first, second] => line::normalisers(law, [first, second]),
            _ => simplex::normalisers(law),
        }
        .map_err(too_many)
    }
}

/// The scale of a law at counts that fit its setting.
fn scale_of(law: &dyn Scaled, counts: &[u64]) -> f64 {
    // Counts that fit are valid. If they were not, no number would be a bound on the error, and the posterior would be
    // refused.
    Counts::new(counts.to_vec()).map_or(f64::NAN, |counts| law.scale(&counts))
}
