//! Noise on counts: laws on the whole numbers with their exact samplers, and what a noisy count says about the true
//! one.

mod discrete_gaussian;
mod evidence;
mod floored_laplace;
mod folded;
mod lattice;
mod two_sided_geometric;
mod wave;

pub use discrete_gaussian::{DiscreteGaussian, DiscreteGaussianError};
pub use evidence::{Evidence, Factor};
pub use floored_laplace::FlooredLaplace;
pub use folded::FoldedNoise;
pub use lattice::{LatticeNoise, LatticeNoiseError};
pub use two_sided_geometric::TwoSidedGeometric;
pub use wave::Wave;

use std::fmt::Debug;

use dashu_int::IBig;

use crate::sampler::{BitSource, SourceError};

/// A law on the whole numbers that is added to a count.
///
/// ```
/// use posterity_core::noise::{FlooredLaplace, Noise, TwoSidedGeometric};
/// use posterity_core::sampler::Rate;
/// let rate = Rate::new(1u8.into())?;
/// for noise in [&TwoSidedGeometric::new(rate.clone()) as &dyn Noise, &FlooredLaplace::new(rate)] {
///     let inside: f64 = (-5..5).map(|z| noise.probability(z)).sum();
///     assert!((noise.at_most(-6) + inside + noise.at_least(5) - 1.0).abs() < 1e-15);
/// }
/// # Ok::<(), posterity_core::sampler::RateError>(())
/// ```
pub trait Noise: Debug + Send + Sync {
    /// One draw.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    fn sample(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError>;

    /// `ln P(Z = z)`, which does not underflow.
    fn ln_probability(&self, z: i64) -> f64;

    /// `ln P(Z >= z)`.
    fn ln_at_least(&self, z: i64) -> f64;

    /// `ln P(Z <= z)`.
    fn ln_at_most(&self, z: i64) -> f64;

    /// The likelihood of a true count of at most n whose noisy value is `at`, where that has a form of its own.
    /// Otherwise it is taken from the law: see [`Factor::drawn`].
    fn closed_factor(&self, _at: i64, _n: u64) -> Option<Factor> {
        None
    }

    /// Whether a noisy count that was clipped to `0..=n` says as much about the true one as the noisy count itself.
    fn survives_clipping(&self) -> bool {
        false
    }

    /// The law of the sum of independent draws, one for each cell. Nothing if it spreads over too many numbers.
    fn folded(&self, cells: u64) -> Option<FoldedNoise>;

    /// Its characteristic function.
    fn wave(&self) -> Wave;

    /// `P(Z = z)`.
    fn probability(&self, z: i64) -> f64 {
        libm::exp(self.ln_probability(z))
    }

    /// `P(Z >= z)`.
    fn at_least(&self, z: i64) -> f64 {
        libm::exp(self.ln_at_least(z))
    }

    /// `P(Z <= z)`.
    fn at_most(&self, z: i64) -> f64 {
        libm::exp(self.ln_at_most(z))
    }
}
