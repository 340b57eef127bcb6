//! Numbers with a bound on their error.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Number;

/// Half a unit in the last place of numbers from 1 to 2: the relative error of one rounding.
const HALF_ULP: f64 = f64::EPSILON / 2.0;

/// The relative error of an elementary function: two units in the last place (docs/proofs/ln-bc.md).
const ELEMENTARY: f64 = 2.0 * f64::EPSILON;

/// The error of a product or quotient that is too small for all its digits.
const UNDERFLOW: f64 = f64::MIN_POSITIVE * f64::EPSILON;

/// A floating-point number with a bound on its distance from the true one: every operation adds what it may do wrong to
/// what its arguments may have wrong already (running error analysis: Wilkinson 1963, Higham 2002, section 3.3). A
/// difference of similar numbers therefore has a large error.
///
/// The bound itself is rounded, so a comparison with a limit must leave room for that.
///
/// ```
/// use posterity_core::special::{Enclosed, Number};
/// let third = Enclosed::from(1.0) / 3.0;
/// assert!(third.relative() < 1.2e-16);
/// assert!((third + 1e9 - 1e9).relative() > 1e-7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosed {
    value: f64,
    error: f64,
}

impl Enclosed {
    /// A result as it was rounded, with the error that its arguments cause and that of its own.
    fn rounded(value: f64, inherited: f64, relative: f64) -> Self {
        Self { value, error: inherited + relative * value.abs() }
    }

    /// The error as a part of the value: a bound on the relative error, up to its own rounding. Zero has no error if it
    /// is exact, and else an infinite one.
    #[must_use]
    pub fn relative(self) -> f64 {
        if self.error == 0.0 { 0.0 } else { self.error / self.value.abs() }
    }
}

/// A number without an error.
impl From<f64> for Enclosed {
    fn from(value: f64) -> Self {
        Self { value, error: 0.0 }
    }
}

impl Neg for Enclosed {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Add for Enclosed {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::rounded(self.value + other.value, self.error + other.error, HALF_ULP)
    }
}

impl Sub for Enclosed {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Enclosed {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let inherited =
            self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        Self::rounded(self.value * other.value, inherited + UNDERFLOW, HALF_ULP)
    }
}

impl Div for Enclosed {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let least = other.value.abs() - other.error;
        if least <= 0.0 {
            return Self { value: self.value / other.value, error: f64::INFINITY };
        }
        let value = self.value / other.value;
        Self::rounded(value, (self.error + value.abs() * other.error) / least + UNDERFLOW, HALF_ULP)
    }
}

/// An operator whose right side is a number without an error.
macro_rules! with_exact {
    ($($operator:ident::$method:ident,)*) => {
        $(
            impl $operator<f64> for Enclosed {
                type Output = Self;

                fn $method(self, other: f64) -> Self {
                    self.$method(Self::from(other))
                }
            }
        )*
    };
}

with_exact! { Add::add, Sub::sub, Mul::mul, Div::div, }

impl Number for Enclosed {
    fn value(self) -> f64 {
        self.value
    }

    fn ln(self) -> Self {
        let least = self.value - self.error;
        let inherited = if least > 0.0 { self.error / least } else { f64::INFINITY };
        Self::rounded(libm::log(self.value), inherited, ELEMENTARY)
    }

    fn ln_1p(self) -> Self {
        let least = 1.0 + self.value - self.error;
        let inherited = if least > 0.0 { self.error / least } else { f64::INFINITY };
        Self::rounded(libm::log1p(self.value), inherited, ELEMENTARY)
    }

    fn exp(self) -> Self {
        let value = libm::exp(self.value);
        Self::rounded(value, value * libm::expm1(self.error) + UNDERFLOW, ELEMENTARY)
    }

    fn sqrt(self) -> Self {
        let value = libm::sqrt(self.value);
        let inherited = if self.error == 0.0 { 0.0 } else { self.error / value };
        Self::rounded(value, inherited, HALF_ULP)
    }

    /// The larger of two numbers is off by no more than they are.
    fn at_least(self, least: f64) -> Self {
        Self { value: self.value.max(least), ..self }
    }

    fn through(self, slope: impl Fn(f64) -> f64, function: impl Fn(Self) -> Self) -> Self {
        let exact = function(Self::from(self.value));
        let [low, high] = [self.value - self.error, self.value + self.error].map(slope);
        // The larger of two numbers would leave out NaN, which a slope outside the domain of the function is.
        let steepest = if high >= low || high.is_nan() { high } else { low };
        Self { error: exact.error + steepest * self.error, ..exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, an error is lost on the way. The true values are known: the arguments are off by the errors
    /// given.
    #[test]
    fn errors_are_carried_on() {
        let [x, y] = [(2.0, 1e-9), (3.0, 1e-8)].map(|(value, error)| Enclosed { value, error });
        let table = [
            (x + y, 1.1e-8),
            (x - y, 1.1e-8),
            (x * y, 2.3e-8),
            (x / y, (1e-9 + 2.0 / 3.0 * 1e-8) / 3.0),
            (x.ln(), 0.5e-9),
            (x.ln_1p(), 1e-9 / 3.0),
            (x.exp(), 2f64.exp() * 1e-9),
            (x.sqrt(), 1e-9 / 2f64.sqrt()),
            (-x, 1e-9),
            (x.through(|x| 2.0 * x, |x| x * x), 4e-9),
        ];
        for (found, error) in table {
            assert!(found.error >= error && found.error < 1.001 * error, "{found:?}, not {error}");
        }
    }

    /// If this fails, a division or a logarithm of something that may be zero passes for a number.
    #[test]
    fn what_may_be_zero_has_no_inverse() {
        let x = Enclosed { value: 1e-9, error: 1e-9 };
        assert_eq!((Enclosed::from(1.0) / x).relative(), f64::INFINITY);
        assert_eq!(x.ln().relative(), f64::INFINITY);
        assert_eq!((x - 1.0).ln_1p().relative(), f64::INFINITY);
        assert_eq!(Enclosed::from(0.0).relative(), 0.0);
    }
}
