//! A request that passed every check, before anything is charged or drawn.

use std::sync::Arc;

use posterity_core::mechanism::{Guarantee, Mechanism};
use posterity_core::model::Drawn;
use posterity_ledger::{Amount, LedgerError};
use serde_json::Value;

use super::{ChosenReadings, Draw, Level, Table, TableQuestion, TableReading, TableRequest};
use crate::ask::{Ask, Price};
use crate::paper::Promised;
use crate::publish_error::PublishError;

/// A request that passed every check.
pub(crate) struct Prepared {
    pub(crate) asked: TableQuestion,
    pub(crate) mechanism: Arc<dyn Mechanism>,
    pub(crate) level: Level,
    pub(crate) guarantee: Guarantee,
    /// What the ledger knows the question by.
    pub(crate) part: Value,
    pub(crate) readings: ChosenReadings,
}

impl Prepared {
    /// The question. Nothing says yet how it is drawn.
    pub(crate) fn ask<'a>(&self) -> Ask<'a, Table> {
        let facts = &self.asked.facts;
        let adjacency = self.asked.request.setting().adjacency();
        let reading = TableReading {
            request: self.asked.request.clone(),
            mechanism: Arc::clone(&self.mechanism),
            readings: self.readings.clone(),
        };
        let form = TableRequest::new(&self.asked, &self.readings);
        let named = facts.description.is_some();
        let ask =
            Ask::new(self.part.clone(), self.price(), (adjacency, facts.unit(), facts.n), (form, reading));
        Ask { named, ..ask }
    }

    /// What the release promises, and so costs an account of its adjacency.
    fn price(&self) -> Result<Price, PublishError> {
        match &self.guarantee {
            Guarantee::Pure { epsilon, .. } => {
                let epsilon = Amount::from_rational(epsilon.rational().clone()).map_err(LedgerError::from)?;
                Ok(Price::Epsilon(epsilon, Amount::ZERO))
            }
            Guarantee::None { reason } => {
                Err(PublishError::Unproven { mechanism: self.mechanism.name(), reason })
            }
        }
    }

    /// The answer of a draw, from a seed if there is one. It does not use the private counts.
    pub(crate) fn answer(self, drawn: Drawn, seed: Option<u64>) -> Table {
        let Self { asked, mechanism, level, guarantee, readings, .. } = self;
        let adjacency = asked.request.setting().adjacency();
        let promised = Promised::new(&guarantee, adjacency, asked.facts.unit(), seed);
        let asked = TableQuestion { seed, ..asked };
        Table::of_draw(Draw::new(asked, promised, drawn, level, Some(mechanism)).into(), readings)
    }
}
