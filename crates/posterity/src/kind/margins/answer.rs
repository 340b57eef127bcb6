//! The answer: the noisy residuals, with all that follows from them.

use std::borrow::Cow;

use posterity_core::model::{Adjacency, Epsilon};
use posterity_ledger::Amount;
use posterity_margins::{Estimates, Plan, Released};
use serde::Serialize;

use super::asked::{check, check_kind};
use super::drawn::DrawnMargins;
use super::request::{MarginsRequest, MarginsTerms};
use super::words;
use crate::about::About;
use crate::number::decimal;
use crate::paper::Kind;
use crate::paper::{DocumentError, GuaranteeStatement, Promised};
use crate::table::{
    Contrast, Contrasted, Reading, ReadingError, ReadingTable, SpaceColumn, Term, Ways,
};

/// Tables of many columns.
#[derive(Clone, Debug)]
pub struct Margins {
    pub(super) request: MarginsRequest,
    n: Option<u64>,
    promise: Promised,
    drawn: DrawnMargins,
    pub(super) plan: Plan,
    pub(super) released: Released,
}

/// How such an answer is read.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginsReading {
    pub(super) ways: Ways,
    pub(super) readings: Vec<Reading>,
    pub(super) comparisons: Vec<Contrast>,
}

/// What follows from the request and the draw.
#[derive(Clone, Debug, Serialize)]
pub struct MarginsDerived {
    mechanism: &'static str,
    tables: Vec<TablesOfSize>,
    readings: Vec<ReadingTable>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comparisons: Vec<Contrasted>,
}

/// The tables of this many columns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
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

    /// The estimates of all tables.
    pub(super) fn estimates(&self) -> Option<Estimates<'_>> {
        Estimates::new(&self.plan, &self.released).ok()
    }
}

impl Kind for Margins {
    const NAME: &'static str = "margins";
    const TITLE: &'static str = "tables of many columns";
    const CHOSEN: &'static [&'static str] = &["categories"];
    const FOLLOWS: &'static str = "From the noisy residuals follow the shares and counts of all tables, with intervals. Nothing is cut off.";
    type Request = MarginsRequest;
    type Drawn = DrawnMargins;
    type Derived<'a> = MarginsDerived;
    type Reading = MarginsReading;

    fn new(
        request: MarginsRequest,
        n: Option<u64>,
        promise: Promised,
        drawn: DrawnMargins,
    ) -> Result<Self, DocumentError> {
        // The readings are checked again: they may be new.
        let (request, workload) = MarginsRequest::new(request.about, request.terms, request.seed)
            .map_err(DocumentError::inconsistent)?;
        let adjacency = request.terms.adjacency;
        if n.is_some() != adjacency.is_replace() {
            return Err(DocumentError::inconsistent(
                "it has an n that is private, or lacks one that is public",
            ));
        }
        if promise != request.promised() {
            return Err(DocumentError::other_promise());
        }
        let known = n.map(|n| i64::try_from(n).map(|n| vec![n])).transpose();
        let known = known.map_err(DocumentError::inconsistent)?;
        let residuals = known.into_iter().chain(drawn.residuals.iter().cloned()).collect();
        let released = Released::new(&workload, residuals).map_err(DocumentError::inconsistent)?;
        let rho = request.terms.rho().map_err(DocumentError::inconsistent)?;
        // The price of the stated noise is computed again, exactly, and is at most rho.
        let plan = Plan::stated(workload, adjacency, rho.rational().clone(), &drawn.precisions)
            .map_err(DocumentError::inconsistent)?;
        let margins = Self { request, n, promise, drawn, plan, released };
        match margins.estimates() {
            Some(_) => Ok(margins),
            None => Err(DocumentError::inconsistent("its draw does not fit its tables")),
        }
    }

    fn read_as(&self, reading: &MarginsReading) -> Result<Self, ReadingError> {
        let MarginsReading { ways, readings, comparisons } = reading.clone();
        self.request.check_ways(ways)?;
        check(&self.request.about, self.plan.workload(), &readings, &comparisons)?;
        check_kind(ways, &readings)?;
        let terms = MarginsTerms { ways, readings, comparisons, ..self.request.terms.clone() };
        Ok(Self { request: MarginsRequest { terms, ..self.request.clone() }, ..self.clone() })
    }

    fn reread(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        self.read_as(&MarginsReading { ways, readings, comparisons })
    }

    fn columns_to_read(&self) -> Vec<SpaceColumn> {
        self.request.about.columns.iter().map(SpaceColumn::from).collect()
    }

    fn asked_readings(&self) -> (&[Reading], &[Contrast]) {
        (&self.request.terms.readings, &self.request.terms.comparisons)
    }

    fn form(&self) -> Cow<'_, MarginsRequest> {
        Cow::Borrowed(&self.request)
    }

    fn charged(&self) -> MarginsRequest {
        self.request.read_as_usual()
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

    fn promise(&self) -> &Promised {
        &self.promise
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

    fn holds(&self) -> String {
        holds(&self.tables())
    }

    fn mechanism_in_words(&self) -> String {
        "discrete Gaussian noise on the residuals of all tables".to_owned()
    }

    fn composition(&self) -> &'static str {
        "All tables are drawn together. Their rho is the largest for two records that differ in some columns, or a proven bound on it."
    }

    fn promise_in_short(&self) -> &'static str {
        match self.promise.adjacency() {
            Adjacency::Replace => ", and n is public, for all tables together",
            Adjacency::AddRemove => ", with or without it: n is private, for all tables together",
        }
    }

    fn ways(&self) -> Ways {
        self.request.terms.ways
    }

    fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError> {
        self.read(reading)
    }

    fn all_readings(&self) -> Vec<Reading> {
        let columns = &self.request.about.columns;
        let sets = self.plan.workload().sets().iter().filter(|set| !set.is_empty());
        let each = |column: &u16| Term::each(&columns[usize::from(*column)].name);
        sets.map(|set| Reading::shares(set.columns().iter().map(each).collect(), Vec::new())).collect()
    }

    fn readings(&self) -> Cow<'_, [ReadingTable]> {
        Cow::Owned(self.readings())
    }

    fn comparisons(&self) -> Cow<'_, [Contrasted]> {
        Cow::Owned(self.comparisons())
    }

    fn derived(&self, _: bool) -> MarginsDerived {
        MarginsDerived {
            mechanism: Self::NAME,
            tables: self.tables(),
            readings: self.readings(),
            comparisons: self.comparisons(),
        }
    }
}

/// How many tables there are, and how far off they are expected to be.
fn holds(tables: &[TablesOfSize]) -> String {
    let of_size = |size: &TablesOfSize| {
        let columns =
            if size.columns == 1 { "1 column".to_owned() } else { format!("{} columns", size.columns) };
        match size.expected_l1 {
            Some(error) => format!("{} of {columns} (expected L1 error {})", size.tables, decimal(error)),
            None => format!("{} of {columns}", size.tables),
        }
    };
    format!("Tables: {}.", tables.iter().map(of_size).collect::<Vec<_>>().join(", "))
}
