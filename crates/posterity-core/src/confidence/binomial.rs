//! Sums over binomial counts.

use crate::special::Sum;
use crate::special::beta::{cdf, ln_density};

/// `E h(C)` for `C ~ Bin(n, p)` and an increasing h that is 0 below `low` and 1 above `high`. Counts whose probability
/// is below 1e-12 are left out.
pub(super) fn expectation(n: u64, p: f64, low: i64, high: i64, h: impl Fn(u64) -> f64) -> f64 {
    if p <= 0.0 || p >= 1.0 {
        return inside(if p <= 0.0 { 0 } else { n }, low, high, h);
    }
    let mode = (((n as f64 + 1.0) * p) as u64).min(n);
    let spread = 7.5 * libm::sqrt(n as f64 * p * (1.0 - p)) + 20.0;
    let (first, last) = (mode.saturating_sub(spread as u64), mode.saturating_add(spread as u64).min(n));
    if low > last as i64 {
        return 0.0;
    }
    if high < first as i64 {
        return 1.0;
    }
    // Both ends are between 0 and n.
    let from = low.max(first as i64) as u64;
    let to = high.min(last as i64) as u64;
    let above = if to < last { cdf(p, to as f64 + 1.0, (n - to) as f64) } else { 0.0 };
    if from > to {
        return above;
    }
    let anchor = mode.clamp(from, to);
    let largest = libm::exp(ln_density(p, anchor as f64 + 1.0, (n - anchor) as f64 + 1.0)) / (n as f64 + 1.0);
    let odds = p / (1.0 - p);
    let mut sum = Sum::default();
    let mut weight = largest;
    for count in anchor..=to {
        sum.add(weight * h(count));
        weight *= (n - count) as f64 / (count + 1) as f64 * odds;
    }
    weight = largest;
    for count in (from..anchor).rev() {
        weight *= (count + 1) as f64 / ((n - count) as f64 * odds);
        sum.add(weight * h(count));
    }
    sum.add(above);
    sum.value()
}

fn inside(count: u64, low: i64, high: i64, h: impl Fn(u64) -> f64) -> f64 {
    match count as i64 {
        count if count < low => 0.0,
        count if count > high => 1.0,
        _ => h(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::ln_binomial;

    /// If this fails, a window or the tail above it is wrong.
    #[test]
    fn expectations_are_sums_over_all_counts() {
        for n in [1_u64, 7, 60, 900] {
            for p in [0.0, 1e-9, 0.01, 0.3, 0.5, 0.97, 1.0] {
                for (low, high) in [(-5, 3), (0, n as i64), (2, 2), (n as i64 / 3, n as i64 / 2), (-9, -4)] {
                    let h = |c: u64| (c as f64 - low as f64 + 1.0) / ((high - low) as f64 + 2.0);
                    let weight = |c: u64| {
                        let ln = if c == 0 { 0.0 } else { c as f64 * f64::ln(p) };
                        let rest = if c == n { 0.0 } else { (n - c) as f64 * f64::ln_1p(-p) };
                        (ln_binomial(n, c) + ln + rest).exp()
                    };
                    let all: f64 = (0..=n).map(|c| weight(c) * inside(c, low, high, h)).sum();
                    let found = expectation(n, p, low, high, h);
                    assert!((found - all).abs() < 1e-11, "{n} {p} {low} {high}: {found} {all}");
                }
            }
        }
    }
}
