//! What is asked when tables of many columns are released.

use posterity_core::model::{Adjacency, Epsilon};
use posterity_core::noise::DiscreteGaussian;
use posterity_ledger::{Amount, rho_of};
use posterity_margins::{Plan, Workload};
use serde::{Deserialize, Serialize};

use super::asked::{check, check_kind};
use super::error::MarginsError;
use super::which::Which;
use crate::about::{About, AboutColumn};
use crate::paper::{Promised, parsed};
use crate::table::{Contrast, IntervalKind, Reading, ReadingError, Subject, Ways};
use crate::terms::Terms;

/// The public terms of a release of many tables.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginsTerms {
    /// Which tables.
    pub which: Which,
    /// The budget of all of them together.
    pub epsilon: Epsilon,
    /// The delta that goes with it.
    pub delta: Amount,
    /// Which data sets must look alike.
    pub adjacency: Adjacency,
    /// Which intervals are shown.
    pub ways: Ways,
    /// What is read; each column by itself if there is nothing.
    pub readings: Vec<Reading>,
    /// What is compared.
    pub comparisons: Vec<Contrast>,
}

/// What is asked, of which data. All of it is public.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form", into = "Form")]
pub struct MarginsRequest {
    pub(super) about: About,
    pub(super) terms: MarginsTerms,
    pub(super) seed: Option<u64>,
}

impl MarginsTerms {
    /// These tables with this budget, a public n and 95 % intervals.
    #[must_use]
    pub fn new(which: Which, epsilon: Epsilon, delta: Amount) -> Self {
        Self {
            which,
            epsilon,
            delta,
            adjacency: Adjacency::Replace,
            ways: usual_ways(),
            readings: Vec::new(),
            comparisons: Vec::new(),
        }
    }

    /// The rho that all tables together cost: the largest at which they have this epsilon and delta.
    ///
    /// # Errors
    /// [`MarginsError::Delta`] if there is none.
    pub fn rho(&self) -> Result<Amount, MarginsError> {
        Ok(self.price()?.0)
    }

    /// That rho, and the epsilon with the delta that it follows from.
    pub(super) fn price(&self) -> Result<(Amount, (Amount, Amount)), MarginsError> {
        let epsilon =
            Amount::from_rational(self.epsilon.rational().clone()).map_err(|_| MarginsError::Delta)?;
        let rho = rho_of(&epsilon, &self.delta).ok_or(MarginsError::Delta)?;
        Ok((rho, (epsilon, self.delta.clone())))
    }

    /// The noise of every table of these columns. It depends on no data.
    ///
    /// # Errors
    /// [`MarginsError`] if these are no tables of the columns, or there is no such noise.
    pub fn plan(&self, columns: &[AboutColumn]) -> Result<Plan, MarginsError> {
        self.plan_of(self.which.clone().canonical(columns)?.workload(columns)?)
    }

    /// The noise of every table.
    pub(super) fn plan_of(&self, workload: Workload) -> Result<Plan, MarginsError> {
        let plan = Plan::new(workload, self.adjacency, self.rho()?.rational().clone())?;
        (0..plan.workload().sets().len())
            .filter_map(|index| plan.noise_variance(index))
            .try_for_each(|variance| DiscreteGaussian::new(&variance).map(|_| ()))?;
        Ok(plan)
    }
}

/// Intervals that are shown unless others are asked for.
fn usual_ways() -> Ways {
    let (interval, about) = (IntervalKind::Confidence, Subject::Population);
    Ways { level: Terms::LEVEL, interval, about, simultaneous: false }
}

impl MarginsRequest {
    /// A request, if it can be answered, with its tables.
    pub(super) fn new(
        about: About,
        terms: MarginsTerms,
        seed: Option<u64>,
    ) -> Result<(Self, Workload), MarginsError> {
        let labels = about.other.is_some() || about.missing.is_some();
        let unused = [(about.within.is_some(), "a private filter"), (labels, "a label without a column")];
        if let Some((_, what)) = unused.into_iter().find(|(given, _)| *given) {
            return Err(MarginsError::Unused { what });
        }
        if about.records_per_unit().get() > 1 {
            return Err(MarginsError::SeveralRecords);
        }
        terms.rho()?;
        let which = terms.which.clone().canonical(&about.columns)?;
        let workload = which.workload(&about.columns)?;
        let request = Self { about, terms: MarginsTerms { which, ..terms }, seed };
        request.check_ways(request.terms.ways)?;
        let MarginsTerms { ways, readings, comparisons, .. } = &request.terms;
        check(&request.about, &workload, readings, comparisons)?;
        check_kind(*ways, readings)?;
        Ok((request, workload))
    }

    /// Refuses intervals that there are not.
    pub(super) fn check_ways(&self, ways: Ways) -> Result<(), ReadingError> {
        ways.check()?;
        if ways.about == Subject::Records && self.about.per_unit.as_deref() == Some("random") {
            return Err(ReadingError::RandomRecords);
        }
        Ok(())
    }

    /// What an answer promises.
    pub(super) fn promised(&self) -> Promised {
        let terms = &self.terms;
        // A request has a rho.
        let bound = (terms.epsilon.clone(), terms.delta.clone(), terms.rho().ok());
        Promised::approximate(bound, terms.adjacency, self.about.unit.as_deref(), self.seed)
    }

    /// The request without what can be chosen later: it is read as is usual.
    pub(super) fn read_as_usual(&self) -> Self {
        let MarginsTerms { which, epsilon, delta, adjacency, .. } = self.terms.clone();
        let terms = MarginsTerms { adjacency, ..MarginsTerms::new(which, epsilon, delta) };
        Self { terms, ..self.clone() }
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &MarginsTerms {
        &self.terms
    }
}

/// A request as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(rename = "data")]
    about: About,
    margins: Which,
    epsilon: String,
    delta: String,
    adjacency: Adjacency,
    level: f64,
    #[serde(rename = "about")]
    subject: Subject,
    #[serde(rename = "interval_kind", skip_serializing_if = "is_usual", default)]
    interval: IntervalKind,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    simultaneous: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    readings: Vec<Reading>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    comparisons: Vec<Contrast>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    seed: Option<u64>,
}

fn is_usual(kind: &IntervalKind) -> bool {
    *kind == IntervalKind::default()
}

impl TryFrom<Form> for MarginsRequest {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        let ways = Ways {
            level: form.level,
            interval: form.interval,
            about: form.subject,
            simultaneous: form.simultaneous,
        };
        let terms = MarginsTerms {
            which: form.margins.clone(),
            epsilon: parsed(&form.epsilon)?,
            delta: parsed(&form.delta)?,
            adjacency: form.adjacency,
            ways,
            readings: form.readings,
            comparisons: form.comparisons,
        };
        let (request, _) = Self::new(form.about, terms, form.seed).map_err(|error| error.to_string())?;
        // There is one form for each question.
        if request.terms.which == form.margins {
            Ok(request)
        } else {
            Err("its sets of columns are not in their order".to_owned())
        }
    }
}

impl From<MarginsRequest> for Form {
    fn from(request: MarginsRequest) -> Self {
        let MarginsRequest { about, terms, seed } = request;
        Self {
            about,
            margins: terms.which,
            epsilon: terms.epsilon.rational().to_string(),
            delta: terms.delta.rational().to_string(),
            adjacency: terms.adjacency,
            level: terms.ways.level,
            subject: terms.ways.about,
            interval: terms.ways.interval,
            simultaneous: terms.ways.simultaneous,
            readings: terms.readings,
            comparisons: terms.comparisons,
            seed,
        }
    }
}
