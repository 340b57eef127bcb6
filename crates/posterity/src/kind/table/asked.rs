//! The public question of a release, and how its answer is read.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::Spec;
use posterity_core::model::{Adjacency, Categories, StatedPrior};
use serde::{Deserialize, Serialize};

use crate::about::About;
use crate::facts::Facts;
use crate::paper::DocumentError;
use crate::table::{Contrast, ContrastKind, IntervalKind, Reading, Space, Subject, Test};
use crate::terms::{Request, Terms};

/// What is asked of the data, on which terms, and how the draw is read. All of it is public.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableQuestion {
    pub(crate) facts: Facts,
    pub(crate) request: Request,
    /// The hash of the certificate that the promise rests on.
    pub(crate) certificate: Option<String>,
    /// The seed of an experiment.
    pub(crate) seed: Option<u64>,
}

/// How a draw is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ChosenReadings {
    /// The readings that were asked for; none stands for the usual ones.
    pub(crate) readings: Option<Vec<Reading>>,
    pub(crate) comparisons: Vec<Contrast>,
    pub(crate) tests: Vec<Test>,
}

/// The request as it is written. A ledger holds it without what can be chosen later: the prior, where it does not
/// change the draw, the decoder, the intervals and the readings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    /// What the data is and what was asked of it. `about` is the word for what the intervals are about.
    #[serde(rename = "data", skip_serializing_if = "About::is_empty", default)]
    about: About,
    /// The categories, where they are not the combinations of the values of the columns.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    categories: Option<Categories>,
    /// Whether the categories are the keys of a mapping.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    published_keys: bool,
    mechanism: Spec,
    /// The parameter epsilon of the mechanism, exactly.
    epsilon: String,
    /// Whether n is private.
    #[serde(skip_serializing_if = "Adjacency::is_replace", default)]
    adjacency: Adjacency,
    /// The most records that readings assume where n is private.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    most: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    prior: Option<StatedPrior>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    decoder: Option<Decoder>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    level: Option<f64>,
    /// Which intervals are shown, and of what.
    #[serde(rename = "interval_kind", skip_serializing_if = "Option::is_none", default)]
    interval: Option<IntervalKind>,
    #[serde(rename = "about", skip_serializing_if = "Option::is_none", default)]
    subject: Option<Subject>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    simultaneous: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    readings: Option<Vec<Reading>>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    comparisons: Vec<Contrast>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    tests: Vec<Test>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    certificate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seed: Option<u64>,
}

/// The prior, if somebody stated it.
fn stated(request: &Request) -> Option<StatedPrior> {
    request.has_stated_prior().then(|| StatedPrior::shortest(request.setting().prior()))
}

impl TableRequest {
    /// The whole request.
    pub(crate) fn new(asked: &TableQuestion, readings: &ChosenReadings) -> Self {
        let request = &asked.request;
        Self {
            prior: stated(request),
            decoder: Some(request.decoder()),
            most: request.setting().n_is_private().then(|| request.setting().n()),
            level: Some(request.level()),
            interval: Some(request.ways().interval),
            subject: Some(request.ways().about),
            simultaneous: request.ways().simultaneous,
            readings: readings.readings.clone(),
            comparisons: readings.comparisons.clone(),
            tests: readings.tests.clone(),
            ..Self::charged(asked)
        }
    }

    /// The part of a request that a ledger holds: all that changes the law of the draw, or says what the draw is about.
    pub(crate) fn charged(asked: &TableQuestion) -> Self {
        let TableQuestion { facts, request, certificate, seed } = asked;
        let (setting, spec) = (request.setting(), request.spec());
        Self {
            about: facts.about.clone(),
            categories: facts.about.columns.is_empty().then(|| facts.categories.clone()),
            published_keys: facts.published_keys,
            mechanism: spec.clone(),
            epsilon: setting.epsilon().rational().to_string(),
            adjacency: setting.adjacency(),
            most: None,
            prior: spec.description().uses_prior.then(|| StatedPrior::shortest(setting.prior())),
            decoder: None,
            level: None,
            interval: None,
            subject: None,
            simultaneous: false,
            readings: None,
            comparisons: Vec::new(),
            tests: Vec::new(),
            certificate: certificate.clone(),
            seed: *seed,
        }
    }

    /// What is asked, of n records if that is public. Where a ledger left something out, the usual is taken.
    pub(crate) fn asked(self, n: Option<u64>) -> Result<(TableQuestion, ChosenReadings), DocumentError> {
        let categories = match (&self.categories, self.about.columns.is_empty()) {
            (Some(categories), true) => categories.clone(),
            (None, false) => Space::of_columns(&self.about)
                .and_then(|space| space.categories())
                .map_err(DocumentError::inconsistent)?,
            _ => return Err(DocumentError::inconsistent("it has columns and categories, or neither")),
        };
        let k = categories.names().len();
        let terms = Terms {
            prior: self.prior,
            spec: self.mechanism,
            decoder: self.decoder,
            adjacency: self.adjacency,
            most: self.most.unwrap_or(Terms::MOST),
            level: self.level.unwrap_or(Terms::LEVEL),
            interval: self.interval.unwrap_or_default(),
            about: self.subject.unwrap_or_else(|| usual_subject(&self.about)),
            simultaneous: self.simultaneous,
            ..Terms::new(self.epsilon.parse().map_err(DocumentError::inconsistent)?)
        };
        let facts =
            Facts { published_keys: self.published_keys, ..Facts::of_about(categories, n, self.about) };
        if facts.about.per_unit.is_some() && facts.rule.is_none() && cfg!(feature = "data") {
            return Err(DocumentError::inconsistent(
                "it has a rule for units that this version does not know",
            ));
        }
        let size = match (terms.adjacency, n) {
            (Adjacency::Replace, Some(n)) => n,
            (Adjacency::AddRemove, None) => terms.most,
            _ => {
                return Err(DocumentError::inconsistent(
                    "it has an n that is private, or none that is public",
                ));
            }
        };
        let setting = terms.setting(k, size).map_err(DocumentError::inconsistent)?;
        let setting = setting.with_records_per_unit(facts.records_per_unit());
        let request = terms.request_for(setting, &|_| ()).map_err(DocumentError::inconsistent)?;
        let asked = TableQuestion { facts, request, certificate: self.certificate, seed: self.seed };
        let readings =
            ChosenReadings { readings: self.readings, comparisons: self.comparisons, tests: self.tests };
        readings
            .check(&asked.space().map_err(DocumentError::inconsistent)?)
            .map_err(DocumentError::inconsistent)?;
        asked.check_ways().map_err(DocumentError::inconsistent)?;
        Ok((asked, readings))
    }
}

impl TableQuestion {
    /// The cells of the release.
    pub(crate) fn space(&self) -> Result<Space, crate::table::ReadingError> {
        Space::declared(&self.facts.about, &self.facts.categories)
    }

    /// Refuses intervals that do not exist, also those about the records if one record of each unit is drawn.
    pub(crate) fn check_ways(&self) -> Result<(), crate::table::ReadingError> {
        self.request.ways().check()?;
        let of_records = self.request.ways().about == Subject::Records;
        if of_records && self.facts.draws_records() {
            return Err(crate::table::ReadingError::RandomRecords);
        }
        if !of_records && self.facts.records_per_unit().get() > 1 {
            return Err(crate::table::ReadingError::DependentRecords);
        }
        Ok(())
    }
}

impl ChosenReadings {
    /// Refuses what a release with these cells does not have.
    pub(crate) fn check(&self, space: &Space) -> Result<(), crate::table::ReadingError> {
        let readings = self.readings.iter().flatten().map(|reading| reading.check(space));
        let comparisons = self.comparisons.iter().map(|contrast| contrast.check(space));
        let tests = self.tests.iter().map(|test| test.check(space));
        readings.chain(comparisons).chain(tests).collect()
    }

    /// Refuses what is about a population only, because several records of a unit count.
    pub(crate) fn check_dependent(&self) -> Result<(), crate::table::ReadingError> {
        let independence = |contrast: &Contrast| contrast.kind() == ContrastKind::Independence;
        if self.comparisons.iter().any(independence) {
            return Err(crate::table::ReadingError::DependentRecords);
        }
        if !self.tests.is_empty() {
            return Err(crate::table::ReadingError::DependentTest);
        }
        Ok(())
    }
}

/// What intervals are about unless something else is asked for: the records, if several of a unit count, because they depend
/// on each other.
fn usual_subject(about: &About) -> Subject {
    if about.records_per_unit().get() > 1 { Subject::Records } else { Subject::Population }
}
