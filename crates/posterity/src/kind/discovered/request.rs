//! What is asked when categories are discovered.

use posterity_core::discovery::{Threshold, ThresholdError};
use posterity_core::model::{Adjacency, Epsilon, LevelError, interval_level};
use posterity_ledger::Amount;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::about::About;
use crate::paper::{Promised, parsed};
use crate::terms::Terms;

/// The public terms of a discovery.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoveryTerms {
    /// The budget of the names and their counts.
    pub epsilon: Epsilon,
    /// The probability with which a value may be named that one unit alone brings in.
    pub delta: Amount,
    /// The budget of the noisy total, if one is paid for. It adds to the other.
    pub total: Option<Epsilon>,
    /// Whether each person has at most one record, so that no column need name them.
    pub one_record_per_person: bool,
    /// The level of the reported intervals.
    pub level: f64,
}

/// What is asked, of which data. All of it is public.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct DiscoveryRequest {
    pub(super) about: About,
    pub(super) terms: DiscoveryTerms,
    pub(super) seed: Option<u64>,
}

/// Why categories cannot be discovered on these terms.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// Nothing says whom the release protects.
    #[error(
        "a value that one person alone has must not be named, so say who has which records: name the column of the unit, or state \
         that each person has at most one record"
    )]
    NoUnit,
    /// A unit counts with several records.
    #[error(
        "a unit counts with one record where categories are discovered; choose random, first, mode or latest"
    )]
    SeveralRecords,
    /// There is not one column.
    #[error(
        "categories are discovered in one column, and there are {found}; declare the values of the others in a release of their own"
    )]
    Columns {
        /// How many columns there are.
        found: usize,
    },
    /// A part of the question has no meaning here.
    #[error("{what} cannot be used where categories are discovered; leave it out")]
    Unused {
        /// What it is.
        what: &'static str,
    },
    /// There is no threshold for this budget.
    #[error(transparent)]
    Threshold(#[from] ThresholdError),
    /// The interval level is not a probability.
    #[error(transparent)]
    Level(#[from] LevelError),
}

impl DiscoveryTerms {
    /// A discovery with this budget and 95 % intervals, without a total.
    #[must_use]
    pub fn new(epsilon: Epsilon, delta: Amount) -> Self {
        Self { epsilon, delta, total: None, one_record_per_person: false, level: Terms::LEVEL }
    }

    /// The threshold of the noisy counts.
    pub(super) fn threshold(&self) -> Result<Threshold, ThresholdError> {
        Threshold::new(&self.epsilon, self.delta.rational())
    }

    /// All of epsilon: that of the names and counts, and that of the total.
    #[must_use]
    pub fn whole_epsilon(&self) -> Epsilon {
        let sum = self.total.as_ref().map(|total| self.epsilon.rational() + total.rational());
        sum.and_then(|sum| Epsilon::from_rational(sum).ok()).unwrap_or_else(|| self.epsilon.clone())
    }
}

impl DiscoveryRequest {
    /// A request, if it can be answered.
    pub(super) fn new(
        about: About,
        terms: DiscoveryTerms,
        seed: Option<u64>,
    ) -> Result<Self, DiscoveryError> {
        let found = about.columns.len();
        let [column] = about.columns.as_slice() else { return Err(DiscoveryError::Columns { found }) };
        // The category of missing values is a name that does not come from the data.
        let declares = column.values.iter().any(|value| Some(value) != column.missing.as_ref());
        let unused = [
            (declares || column.bins.is_some(), "a declaration of values"),
            (column.other.is_some() || about.other.is_some(), "a category of other values"),
            (about.within.is_some(), "a private filter"),
        ];
        if let Some((_, what)) = unused.into_iter().find(|(given, _)| *given) {
            return Err(DiscoveryError::Unused { what });
        }
        if about.unit.is_none() && !terms.one_record_per_person {
            return Err(DiscoveryError::NoUnit);
        }
        if about.unit.is_some() && terms.one_record_per_person {
            return Err(DiscoveryError::Unused { what: "one record for each person beside a unit" });
        }
        if about.records_per_unit().get() > 1 {
            return Err(DiscoveryError::SeveralRecords);
        }
        interval_level(terms.level)?;
        terms.threshold()?;
        Ok(Self { about, terms, seed })
    }

    /// What an answer promises.
    pub(super) fn promised(&self) -> Promised {
        let bound = (self.terms.whole_epsilon(), self.terms.delta.clone(), None);
        Promised::approximate(bound, Adjacency::AddRemove, self.about.unit.as_deref(), self.seed)
    }

    /// The column whose values are discovered.
    #[must_use]
    pub fn column(&self) -> &str {
        self.about.columns.first().map_or("", |column| &column.name)
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &DiscoveryTerms {
        &self.terms
    }
}

/// A request as it is written. A ledger holds it without the level.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(rename = "data")]
    about: About,
    epsilon: String,
    delta: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    total_epsilon: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    one_record_per_person: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    level: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seed: Option<u64>,
}

impl TryFrom<Form> for DiscoveryRequest {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let terms = DiscoveryTerms {
            epsilon: parsed(&form.epsilon)?,
            delta: parsed(&form.delta)?,
            total: form.total_epsilon.as_deref().map(parsed).transpose()?,
            one_record_per_person: form.one_record_per_person,
            level: form.level.unwrap_or(Terms::LEVEL),
        };
        Self::new(form.about, terms, form.seed).map_err(|error| error.to_string())
    }
}

impl From<DiscoveryRequest> for Form {
    fn from(request: DiscoveryRequest) -> Self {
        let DiscoveryRequest { about, terms, seed } = request;
        Self {
            about,
            epsilon: terms.epsilon.rational().to_string(),
            delta: terms.delta.rational().to_string(),
            total_epsilon: terms.total.map(|total| total.rational().to_string()),
            one_record_per_person: terms.one_record_per_person,
            level: Some(terms.level),
            seed,
        }
    }
}
