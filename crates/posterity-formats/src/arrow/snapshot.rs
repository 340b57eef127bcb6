//! A dictionary as one batch sees it.

use std::sync::Arc;

use crate::column::{MISSING, Store};

/// The values of a dictionary that a batch may refer to.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    values: Arc<Store>,
    valid: Option<Arc<Vec<bool>>>,
    /// How many of the values the batch may use. Later batches may use more.
    len: usize,
}

impl Snapshot {
    /// The first `len` of these values.
    pub(super) fn new(values: Arc<Store>, valid: Option<Arc<Vec<bool>>>, len: usize) -> Self {
        Self { values, valid, len }
    }

    /// The key of a value in the list, or of a missing one; nothing if the list has no such key.
    pub(super) fn key(&self, key: u64) -> Option<u32> {
        let index = usize::try_from(key).ok().filter(|&index| index < self.len)?;
        let missing = self.valid.as_ref().is_some_and(|valid| !valid[index]);
        if missing { Some(MISSING) } else { u32::try_from(index).ok() }
    }

    /// The values.
    pub(super) fn values(&self) -> Arc<Store> {
        Arc::clone(&self.values)
    }
}
