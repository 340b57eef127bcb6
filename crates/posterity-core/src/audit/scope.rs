//! How much work an audit is.

use thiserror::Error;

use super::cost_table::CostTable;
use crate::mechanism::{Mechanism, Space, reach};
use crate::model::{CountsError, SettingError};
use crate::sampler::{CostKind, EnvelopeSampler};

/// How much work an audit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    /// The number of data sets of size n.
    pub data_sets: f64,
    /// The number of outcomes of the mechanism.
    pub outcomes: f64,
    /// The number of probabilities to compute, at most.
    pub probabilities: f64,
}

/// How an audit is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Compare complete laws.
    Enumeration,
    /// Two categories: evaluate the outcomes near the data.
    Band,
    /// Evaluate every outcome of every data set once.
    Tiles,
}

/// An enumeration of this many probabilities takes a hundredth of a second. It is done even where there is a faster
/// way.
const QUICKLY_ENUMERATED: f64 = 2e4;

/// With more data sets the tiles would need too much memory.
const MOST_DATA_SETS: f64 = 1e6;

impl Method {
    pub(super) fn choose(mechanism: &dyn Mechanism) -> Self {
        let scope = Scope::by_enumeration(mechanism);
        let Some(exponential) = mechanism.tunable() else { return Self::Enumeration };
        // With larger scales estimates would say too little.
        if scope.probabilities <= QUICKLY_ENUMERATED || exponential.scale_up() > EnvelopeSampler::MAX_SCALE {
            return Self::Enumeration;
        }
        let setting = mechanism.setting();
        match (setting.prior().parameters(), exponential.ruler().kind()) {
            (&[first, second], CostKind::Overlap) if CostTable::fits([first, second], setting.n()) => {
                Self::Band
            }
            ([_, _], _) | (_, CostKind::Bound) => Self::Enumeration,
            _ if scope.data_sets > MOST_DATA_SETS => Self::Enumeration,
            _ => Self::Tiles,
        }
    }
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

impl Scope {
    /// The work of auditing a mechanism, without a privacy profile.
    #[must_use]
    pub fn of(mechanism: &dyn Mechanism) -> Self {
        Self::with_profile(mechanism, 0)
    }

    /// The work of auditing a mechanism, with a privacy profile at this number of epsilons.
    pub(super) fn with_profile(mechanism: &dyn Mechanism, epsilons: usize) -> Self {
        let full = Self::by_enumeration(mechanism);
        let setting = mechanism.setting();
        let probabilities = match Method::choose(mechanism) {
            Method::Enumeration => full.probabilities,
            // A row also holds the outcomes near its two neighbours.
            Method::Band => {
                let near = 2.0 * (reach(setting.prior(), setting.n()) as f64) + 3.0;
                full.data_sets * full.outcomes.min(near)
            }
            // The profile needs the normalisers first. Equal prior parameters reduce the work further.
            Method::Tiles => full.data_sets * full.outcomes * if epsilons == 0 { 1.0 } else { 2.0 },
        };
        Self { probabilities, ..full }
    }

    /// The work of comparing the complete laws of all adjacent data sets, as [`enumerate`](super::enumerate) does.
    #[must_use]
    pub fn by_enumeration(mechanism: &dyn Mechanism) -> Self {
        let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
        let outcomes = mechanism.space().size(k, n);
        if mechanism.setting().n_is_private() {
            // Each law is computed once for itself and once for each category that has a record less.
            let data_sets = Space::Candidates.size(k + 1, n);
            return Self { data_sets, outcomes, probabilities: data_sets * outcomes * (k + 1) as f64 };
        }
        let data_sets = Space::Candidates.size(k, n);
        // Each law is computed once for itself and once for each pair of categories but the last.
        let laws = if k == 2 { 1.0 } else { (k * (k - 1) / 2) as f64 };
        Self { data_sets, outcomes, probabilities: data_sets * outcomes * laws }
    }

    /// The work of computing one law for each data set.
    pub(crate) fn of_laws(mechanism: &dyn Mechanism) -> Self {
        let Self { data_sets, outcomes, .. } = Self::by_enumeration(mechanism);
        Self { data_sets, outcomes, probabilities: data_sets * outcomes }
    }

    /// The work of several audits of the same size.
    pub(crate) fn times(self, audits: f64) -> Self {
        Self { probabilities: self.probabilities * audits, ..self }
    }

    /// Refuses more work than allowed. A limit that is not a number allows nothing.
    pub(crate) fn within(self, limit: f64) -> Result<(), AuditError> {
        if limit.is_nan() || self.probabilities > limit {
            return Err(AuditError::TooLarge { scope: self, limit });
        }
        Ok(())
    }
}
