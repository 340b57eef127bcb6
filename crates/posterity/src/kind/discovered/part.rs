//! A column whose values are discovered, in a batch.

use std::sync::Mutex;

use posterity_count::{Cells, ValuesAsked};
use serde_json::Value;

use super::data::{asked_of, shown_as};
use super::{Discovered, Discovery};
use crate::about::About;
use crate::ask::{Ask, Price};
use crate::part::{AskBox, CountedPart, Counting, KnownAs, Part, PartData};
use crate::publish_error::PublishError;
use crate::randomness::Randomness;

/// A column whose values are discovered, and what discovers them.
#[derive(Clone, Debug)]
pub(crate) struct ValuesPart {
    pub(crate) asked: ValuesAsked,
    pub(crate) discovery: Discovery,
}

impl ValuesPart {
    /// What is asked of the values of this source, which were not counted.
    fn about(&self, source: &KnownAs<'_>) -> Result<Ask<'static, Discovered>, PublishError> {
        let (about, description) = asked_of(source.source, &self.asked);
        let edition = source.edition.map(ToOwned::to_owned);
        let about = source.shown.iter().fold(about, |about, name| shown_as(about, name));
        let about = About { edition, ..about };
        self.discovery.ask_about(about, description.as_deref())
    }
}

impl<'p> Part<'p> for ValuesPart {
    fn counting(&self) -> Counting<'_> {
        Counting::Values(&self.asked)
    }

    fn check(&self, _: usize) -> Result<(), PublishError> {
        self.discovery.check(&self.asked)
    }

    fn known(&self, source: &KnownAs<'_>, _: Option<&Cells>) -> Result<Value, PublishError> {
        Ok(self.about(source)?.part)
    }

    fn price(&self, source: &KnownAs<'_>) -> Result<Price, PublishError> {
        self.about(source)?.price
    }

    fn uncounted(
        &self,
        source: &KnownAs<'_>,
        _: Option<&Cells>,
        _: Option<u64>,
    ) -> Result<AskBox<'_>, PublishError> {
        Ok(Box::new(self.about(source)?))
    }

    fn data(&self, counted: CountedPart, source: &KnownAs<'_>, _: Randomness) -> PartData {
        let CountedPart::Values(values) = counted else { return PartData::Other };
        let values = source.shown.iter().fold(values, |values, name| values.shown_as(name));
        PartData::Values(Mutex::new(Some(values.of_edition(source.edition))))
    }

    fn ask<'d>(&'d self, data: &'d PartData) -> Result<AskBox<'d>, PublishError> {
        Ok(Box::new(self.discovery.ask(data.take_values()?)?))
    }
}
