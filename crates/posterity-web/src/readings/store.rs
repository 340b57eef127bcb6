//! What was read from releases in this run of the server, in memory only.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::failure::Failure;
use crate::secret::Secret;

/// The most that are kept.
const MOST: usize = 60;

/// Values by random names, the last of them.
#[derive(Debug)]
pub(crate) struct Kept<T>(Mutex<VecDeque<(Secret, Arc<T>)>>);

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
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MOST {
            kept.pop_front();
        }
        kept.push_back((id, Arc::new(value)));
        Ok(name)
    }

    /// A value by its name.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<T>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(one, _)| one.is(id)).map(|(_, value)| Arc::clone(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_values_are_kept() {
        let kept = Kept::default();
        let first = kept.add(0).expect("kept");
        assert_eq!(kept.get(&first).as_deref(), Some(&0));
        for value in 1..=MOST {
            kept.add(value).expect("kept");
        }
        assert!(kept.get(&first).is_none() && kept.get("").is_none());
    }
}
