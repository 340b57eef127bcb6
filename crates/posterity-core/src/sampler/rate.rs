//! The rate at which a law falls.

use std::num::NonZeroU64;

use dashu_ratio::RBig;
use thiserror::Error;

use crate::model::Epsilon;

/// A positive rational number: the logarithm of the ratio of two neighbouring probabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate(RBig);

/// The number is zero or negative, so it is not a rate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the rate is {value}; it must be above zero")]
pub struct RateError {
    /// The number.
    pub value: RBig,
}

impl Rate {
    /// Checks that the number is above zero.
    ///
    /// ```
    /// use posterity_core::sampler::Rate;
    /// assert!(Rate::new(2u8.into()).is_ok());
    /// assert!(Rate::new(0u8.into()).is_err() && Rate::new((-1).into()).is_err());
    /// ```
    ///
    /// # Errors
    /// [`RateError`].
    pub fn new(value: RBig) -> Result<Self, RateError> {
        if value > RBig::ZERO { Ok(Self(value)) } else { Err(RateError { value }) }
    }

    /// The rate `1 / divisor`.
    pub(crate) fn one_over(divisor: NonZeroU64) -> Self {
        Self(RBig::ONE).divided_by(divisor)
    }

    /// The rate `self / divisor`.
    #[must_use]
    pub fn divided_by(self, divisor: NonZeroU64) -> Self {
        Self(self.0 / RBig::from(divisor.get()))
    }

    /// The number.
    #[must_use]
    pub fn rational(&self) -> &RBig {
        &self.0
    }

    /// Numerator and denominator in lowest terms, if both are short.
    pub(super) fn words(&self) -> Option<(u64, u64)> {
        Some((u64::try_from(self.0.numerator()).ok()?, u64::try_from(self.0.denominator()).ok()?))
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().value()
    }
}

/// A budget is always above zero.
impl From<&Epsilon> for Rate {
    fn from(epsilon: &Epsilon) -> Self {
        Self(epsilon.rational().clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, noise that is divided among several parts has a rate that is too large, and protects too little.
    #[test]
    fn a_divided_rate_is_smaller() {
        let rate = |numerator: u64, denominator: u64| {
            Rate::new(RBig::from_parts(numerator.into(), denominator.into())).expect("above zero")
        };
        let divisor = |number| NonZeroU64::new(number).expect("above zero");
        assert_eq!(rate(3, 2).divided_by(divisor(4)).words(), Some((3, 8)));
        assert_eq!(rate(6, 1).divided_by(divisor(3)).words(), Some((2, 1)));
        assert_eq!(rate(u64::MAX, 1).divided_by(divisor(2)).words(), Some((u64::MAX, 2)));
    }
}
