//! Mixtures of Beta distributions whose two parameters have the same sum.

use std::sync::Arc;

use super::solve::{Look, Tail, guess, solve};
use crate::model::{Beta, LevelError, interval_level};
use crate::special::Sum;
use crate::special::beta::{cdf, ln_density, sf};

/// The distribution of one category's probability when its count is uncertain: the count is c with probability `p_c`,
/// and then the probability has the distribution Beta(alpha + c, N - alpha - c).
///
/// Neighbouring components differ by one term: `I_x(a, b) - I_x(a+1, b-1) = t(a)`, where `N t(a)` is the density of
/// Beta(a+1, b) at x. So the sum over all components needs only one incomplete beta function:
/// `F(x) = I_x(a_last, b_last) + sum_c Q_c t(a_c)`, with `Q_c = sum_{c' <= c} p_{c'}`, all terms positive.
#[derive(Clone, Debug, PartialEq)]
pub struct BetaMixture {
    alpha: f64,
    /// The sum of the prior parameters of the other categories.
    rest: f64,
    /// n minus the first count.
    left: u64,
    first: u64,
    // Categories with the same evidence share these.
    weights: Arc<[f64]>,
    /// `Q_c` and `1 - Q_c`.
    below: Arc<[f64]>,
    above: Arc<[f64]>,
}

impl BetaMixture {
    /// The mixture over the counts from `first` on with these probabilities, which sum to one. There are `n` records in
    /// all, and `rest` is the sum of the prior parameters of the other categories.
    pub(crate) fn new(alpha: f64, rest: f64, n: u64, first: u64, weights: Vec<f64>) -> Self {
        let sums = |values: &mut dyn Iterator<Item = &f64>| {
            let mut sum = Sum::default();
            values
                .map(|&value| {
                    sum.add(value);
                    sum.value()
                })
                .collect::<Vec<f64>>()
        };
        let below = sums(&mut weights.iter());
        // The probability of all counts after this one.
        let mut above = sums(&mut weights.iter().rev());
        above.reverse();
        above.remove(0);
        above.push(0.0);
        let (weights, below, above) = (weights.into(), below.into(), above.into());
        Self { alpha, rest, left: n - first, first, weights, below, above }
    }

    /// The possible counts of the category with their probabilities. Counts of negligible probability are left out.
    pub fn counts(&self) -> impl Iterator<Item = (u64, f64)> {
        (0..).zip(self.weights.iter()).map(|(index, &weight)| (self.first + index, weight))
    }

    /// The number of possible counts.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The first count and the number of counts, without the ends that weigh less than `negligible` each.
    pub(crate) fn range_up(&self, negligible: f64) -> (u64, usize) {
        let front = self.below.partition_point(|&below| below < negligible).min(self.weights.len() - 1);
        let last =
            self.above.partition_point(|&above| above > negligible).min(self.weights.len() - 1).max(front);
        (self.first + front as u64, last - front + 1)
    }

    /// The expected count.
    #[must_use]
    pub fn mean_count(&self) -> f64 {
        self.first as f64 + self.mean_index()
    }

    /// The expected probability of the category: `(alpha + E c)/N`.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.a(self.mean_index()) / self.total()
    }

    /// The variance of the category's probability: the average variance of the components plus the variance of their
    /// means.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let total = self.total();
        let mean = self.mean_index();
        let terms = (0..).zip(self.weights.iter()).map(|(index, &weight)| {
            let index = f64::from(index);
            let (a, b) = (self.a(index), self.b(index));
            let shift = (index - mean) / total;
            weight * (a / total * (b / total) / (total + 1.0) + shift * shift)
        });
        terms.collect::<Sum>().value()
    }

    /// The density at `x`.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        if x <= 0.0 || x >= 1.0 {
            let ends = (0..).zip(self.weights.iter()).filter(|(_, weight)| **weight > 0.0);
            return ends
                .map(|(i, &w)| w * libm::exp(ln_density(x, self.a(f64::from(i)), self.b(f64::from(i)))))
                .sum();
        }
        // The ratio of neighbouring densities, Beta(a+1, b-1) over Beta(a, b), is (b-1)/a times the odds.
        let odds = x / (1.0 - x);
        let start = self.index_near(self.total() * x - self.alpha, self.weights.len());
        let term = libm::exp(ln_density(x, self.a(start as f64), self.b(start as f64)));
        self.sum_from(start, term, &self.weights, |index| (self.b(index) - 1.0) / self.a(index) * odds)
    }

    /// The probability of at most `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        let last = (self.weights.len() - 1) as f64;
        let end = cdf(x, self.a(last), self.b(last));
        if x <= 0.0 || x >= 1.0 { end } else { (end + self.steps(x, &self.below)).min(1.0) }
    }

    /// The probability of more than `x`.
    #[must_use]
    pub fn sf(&self, x: f64) -> f64 {
        let end = sf(x, self.a(0.0), self.b(0.0));
        if x <= 0.0 || x >= 1.0 { end } else { (end + self.steps(x, &self.above)).min(1.0) }
    }

    /// The value with probability `p` below it.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        self.solve(p, Tail::Lower)
    }

    /// The value with probability `p` above it.
    #[must_use]
    pub fn upper_quantile(&self, p: f64) -> f64 {
        self.solve(p, Tail::Upper)
    }

    /// The interval that has probability `level`, with equal probability on either side of it.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<(f64, f64), LevelError> {
        let tail = 0.5 * (1.0 - interval_level(level)?);
        Ok((self.quantile(tail), self.upper_quantile(tail)))
    }

    fn solve(&self, p: f64, tail: Tail) -> f64 {
        solve(p, tail, guess(p, tail, self.mean(), self.variance()), |x| self.look(x, tail))
    }

    /// `N`, the sum of the two parameters of every component.
    fn total(&self) -> f64 {
        self.a(0.0) + self.b(0.0)
    }

    fn a(&self, index: f64) -> f64 {
        // Add the whole numbers first. Their sum is exact, and the parameter may be far below one.
        self.alpha + (self.first as f64 + index)
    }

    fn b(&self, index: f64) -> f64 {
        self.rest + (self.left as f64 - index)
    }

    fn mean_index(&self) -> f64 {
        (0..)
            .zip(self.weights.iter())
            .map(|(index, weight)| f64::from(index) * weight)
            .collect::<Sum>()
            .value()
    }

    /// The index of the count nearest to this one among the first `length`.
    fn index_near(&self, count: f64, length: usize) -> usize {
        // The cast saturates.
        ((count - self.first as f64).max(0.0) as usize).min(length - 1)
    }

    /// `sum_c shares_c t(a_c)` over all components but the last.
    fn steps(&self, x: f64, shares: &[f64]) -> f64 {
        let length = self.weights.len() - 1;
        if length == 0 {
            return 0.0;
        }
        let odds = x / (1.0 - x);
        let start = self.index_near(self.total() * x - self.alpha, length);
        let (a, b) = (self.a(start as f64), self.b(start as f64));
        let term = libm::exp(ln_density(x, a + 1.0, b)) / self.total();
        self.sum_from(start, term, &shares[..length], |index| {
            (self.b(index) - 1.0) / (self.a(index) + 1.0) * odds
        })
    }

    /// `sum_i shares_i term_i`, given one term near the largest and the ratio of each term to the one before. The
    /// ratios decrease.
    fn sum_from(&self, start: usize, term: f64, shares: &[f64], ratio: impl Fn(f64) -> f64) -> f64 {
        let nothing = term * 1e-25;
        let mut sum = Sum::default();
        let mut up = term;
        for (index, share) in shares.iter().enumerate().skip(start) {
            sum.add(share * up);
            up *= ratio(index as f64);
            if up < nothing {
                break;
            }
        }
        let mut down = term;
        for (index, share) in shares[..start].iter().enumerate().rev() {
            down /= ratio(index as f64);
            if down < nothing {
                break;
            }
            sum.add(share * down);
        }
        sum.value()
    }

    /// One tail at an inner point, with its first two derivatives in log-odds, from one pass over the components.
    ///
    /// With `g_c` the density of a component in log-odds, `g_c' = (a_c - N x) g_c` and `g_c = a_c (1-x) t_c`.
    pub(crate) fn look(&self, x: f64, tail: Tail) -> Look {
        let last = self.weights.len() - 1;
        let shares = if tail == Tail::Lower { &self.below } else { &self.above };
        let (odds, total) = (x / (1.0 - x), self.total());
        let start = self.index_near(total * x - self.alpha, last + 1);
        let term = libm::exp(ln_density(x, self.a(start as f64) + 1.0, self.b(start as f64))) / total;
        let nothing = term * 1e-25;
        let (mut sum, mut density, mut slope) = (Sum::default(), 0.0, 0.0);
        let mut add = |index: usize, term: f64| {
            // The tail of the end is that of the last component.
            if index < last {
                sum.add(shares[index] * term);
            }
            let a = self.a(index as f64);
            let part = self.weights[index] * a * term;
            density += part;
            slope += part * (a - total * x);
        };
        let mut up = term;
        for index in start..=last {
            add(index, up);
            if index == last {
                break;
            }
            up *= (self.b(index as f64) - 1.0) / (self.a(index as f64) + 1.0) * odds;
            if up < nothing {
                break;
            }
        }
        let mut down = term;
        for index in (0..start).rev() {
            down *= (self.a(index as f64) + 1.0) / ((self.b(index as f64) - 1.0) * odds);
            if down < nothing {
                break;
            }
            add(index, down);
        }
        // The terms at both ends, or more.
        let end = self.end(x, tail, [down.max(nothing), up.max(nothing)], 1e-18 * sum.value());
        Look { mass: (end + sum.value()).min(1.0), density: density * (1.0 - x), slope: slope * (1.0 - x) }
    }

    /// The tail of the component at the end of the mixture; zero if it is below `negligible`. By the series of [`cdf`],
    /// `I_x(a, b) <= t(a)/(1 - N x/(a+1))` where the denominator is positive, and by symmetry the same for the other
    /// tail, with `t(a) a (1-x) / (b x)` in place of `t(a)`. `terms` are bounds on `t` of the first and the last
    /// component.
    fn end(&self, x: f64, tail: Tail, terms: [f64; 2], negligible: f64) -> f64 {
        let last = (self.weights.len() - 1) as f64;
        let (rest, bound) = match tail {
            Tail::Lower => (1.0 - self.total() * x / (self.a(last) + 1.0), terms[1]),
            Tail::Upper => {
                let (a, b, y) = (self.a(0.0), self.b(0.0), 1.0 - x);
                (1.0 - self.total() * y / (b + 1.0), terms[0] * a * y / (b * x))
            }
        };
        if rest > 0.0 && bound <= negligible * rest {
            return 0.0;
        }
        match tail {
            Tail::Lower => cdf(x, self.a(last), self.b(last)),
            Tail::Upper => sf(x, self.a(0.0), self.b(0.0)),
        }
    }
}

/// Access to single components.
impl BetaMixture {
    /// The component of a count.
    #[must_use]
    pub fn component(&self, count: u64) -> Beta {
        let index = count as f64 - self.first as f64;
        Beta::new(self.a(index), self.b(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixtures() -> Vec<BetaMixture> {
        let hat = |length: u32| -> Vec<f64> {
            let raw: Vec<f64> = (1..=length).map(|i| f64::from(i * (length + 1 - i))).collect();
            let total: f64 = raw.iter().sum();
            raw.iter().map(|value| value / total).collect()
        };
        vec![
            BetaMixture::new(1.0, 2.0, 10, 4, vec![1.0]),
            BetaMixture::new(1.0, 2.0, 10, 0, hat(11)),
            BetaMixture::new(0.05, 0.05, 30, 0, hat(31)),
            BetaMixture::new(0.5, 7.0, 500, 120, hat(90)),
            BetaMixture::new(1.0, 1.0, 1_000_000, 299_000, hat(3_000)),
            BetaMixture::new(3.0, 1e-3, 40, 10, hat(31)),
        ]
    }

    /// Compares with the sum over all components, each with its own incomplete beta function.
    #[test]
    fn agrees_with_the_sum_over_its_components() {
        for mixture in mixtures() {
            let mean = mixture.mean();
            for x in [
                mean,
                0.5 * mean,
                0.9 * mean,
                0.999 * mean,
                mean + 0.3 * (1.0 - mean),
                1.001 * mean,
                1e-6,
                0.999,
            ] {
                if x >= 1.0 {
                    continue;
                }
                let sum = |f: &dyn Fn(Beta) -> f64| {
                    mixture
                        .counts()
                        .map(|(count, weight)| weight * f(mixture.component(count)))
                        .collect::<Sum>()
                        .value()
                };
                for (found, expected) in [
                    (mixture.cdf(x), sum(&|beta| beta.cdf(x))),
                    (mixture.sf(x), sum(&|beta| crate::special::beta::sf(x, beta.a(), beta.b()))),
                    (mixture.density(x), sum(&|beta| beta.density(x))),
                ] {
                    let scale = expected.abs().max(1e-30);
                    assert!((found - expected).abs() < 1e-10 * scale, "{x}: {found} {expected}");
                }
            }
            let mean = mixture
                .counts()
                .map(|(count, weight)| {
                    let b = mixture.component(count);
                    weight * b.a() / (b.a() + b.b())
                })
                .sum::<f64>();
            assert!((mixture.mean() / mean - 1.0).abs() < 1e-12);
        }
    }

    /// The second moment is the average of `a(a+1)/(N(N+1))` over the components.
    #[test]
    fn variance_is_the_second_moment_less_the_squared_mean() {
        for mixture in mixtures().into_iter().filter(|mixture| mixture.total() < 1e3) {
            let second: f64 = mixture
                .counts()
                .map(|(count, weight)| {
                    let beta = mixture.component(count);
                    let total = beta.a() + beta.b();
                    weight * beta.a() * (beta.a() + 1.0) / (total * (total + 1.0))
                })
                .sum();
            let expected = second - mixture.mean().powi(2);
            assert!((mixture.variance() / expected - 1.0).abs() < 1e-10);
        }
    }

    /// With parameters so small that almost all mass lies at the ends, quantiles are 0 or 1, and nothing panics.
    #[test]
    fn quantiles_at_the_ends() {
        for alpha in [1e-300, 1e-20, 1e-17, 1e-5] {
            let mixture = BetaMixture::new(alpha, alpha, 1, 0, vec![0.5, 0.5]);
            for (p, expected) in [(0.025, 0.0), (0.4, 0.0), (0.6, 1.0), (0.975, 1.0)] {
                assert!(
                    (mixture.quantile(p) - expected).abs() < 1e-9,
                    "alpha {alpha} p {p}: {}",
                    mixture.quantile(p)
                );
                let upper = mixture.upper_quantile(1.0 - p);
                assert!((upper - expected).abs() < 1e-9, "alpha {alpha} p {p}: {upper}");
            }
        }
    }

    #[test]
    fn quantiles_invert_both_tails() {
        for mixture in mixtures() {
            for p in [1e-9, 0.025, 0.3, 0.5, 0.8, 0.999] {
                let (low, high) = (mixture.quantile(p), mixture.upper_quantile(p));
                if low > 1e-290 && low < 1.0 - 1e-9 {
                    assert!((mixture.cdf(low) / p - 1.0).abs() < 1e-9, "p {p}: {low}");
                }
                if high > 1e-290 && high < 1.0 - 1e-9 {
                    assert!(
                        (mixture.sf(high) / p - 1.0).abs() < 1e-3_f64.min(1e-9 + 1e-14 / (1.0 - high)),
                        "p {p}: {high}"
                    );
                }
            }
            let (low, high) = mixture.interval(0.9).expect("a level");
            assert!(low < mixture.mean() && mixture.mean() < high);
            assert!(mixture.interval(1.0).is_err());
        }
    }
}
