//! Tables of many columns in a batch.

use posterity_count::Cells;
use serde_json::Value;

use super::publish::{PlannedMargins, ask_of};
use super::request::MarginsRequest;
use crate::ask::Price;
use crate::part::{AskBox, CountedPart, Counting, KnownAs, Part, PartData};
use crate::publish_error::PublishError;
use crate::randomness::Randomness;

impl PlannedMargins {
    /// What is asked of this source, and what a ledger knows the source and the question by.
    fn asked(&self, source: &KnownAs<'_>) -> (MarginsRequest, Option<String>) {
        self.asked_of(source.source, source.shown, source.edition)
    }
}

impl<'p> Part<'p> for PlannedMargins {
    fn counting(&self) -> Counting<'_> {
        Counting::Tables(self.question(), self.sets())
    }

    fn check(&self, _: usize) -> Result<(), PublishError> {
        // The terms were checked when the tables were planned.
        Ok(())
    }

    fn known(&self, source: &KnownAs<'_>, _: Option<&Cells>) -> Result<Value, PublishError> {
        let (request, description) = self.asked(source);
        Ok(ask_of(&request, description.as_deref(), None)?.part)
    }

    fn price(&self, source: &KnownAs<'_>) -> Result<Price, PublishError> {
        let (request, description) = self.asked(source);
        ask_of(&request, description.as_deref(), None)?.price
    }

    fn uncounted(
        &self,
        source: &KnownAs<'_>,
        _: Option<&Cells>,
        n: Option<u64>,
    ) -> Result<AskBox<'_>, PublishError> {
        let (request, description) = self.asked(source);
        Ok(Box::new(ask_of(&request, description.as_deref(), n)?))
    }

    fn data(&self, counted: CountedPart, source: &KnownAs<'_>, randomness: Randomness) -> PartData {
        let CountedPart::Tables(counted) = counted else { return PartData::Other };
        PartData::Tables(self.counted_with(counted, self.asked(source), randomness, source.in_memory))
    }

    fn ask<'d>(&'d self, data: &'d PartData) -> Result<AskBox<'d>, PublishError> {
        Ok(Box::new(data.in_tables()?.ask_again()?))
    }
}
