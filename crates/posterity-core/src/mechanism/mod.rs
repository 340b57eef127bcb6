//! Mechanisms: from private counts to released counts.
//!
//! Every mechanism is one value behind the trait [`Mechanism`]: it knows its guarantee, can state its exact output law
//! for given counts, and can release. There are the families [`NoisyCounts`] and [`Exponential`], and [`Lattice`]; each
//! member has a file of its own with its definition and its guarantee.

mod ehd;
mod ehdl;
mod ehds;
mod evidence;
mod exponential;
mod geometric;
mod lattice;
mod law;
mod lsdim;
mod lshist;
mod lszhang;
mod mh;
mod noisy_counts;
mod space;
mod spec;

pub use ehd::{GlobalSensitivity, PublishedConstantError, ehd};
pub use ehdl::ehdl;
pub use ehds::ehds;
pub use evidence::{Evidence, Factor};
pub use exponential::Exponential;
pub use geometric::geometric;
pub use lattice::{Lattice, lattice};
pub use law::{LawError, Outcome, OutputLaw};
pub use lsdim::lsdim;
pub use lshist::lshist;
pub use lszhang::lszhang;
pub use mh::{mh, mh_beta};
pub use noisy_counts::{Last, NoisyCounts};
pub use space::Space;
pub use spec::{Name, Spec, SpecError, UnknownName};

use thiserror::Error;

use crate::model::{Counts, Epsilon, Setting, SettingError};
use crate::pulse::beat;
use crate::sampler::{BitSource, SourceError};

/// A rule that turns private counts into released counts at random.
pub trait Mechanism: std::fmt::Debug + Send + Sync {
    /// Which mechanism it is.
    fn name(&self) -> Name;

    /// The public inputs that it was made for.
    fn setting(&self) -> &Setting;

    /// What it promises to every record.
    fn guarantee(&self) -> Guarantee;

    /// The set of its outcomes.
    fn space(&self) -> Space;

    /// The logarithms of the probabilities of all outcomes at given counts, in the order of [`Mechanism::space`]: the law
    /// of what [`Mechanism::release`] really draws. Look at the size of the space first.
    ///
    /// # Errors
    /// [`SettingError`] if the counts do not fit the setting.
    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError>;

    /// The law at given counts: every outcome with its probability and its distance from the truth.
    ///
    /// # Errors
    /// [`LawError`] if the counts do not fit the setting or there are more than `limit` outcomes.
    fn law(&self, counts: &Counts, limit: u64) -> Result<OutputLaw, LawError> {
        let (setting, space) = (self.setting(), self.space());
        let outcomes = space.size(setting.k(), setting.n());
        if outcomes > limit as f64 {
            return Err(LawError::TooLarge { outcomes, limit });
        }
        Ok(OutputLaw::new(setting, space, counts.as_slice(), &self.ln_probabilities(counts)?))
    }

    /// One draw of released counts, which need not sum to n.
    ///
    /// # Errors
    /// [`ReleaseError`] if the counts do not fit the setting or the random source fails.
    fn release(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Vec<u64>, ReleaseError>;

    /// Several independent draws, as an experiment needs them: what can be prepared once is prepared once.
    ///
    /// # Errors
    /// As [`Mechanism::release`].
    fn release_many(
        &self,
        counts: &Counts,
        number: usize,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<Vec<u64>>, ReleaseError> {
        let one = |_| {
            beat();
            self.release(counts, bits)
        };
        (0..number).map(one).collect()
    }

    /// What released counts, an outcome of this mechanism, say about the true ones, if that is a product over the
    /// categories; nothing for exponential mechanisms, whose noise depends on all counts at once.
    fn evidence(&self, _released: &[u64]) -> Option<Evidence> {
        None
    }
}

/// What a mechanism promises.
#[derive(Clone, Debug, PartialEq)]
pub enum Guarantee {
    /// Replacing one record changes no outcome's probability by more than a factor `exp(epsilon)`.
    Pure {
        /// The bound.
        epsilon: Epsilon,
        /// How that is known.
        basis: Basis,
    },
    /// Nothing is proven.
    None {
        /// Why not.
        reason: &'static str,
    },
}

/// How a guarantee is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// A proof for all priors and data sizes.
    Proof,
    /// An exact audit of all data sets of this size under this prior.
    Audit,
}

impl Guarantee {
    /// A proven bound.
    pub(crate) fn proven(setting: &Setting) -> Self {
        Self::Pure { epsilon: setting.epsilon().clone(), basis: Basis::Proof }
    }
}

/// Why a release failed. Says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReleaseError {
    /// The counts do not fit.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No random bits.
    #[error(transparent)]
    Source(#[from] SourceError),
}
