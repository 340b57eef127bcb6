//! Exact critical values of the binomial law.

/// The counts that a test accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least count that is accepted.
    pub low: u64,
    /// The greatest count that is accepted.
    pub high: u64,
}

/// The narrowest interval outside which a Bin(n, p) variable falls with probability at most `rate/2` on either side.
///
/// The probabilities are computed from the mode outwards by their exact ratios and divided by their sum, so that
/// rounding is the only approximation.
#[must_use]
pub fn critical_interval(n: u64, p: f64, rate: f64) -> Interval {
    if p <= 0.0 {
        return Interval { low: 0, high: 0 };
    }
    if p >= 1.0 {
        return Interval { low: n, high: n };
    }
    let mode = (((n + 1) as f64) * p).floor().min(n as f64) as u64;
    let odds = p / (1.0 - p);
    // Weights relative to the mode: below[i] is that of mode - 1 - i, above[i] that of mode + 1 + i.
    let walk = |mut x: u64, up: bool| {
        let mut weights = Vec::new();
        let mut weight = 1.0_f64;
        while weight > 1e-40 && (if up { x < n } else { x > 0 }) {
            if up {
                weight *= (n - x) as f64 / (x + 1) as f64 * odds;
                x += 1;
            } else {
                weight *= x as f64 / (n - x + 1) as f64 / odds;
                x -= 1;
            }
            weights.push(weight);
        }
        weights
    };
    let (below, above) = (walk(mode, false), walk(mode, true));
    let total = 1.0 + below.iter().rev().sum::<f64>() + above.iter().rev().sum::<f64>();
    // The number of outermost values whose probabilities together stay within half the rate.
    let extreme = |weights: &[f64]| {
        let mut tail = 0.0;
        weights
            .iter()
            .rev()
            .take_while(|&&weight| {
                tail += weight / total;
                tail <= rate / 2.0
            })
            .count() as u64
    };
    let (low_tail, high_tail) = (extreme(&below), extreme(&above));
    Interval { low: mode - (below.len() as u64 - low_tail), high: mode + (above.len() as u64 - high_tail) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by hand: Bin(3, 1/2) has P(0) = P(3) = 1/8.
    #[test]
    fn small_cases() {
        assert_eq!(critical_interval(3, 0.5, 0.26), Interval { low: 1, high: 2 });
        assert_eq!(critical_interval(3, 0.5, 0.24), Interval { low: 0, high: 3 });
        assert_eq!(critical_interval(5, 0.0, 0.1), Interval { low: 0, high: 0 });
        assert_eq!(critical_interval(5, 1.0, 0.1), Interval { low: 5, high: 5 });
    }

    /// Sums the law directly. If this fails, the interval is too narrow for the rate, or wider than needed.
    #[test]
    fn the_rate_is_kept_and_used() {
        for (n, p) in [(40, 0.3), (100, 0.01), (25, 0.9)] {
            let mut law = vec![(1.0_f64 - p).powi(n)];
            for x in 0..n {
                law.push(law[x as usize] * f64::from(n - x) / f64::from(x + 1) * p / (1.0 - p));
            }
            for rate in [0.2, 1e-3, 1e-6] {
                let Interval { low, high } = critical_interval(n as u64, p, rate);
                let below = |x: u64| law[..x as usize].iter().sum::<f64>();
                let above = |x: u64| law[x as usize + 1..].iter().sum::<f64>();
                assert!(below(low) <= rate / 2.0 && above(high) <= rate / 2.0);
                assert!(
                    below(low + 1) > rate / 2.0 && above(high - 1) > rate / 2.0,
                    "n {n} p {p} rate {rate}"
                );
            }
        }
    }
}
