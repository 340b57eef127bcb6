//! What a formula needs of a number, so that the same code gives a value or an enclosure of it.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A floating-point number, alone or with a bound on its error ([`Enclosed`](super::Enclosed)).
pub trait Number:
    Copy
    + Debug
    + From<f64>
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// The floating-point number, by which branches are chosen.
    fn value(self) -> f64;

    /// `ln x`
    #[must_use]
    fn ln(self) -> Self;

    /// `ln(1 + x)`
    #[must_use]
    fn ln_1p(self) -> Self;

    /// `exp(x)`
    #[must_use]
    fn exp(self) -> Self;

    /// The square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The number, or this one if it is larger.
    #[must_use]
    fn at_least(self, least: f64) -> Self;

    /// A function of the number. `slope` is the size of its derivative, which is larger at the ends of a small interval
    /// than within it. So the error of the number counts once, although it occurs in the function more than once.
    #[must_use]
    fn through(self, slope: impl Fn(f64) -> f64, function: impl Fn(Self) -> Self) -> Self;
}

impl Number for f64 {
    fn value(self) -> f64 {
        self
    }

    fn ln(self) -> Self {
        libm::log(self)
    }

    fn ln_1p(self) -> Self {
        libm::log1p(self)
    }

    fn exp(self) -> Self {
        libm::exp(self)
    }

    fn sqrt(self) -> Self {
        libm::sqrt(self)
    }

    fn at_least(self, least: f64) -> Self {
        self.max(least)
    }

    fn through(self, _slope: impl Fn(f64) -> f64, function: impl Fn(Self) -> Self) -> Self {
        function(self)
    }
}
