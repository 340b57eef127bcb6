//! How a plan asks for tables of many columns.

use std::sync::Arc;

use posterity_core::model::Epsilon;
use posterity_count::{Column, Question};
use posterity_ledger::Amount;

use super::{Margins, MarginsError, MarginsPublisher, MarginsTerms, PlannedMargins, Which};
use crate::paper::Kind;
use crate::part::Part;
use crate::plan::asking::{Asking, NamedColumns, PriceOf, ReadQuestion};
use crate::plan::error::PlanError;
use crate::plan::fields::{ASK, Field, Form, Layer, OwnField};
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::plan::question::{Planned, PlannedPart};
use crate::publish_error::PublishError;
use crate::table::{Contrast, Reading, ReadingError};

/// How they are asked for.
pub(crate) const ASKING: Asking = Asking {
    kind: Margins::NAME,
    key: "margins",
    plural: "margins",
    command: "margins",
    about: "Draw all tables of many columns together: every pair or triple, or the sets that are named",
    called: "a table [[margins]]",
    what: "tables of many columns",
    columns: NamedColumns::DeclaredOrAll,
    fields: &[
        "adjacency",
        "columns",
        "categories",
        "bins",
        "aliases",
        "labels",
        "ordered",
        "whole",
        "other",
        "delta",
        "allow-large-delta",
        "read",
        "compare",
        "interval-kind",
        "about",
        "simultaneous",
        "shape",
    ],
    own: &[SETS],
    price: PriceOf::Rho,
    same_records: true,
    private_n: None,
    read: |item, common| Ok(Box::new(ReadMargins::new(item, common)?)),
};

const SETS: OwnField = OwnField {
    after: "columns",
    field: Field {
        name: "sets",
        value: "TABLES",
        layer: Layer::Law,
        places: ASK,
        every_kind: false,
        form: Form::Text,
        help: "Which tables: 2 for every pair of columns, 3 for every triple; or sets of columns, 'age,ward; ward,cured'; or \
               both, with weights for what matters: '2; age,ward=5'. Names with blanks or with any of , ; = are quoted: \
               '\"blood type\",ward'",
        read: |item, _| which(item).map(drop),
    },
};

/// Tables of many columns before the budget is divided.
struct ReadMargins<'a> {
    head: Head<'a>,
    which: Which,
    columns: Vec<Column>,
}

/// Which tables are asked for.
fn which(sets: &Item<'_>) -> Result<Which, PlanError> {
    sets.label()?.parse().map_err(|error: MarginsError| sets.wrong(error))
}

impl<'a> ReadMargins<'a> {
    /// Reads a table `[[margins]]` of a plan.
    fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let head = ASKING.head(item, common, |_| "margins".to_owned())?;
        let example = "sets = 2, which is every pair, or sets = \"ward, cured; age, cured\"";
        let sets = head.item.need("sets", ASKING.called, example)?;
        let which = which(&sets)?;
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
}

impl<'a> ReadQuestion<'a> for ReadMargins<'a> {
    fn head(&self) -> &Head<'a> {
        &self.head
    }

    fn planned(
        &self,
        common: &Common<'_>,
        (epsilon, delta): (Epsilon, Amount),
    ) -> Result<(String, PlannedPart), PlanError> {
        let Self { head, which, columns } = self;
        let question = Question { columns: columns.clone(), ..common.records() };
        let usual = MarginsTerms::new(which.clone(), epsilon, delta);
        let ways = head.said.ways(usual.ways);
        let terms = MarginsTerms { adjacency: common.adjacency, ..usual };
        // The delta of the whole plan was checked.
        let publisher = MarginsPublisher::new(terms).allow_large_delta(true);
        let planned = publisher.plan(question).map_err(|error| wrong(&head.item, error))?;
        head.check(|reading| planned.check_reading(reading), |contrast| planned.check_comparison(contrast))?;
        let readings = head.said.readings();
        let planned = planned
            .read_as(ways, readings, head.said.comparisons().to_vec())
            .map_err(|error| wrong_reading(&head.item, error))?;
        Ok((title(which), Arc::new(planned)))
    }
}

impl Planned for PlannedMargins {
    fn kind(&self) -> &'static str {
        Margins::NAME
    }

    fn epsilon(&self) -> Epsilon {
        self.terms().epsilon.clone()
    }

    fn delta(&self) -> Option<&Amount> {
        Some(&self.terms().delta)
    }

    fn rho(&self) -> Option<Amount> {
        // Terms without a rho are not planned.
        self.terms().rho().ok()
    }

    fn columns(&self) -> Vec<&str> {
        self.question().columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn cells(&self) -> Option<u64> {
        let workload = self.plan().workload();
        Some((1..workload.sets().len()).map(|index| workload.cells(index)).sum())
    }

    fn tables(&self) -> Option<usize> {
        // The empty set is no table.
        Some(self.plan().workload().sets().len() - 1)
    }

    fn readings(&self) -> &[Reading] {
        self.shown()
    }

    fn comparisons(&self) -> &[Contrast] {
        &self.terms().comparisons
    }

    fn part(&self, _: bool) -> Arc<dyn Part<'static>> {
        Arc::new(self.clone())
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
