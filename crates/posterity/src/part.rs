//! One question of a batch, whatever its kind: how it is counted, known to a ledger, priced and asked.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use posterity_core::model::Adjacency;
use posterity_count::{Cells, Counted, CountedMargins, Question, Source, ValuesAsked};
use serde_json::Value;

use crate::ask::{AnyAsk, Price};
use crate::facts::Facts;
use crate::kind::Publication;
use crate::kind::discovered::ValueData;
use crate::kind::margins::MarginsData;
use crate::private_data::Data;
use crate::publish_error::PublishError;
use crate::randomness::Randomness;

/// A question of any kind, checked.
pub(crate) type AskBox<'d> = Box<dyn AnyAsk<Publication> + 'd>;

/// One question of a batch.
pub(crate) trait Part<'p>: fmt::Debug + Send + Sync {
    /// How its records are counted.
    fn counting(&self) -> Counting<'_>;

    /// Checks what needs no data, for this number of declared cells.
    fn check(&self, cells: usize) -> Result<(), PublishError>;

    /// What a ledger knows it by. A question that is counted by cells is given them.
    fn known(&self, source: &KnownAs<'_>, cells: Option<&Cells>) -> Result<Value, PublishError>;

    /// What it costs.
    fn price(&self, source: &KnownAs<'_>) -> Result<Price, PublishError>;

    /// The question about n records that were not counted, which a ledger may have answered.
    fn uncounted(
        &self,
        source: &KnownAs<'_>,
        cells: Option<&Cells>,
        n: Option<u64>,
    ) -> Result<AskBox<'_>, PublishError>;

    /// What was counted for it.
    fn data(&self, counted: CountedPart, source: &KnownAs<'_>, randomness: Randomness) -> PartData;

    /// The question about what was counted for it, checked: all that is missing is the draw.
    fn ask<'d>(&'d self, data: &'d PartData) -> Result<AskBox<'d>, PublishError>;
}

/// How records are counted for a question.
pub(crate) enum Counting<'a> {
    /// In declared cells, together with all others that are counted so.
    Cells(&'a Question),
    /// In many tables, together with those that are counted in cells.
    Tables(&'a Question, Vec<Vec<usize>>),
    /// By every value of a column, in a pass of its own.
    Values(&'a ValuesAsked),
}

/// What was counted, in one of these ways.
#[allow(clippy::large_enum_variant, reason = "there is one for each question of a plan")]
pub(crate) enum CountedPart {
    Cells(Counted),
    Tables(CountedMargins),
    Values(ValueData),
}

/// The private counts of a question.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one for each question of a plan")]
pub(crate) enum PartData {
    Cells(Data),
    Tables(MarginsData),
    /// A draw uses them up.
    Values(Mutex<Option<ValueData>>),
    /// They were counted in a way for which the question did not ask.
    Other,
}

/// A source as readers and ledgers know it.
#[derive(Clone, Copy)]
pub(crate) struct KnownAs<'a> {
    pub(crate) source: &'a Source,
    /// What a reader learns about it; nothing of records in memory without a name.
    pub(crate) shown: Option<&'a str>,
    /// Whether the records are in memory, under a name that their owner gave them.
    pub(crate) in_memory: bool,
    pub(crate) edition: Option<&'a str>,
}

/// Why values cannot be drawn again.
const USED_UP: &str =
    "these values were drawn from already, and drawn twice they would protect half as much; count them again";

/// Why counts are not those of a question.
const OTHER: &str = "these are the counts of another question; count this batch";

impl Counting<'_> {
    /// Whom the answer protects, and which data sets it makes look alike.
    pub(crate) fn protects(&self) -> (Option<&str>, Adjacency) {
        match self {
            Self::Cells(question) | Self::Tables(question, _) => {
                (question.unit.as_deref(), question.adjacency)
            }
            Self::Values(asked) => (asked.unit.as_deref(), Adjacency::AddRemove),
        }
    }
}

impl KnownAs<'_> {
    /// What is public about n of its records in these cells, which a question that is counted by cells is given.
    pub(crate) fn facts(
        &self,
        question: &Question,
        cells: Option<&Cells>,
        n: Option<u64>,
    ) -> Result<Facts, PublishError> {
        let cells = cells.ok_or_else(|| PublishError::Values(OTHER.to_owned()))?;
        let facts = Facts::asked(cells.categories().clone(), n, question).of_source(self.source, question);
        Ok(self.shown.iter().fold(facts, |facts, name| facts.shown_as(name)).of_edition(self.edition))
    }

    /// Counts in cells of this source.
    pub(crate) fn cells(
        &self,
        counted: CountedPart,
        question: &Question,
        randomness: Randomness,
    ) -> PartData {
        let CountedPart::Cells(counted) = counted else { return PartData::Other };
        let data = Data::of_source(counted, self.source, question, randomness).in_memory_if(self.in_memory);
        let data = self.shown.iter().fold(data, |data, name| data.shown_as(name));
        PartData::Cells(data.of_edition(self.edition))
    }
}

impl PartData {
    /// The number of records, or of units, if it is public.
    pub(crate) fn n(&self) -> Option<u64> {
        match self {
            Self::Cells(data) => data.n(),
            Self::Tables(data) => data.n(),
            Self::Values(_) | Self::Other => None,
        }
    }

    /// A warning if the answer will say nearly nothing but noise. Where n is private there is none.
    pub(crate) fn mostly_noise(&self) -> Option<String> {
        if let Self::Tables(data) = self { data.mostly_noise() } else { None }
    }

    /// Counts in declared cells.
    pub(crate) fn in_cells(&self) -> Result<&Data, PublishError> {
        if let Self::Cells(data) = self { Ok(data) } else { Err(PublishError::Values(OTHER.to_owned())) }
    }

    /// Counts in many tables.
    pub(crate) fn in_tables(&self) -> Result<&MarginsData, PublishError> {
        if let Self::Tables(data) = self { Ok(data) } else { Err(PublishError::Values(OTHER.to_owned())) }
    }

    /// Counts of every value, which are used up.
    pub(crate) fn take_values(&self) -> Result<ValueData, PublishError> {
        let Self::Values(data) = self else { return Err(PublishError::Values(OTHER.to_owned())) };
        let mut data = data.lock().unwrap_or_else(PoisonError::into_inner);
        data.take().ok_or_else(|| PublishError::Values(USED_UP.to_owned()))
    }
}
