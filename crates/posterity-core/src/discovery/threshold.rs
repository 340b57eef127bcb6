//! The threshold that a noisy count must reach to be shown.

use dashu_int::IBig;
use dashu_ratio::RBig;
use thiserror::Error;

use super::coins::Coins;
use super::tail::tail_is_at_most;
use super::truncated::Truncated;
use crate::model::Epsilon;
use crate::noise::{Noise, TwoSidedGeometric};
use crate::sampler::{BitSource, Rate, SourceError, geometric};

/// The largest threshold. Nobody has as many units, so nothing would be shown.
pub const MOST_TAU: u64 = 1_000_000_000_000;

/// Shows the values that occur whose noisy count is at least tau.
///
/// A value with the count `c >= 1` has the noisy count `y = c + Z`, where Z is two-sided geometric with
/// `q = exp(-epsilon)`. It is shown with y if `y >= tau`. tau is the least whole number from 1 on with
/// `P(1 + Z >= tau) <= delta`.
///
/// # Guarantee
/// (epsilon, delta)-differentially private where one unit is there or not and counts in at most one value: theorem 1 of
/// docs/proofs/discovery.md. With `tau - 1` in place of a tau above 1 it would not be: [`audit`](super::audit()) finds
/// more than delta.
///
/// ```
/// use posterity_core::discovery::Threshold;
/// use posterity_core::model::Epsilon;
/// let delta: Epsilon = "1e-6".parse()?;
/// let threshold = Threshold::new(&"1".parse()?, delta.rational())?;
/// assert_eq!(threshold.tau(), 15);
/// assert!(threshold.probability_shown(1) <= 1e-6);
/// assert!(threshold.probability_shown(30) > 0.999_999);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Threshold {
    epsilon: Epsilon,
    delta: RBig,
    tau: u64,
    rate: Rate,
    noise: TwoSidedGeometric,
    coins: Coins,
}

/// Why there is no threshold for these numbers. It says nothing about data.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// delta is not between 0 and 1.
    #[error(
        "delta is {delta}; categories are discovered with a number strictly between 0 and 1, such as 1e-9"
    )]
    Delta {
        /// The number.
        delta: RBig,
    },
    /// No noisy count would ever reach the threshold.
    #[error(
        "at this epsilon and delta a category is shown from more than {most} units on; choose a larger epsilon or a larger delta",
        most = MOST_TAU
    )]
    TooHigh,
}

impl Threshold {
    /// Finds tau by exact comparisons.
    ///
    /// # Errors
    /// [`ThresholdError`] if delta is not strictly between 0 and 1, or tau would be above [`MOST_TAU`].
    pub fn new(epsilon: &Epsilon, delta: &RBig) -> Result<Self, ThresholdError> {
        if *delta <= RBig::ZERO || *delta >= RBig::ONE {
            return Err(ThresholdError::Delta { delta: delta.clone() });
        }
        let tau = least_tau(epsilon.rational(), delta).ok_or(ThresholdError::TooHigh)?;
        Ok(Self::at(epsilon, delta, tau))
    }

    /// The rule with a given threshold, which may be one without a guarantee.
    pub(super) fn at(epsilon: &Epsilon, delta: &RBig, tau: u64) -> Self {
        let rate = Rate::from(epsilon);
        Self {
            coins: Coins::new(epsilon.rational(), tau),
            noise: TwoSidedGeometric::new(rate.clone()),
            epsilon: epsilon.clone(),
            delta: delta.clone(),
            tau,
            rate,
        }
    }

    /// The epsilon of the guarantee.
    #[must_use]
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// The delta of the guarantee.
    #[must_use]
    pub fn delta(&self) -> &RBig {
        &self.delta
    }

    /// The least noisy count that is shown.
    #[must_use]
    pub fn tau(&self) -> u64 {
        self.tau
    }

    /// The noisy count of a value with this true count, or nothing if it is not shown. A value that does not occur is
    /// never shown.
    ///
    /// # Guarantee
    /// Exact, from a bounded expected number of random words. Below tau a coin decides whether the value is shown, and
    /// then `y - tau` is geometric: lemma 2 of docs/proofs/discovery.md. A noisy count that is too long for a word is
    /// the longest word, which is a function of the noisy count.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn draw(&self, count: u64, bits: &mut dyn BitSource) -> Result<Option<u64>, SourceError> {
        if count == 0 {
            return Ok(None);
        }
        match self.coins.toss(count, bits) {
            Some(is_shown) => is_shown?.then(|| self.draw_from_tau(bits)).transpose(),
            None => self.draw_noise(count, bits),
        }
    }

    /// The noisy count of a value that is shown, if its true count is at most tau.
    fn draw_from_tau(&self, bits: &mut dyn BitSource) -> Result<u64, SourceError> {
        let above = geometric(&self.rate, bits)?;
        Ok(u64::try_from(&above).unwrap_or(u64::MAX).saturating_add(self.tau))
    }

    /// The law of the draw with a coin, by noise on the count, which works for every count.
    fn draw_noise(&self, count: u64, bits: &mut dyn BitSource) -> Result<Option<u64>, SourceError> {
        let noisy = IBig::from(count) + self.noise.sample(bits)?;
        Ok((noisy >= IBig::from(self.tau)).then(|| u64::try_from(&noisy).unwrap_or(u64::MAX)))
    }

    /// The probability that a value with this count is shown: `q^(tau-c)/(1+q)` below tau, and
    /// `1 - q^(c-tau+1)/(1+q)` from there on.
    #[must_use]
    pub fn probability_shown(&self, count: u64) -> f64 {
        self.law().probability_shown(count)
    }

    /// The interval at this level for the true count of a value that is shown with this noisy count.
    ///
    /// # Guarantee
    /// Given that a value is shown, the interval holds its true count with a probability of at least `level`, whatever
    /// that count is: theorem 3 of docs/proofs/discovery.md.
    #[must_use]
    pub fn interval(&self, shown: u64, level: f64) -> (u64, u64) {
        let (law, y, size) = (self.law(), shown.max(self.tau), 0.5 * (1.0 - level));
        let low = law.least(y, size);
        (low, law.largest(y, size).max(low))
    }

    /// The largest count of which what is shown is a median, and at least tau.
    ///
    /// # Guarantee
    /// Given that a value is shown, the estimate is too low with a probability of at most one half, whatever the count
    /// is. No estimate is right on the average, or as often too high as too low, for all counts up to tau, because all
    /// these have the same law: theorem 4 of docs/proofs/discovery.md.
    #[must_use]
    pub fn estimate(&self, shown: u64) -> u64 {
        self.law().largest(shown.max(self.tau), 0.5)
    }

    /// The law of what is shown.
    pub(super) fn law(&self) -> Truncated {
        Truncated { rate: self.epsilon.to_f64(), tau: self.tau }
    }
}

/// The least `tau >= 1` with `P(Z >= tau - 1) <= delta`, if it is not too large.
fn least_tau(epsilon: &RBig, delta: &RBig) -> Option<u64> {
    let is_enough = |tau: u64| tail_is_at_most(epsilon, tau - 1, delta);
    if !is_enough(MOST_TAU) {
        return None;
    }
    let (mut low, mut high) = (1, MOST_TAU);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use posterity_testkit::{Fit, seed_of};

    use super::*;
    use crate::fixture::rational;
    use crate::sampler::SeededBits;

    fn threshold(epsilon: &str, delta: &str) -> Threshold {
        Threshold::new(&epsilon.parse().expect(epsilon), &rational(delta)).expect("a threshold")
    }

    /// A source that must not be asked.
    struct NoBits;

    impl BitSource for NoBits {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            Err(SourceError { reason: "nobody should ask".into() })
        }
    }

    /// If this fails, a value that one unit brings in is shown too often, or tau is higher than it must be. Computed with
    /// mpmath at 420 digits.
    #[test]
    fn tau_is_golden() {
        for (epsilon, delta, tau) in [
            ("1e-6", "1e-300", 690_082_383),
            ("1e-6", "1e-9", 20_030_121),
            ("1e-6", "0.45", 105_363),
            ("1e-6", "0.5", 2),
            ("1e-6", "0.7", 1),
            ("0.001", "1e-6", 13_124),
            ("0.1", "1e-300", 6_903),
            ("0.1", "1e-9", 202),
            ("0.1", "1e-6", 133),
            ("0.1", "0.1", 18),
            ("0.5", "1e-9", 42),
            ("0.5", "0.7", 1),
            ("1", "1e-300", 692),
            ("1", "1e-9", 22),
            ("1", "0.1", 3),
            ("1", "0.7", 2),
            ("1", "0.999", 1),
            ("10", "1e-300", 71),
            ("10", "1e-9", 4),
            ("10", "0.999", 2),
            ("100", "1e-300", 8),
            ("100", "0.999", 2),
        ] {
            assert_eq!(threshold(epsilon, delta).tau(), tau, "{epsilon} {delta}");
        }
    }

    #[test]
    fn rejects() {
        let new = |epsilon: &str, delta: RBig| Threshold::new(&epsilon.parse().expect(epsilon), &delta).err();
        for delta in [RBig::ZERO, RBig::ONE, RBig::from(2_u8), -rational("0.1")] {
            assert_eq!(new("1", delta.clone()), Some(ThresholdError::Delta { delta }));
        }
        assert_eq!(new("1e-12", rational("1e-9")), Some(ThresholdError::TooHigh));
        assert_eq!(new("1e-12", rational("0.45")), None);
    }

    /// If this fails, a draw does not follow the law, with coins or without. Everything from 12 above tau on is put together.
    #[test]
    fn draws_fit_the_law() {
        for (epsilon, delta, counts) in [
            ("1", "0.01", vec![1, 2, 4, 5, 6, 9]),
            ("0.2", "0.1", vec![1, 5, 9, 10, 30]),
            ("1/3", "0.9", vec![1, 2]),
        ] {
            let threshold = threshold(epsilon, delta);
            for count in counts {
                let (tau, law) = (threshold.tau(), threshold.law());
                let far = tau + 12;
                let shown = law.probability_shown(count);
                let each = (tau..far)
                    .map(|y| (Some(y), shown * (law.at_least(y, count) - law.at_least(y + 1, count))));
                let table: Vec<(Option<u64>, f64)> = [(None, 1.0 - shown)]
                    .into_iter()
                    .chain(each)
                    .chain([(Some(far), shown * law.at_least(far, count))])
                    .collect();
                let what = format!("count {count} at epsilon {epsilon}, tau {tau}");
                let seed = seed_of(&what);
                for quick in [true, false] {
                    let mut bits = SeededBits::new(seed);
                    let mut draw = || {
                        let drawn = if quick {
                            threshold.draw(count, &mut bits)
                        } else {
                            threshold.draw_noise(count, &mut bits)
                        };
                        drawn.expect("seeded").map(|y| y.min(far))
                    };
                    let draws: Vec<Option<u64>> = (0..40_000).map(|_| draw()).collect();
                    Fit { what: &what, seed, false_alarms: 1e-6 }.check(&table, &draws);
                }
            }
        }
    }

    /// If this fails, the release shows that a value does not occur, or a failing source shows something.
    #[test]
    fn what_does_not_occur_is_not_drawn() {
        let threshold = threshold("1", "0.9");
        assert_eq!(threshold.draw(0, &mut NoBits), Ok(None));
        assert!(threshold.draw(1, &mut NoBits).is_err() && threshold.draw(50, &mut NoBits).is_err());
    }

    /// The grid of settings for what is proven of intervals and estimates.
    fn grid() -> Vec<Threshold> {
        let mut grid = Vec::new();
        for epsilon in ["0.05", "0.3", "1", "4"] {
            for delta in ["1e-9", "1e-3", "0.2", "0.9"] {
                grid.push(threshold(epsilon, delta));
            }
        }
        grid
    }

    /// Counts below, around and above tau, and the noisy counts that matter.
    fn cases(threshold: &Threshold) -> (Vec<u64>, Vec<u64>) {
        let (tau, reach) = (threshold.tau(), (45.0 / threshold.epsilon().to_f64()) as u64);
        let counts: Vec<u64> = (tau.saturating_sub(12).max(1)..tau + 40).chain([1, tau + reach]).collect();
        (counts, (tau..tau + 2 * reach + 40).collect())
    }

    /// `P(Y = y | Y >= tau)` from its definition.
    fn point(threshold: &Threshold, y: u64, c: u64) -> f64 {
        let law = threshold.law();
        let ratio = law.power(1);
        (1.0 - ratio) / (1.0 + ratio) * law.power(y.abs_diff(c)) / law.probability_shown(c)
    }

    /// If this fails, an interval misses the true count of a value that is shown more often than it says.
    #[test]
    fn intervals_cover_every_count() {
        for threshold in grid() {
            let (counts, noisy) = cases(&threshold);
            for level in [0.1, 0.5, 0.9, 0.95, 0.999] {
                let intervals: Vec<(u64, u64)> =
                    noisy.iter().map(|&y| threshold.interval(y, level)).collect();
                for &c in &counts {
                    let missed: f64 = noisy
                        .iter()
                        .zip(&intervals)
                        .filter(|(_, (low, high))| !(*low..=*high).contains(&c))
                        .map(|(&y, _)| point(&threshold, y, c))
                        .sum();
                    assert!(
                        missed <= (1.0 - level) * (1.0 + 1e-9),
                        "{c} at {level}: {missed}, {threshold:?}"
                    );
                }
            }
        }
    }

    /// If this fails, an interval is longer than the tests that it inverts: a count is in it that both ends reject. It is
    /// compared with all counts one by one.
    #[test]
    fn intervals_hold_what_no_test_rejects() {
        for threshold in grid() {
            let (tau, law) = (threshold.tau(), threshold.law());
            let end = tau + (30.0 / law.rate) as u64 + 30;
            for level in [0.5, 0.95] {
                let size = 0.5 * (1.0 - level);
                for y in [tau, tau + 1, tau + 2, tau + 7, tau + (3.0 / law.rate) as u64] {
                    let accepted = |c: &u64| law.at_least(y, *c) > size && law.at_most(y, *c) > size;
                    let list: Vec<u64> = (1..end).filter(accepted).collect();
                    let (low, high) = threshold.interval(y, level);
                    assert!(low >= 1 && low <= high && high >= tau.min(y), "{y}: {low} {high}");
                    match (list.first(), list.last()) {
                        (Some(first), Some(last)) => {
                            assert_eq!((low, high), (*first, *last), "{y} {threshold:?}")
                        }
                        _ => assert_eq!((low, high), (1, tau), "{y} {threshold:?}"),
                    }
                }
            }
        }
    }

    /// If this fails, a value that just reaches tau looks as if its count were known.
    #[test]
    fn near_tau_the_interval_begins_at_one() {
        for threshold in grid() {
            let (low, high) = threshold.interval(threshold.tau(), 0.95);
            assert!(low == 1 && high >= threshold.tau());
        }
        let threshold = threshold("1", "1e-9");
        assert_eq!(threshold.interval(22, 0.95), (1, 24));
        assert_eq!(threshold.interval(1_000, 0.95), (997, 1_003));
    }

    /// If this fails, the estimate is not what its guarantee says. `median` is the least median of a count's law.
    #[test]
    fn estimates_are_too_low_in_at_most_half_of_all_cases() {
        for threshold in grid() {
            let (counts, noisy) = cases(&threshold);
            let estimates: Vec<u64> = noisy.iter().map(|&y| threshold.estimate(y)).collect();
            assert!(estimates.windows(2).all(|pair| pair[0] <= pair[1]));
            assert!(noisy.iter().zip(&estimates).all(|(y, e)| (threshold.tau()..=*y).contains(e)));
            let chance = |c: u64, is: &dyn Fn(u64) -> bool| -> f64 {
                let cases = noisy.iter().zip(&estimates).filter(|(_, e)| is(**e));
                cases.map(|(&y, _)| point(&threshold, y, c)).sum()
            };
            let law = threshold.law();
            let median = |c: u64| noisy.iter().find(|&&y| law.at_most(y, c) >= 0.5);
            for &c in &counts {
                assert!(chance(c, &|e| e < c) <= 0.5 + 1e-9, "{c} {threshold:?}");
                if c >= threshold.tau() && median(c + 1) > median(c) {
                    assert!(chance(c, &|e| e > c) <= 0.5 + 1e-9, "{c} {threshold:?}");
                }
            }
        }
    }

    /// What a forged document says must not end in an overflow.
    #[test]
    fn numbers_of_any_size_have_an_interval() {
        for epsilon in ["1e-6", "1", "100"] {
            let threshold = threshold(epsilon, "1e-9");
            for shown in [0, 1, 1 << 53, u64::MAX - 1, u64::MAX] {
                let (low, high) = threshold.interval(shown, 0.95);
                assert!(1 <= low && low <= high && threshold.estimate(shown) >= threshold.tau());
                assert!((0.0..=1.0).contains(&threshold.probability_shown(shown)));
            }
        }
    }
}
