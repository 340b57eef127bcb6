//! What was read from releases in this run of the server, in memory only.

use std::sync::{Arc, Mutex};

use crate::failure::Failure;
use crate::lock::lock;
use crate::recent::Recent;
use crate::secret::Secret;

/// The most that are kept.
const MAX_KEPT: usize = 60;

/// Values by random names, the last of them.
#[derive(Debug)]
pub(crate) struct Kept<T>(Mutex<Recent<Secret, Arc<T>, MAX_KEPT>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// Keeps a value and returns its name.
    pub(crate) fn add(&self, value: T) -> Result<String, Failure> {
        let id = Secret::new().map_err(|_| Failure::Busy)?;
        let name = id.as_str().to_owned();
        lock(&self.0).add(id, Arc::new(value));
        Ok(name)
    }

    /// A value by its name.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<T>> {
        lock(&self.0).find(|one| one.is(id)).cloned()
    }
}
