//! The total variation distance between two posteriors over two categories, from the same number of records.

use super::gamma_gap::gamma_gap;
use super::{Pair, ln_bc};
use crate::special::deviance::deviance;
use crate::special::digamma::ln_minus_digamma;
use crate::special::gamma::{HALF_LN_TAU, ln_gamma_over_power};
use crate::special::{Double, Sum};

/// From this cost on the distance is one: it is at least `1 - exp(-32)`, and `exp(-32) < 2^-46`.
pub(crate) const TV_FAR_COST: f64 = 32.0;

/// Log-odds are cut off here. Beyond them a prior parameter is below 1e-270, and a term is the same to all digits.
const FURTHEST: f64 = 700.0;

/// How many terms follow from the one before. Each adds a rounding error of a few units in the last place.
const TERMS_BY_RECURRENCE: u64 = 128;

/// Blocks whose largest term is below this are left out, and so are all beyond them.
const LEAST_TERM: f64 = 1e-24;

/// The total variation distance between `Beta(alpha_1 + c, alpha_2 + n - c)` and the same with r in place of c. Its
/// error is below 2^-43 (docs/proofs/scores.md).
///
/// The two densities cross once, at t with `logit t = (lnB(c) - lnB(r))/(c - r)`, and the distance is the difference of
/// the two distribution functions there. That is a sum of terms that are not negative, one for each step from one count
/// to the next: `I_t(a, b+1) - I_t(a+1, b) = Gamma(a+b+1)/(Gamma(a+1) Gamma(b+1)) t^a (1-t)^b`.
pub(crate) fn tv_of_two(alpha: [f64; 2], n: u64, c: u64, r: u64) -> f64 {
    if c == r {
        return 0.0;
    }
    let pairs = [Pair::of_counts(alpha[0], c, r), Pair::of_counts(alpha[1], n - c, n - r)];
    if -pairs.map(ln_bc).iter().sum::<f64>() >= TV_FAR_COST {
        return 1.0;
    }
    let (low, high) = (c.min(r), c.max(r));
    let logit = crossing(alpha, n, low, high);
    let steps = if logit > 0.0 {
        Steps::new([alpha[1], alpha[0]], n, -logit, n - high, n - low)
    } else {
        Steps::new(alpha, n, logit, low, high)
    };
    steps.sum().min(1.0)
}

/// The log-odds of the point where the densities cross. The distance is largest there as a function of that point, so
/// an error of the point matters in second order only.
fn crossing(alpha: [f64; 2], n: u64, low: u64, high: u64) -> f64 {
    let distance = (high - low) as f64;
    // The mean of digamma between two counts is below ln of the larger one by this much, from the tangent of ln Gamma
    // there.
    let below = |alpha: f64, less: u64, more: u64| {
        let (less, more) = (alpha + less as f64, alpha + more as f64);
        ln_minus_digamma(more) + gamma_gap(more, less, -distance) / distance
    };
    // One logarithm of the ratio has more digits than a difference of two.
    let ln_ratio = libm::log((alpha[0] + high as f64) / (alpha[1] + (n - low) as f64));
    let logit = ln_ratio - below(alpha[0], low, high) + below(alpha[1], n - high, n - low);
    logit.clamp(-FURTHEST, FURTHEST)
}

/// The terms of the sum: `x` from `low` to `high - 1`, with `a = alpha_1 + x` and `b = alpha_2 + n - 1 - x`.
struct Steps {
    alpha: [f64; 2],
    n: u64,
    low: u64,
    high: u64,
    t: f64,
    /// `1 - t`, without error.
    rest: Double,
    /// `a + b`, the same for all terms.
    total: Double,
    ln_constant: f64,
}

impl Steps {
    /// The log-odds are not positive, so that t is at most one half.
    fn new(alpha: [f64; 2], n: u64, logit: f64, low: u64, high: u64) -> Self {
        let odds = libm::exp(logit);
        let t = odds / (1.0 + odds);
        let total = Double::sum(alpha[0], alpha[1]).plus(Double::from((n - 1) as f64));
        let ln_constant = ln_gamma_over_power(total.value()) - HALF_LN_TAU;
        Self { alpha, n, low, high, t, rest: Double::difference(1.0, t), total, ln_constant }
    }

    /// The sum, outwards from the largest term.
    fn sum(&self) -> f64 {
        let peak = (self.total.value() * self.t - self.alpha[0]).max(0.0) as u64;
        let peak = peak.clamp(self.low, self.high - 1);
        let mut sum = Sum::default();
        let mut start = peak;
        while start < self.high {
            let end = start.saturating_add(TERMS_BY_RECURRENCE).min(self.high);
            let first = self.term(start);
            if first < LEAST_TERM {
                break;
            }
            sum.add(self.upwards(first, start, end));
            start = end;
        }
        let mut end = peak;
        while end > self.low {
            let start = end.saturating_sub(TERMS_BY_RECURRENCE).max(self.low);
            let last = self.term(end - 1);
            if last < LEAST_TERM {
                break;
            }
            sum.add(self.downwards(last, start, end));
            end = start;
        }
        sum.value()
    }

    /// The term of x, by Stirling's formula (Loader 2000).
    fn term(&self, x: u64) -> f64 {
        let (total, t, rest) = (self.total.value(), self.t, self.rest.value());
        let exact = Double::sum(self.alpha[0], x as f64);
        let (a, b) = (exact.value(), self.alpha[1] + (self.n - 1 - x) as f64);
        let excess = exact.minus(self.total.times(Double::from(t))).value();
        let away = deviance(a, a / total, t, total * t, excess)
            + deviance(b, b / total, rest, total * rest, -excess);
        let ln = self.ln_constant - ln_gamma_over_power(a) - ln_gamma_over_power(b) - away;
        libm::sqrt(total.max(1.0) / a.max(1.0) / b.max(1.0)) * libm::exp(ln)
    }

    /// The sum of the terms from `start` to `end - 1`, given the first.
    fn upwards(&self, first: f64, start: u64, end: u64) -> f64 {
        let odds = self.t / self.rest.value();
        let (mut term, mut sum) = (first, first);
        for x in start..end - 1 {
            let ratio = (self.alpha[1] + (self.n - 1 - x) as f64) / (self.alpha[0] + (x + 1) as f64);
            term *= odds * ratio;
            sum += term;
        }
        sum
    }

    /// The sum of the terms from `start` to `end - 1`, given the last.
    fn downwards(&self, last: f64, start: u64, end: u64) -> f64 {
        let odds = self.rest.value() / self.t;
        let (mut term, mut sum) = (last, last);
        for x in (start + 1..end).rev() {
            let ratio = (self.alpha[0] + x as f64) / (self.alpha[1] + (self.n - x) as f64);
            term *= odds * ratio;
            sum += term;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values by mpmath with 60 to 400 digits: the sum over the steps, with `loggamma` for the first.
    #[test]
    fn golden_values() {
        for (alpha, n, c, r, exact) in GOLDEN {
            let found = tv_of_two(alpha, n, c, r);
            assert!((found - exact).abs() < 2f64.powi(-43), "{alpha:?} {n} {c} {r}: {found}, not {exact}");
        }
    }

    const GOLDEN: [([f64; 2], u64, u64, u64, f64); 10] = [
        ([1.0, 1.0], 1000000, 500000, 500700, 0.5160725654999831),
        ([1e-300, 0.5], 10000, 0, 1, 1.0),
        ([1e-20, 2.0], 1000000, 1, 0, 1.0),
        ([0.5, 1000000000000000.0], 1000000, 3, 40, 0.9999893769402765),
        ([1.0, 1.0], 1000000000000, 500000000000, 500000300000, 0.2358228443777838),
        ([1e-300, 1e-300], 9, 0, 9, 1.0),
        ([1e-150, 7000000000000000.0], 5, 0, 3, 1.0),
        ([1e-05, 1e-05], 50, 10, 11, 0.1401742788336866),
        ([4000000000000000.0, 4000000000000000.0], 1000000000000, 0, 100000, 0.0008920061305798027),
        ([1e-12, 3.0], 40, 0, 7, 0.9999999999974671),
    ];
}
