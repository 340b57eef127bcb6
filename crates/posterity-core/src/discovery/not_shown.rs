//! How many units have a value that is not shown.

use super::threshold::Threshold;
use super::total::Total;

/// The interval at this level for the number of units whose value is not shown. `shown` are the noisy counts of all
/// values that are.
///
/// # Guarantee
/// Whatever the counts are and whichever values are shown, the interval holds the number with a probability of at
/// least `level`: theorem 6 of docs/proofs/discovery.md. It is a bound of Chernoff's kind on the sum of all noise. A
/// value that is shown not far above tau may have a single unit, so it counts as one for the upper end.
///
/// ```
/// use posterity_core::discovery::{Threshold, Total, not_shown};
/// use posterity_core::model::Epsilon;
/// let epsilon: Epsilon = "1".parse()?;
/// let threshold = Threshold::new(&epsilon, "1e-6".parse::<Epsilon>()?.rational())?;
/// let (low, high) = not_shown(&threshold, &Total::of(&epsilon, 1_000), &[500, 300], 0.95);
/// assert!(185 < low && low < 200 && 200 < high && high < 215);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn not_shown(threshold: &Threshold, total: &Total, shown: &[u64], level: f64) -> (u64, u64) {
    if shown.is_empty() {
        return total.interval(level);
    }
    let bound = Chernoff::new(threshold, total, shown.len(), 0.5 * (1.0 - level));
    let named: i128 = shown.iter().map(|&y| i128::from(y)).sum();
    let left = i128::from(total.noisy()) - named;
    let missing: f64 = shown.iter().map(|&y| bound.shortfall(y.max(threshold.tau()))).sum();
    let low = left.saturating_sub(whole_up(bound.error + bound.ln_moment / bound.s * shown.len() as f64));
    let high = left.saturating_add(whole_up(bound.error + missing));
    let end = |end: i128| u64::try_from(end.max(0)).unwrap_or(u64::MAX);
    (end(low), end(high))
}

/// More than the relative error of the sums.
const ROUNDING: f64 = 1e-9;

/// A whole number that is not below an error whatever the rounding, and the largest for one that is not finite.
fn whole_up(error: f64) -> i128 {
    // An error bound that is a whole number but for its rounding must not lose one.
    libm::floor(error * (1.0 + ROUNDING) + ROUNDING) as i128
}

/// A bound on sums of noise that has the moment `exp(s sum)`.
#[derive(Clone, Copy, Debug)]
struct Chernoff {
    rate: f64,
    tau: u64,
    s: f64,
    /// `(ln(1/size) + ln E exp(s Z'))/s`, the error that is not due to one value.
    error: f64,
    /// `ln E exp(s Z)`
    ln_moment: f64,
    /// From here on a noisy count is taken as it is; below, it may be that of one unit.
    far: u64,
    /// The part of the moment at one unit that noisy counts from `far` on have.
    theta: f64,
}

/// Each s that is tried is smaller than the one before by this factor.
const FINER: f64 = 0.9;

/// The number of values of s that are tried: the last is 3e-6 of the first, which is best for about 10^11 values.
const TRIED: i32 = 120;

impl Chernoff {
    /// The bound with the s that is best where this many values are far above tau. It may depend on how many values are
    /// shown, but not on their noisy counts.
    fn new(threshold: &Threshold, total: &Total, values: usize, size: f64) -> Self {
        let (rate, of_total) = (threshold.epsilon().to_f64(), total.epsilon().to_f64());
        let error = |s: f64| (ln_moment(of_total, s) - libm::log(size)) / s;
        let width = |s: f64| error(s) + ln_moment(rate, s) / s * values as f64;
        let (s, _) = (1..=TRIED)
            .map(|i| rate.min(of_total) * libm::pow(FINER, f64::from(i)))
            .filter(|&s| moment_gap(rate, s) + correction(rate, s) < 1.0)
            .map(|s| (s, width(s)))
            .fold((f64::NAN, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best });
        let theta = s / (s + rate);
        let far = far(rate, threshold.tau(), s, theta);
        Self { rate, tau: threshold.tau(), s, error: error(s), ln_moment: ln_moment(rate, s), far, theta }
    }

    /// `y - l(y)`: how far the count of a value that is shown with y may be below it, on the scale of the bound.
    fn shortfall(&self, y: u64) -> f64 {
        let above = libm::exp(-self.rate * (y - self.tau) as f64);
        let usual =
            -libm::log1p(-moment_gap(self.rate, self.s) - correction(self.rate, self.s) * above) / self.s;
        if y >= self.far { usual } else { usual.max((y - 1) as f64 - libm::log1p(-self.theta) / self.s) }
    }
}

/// `1 - 1/E exp(s Z) = 4 q sinh(s/2)^2/(1-q)^2`
fn moment_gap(rate: f64, s: f64) -> f64 {
    let ratio = libm::sinh(0.5 * s) / -libm::expm1(-rate);
    4.0 * libm::exp(-rate) * ratio * ratio
}

/// `ln E exp(s Z)` for `0 <= s < rate`.
fn ln_moment(rate: f64, s: f64) -> f64 {
    -libm::log1p(-moment_gap(rate, s))
}

/// `q (1 - exp(-s)) (1 - q^2 exp(s))/(1-q)^2`: what being shown adds to the moment of a count of tau.
fn correction(rate: f64, s: f64) -> f64 {
    let gap = libm::expm1(-rate);
    libm::exp(-rate) * libm::expm1(-s) * libm::expm1(s - 2.0 * rate) / (gap * gap)
}

/// The least y whose tail has at most the part theta of the moment at one unit.
fn far(rate: f64, tau: u64, s: f64, theta: f64) -> u64 {
    if tau == 1 {
        return 1;
    }
    let moment = s * (tau - 1) as f64 + libm::log(libm::expm1(-rate - s) / libm::expm1(-rate));
    let above = libm::ceil((moment - libm::log(theta)) / (rate - s) * (1.0 + ROUNDING));
    tau.saturating_add(above as u64)
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::fixture::rational;
    use crate::model::Epsilon;

    fn epsilon(text: &str) -> Epsilon {
        text.parse().expect("positive")
    }

    /// If this fails, theorem 6 does not hold for this code: the moment of what a value is taken for exceeds that of its
    /// true count.
    #[test]
    fn moments_are_bounded_for_every_count() {
        let mut largest: f64 = 0.0;
        for rate in ["0.1", "1", "3"] {
            for (tau, of_total) in [(1, "1"), (2, "0.1"), (5, "1"), (21, "0.3"), (60, "5")] {
                let threshold = Threshold::at(&epsilon(rate), &RBig::ONE, tau);
                for values in [1, 5, 100, 100_000] {
                    let bound = Chernoff::new(&threshold, &Total::of(&epsilon(of_total), 0), values, 0.025);
                    let law = threshold.law();
                    for c in (1..tau + 30).chain([bound.far - 1, bound.far, bound.far + 1, bound.far + 200]) {
                        let c = c.max(1);
                        let end = c.max(bound.far) + (45.0 / (law.rate - bound.s)) as u64;
                        let moment: f64 = (tau..end)
                            .map(|y| {
                                let gain = bound.s * (y as f64 - bound.shortfall(y) - c as f64);
                                (gain - law.rate * y.abs_diff(c) as f64).exp()
                            })
                            .sum();
                        let ratio = law.power(1);
                        let moment = moment * (1.0 - ratio) / (1.0 + ratio) / law.probability_shown(c);
                        assert!(moment <= 1.0 + 1e-9, "{rate} {tau} {values} {c}: {moment}, {bound:?}");
                        largest = largest.max(moment);
                    }
                }
            }
        }
        assert!(largest > 0.99, "the bound is never nearly attained: {largest}");
    }

    /// If this fails, the interval misses the number of units that are not shown more often than it says. All noisy
    /// counts and totals are listed, given that one or two values are shown.
    #[test]
    fn intervals_cover_what_is_not_shown() {
        let (of_count, of_total) = (epsilon("1.5"), epsilon("2"));
        let threshold = Threshold::new(&of_count, &rational("0.01")).expect("a threshold");
        let (law, tau) = (threshold.law(), threshold.tau());
        let noise = |z: i64| 1.0_f64.tanh() * (-2.0 * z.abs() as f64).exp();
        for counts in [vec![1], vec![4], vec![30], vec![1, 1], vec![1, 9], vec![4, 5], vec![9, 12]] {
            for rest in [0, 7] {
                let n = counts.iter().sum::<u64>() + rest;
                let points = |c: u64| {
                    (tau..tau.max(c) + 10).map(move |y| (y, law.at_least(y, c) - law.at_least(y + 1, c)))
                };
                let shown: Vec<(Vec<u64>, f64)> = counts.iter().fold(vec![(vec![], 1.0)], |lists, &c| {
                    let grown = |(list, p): &(Vec<u64>, f64)| -> Vec<(Vec<u64>, f64)> {
                        points(c).map(|(y, one)| ([list.as_slice(), &[y]].concat(), p * one)).collect()
                    };
                    lists.iter().flat_map(grown).collect()
                });
                for level in [0.5, 0.9] {
                    let missed: f64 = shown
                        .iter()
                        .flat_map(|(list, p)| (-8..=8).map(move |z| (list, p * noise(z), z)))
                        .filter(|(list, _, z)| {
                            let total = Total::of(&of_total, n as i64 + z);
                            let (low, high) = not_shown(&threshold, &total, list, level);
                            !(low..=high).contains(&rest)
                        })
                        .map(|(_, p, _)| p)
                        .sum();
                    assert!(missed <= 1.0 - level, "{counts:?} and {rest} at {level}: {missed}");
                }
            }
        }
    }

    /// If this fails, the interval is much wider than the noise of many values far above tau explains: the bound is
    /// compared with normal quantiles of the same noise.
    #[test]
    fn intervals_of_many_values_are_reasonably_narrow() {
        let one = epsilon("1");
        let threshold = Threshold::new(&one, &rational("1e-9")).expect("a threshold");
        let deviation = (2.0 * (-1.0_f64).exp()).sqrt() / (1.0 - (-1.0_f64).exp());
        for values in [10, 100, 1_000, 100_000] {
            let shown = vec![1_000; values];
            let total = Total::of(&one, 1_000 * values as i64 + 50_000);
            let (low, high) = not_shown(&threshold, &total, &shown, 0.95);
            let normal = 1.96 * deviation * ((values + 1) as f64).sqrt();
            let width = (high - low) as f64 / (2.0 * normal);
            println!("{values} values: {low} to {high}, {width:.2} times the normal width");
            assert!(width > 1.0 && width < 1.6, "{values}: {width}");
        }
    }

    #[test]
    fn extremes_do_not_overflow() {
        let threshold = Threshold::new(&epsilon("1e-6"), &rational("1e-9")).expect("a threshold");
        for noisy in [i64::MIN, 0, i64::MAX] {
            let total = Total::of(&epsilon("100"), noisy);
            let (low, high) = not_shown(&threshold, &total, &[0, 5, u64::MAX, u64::MAX], 0.95);
            assert!(low <= high);
        }
        let nothing = Total::of(&epsilon("1"), 40);
        assert_eq!(not_shown(&threshold, &nothing, &[], 0.95), nothing.interval(0.95));
    }
}
