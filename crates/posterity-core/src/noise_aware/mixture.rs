//! Mixtures of Beta distributions whose first parameters are neighbours.

use std::sync::Arc;

use super::solve::{Look, Tail, guess, solve};
use crate::model::{Beta, LevelError, interval_level};
use crate::special::beta::{cdf, ln_density, sf};
use crate::special::lanes::long_sum_by_place;
use crate::special::{BlockSum, Sum};

/// The distribution of one category's probability when its count is uncertain: the count is c with probability `p_c`,
/// and then the probability has the distribution Beta(alpha + c, b_c). Either the sum N of both parameters is the same
/// for all counts, because the number of records is known, or the second parameter is.
///
/// Neighbouring components differ by one term: `I_x(a, b) - I_x(a+1, b-1) = t(a)`, where `N t(a)` is the density of
/// Beta(a+1, b) at x, and `I_x(a, b) - I_x(a+1, b) = (1-x) t(a)` with `N = a + b`. So the sum over all components needs
/// only one incomplete beta function: `F(x) = I_x(a_last, b_last) + sum_c Q_c t(a_c)`, with `Q_c = sum_{c' <= c} p_{c'}`,
/// all terms positive; likewise with `(1-x) t`.
#[derive(Clone, Debug, PartialEq)]
pub struct BetaMixture {
    alpha: f64,
    /// The sum of the prior parameters of the other categories.
    rest: f64,
    /// The count of the other categories at the first count.
    left: f64,
    first: u64,
    same: Same,
    // Categories with the same evidence share these.
    weights: Arc<[f64]>,
    /// `Q_c` and the weight of all counts after c.
    below: Arc<[f64]>,
    above: Arc<[f64]>,
    /// The expected count less the first one.
    mean_index: f64,
}

/// What all components have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    /// The sum of both parameters.
    Sum,
    /// The second parameter.
    Second,
}

impl BetaMixture {
    /// The mixture over the counts from `first` on with these probabilities, which sum to one. There are `n` records in
    /// all, and `rest` is the sum of the prior parameters of the other categories.
    pub(crate) fn new(alpha: f64, rest: f64, n: u64, first: u64, weights: Vec<f64>) -> Self {
        Self::of(alpha, rest, (n - first) as f64, Same::Sum, first, weights)
    }

    /// The part of a larger mixture in which the other categories have this count, which need not be whole. The weights
    /// need not sum to one.
    pub(crate) fn beside(alpha: f64, rest: f64, others: f64, first: u64, weights: Vec<f64>) -> Self {
        Self::of(alpha, rest, others, Same::Second, first, weights)
    }

    fn of(alpha: f64, rest: f64, left: f64, same: Same, first: u64, weights: Vec<f64>) -> Self {
        let below: Vec<f64> = running(same, weights.iter()).collect();
        // The weight of all counts after this one.
        let mut above = Vec::with_capacity(weights.len());
        above.push(0.0);
        above.extend(running(same, weights[1..].iter().rev()));
        above.reverse();
        let mean_index = long_sum_by_place(&weights, |index, weight| index * weight);
        let (weights, below, above) = (weights.into(), below.into(), above.into());
        Self { alpha, rest, left, first, same, weights, below, above, mean_index }
    }

    /// The sum of all weights: one, or less for a part of a larger mixture.
    pub(crate) fn weight(&self) -> f64 {
        match self.same {
            Same::Sum => 1.0,
            Same::Second => self.below[self.below.len() - 1],
        }
    }

    /// The possible counts of the category with their probabilities. Counts of negligible probability are left out.
    pub fn counts(&self) -> impl Iterator<Item = (u64, f64)> {
        (0..).zip(self.weights.iter()).map(|(index, &weight)| (self.first + index, weight))
    }

    /// The count below which this share of the weight lies.
    pub(crate) fn count_at(&self, share: f64) -> u64 {
        let index = self.below.partition_point(|&below| below < share).min(self.weights.len() - 1);
        self.first + index as u64
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
        self.first as f64 + self.mean_index
    }

    /// The expected probability of the category, times the weight of the mixture.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match self.same {
            Same::Sum => self.a(self.mean_index) / self.total(0.0),
            Same::Second => self.expected(|mean, _| mean),
        }
    }

    /// The variance of the category's probability: the average variance of the components plus the variance of their
    /// means.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.moments()[1]
    }

    /// The expected square of the distance from a point, times the weight of the mixture.
    pub(crate) fn square_from(&self, point: f64) -> f64 {
        match self.same {
            Same::Sum => {
                let (total, center, mean) = (self.total(0.0), self.mean_index, self.mean());
                let square = |index: f64, weight: f64| weight * (index - center) * (index - center);
                let spread = long_sum_by_place(&self.weights, square) / (total * total);
                // The average of m (1 - m) over the means m of the components, and the square of their distance from the point.
                let away = mean - point;
                (mean * (1.0 - mean) - spread) / (total + 1.0) + spread + away * away
            }
            Same::Second => self.expected(|mean, total| {
                mean * (1.0 - mean) / (total + 1.0) + (mean - point) * (mean - point)
            }),
        }
    }

    /// The expected probability and the expected square of its distance from a point, times the weight of this part of a
    /// larger mixture, in one pass.
    pub(crate) fn moments_from(&self, point: f64) -> [f64; 2] {
        let (mut mean, mut square) = (BlockSum::default(), BlockSum::default());
        for (index, &weight) in (0..).zip(self.weights.iter()) {
            let (a, total) = (self.a(f64::from(index)), self.total(f64::from(index)));
            // One division for both.
            let inverse = 1.0 / (total * (total + 1.0));
            let of_one = a * (total + 1.0) * inverse;
            let away = of_one - point;
            mean.add(weight * of_one);
            square.add(weight * (of_one * (1.0 - of_one) * total * inverse + away * away));
        }
        [mean.value(), square.value()]
    }

    /// The weighted sum of a function of the mean and of the sum of both parameters of each component.
    fn expected(&self, of: impl Fn(f64, f64) -> f64) -> f64 {
        let terms = (0..).zip(self.weights.iter()).map(|(index, &weight)| {
            let (a, total) = (self.a(f64::from(index)), self.total(f64::from(index)));
            weight * of(a / total, total)
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
        self.look(x, Tail::Lower).density / (x * (1.0 - x))
    }

    /// The probability of at most `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        self.tail(x, Tail::Lower)
    }

    /// The probability of more than `x`.
    #[must_use]
    pub fn sf(&self, x: f64) -> f64 {
        self.tail(x, Tail::Upper)
    }

    fn tail(&self, x: f64, tail: Tail) -> f64 {
        match tail {
            _ if x > 0.0 && x < 1.0 => self.look(x, tail).mass,
            Tail::Lower if x <= 0.0 => 0.0,
            Tail::Upper if x >= 1.0 => 0.0,
            _ => self.weight(),
        }
    }

    /// The value with probability `p` below it.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        self.solve(p, Tail::Lower, self.moments())
    }

    /// The value with probability `p` above it.
    #[must_use]
    pub fn upper_quantile(&self, p: f64) -> f64 {
        self.solve(p, Tail::Upper, self.moments())
    }

    /// The interval that has probability `level`, with equal probability on either side of it.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<(f64, f64), LevelError> {
        let tail = 0.5 * (1.0 - interval_level(level)?);
        let moments = self.moments();
        Ok((self.solve(tail, Tail::Lower, moments), self.solve(tail, Tail::Upper, moments)))
    }

    /// The mean and the variance.
    fn moments(&self) -> [f64; 2] {
        let mean = self.mean();
        [mean, self.square_from(mean)]
    }

    fn solve(&self, p: f64, tail: Tail, [mean, variance]: [f64; 2]) -> f64 {
        solve(p, tail, guess(p, tail, mean, variance), |x| self.look(x, tail))
    }

    /// The sum of the two parameters of a component.
    fn total(&self, index: f64) -> f64 {
        match self.same {
            // The same for every component, to the last digit.
            Same::Sum => self.a(0.0) + self.b(0.0),
            Same::Second => self.a(index) + self.b(index),
        }
    }

    fn a(&self, index: f64) -> f64 {
        // Add the whole numbers first. Their sum is exact, and the parameter may be far below one.
        self.alpha + (self.first as f64 + index)
    }

    fn b(&self, index: f64) -> f64 {
        match self.same {
            Same::Sum => self.rest + (self.left - index),
            Same::Second => self.rest + self.left,
        }
    }

    /// The index of the component with the largest term at `x`, or next to it.
    fn largest_at(&self, x: f64) -> usize {
        let a = match self.same {
            Same::Sum => self.total(0.0) * x,
            Same::Second => self.b(0.0) * x / (1.0 - x),
        };
        // The cast saturates.
        ((a - self.alpha - self.first as f64).max(0.0) as usize).min(self.weights.len() - 1)
    }

    /// By how much the next component's tail at `x` differs.
    fn term(&self, index: f64, x: f64) -> f64 {
        let term = libm::exp(ln_density(x, self.a(index) + 1.0, self.b(index))) / self.total(index);
        if self.same == Same::Sum { term } else { term * (1.0 - x) }
    }

    /// One tail at an inner point, with its first two derivatives in log-odds, from one pass over the components.
    ///
    /// With `g_c` the density of a component in log-odds, `g_c' = (a_c - N_c x) g_c` and `g_c = a_c (1-x) t_c`.
    pub(crate) fn look(&self, x: f64, tail: Tail) -> Look {
        let shares = if tail == Tail::Lower { &self.below } else { &self.above };
        let (pass, ends) = match self.same {
            Same::Sum => {
                let (all, total) = (self.first as f64 + self.left, self.total(0.0));
                let ratio = |count: f64, a: f64| (self.rest + (all - count) - 1.0, a + 1.0);
                self.pass(x, shares, x / (1.0 - x), ratio, |_| total)
            }
            Same::Second => {
                let b = self.b(0.0);
                self.pass(x, shares, x, |_, a| (a + b, a + 1.0), |a| a + b)
            }
        };
        let sum = pass.sum;
        let end = self.end(x, tail, ends, 1e-18 * sum.abs());
        let in_density = if self.same == Same::Sum { 1.0 - x } else { 1.0 };
        let mass = self.weight() * end + sum;
        Look {
            mass: if self.same == Same::Sum { mass.min(1.0) } else { mass },
            density: pass.density * in_density,
            slope: pass.slope * in_density,
        }
    }

    /// The sums over the components that a look at `x` needs, and bounds on the terms of the first and the last one.
    ///
    /// `ratio` has the numerator and the denominator of the next term divided by this one, from the count and the first
    /// parameter of this one, but for the factor `odds`, and `total` the sum of both parameters. What does not change
    /// between components stays outside of the loops, and no term waits for a division.
    fn pass(
        &self,
        x: f64,
        shares: &[f64],
        odds: f64,
        ratio: impl Fn(f64, f64) -> (f64, f64),
        total: impl Fn(f64) -> f64,
    ) -> (Pass, [f64; 2]) {
        let last = self.weights.len() - 1;
        let start = self.largest_at(x);
        let term = self.term(start as f64, x);
        let nothing = term * LEAST_TERM;
        let (mut sum, mut density, mut slope) = (BlockSum::default(), 0.0, 0.0);
        let mut add = |a: f64, weight: f64, share: f64, term: f64| {
            sum.add(share * term);
            let part = weight * a * term;
            density += part;
            slope += part * (a - total(a) * x);
        };
        let mut up = term;
        // Whole numbers, so that nothing is rounded where they grow.
        let mut count = self.first as f64 + start as f64;
        for (weight, share) in self.weights[start..last].iter().zip(&shares[start..last]) {
            let a = self.alpha + count;
            add(a, *weight, *share, up);
            let (numerator, denominator) = ratio(count, a);
            up *= numerator / denominator * odds;
            count += 1.0;
            if up < nothing {
                break;
            }
        }
        if up >= nothing {
            // The tail of the end is that of the last component.
            add(self.a(last as f64), self.weights[last], 0.0, up);
        }
        let (mut down, inverse) = (term, 1.0 / odds);
        count = self.first as f64 + start as f64;
        for (weight, share) in self.weights[..start].iter().zip(&shares[..start]).rev() {
            count -= 1.0;
            let a = self.alpha + count;
            let (numerator, denominator) = ratio(count, a);
            down *= denominator / numerator * inverse;
            if down < nothing {
                break;
            }
            add(a, *weight, *share, down);
        }
        (Pass { sum: sum.value(), density, slope }, [down.max(nothing), up.max(nothing)])
    }

    /// The tail of the component at the end of the mixture; zero if it is below `negligible`. By the series of [`cdf`],
    /// `I_x(a, b) <= t(a)/(1 - N x/(a+1))` where the denominator is positive, and by symmetry the same for the other
    /// tail, with `t(a) a (1-x) / (b x)` in place of `t(a)`. With the series `I_x(a, b) = sum_i d(a+i)`, `d = (1-x) t`,
    /// whose ratios fall if `b >= 1`, the same holds for d, with `d(a) a/b` for the other tail. There `a >= 1` is needed;
    /// below it the tail of `a + 1`, which is larger, is bounded. `terms` are bounds on the terms of the first and the
    /// last component.
    fn end(&self, x: f64, tail: Tail, terms: [f64; 2], negligible: f64) -> f64 {
        let last = (self.weights.len() - 1) as f64;
        let (rest, bound, falls) = match tail {
            Tail::Lower => {
                let rest = 1.0 - self.total(last) * x / (self.a(last) + 1.0);
                (rest, terms[1], self.b(last) >= 1.0)
            }
            Tail::Upper => {
                let (mut a, b, y) = (self.a(0.0), self.b(0.0), 1.0 - x);
                let mut term = terms[0];
                if self.same == Same::Second && a < 1.0 {
                    (a, term) = (a + 1.0, term * (a + b) / (a + 1.0) * x);
                }
                let odds = if self.same == Same::Sum { y / x } else { 1.0 };
                (1.0 - (a + b) * y / (b + 1.0), term * a / b * odds, a >= 1.0)
            }
        };
        if (falls || self.same == Same::Sum) && rest > 0.0 && bound <= negligible * rest {
            return 0.0;
        }
        match tail {
            Tail::Lower => cdf(x, self.a(last), self.b(last)),
            Tail::Upper => sf(x, self.a(0.0), self.b(0.0)),
        }
    }
}

/// Terms below this part of the largest one are left out.
const LEAST_TERM: f64 = 1e-25;

/// The sums over the components that a look needs, but for the tail of the component at the end.
struct Pass {
    sum: f64,
    density: f64,
    slope: f64,
}

/// The running sums of some weights. Within a block they are plain, and from block to block compensated. Those of a part of a
/// larger mixture are needed only to the error of that mixture.
fn running<'a>(same: Same, weights: impl Iterator<Item = &'a f64>) -> impl Iterator<Item = f64> {
    const BLOCK: u32 = 32;
    let (mut before, mut known, mut block, mut terms) = (Sum::default(), 0.0, 0.0, 0);
    weights.map(move |&weight| {
        block += weight;
        terms += 1;
        let sum = known + block;
        if same == Same::Sum && terms == BLOCK {
            before.add(block);
            (known, block, terms) = (before.value(), 0.0, 0);
        }
        sum
    })
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
            BetaMixture::beside(1.0, 2.0, 10.0, 4, vec![1.0]),
            BetaMixture::beside(0.05, 0.05, 0.0, 0, hat(31)),
            BetaMixture::beside(0.5, 7.0, 500.5, 120, hat(90)),
            BetaMixture::beside(1.0, 1.0, 1e6, 299_000, hat(3_000)),
            BetaMixture::beside(3.0, 1e-3, 0.3, 10, hat(31)),
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
        for mixture in mixtures().into_iter().filter(|mixture| mixture.total(0.0) < 1e3) {
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
