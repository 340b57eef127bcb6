//! How plans, and the fronts that make them, ask for a kind of release.

use std::fmt;

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;

use super::error::PlanError;
use super::fields::{Field, OwnField};
use super::head::{Common, Head};
use super::keys::Item;
use super::question::PlannedPart;
use crate::kind::Publication;

/// How plans, and the fronts that make them, ask for a kind of release. A kind that is drawn has one, in its folder; a kind
/// that is never drawn has none.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Asking {
    /// The kind, by name.
    pub kind: &'static str,
    /// The key of such questions in a plan, which is also a word for what is asked.
    pub key: &'static str,
    /// The key of such questions where a study lists what it asks.
    pub plural: &'static str,
    /// The command that asks one such question.
    pub command: &'static str,
    /// What that command does, in a sentence.
    pub about: &'static str,
    /// What such a question is called where it stands in a plan.
    pub called: &'static str,
    /// What is asked, in words.
    pub what: &'static str,
    /// Which columns it names.
    pub columns: NamedColumns,
    /// The fields that it has of those that only some kinds have, by name.
    pub fields: &'static [&'static str],
    /// The fields that it brings.
    pub own: &'static [OwnField],
    /// What its price is made of.
    pub price: PriceOf,
    /// Whether one record then stands for a unit in all that is asked beside it.
    pub same_records: bool,
    /// Why n must be private, if it must.
    pub private_n: Option<&'static str>,
    /// Reads a question of a plan.
    pub(crate) read: ReadAsking,
}

/// Reads a question of a plan, as far as that is possible before the budget is divided.
pub(crate) type ReadAsking =
    for<'a> fn(Item<'a>, &Common<'_>) -> Result<Box<dyn ReadQuestion<'a> + 'a>, PlanError>;

/// Which columns a question names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedColumns {
    /// Some, whose values are declared.
    Declared,
    /// Some, or all that are declared.
    DeclaredOrAll,
    /// One, whose values nobody declares.
    Undeclared,
}

/// What a price is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PriceOf {
    /// An epsilon.
    Epsilon,
    /// An epsilon and a delta.
    EpsilonAndDelta,
    /// The rho of zero-concentrated privacy, which follows from an epsilon and a delta.
    Rho,
}

/// A question of a plan before the budget is divided.
pub(crate) trait ReadQuestion<'a> {
    /// What it says of itself.
    fn head(&self) -> &Head<'a>;

    /// The question with its part of epsilon, and of delta if it needs one, and the heading that it has if it says none.
    fn planned(
        &self,
        common: &Common<'_>,
        budget: (Epsilon, Amount),
    ) -> Result<(String, PlannedPart), PlanError>;
}

impl Asking {
    /// How every kind that is drawn is asked for.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Publication::ASKED.iter().flatten().copied()
    }

    /// How the kind of a name is asked for, if it is drawn.
    #[must_use]
    pub fn of(kind: &str) -> Option<&'static Self> {
        Self::all().find(|asking| asking.kind == kind)
    }

    /// Whether its questions need a part of delta.
    #[must_use]
    pub fn needs_delta(&self) -> bool {
        self.price != PriceOf::Epsilon
    }

    /// Whether its questions have a field.
    #[must_use]
    pub fn has(&self, field: &Field) -> bool {
        field.every_kind
            || self.fields.contains(&field.name)
            || self.own.iter().any(|own| own.field.name == field.name)
    }
}

/// There is one for each kind.
impl PartialEq for Asking {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl fmt::Debug for Asking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").field("kind", &self.kind).field("key", &self.key).finish_non_exhaustive()
    }
}
