//! The smoothing parameter of the gamma-smooth sensitivity.

use thiserror::Error;

/// How fast `1/S` may change from one data set to the next: positive and finite.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Gamma(f64);

/// Why a number cannot be gamma.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("gamma is {value}; choose a positive, finite number (the research uses 1)")]
pub struct GammaError {
    /// The number.
    pub value: f64,
}

impl Gamma {
    /// The value that the research uses.
    pub const ONE: Self = Self(1.0);

    /// Checks that the number is positive and finite.
    ///
    /// # Errors
    /// [`GammaError`].
    pub fn new(value: f64) -> Result<Self, GammaError> {
        if value.is_finite() && value > 0.0 { Ok(Self(value)) } else { Err(GammaError { value }) }
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
        for value in [0.0, -0.5, f64::INFINITY, f64::NAN] {
            assert!(Gamma::new(value).is_err(), "{value}");
        }
        assert_eq!(Gamma::new(1.0), Ok(Gamma::ONE));
    }
}
