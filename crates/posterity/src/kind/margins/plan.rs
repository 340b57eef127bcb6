//! Tables of many columns in a plan.

use posterity_core::model::Epsilon;
use posterity_count::{Column, Question};
use posterity_ledger::Amount;

use super::{Margins, MarginsError, MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use crate::paper::Kind;
use crate::plan::error::PlanError;
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::publish_error::PublishError;
use crate::table::{Contrast, Reading, ReadingError};

/// Tables of many columns that a plan asks for.
#[derive(Clone, Debug)]
pub struct AskedMargins {
    name: String,
    title: String,
    description: Option<String>,
    planned: PlannedMargins,
    /// What is read: what is asked for, or else what is usual.
    shown: Vec<Reading>,
}

/// The same before the budget is divided.
pub(crate) struct ReadMargins<'a> {
    pub(crate) head: Head<'a>,
    which: Which,
    columns: Vec<Column>,
}

impl<'a> ReadMargins<'a> {
    /// Reads a table `[[margins]]` of a plan.
    pub(crate) fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let called = (Margins::NAME, "a table [[margins]]");
        let head = Head::read(item, common, called, |_| "margins".to_owned())?;
        let example = "sets = 2, which is every pair, or sets = \"ward, cured; age, cured\"";
        let sets = head.item.need("sets", "a table [[margins]]", example)?;
        let which = head.said.sets().cloned().unwrap_or_default();
        let columns = match head.columns(common.columns)? {
            Some(columns) => columns,
            // Those of sets alone, or else all.
            None => {
                which.names().try_for_each(|name| common.columns.find(&sets, name).map(|_| ()))?;
                let is_counted =
                    |column: &&Column| which.order.is_some() || which.names().any(|name| name == column.name);
                let counted = common.columns.all().iter().filter(is_counted);
                let asked = |column| common.columns.asked(&head.item, &head.said, column);
                counted.map(asked).collect::<Result<_, _>>()?
            }
        };
        Ok(Self { head, which, columns })
    }

    /// The tables with their part of the budget.
    pub(crate) fn ask(
        &self,
        common: &Common<'_>,
        (epsilon, delta): (Epsilon, Amount),
    ) -> Result<AskedMargins, PlanError> {
        let Self { head, which, columns } = self;
        let question = Question { columns: columns.clone(), ..common.records() };
        let title = head.title.clone().unwrap_or_else(|| title(which));
        let usual = MarginsTerms::new(which.clone(), epsilon, delta);
        let ways = head.said.ways(usual.ways);
        let terms = MarginsTerms { adjacency: common.adjacency, ..usual };
        // The delta of the whole plan was checked.
        let publisher = MarginsPublisher::new(terms).allow_large_delta(true);
        let planned = publisher.plan(question).map_err(|error| wrong(&head.item, error))?;
        head.check(|reading| planned.check_reading(reading), |contrast| planned.check_comparison(contrast))?;
        let readings = head.said.readings().unwrap_or_default().to_vec();
        let shown = if readings.is_empty() { planned.usual_readings() } else { readings.clone() };
        let planned = planned
            .read_as(ways, readings, head.said.comparisons().to_vec())
            .map_err(|error| wrong_reading(&head.item, error))?;
        let (name, description) = (head.name.clone(), head.description.clone());
        Ok(AskedMargins { name, title, description, planned, shown })
    }
}

/// Where something is wrong with tables.
fn wrong(item: &Item<'_>, error: PublishError) -> PlanError {
    match error {
        PublishError::Margins(MarginsError::Reading(error)) => wrong_reading(item, error),
        PublishError::Margins(error) => {
            let key = match &error {
                MarginsError::Delta => "delta",
                MarginsError::Unused { .. } => "within",
                MarginsError::SeveralRecords => "per-unit",
                MarginsError::Noise(_) | MarginsError::Plan(_) => "epsilon",
                _ => "sets",
            };
            item.wrong_in(key, error)
        }
        error => item.wrong(error),
    }
}

/// Where something is wrong with what is read from tables, or with its intervals.
fn wrong_reading(item: &Item<'_>, error: ReadingError) -> PlanError {
    let key = match &error {
        ReadingError::NoIndependence => "compare",
        ReadingError::NoCredible => "interval-kind",
        ReadingError::CredibleRecords | ReadingError::RandomRecords | ReadingError::DependentRecords => {
            "about"
        }
        ReadingError::Level(_) => "level",
        _ => "read",
    };
    item.wrong_in(key, error)
}

/// The heading of tables that have none.
fn title(which: &Which) -> String {
    match which.order {
        Some(1) => "Every column by itself".to_owned(),
        Some(order) => format!("Every table of up to {order} columns"),
        None => format!("Tables of {which}"),
    }
}

impl AskedMargins {
    /// Its name, which is also that of its files.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its heading.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it is about, in the words of its author.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The tables with their noise.
    #[must_use]
    pub fn planned(&self) -> &PlannedMargins {
        &self.planned
    }

    /// What is asked to be read from the release; nothing if it is not said.
    #[must_use]
    pub fn asked_readings(&self) -> &[Reading] {
        &self.terms().readings
    }

    /// Which records it counts, and the columns.
    #[must_use]
    pub fn question(&self) -> &Question {
        self.planned.question()
    }

    /// Its part of the budget, and how it is read.
    #[must_use]
    pub fn terms(&self) -> &MarginsTerms {
        self.planned.terms()
    }

    /// How many tables there are, with those of single columns.
    #[must_use]
    pub fn tables(&self) -> usize {
        // The empty set is no table.
        self.planned.plan().workload().sets().len() - 1
    }

    /// How many cells its tables have together.
    #[must_use]
    pub fn cells(&self) -> u64 {
        let workload = self.planned.plan().workload();
        (1..workload.sets().len()).map(|index| workload.cells(index)).sum()
    }

    /// What is read from the release: what is asked for, or else what is usual.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.shown
    }

    /// What is compared.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrast] {
        &self.terms().comparisons
    }
}
