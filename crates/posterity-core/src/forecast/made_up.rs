//! Made-up data from the prior.

use crate::special::beta;

/// Up to this many records the law of the counts is the exact one.
const MAX_EXACT_RECORDS: u64 = 2_000;

/// Counts of n records that stand for this point of the unit cube, if theta is drawn from the prior with these
/// parameters and the records from theta. One coordinate for each category but the last.
///
/// The count of each category, given those before it, is a quantile of its law, which is Beta-binomial. From 2,001
/// records on that law is replaced by the Beta distribution with the same mean and variance.
///
/// ```
/// use posterity_core::forecast::made_up_counts;
/// // Under the uniform prior every number of successes is as likely as any other.
/// assert_eq!(made_up_counts(&[1.0, 1.0], 9, &[0.55]), [5, 4]);
/// ```
#[must_use]
pub fn made_up_counts(prior: &[f64], n: u64, point: &[f64]) -> Vec<u64> {
    let mut left = n;
    let mut counts = Vec::with_capacity(prior.len());
    let rests = sums_behind(prior);
    for ((&alpha, &rest), &unit) in prior.iter().zip(&rests).zip(point).take(prior.len().saturating_sub(1)) {
        let count = match left {
            0 => 0,
            1..=MAX_EXACT_RECORDS => quantile(alpha, rest, left, unit),
            _ => smooth(alpha, rest, left, unit),
        };
        counts.push(count);
        left -= count;
    }
    counts.push(left);
    counts
}

/// For each parameter, the sum of those behind it.
fn sums_behind(prior: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; prior.len()];
    for i in (1..prior.len()).rev() {
        sums[i - 1] = sums[i] + prior[i];
    }
    sums
}

/// The smallest count with `P(C <= count) > unit` for a Beta-binomial C.
fn quantile(alpha: f64, rest: f64, n: u64, unit: f64) -> u64 {
    // P(c + 1)/P(c) = (n - c)/(c + 1) (alpha + c)/(rest + n - c - 1). Sums begin at a count near the mean, so that
    // nothing that matters underflows.
    let total = n as f64;
    let ratio = |c: u64| {
        let c = c as f64;
        (total - c) / (c + 1.0) * (alpha + c) / (rest + total - c - 1.0)
    };
    let middle = (total * alpha / (alpha + rest)) as u64;
    let mut weights = vec![1.0; n as usize + 1];
    for c in middle..n {
        weights[c as usize + 1] = weights[c as usize] * ratio(c);
    }
    for c in (0..middle).rev() {
        weights[c as usize] = weights[c as usize + 1] / ratio(c);
    }
    let wanted = unit * weights.iter().sum::<f64>();
    let mut sum = 0.0;
    let below = weights.iter().take_while(|weight| {
        sum += *weight;
        sum <= wanted
    });
    (below.count() as u64).min(n)
}

/// The same for many records, by the Beta distribution whose n-fold has the variance of C, `n p q (n + A)/(A + 1)`.
fn smooth(alpha: f64, rest: f64, n: u64, unit: f64) -> u64 {
    let total = n as f64;
    let sum = alpha + rest;
    let scale = (total - 1.0) / (total + sum);
    let share = beta::quantile(unit, alpha * scale, rest * scale);
    ((share * (total + 1.0)) as u64).min(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::prior_predictive;
    use crate::model::Prior;

    /// Every count takes the share of the unit interval that is its probability.
    #[test]
    fn quantiles_follow_the_prior_predictive_law() {
        for prior in [[1.0, 1.0], [0.5, 2.0], [30.0, 4.0]] {
            let (n, steps) = (9, 20_000);
            let mut seen = [0.0; 10];
            for step in 0..steps {
                let unit = (f64::from(step) + 0.5) / f64::from(steps);
                seen[made_up_counts(&prior, n, &[unit])[0] as usize] += 1.0 / f64::from(steps);
            }
            let prior = Prior::new(prior.to_vec()).expect("valid");
            for (count, found) in (0..).zip(seen) {
                let expected = prior_predictive(&prior, &[count, n - count]);
                assert!((found - expected).abs() < 1.01 / f64::from(steps), "{count}: {found} {expected}");
            }
        }
    }

    /// Where the law is replaced, its quantiles change by little in units of its deviation.
    #[test]
    fn many_records_are_drawn_nearly_alike() {
        let n = MAX_EXACT_RECORDS;
        for (alpha, rest) in [(1.0, 1.0), (0.5, 1.5), (1.0, 4.0), (40.0, 60.0), (500.0, 900.0)] {
            let p = alpha / (alpha + rest);
            let deviation =
                libm::sqrt(n as f64 * p * (1.0 - p) * (n as f64 + alpha + rest) / (alpha + rest + 1.0));
            for unit in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
                let [exact, near] = [quantile(alpha, rest, n, unit), smooth(alpha, rest, n, unit)];
                let gap = exact.abs_diff(near) as f64 / deviation;
                assert!(gap < 0.02_f64.max(1.01 / deviation), "{alpha} {rest} {unit}: {exact} {near}");
            }
        }
    }

    #[test]
    fn counts_sum_to_n() {
        for n in [1, 17, 5_000, 1_000_000_000_000] {
            let counts = made_up_counts(&[1.0, 0.5, 2.0], n, &[0.999, 0.2]);
            assert_eq!((counts.len(), counts.iter().sum::<u64>()), (3, n));
        }
    }
}
