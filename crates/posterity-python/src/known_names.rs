//! Remembers which counts each name of data stood for in this process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::Failure;

/// Descriptions of data and their counts. They stay in memory: in a file, a digest of few counts could be found by
/// trying.
static KNOWN: OnceLock<Mutex<HashMap<String, Vec<u64>>>> = OnceLock::new();

/// Refuses a description that stood for other counts, unless `again` says that nothing is to be given back.
pub(crate) fn check(description: &str, counts: &[u64], again: bool) -> Result<(), Failure> {
    match known().get(description) {
        Some(before) if before != counts && !again => Err(Failure::argument(
            "name",
            "this name stood for other data before, whose release would be given back; choose another name, or draw and pay \
             anew with again=True",
        )),
        _ => Ok(()),
    }
}

/// Notes that a description stands for these counts, now that there is a release of them.
pub(crate) fn note(description: String, counts: Vec<u64>) {
    known().insert(description, counts);
}

fn known() -> MutexGuard<'static, HashMap<String, Vec<u64>>> {
    KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}
