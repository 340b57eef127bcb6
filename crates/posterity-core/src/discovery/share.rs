//! The share of a value that is shown among all units.

use super::threshold::Threshold;
use super::total::Total;

/// The part of the error that the number of all units may have. It is known much better than the count, relative to
/// its size, so it gets little.
const TOTAL_ERROR: f64 = 0.1;

/// The interval at this level for the share of a value that is shown with this noisy count, where the number of all
/// units was paid for.
///
/// # Guarantee
/// Given that a value is shown, the interval holds its share with a probability of at least `level`: theorem 5 of
/// docs/proofs/discovery.md. The noise of the count and of the total are independent, so the levels of both intervals
/// multiply.
///
/// ```
/// use posterity_core::discovery::{Threshold, Total, share};
/// use posterity_core::model::Epsilon;
/// let epsilon: Epsilon = "1".parse()?;
/// let threshold = Threshold::new(&epsilon, "1e-6".parse::<Epsilon>()?.rational())?;
/// let (low, high) = share(&threshold, &Total::of(&epsilon, 1_000), 250, 0.95);
/// assert!(0.24 < low && low < 0.25 && 0.25 < high && high < 0.26);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn share(threshold: &Threshold, total: &Total, shown: u64, level: f64) -> (f64, f64) {
    let of_total = 1.0 - TOTAL_ERROR * (1.0 - level);
    let count = threshold.interval(shown, level / of_total);
    let (least, most) = total.interval(of_total);
    // There are at least as many units as have the value.
    let (least, most) = (least.max(count.0), most.max(count.0));
    let low = (count.0 as f64 / most as f64).next_down().max(0.0);
    let high = (count.1 as f64 / least as f64).next_up().min(1.0);
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rational;
    use crate::model::Epsilon;

    /// If this fails, the interval misses the share of a value that is shown more often than it says. All noisy counts
    /// and totals are listed.
    #[test]
    fn intervals_cover_every_share() {
        for (epsilon, of_total, delta) in [("1", "1", "0.01"), ("0.5", "2", "0.1"), ("2", "0.5", "0.001")] {
            let [epsilon, of_total]: [Epsilon; 2] =
                [epsilon, of_total].map(|text| text.parse().expect("positive"));
            let threshold = Threshold::new(&epsilon, &rational(delta)).expect("a threshold");
            let (law, rate) = (threshold.law(), of_total.to_f64());
            let reach = (25.0 / rate) as i64;
            let noise = |z: i64| (rate / 2.0).tanh() * (-rate * z.abs() as f64).exp();
            for level in [0.5, 0.9, 0.95] {
                for (c, n) in [(1, 1), (1, 40), (3, 5), (8, 8), (20, 30), (60, 400)] {
                    let mut missed = 0.0;
                    for y in law.tau..law.tau.max(c) + (25.0 / law.rate) as u64 {
                        let of_count = law.at_least(y, c) - law.at_least(y + 1, c);
                        for z in -reach..=reach {
                            let (low, high) = share(&threshold, &Total::of(&of_total, n + z), y, level);
                            assert!(0.0 <= low && low <= high && high <= 1.0, "{low} {high}");
                            let truth = c as f64 / n as f64;
                            missed += if low <= truth && truth <= high { 0.0 } else { of_count * noise(z) };
                        }
                    }
                    assert!(missed <= 1.0 - level, "{c} of {n} at {level}: {missed}");
                }
            }
        }
    }
}
