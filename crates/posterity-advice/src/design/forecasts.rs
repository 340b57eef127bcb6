//! Expectations that are computed once.

use std::cell::RefCell;
use std::collections::HashMap;

use super::design_error::DesignError;
use super::one_release::{Expected, OneRelease};

/// What to expect at a budget, by release and budget. Columns of the same size have the same expectations.
pub(super) struct Forecasts<'a> {
    known: RefCell<HashMap<(String, u64), Vec<Expected>>>,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Forecasts<'a> {
    /// `progress` is called once for each forecast.
    pub(super) fn new(progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { known: RefCell::default(), progress }
    }

    /// What to expect of the readings of a release.
    pub(super) fn at(&self, release: &OneRelease, epsilon: f64) -> Result<Vec<Expected>, DesignError> {
        let key = (release.key(), epsilon.to_bits());
        if let Some(found) = self.known.borrow().get(&key) {
            return Ok(found.clone());
        }
        let found = release.at(epsilon)?;
        (self.progress)(1);
        self.known.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}
