//! A toy: how many values of a column's categories occur in all, with noise. One number, and nothing else.

#[cfg(all(test, feature = "data"))]
mod example;
#[cfg(feature = "data")]
pub(crate) mod plan;

use std::borrow::Cow;

use posterity_core::discovery::Total;
use posterity_core::model::{Adjacency, Epsilon, interval_level};
use posterity_ledger::Amount;
use serde::{Deserialize, Serialize};

use super::table::{budget_notes, warnings};
use crate::about::About;
use crate::paper::{DocumentError, GuaranteeStatement, Kind, Promised, adding, parsed};
use crate::table::{
    Contrast, IntervalKind, Labels, Reading, ReadingError, ReadingMethod, ReadingRow, ReadingTable,
    Statistic, Subject, Ways, Words,
};
use crate::terms::Terms;

/// How many count, with geometric noise.
#[derive(Clone, Debug)]
pub struct Number {
    request: NumberRequest,
    epsilon: Epsilon,
    promise: Promised,
    drawn: i64,
}

/// What is asked, of which data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRequest {
    #[serde(rename = "data")]
    about: About,
    epsilon: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    level: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seed: Option<u64>,
}

/// What follows from the draw.
#[derive(Serialize)]
pub struct NumberDerived {
    readings: Vec<ReadingTable>,
}

impl NumberRequest {
    fn epsilon(&self) -> Result<Epsilon, DocumentError> {
        parsed(&self.epsilon).map_err(DocumentError::inconsistent)
    }
}

impl Number {
    fn level(&self) -> f64 {
        self.request.level.unwrap_or(Terms::LEVEL)
    }

    /// The promise of this noise.
    fn promise_of(request: &NumberRequest, epsilon: Epsilon) -> Promised {
        let bound = (epsilon, Amount::ZERO, None);
        Promised::approximate(bound, Adjacency::AddRemove, request.about.unit.as_deref(), request.seed)
    }
}

impl Kind for Number {
    const NAME: &'static str = "number";
    const TITLE: &'static str = "a number of people";
    const CHOSEN: &'static [&'static str] = &[];
    const FOLLOWS: &'static str = "From the noisy number follows an interval.";
    type Request = NumberRequest;
    type Drawn = i64;
    type Derived<'a> = NumberDerived;
    type Reading = f64;

    fn new(
        request: NumberRequest,
        n: Option<u64>,
        promise: Promised,
        drawn: i64,
    ) -> Result<Self, DocumentError> {
        if n.is_some() {
            return Err(DocumentError::inconsistent("it has an n, which is private"));
        }
        let epsilon = request.epsilon()?;
        if promise != Self::promise_of(&request, epsilon.clone()) {
            return Err(DocumentError::other_promise());
        }
        Ok(Self { request, epsilon, promise, drawn })
    }

    fn read_as(&self, level: &f64) -> Result<Self, ReadingError> {
        let request = NumberRequest { level: Some(interval_level(*level)?), ..self.request.clone() };
        Ok(Self { request, ..self.clone() })
    }

    fn reread(&self, ways: Ways, readings: Vec<Reading>, _: Vec<Contrast>) -> Result<Self, ReadingError> {
        readings.iter().try_for_each(|reading| self.read(reading).map(|_| ()))?;
        self.read_as(&ways.level)
    }

    fn form(&self) -> Cow<'_, NumberRequest> {
        Cow::Borrowed(&self.request)
    }

    fn charged(&self) -> NumberRequest {
        NumberRequest { level: None, ..self.request.clone() }
    }

    fn n(&self) -> Option<u64> {
        None
    }

    fn drawn(&self) -> &i64 {
        &self.drawn
    }

    fn about(&self) -> &About {
        &self.request.about
    }

    fn promise(&self) -> &Promised {
        &self.promise
    }

    fn guarantee(&self) -> GuaranteeStatement {
        let about = &self.request.about;
        let unit = about.unit.as_deref().unwrap_or("record");
        let statement = self.promise.epsilon().map(|epsilon| {
            format!(
                "{epsilon}-differential privacy per {unit}, with or without it: {} changes the probability of every possible \
                 release by a factor of at most exp({epsilon}).",
                adding(about)
            )
        });
        GuaranteeStatement::of(&self.promise, statement, about, self.request.seed, String::new)
    }

    fn seed(&self) -> Option<u64> {
        self.request.seed
    }

    fn notes(&self, charged: bool) -> Vec<String> {
        let epsilon = self.promise.epsilon().map(Epsilon::to_f64_shown);
        let budget = epsilon.map(|epsilon| budget_notes(Adjacency::AddRemove, epsilon, 0.0, None, charged));
        warnings(epsilon.is_some(), self.request.seed).chain(budget.into_iter().flatten()).collect()
    }

    fn budget(&self) -> (Epsilon, Amount) {
        (self.epsilon.clone(), Amount::ZERO)
    }

    fn holds(&self) -> String {
        "One number.".to_owned()
    }

    fn mechanism_in_words(&self) -> String {
        "geometric noise on a number".to_owned()
    }

    fn question_in_words(&self) -> Option<String> {
        Some("How many are there?".to_owned())
    }

    fn ways(&self) -> Ways {
        let (interval, about) = (IntervalKind::Confidence, Subject::Records);
        Ways { level: self.level(), interval, about, simultaneous: false }
    }

    fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        let known = self.readings().into_owned();
        known
            .into_iter()
            .find(|table| table.reading == *reading)
            .ok_or(ReadingError::NotDiscovered { known: vec!["count".into()] })
    }

    fn readings(&self) -> Cow<'_, [ReadingTable]> {
        let total = Total::of(&self.epsilon, self.drawn);
        let (low, high) = total.interval(self.level());
        let ends = [low as f64, high as f64];
        let row = ReadingRow::confident(Labels::default(), Some(total.noisy() as f64), ends);
        let Ways { level, interval, about, simultaneous } = self.ways();
        Cow::Owned(vec![ReadingTable {
            of: Vec::new(),
            given: Vec::new(),
            reading: Reading::count(Vec::new()),
            statistic: Statistic::Count,
            method: ReadingMethod::Proven,
            error: 0.0,
            draws: None,
            seed: None,
            level,
            interval,
            about,
            simultaneous,
            unknown: None,
            rows: vec![row],
            words: Words::default(),
        }])
    }

    fn derived(&self, _: bool) -> NumberDerived {
        NumberDerived { readings: self.readings().into_owned() }
    }
}
