//! The exact privacy loss over all adjacent data sets.
//!
//! `loss = max ln(P_c(r) / P_c'(r))` over all data sets c of size n, all adjacent c' and all outcomes r; and the privacy
//! profile `delta(epsilon) = max sum_r max(0, P_c(r) - exp(epsilon) P_c'(r))`, the largest hockey-stick divergence. A
//! mechanism is (epsilon, delta)-DP for this prior and n exactly if `delta(epsilon) <= delta`.

use thiserror::Error;

use super::estimate::{Selection, refine};
use super::scope::{Method, Scope};
use super::worst::Worst;
use super::{band, enumeration, tiles};
use crate::mechanism::Mechanism;
use crate::model::{CountsError, SettingError};

/// The result of an audit: bounds that hold, rounding included.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    loss: f64,
    rounding: f64,
    witness: Witness,
    profile: Vec<(f64, f64)>,
}

/// Where the loss is largest: `outcome` is `exp(loss)` times likelier at `from` than at `to`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The data set at which the outcome is likelier.
    pub from: Vec<u64>,
    /// The adjacent one.
    pub to: Vec<u64>,
    /// The released counts.
    pub outcome: Vec<u64>,
}

/// Why an audit cannot be done.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AuditError {
    /// Too much work.
    #[error(
        "auditing would compute about {:.1e} probabilities ({:.3e} data sets, {:.3e} outcomes), more than the limit of {limit:.1e}",
        scope.probabilities, scope.data_sets, scope.outcomes
    )]
    TooLarge {
        /// What it would take.
        scope: Scope,
        /// What is allowed.
        limit: f64,
    },
    /// The setting cannot be enumerated; does not happen for a valid one.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// As above.
    #[error(transparent)]
    Counts(#[from] CountsError),
}

impl Audit {
    /// The report on the worst of the pairs that were compared exactly. The selection bounds what the other pairs may lose.
    pub(super) fn new(
        mechanism: &dyn Mechanism,
        epsilons: &[f64],
        worst: Worst,
        selection: &Selection,
    ) -> Self {
        let rounding = rounding_of(worst.size());
        let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
        let (mut index, mut outcome) = (0, Vec::new());
        mechanism.space().for_each(k, n, |counts| {
            if index == worst.outcome() {
                outcome = counts.to_vec();
            }
            index += 1;
        });
        let profile = epsilons.iter().zip(worst.deltas()).zip(selection.other_deltas()).map(
            |((&epsilon, &(factor, delta)), &other)| {
                (epsilon, (delta + (1.0 + factor) * rounding).max(other).min(1.0))
            },
        );
        Self {
            profile: profile.collect(),
            loss: worst.loss(),
            rounding: rounding.max(selection.other_loss() - worst.loss()),
            witness: worst.witness(outcome),
        }
    }

    /// An upper bound on the loss, above the true value by at most twice [`Audit::rounding`].
    #[must_use]
    pub fn loss_up(&self) -> f64 {
        self.loss + self.rounding
    }

    /// A lower bound on the loss.
    #[must_use]
    pub fn loss_down(&self) -> f64 {
        self.loss - self.rounding
    }

    /// A bound on the rounding error of the loss as computed.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The least rounding that an audit of a mechanism with so many outcomes can have: the least likely of them has at most
    /// their mean probability, so there is a logarithm of at least this size.
    pub(crate) fn least_rounding(outcomes: f64) -> f64 {
        rounding_of(libm::log(outcomes))
    }

    /// Where the loss is largest.
    #[must_use]
    pub fn witness(&self) -> &Witness {
        &self.witness
    }

    /// Upper bounds on `delta(epsilon)` for each epsilon asked for.
    #[must_use]
    pub fn profile_up(&self) -> &[(f64, f64)] {
        &self.profile
    }
}

/// Audits a mechanism over all data sets of its size, on all cores. `limit` bounds the number of probabilities computed;
/// `progress` is called with the number of data sets done since the last call.
///
/// ```
/// use posterity_core::audit::audit;
/// use posterity_core::mechanism::Spec;
/// use posterity_core::model::{Prior, Setting};
/// let setting = Setting::new(Prior::uniform(2)?, 1_000, "1".parse()?)?;
/// let ehds = "ehds".parse::<Spec>()?.fit(setting)?;
/// let found = audit(&*ehds, &[], 1e6, &|_| ())?;
/// assert!(found.loss_up() <= 1.0 && found.loss_up() - found.loss_down() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AuditError::TooLarge`] if there is too much to do.
pub fn audit(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Audit, AuditError> {
    Scope::with_profile(mechanism, epsilons.len()).within(limit)?;
    let (exponential, method) = match mechanism.tunable() {
        Some(exponential) => (exponential, Method::of(mechanism)),
        None => return enumeration::run(mechanism, epsilons, progress),
    };
    let estimates = match method {
        Method::Enumeration => return enumeration::run(mechanism, epsilons, progress),
        Method::Band => band::estimate(exponential, epsilons, progress)?,
        Method::Tiles => tiles::estimate(exponential, epsilons, progress)?,
    };
    refine(mechanism, epsilons, &estimates)
}

/// A bound on the rounding error of a difference of two logarithms of probabilities, none of them larger than this.
///
/// Each is a sum of terms of one sign, each with a relative error of a few units in the last place; 2^-46 is 128 of them
/// (docs/proofs/audit.md).
fn rounding_of(size: f64) -> f64 {
    2.0 * (16.0 + size) * (f64::EPSILON * 64.0)
}
