//! What is typed for tables of many columns.

use posterity::{Amount, Which};
use serde::Deserialize;

use crate::release::common::Common;
use crate::typed::Typed;

/// The form of tables of many columns, as it was typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MarginsForm {
    #[serde(flatten)]
    pub(super) common: Common,
    pub(super) schema: Typed,
    pub(super) margins: Typed<Which>,
    pub(super) other: Typed,
    pub(super) missing: Typed,
    pub(super) delta: Typed<Amount>,
    /// Whether a large delta is meant: a tick box.
    pub(super) allow_large_delta: Typed,
    /// How many records there are, from public sources: for the forecast only.
    pub(super) n: Typed<u64>,
}
