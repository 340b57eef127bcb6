//! What is known before there is any data.

use posterity_core::model::{Epsilon, Prior, Setting};

use super::least_error::LeastError;
use crate::shape::Shape;

/// What is known before there is any data.
#[derive(Clone, Debug, PartialEq)]
pub struct Situation {
    /// The public prior.
    pub prior: Prior,
    /// The number of records.
    pub n: u64,
    /// The expected shares; if not given, all are equal.
    pub shape: Option<Shape>,
    /// The probability of the intervals.
    pub level: f64,
}

/// The most categories for which the least epsilon is searched for. A step of the search draws and decodes releases of
/// all of them.
const MOST_CATEGORIES: usize = 5_000;

impl Situation {
    /// Takes another number of records.
    pub(super) fn with_records(&self, n: u64) -> Self {
        Self { n, ..self.clone() }
    }

    /// The data set that is assumed.
    pub(super) fn assumed_counts(&self) -> Vec<u64> {
        let even = || Shape::even(self.prior.len());
        self.shape.clone().unwrap_or_else(even).counts(self.n)
    }

    pub(super) fn check(&self) -> Result<(), LeastError> {
        if self.prior.len() > MOST_CATEGORIES {
            return Err(LeastError::TooMany { categories: self.prior.len(), most: MOST_CATEGORIES });
        }
        if let Some(shape) = &self.shape
            && shape.len() != self.prior.len()
        {
            return Err(LeastError::Shape { shape: shape.len(), categories: self.prior.len() });
        }
        let epsilon = Epsilon::from_f64(1.0).map_err(crate::design::DesignError::from)?;
        Setting::new(self.prior.clone(), self.n, epsilon)?;
        Ok(())
    }
}
