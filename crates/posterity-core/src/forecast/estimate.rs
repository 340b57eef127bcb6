//! An expectation and how well it is known.

use super::unit_points::COPIES;

/// A mean over points of the unit cube, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Its standard error, from the spread of the copies of the points.
    pub standard_error: f64,
}

impl Estimate {
    /// What is known without an error.
    pub(super) fn exact(value: f64) -> Self {
        Self { value, standard_error: 0.0 }
    }

    /// The mean of the means of the copies.
    pub(super) fn of_copies(means: [f64; COPIES]) -> Self {
        let count = COPIES as f64;
        let value = means.iter().sum::<f64>() / count;
        let squares: f64 = means.iter().map(|mean| (mean - value) * (mean - value)).sum();
        Self { value, standard_error: libm::sqrt(squares / (count - 1.0) / count) }
    }

    /// Moved by a known number.
    pub(super) fn plus(self, known: f64) -> Self {
        Self { value: self.value + known, ..self }
    }
}
