//! A column of a plan whose values are discovered.

use posterity_core::model::Epsilon;
use posterity_count::{Column, DataError, ValuesAsked};
use posterity_ledger::Amount;

use super::{Discovered, Discovery, DiscoveryError, DiscoveryTerms};
use crate::blame::Blame;
use crate::paper::Kind;
use crate::plan::error::PlanError;
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::plan::names::file_name;
use crate::plan::said::Said;
use crate::publish_error::PublishError;

/// A column whose values a plan discovers.
#[derive(Clone, Debug)]
pub struct AskedDiscovery {
    name: String,
    title: String,
    description: Option<String>,
    asked: ValuesAsked,
    terms: DiscoveryTerms,
}

/// The same before the budget is divided.
pub(crate) struct ReadDiscovery<'a> {
    pub(crate) head: Head<'a>,
    column: String,
}

impl<'a> ReadDiscovery<'a> {
    /// Reads a table `[[discover]]` of a plan.
    pub(crate) fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let name = |said: &Said| said.column().map_or_else(|| "discovered".to_owned(), file_name);
        let head = Head::read(item, common, (Discovered::NAME, "a table [[discover]]"), name)?;
        let column = head.item.need("column", "a table [[discover]]", "column = \"diagnosis\"")?.text()?;
        Ok(Self { head, column })
    }

    /// The column with its part of the budget.
    pub(crate) fn ask(
        &self,
        common: &Common<'_>,
        (epsilon, delta): (Epsilon, Amount),
    ) -> Result<AskedDiscovery, PlanError> {
        let Self { head, column } = self;
        let records = common.records();
        if records.within.is_some() {
            let error = DiscoveryError::Unused { what: "a private filter" };
            return Err(head.item.wrong_in("within", error));
        }
        let missing = head.said.label(&Column::new(column, Vec::<String>::new())).missing;
        let asked = ValuesAsked {
            filter: records.filter,
            unit: records.unit,
            per_unit: records.per_unit,
            missing,
            ..ValuesAsked::new(column)
        };
        let terms = head.said.discovery(DiscoveryTerms::new(epsilon, delta));
        let asked = AskedDiscovery {
            title: head.title.clone().unwrap_or_else(|| format!("The values of {column}")),
            name: head.name.clone(),
            description: head.description.clone(),
            asked,
            terms,
        };
        asked.discovery().check(&asked.asked).map_err(|error| wrong(&head.item, error))?;
        asked.asked.check().map_err(|error| match error {
            DataError::Cells(_) => head.item.wrong_in("missing", error),
            error => head.item.blamed(Blame::data(&error), error),
        })?;
        Ok(asked)
    }
}

/// Where something is wrong with a discovery.
fn wrong(item: &Item<'_>, error: PublishError) -> PlanError {
    match error {
        PublishError::Discovery(error) => {
            let key = match &error {
                DiscoveryError::NoUnit => "unit",
                DiscoveryError::Unused { .. } => "one-record-per-person",
                DiscoveryError::SeveralRecords => "per-unit",
                DiscoveryError::Threshold(_) => "delta",
                DiscoveryError::Level(_) => "level",
                DiscoveryError::Columns { .. } => "column",
            };
            item.wrong_in(key, error)
        }
        error => item.wrong(error),
    }
}

impl AskedDiscovery {
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

    /// Which records count, and the column.
    #[must_use]
    pub fn values(&self) -> &ValuesAsked {
        &self.asked
    }

    /// Its part of the budget, and how it is read.
    #[must_use]
    pub fn terms(&self) -> &DiscoveryTerms {
        &self.terms
    }

    /// What answers it.
    #[must_use]
    pub fn discovery(&self) -> Discovery {
        // The delta of the whole plan was checked.
        Discovery::new(self.terms.clone()).allow_large_delta(true)
    }
}
