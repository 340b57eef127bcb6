//! A request that passed every check, before anything is charged or drawn.

use std::sync::Arc;

use posterity_core::mechanism::{Guarantee, Mechanism};
use posterity_core::model::Drawn;
use posterity_ledger::{Amount, LedgerError};
use serde_json::Value;

use crate::document::{Asked, AskedReadings, Document, Draw, Level, Promised, ReadingTerms, RequestForm};
use crate::publish_error::PublishError;

/// A request that passed every check.
pub(crate) struct Prepared<'p> {
    pub(crate) asked: Asked,
    pub(crate) mechanism: Arc<dyn Mechanism>,
    pub(crate) level: Level,
    pub(crate) guarantee: Guarantee,
    /// What the ledger knows the question by.
    pub(crate) part: Value,
    pub(crate) readings: &'p AskedReadings,
}

impl Prepared<'_> {
    /// The column whose values are protected; records if there is none.
    pub(crate) fn unit(&self) -> Option<&str> {
        self.asked.facts.unit()
    }

    /// What the release promises, and so costs an account of its adjacency.
    pub(crate) fn price(&self) -> Result<Amount, PublishError> {
        match &self.guarantee {
            Guarantee::Pure { epsilon, .. } => {
                Ok(Amount::from_rational(epsilon.rational().clone()).map_err(LedgerError::from)?)
            }
            Guarantee::None { reason } => {
                Err(PublishError::Unproven { mechanism: self.mechanism.name(), reason })
            }
        }
    }

    /// What a draw from the system's randomness promises, or one from a seed.
    pub(crate) fn promised(&self, seed: Option<u64>) -> Promised {
        Promised::new(&self.guarantee, self.asked.request.setting().adjacency(), self.unit(), seed)
    }

    /// The request as its document writes it.
    pub(crate) fn request(&self) -> Value {
        serde_json::to_value(RequestForm::new(&self.asked, self.readings)).unwrap_or_default()
    }

    /// How a draw that a ledger holds is read.
    pub(crate) fn reading_terms(&self) -> ReadingTerms<'_> {
        ReadingTerms {
            request: &self.asked.request,
            level: self.level,
            mechanism: &self.mechanism,
            readings: self.readings,
        }
    }

    /// The document of a draw that nobody charged. It does not use the private counts.
    pub(crate) fn document(&self, drawn: Drawn) -> Document {
        self.document_of(self.asked.clone(), drawn)
    }

    /// The same of a draw from a seed.
    pub(crate) fn seeded_document(&self, drawn: Drawn, seed: u64) -> Document {
        self.document_of(Asked { seed: Some(seed), ..self.asked.clone() }, drawn)
    }

    fn document_of(&self, asked: Asked, drawn: Drawn) -> Document {
        let promised = self.promised(asked.seed);
        let mechanism = Some(Arc::clone(&self.mechanism));
        Document::new(Draw::new(asked, promised, drawn, self.level, mechanism), self.readings.clone(), None)
    }
}
