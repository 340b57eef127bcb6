//! Weights on a range of whole numbers, and their convolution.

use std::sync::{Arc, Mutex, PoisonError};

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};

use crate::special::Sum;

/// Non-negative weights of `start, start + 1, ..` that sum to at most one, with bounds on their error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mass {
    pub(crate) start: u64,
    pub(crate) values: Vec<f64>,
    /// A bound on the total weight that was cut off.
    pub(crate) lost: f64,
    /// A bound on the error of each weight.
    pub(crate) error: f64,
    /// A bound on the relative error of each weight, in addition to `error`.
    pub(crate) relative: f64,
}

/// Plans of Fourier transforms. Each length is planned once.
pub(crate) struct Transforms {
    planner: Mutex<FftPlanner<f64>>,
}

impl std::fmt::Debug for Transforms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transforms").finish_non_exhaustive()
    }
}

impl Default for Transforms {
    fn default() -> Self {
        Self { planner: Mutex::new(FftPlanner::new()) }
    }
}

impl Transforms {
    /// Transforms in place: `sum_k values[k] exp(-2 pi i k j / N)`.
    pub(crate) fn forward(&self, values: &mut [Complex<f64>]) {
        self.plan(values.len(), FftDirection::Forward).process(values);
    }

    /// Makes of values their circular convolution with what was transformed, which had this norm before. The result bounds
    /// the error of each number.
    pub(crate) fn convolve(
        &self,
        values: &mut [Complex<f64>],
        transformed: &[Complex<f64>],
        norm_of_other: f64,
    ) -> f64 {
        let own = norm(values);
        self.forward(values);
        let scale = 1.0 / values.len() as f64;
        values.iter_mut().zip(transformed).for_each(|(value, other)| *value = *value * other * scale);
        self.plan(values.len(), FftDirection::Inverse).process(values);
        // Both forward transforms are off by the product of the norms at most, the inverse one by the norm of its result.
        four_transforms_up(values.len()) * (own * norm_of_other + norm(values))
    }

    fn plan(&self, size: usize, direction: FftDirection) -> Arc<dyn Fft<f64>> {
        // The planner is only a cache, so it can be used after a panic in another thread.
        self.planner.lock().unwrap_or_else(PoisonError::into_inner).plan_fft(size, direction)
    }
}

/// The weight that may be cut off at either end of a convolution. It is far below any weight that matters.
pub(crate) const CUT_TAIL: f64 = 1e-24;

/// The cost of a convolution by transforms of length N, in multiplications, divided by N log2 N. It takes about 6; the
/// rest of this number stands for the digits that transforms lose.
const FOURIER_COST: f64 = 15.0;

impl Mass {
    pub(crate) fn new(start: u64, values: Vec<f64>) -> Self {
        Self { start, values, lost: 0.0, error: 0.0, relative: 0.0 }
    }

    /// The last number that has a weight.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.values.len() as u64 - 1
    }

    /// The weight of a number; zero outside the range.
    pub(crate) fn at(&self, number: u64) -> f64 {
        number
            .checked_sub(self.start)
            .and_then(|index| self.values.get(index as usize))
            .copied()
            .unwrap_or(0.0)
    }

    /// The largest weight.
    pub(crate) fn largest(&self) -> f64 {
        self.values.iter().copied().fold(0.0, f64::max)
    }

    /// The mean and the variance.
    pub(crate) fn moments(&self) -> (f64, f64) {
        let mean: f64 = self.values.iter().zip(0_u64..).map(|(p, place)| p * place as f64).sum();
        let square = |(p, place): (&f64, u64)| p * (place as f64 - mean) * (place as f64 - mean);
        (self.start as f64 + mean, self.values.iter().zip(0_u64..).map(square).sum())
    }

    /// The law of the sum of two independent numbers, as far as it lies within `low..=high`.
    pub(crate) fn convolve(&self, other: &Self, low: u64, high: u64, transforms: &Transforms) -> Self {
        let wanted = low;
        let (low, high) = (low.max(self.start + other.start), high.min(self.end() + other.end()));
        // Neither factor has a total weight above one, so the errors only add.
        let (lost, error) = (self.lost + other.lost, self.error + other.error);
        let relative = self.relative + other.relative;
        if low > high {
            return Self { start: wanted, values: vec![0.0], lost, error, relative };
        }
        let (short, long) =
            if self.values.len() < other.values.len() { (self, other) } else { (other, self) };
        let offset = (low - self.start - other.start) as usize;
        let length = (high - low) as usize + 1;
        let direct = short.values.len() as f64 * (length.min(long.values.len()) as f64);
        // A transform adds sums that differ by its length. It must be so long that no other sum meets a wanted one.
        let sums = self.values.len() + other.values.len() - 1;
        let size = transform_size((offset + length).max(sums - offset).max(long.values.len()));
        let fourier = FOURIER_COST * size as f64 * libm::log2(size as f64);
        if direct <= fourier {
            let values = directly(&short.values, &long.values, offset, length);
            let relative = relative + f64::EPSILON * short.values.len() as f64;
            Self { start: low, values, lost, error, relative }
        } else {
            let (values, more) = by_fourier(&short.values, &long.values, offset, length, size, transforms);
            Self { start: low, values, lost, error: error + more, relative }
        }
    }

    /// The weight of each number together with what completes it to `total` in another law.
    pub(super) fn completed(&self, others: &Self, total: u64) -> Self {
        let values =
            (self.start..).zip(&self.values).map(|(number, value)| value * others.at(total - number));
        Self {
            start: self.start,
            values: values.collect(),
            lost: self.lost + others.lost,
            error: self.error + others.error,
            relative: self.relative + others.relative,
        }
    }

    /// Cuts off ends of negligible weight.
    pub(crate) fn trimmed(self) -> Self {
        self.trimmed_to(CUT_TAIL)
    }

    /// Cuts off ends of at most this weight each.
    pub(crate) fn trimmed_to(mut self, negligible: f64) -> Self {
        let kept = middle(&self.values, negligible);
        self.start += kept.start as u64;
        self.values.truncate(kept.end);
        self.values.drain(..kept.start);
        self.lost += 2.0 * negligible;
        self
    }
}

/// The range of values without the ends that sum to at most `negligible` each.
pub(crate) fn middle(values: &[f64], negligible: f64) -> std::ops::Range<usize> {
    let cut = |values: &mut dyn Iterator<Item = &f64>| {
        let mut sum = 0.0;
        values
            .take_while(|&&value| {
                sum += value;
                sum <= negligible
            })
            .count()
    };
    let front = cut(&mut values.iter()).min(values.len() - 1);
    let back = cut(&mut values[front..].iter().rev()).min(values.len() - front - 1);
    front..values.len() - back
}

/// The least length of a fast transform that is not below this one: a power of two, or three times one.
pub(crate) fn transform_size(least: usize) -> usize {
    let power = least.next_power_of_two();
    let smaller = power / 4 * 3;
    if smaller >= least.max(12) { smaller } else { power }
}

/// `sum_i short[i] long[offset + j - i]` for `j < length`. All terms are positive, so the relative error is at most
/// half an ulp for each product and each sum.
fn directly(short: &[f64], long: &[f64], offset: usize, length: usize) -> Vec<f64> {
    let mut values = vec![0.0; length];
    // Four weights at a time, so that each value is loaded and stored once for four terms. Each sum is taken in the
    // order of the weights.
    let (fours, rest) = short.as_chunks::<4>();
    for (block, weights) in fours.iter().enumerate() {
        let i = 4 * block;
        // The values that all four weights add to: long[offset + j - i - 3] up to long[offset + j - i] exist.
        let first = (i + 3).saturating_sub(offset).min(length);
        let last = (long.len() + i).saturating_sub(offset).clamp(first, length);
        for (place, &weight) in weights.iter().enumerate() {
            add_scaled(&mut values[..first], weight, long, offset, i + place, 0);
        }
        if last > first {
            let terms = &long[offset + first - i - 3..];
            let values = &mut values[first..last];
            for (value, term) in values.iter_mut().zip(terms.windows(4)) {
                *value = *value
                    + weights[0] * term[3]
                    + weights[1] * term[2]
                    + weights[2] * term[1]
                    + weights[3] * term[0];
            }
        }
        for (place, &weight) in weights.iter().enumerate() {
            add_scaled(&mut values[last..], weight, long, offset, i + place, last);
        }
    }
    let i = short.len() - rest.len();
    for (place, &weight) in rest.iter().enumerate() {
        add_scaled(&mut values, weight, long, offset, i + place, 0);
    }
    values
}

/// Adds `weight long[offset + j - i]` to the values of `j` from `start` on, where that exists.
fn add_scaled(values: &mut [f64], weight: f64, long: &[f64], offset: usize, i: usize, start: usize) {
    let first = i.saturating_sub(offset + start);
    let from = (offset + start).saturating_sub(i);
    if first >= values.len() || from >= long.len() {
        return;
    }
    for (value, other) in values[first..].iter_mut().zip(&long[from..]) {
        *value += weight * other;
    }
}

/// The sums by one complex transform and one inverse transform: the imaginary part of `(a + ib)^2` is `2 a b`. The
/// second result bounds the error of each value.
fn by_fourier(
    short: &[f64],
    long: &[f64],
    offset: usize,
    length: usize,
    size: usize,
    transforms: &Transforms,
) -> (Vec<f64>, f64) {
    let of = |values: &[f64]| libm::sqrt(values.iter().map(|value| value * value).collect::<Sum>().value());
    let (norm_short, norm_long) = (of(short), of(long));
    if norm_short == 0.0 || norm_long == 0.0 {
        return (vec![0.0; length], 0.0);
    }
    // Both are scaled to norm one, so that the rounding error of one does not hide the other.
    let mut buffer = vec![Complex::new(0.0, 0.0); size];
    for (place, value) in buffer.iter_mut().zip(short) {
        place.re = value / norm_short;
    }
    for (place, value) in buffer.iter_mut().zip(long) {
        place.im = value / norm_long;
    }
    transforms.plan(size, FftDirection::Forward).process(&mut buffer);
    buffer.iter_mut().for_each(|value| *value = *value * *value);
    transforms.plan(size, FftDirection::Inverse).process(&mut buffer);
    let scale = 0.5 * norm_short * norm_long;
    let values =
        buffer[offset..offset + length].iter().map(|value| (value.im / size as f64 * scale).max(0.0));
    // The forward transform, of norm sqrt(2), is squared: that is off by four times its own error, half of which counts
    // here. The inverse one is off by the norm of its result.
    let off = 1.0 + norm(&buffer) / size as f64;
    (values.collect(), four_transforms_up(size) * off * norm_short * norm_long)
}

pub(crate) fn norm(values: &[Complex<f64>]) -> f64 {
    libm::sqrt(values.iter().map(Complex::norm_sqr).sum())
}

/// The relative error of four transforms of this length in the 2-norm.
///
/// Higham (2002), theorem 24.2: that of one is below about 4 log2(N) ulps. A factor three of the length counts as two
/// layers.
fn four_transforms_up(size: usize) -> f64 {
    16.0 * (libm::log2(size as f64) + 2.0) * f64::EPSILON
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, one of the two ways does not compute the convolution, or not the wanted range of it.
    #[test]
    fn both_ways_agree_with_the_definition() {
        let short: Vec<f64> = (0..7).map(|i| f64::from(i * i + 1) / 98.0).collect();
        let long: Vec<f64> = (0..19).map(|i| f64::from(40 - i) / 589.0).collect();
        let at = |j: usize| -> f64 {
            short.iter().enumerate().filter_map(|(i, a)| Some(a * long.get(j.checked_sub(i)?)?)).sum()
        };
        for (offset, length) in [(0, 25), (3, 4), (10, 15), (24, 1), (1, 24), (2, 17), (5, 20), (8, 3)] {
            let expected: Vec<f64> = (offset..offset + length).map(at).collect();
            let size = transform_size((offset + length).max(25 - offset).max(19));
            let (fourier, error) = by_fourier(&short, &long, offset, length, size, &Transforms::default());
            for (values, tolerance) in [(directly(&short, &long, offset, length), 1e-16), (fourier, error)] {
                assert_eq!(values.len(), length);
                for (value, expected) in values.iter().zip(&expected) {
                    assert!((value - expected).abs() <= tolerance + 1e-16 * expected, "{value} {expected}");
                }
            }
        }
    }

    #[test]
    fn trimming_keeps_the_middle() {
        let mass = Mass::new(5, vec![0.0, 1e-30, 0.5, 0.0, 0.5, 1e-26, 0.0]).trimmed();
        assert_eq!((mass.start, mass.end()), (7, 9));
        assert_eq!(mass.at(9), 0.5);
        assert_eq!(mass.at(6) + mass.at(10), 0.0);
    }
}
