//! Two categories: the data sets form a line.

use super::interpolation::interpolate;
use super::{LEFT_OUT_COST, Normalisers, Scaled, scale_of};
use crate::distance::{Pair, ln_bc};
use crate::special::Sum;

/// The normalisers of all data sets. Each sum takes at most `15.8 sqrt(A)` steps, where A is the sum of the prior
/// parameters and n, so it is not made at every data set.
pub(super) fn normalisers(law: &dyn Scaled, alpha: [f64; 2]) -> Normalisers {
    let n = law.setting().n();
    let line = Line { alpha, n };
    // In the angle, Hellinger distances between neighbours are about the same everywhere. Under a very large prior it
    // is linear in the count, up to rounding.
    let is_linear = alpha[0].min(alpha[1]) > 1e3 * n as f64;
    let angle = |c: u64| {
        let roots = [alpha[0] + c as f64, alpha[1] + (n - c) as f64].map(libm::sqrt);
        if is_linear { c as f64 } else { libm::atan2(roots[0], roots[1]) }
    };
    let exact = |c: u64| {
        let scale = scale_of(law, &[c, n - c]);
        [scale, line.ln_total(c, scale)]
    };
    let found = interpolate(n, &angle, &exact);
    let (scales, ln_totals) = found.values.into_iter().map(|[scale, ln_total]| (scale, ln_total)).unzip();
    Normalisers { scales, ln_totals, error: found.error }
}

/// Candidates of two categories, named by their first count.
struct Line {
    alpha: [f64; 2],
    n: u64,
}

/// `1 - BC` from which on a distance is one, rounded to a multiple of 2^-44.
const FAR: f64 = 1.0 - 3.4e-14;

/// After so many steps the recurrence starts anew, so that its rounding errors stay small.
const RUN: u64 = 128;

impl Line {
    /// `ln Z(c) = ln(sum_r exp(-scale H(c, r)))`.
    fn ln_total(&self, c: u64, scale: f64) -> f64 {
        let mut sum = Sum::default();
        let up = self.beside(self.alpha, c, scale, &mut sum);
        let down = self.beside([self.alpha[1], self.alpha[0]], self.n - c, scale, &mut sum);
        sum.add((up + down) as f64 * libm::exp(-scale));
        libm::log1p(sum.value())
    }

    /// Adds the weights of all candidates with more than c in the first category, as far as they matter and are not
    /// one. Returns the number of the rest, whose distance is one.
    ///
    /// From r to r + 2 the coefficient BC is multiplied by a rational number and a square root. Its complement follows
    /// with it, as in decoding (docs/proofs/decoding.md), and all terms of it are positive.
    fn beside(&self, alpha: [f64; 2], c: u64, scale: f64, sum: &mut Sum) -> u64 {
        let skip = LEFT_OUT_COST + libm::log(self.n as f64 + 1.0);
        let a = alpha[0] + c as f64;
        // BC and 1 - BC of the last two candidates.
        let mut last = [(1.0, 0.0); 2];
        for r in c + 1..=self.n {
            let d = r - c;
            let place = (d % 2) as usize;
            if d % RUN < 2 || d == 1 {
                let pairs =
                    [Pair::of_counts(alpha[0], c, r), Pair::of_counts(alpha[1], self.n - c, self.n - r)];
                let cost: f64 = pairs.into_iter().map(|pair| -ln_bc(pair)).sum();
                last[place] = (libm::exp(-cost), -libm::expm1(-cost));
            } else {
                let (kept, lost) = last[place];
                let (factor, gain) = step(alpha, a, (r - 2, self.n - r), (d - 2) as f64);
                last[place] = (kept * factor, lost - kept * gain);
            }
            let lost = last[place].1;
            if lost >= FAR {
                return self.n - r + 1;
            }
            let exponent = scale * lost.sqrt();
            if exponent > skip {
                // The weights fall, so all others are negligible together.
                return 0;
            }
            sum.add(libm::exp(-exponent));
        }
        0
    }
}

/// `s` and `s - 1`, where BC(c, r + 2) = s BC(c, r). `here` is r, `there` is `n - r - 2`, and d is `r - c`.
///
/// With `b = alpha_1 + r` and `b' = alpha_2 + n - r - 2`, `s^2 = (1 + x)/(1 + x')` for
/// `x = -(a (d+1) + d (3d/4 + 1)) / (b (b+1))` and `x' = (b' (d+1) + (d+2)^2/4) / (b' (b'+1))`.
#[inline]
fn step(alpha: [f64; 2], a: f64, (here, there): (u64, u64), d: f64) -> (f64, f64) {
    let (b, other) = (alpha[0] + here as f64, alpha[1] + there as f64);
    let x = -(a * (d + 1.0) + d * (0.75 * d + 1.0)) / (b * (b + 1.0));
    let y = (other * (d + 1.0) + 0.25 * (d + 2.0) * (d + 2.0)) / (other * (other + 1.0));
    // s^2 - 1
    let excess = (x - y) / (1.0 + y);
    if excess > -0.5 {
        let factor = (1.0 + excess).sqrt();
        return (factor, excess / (1.0 + factor));
    }
    // Here the sum would lose digits.
    let one = (a + 0.5 * d) / b.sqrt() / (b + 1.0).sqrt();
    let two = other.sqrt() * (other + 1.0).sqrt() / (other + 0.5 * d + 1.0);
    (one * two, one * two - 1.0)
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::super::DISTANCE_ERROR;
    use super::*;
    use crate::sampler::RoundedScore;

    /// If this fails, the recurrence is not that of the Bhattacharyya coefficient, or loses digits.
    #[test]
    fn sums_agree_with_the_scores() {
        let mut random = Random::new(31);
        let mut largest = 0.0_f64;
        for case in 0..400 {
            let alpha = match case % 3 {
                0 => random.prior(2, 1e-300, 1e9),
                1 => random.prior(2, 1e-3, 1e3),
                _ => vec![1.0, 1.0],
            };
            let (alpha, n) =
                ([alpha[0], alpha[1]], 1 + random.below(if case % 8 == 0 { 40_000 } else { 900 }));
            let c = if case % 5 == 0 { 0 } else { random.below(n + 1) };
            let scale = random.log_uniform(1e-3, 1e4);
            let direct: f64 = (0..=n)
                .map(|r| {
                    let pairs = [Pair::of_counts(alpha[0], c, r), Pair::of_counts(alpha[1], n - c, n - r)];
                    let score = RoundedScore::from_costs(pairs.into_iter().map(|pair| -ln_bc(pair)));
                    libm::exp(-scale * score.distance())
                })
                .collect::<Sum>()
                .value();
            let found = Line { alpha, n }.ln_total(c, scale);
            let error = (found - libm::log(direct)).abs();
            let allowed = scale * DISTANCE_ERROR * libm::expm1(found).min(1.0) + 1e-14 * (1.0 + found);
            largest = largest.max(error / allowed);
            assert!(error <= allowed, "{alpha:?} n {n} c {c} scale {scale}: {found} {}", libm::log(direct));
        }
        println!("largest error, as a part of what is allowed: {largest}");
    }
}
