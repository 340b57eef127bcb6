//! How a plan asks for a posterior over declared cells.

use std::sync::Arc;

use posterity_core::model::{Adjacency, Epsilon};
use posterity_count::{Cells, Column, Domain, PerUnit, Question};
use posterity_ledger::Amount;

use super::part::TablePart;
use crate::batch::BatchError;
use crate::kind::table::Table;
use crate::paper::Kind;
use crate::part::Part;
use crate::plan::asking::{Asking, NamedColumns, PriceOf, ReadQuestion};
use crate::plan::error::{PlanError, PlanProblem};
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::plan::names::file_name;
use crate::plan::question::{Planned, PlannedPart};
use crate::plan::said::Columns;
use crate::publisher::Publisher;
use crate::table::{Contrast, Reading, ReadingError, Space, SpaceColumn, Subject};
use crate::terms::Terms;

/// How it is asked for.
pub(crate) const ASKING: Asking = Asking {
    kind: Table::NAME,
    key: "question",
    plural: "questions",
    command: "release",
    about: "Release a posterior over declared categories",
    called: "a question",
    what: "a question about declared cells",
    columns: NamedColumns::Declared,
    fields: &[
        "within",
        "adjacency",
        "most",
        "columns",
        "categories",
        "bins",
        "aliases",
        "labels",
        "ordered",
        "whole",
        "other",
        "prior",
        "prior-outside",
        "mechanism",
        "decode",
        "rate",
        "read",
        "compare",
        "interval-kind",
        "about",
        "simultaneous",
        "shape",
    ],
    own: &[],
    price: PriceOf::Epsilon,
    same_records: false,
    private_n: None,
    read: |item, common| Ok(Box::new(ReadTable::new(item, common)?)),
};

/// A question about declared cells that a plan asks.
#[derive(Clone, Debug)]
pub struct PlannedTable {
    question: Question,
    terms: Terms,
    space: Space,
    readings: Option<Vec<Reading>>,
    shown: Vec<Reading>,
    comparisons: Vec<Contrast>,
}

/// Such a question before the budget is divided.
struct ReadTable<'a> {
    head: Head<'a>,
    columns: Vec<Column>,
}

impl<'a> ReadTable<'a> {
    /// Reads a table `[[question]]` of a plan.
    fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let head = ASKING.head(item, common, |said| file_name(&said.names().join("-")))?;
        let columns = columns(&head, common.columns)?;
        Ok(Self { head, columns })
    }
}

impl<'a> ReadQuestion<'a> for ReadTable<'a> {
    fn head(&self) -> &Head<'a> {
        &self.head
    }

    fn planned(
        &self,
        common: &Common<'_>,
        (epsilon, _): (Epsilon, Amount),
    ) -> Result<(String, PlannedPart), PlanError> {
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
        if terms.adjacency == Adjacency::AddRemove {
            let wrong = |error| head.item.wrong_in("mechanism", error);
            terms.spec.check_adjacency(terms.adjacency).map_err(wrong)?;
            if terms.prior.is_some() {
                let setting = terms.setting(cells.categories().names().len(), terms.most);
                setting.map_err(|error| head.item.wrong_in("prior", error))?;
            }
        }
        let space = Space::new(question.columns.iter().map(SpaceColumn::from).collect());
        let space = if question.within.is_some() { space.with_outside() } else { space };
        head.check(|reading| space.check(reading), |contrast| space.check_contrast(contrast))?;
        let names: Vec<&str> = question.columns.iter().map(|column| column.name.as_str()).collect();
        let readings = Some(head.said.readings()).filter(|readings| !readings.is_empty());
        let title = names.join(" and ");
        let planned = PlannedTable {
            terms,
            shown: readings.clone().unwrap_or_else(|| Reading::usual(&space, common.adjacency)),
            readings,
            space,
            comparisons: head.said.comparisons().to_vec(),
            question,
        };
        Ok((title, Arc::new(planned)))
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
            head.item.need("columns", ASKING.called, "columns = [\"ward\", \"cured\"]").map(|_| Vec::new())
        }
    }
}

impl Planned for PlannedTable {
    fn kind(&self) -> &'static str {
        Table::NAME
    }

    fn epsilon(&self) -> Epsilon {
        // A mechanism that promises nothing is refused unless an audit is cited.
        self.terms.promised().unwrap_or_else(|| self.terms.epsilon.clone())
    }

    fn columns(&self) -> Vec<&str> {
        self.question.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn cells(&self) -> Option<u64> {
        Some(self.space.all_cells() as u64)
    }

    fn mechanism(&self) -> String {
        self.terms.spec.to_string()
    }

    fn readings(&self) -> &[Reading] {
        &self.shown
    }

    fn comparisons(&self) -> &[Contrast] {
        &self.comparisons
    }

    fn part(&self, allow_unproven: bool) -> Arc<dyn Part<'static>> {
        let publisher = self.publisher().allow_unproven_if(allow_unproven);
        Arc::new(TablePart { question: self.question.clone(), publisher })
    }
}

impl PlannedTable {
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

    /// What is asked to be read from the release; nothing if it is not said.
    #[must_use]
    pub fn asked_readings(&self) -> &[Reading] {
        self.readings.as_deref().unwrap_or_default()
    }
}
