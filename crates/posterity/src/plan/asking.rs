//! How plans, and the fronts that make them, ask for a kind of release.

use std::fmt;

use posterity_core::model::Epsilon;
use posterity_ledger::Amount;

use super::error::PlanError;
use super::fields::{Field, OwnField, Place, SHARED};
use super::head::{Common, Head};
use super::keys::Item;
use super::question::PlannedPart;
use super::said::Said;

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

/// How each kind is asked for, in the order of the list of kinds; nothing of those that are never drawn.
pub(super) const ASKED: &[Option<&'static Asking>] = asked_kinds!();

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
        ASKED.iter().flatten().copied()
    }

    /// How the kind of a name is asked for, if it is drawn.
    #[must_use]
    pub fn of(kind: &str) -> Option<&'static Self> {
        Self::all().find(|asking| asking.kind == kind)
    }

    /// Reads what a question of it says of itself; `name` is that of its files if it has none.
    pub(crate) fn head<'a>(
        &self,
        item: Item<'a>,
        common: &Common<'_>,
        name: impl FnOnce(&Said) -> String,
    ) -> Result<Head<'a>, PlanError> {
        Head::read(item, common, (&fields_at(Place::Ask, Some(self.kind)), self.called), name)
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

/// All fields, in the order in which help lists them.
pub const FIELDS: &[Field] = &all::<{ number() }>();

impl Field {
    /// Whether releases of a kind have it.
    #[must_use]
    pub fn is_of(&self, kind: &str) -> bool {
        Asking::of(kind).is_some_and(|asking| asking.has(self))
    }

    /// How the kinds that have it are asked for.
    pub fn kinds(&self) -> impl Iterator<Item = &'static Asking> {
        Asking::all().filter(|asking| asking.has(self))
    }
}

/// How many fields there are.
const fn number() -> usize {
    let (mut number, mut kind) = (SHARED.len(), 0);
    while kind < ASKED.len() {
        if let Some(asking) = ASKED[kind] {
            number += asking.own.len();
        }
        kind += 1;
    }
    number
}

/// The fields that several kinds have, and behind each those that a kind brings and puts there.
const fn all<const N: usize>() -> [Field; N] {
    let mut fields = [SHARED[0]; N];
    let (mut known, mut shared) = (0, 0);
    while shared < SHARED.len() {
        fields[known] = SHARED[shared];
        known += 1;
        let mut kind = 0;
        while kind < ASKED.len() {
            let mut own = 0;
            while let Some(asking) = ASKED[kind]
                && own < asking.own.len()
            {
                if is_same(asking.own[own].after, SHARED[shared].name) {
                    fields[known] = asking.own[own].field;
                    known += 1;
                }
                own += 1;
            }
            kind += 1;
        }
        shared += 1;
    }
    assert!(known == N, "a field of a kind follows one that there is not");
    fields
}

/// Whether two texts are the same, before the program runs.
const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// The field of a name.
#[must_use]
pub fn field(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// The fields that may stand at a place, for releases of a kind, or of any.
pub(super) fn fields_at(place: Place, kind: Option<&str>) -> Vec<&'static Field> {
    let has = move |field: &&Field| kind.is_none_or(|kind| field.is_of(kind));
    FIELDS.iter().filter(|field| field.places.contains(&place)).filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_stands_once_and_somewhere() {
        for (index, one) in FIELDS.iter().enumerate() {
            assert!(FIELDS[..index].iter().all(|other| other.name != one.name), "{}", one.name);
            assert!(!one.places.is_empty() && one.kinds().next().is_some(), "{}", one.name);
        }
    }

    /// If this fails, a kind says that it has a field that there is not, so that nobody can ask for it.
    #[test]
    fn kinds_name_fields_that_there_are() {
        for asking in Asking::all() {
            let unknown = asking.fields.iter().find(|name| field(name).is_none_or(|field| field.every_kind));
            assert_eq!(unknown, None, "{}", asking.kind);
            assert!(asking.own.iter().all(|own| !own.field.every_kind), "{}", asking.kind);
        }
    }

    /// If this fails, a help text names a field that there is not, and a front cannot say it in its own words.
    #[test]
    fn help_names_fields_that_there_are() {
        for one in FIELDS {
            for named in one.help.split('`').skip(1).step_by(2) {
                assert!(field(named).is_some() || named.starts_with("posterity "), "{}: {named}", one.name);
            }
        }
    }
}
