//! How a plan asks for a number, and how it is counted, known, priced and drawn.

use std::sync::Arc;

use posterity_core::discovery::Total;
use posterity_core::model::{Adjacency, Epsilon};
use posterity_core::sampler::BitSource;
use posterity_count::{Cells, Column, Question};
use posterity_ledger::{Amount, LedgerError};
use serde_json::{Value, json};

use super::{Number, NumberRequest};
use crate::ask::{Ask, Price};
use crate::facts::Facts;
use crate::paper::Kind;
use crate::part::{AskBox, CountedPart, Counting, KnownAs, Part, PartData};
use crate::plan::asking::{Asking, NamedColumns, PriceOf, ReadQuestion};
use crate::plan::error::PlanError;
use crate::plan::head::{Common, Head};
use crate::plan::keys::Item;
use crate::plan::question::{Planned, PlannedPart};
use crate::private_data::Data;
use crate::publish_error::PublishError;
use crate::randomness::Randomness;
use crate::terms::Terms;

/// How it is asked for.
pub(crate) const ASKING: Asking = Asking {
    kind: Number::NAME,
    key: "number",
    plural: "numbers",
    command: "number",
    about: "Release how many there are",
    called: "a table [[number]]",
    what: "a number",
    columns: NamedColumns::Declared,
    fields: &["columns", "categories", "bins", "other"],
    own: &[],
    price: PriceOf::Epsilon,
    same_records: false,
    private_n: Some("how many there are is private, which holds for the whole plan: write add-remove"),
    read: |item, common| Ok(Box::new(ReadNumber::new(item, common)?)),
};

/// A number that a plan asks for.
#[derive(Clone, Debug)]
pub(crate) struct PlannedNumber {
    pub(super) question: Question,
    pub(super) epsilon: Epsilon,
    pub(super) level: f64,
}

/// Such a number before the budget is divided.
struct ReadNumber<'a> {
    head: Head<'a>,
    columns: Vec<Column>,
}

impl<'a> ReadNumber<'a> {
    fn new(item: Item<'a>, common: &Common<'_>) -> Result<Self, PlanError> {
        let head = ASKING.head(item, common, |_| "number".to_owned())?;
        head.item.need("columns", ASKING.called, "columns = [\"ward\"]")?;
        let columns = head.columns(common.columns)?.unwrap_or_default();
        Ok(Self { head, columns })
    }
}

impl<'a> ReadQuestion<'a> for ReadNumber<'a> {
    fn head(&self) -> &Head<'a> {
        &self.head
    }

    fn planned(
        &self,
        common: &Common<'_>,
        (epsilon, _): (Epsilon, Amount),
    ) -> Result<(String, PlannedPart), PlanError> {
        let question = Question { columns: self.columns.clone(), ..common.records() };
        let level = self.head.said.level.unwrap_or(Terms::LEVEL);
        Ok(("How many there are".to_owned(), Arc::new(PlannedNumber { question, epsilon, level })))
    }
}

impl Planned for PlannedNumber {
    fn kind(&self) -> &'static str {
        Number::NAME
    }

    fn epsilon(&self) -> Epsilon {
        self.epsilon.clone()
    }

    fn columns(&self) -> Vec<&str> {
        self.question.columns.iter().map(|column| column.name.as_str()).collect()
    }

    fn part(&self, _: bool) -> Arc<dyn Part<'static>> {
        Arc::new(self.clone())
    }
}

impl PlannedNumber {
    /// The question about data that was not counted.
    fn about<'a>(&self, facts: &Facts) -> Result<Ask<'a, Number>, PublishError> {
        let epsilon = self.epsilon.rational();
        let part = json!({
            "data": facts.description, "edition": facts.about.edition, "mechanism": Number::NAME,
            "epsilon": epsilon.to_string(),
        });
        let request = NumberRequest {
            about: facts.about.clone(),
            epsilon: epsilon.to_string(),
            level: Some(self.level),
            seed: None,
        };
        let price = Amount::from_rational(epsilon.clone()).map_err(LedgerError::from)?;
        let protects = (Adjacency::AddRemove, facts.unit(), None);
        let price = Ok(Price::Epsilon(price, Amount::ZERO));
        let ask = Ask::new(part, price, protects, (request, self.level));
        Ok(Ask { named: facts.description.is_some(), ..ask })
    }

    /// The question about counted data.
    pub(super) fn ask_of(&self, data: &Data) -> Result<Ask<'static, Number>, PublishError> {
        let (ask, n) = (self.about(data.facts())?, data.private_counts().total());
        let request = ask.form.clone();
        let ask = Ask { seeded: data.is_seeded(), ..ask };
        Ok(ask.drawn_by(move |seed, bits| answer(NumberRequest { seed, ..request }, n, bits)))
    }
}

fn answer(request: NumberRequest, n: u64, bits: &mut dyn BitSource) -> Result<Number, PublishError> {
    let epsilon = request.epsilon().map_err(|_| PublishError::StoredDocument)?;
    let drawn = Total::draw(&epsilon, n, bits)?.noisy();
    let promise = Number::promise_of(&request, epsilon);
    Number::new(request, None, promise, drawn).map_err(|_| PublishError::StoredDocument)
}

impl<'p> Part<'p> for PlannedNumber {
    fn counting(&self) -> Counting<'_> {
        Counting::Cells(&self.question)
    }

    fn check(&self, _: usize) -> Result<(), PublishError> {
        Ok(())
    }

    fn known(&self, source: &KnownAs<'_>, cells: Option<&Cells>) -> Result<Value, PublishError> {
        Ok(self.about(&source.facts(&self.question, cells, None)?)?.part)
    }

    fn price(&self, _: &KnownAs<'_>) -> Result<Price, PublishError> {
        let epsilon = Amount::from_rational(self.epsilon.rational().clone()).map_err(LedgerError::from)?;
        Ok(Price::Epsilon(epsilon, Amount::ZERO))
    }

    fn uncounted(
        &self,
        source: &KnownAs<'_>,
        cells: Option<&Cells>,
        _: Option<u64>,
    ) -> Result<AskBox<'_>, PublishError> {
        Ok(Box::new(self.about(&source.facts(&self.question, cells, None)?)?))
    }

    fn data(&self, counted: CountedPart, source: &KnownAs<'_>, randomness: Randomness) -> PartData {
        source.cells(counted, &self.question, randomness)
    }

    fn ask<'d>(&'d self, data: &'d PartData) -> Result<AskBox<'d>, PublishError> {
        Ok(Box::new(self.ask_of(data.in_cells()?)?))
    }
}
