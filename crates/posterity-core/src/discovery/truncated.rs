//! The law of the noisy count of a value, given that it is shown.

use super::gallop::last;

/// `Y = c + Z` given `Y >= tau`, with two-sided geometric noise of ratio `q = exp(-rate)`. The formulas have no
/// subtraction that loses digits; `rate` and a level are all that is rounded (docs/proofs/discovery.md).
#[derive(Clone, Copy, Debug)]
pub(super) struct Truncated {
    pub(super) rate: f64,
    pub(super) tau: u64,
}

/// More than the relative error of the formulas, so that a count is left out only if the exact law rejects it.
const ROUNDING: f64 = 1e-9;

/// Whether a tail may exceed the size of a test.
pub(super) fn exceeds(tail: f64, size: f64) -> bool {
    tail * (1.0 + ROUNDING) > size
}

impl Truncated {
    /// `q^n`
    pub(super) fn power(&self, n: u64) -> f64 {
        libm::exp(-self.rate * n as f64)
    }

    /// `1 - q^n`
    fn power_gap(&self, n: u64) -> f64 {
        -libm::expm1(-self.rate * n as f64)
    }

    /// `(1+q) P(Y >= tau)` for `c >= tau`: `1 + q - q^(c-tau+1)`.
    fn scaled_shown(&self, c: u64) -> f64 {
        self.power_gap((c - self.tau).saturating_add(1)) + self.power(1)
    }

    /// `P(Y >= tau)`: how probable it is that a value with this count is shown.
    pub(super) fn probability_shown(&self, c: u64) -> f64 {
        let scaled = match c {
            0 => 0.0,
            c if c < self.tau => self.power(self.tau - c),
            c => self.scaled_shown(c),
        };
        scaled / (1.0 + self.power(1))
    }

    /// `P(Y >= y | Y >= tau)` for `y >= tau`. It increases with c, and is the same for all `c <= tau`.
    pub(super) fn at_least(&self, y: u64, c: u64) -> f64 {
        if c <= self.tau {
            self.power(y - self.tau)
        } else if c <= y {
            self.power(y - c) / self.scaled_shown(c)
        } else {
            (self.power_gap((c - y).saturating_add(1)) + self.power(1)) / self.scaled_shown(c)
        }
    }

    /// `P(Y <= y | Y >= tau)` for `y >= tau`. It decreases with c, and is the same for all `c <= tau`.
    pub(super) fn at_most(&self, y: u64, c: u64) -> f64 {
        if c <= self.tau {
            self.power_gap((y - self.tau).saturating_add(1))
        } else if c <= y {
            let below = self.power_gap((c - self.tau).saturating_add(1));
            (below + self.power(1) * self.power_gap(y - c)) / self.scaled_shown(c)
        } else {
            self.power(c - y) * self.power_gap((y - self.tau).saturating_add(1)) / self.scaled_shown(c)
        }
    }

    /// The least count for which y is not too large: `P(Y >= y) > size`. It is 1 or above tau.
    pub(super) fn least(&self, y: u64, size: f64) -> u64 {
        if exceeds(self.at_least(y, self.tau), size) {
            return 1;
        }
        y - last(|k| k < y - self.tau && exceeds(self.at_least(y, y - k), size))
    }

    /// The largest count for which y is not too small: `P(Y <= y) > size`. If y is too small for all, tau, because no
    /// draw tells the counts up to tau apart.
    pub(super) fn largest(&self, y: u64, size: f64) -> u64 {
        let holds = |c: u64| exceeds(self.at_most(y, c), size);
        let start = if holds(y) { y } else { self.tau };
        start.saturating_add(last(|k| holds(start.saturating_add(k))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The law from its definition: what is shown from tau on, summed as far as it matters.
    fn by_sums(law: &Truncated, c: u64) -> Vec<f64> {
        let q = (-law.rate).exp();
        let end = law.tau.max(c) + (45.0 / law.rate) as u64;
        let weights: Vec<f64> = (law.tau..=end).map(|y| q.powi(y.abs_diff(c) as i32)).collect();
        let total: f64 = weights.iter().rev().sum();
        weights.iter().map(|weight| weight / total).collect()
    }

    fn grid() -> impl Iterator<Item = Truncated> {
        [0.05, 0.3, 1.0, 4.0]
            .into_iter()
            .flat_map(|rate| [1, 2, 5, 21, 60].into_iter().map(move |tau| Truncated { rate, tau }))
    }

    /// If this fails, a closed form differs from the sum that it stands for.
    #[test]
    fn closed_forms_are_sums() {
        for law in grid() {
            for c in (1..=law.tau + 5).chain([law.tau + 40, law.tau + 300]) {
                let list = by_sums(&law, c);
                for (i, y) in (law.tau..law.tau + 60).enumerate().filter(|&(i, _)| i < list.len()) {
                    let below: f64 = list[..=i].iter().sum();
                    let above: f64 = list[i..].iter().rev().sum();
                    let [most, least] = [law.at_most(y, c), law.at_least(y, c)];
                    assert!((most - below).abs() <= 1e-11 * below, "{law:?} {c} {y}: {most} {below}");
                    assert!(
                        (least - above).abs() <= 1e-11 * above + 1e-19,
                        "{law:?} {c} {y}: {least} {above}"
                    );
                }
            }
        }
    }

    /// If this fails, the probability to be shown is not the tail of the noise.
    #[test]
    fn being_shown_is_a_tail_of_the_noise() {
        for law in grid() {
            let q = (-law.rate).exp();
            assert_eq!(law.probability_shown(0), 0.0);
            for c in 1..law.tau + 30 {
                let tail: f64 = (law.tau..law.tau.max(c) + (45.0 / law.rate) as u64)
                    .rev()
                    .map(|y| (1.0 - q) / (1.0 + q) * q.powi(y.abs_diff(c) as i32))
                    .sum();
                assert!((law.probability_shown(c) - tail).abs() <= 1e-11 * tail, "{law:?} {c}");
            }
        }
    }

    /// If this fails, the tests that are inverted do not reject counts up to an end, and the ends are not intervals.
    #[test]
    fn tails_are_monotone_in_the_count() {
        for law in grid() {
            for y in law.tau..law.tau + 50 {
                for c in 1..law.tau + 100 {
                    assert!(law.at_least(y, c + 1) >= law.at_least(y, c) * (1.0 - 1e-14), "{law:?} {y} {c}");
                    assert!(law.at_most(y, c + 1) <= law.at_most(y, c) * (1.0 + 1e-14), "{law:?} {y} {c}");
                }
            }
        }
    }
}
