//! The two values of one parameter in two distributions.

use crate::special::Double;
use crate::special::stirling::steps;

/// The values `a` and `b` of one Dirichlet parameter, kept as the smaller one and half the signed difference.
///
/// The difference of two posterior parameters is a whole number, but `alpha + r` is rounded. At a count of 10^12
/// the rounding error is 10^-4, and a difference of rounded parameters would carry it into the distance. A pair
/// that is made from the counts has the exact difference.
///
/// ```
/// use posterity_core::distance::Pair;
/// let pair = Pair::of_counts(0.3, 1_000_000_000_001, 1_000_000_000_000);
/// assert_eq!(pair.half(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    low: Double,
    half: Double,
}

impl Pair {
    /// The pair `(a, b)`, both positive.
    #[must_use]
    pub fn new(a: f64, b: f64) -> Self {
        Self { low: Double::from(a.min(b)), half: Double::difference(b, a).times_exactly(0.5) }
    }

    /// The pair `(alpha + c, alpha + r)`.
    #[must_use]
    pub fn of_counts(alpha: f64, c: u64, r: u64) -> Self {
        // Both counts are below 2^53, so that they and their difference are exact.
        Self { low: Double::sum(alpha, c.min(r) as f64), half: Double::from(0.5 * (r as f64 - c as f64)) }
    }

    /// The smaller of the two values.
    #[must_use]
    pub fn low(self) -> f64 {
        self.low.value()
    }

    /// Half the distance between the two.
    #[must_use]
    pub fn half(self) -> f64 {
        self.half.value().abs()
    }

    /// How many steps of the recurrence of Gamma raise both values to the range of Stirling's formula. There are none
    /// if the values are equal, because then nothing is evaluated.
    pub(crate) fn steps(self) -> u32 {
        if self.half() == 0.0 { 0 } else { steps(self.low()) }
    }

    /// `(b - a) / 2`.
    pub(crate) fn signed_half(self) -> Double {
        self.half
    }

    /// `a`.
    pub(crate) fn first(self) -> Double {
        if self.half.value() >= 0.0 { self.low } else { self.low.minus(self.half.times_exactly(2.0)) }
    }

    /// `(a + b) / 2`.
    pub(crate) fn middle(self) -> Double {
        self.low.plus(self.half.abs())
    }

    /// The pair of the two sums: the totals of the two distributions.
    pub(crate) fn total(pairs: impl Iterator<Item = Self>) -> Self {
        let (mut first, mut half) = (Double::default(), Double::default());
        for pair in pairs {
            first = first.plus(pair.first());
            half = half.plus(pair.half);
        }
        let low = if half.value() >= 0.0 { first } else { first.plus(half.times_exactly(2.0)) };
        Self { low, half }
    }
}
