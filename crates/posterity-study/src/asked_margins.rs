//! Tables of many columns in a plan.

use std::collections::BTreeMap;

use posterity::data::{Column, Domain, Question};
use posterity::ledger::Amount;
use posterity::table::Ways;
use posterity::{
    Contrast, Epsilon, MarginsError, MarginsPublisher, MarginsTerms, PlannedMargins, PublishError, Reading,
    Which,
};

use crate::keys::{Item, Keys};
use crate::plan_error::{PlanError, PlanProblem};
use crate::usual::{Usual, undeclared};

/// Tables of many columns that a plan asks for.
#[derive(Clone, Debug)]
pub struct AskedMargins {
    name: String,
    title: String,
    about: Option<String>,
    planned: PlannedMargins,
}

/// Tables of many columns before the budget is divided.
pub(crate) struct ReadMargins<'a> {
    pub(crate) item: Item<'a>,
    pub(crate) name: String,
    pub(crate) share: Epsilon,
    title: String,
    about: Option<String>,
    which: Which,
    columns: Vec<Column>,
    usual: Usual,
    readings: Vec<(Item<'a>, Reading)>,
    comparisons: Vec<(Item<'a>, Contrast)>,
}

impl<'a> ReadMargins<'a> {
    /// Reads a table [[margins]] of a plan with these columns.
    pub(crate) fn new(
        item: Item<'a>,
        declared: &BTreeMap<String, Domain>,
        usual: &Usual,
    ) -> Result<Self, PlanError> {
        let mut keys = item.keys("a table [[margins]]")?;
        let sets =
            keys.need("sets", "sets = 2, which is every pair, or sets = \"ward, cured; age, cured\"")?;
        let which: Which = sets.label()?.parse().map_err(|error| sets.wrong(error))?;
        let mut columns = columns(&mut keys, &sets, &which, declared)?;
        let name = keys.file_name(|| "margins".to_owned())?;
        let title = keys.text("title")?.unwrap_or_else(|| title(&which));
        let (about, share) = (keys.text("about")?, keys.share()?);
        let usual = Usual::take_for_margins(&mut keys, usual.clone(), declared)?;
        usual.label(&mut columns);
        let (readings, comparisons) = (keys.parsed("read")?, keys.parsed("compare")?);
        keys.finish()?;
        Ok(Self { item, name, share, title, about, which, columns, usual, readings, comparisons })
    }

    /// The tables with their part of the budget, asked of the records of a question.
    pub(crate) fn plan(
        &self,
        records: Question,
        epsilon: Epsilon,
        delta: Amount,
    ) -> Result<AskedMargins, PlanError> {
        let terms = MarginsTerms {
            adjacency: records.adjacency,
            ..MarginsTerms::new(self.which.clone(), epsilon, delta)
        };
        let usual = terms.ways;
        let question = Question { columns: self.columns.clone(), ..records };
        // The delta of the whole plan was checked.
        let publisher = MarginsPublisher::new(terms).allow_large_delta(true);
        let planned = publisher.plan(question).map_err(|error| self.wrong(error))?;
        for (item, reading) in &self.readings {
            planned.check_reading(reading).map_err(|error| item.error(PlanProblem::Reading(error)))?;
        }
        for (item, contrast) in &self.comparisons {
            planned.check_comparison(contrast).map_err(|error| item.error(PlanProblem::Reading(error)))?;
        }
        let readings = match self.readings.as_slice() {
            [] => planned.usual_readings(),
            readings => readings.iter().map(|(_, reading)| reading.clone()).collect(),
        };
        let comparisons = self.comparisons.iter().map(|(_, contrast)| contrast.clone()).collect();
        let planned = planned.read_as(self.ways(usual), readings, comparisons);
        let planned = planned.map_err(|error| self.item.wrong_in("interval", error))?;
        let (name, title, about) = (self.name.clone(), self.title.clone(), self.about.clone());
        Ok(AskedMargins { name, title, about, planned })
    }

    fn ways(&self, usual: Ways) -> Ways {
        Ways {
            level: self.usual.level.unwrap_or(usual.level),
            interval: self.usual.interval.unwrap_or(usual.interval),
            about: self.usual.interval_about.unwrap_or(usual.about),
            simultaneous: self.usual.simultaneous.unwrap_or(usual.simultaneous),
        }
    }

    /// Where something is wrong with the tables, with the key that says so.
    fn wrong(&self, error: PublishError) -> PlanError {
        match error {
            PublishError::Margins(MarginsError::Delta) => self.item.wrong_in("delta", error),
            PublishError::Margins(MarginsError::Unused { .. }) => self.item.wrong_in("within", error),
            PublishError::Margins(MarginsError::SeveralRecords) => self.item.wrong_in("per-unit", error),
            error => self.item.wrong(error),
        }
    }
}

/// The columns that a plan picks; otherwise those of sets alone, or else all.
fn columns(
    keys: &mut Keys<'_>,
    sets: &Item<'_>,
    which: &Which,
    declared: &BTreeMap<String, Domain>,
) -> Result<Vec<Column>, PlanError> {
    let column = |item: &Item<'_>, name: &str| match declared.get(name) {
        Some(domain) => Ok(Column::of(name, domain.clone())),
        None => Err(undeclared(item, name, declared)),
    };
    if let Some(picked) = keys.take("columns") {
        return picked.list().iter().map(|item| column(item, &item.text()?)).collect();
    }
    let mut names: Vec<&str> = Vec::new();
    let all = declared.keys().map(String::as_str).filter(|_| which.order.is_some());
    for name in all.chain(which.names()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| column(sets, name)).collect()
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
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The tables with their noise.
    #[must_use]
    pub fn planned(&self) -> &PlannedMargins {
        &self.planned
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

    /// What is read from the release.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.terms().readings
    }

    /// What is compared.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrast] {
        &self.terms().comparisons
    }
}
