//! The posterior of the share of a group within a condition, where both counts are known with normal noise.

use super::mixture::BetaMixture;
use super::solve::{Look, Tail, guess, shortest, solve};
use crate::model::{LevelError, interval_level};
use crate::special::{Sum, ln_gamma_over_factorial};

/// Weights below this logarithm, beside the largest, are left out: all of them together are far below the last digit.
const NEGLIGIBLE: f64 = -52.0;

/// How many deviations from its estimate, and from its likeliest value, the count of a condition may be.
const REACH: f64 = 12.0;

/// A sum over every k-th count is the sum over all of them divided by k, up to `2 exp(-2 pi^2 d^2)` for a bell curve whose
/// deviation is d steps (Poisson's formula). With four steps that is below 1e-130.
const STEPS: f64 = 4.0;

/// Where the bell curve is cut, counts in the middle of a step stand for all of it. Steps of this part of the deviation
/// change probabilities by less than 1e-4.
const CUT_STEPS: f64 = 32.0;

/// What is known of a group and of the condition that it is a part of: their counts with normal noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyShare {
    /// The count of the group with its noise.
    pub group: f64,
    /// The count of the condition with its noise.
    pub condition: f64,
    /// The variance of the noise of the group.
    pub group_variance: f64,
    /// The variance of the noise of the condition; zero if its count is known.
    pub condition_variance: f64,
    /// Their covariance.
    pub covariance: f64,
}

/// The parameters of a Dirichlet prior, each at least one: of the group, of the others within the condition, and of
/// what is outside it, which is nothing where the condition is everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharePrior {
    /// The parameter of the group.
    pub group: f64,
    /// The parameter of the others within the condition.
    pub others: f64,
    /// The parameter of those outside.
    pub outside: f64,
}

/// The posterior of a share: a mixture of Beta distributions, over the counts of the group and of its condition.
#[derive(Clone, Debug, PartialEq)]
pub struct SharePosterior {
    /// For each count of the condition its probability, and the mixture over the counts of the group.
    parts: Vec<(f64, BetaMixture)>,
}

impl NoisyShare {
    /// The posterior of the share of the group within its condition, given both noisy counts. There are `n` records,
    /// of which each is in the group, among the others or outside with probabilities that have the prior; if their number
    /// is not known, every count of the condition is as likely as any other before the release, and the prior is that of
    /// the group within it.
    ///
    /// It is the exact sum over all counts where there are few, and otherwise one that leaves out what does not change
    /// the result (docs/proofs/residuals.md, theorem 9). None if the noise leaves nothing open, the prior is below one, or
    /// the condition has noise although it is all of a known number of records, or none although it is not.
    ///
    /// ```
    /// use posterity_core::noise_aware::{NoisyShare, SharePrior};
    /// // Three of ten, with a deviation of one.
    /// let noisy = NoisyShare { group: 3.0, condition: 10.0, group_variance: 1.0, condition_variance: 0.0, covariance: 0.0 };
    /// let prior = SharePrior { group: 1.0, others: 1.0, outside: 0.0 };
    /// let posterior = noisy.posterior(prior, Some(10)).expect("noise");
    /// let [low, high] = posterior.interval(0.95)?;
    /// assert!(low < 0.09 && high > 0.63, "{low} {high}");
    /// # Ok::<(), posterity_core::model::LevelError>(())
    /// ```
    #[must_use]
    pub fn posterior(&self, prior: SharePrior, records: Option<u64>) -> Option<SharePosterior> {
        let noise = Noise::new(self)?;
        let least = [prior.group, prior.others, prior.outside.max(1.0)];
        let is_known = prior.outside <= 0.0 && records.is_some();
        if !least.iter().all(|&one| one >= 1.0) || is_known != (self.condition_variance <= 0.0) {
            return None;
        }
        Some(Slices { noisy: self, noise, prior, records }.posterior())
    }
}

/// The law of the noise of a group given that of its condition: normal around `pull` times the latter.
#[derive(Clone, Copy)]
struct Noise {
    pull: f64,
    /// The variance of the noise of the group given that of the condition.
    left: f64,
}

impl Noise {
    fn new(noisy: &NoisyShare) -> Option<Self> {
        let of_condition = noisy.condition_variance;
        let pull = if of_condition > 0.0 { noisy.covariance / of_condition } else { 0.0 };
        let left = noisy.group_variance - pull * noisy.covariance;
        // Rounding must not make noise of nothing.
        (left > 1e-9 * noisy.group_variance && left.is_finite()).then_some(Self { pull, left })
    }
}

/// The sum over all counts of the group and the condition.
struct Slices<'a> {
    noisy: &'a NoisyShare,
    noise: Noise,
    prior: SharePrior,
    records: Option<u64>,
}

/// All counts of the group for one count of the condition.
struct Slice {
    /// The logarithm of the largest weight.
    ln_top: f64,
    first: u64,
    /// The weights beside the largest.
    weights: Vec<f64>,
}

impl Slices<'_> {
    fn posterior(&self) -> SharePosterior {
        let counts = self.conditions();
        let mut slices = Vec::with_capacity(counts.len());
        for (count, like_it) in counts {
            let slice = self.slice(count);
            let sum = slice.weights.iter().copied().collect::<Sum>().value();
            slices.push((slice.ln_top + libm::log(sum * like_it), count, sum, slice));
        }
        let top = slices.iter().map(|(ln, ..)| *ln).fold(f64::NEG_INFINITY, f64::max);
        let whole = slices.iter().map(|(ln, ..)| libm::exp(ln - top)).collect::<Sum>().value();
        let kept = slices.into_iter().filter(|(ln, ..)| ln - top > NEGLIGIBLE);
        let part = |(ln, count, sum, slice): (f64, u64, f64, Slice)| {
            let weights = slice.weights.iter().map(|weight| weight / sum).collect();
            let SharePrior { group, others, .. } = self.prior;
            (libm::exp(ln - top) / whole, BetaMixture::new(group, others, count, slice.first, weights))
        };
        SharePosterior { parts: kept.map(part).collect() }
    }

    /// The counts of the condition over which the sum is taken, each with the number of those that it stands for.
    fn conditions(&self) -> Vec<(u64, f64)> {
        let deviation = libm::sqrt(self.noisy.condition_variance);
        if let Some(n) = self.records.filter(|_| self.noisy.condition_variance <= 0.0) {
            return vec![(n, 1.0)];
        }
        let most = self.records.unwrap_or(u64::MAX >> 12) as f64;
        let likeliest = self.likeliest_condition(most);
        let reach = REACH * deviation + 1.0;
        let low = libm::floor(self.noisy.condition.min(likeliest) - reach);
        let high = libm::ceil(self.noisy.condition.max(likeliest) + reach);
        let cut = low < 0.0 || high > most;
        let (low, high) = (low.clamp(0.0, most) as u64, high.clamp(0.0, most) as u64);
        // Given a share, the bell curve over the condition is at least so wide.
        let narrowest = 1.0 / libm::sqrt(1.0 / self.noisy.condition_variance + 1.0 / self.noise.left);
        let step = |parts: f64| (narrowest / parts).max(1.0) as u64;
        if !cut {
            return (low..=high).step_by(step(STEPS) as usize).map(|count| (count, 1.0)).collect();
        }
        // An odd number of counts has one in the middle. What is left over counts one by one.
        let step = (step(CUT_STEPS) - 1) / 2 * 2 + 1;
        let whole = (high + 1 - low) / step;
        let middles = (0..whole).map(|index| (low + index * step + step / 2, step as f64));
        middles.chain((low + whole * step..=high).map(|count| (count, 1.0))).collect()
    }

    /// The count of the condition with the largest weight. Logarithms of weights are concave, or nearly so, and their
    /// steps are followed until they fall.
    fn likeliest_condition(&self, most: f64) -> f64 {
        let rises = |count: f64| self.slice_top(count + 1.0) > self.slice_top(count);
        let (mut low, mut high) = (0.0, most.min(self.noisy.condition.max(0.0) + 4096.0));
        while high < most && rises(high) {
            high = (2.0 * high).min(most);
        }
        while high - low >= 1.0 {
            let middle = libm::floor(0.5 * (low + high));
            if middle < most && rises(middle) { low = middle + 1.0 } else { high = middle }
        }
        low
    }

    /// The logarithm of the largest weight at a count of the condition.
    fn slice_top(&self, condition: f64) -> f64 {
        self.outer(condition) + self.inner(self.likeliest_group(condition), condition)
    }

    /// What a count of the condition has whatever the group is.
    fn outer(&self, condition: f64) -> f64 {
        let SharePrior { group, others, outside } = self.prior;
        let prior = match self.records {
            Some(n) if outside > 0.0 => ln_gamma_over_factorial(outside, n as f64 - condition),
            Some(_) => 0.0,
            None => -ln_gamma_over_factorial(group + others, condition),
        };
        let away = self.noisy.condition - condition;
        let noise = if self.noisy.condition_variance > 0.0 {
            away * away / self.noisy.condition_variance
        } else {
            0.0
        };
        prior - 0.5 * noise
    }

    /// The logarithm of the weight of a count of the group given that of the condition.
    fn inner(&self, group: f64, condition: f64) -> f64 {
        let away = group - self.middle(condition);
        ln_gamma_over_factorial(self.prior.group, group)
            + ln_gamma_over_factorial(self.prior.others, condition - group)
            - 0.5 * away * away / self.noise.left
    }

    /// The count of the group without its noise, if the condition has this count.
    fn middle(&self, condition: f64) -> f64 {
        self.noisy.group - self.noise.pull * (self.noisy.condition - condition)
    }

    /// How much more the next count of the group weighs. It falls with the count, because parameters are at least one.
    fn ratio(&self, group: f64, condition: f64) -> f64 {
        let SharePrior { group: alpha, others, .. } = self.prior;
        let left = condition - group;
        let prior = (alpha + group) / (group + 1.0) * (left / (others + left - 1.0));
        prior * libm::exp((self.middle(condition) - group - 0.5) / self.noise.left)
    }

    fn likeliest_group(&self, condition: f64) -> f64 {
        let (mut low, mut high) = (0.0, condition);
        while high - low >= 1.0 {
            let middle = libm::floor(0.5 * (low + high));
            if self.ratio(middle, condition) > 1.0 { low = middle + 1.0 } else { high = middle }
        }
        low
    }

    fn slice(&self, condition: u64) -> Slice {
        let (count, least) = (condition as f64, libm::exp(NEGLIGIBLE));
        let top = self.likeliest_group(count);
        let mut above = Vec::new();
        let (mut at, mut weight) = (top, 1.0);
        while at < count {
            weight *= self.ratio(at, count);
            at += 1.0;
            if weight < least {
                break;
            }
            above.push(weight);
        }
        let mut weights = Vec::new();
        let (mut at, mut weight) = (top, 1.0);
        while at > 0.0 {
            at -= 1.0;
            weight /= self.ratio(at, count);
            if weight < least {
                break;
            }
            weights.push(weight);
        }
        let first = top as u64 - weights.len() as u64;
        weights.reverse();
        weights.push(1.0);
        weights.extend(above);
        Slice { ln_top: self.slice_top(count), first, weights }
    }
}

impl SharePosterior {
    /// The expected share.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.parts.iter().map(|(weight, part)| weight * part.mean()).collect::<Sum>().value()
    }

    /// The variance of the share.
    #[must_use]
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.parts.iter().map(|(weight, part)| weight * part.square_from(mean)).collect::<Sum>().value()
    }

    /// The probability of at most `x`.
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        self.parts.iter().map(|(weight, part)| weight * part.cdf(x)).collect::<Sum>().value().min(1.0)
    }

    /// The density at `x`.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        self.parts.iter().map(|(weight, part)| weight * part.density(x)).collect::<Sum>().value()
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
    /// [`LevelError`] if `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<[f64; 2], LevelError> {
        let size = 0.5 * (1.0 - interval_level(level)?);
        Ok([self.quantile(size), self.upper_quantile(size)])
    }

    /// The shortest interval that has probability `level`.
    ///
    /// # Errors
    /// [`LevelError`] if `level` is not strictly between 0 and 1.
    pub fn shortest(&self, level: f64) -> Result<[f64; 2], LevelError> {
        interval_level(level)?;
        Ok(shortest(level, |p| self.quantile(p), |p| self.upper_quantile(p)))
    }

    fn solve(&self, p: f64, tail: Tail) -> f64 {
        solve(p, tail, guess(p, tail, self.mean(), self.variance()), |x| self.look(x, tail))
    }

    fn look(&self, x: f64, tail: Tail) -> Look {
        let mut all = Look::default();
        for (weight, part) in &self.parts {
            let one = part.look(x, tail);
            all.mass += weight * one.mass;
            all.density += weight * one.density;
            all.slope += weight * one.slope;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::beta::cdf;

    const PRIOR: SharePrior = SharePrior { group: 2.0, others: 3.0, outside: 4.0 };

    /// The sum over every count of everything, term by term.
    fn by_force(noisy: &NoisyShare, prior: SharePrior, records: Option<u64>, most: u64, x: f64) -> [f64; 2] {
        let [v, w, c] = [noisy.group_variance, noisy.condition_variance, noisy.covariance];
        let (mut whole, mut below, mut mean) = (0.0, 0.0, 0.0);
        for condition in 0..=most {
            if prior.outside <= 0.0 && records.is_some_and(|n| n != condition) {
                continue;
            }
            for group in 0..=condition {
                let (g, t) = (group as f64, condition as f64);
                let (a, b) = (noisy.group - g, noisy.condition - t);
                let square = if w > 0.0 {
                    (w * a * a - 2.0 * c * a * b + v * b * b) / (v * w - c * c)
                } else {
                    a * a / v
                };
                let gamma = ln_gamma_over_factorial;
                let outside = match records {
                    Some(n) if prior.outside > 0.0 => gamma(prior.outside, (n - condition) as f64),
                    Some(_) => 0.0,
                    None => -gamma(prior.group + prior.others, t),
                };
                let weight =
                    libm::exp(gamma(prior.group, g) + gamma(prior.others, t - g) + outside - 0.5 * square);
                let (alpha, beta) = (prior.group + g, prior.others + t - g);
                whole += weight;
                below += weight * cdf(x, alpha, beta);
                mean += weight * alpha / (alpha + beta);
            }
        }
        [below / whole, mean / whole]
    }

    /// If this fails, credible intervals have another probability than they say.
    #[test]
    fn it_is_the_sum_over_all_counts() {
        let noisy = |group, condition, v, w, c| NoisyShare {
            group,
            condition,
            group_variance: v,
            condition_variance: w,
            covariance: c,
        };
        let everything = SharePrior { outside: 0.0, ..PRIOR };
        let cases = [
            (noisy(7.3, 40.0, 5.0, 0.0, 0.0), everything, Some(40)),
            (noisy(-3.1, 40.0, 5.0, 0.0, 0.0), everything, Some(40)),
            (noisy(7.3, 20.4, 5.0, 9.0, 3.0), PRIOR, Some(40)),
            (noisy(-4.0, -2.5, 2.0, 3.0, 1.0), PRIOR, Some(40)),
            (noisy(21.0, 18.5, 4.0, 6.0, -2.0), PRIOR, Some(40)),
            (noisy(7.3, 20.4, 5.0, 9.0, 3.0), everything, None),
            (noisy(60.0, 131.2, 80.0, 120.0, 30.0), PRIOR, Some(300)),
            (noisy(60.0, 131.2, 80.0, 120.0, 30.0), everything, None),
        ];
        for (noisy, prior, records) in cases {
            let posterior = noisy.posterior(prior, records).expect("noise");
            let most = records.unwrap_or(400);
            for x in [0.05, 0.2, 0.37, 0.5, 0.9] {
                let [below, mean] = by_force(&noisy, prior, records, most, x);
                assert!((posterior.cdf(x) - below).abs() < 1e-9, "{noisy:?} at {x}: {below}");
                assert!((posterior.mean() - mean).abs() < 1e-9, "{noisy:?}: {mean}");
            }
            let [low, high] = posterior.interval(0.9).expect("a level");
            for (end, p) in [(low, 0.05), (high, 0.95)] {
                assert!((by_force(&noisy, prior, records, most, end)[0] - p).abs() < 1e-9, "{noisy:?} {end}");
            }
            let [from, to] = posterior.shortest(0.9).expect("a level");
            let [below, up_to] = [from, to].map(|end| by_force(&noisy, prior, records, most, end)[0]);
            assert!((up_to - below - 0.9).abs() < 1e-9, "{noisy:?} {from} {to}");
            assert!(to - from <= high - low, "{noisy:?} {from} {to}");
        }
    }

    /// Where counts are many, steps are taken. If this fails, they are too long, also where the bell curve is cut.
    #[test]
    fn steps_do_not_change_the_sum() {
        let noisy = |group: f64, condition: f64, scale: f64| NoisyShare {
            group,
            condition,
            group_variance: scale,
            condition_variance: scale,
            covariance: 0.2 * scale,
        };
        let cases = [
            (noisy(300.0, 700.0, 1600.0), 1400, 1e-9),
            (noisy(30.0, 200.0, 40_000.0), 1400, 1e-4),
            (noisy(500.0, 1350.0, 40_000.0), 1400, 1e-4),
        ];
        for (noisy, n, close) in cases {
            let posterior = noisy.posterior(PRIOR, Some(n)).expect("noise");
            assert!(posterior.parts.len() < 500, "{}", posterior.parts.len());
            let [below, mean] = by_force(&noisy, PRIOR, Some(n), n, 0.4);
            assert!((posterior.cdf(0.4) - below).abs() < close, "{noisy:?}: {below} {}", posterior.cdf(0.4));
            assert!((posterior.mean() - mean).abs() < close, "{noisy:?}: {mean} {}", posterior.mean());
        }
    }

    #[test]
    fn rejects() {
        let certain = NoisyShare {
            group: 5.0,
            condition: 5.0,
            group_variance: 4.0,
            condition_variance: 4.0,
            covariance: 4.0,
        };
        assert_eq!(certain.posterior(PRIOR, Some(10)), None);
        let noisy = NoisyShare { covariance: 0.0, ..certain };
        assert_eq!(noisy.posterior(SharePrior { others: 0.5, ..PRIOR }, Some(10)), None);
        let posterior = noisy.posterior(PRIOR, Some(10)).expect("noise");
        assert!(posterior.interval(1.0).is_err());
    }
}
