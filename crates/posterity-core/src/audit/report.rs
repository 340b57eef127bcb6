//! The result of an audit.

use super::selection::Selection;
use super::witness::Witness;
use super::worst::Worst;
use crate::mechanism::Mechanism;

/// The result of an audit: bounds that hold, rounding included.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    loss: f64,
    rounding: f64,
    witness: Witness,
    profile: Vec<(f64, f64)>,
}

impl Audit {
    /// The report on the worst of the pairs that were compared exactly. The selection bounds what the other pairs may
    /// lose.
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

    /// The least rounding that an audit of a mechanism with this number of outcomes can have: the least likely of them
    /// has at most their mean probability, so there is a logarithm of at least this size.
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

/// A bound on the rounding error of a difference of two logarithms of probabilities, none of them larger than this.
///
/// Each is a sum of terms of one sign, each with a relative error of a few units in the last place; 2^-46 is 128 of
/// them (docs/proofs/audit.md).
fn rounding_of(size: f64) -> f64 {
    2.0 * (16.0 + size) * (f64::EPSILON * 64.0)
}
