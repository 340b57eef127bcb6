//! Draws of a count that has a prior and normal noise.

use crate::sampler::{BitSource, SourceError, uniform_unit};
use crate::special::ln_gamma_over_factorial;

/// The law of a count x between 0 and a total, with weights `G_a(x) G_b(total - x) exp(-(x - middle)^2/(2 variance))` for
/// `G_a(k) = Gamma(a + k)/k!` and a, b at least one. Its logarithm is concave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bell {
    pub(super) alpha: f64,
    pub(super) others: f64,
    pub(super) total: f64,
    pub(super) middle: f64,
    pub(super) variance: f64,
}

/// One end of the flat part of the hat, and how steeply the hat falls beyond it: by `exp(-fall)` with each step.
struct Tail {
    end: f64,
    /// The logarithm of the weight at the end, beside the largest.
    ln_end: f64,
    fall: f64,
}

impl Tail {
    /// The sum of the hat beyond the end.
    fn mass(&self) -> f64 {
        libm::exp(self.ln_end) / libm::expm1(self.fall)
    }

    /// How many steps beyond the end, and the logarithm of the hat there.
    fn step(&self, bits: &mut dyn BitSource) -> Result<(f64, f64), SourceError> {
        let steps = 1.0 + libm::floor(-libm::log(uniform_unit(bits)?) / self.fall);
        Ok((steps, self.ln_end - steps * self.fall))
    }
}

impl Bell {
    /// The logarithm of how much more the next count weighs. It falls with the count.
    pub(super) fn ln_ratio(&self, x: f64) -> f64 {
        let left = self.total - x;
        let prior = (self.alpha + x) / (x + 1.0) * (left / (self.others + left - 1.0));
        libm::log(prior) + (self.middle - x - 0.5) / self.variance
    }

    /// The logarithm of a weight, up to a constant.
    fn ln_weight(&self, x: f64) -> f64 {
        let away = x - self.middle;
        ln_prior(self.alpha, x) + ln_prior(self.others, self.total - x) - 0.5 * away * away / self.variance
    }

    /// Counts between which the likeliest one is. A prior of parameter a raises a count x by less than
    /// `variance (a - 1)/x`.
    pub(super) fn bracket(&self) -> [f64; 2] {
        let most = |middle: f64, parameter: f64| {
            let spread = libm::sqrt(middle * middle + 4.0 * self.variance * (parameter - 1.0));
            libm::ceil(0.5 * (middle + spread).max(0.0)) + 2.0
        };
        let low = (self.total - most(self.total - self.middle, self.others)).max(0.0);
        [low, most(self.middle, self.alpha).clamp(low, self.total)]
    }

    /// The likeliest count: the first whose successor weighs no more.
    fn likeliest(&self) -> f64 {
        first_fall(self.bracket(), |x| self.ln_ratio(x))
    }

    /// How far from the likeliest count a weight is about e times smaller, if it falls like this at first.
    fn reach(&self, likeliest: f64, slope: f64) -> f64 {
        let bend = if likeliest >= 1.0 && likeliest < self.total {
            self.ln_ratio(likeliest - 1.0) - self.ln_ratio(likeliest)
        } else {
            0.0
        };
        let bend = bend.max(1.0 / self.variance);
        libm::ceil(2.0 / (slope + libm::sqrt(slope * slope + 2.0 * bend)))
    }

    fn left(&self, likeliest: f64, ln_top: f64) -> Option<Tail> {
        let slope = (likeliest >= 1.0).then(|| self.ln_ratio(likeliest - 1.0))?;
        let end = likeliest - self.reach(likeliest, slope);
        // To the left of the end, every step falls by at least the first.
        let tail =
            |end: f64| Tail { end, ln_end: self.ln_weight(end) - ln_top, fall: self.ln_ratio(end - 1.0) };
        (end >= 1.0).then(|| tail(end))
    }

    fn right(&self, likeliest: f64, ln_top: f64) -> Option<Tail> {
        let slope = (likeliest < self.total).then(|| -self.ln_ratio(likeliest))?;
        let end = likeliest + self.reach(likeliest, slope);
        let tail = |end: f64| Tail { end, ln_end: self.ln_weight(end) - ln_top, fall: -self.ln_ratio(end) };
        (end < self.total).then(|| tail(end))
    }

    /// A draw, by rejection below a hat that is flat around the likeliest count and falls exponentially on both sides: a
    /// concave function is below its tangents (Devroye 1986, section X.2).
    ///
    /// # Guarantee
    /// Exact up to floating-point arithmetic. It is for analysis; no privacy depends on it.
    pub(super) fn draw(&self, bits: &mut dyn BitSource) -> Result<f64, SourceError> {
        let likeliest = self.likeliest();
        let ln_top = self.ln_weight(likeliest);
        let (left, right) = (self.left(likeliest, ln_top), self.right(likeliest, ln_top));
        let low = left.as_ref().map_or(0.0, |tail| tail.end);
        let high = right.as_ref().map_or(self.total, |tail| tail.end);
        let flat = high - low + 1.0;
        let [below, above] = [&left, &right].map(|tail| tail.as_ref().map_or(0.0, Tail::mass));
        loop {
            let u = uniform_unit(bits)? * (flat + below + above);
            let (x, ln_hat) = match (&left, &right) {
                (Some(tail), _) if u < below => {
                    let (steps, ln_hat) = tail.step(bits)?;
                    (tail.end - steps, ln_hat)
                }
                (_, Some(tail)) if u >= below + flat => {
                    let (steps, ln_hat) = tail.step(bits)?;
                    (tail.end + steps, ln_hat)
                }
                _ => ((low + libm::floor(u - below)).clamp(low, high), 0.0),
            };
            if x < 0.0 || x > self.total {
                continue;
            }
            if libm::log(uniform_unit(bits)?) <= self.ln_weight(x) - ln_top - ln_hat {
                return Ok(x);
            }
        }
    }
}

/// The first count between two others after which a function that falls is not positive.
pub(super) fn first_fall([mut low, mut high]: [f64; 2], ln_ratio: impl Fn(f64) -> f64) -> f64 {
    while high - low >= 1.0 {
        let middle = libm::floor(0.5 * (low + high));
        if ln_ratio(middle) > 0.0 { low = middle + 1.0 } else { high = middle }
    }
    low
}

/// `ln G_a(k)`. Most groups are one cell, for which it is zero.
pub(super) fn ln_prior(alpha: f64, count: f64) -> f64 {
    if alpha == 1.0 { 0.0 } else { ln_gamma_over_factorial(alpha, count) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    /// If this fails, counts are drawn from another law. Each count is compared with its weight; the chance that one of
    /// the six laws fails although all is well is below 1e-6 (chi-squared, Laurent and Massart 2000).
    #[test]
    fn draws_have_the_weights() {
        const DRAWS: usize = 40_000;
        let bell = |alpha, others, total, middle, variance| Bell { alpha, others, total, middle, variance };
        for law in [
            bell(1.0, 1.0, 40.0, 12.3, 9.0),
            bell(1.0, 5.0, 40.0, -7.0, 30.0),
            bell(6.0, 1.0, 40.0, 51.0, 25.0),
            bell(30.0, 2.0, 60.0, 0.0, 16.0),
            bell(1.0, 1.0, 3.0, 1.0, 1e6),
            bell(2.0, 1.0, 4_503_599_627_370_496.0, -3.0, 20.0),
        ] {
            let mut bits = SeededBits::new(3);
            let cells = (law.total as usize + 1).min(90);
            let mut found = vec![0.0; cells];
            for _ in 0..DRAWS {
                found[law.draw(&mut bits).expect("seeded") as usize] += 1.0;
            }
            let top = law.ln_weight(law.likeliest());
            let weights: Vec<f64> = (0..cells).map(|x| libm::exp(law.ln_weight(x as f64) - top)).collect();
            let sum: f64 = weights.iter().sum();
            // Rare counts are taken together.
            let (mut chi, mut freedom, mut rest) = (0.0, 0.0_f64, [0.0, 0.0]);
            for (count, weight) in found.iter().zip(&weights) {
                let expected = weight / sum * DRAWS as f64;
                if expected < 20.0 {
                    rest = [rest[0] + count, rest[1] + expected];
                } else {
                    chi += (count - expected) * (count - expected) / expected;
                    freedom += 1.0;
                }
            }
            chi += (rest[0] - rest[1]) * (rest[0] - rest[1]) / rest[1].max(1.0);
            let x = 16.0;
            let most = freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x;
            assert!(chi < most, "{law:?}: {chi} of {most}, {DRAWS} draws, seed 3");
        }
    }
}
