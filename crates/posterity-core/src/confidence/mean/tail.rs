//! The tail of a sum of independent numbers and noise, from its characteristic function.

use std::f64::consts::{PI, TAU};

/// The law of `sum (X_j - place) + N` over the records, with independent X of these shares and noise N.
pub(super) struct Law<'a> {
    pub(super) shares: &'a [f64],
    pub(super) scores: &'a [f64],
    pub(super) place: f64,
    /// The numbers of records of which the worst counts; without any there is nothing but noise.
    pub(super) sizes: &'a [u64],
    pub(super) noise: &'a dyn Fn(f64) -> [f64; 2],
    pub(super) noise_variance: f64,
}

/// The statistic gets normal noise of this part of its deviation, which ends the sum. A probability of at least x is at
/// most that of at least x less [`SHIFT`] deviations of that noise, divided by the chance that it is larger than that.
const SMOOTH: f64 = 1.0 / 200.0;

/// A statistic with less deviation than this is smoothed as if it had as much: it is a small part of one record.
const LEAST_DEVIATION: f64 = 0.25;

/// See [`SMOOTH`]: in its deviations.
const SHIFT: f64 = 3.0;

/// `P(G >= -3)` for a standard normal G.
const ABOVE_SHIFT: f64 = 0.998_650_101_968_369_9;

/// What is farther than this many deviations plus [`JUMPS`] counts as impossible.
const FAR: f64 = 8.5;

/// In ranges of the numbers: if few records have a far number, the statistic goes by jumps.
const JUMPS: f64 = 6.0;

/// The sum ends where this many terms in a row are below [`NEGLIGIBLE`].
const QUIET: usize = 32;

/// See [`QUIET`].
const NEGLIGIBLE: f64 = 2e-7;

/// What is added to each tail for all that is neglected.
const GUARD: f64 = 5e-6;

/// The most terms of a sum.
const TERMS: usize = 20_000;

/// The largest `P(D >= x)` over the sizes.
pub(super) fn at_least(law: &Law<'_>, x: f64) -> f64 {
    let squares = law.shares.iter().zip(law.scores).map(|(share, score)| {
        let distance = score - law.place;
        share * distance * distance
    });
    let one: f64 = squares.sum();
    let sizes: &[u64] = if law.sizes.is_empty() { &[0] } else { law.sizes };
    let most = sizes.iter().copied().max().unwrap_or(0);
    let deviation = libm::sqrt(most as f64 * one + law.noise_variance);
    if deviation <= 0.0 {
        return f64::from(u8::from(x <= 1e-9));
    }
    let reach = FAR * deviation + JUMPS;
    if x < -reach {
        return 1.0;
    }
    if x > reach {
        return GUARD;
    }
    let smooth = SMOOTH * deviation.max(LEAST_DEVIATION);
    let x = x - SHIFT * smooth;
    let step = step(reach + x.abs());
    let mut sums = vec![0.5; sizes.len()];
    let mut quiet = 0;
    for term in 0..TERMS {
        let half = term as f64 + 0.5;
        let t = half * step;
        let fading = libm::exp(-0.5 * smooth * smooth * t * t);
        if fading < NEGLIGIBLE || quiet >= QUIET {
            break;
        }
        let wave = Wave::of(law, t);
        let most_of_records = sizes.iter().map(|&size| wave.power(size)).fold(0.0, f64::max);
        if fading * most_of_records < NEGLIGIBLE * PI * half {
            quiet += 1;
            continue;
        }
        let [real, imaginary] = (law.noise)(t);
        let size_of_noise = libm::sqrt(real * real + imaginary * imaginary);
        let largest = fading * most_of_records * size_of_noise / (PI * half);
        quiet = if largest < NEGLIGIBLE { quiet + 1 } else { 0 };
        let angle_of_noise = libm::atan2(imaginary, real);
        for (sum, &size) in sums.iter_mut().zip(sizes) {
            let angle = size as f64 * wave.angle + angle_of_noise - t * x;
            *sum += fading * wave.power(size) * size_of_noise * libm::sin(angle) / (PI * half);
        }
    }
    let largest = sums.into_iter().fold(0.0, f64::max);
    (largest / ABOVE_SHIFT + GUARD).clamp(0.0, 1.0)
}

/// The step between the points of a sum that begins anew beyond a distance. There are few steps, so that waves that do
/// not depend on the mean are computed once.
fn step(distance: f64) -> f64 {
    let parts = libm::ceil(4.0 * libm::log2(distance));
    TAU / libm::exp2(0.25 * parts)
}

/// `E exp(i t (X - place))` of one record.
struct Wave {
    /// The logarithm of its modulus.
    ln: f64,
    angle: f64,
}

impl Wave {
    fn of(law: &Law<'_>, t: f64) -> Self {
        if law.sizes.is_empty() {
            return Self { ln: 0.0, angle: 0.0 };
        }
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (share, score) in law.shares.iter().zip(law.scores) {
            let (sine, cosine) = libm::sincos(t * (score - law.place));
            real += share * cosine;
            imaginary += share * sine;
        }
        let square = real * real + imaginary * imaginary;
        Self { ln: 0.5 * libm::log(square.max(f64::MIN_POSITIVE)), angle: libm::atan2(imaginary, real) }
    }

    /// The modulus for the sum over `size` records.
    fn power(&self, size: u64) -> f64 {
        libm::exp(size as f64 * self.ln)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Noise, TwoSidedGeometric};
    use crate::sampler::Rate;
    use crate::special::ln_binomial;

    /// If this fails, a tail is too small, so that intervals are too short, or much larger than it is.
    #[test]
    fn tails_are_sums_over_all_records_and_noise() {
        let (shares, scores) = ([0.7, 0.2, 0.1], [0.0, 0.3, 1.0]);
        // The mean of the scores.
        let place = 0.16;
        for (n, rate) in [(0_u64, "2/5"), (6, "1"), (12, "3"), (30, "4/5"), (4, "40")] {
            // Noise on the count of the largest score only.
            let exact = Rate::new(rate.parse().expect("a fraction")).expect("positive");
            let rate = exact.to_f64();
            let wave = TwoSidedGeometric::new(exact).wave();
            let noise = |t: f64| [wave.at(t * (1.0 - place)), 0.0];
            let q = f64::exp(-rate);
            let variance = 2.0 * q / ((1.0 - q) * (1.0 - q)) * (1.0 - place) * (1.0 - place);
            let mut law: Vec<(f64, f64)> = Vec::new();
            for last in 0..=n {
                for middle in 0..=n - last {
                    let ways = (ln_binomial(n, last) + ln_binomial(n - last, middle)).exp();
                    let first = n - last - middle;
                    let chance = ways
                        * 0.1_f64.powi(last as i32)
                        * 0.2_f64.powi(middle as i32)
                        * 0.7_f64.powi(first as i32);
                    for z in -200_i64..=200 {
                        let of_noise = (0.5 * rate).tanh() * (-rate * z.abs() as f64).exp();
                        let number = |count: u64, score: f64| count as f64 * (score - place);
                        let at =
                            number(first, scores[0]) + number(middle, scores[1]) + number(last, scores[2]);
                        law.push((at + z as f64 * (1.0 - place), chance * of_noise));
                    }
                }
            }
            let sum = |from: f64| {
                law.iter().filter(|(at, _)| *at >= from - 1e-9).map(|(_, chance)| chance).sum::<f64>()
            };
            let sizes = if n == 0 { vec![] } else { vec![n] };
            let given = Law {
                shares: &shares,
                scores: &scores,
                place,
                sizes: &sizes,
                noise: &noise,
                noise_variance: variance,
            };
            let deviation = law.iter().map(|(at, chance)| at * at * chance).sum::<f64>().sqrt();
            for step in -20..=40 {
                let x = 0.1 * f64::from(step) * deviation;
                let found = at_least(&given, x);
                // The sum ends before steps that are small beside the deviation are told apart.
                assert!(found >= 0.99 * sum(x) - 1e-6, "{n} {rate} {x}: {found} {}", sum(x));
                let wider = sum(x - 8.0 * SMOOTH * deviation.max(LEAST_DEVIATION)) * 1.002 + 2e-5;
                assert!(found <= wider, "{n} {rate} {x}: {found} {wider}");
            }
        }
    }
}
