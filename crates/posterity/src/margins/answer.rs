//! The answer: the noisy residuals, with all that follows from them.

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;
use posterity_margins::{Estimates, Plan, Released};
use serde::Serialize;

use super::drawn::DrawnMargins;
use super::request::{MarginsRequest, MarginsTerms};
use super::words;
use crate::about::About;
use crate::document::{DocumentError, GuaranteeStatement, Promised};
use crate::paper::Kind;
use crate::table::{Contrast, Contrasted, Reading, ReadingTable, Ways};

/// Tables of many columns.
#[derive(Clone, Debug)]
pub struct Margins {
    pub(super) request: MarginsRequest,
    n: Option<u64>,
    drawn: DrawnMargins,
    pub(super) plan: Plan,
    pub(super) released: Released,
}

/// What follows from the request and the draw.
#[derive(Clone, Debug, Serialize)]
pub struct MarginsDerived {
    mechanism: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_unit: Option<String>,
    tables: Vec<TablesOfSize>,
    readings: Vec<ReadingTable>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comparisons: Vec<Contrasted>,
    notes: Vec<String>,
}

/// The tables of so many columns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TablesOfSize {
    /// How many columns each has.
    pub columns: usize,
    /// How many there are.
    pub tables: usize,
    /// The mean of the expected L1 errors of their shares, of the noise alone; absent where n is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_l1: Option<f64>,
}

impl Margins {
    /// What was asked.
    #[must_use]
    pub fn asked(&self) -> &MarginsRequest {
        &self.request
    }

    /// The noise of every table.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How many tables there are of each number of columns, and how far off they are expected to be.
    #[must_use]
    pub fn tables(&self) -> Vec<TablesOfSize> {
        let workload = self.plan.workload();
        let of_size = |columns: usize| TablesOfSize {
            columns,
            tables: workload.sets().iter().filter(|set| set.len() == columns).count(),
            expected_l1: self.n.map(|n| self.plan.level_l1(columns, n as f64)),
        };
        (1..=workload.order()).map(of_size).collect()
    }

    /// The number of records; where it is private, as it was released, with noise.
    fn records(&self) -> f64 {
        let released = || self.drawn.residuals.first().and_then(|total| total.first());
        match self.n {
            Some(n) => n as f64,
            None => released().map_or(0.0, |&total| total as f64),
        }
    }

    /// The request with other intervals, readings and comparisons.
    pub(super) fn asked_as(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> MarginsRequest {
        let terms = MarginsTerms { ways, readings, comparisons, ..self.request.terms.clone() };
        MarginsRequest { terms, ..self.request.clone() }
    }

    /// The estimates of all tables.
    pub(super) fn estimates(&self) -> Option<Estimates<'_>> {
        Estimates::new(&self.plan, &self.released).ok()
    }
}

impl Kind for Margins {
    const NAME: &'static str = "margins";
    const TITLE: &'static str = "tables of many columns";
    type Request = MarginsRequest;
    type Drawn = DrawnMargins;
    type Derived = MarginsDerived;

    fn new(request: MarginsRequest, n: Option<u64>, drawn: DrawnMargins) -> Result<Self, DocumentError> {
        // The readings are checked again: they may be new.
        let (request, workload) = MarginsRequest::new(request.about, request.terms, request.seed)
            .map_err(DocumentError::inconsistent)?;
        let adjacency = request.terms.adjacency;
        if n.is_some() != adjacency.is_replace() {
            return Err(DocumentError::inconsistent(
                "it has an n that is private, or lacks one that is public",
            ));
        }
        let known = n.map(|n| i64::try_from(n).map(|n| vec![n])).transpose();
        let known = known.map_err(DocumentError::inconsistent)?;
        let residuals = known.into_iter().chain(drawn.residuals.iter().cloned()).collect();
        let released = Released::new(&workload, residuals).map_err(DocumentError::inconsistent)?;
        let rho = request.terms.rho().map_err(DocumentError::inconsistent)?;
        // The price of the stated noise is computed again, exactly, and is at most rho.
        let plan = Plan::stated(workload, adjacency, rho.rational().clone(), &drawn.precisions)
            .map_err(DocumentError::inconsistent)?;
        let margins = Self { request, n, drawn, plan, released };
        match margins.estimates() {
            Some(_) => Ok(margins),
            None => Err(DocumentError::inconsistent("its draw does not fit its tables")),
        }
    }

    fn request(&self) -> &MarginsRequest {
        &self.request
    }

    fn charged(request: &MarginsRequest) -> MarginsRequest {
        request.read_as_usual()
    }

    fn n(&self) -> Option<u64> {
        self.n
    }

    fn drawn(&self) -> &DrawnMargins {
        &self.drawn
    }

    fn about(&self) -> &About {
        &self.request.about
    }

    fn promised(request: &MarginsRequest) -> Promised {
        request.promised()
    }

    fn guarantee(&self) -> GuaranteeStatement {
        words::guarantee(&self.request, self.n)
    }

    fn seed(&self) -> Option<u64> {
        self.request.seed
    }

    fn notes(&self, charged: bool) -> Vec<String> {
        let noise = super::noise::warning(&self.plan, self.records(), super::noise::Told::After);
        noise.into_iter().chain(words::notes(&self.request, self.n, charged)).collect()
    }

    fn budget(&self) -> (Epsilon, Amount) {
        let terms = &self.request.terms;
        (terms.epsilon.clone(), terms.delta.clone())
    }

    fn derived(&self, charged: bool) -> MarginsDerived {
        MarginsDerived {
            mechanism: "margins",
            per_unit: self.request.about.rule_in_words(),
            tables: self.tables(),
            readings: self.readings(),
            comparisons: self.comparisons(),
            notes: self.notes(charged),
        }
    }
}
