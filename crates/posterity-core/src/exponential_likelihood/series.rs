//! Normalisers from a power series.
//!
//! With y the Bhattacharyya coefficient, `exp(-s sqrt(1-y)) = sum_m a_m y^m` with positive `a_m` that sum to one. A
//! power of y is a product over the categories, so its sum over all candidates is the coefficient of a convolution, and
//! that is an average of products of Fourier transforms: a few dozen products, instead of one term for each candidate.
//! Only near the data, where y is close to one, the series converges slowly. There the rest of the series is summed
//! candidate by candidate (docs/proofs/noise-aware.md).

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};
use std::sync::Arc;

use super::LEFT_OUT_COST;
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::special::kernel::{exponents, weigh};
use crate::special::{Sum, ln_gamma};

/// What is the same for all data sets.
pub(super) struct Series {
    n: u64,
    data_sets: f64,
    /// Candidates are near if their cost is below this.
    near: f64,
    /// For m = 1, 2, .. the period of the Fourier transforms of y^m.
    periods: Vec<usize>,
    /// A bound on what longer sums add to the coefficient of each power.
    aliased: f64,
    work: f64,
    /// The transforms by class, count and power.
    transforms: Vec<Vec<Vec<Transform>>>,
}

/// The Fourier transform of one power of one category's coefficient, around the count of the data, at the frequencies
/// that are not negligible.
struct Transform {
    values: Vec<Complex<f64>>,
    /// The largest absolute value at each frequency and all later ones, and after that a bound on those that are left
    /// out.
    tails: Vec<f64>,
}

/// Costs from which on candidates may be far.
const NEAR: [f64; 9] = [0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4];

/// `exp(-REMAINDER)` bounds the rest of the series at all far candidates together, and the longer sums of all powers.
const REMAINDER: f64 = 30.0;

/// Frequencies after which all others have this share of the first are left out.
const CUT: f64 = 1e-15;

/// The number of coefficients of the polynomial that takes the place of the first powers near the data.
const CHEBYSHEV: usize = 40;

/// Near candidates that are added up at a time.
const CANDIDATES_AT_A_TIME: usize = 512;

impl Series {
    /// Chooses what is near so that the work is least.
    pub(super) fn plan(alpha: &[f64], n: u64, data_sets: usize) -> Self {
        let (k, data_sets) = (alpha.len() as f64, data_sets as f64);
        let total = alpha.iter().copied().collect::<Sum>().value() + n as f64;
        let powers = |near: f64| libm::ceil((REMAINDER + libm::log(data_sets)) / near);
        // Near candidates lie in an ellipsoid of k - 1 dimensions. With equal counts it is about largest.
        let half = 0.5 * (k - 1.0);
        let inside = |near: f64| {
            let ln = half * libm::log(8.0 * std::f64::consts::PI * near) - ln_gamma(half + 1.0)
                + 0.5 * (k * libm::log(total / k) - libm::log(total));
            libm::exp(ln).min(data_sets) + 1.0
        };
        // In units of the time that one candidate takes in a direct sum.
        let work = |near: f64| {
            3.0 * inside(near) + 8.0 * k * powers(near) + 6.0 * CHEBYSHEV as f64 * powers(near) / 8.0
        };
        let near = NEAR.into_iter().min_by(|&a, &b| work(a).total_cmp(&work(b))).unwrap_or(1.0);
        // Counts that differ by D records or more in all cost at least D^2 / (8 (A + D)). There are (n+1)^k of them at
        // most.
        let needed = REMAINDER + k * libm::log(n as f64 + 1.0);
        let longest = k as usize * n as usize + 1;
        let periods = (1..=powers(near) as usize).map(|power| {
            // D^2 = c (A + D)
            let c = 8.0 * needed / power as f64;
            let least = 0.5 * (c + libm::sqrt(c * (c + 4.0 * total)));
            // An odd period has no frequency that is its own negative.
            (libm::ceil(least * (1.0 + 1e-9)) as usize).min(longest) | 1
        });
        let periods = periods.collect();
        let (aliased, transforms) = (libm::exp(-REMAINDER), Vec::new());
        Self { n, data_sets, near, periods, aliased, work: work(near), transforms }
    }

    /// The work at one data set, in units of the time that one candidate takes in a direct sum.
    pub(super) fn work(&self) -> f64 {
        self.work
    }

    /// The series with the transforms that it needs, given the costs by class, count of the data, and count of the
    /// release.
    pub(super) fn with_tables(self, tables: &[Vec<Vec<f64>>]) -> Self {
        let mut planner = FftPlanner::new();
        let plans: Vec<Arc<dyn Fft<f64>>> =
            self.periods.iter().map(|&period| planner.plan_fft_forward(period)).collect();
        let of_count = |(c, costs): (usize, &Vec<f64>)| -> Vec<Transform> {
            beat();
            let each = self.periods.iter().zip(&plans).enumerate();
            each.map(|(index, (&period, plan))| Transform::new(costs, c, index + 1, period, &**plan))
                .collect()
        };
        let transforms = tables
            .iter()
            .map(|table| Parallelism::AllCores.map(table.iter().enumerate(), of_count))
            .collect();
        Self { transforms, ..self }
    }

    /// `ln Z` at one data set, and a bound on its error. `classes` has the class of each category, and `costs` the
    /// costs of all its releases.
    pub(super) fn ln_total(
        &self,
        data: &[u64],
        classes: &[usize],
        costs: &[&[f64]],
        scale: f64,
    ) -> (f64, f64) {
        let coefficients = coefficients(scale, self.periods.len());
        let mut sum = Sum::default();
        sum.add(coefficients[0] * self.data_sets);
        // What is left out, and what rounding may change.
        let mut error = (self.aliased + libm::exp(-REMAINDER)) + TRANSFORM_ROUNDING * sum.value();
        let categories = data.iter().zip(classes);
        let categories: Vec<&[Transform]> =
            categories.map(|(&c, &class)| &*self.transforms[class][c as usize]).collect();
        for (index, (&period, &coefficient)) in self.periods.iter().zip(&coefficients[1..]).enumerate() {
            if coefficient == 0.0 {
                continue;
            }
            let (power, rounding) = average(&categories, index, period);
            sum.add(coefficient * power);
            error += coefficient * rounding;
        }
        let polynomial = Chebyshev::new(self.near, &coefficients);
        let mut near = Near {
            costs,
            data,
            most: self.near,
            scale,
            skip: LEFT_OUT_COST + libm::log(self.data_sets),
            polynomial: &polynomial,
            block: Vec::with_capacity(CANDIDATES_AT_A_TIME),
            squares: Vec::with_capacity(CANDIDATES_AT_A_TIME),
            weights: Vec::with_capacity(CANDIDATES_AT_A_TIME),
            sum,
            number: 0,
        };
        near.add(0, self.n as usize, 0.0);
        near.flush();
        let total = near.sum.value();
        error += near.number as f64 * polynomial.error;
        (libm::log(total), error / total)
    }
}

/// Rounding errors of a product of transforms, as a part of the product of their largest values.
const TRANSFORM_ROUNDING: f64 = 1e-14;

impl Transform {
    fn new(costs: &[f64], c: usize, power: usize, period: usize, plan: &dyn Fft<f64>) -> Self {
        let mut buffer = vec![Complex::new(0.0, 0.0); period];
        for (r, cost) in costs.iter().enumerate() {
            let exponent = power as f64 * cost;
            if exponent < 80.0 {
                // r - c modulo the period.
                buffer[(r + (c / period + 1) * period - c) % period].re += libm::exp(-exponent);
            }
        }
        plan.process(&mut buffer);
        buffer.truncate(period / 2 + 1);
        let mut tails: Vec<f64> = buffer.iter().map(|value| value.norm()).collect();
        for index in (1..tails.len()).rev() {
            tails[index - 1] = tails[index - 1].max(tails[index]);
        }
        // A frequency with this share in one category is left out whatever the others are, since no share exceeds one.
        let least = CUT * tails[0];
        let kept = tails.partition_point(|&tail| tail > least);
        let rest = tails.get(kept).copied().unwrap_or(0.0);
        tails.truncate(kept);
        tails.push(rest);
        buffer.truncate(kept);
        Self { values: buffer, tails }
    }
}

/// The average over all frequencies of the product of the transforms of one power, and a bound on its error.
fn average(categories: &[&[Transform]], power: usize, period: usize) -> (f64, f64) {
    let length = categories.iter().map(|one| one[power].values.len()).min().unwrap_or(0);
    let first: f64 = categories.iter().map(|one| one[power].values[0].re).product();
    let least = CUT * first;
    let (mut sum, mut place) = (0.0, 1);
    while place < length {
        // Whether the rest can be left out is asked now and then.
        let end = (place + 4).min(length);
        for frequency in place..end {
            let mut product = categories[0][power].values[frequency];
            for one in &categories[1..] {
                product *= one[power].values[frequency];
            }
            sum += product.re;
        }
        place = end;
        if categories.iter().map(|one| one[power].tails[place]).product::<f64>() <= least {
            break;
        }
    }
    // Each of the frequencies that are left out is at most that small. The others have rounding errors.
    let bound = (CUT * period as f64 + TRANSFORM_ROUNDING * place as f64) * first;
    ((first + 2.0 * sum) / period as f64, bound / period as f64)
}

/// `a_0, a_1, ..` up to a power, where `exp(-s sqrt(1-y)) = sum_m a_m y^m`. From `4 (1-y) f'' = s^2 f + 2 f'`.
fn coefficients(scale: f64, powers: usize) -> Vec<f64> {
    let first = libm::exp(-scale);
    let mut all = vec![first, 0.5 * scale * first];
    while all.len() <= powers {
        let m = (all.len() - 2) as f64;
        let [before, last] = [all[all.len() - 2], all[all.len() - 1]];
        all.push(
            (scale * scale * before + (m + 1.0) * (4.0 * m + 2.0) * last) / (4.0 * (m + 1.0) * (m + 2.0)),
        );
    }
    all.truncate(powers + 1);
    all
}

/// The sum of the first powers, as a polynomial of lower degree in `z = 1 - y` near zero.
struct Chebyshev {
    /// Maps z to -1..1.
    factor: f64,
    coefficients: [f64; CHEBYSHEV],
    /// A bound on the difference.
    error: f64,
}

impl Chebyshev {
    fn new(near: f64, powers: &[f64]) -> Self {
        let largest = -libm::expm1(-near);
        let angle = |index: usize| std::f64::consts::PI * (index as f64 + 0.5) / CHEBYSHEV as f64;
        let values: [f64; CHEBYSHEV] = std::array::from_fn(|index| {
            let y = 1.0 - 0.5 * largest * (1.0 + libm::cos(angle(index)));
            powers.iter().rev().fold(0.0, |sum, power| sum * y + power)
        });
        let cosines = cosines();
        let coefficients: [f64; CHEBYSHEV] = std::array::from_fn(|degree| {
            let sum: f64 = values
                .iter()
                .enumerate()
                .map(|(index, value)| value * cosines[degree * (2 * index + 1) % (4 * CHEBYSHEV)])
                .sum();
            sum * if degree == 0 { 1.0 } else { 2.0 } / CHEBYSHEV as f64
        });
        // The coefficients fall faster and faster, so those that are missing are together below the last four.
        let last: f64 = coefficients[CHEBYSHEV - 4..].iter().map(|value| value.abs()).sum();
        Self { factor: 2.0 / largest, coefficients, error: last + 1e-14 }
    }

    /// Subtracts the values at some z (Clenshaw's recurrence).
    fn subtract(&self, z: &[f64], values: &mut [f64]) {
        const LANES: usize = 8;
        for (z, values) in z.chunks(LANES).zip(values.chunks_mut(LANES)) {
            let mut t = [0.0; LANES];
            t.iter_mut().zip(z).for_each(|(t, z)| *t = z * self.factor - 1.0);
            let (mut one, mut two) = ([0.0; LANES], [0.0; LANES]);
            for &coefficient in self.coefficients[1..].iter().rev() {
                for lane in 0..LANES {
                    let next = 2.0 * t[lane] * one[lane] - two[lane] + coefficient;
                    two[lane] = one[lane];
                    one[lane] = next;
                }
            }
            for (lane, value) in values.iter_mut().enumerate() {
                *value -= t[lane] * one[lane] - two[lane] + self.coefficients[0];
            }
        }
    }
}

/// `cos(pi i / (2 CHEBYSHEV))` for a full turn.
fn cosines() -> &'static [f64] {
    static COSINES: std::sync::OnceLock<Vec<f64>> = std::sync::OnceLock::new();
    COSINES.get_or_init(|| {
        let angle = |i: usize| std::f64::consts::PI * i as f64 / (2 * CHEBYSHEV) as f64;
        (0..4 * CHEBYSHEV).map(|i| libm::cos(angle(i))).collect()
    })
}

/// The sum of the rest of the series over the candidates near the data.
struct Near<'a> {
    costs: &'a [&'a [f64]],
    data: &'a [u64],
    most: f64,
    scale: f64,
    skip: f64,
    polynomial: &'a Chebyshev,
    /// The costs of candidates that are not yet added.
    block: Vec<f64>,
    squares: Vec<f64>,
    weights: Vec<f64>,
    sum: Sum,
    number: usize,
}

impl Near<'_> {
    /// Adds the candidates that have `left` records in the categories from this one on, and whose others cost `cost`.
    /// The cost of a category falls up to the count of the data and rises from there.
    fn add(&mut self, category: usize, left: usize, cost: f64) {
        let here = self.costs[category];
        let at = self.data[category] as usize;
        if category + 2 == self.costs.len() {
            let last = self.costs[category + 1];
            let mut visit = |r: usize| -> bool {
                let part = cost + here[r];
                if part >= self.most {
                    return false;
                }
                let cost = part + last[left - r];
                if cost < self.most {
                    self.block.push(cost);
                }
                true
            };
            // From the count of the data in both directions.
            let middle = at.min(left);
            for r in middle..=left {
                if !visit(r) {
                    break;
                }
            }
            for r in (0..middle).rev() {
                if !visit(r) {
                    break;
                }
            }
            if self.block.len() >= CANDIDATES_AT_A_TIME {
                self.flush();
            }
            return;
        }
        for (r, own) in here.iter().enumerate().take(left + 1).skip(at.min(left)) {
            let cost = cost + own;
            if cost >= self.most && r >= at {
                break;
            }
            self.add(category + 1, left - r, cost);
        }
        for r in (0..at.min(left)).rev() {
            let cost = cost + here[r];
            if cost >= self.most {
                break;
            }
            self.add(category + 1, left - r, cost);
        }
    }

    /// Adds the candidates of the block.
    fn flush(&mut self) {
        self.number += self.block.len();
        // First the distances, whose squares are 1 - y.
        exponents(&mut self.block, 1.0);
        self.squares.clear();
        self.squares.extend(self.block.iter().map(|distance| distance * distance));
        self.block.iter_mut().for_each(|distance| *distance *= self.scale);
        self.weights.resize(self.block.len(), 0.0);
        weigh(&self.block, &mut self.weights, self.skip);
        self.polynomial.subtract(&self.squares, &mut self.weights);
        self.sum.add(self.weights.iter().sum());
        self.block.clear();
        self.weights.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the power series is not that of the weight.
    #[test]
    fn the_series_is_that_of_the_weight() {
        for scale in [0.0, 0.3, 1.0, 7.0, 40.0] {
            let all = coefficients(scale, 4_000);
            assert!(all.iter().all(|&one| one >= 0.0));
            for y in [0.0, 0.2, 0.7, 0.95, 0.99] {
                let sum = all.iter().rev().fold(0.0, |sum, one| sum * y + one);
                let exact = libm::exp(-scale * libm::sqrt(1.0 - y));
                assert!((sum - exact).abs() < 1e-13, "scale {scale} y {y}: {sum} {exact}");
            }
        }
    }
}
