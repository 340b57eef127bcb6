//! What a ledger keeps of the answers of one charge: the draws, from which all else follows.

use posterity_ledger::StoredRelease;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::load::check_format;
use super::{Document, DocumentError, Promised};
use crate::agreed::Agreed;
use crate::paper::Kind;
use crate::provenance::Provenance;
use crate::strict_json;

/// The draws of one charge, in the order of its questions.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    format: u32,
    version: String,
    answers: Vec<Answer>,
    /// The plan that the questions belong to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    agreed: Option<Agreed>,
}

/// One draw, with what gives it its meaning.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    kind: String,
    /// What was asked, without what can be chosen after the draw.
    request: Value,
    promise: Promised,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    n: Option<u64>,
    drawn: Value,
}

impl Answer {
    /// The record of an answer.
    pub(crate) fn new<K: Kind>(answer: &K) -> Result<Self, serde_json::Error> {
        Ok(Self {
            kind: K::NAME.to_owned(),
            request: serde_json::to_value(answer.charged())?,
            promise: answer.promise().clone(),
            n: answer.n(),
            drawn: serde_json::to_value(answer.drawn())?,
        })
    }

    /// The answer, read as is usual.
    fn read<K: Kind>(&self) -> Result<K, DocumentError> {
        if self.kind != K::NAME {
            return Err(DocumentError::inconsistent("it is of another kind"));
        }
        let request = K::Request::deserialize(&self.request).map_err(DocumentError::inconsistent)?;
        let drawn = K::Drawn::deserialize(&self.drawn).map_err(DocumentError::inconsistent)?;
        K::new(request, self.n, self.promise.clone(), drawn)
    }
}

impl Record {
    /// The version of this form.
    const FORMAT: u32 = 4;

    /// The record of answers, and of the plan that their questions belong to.
    pub(crate) fn new(answers: Vec<Answer>, agreed: Option<Agreed>) -> Self {
        Self { format: Self::FORMAT, version: env!("CARGO_PKG_VERSION").to_owned(), answers, agreed }
    }

    /// Reads what a ledger holds.
    pub(crate) fn parse(text: &str) -> Result<Self, DocumentError> {
        let record: Self = strict_json::read(text).map_err(DocumentError::inconsistent)?;
        check_format(record.format, Self::FORMAT)?;
        Ok(record)
    }

    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// How many answers there are.
    pub(crate) fn answers(&self) -> usize {
        self.answers.len()
    }

    /// The numbers of records of all answers.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = Option<u64>> {
        self.answers.iter().map(|answer| answer.n)
    }

    /// The name of the kind of an answer.
    pub(crate) fn kind(&self, index: usize) -> Result<&str, DocumentError> {
        Ok(&self.answer(index)?.kind)
    }

    fn answer(&self, index: usize) -> Result<&Answer, DocumentError> {
        let other = || DocumentError::inconsistent("it answers another number of questions");
        self.answers.get(index).ok_or_else(other)
    }
}

impl<K: Kind> Document<K> {
    /// The document of an answer that a ledger holds, by its position among those of its charge, read as is usual. It has
    /// no digest yet.
    pub(crate) fn recorded(
        record: &Record,
        index: usize,
        stored: &StoredRelease,
    ) -> Result<Self, DocumentError> {
        Ok(Self::new(record.answer(index)?.read()?, Some(Provenance::charged(stored, index))))
    }

    /// Whether it says what a ledger holds of an answer: the first of its parts that differs.
    pub(crate) fn difference(
        &self,
        record: &Record,
        index: usize,
    ) -> Result<Option<&'static str>, DocumentError> {
        let Some(held) = record.answers.get(index) else { return Ok(Some("provenance.answer")) };
        if held.kind != K::NAME {
            return Ok(Some("kind"));
        }
        let request = K::Request::deserialize(&held.request).map_err(DocumentError::inconsistent)?;
        let drawn = K::Drawn::deserialize(&held.drawn).map_err(DocumentError::inconsistent)?;
        let parts = [
            ("request", request == self.answer().charged()),
            ("promise", held.promise == *self.promise()),
            ("n", held.n == self.n()),
            ("drawn", drawn == *self.answer().drawn()),
        ];
        Ok(parts.into_iter().find_map(|(part, same)| (!same).then_some(part)))
    }
}
