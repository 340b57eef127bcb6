//! What a ledger keeps of releases: the draws, from which all else follows.

use std::sync::Arc;

use posterity_core::mechanism::Mechanism;
use posterity_core::model::Drawn;
use posterity_ledger::StoredRelease;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Document;
use super::asked::{Asked, AskedReadings, RequestForm};
use super::draw::Draw;
use super::load::DocumentError;
use super::promised::Promised;
use super::summary::Level;
use super::written::checked;
use crate::agreed::Agreed;
use crate::provenance::Provenance;
use crate::strict_json;
use crate::terms::Request;

/// The draws of one charge, in the order of its questions.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    format: u32,
    version: String,
    answers: Vec<Answer>,
    /// The records of answers of other kinds, which come after these.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    papers: Vec<Value>,
    /// The plan that the questions belong to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    agreed: Option<Agreed>,
}

/// One draw, with what gives it its meaning.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    request: RequestForm,
    promise: Promised,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    n: Option<u64>,
    drawn: Drawn,
}

/// How many answers a ledger holds of a charge. Those of other kinds than posteriors stand alone or beside them.
pub(crate) fn answers_of(text: &str) -> usize {
    Record::parse(text).map_or(1, |record| record.first_paper() + record.papers())
}

/// How a recorded draw is read: what the question leaves open.
pub(crate) struct ReadingTerms<'a> {
    pub(crate) request: &'a Request,
    pub(crate) level: Level,
    pub(crate) mechanism: &'a Arc<dyn Mechanism>,
    pub(crate) readings: &'a AskedReadings,
}

impl Record {
    /// The version of this form.
    pub(crate) const FORMAT: u32 = 2;

    /// The record of draws, each with what was asked and what is promised.
    pub(crate) fn new<'a>(answers: impl IntoIterator<Item = (&'a Asked, &'a Promised, &'a Drawn)>) -> Self {
        let answer = |(asked, promise, drawn): (&Asked, &Promised, &Drawn)| Answer {
            request: RequestForm::charged(asked),
            promise: promise.clone(),
            n: asked.facts.n,
            drawn: drawn.clone(),
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let answers = answers.into_iter().map(answer).collect();
        Self { format: Self::FORMAT, version, answers, papers: Vec::new(), agreed: None }
    }

    /// The same with the records of answers of other kinds.
    pub(crate) fn with_papers(self, papers: Vec<Value>) -> Self {
        Self { papers, ..self }
    }

    /// The same with the plan that the questions belong to.
    pub(crate) fn with_plan(self, agreed: Option<Agreed>) -> Self {
        Self { agreed, ..self }
    }

    /// How many answers of other kinds there are.
    pub(crate) fn papers(&self) -> usize {
        self.papers.len()
    }

    /// The position of the first answer of another kind.
    pub(crate) fn first_paper(&self) -> usize {
        self.answers.len()
    }

    /// The record of an answer of another kind, by its position among all answers.
    pub(crate) fn into_paper(self, index: usize) -> Result<Value, DocumentError> {
        let paper =
            index.checked_sub(self.answers.len()).and_then(|index| self.papers.into_iter().nth(index));
        paper.ok_or_else(|| DocumentError::inconsistent("it answers another number of questions"))
    }

    /// Reads what a ledger holds.
    pub(crate) fn parse(text: &str) -> Result<Self, DocumentError> {
        let record: Self = strict_json::read(text).map_err(DocumentError::inconsistent)?;
        if record.format == Self::FORMAT {
            Ok(record)
        } else {
            Err(DocumentError::Format { found: record.format })
        }
    }

    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// The numbers of records of all answers.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = Option<u64>> {
        let papers = self.papers.iter().map(|paper| paper["n"].as_u64());
        self.answers.iter().map(|answer| answer.n).chain(papers)
    }

    /// The documents of the draws, read on these terms.
    pub(crate) fn documents(
        self,
        stored: &StoredRelease,
        terms: &[ReadingTerms<'_>],
    ) -> Result<Vec<Document>, DocumentError> {
        if self.answers.len() != terms.len() {
            return Err(DocumentError::inconsistent("it answers another number of questions"));
        }
        let all = self.answers.into_iter().zip(terms).enumerate();
        all.map(|(index, (answer, terms))| {
            let (asked, _) = answer.request.asked(answer.n)?;
            let asked = Asked { request: terms.request.clone(), ..asked };
            // Checked as any other document, and then read by the mechanism that is at hand.
            let Draw { asked, promised, drawn, .. } = checked(asked, answer.promise, answer.drawn)?;
            let mechanism = Some(Arc::clone(terms.mechanism));
            let draw = Draw::new(asked, promised, drawn, terms.level, mechanism);
            Ok(Document::new(draw, terms.readings.clone(), Some(Provenance::charged(stored, index))))
        })
        .collect()
    }

    /// The documents of the draws, read as is usual.
    pub(crate) fn usual_documents(self, stored: &StoredRelease) -> Result<Vec<Document>, DocumentError> {
        let all = self.answers.into_iter().enumerate();
        all.map(|(index, Answer { request, promise, n, drawn })| {
            let (asked, readings) = request.asked(n)?;
            let draw = checked(asked, promise, drawn)?;
            Ok(Document::new(draw, readings, Some(Provenance::charged(stored, index))).sealed(None))
        })
        .collect()
    }

    /// Whether a document says what is recorded of an answer: the first of its parts that differs.
    fn difference(&self, index: usize, document: &Document) -> Option<&'static str> {
        let Some(answer) = self.answers.get(index) else { return Some("provenance.answer") };
        let draw = &document.draw;
        [
            ("request", answer.request == RequestForm::charged(&draw.asked)),
            ("promise", answer.promise == draw.promised),
            ("n", answer.n == draw.asked.facts.n),
            ("drawn", answer.drawn == draw.drawn),
        ]
        .into_iter()
        .find_map(|(part, same)| (!same).then_some(part))
    }
}

impl Document {
    /// Whether it says what a ledger holds of an answer: the first of its parts that differs.
    pub(crate) fn difference(
        &self,
        stored: &str,
        index: usize,
    ) -> Result<Option<&'static str>, DocumentError> {
        Ok(Record::parse(stored)?.difference(index, self))
    }

    /// The posteriors that a ledger holds of one charge, in the order of its questions, read as is usual.
    ///
    /// # Errors
    /// [`DocumentError`] if another version recorded them.
    pub fn recorded(stored: &StoredRelease) -> Result<Vec<Self>, DocumentError> {
        Record::parse(&stored.document)?.usual_documents(stored)
    }
}
