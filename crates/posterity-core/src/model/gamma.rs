//! The smoothing parameter of the gamma-smooth sensitivity.

use thiserror::Error;

/// The most that `1/S` may change between adjacent data sets, where S is the smooth sensitivity. It is positive and
/// finite.
///
/// ```
/// use posterity_core::model::Gamma;
/// assert_eq!(Gamma::new(0.5)?.value(), 0.5);
/// assert!(Gamma::new(0.0).is_err());
/// # Ok::<(), posterity_core::model::GammaError>(())
/// ```
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
