//! How precisely a residual is measured, as a number that adds up exactly.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How many binary digits a precision has. Rounding down to them leaves less than `2^-19` of a budget unused.
pub(crate) const DIGITS: u32 = 20;

/// The largest power of two by which a precision is divided.
pub(crate) const MAX_SHIFT: u32 = 110;

/// A precision `a = mantissa / 2^shift`.
///
/// For the residual of a set A with `M` cells it means noise of variance parameter `1/(a M)` on the residual, and of
/// `M/a` on the whole numbers `M r_A`. A record changes the price by a times whole numbers, so prices are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u32, u32)", into = "(u32, u32)")]
pub struct Precision {
    mantissa: u32,
    shift: u32,
}

/// Why numbers are no precision.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{mantissa} / 2^{shift} is no precision; the first number is 1 to 1048575 and the second at most {MAX_SHIFT}"
)]
pub struct PrecisionError {
    mantissa: u32,
    shift: u32,
}

impl Precision {
    /// `mantissa / 2^shift`.
    ///
    /// # Errors
    /// [`PrecisionError`] if it is zero, or has too many digits.
    pub fn new(mantissa: u32, shift: u32) -> Result<Self, PrecisionError> {
        if mantissa == 0 || mantissa >= 1 << DIGITS || shift > MAX_SHIFT {
            return Err(PrecisionError { mantissa, shift });
        }
        Ok(Self { mantissa, shift })
    }

    /// The largest precision that is not above a positive number; nothing if there is none.
    pub(crate) fn down(value: f64) -> Option<Self> {
        if !(value > 0.0 && value < f64::from(1_u32 << DIGITS)) {
            return None;
        }
        let (_, exponent) = libm::frexp(value);
        // 2^(exponent - 1) <= value < 2^exponent.
        let shift = (DIGITS as i32 - exponent).max(0);
        let mantissa = libm::floor(libm::ldexp(value, shift)) as u32;
        Self::new(mantissa, u32::try_from(shift).ok()?).ok()
    }

    /// The first number.
    #[must_use]
    pub fn mantissa(self) -> u32 {
        self.mantissa
    }

    /// The power of two by which it is divided.
    #[must_use]
    pub fn shift(self) -> u32 {
        self.shift
    }

    /// The precision in units of `2^-MAX_SHIFT`.
    pub(crate) fn units(self) -> UBig {
        UBig::from(self.mantissa) << (MAX_SHIFT - self.shift) as usize
    }

    /// The precision in units of `2^-finest`, where `finest` is at least its shift; nothing if that is too large.
    pub(crate) fn in_units(self, finest: u32) -> Option<i128> {
        let by = finest - self.shift;
        (by < 127 - DIGITS).then(|| i128::from(self.mantissa) << by)
    }

    /// The number itself.
    #[must_use]
    pub fn rational(self) -> RBig {
        RBig::from_parts(IBig::from(self.units()), UBig::ONE << MAX_SHIFT as usize)
    }

    /// The nearest floating-point number, which is the number itself.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        libm::ldexp(f64::from(self.mantissa), -(self.shift as i32))
    }
}

impl TryFrom<(u32, u32)> for Precision {
    type Error = PrecisionError;

    fn try_from((mantissa, shift): (u32, u32)) -> Result<Self, PrecisionError> {
        Self::new(mantissa, shift)
    }
}

impl From<Precision> for (u32, u32) {
    fn from(precision: Precision) -> Self {
        (precision.mantissa, precision.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, rounding makes a release less private than its price.
    #[test]
    fn rounding_is_down_and_close() {
        for value in [1e-25, 3.3e-9, 0.1, 1.0, 1.5, 12_345.678, 1_048_575.0] {
            let rounded = Precision::down(value).expect("in range").to_f64();
            assert!(rounded <= value && rounded > value * (1.0 - 2.0_f64.powi(-19)), "{value}: {rounded}");
        }
        for value in [0.0, -1.0, f64::NAN, 1e-40, 1e7] {
            assert_eq!(Precision::down(value), None);
        }
    }

    #[test]
    fn the_same_number_in_all_its_forms() {
        let precision = Precision::new(5, 4).expect("small");
        assert_eq!(precision.rational(), RBig::from_parts(5.into(), 16_u8.into()));
        assert_eq!((precision.to_f64(), precision.in_units(6)), (0.3125, Some(20)));
        assert!(serde_json::from_str::<Precision>("[0,4]").is_err());
    }
}
