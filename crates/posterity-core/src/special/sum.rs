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

/// A sum of which only every 32 terms together are compensated, so that most terms do not wait for the correction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BlockSum {
    whole: Sum,
    block: f64,
    terms: u32,
}

impl BlockSum {
    /// How many terms are added as they are.
    const BLOCK: u32 = 32;

    pub(crate) fn add(&mut self, term: f64) {
        self.block += term;
        self.terms += 1;
        if self.terms == Self::BLOCK {
            self.whole.add(self.block);
            (self.block, self.terms) = (0.0, 0);
        }
    }

    pub(crate) fn value(mut self) -> f64 {
        self.whole.add(self.block);
        self.whole.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, terms of a block are lost, or counted twice.
    #[test]
    fn blocks_add_up_to_the_sum() {
        for number in [0_u32, 1, 31, 32, 33, 64, 1_000] {
            let mut blocks = BlockSum::default();
            (1..=number).for_each(|term| blocks.add(f64::from(term)));
            assert_eq!(blocks.value(), f64::from(number * (number + 1) / 2));
        }
    }
}
