//! Compensated summation.

/// A running sum whose rounding error does not grow with the number of terms (Neumaier 1974).
///
/// ```
/// use posterity_core::special::Sum;
/// let total: Sum = [1.0, 1e100, 1.0, -1e100].into_iter().collect();
/// assert_eq!(total.value(), 2.0);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Adds one term.
    pub fn add(&mut self, term: f64) {
        let sum = self.high + term;
        // If the sum is infinite, this difference would be NaN.
        if sum.is_finite() {
            self.low += if self.high.abs() >= term.abs() {
                (self.high - sum) + term
            } else {
                (term - sum) + self.high
            };
        }
        self.high = sum;
    }

    /// The sum so far.
    #[must_use]
    pub fn value(self) -> f64 {
        self.high + self.low
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }
}
