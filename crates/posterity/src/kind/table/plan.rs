//! A question about declared cells in a plan.

use posterity_core::model::Epsilon;
use posterity_count::{Cells, Column, Domain, PerUnit, Question};

use crate::batch::BatchError;
use crate::kind::table::Table;
use crate::paper::Kind;
use crate::plan::error::{PlanError, PlanProblem};
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::plan::names::file_name;
use crate::plan::said::Columns;
use crate::publisher::Publisher;
use crate::table::{Contrast, Reading, ReadingError, Space, SpaceColumn, Subject};
use crate::terms::Terms;

/// A question about declared cells that a plan asks.
#[derive(Clone, Debug)]
pub struct Asked {
    name: String,
    title: String,
    description: Option<String>,
    question: Question,
    terms: Terms,
    space: Space,
    readings: Option<Vec<Reading>>,
    shown: Vec<Reading>,
    comparisons: Vec<Contrast>,
}

/// The same before the budget is divided.
pub(crate) struct ReadTable<'a> {
    pub(crate) head: Head<'a>,
    columns: Vec<Column>,
}

impl<'a> ReadTable<'a> {
    /// Reads a table `[[question]]` of a plan.
    pub(crate) fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let names = |said: &crate::plan::said::Said| file_name(&said.names().join("-"));
        let head = Head::read(item, common, (Table::NAME, "a question"), names)?;
        let columns = columns(&head, common.columns)?;
        Ok(Self { head, columns })
    }

    /// The question with its part of the budget.
    pub(crate) fn ask(&self, common: &Common<'_>, epsilon: Epsilon) -> Result<Asked, PlanError> {
        let Self { head, columns } = self;
        let question = Question { columns: columns.clone(), ..common.records() };
        let cells = Cells::new(&question)
            .map_err(|error| head.item.error(PlanProblem::Batch(BatchError::Data(error.into()))))?;
        let prior = head.said.prior(&cells).map_err(|error| head.item.wrong_in("prior", error))?;
        let several = question.per_unit.most().get() > 1;
        let about = if several { Subject::Records } else { Subject::default() };
        let usual = Terms { about, prior: prior.map(Into::into), ..Terms::new(epsilon) };
        let terms = head.said.terms(usual, common.adjacency);
        let drawn = question.unit.is_some() && question.per_unit == PerUnit::Random;
        let checked = match terms.ways().check() {
            Ok(()) if terms.about == Subject::Records && drawn => Err(ReadingError::RandomRecords),
            Ok(()) if terms.about == Subject::Population && several => Err(ReadingError::DependentRecords),
            checked => checked,
        };
        checked.map_err(|error| head.item.wrong_in("about", error))?;
        let space = Space::new(question.columns.iter().map(SpaceColumn::from).collect());
        let space = if question.within.is_some() { space.with_outside() } else { space };
        head.check(|reading| space.check(reading), |contrast| space.check_contrast(contrast))?;
        let names: Vec<&str> = question.columns.iter().map(|column| column.name.as_str()).collect();
        let readings = head.said.readings().map(<[Reading]>::to_vec).filter(|readings| !readings.is_empty());
        Ok(Asked {
            name: head.name.clone(),
            title: head.title.clone().unwrap_or_else(|| names.join(" and ")),
            description: head.description.clone(),
            terms,
            shown: readings.clone().unwrap_or_else(|| Reading::usual(&space, common.adjacency)),
            readings,
            space,
            comparisons: head.said.comparisons().to_vec(),
            question,
        })
    }
}

/// The columns that the question names, or its categories where the data has no columns.
fn columns(head: &Head<'_>, declared: &Columns) -> Result<Vec<Column>, PlanError> {
    match (head.columns(declared)?, head.said.categories()) {
        (Some(columns), None) => Ok(columns),
        (None, Some(labels)) => {
            Ok(vec![head.said.label(&Column::of(Space::CATEGORY, Domain::Values(labels.to_vec())))])
        }
        (Some(_), Some(_)) => {
            let why = "this is for data without columns; declare the categories of a column below [columns]";
            Err(head.item.wrong_in("categories", why))
        }
        (None, None) => {
            head.item.need("columns", "a question", "columns = [\"ward\", \"cured\"]").map(|_| Vec::new())
        }
    }
}

impl Asked {
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

    /// Which records it counts, and into which cells.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The terms of its release.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What answers it.
    #[must_use]
    pub fn publisher(&self) -> Publisher<'static> {
        let readings = self.asked_readings().to_vec();
        Publisher::with_terms(self.terms.clone()).read(readings, self.comparisons.clone())
    }

    /// What its answer promises and costs.
    #[must_use]
    pub fn epsilon(&self) -> Epsilon {
        // A mechanism that promises nothing is refused unless an audit is cited.
        self.terms.promised().unwrap_or_else(|| self.terms.epsilon.clone())
    }

    /// The number of its cells, with that of records outside.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.space.all_cells()
    }

    /// Its cells.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What is read from the release: what is asked for, or else what is usual.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.shown
    }

    /// What is asked to be read from the release; nothing if it is not said.
    #[must_use]
    pub fn asked_readings(&self) -> &[Reading] {
        self.readings.as_deref().unwrap_or_default()
    }

    /// What is compared.
    #[must_use]
    pub fn comparisons(&self) -> &[Contrast] {
        &self.comparisons
    }
}
