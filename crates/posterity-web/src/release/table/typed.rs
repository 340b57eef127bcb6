//! What is typed for a posterior over declared categories.

use std::num::NonZeroU32;

use posterity::StatedPrior;
use posterity::data::PerUnit;
use posterity_core::mechanism::Spec;
use serde::Deserialize;

use super::undeclared::Undeclared;
use crate::column_fields::ColumnFields;
use crate::release::common::Common;
use crate::typed::Typed;

/// The choice that all records of a unit count, up to a number.
pub(super) const ALL: &str = "all";

/// The form of a posterior, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TableForm {
    #[serde(flatten)]
    pub(super) common: Common,
    #[serde(flatten)]
    pub(super) columns: ColumnFields,
    /// How many records of a unit count at most, if all of them do.
    pub(super) records: Typed<NonZeroU32>,
    #[serde(flatten)]
    pub(super) undeclared: Undeclared,
    pub(super) prior: Typed<StatedPrior>,
    pub(super) mechanism: Typed<Spec>,
    /// A schema, and the column to take from it.
    pub(super) schema: Typed,
    pub(super) take: Typed,
}

impl TableForm {
    /// By which of its records a unit counts. The choice of all of them has its number in a field of its own.
    pub(super) fn rule(&self) -> Result<PerUnit, String> {
        if self.common.per_unit.get() == Some(ALL) {
            let most = "Give the most records of one person that count, such as 3.";
            return Ok(PerUnit::All(self.records.required(most)?));
        }
        Ok(self.common.per_unit.value()?.unwrap_or_default())
    }
}
