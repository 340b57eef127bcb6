//! The parameter delta of the mechanism `mh`.

use thiserror::Error;

/// A probability strictly between zero and one.
///
/// ```
/// use posterity_core::model::Delta;
/// assert_eq!(Delta::new(1e-8)?, Delta::RESEARCH);
/// assert!(Delta::new(0.0).is_err());
/// # Ok::<(), posterity_core::model::DeltaError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Delta(f64);

/// Why a number cannot be delta.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("delta is {value}; choose a number strictly between 0 and 1, such as 1e-8")]
pub struct DeltaError {
    /// The number.
    pub value: f64,
}

impl Delta {
    /// The value that the research uses most.
    pub const RESEARCH: Self = Self(1e-8);

    /// Checks that the number lies strictly between zero and one.
    ///
    /// # Errors
    /// [`DeltaError`].
    pub fn new(value: f64) -> Result<Self, DeltaError> {
        if value > 0.0 && value < 1.0 { Ok(Self(value)) } else { Err(DeltaError { value }) }
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        for value in [0.0, 1.0, -0.1, 2.0, f64::NAN] {
            assert!(Delta::new(value).is_err(), "{value}");
        }
        assert_eq!(Delta::new(1e-8), Ok(Delta::RESEARCH));
    }
}
