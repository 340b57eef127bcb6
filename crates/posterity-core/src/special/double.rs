//! Numbers of twice the precision of `f64`, for the few differences that would otherwise lose half the digits.

/// An unevaluated sum `high + low` with `abs(low) <= ulp(high)/2` (Dekker 1971, Knuth 1969).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// `a + b` without error.
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let shadow = high - a;
        Self { high, low: (a - (high - shadow)) + (b - shadow) }
    }

    /// `a - b` without error.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        Self::sum(a, -b)
    }

    /// The nearest floating-point number.
    pub(crate) fn value(self) -> f64 {
        self.high
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let Self { high, low } = Self::sum(self.high, other.high);
        Self::sum(high, low + (self.low + other.low))
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        self.plus(other.times_exactly(-1.0))
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let high = self.high * other.high;
        let error = libm::fma(self.high, other.high, -high);
        Self::sum(high, error + (self.high * other.low + self.low * other.high))
    }

    /// The product with a power of two or with -1, which needs no rounding.
    pub(crate) fn times_exactly(self, factor: f64) -> Self {
        Self { high: self.high * factor, low: self.low * factor }
    }

    pub(crate) fn abs(self) -> Self {
        if self.high < 0.0 { self.times_exactly(-1.0) } else { self }
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_rounding_would_drop() {
        let big = Double::sum(1e16, 0.125);
        assert_eq!(big.value(), 1e16);
        assert_eq!(big.minus(Double::from(1e16)).value(), 0.125);
        let square = Double::from(1.0 + f64::EPSILON).times(Double::from(1.0 + f64::EPSILON));
        let rest = square.minus(Double::from(1.0 + 2.0 * f64::EPSILON)).value();
        assert_eq!(rest, f64::EPSILON * f64::EPSILON);
    }
}
