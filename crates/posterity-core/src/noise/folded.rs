//! The law of the sum of the noise of several cells.

use crate::pulse::beat;
use crate::special::{Sum, ln_binomial};

/// The law of a sum of independent noise of the same law on several cells, as a table over the numbers that matter.
///
/// Two-sided geometric noise of ratio `q` has the generating function `(1-q)^2 / ((1 - q x)(1 - q/x))`. Its m-th power
/// F satisfies `(1 - q x)(x - q) x F' = m q (x^2 - 1) F`, so the probabilities f of the sum satisfy
///
/// `q (m + a - 1) f(a-1) = (1 + q^2) a f(a) - q (a + 1 - m) f(a+1)`.
///
/// They are the solution that falls, which the recurrence finds from far outside inwards (Miller). The floor of Laplace
/// noise is two-sided geometric noise minus a fair coin, so its sum is that of the former minus a binomial number
/// (docs/proofs/intervals.md).
#[derive(Clone, Debug, PartialEq)]
pub struct FoldedNoise {
    /// The number that the first entry is for.
    start: i64,
    probabilities: Vec<f64>,
    /// `P(Z >= z)` for each entry.
    at_least: Vec<f64>,
    /// `P(Z <= z)` for each entry.
    at_most: Vec<f64>,
    mean: f64,
    variance: f64,
}

/// Numbers beyond which either tail has less than `exp(-DEPTH)` are left out.
const DEPTH: f64 = 60.0;

/// If all noise together is less likely than this, there is none.
const NEVER: f64 = 1e-15;

/// The slope of the logarithm of a law of one number beyond it.
const STEEP: f64 = 700.0;

/// The most entries of a table.
const MAX_ENTRIES: f64 = 4e6;

impl FoldedNoise {
    /// The sum of two-sided geometric noise of this rate on this number of cells. Nothing if it spreads over too many
    /// numbers.
    #[must_use]
    pub fn two_sided(rate: f64, cells: u64) -> Option<Self> {
        // Noise of so large a rate never happens.
        if cells as f64 * libm::exp(-rate) < NEVER {
            return Some(Self::of(0, vec![1.0]));
        }
        let reach = reach(rate, cells)?;
        let (q, m) = (libm::exp(-rate), cells as f64);
        // Beyond the reach the start of the recurrence is forgotten: its error falls by q^2 with each step.
        let first = reach + (0.5 * DEPTH / rate) as usize + 2;
        let mut half = vec![0.0; reach + 1];
        let (mut beyond, mut here) = (0.0_f64, f64::MIN_POSITIVE / f64::EPSILON);
        for a in (1..=first).rev() {
            let at = a as f64;
            let before = ((1.0 + q * q) * at * here - q * (at + 1.0 - m) * beyond) / (q * (m + at - 1.0));
            (beyond, here) = (here, before);
            if here > 1e200 {
                (beyond, here) = (beyond * 1e-200, here * 1e-200);
                half.iter_mut().for_each(|value| *value *= 1e-200);
            }
            if a - 1 <= reach {
                half[a - 1] = here;
            }
            if a % 4_096 == 0 {
                beat();
            }
        }
        let below = half[1..].iter().rev();
        Some(Self::of(-(reach as i64), below.chain(&half).copied().collect()))
    }

    /// The sum of floored Laplace noise of this rate on this number of cells. Nothing if it spreads over too many
    /// numbers.
    #[must_use]
    pub fn floored(rate: f64, cells: u64) -> Option<Self> {
        let symmetric = Self::two_sided(rate, cells)?;
        // The number of cells whose coin takes one away.
        let coins = |taken: u64| libm::exp(ln_binomial(cells, taken) - cells as f64 * std::f64::consts::LN_2);
        let spread = (libm::sqrt(0.5 * DEPTH * cells as f64)) as u64 + 1;
        let (low, high) = ((cells / 2).saturating_sub(spread), (cells / 2 + spread).min(cells));
        let coins: Vec<f64> = (low..=high).map(coins).collect();
        let length = symmetric.probabilities.len() + coins.len() - 1;
        if length as f64 * coins.len() as f64 > 100.0 * MAX_ENTRIES {
            return None;
        }
        let mut sum = vec![0.0; length];
        for (shift, weight) in coins.iter().rev().enumerate() {
            beat();
            let places = &mut sum[shift..shift + symmetric.probabilities.len()];
            places.iter_mut().zip(&symmetric.probabilities).for_each(|(place, p)| *place += weight * p);
        }
        Some(Self::of(symmetric.start - high as i64, sum))
    }

    /// The law with weights that need not sum to one.
    pub(crate) fn of(start: i64, mut probabilities: Vec<f64>) -> Self {
        let total = probabilities.iter().copied().collect::<Sum>().value();
        probabilities.iter_mut().for_each(|value| *value /= total);
        let mut at_least = tails(probabilities.iter().rev());
        at_least.reverse();
        let at_most = tails(probabilities.iter());
        let moment = |of: &dyn Fn(f64) -> f64| {
            let terms = probabilities.iter().enumerate();
            terms.map(|(place, p)| p * of((start + place as i64) as f64)).collect::<Sum>().value()
        };
        let mean = moment(&|z| z);
        let variance = moment(&|z| (z - mean) * (z - mean));
        Self { start, probabilities, at_least, at_most, mean, variance }
    }

    /// The law of the sum of this noise, given that its sum with other noise is `total`.
    #[must_use]
    pub fn given_total(&self, other: &Self, total: i64) -> Option<Self> {
        let low = self.start.max(total - other.end());
        let high = self.end().min(total - other.start);
        let weights: Vec<f64> =
            (low..=high).map(|z| self.probability(z) * other.probability(total - z)).collect();
        let sum: f64 = weights.iter().sum();
        (sum > 0.0).then(|| Self::of(low, weights))
    }

    /// The law of `total - Z`.
    #[must_use]
    pub fn mirrored(&self, total: i64) -> Self {
        let reversed = |values: &[f64]| values.iter().rev().copied().collect();
        Self {
            start: total - self.end(),
            probabilities: reversed(&self.probabilities),
            at_least: reversed(&self.at_most),
            at_most: reversed(&self.at_least),
            mean: total as f64 - self.mean,
            variance: self.variance,
        }
    }

    /// The least number of the table.
    #[must_use]
    pub fn start(&self) -> i64 {
        self.start
    }

    /// The largest number of the table.
    #[must_use]
    pub fn end(&self) -> i64 {
        self.start + self.probabilities.len() as i64 - 1
    }

    /// `P(Z = z)`.
    #[must_use]
    pub fn probability(&self, z: i64) -> f64 {
        self.place(z).map_or(0.0, |place| self.probabilities[place])
    }

    /// `P(Z >= z)`.
    #[must_use]
    pub fn at_least(&self, z: i64) -> f64 {
        if z <= self.start { 1.0 } else { self.place(z).map_or(0.0, |place| self.at_least[place]) }
    }

    /// `P(Z <= z)`.
    #[must_use]
    pub fn at_most(&self, z: i64) -> f64 {
        if z >= self.end() { 1.0 } else { self.place(z).map_or(0.0, |place| self.at_most[place]) }
    }

    /// `ln P(Z = z)`. Beyond the table it goes on with the slope that it has at the end.
    pub(crate) fn ln(&self, z: i64) -> f64 {
        let last = self.probabilities.len() - 1;
        let at = |place: usize| libm::log(self.probabilities[place]);
        match self.place(z) {
            Some(place) => at(place),
            // Noise that never happens.
            None if last == 0 => -STEEP * (z - self.start).unsigned_abs() as f64,
            None if z < self.start => at(0) - (at(1) - at(0)) * (self.start - z) as f64,
            None => at(last) + (at(last) - at(last - 1)) * (z - self.end()) as f64,
        }
    }

    /// The number up to which there is this part of the law: a draw, if the part is uniform.
    pub(crate) fn draw(&self, part: f64) -> i64 {
        let place = self.at_most.partition_point(|&below| below < part);
        self.start + place.min(self.probabilities.len() - 1) as i64
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The variance.
    #[must_use]
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The least number with at most `tail` below it, and the largest with at most `tail` above it.
    #[must_use]
    pub fn middle(&self, tail: f64) -> (i64, i64) {
        let low = self.at_most.partition_point(|&below| below <= tail);
        let high = self.at_least.partition_point(|&above| above > tail);
        let last = self.probabilities.len() - 1;
        (self.start + low.min(last) as i64, self.start + high.saturating_sub(1) as i64)
    }

    fn place(&self, z: i64) -> Option<usize> {
        usize::try_from(z.checked_sub(self.start)?).ok().filter(|&place| place < self.probabilities.len())
    }
}

/// Running sums from one end.
fn tails<'a>(values: impl Iterator<Item = &'a f64>) -> Vec<f64> {
    let mut sum = Sum::default();
    let running = values.map(|&value| {
        sum.add(value);
        sum.value().min(1.0)
    });
    running.collect()
}

/// A number beyond which the sum of two-sided geometric noise on m cells has less than `exp(-DEPTH)` of its mass:
/// `P(Z >= a) <= M(s)^m exp(-s a)` for every s below the rate, with the moment generating function M.
fn reach(rate: f64, cells: u64) -> Option<usize> {
    /// The number of slopes that are tried.
    const SLOPES: u32 = 64;
    let q = libm::exp(-rate);
    let ln_generating = |s: f64| {
        2.0 * libm::log(-libm::expm1(-rate))
            - libm::log(-libm::expm1(s - rate))
            - libm::log1p(-q * libm::exp(-s))
    };
    let bound = |slope: u32| {
        let s = rate * f64::from(slope) / f64::from(SLOPES);
        (cells as f64 * ln_generating(s) + DEPTH) / s
    };
    let least = (1..SLOPES).map(bound).fold(f64::INFINITY, f64::min);
    (2.0 * least < MAX_ENTRIES).then(|| least.ceil() as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{FlooredLaplace, Noise, TwoSidedGeometric};
    use crate::sampler::Rate;

    /// The sum by one convolution after another.
    fn convolved(noise: &dyn Noise, cells: u64, reach: i64) -> Vec<f64> {
        let one: Vec<f64> = (-reach..=reach).map(|z| noise.probability(z)).collect();
        let mut sum = vec![1.0];
        for _ in 0..cells {
            let mut next = vec![0.0; sum.len() + one.len() - 1];
            for (i, a) in sum.iter().enumerate() {
                for (j, b) in one.iter().enumerate() {
                    next[i + j] += a * b;
                }
            }
            sum = next;
        }
        sum
    }

    /// If this fails, the recurrence or the coins do not give the law of the sum.
    #[test]
    fn sums_are_convolutions() {
        for (rate, text) in [(0.5, "1/2"), (2.0, "2"), (0.125, "1/8")] {
            let exact = || Rate::new(text.parse().expect("a fraction")).expect("positive");
            for cells in [1, 2, 3, 7] {
                let reach = (40.0 / rate) as i64;
                let pairs: [(Box<dyn Noise>, FoldedNoise); 2] = [
                    (
                        Box::new(TwoSidedGeometric::new(exact())),
                        FoldedNoise::two_sided(rate, cells).expect("narrow"),
                    ),
                    (
                        Box::new(FlooredLaplace::new(exact())),
                        FoldedNoise::floored(rate, cells).expect("narrow"),
                    ),
                ];
                for (noise, folded) in pairs {
                    let all = convolved(&*noise, cells, reach);
                    let middle = reach * cells as i64;
                    for (place, expected) in all.iter().enumerate() {
                        let z = place as i64 - middle;
                        // At the ends of the range the convolution itself lacks terms.
                        if z.abs() <= reach / 2 {
                            let found = folded.probability(z);
                            assert!(
                                (found / expected - 1.0).abs() < 1e-9,
                                "{noise:?} {cells} {z}: {found} {expected}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// A rate, a number of cells, a sum of their noise, and its probability.
    const GOLDEN: [(f64, u64, i64, f64); 9] = [
        (0.5, 1, 3, 0.054648740365478836),
        (0.5, 40, 0, 0.022758079893021733),
        (0.5, 40, 90, 1.8795346077376856e-07),
        (0.5, 3000, 200, 0.0011110216903069028),
        (0.05, 12, 0, 0.0042052029750034355),
        (0.05, 12, 700, 1.175736554412658e-10),
        (0.005, 2, 1000, 5.05344621195815e-05),
        (3.0, 500, 11, 0.01783707742537764),
        (0.005, 300, 9000, 1.502711987906495e-05),
    ];

    /// Computed with 60 digits, as sums of products of negative binomial probabilities.
    #[test]
    fn large_sums_are_golden() {
        for (rate, cells, z, expected) in GOLDEN {
            let found = FoldedNoise::two_sided(rate, cells).expect("narrow").probability(z);
            assert!((found / expected - 1.0).abs() < 1e-11, "{rate} {cells} {z}: {found} {expected}");
        }
    }

    #[test]
    fn moments_and_tails() {
        let (rate, cells) = (0.05, 300);
        let folded = FoldedNoise::floored(rate, cells).expect("narrow");
        let q = libm::exp(-rate);
        let variance = cells as f64 * (2.0 * q / ((1.0 - q) * (1.0 - q)) + 0.25);
        assert!((folded.mean() + 150.0).abs() < 1e-9, "{}", folded.mean());
        assert!((folded.variance() / variance - 1.0).abs() < 1e-11);
        let (low, high) = folded.middle(0.01);
        assert!(folded.at_most(low - 1) <= 0.01 && folded.at_most(low) > 0.01);
        assert!(folded.at_least(high + 1) <= 0.01 && folded.at_least(high) > 0.01);
        let mirrored = folded.mirrored(7);
        assert!((mirrored.at_least(7 - low) - folded.at_most(low)).abs() < 1e-15);
    }

    #[test]
    fn large_rates_leave_no_noise() {
        for rate in [30.0, 34.0, 40.0, 500.0, 1e9] {
            for cells in [0, 1, 5] {
                let folded = FoldedNoise::two_sided(rate, cells).expect("narrow");
                assert!((folded.probability(0) - 1.0).abs() < 1e-12, "{rate} {cells}");
                let coins = FoldedNoise::floored(rate, cells).expect("narrow");
                assert!((coins.mean() + 0.5 * cells as f64).abs() < 1e-12, "{rate} {cells}");
            }
        }
    }

    #[test]
    fn what_is_too_wide_is_refused() {
        assert_eq!(FoldedNoise::two_sided(1e-7, 1), None);
        assert_eq!(FoldedNoise::floored(1e-7, 5), None);
    }
}
