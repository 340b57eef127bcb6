//! The noisy number of all units.

use dashu_int::IBig;

use super::gallop::last;
use super::truncated::exceeds;
use crate::model::Epsilon;
use crate::noise::{Noise, TwoSidedGeometric};
use crate::sampler::{BitSource, Rate, SourceError};

/// `N + Z'` with two-sided geometric noise of its own, paid for with an epsilon of its own.
///
/// # Guarantee
/// Drawing it is epsilon-differentially private, and together with a threshold of (epsilon_1, delta) it is
/// (epsilon + epsilon_1, delta): theorem 2 of docs/proofs/discovery.md.
///
/// ```
/// use posterity_core::discovery::Total;
/// let total = Total::of(&"1".parse()?, 500);
/// assert_eq!(total.interval(0.95), (497, 503));
/// assert_eq!(total.estimate(), 500);
/// # Ok::<(), posterity_core::model::EpsilonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Total {
    epsilon: Epsilon,
    noisy: i64,
}

impl Total {
    /// Draws the noisy number of n units.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn draw(epsilon: &Epsilon, n: u64, bits: &mut dyn BitSource) -> Result<Self, SourceError> {
        let noisy = IBig::from(n) + TwoSidedGeometric::new(Rate::from(epsilon)).sample(bits)?;
        let farthest = if noisy < IBig::ZERO { i64::MIN } else { i64::MAX };
        Ok(Self::of(epsilon, i64::try_from(&noisy).unwrap_or(farthest)))
    }

    /// A noisy number that was drawn before.
    #[must_use]
    pub fn of(epsilon: &Epsilon, noisy: i64) -> Self {
        Self { epsilon: epsilon.clone(), noisy }
    }

    /// The epsilon of its noise.
    #[must_use]
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// What was drawn. It may be negative.
    #[must_use]
    pub fn noisy(&self) -> i64 {
        self.noisy
    }

    /// What was drawn, or 0 if that is negative.
    #[must_use]
    pub fn estimate(&self) -> u64 {
        self.noisy.max(0).unsigned_abs()
    }

    /// The interval at this level for the number of units.
    ///
    /// # Guarantee
    /// It holds the number with a probability of at least `level`, whatever the number is: it holds all n >= 0 with
    /// `P(Z >= y - n)` and `P(Z <= y - n)` above half of `1 - level`, or 0 if y is too far below 0 for all.
    #[must_use]
    pub fn interval(&self, level: f64) -> (u64, u64) {
        let (rate, size) = (self.epsilon.to_f64(), 0.5 * (1.0 - level));
        let tail = |t: u64| libm::exp(-rate * t as f64) / (1.0 + libm::exp(-rate));
        let reach = i64::try_from(last(|t| exceeds(tail(t), size))).unwrap_or(i64::MAX);
        let end = |end: i64| end.max(0).unsigned_abs();
        (end(self.noisy.saturating_sub(reach)), end(self.noisy.saturating_add(reach)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    /// If this fails, the interval misses the number of units more often than it says.
    #[test]
    fn intervals_cover_every_number() {
        for text in ["0.05", "0.5", "1", "7"] {
            let epsilon: Epsilon = text.parse().expect("positive");
            let rate = epsilon.to_f64();
            let reach = (45.0 / rate) as i64;
            for level in [0.1, 0.5, 0.95, 0.999] {
                for n in [0, 1, 2, 10, 1_000_i64] {
                    let missed: f64 = (-reach..=reach)
                        .filter(|z| {
                            let (low, high) = Total::of(&epsilon, n + z).interval(level);
                            !(low..=high).contains(&n.unsigned_abs())
                        })
                        .map(|z| TwoSidedGeometric::new(Rate::from(&epsilon)).probability(z))
                        .sum();
                    assert!(missed <= (1.0 - level) * (1.0 + 1e-9), "{text} {level} {n}: {missed}");
                }
            }
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        let epsilon: Epsilon = "1e-6".parse().expect("positive");
        for noisy in [i64::MIN, -1, 0, i64::MAX] {
            let (low, high) = Total::of(&epsilon, noisy).interval(0.95);
            assert!(low <= high);
        }
        let drawn = Total::draw(&epsilon, u64::MAX, &mut SeededBits::new(1)).expect("seeded");
        assert_eq!(drawn.noisy(), i64::MAX);
        assert_eq!(Total::of(&epsilon, -5).estimate(), 0);
    }
}
