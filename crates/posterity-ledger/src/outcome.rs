//! What became of a question that was asked of an account.

use crate::charge::Receipt;
use crate::recall::StoredRelease;

/// Whether a question was charged, or was answered by a document recorded before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "either a charge was made or a document was found"]
#[expect(clippy::large_enum_variant, reason = "one at a time, and read at once")]
pub enum ChargeOutcome {
    /// The identical question was answered before at the same price: nothing was charged.
    Recalled(StoredRelease),
    /// The question was charged: draw, record, publish.
    Charged(Receipt),
}
