//! A question about declared cells in a batch.

use posterity_count::{Cells, Question};
use posterity_ledger::{Amount, LedgerError};
use serde_json::Value;

use crate::ask::Price;
use crate::part::{AskBox, CountedPart, Counting, KnownAs, Part, PartData};
use crate::publish_error::PublishError;
use crate::publisher::Publisher;
use crate::question::part;
use crate::randomness::Randomness;

/// A question about declared cells, and what answers it.
#[derive(Clone, Debug)]
pub(crate) struct TablePart<'p> {
    pub(crate) question: Question,
    pub(crate) publisher: Publisher<'p>,
}

impl<'p> Part<'p> for TablePart<'p> {
    fn counting(&self) -> Counting<'_> {
        Counting::Cells(&self.question)
    }

    fn check(&self, cells: usize) -> Result<(), PublishError> {
        self.publisher.check(cells)
    }

    fn known(&self, source: &KnownAs<'_>, cells: Option<&Cells>) -> Result<Value, PublishError> {
        // Any number of records is allowed: it is not part of the question.
        Ok(part(self.publisher.terms(), &source.facts(&self.question, cells, Some(1))?)?)
    }

    fn price(&self, _: &KnownAs<'_>) -> Result<Price, PublishError> {
        let terms = self.publisher.terms();
        let epsilon = terms.promised().unwrap_or_else(|| terms.epsilon.clone());
        let epsilon = Amount::from_rational(epsilon.rational().clone()).map_err(LedgerError::from)?;
        Ok(Price::Epsilon(epsilon, Amount::ZERO))
    }

    fn uncounted(
        &self,
        source: &KnownAs<'_>,
        cells: Option<&Cells>,
        n: Option<u64>,
    ) -> Result<AskBox<'_>, PublishError> {
        Ok(Box::new(self.publisher.prepare(&source.facts(&self.question, cells, n)?)?.ask()))
    }

    fn data(&self, counted: CountedPart, source: &KnownAs<'_>, randomness: Randomness) -> PartData {
        source.cells(counted, &self.question, randomness)
    }

    fn ask<'d>(&'d self, data: &'d PartData) -> Result<AskBox<'d>, PublishError> {
        Ok(Box::new(self.publisher.ask(data.in_cells()?)?))
    }
}
