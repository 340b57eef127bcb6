//! How a plan asks for the values of a column that nobody declares.

use std::sync::Arc;

use posterity_core::model::Epsilon;
use posterity_count::{Column, DataError, ValuesAsked};
use posterity_ledger::Amount;

use super::part::ValuesPart;
use super::{Discovered, Discovery, DiscoveryError, DiscoveryTerms};
use crate::blame::Blame;
use crate::paper::Kind;
use crate::part::Part;
use crate::plan::asking::{Asking, NamedColumns, PriceOf, ReadQuestion};
use crate::plan::error::PlanError;
use crate::plan::fields::{ASK, Field, Form, Layer, OwnField};
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::plan::names::file_name;
use crate::plan::question::{Planned, PlannedPart};
use crate::publish_error::PublishError;

/// How they are asked for.
pub(crate) const ASKING: Asking = Asking {
    kind: Discovered::NAME,
    key: "discover",
    plural: "discoveries",
    command: "discover",
    about: "Name the values of a column that enough people have, where nobody can list them beforehand",
    called: "a table [[discover]]",
    what: "a discovery",
    columns: NamedColumns::Undeclared,
    fields: &["delta", "allow-large-delta"],
    own: &[COLUMN, ONE_RECORD, TOTAL],
    price: PriceOf::EpsilonAndDelta,
    same_records: false,
    private_n: Some(
        "categories are discovered where n is private, which holds for the whole plan: write add-remove",
    ),
    read: |item, common| Ok(Box::new(ReadDiscovery::new(item, common)?)),
};

const COLUMN: OwnField = OwnField {
    after: "share",
    field: Field {
        name: "column",
        value: "NAME",
        layer: Layer::Law,
        places: ASK,
        every_kind: false,
        form: Form::Text,
        help: "The column whose values are named",
        read: |item, _| item.text().map(drop),
    },
};

const ONE_RECORD: OwnField = OwnField {
    after: "allow-large-delta",
    field: Field {
        name: "one-record-per-person",
        value: "YES",
        layer: Layer::Law,
        places: ASK,
        every_kind: false,
        form: Form::Truth,
        help: "Each person has at most one record, so that no column need name them; otherwise use `unit`",
        read: |item, _| item.truth().map(drop),
    },
};

const TOTAL: OwnField = OwnField {
    after: "allow-large-delta",
    field: Field {
        name: "total-epsilon",
        value: "EPSILON",
        layer: Layer::Law,
        places: ASK,
        every_kind: false,
        form: Form::Number,
        help: "Also release how many there are in all, with this budget besides. Only then are there shares, and a number of \
               those whose value is not named",
        read: |item, _| item.budget().map(drop),
    },
};

/// A column whose values a plan discovers.
#[derive(Clone, Debug)]
pub struct PlannedDiscovery {
    asked: ValuesAsked,
    terms: DiscoveryTerms,
}

/// Such a column before the budget is divided.
struct ReadDiscovery<'a> {
    head: Head<'a>,
    column: String,
}

impl<'a> ReadDiscovery<'a> {
    /// Reads a table `[[discover]]` of a plan.
    fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let column = item.get("column").and_then(|column| column.text().ok());
        let name = column.map_or_else(|| "discovered".to_owned(), |column| file_name(&column));
        let head = ASKING.head(item, common, |_| name)?;
        let column = head.item.need("column", ASKING.called, "column = \"diagnosis\"")?.text()?;
        Ok(Self { head, column })
    }
}

impl<'a> ReadQuestion<'a> for ReadDiscovery<'a> {
    fn head(&self) -> &Head<'a> {
        &self.head
    }

    fn planned(
        &self,
        common: &Common<'_>,
        (epsilon, delta): (Epsilon, Amount),
    ) -> Result<(String, PlannedPart), PlanError> {
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
        let usual = DiscoveryTerms::new(epsilon, delta);
        let terms = DiscoveryTerms {
            total: head.item.get(TOTAL.field.name).map(|item| item.budget()).transpose()?,
            one_record_per_person: match head.item.get(ONE_RECORD.field.name) {
                Some(item) => item.truth()?,
                None => false,
            },
            level: head.said.level.unwrap_or(usual.level),
            ..usual
        };
        let planned = PlannedDiscovery { asked, terms };
        planned.discovery().check(&planned.asked).map_err(|error| wrong(&head.item, error))?;
        planned.asked.check().map_err(|error| match error {
            DataError::Cells(_) => head.item.wrong_in("missing", error),
            error => head.item.blamed(Blame::data(&error), error),
        })?;
        Ok((format!("The values of {column}"), Arc::new(planned)))
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

impl Planned for PlannedDiscovery {
    fn kind(&self) -> &'static str {
        Discovered::NAME
    }

    fn epsilon(&self) -> Epsilon {
        self.terms.whole_epsilon()
    }

    fn delta(&self) -> Option<&Amount> {
        Some(&self.terms.delta)
    }

    fn columns(&self) -> Vec<&str> {
        vec![&self.asked.column]
    }

    fn unforeseen(&self) -> &'static str {
        "which values will be named depends on the data"
    }

    fn part(&self, _: bool) -> Arc<dyn Part<'static>> {
        Arc::new(ValuesPart { asked: self.asked.clone(), discovery: self.discovery() })
    }
}

impl PlannedDiscovery {
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
