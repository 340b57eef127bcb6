//! Batches that are small enough for the length of records, and for what becomes of them.

use datafusion::execution::{SessionState, SessionStateBuilder};

/// The most bytes of text that one batch should hold.
const BATCH_BYTES: usize = 32 << 20;

/// The most places of records in tables that one batch should become.
const BATCH_PLACES: usize = 1 << 20;

/// The state, with batches small enough for records of this length, each of which counts in so many tables.
pub(crate) fn fitted(state: SessionState, longest_record: usize, tables: usize) -> SessionState {
    let usual = state.config().batch_size();
    let rows = (BATCH_BYTES / longest_record.max(1)).min(BATCH_PLACES / tables.max(1)).clamp(4, usual.max(4));
    if rows >= usual {
        return state;
    }
    let config = state.config().clone().with_batch_size(rows);
    SessionStateBuilder::new_from_existing(state).with_config(config).build()
}
