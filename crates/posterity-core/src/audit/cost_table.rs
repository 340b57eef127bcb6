//! The costs of all pairs of data sets with two categories, from tables of linear size.
//!
//! With `G(x) = ln Gamma(alpha_1 + x) + ln Gamma(alpha_2 + n - x)` the cost of c and r is
//! `(G(c) + G(r))/2 - G((c+r)/2)`. It does not change when a linear function is added to G. So only second differences
//! of G are needed, and these are sums of positive terms. They are added up in whole numbers, without rounding, and
//! each value is stored as two floating-point numbers (docs/proofs/audit.md, lemma 3).

use crate::parallelism::Parallelism;
use crate::sensitivity::step_cost;

/// Tables of `G(x)/2` for whole x and of `G(x)` for multiples of one half.
pub(crate) struct CostTable {
    ends: Split,
    middles: Split,
}

/// Numbers that are sums of a multiple of a power of two, of which sums are exact, and a small rest.
#[derive(Default)]
struct Split {
    high: Vec<f64>,
    low: Vec<f64>,
}

/// Binary digits of the smallest second difference.
const DIGITS: u32 = 60;

impl CostTable {
    /// Whether the sums fit into 128 binary digits, and two floating-point numbers hold enough of them: a relative
    /// error of 2^-45 in the smallest cost.
    pub(crate) fn fits(alpha: [f64; 2], n: u64) -> bool {
        let n = n as f64;
        // The second differences add up to this, and so G is at most n times that. Step costs are below 400.
        let bends: f64 = alpha.iter().map(|&alpha| libm::log1p(n / alpha)).sum();
        let size = libm::log2(n * bends + 400.0);
        // The smallest cost is at least one over this.
        let finest = libm::log2(8.0 * (alpha[0].min(alpha[1]) + n));
        size + f64::from(fraction_digits(alpha, n)) < 125.0 && size + finest < 55.0
    }

    /// The tables for a prior of two parameters and n records, for which they fit.
    pub(crate) fn new(alpha: [f64; 2], n: u64) -> Self {
        let digits = fraction_digits(alpha, n as f64);
        let unit = libm::exp2(f64::from(digits));
        // The product is exact; what is cut off is below 2^-DIGITS of the number.
        let fixed = |x: f64| (x * unit) as i128;
        let bend = |x: u64| {
            let ahead = |alpha: f64, count: u64| libm::log1p(1.0 / (alpha + count as f64));
            ahead(alpha[0], x - 1) + ahead(alpha[1], n - x - 1)
        };
        let bends: Vec<i128> = (1..n).map(|x| fixed(bend(x))).collect();
        // The line that is added to G makes it level in the middle, so that it stays small.
        let mut slope = -bends.iter().take((n / 2) as usize).sum::<i128>();
        let mut values = Vec::with_capacity(n as usize + 1);
        values.push(0_i128);
        for bend in bends.iter().copied().chain([0]) {
            values.push(values[values.len() - 1] + slope);
            slope += bend;
        }
        let step = |x| fixed(step_cost(alpha[0], x) + step_cost(alpha[1], n - x - 1));
        let steps = Parallelism::AllCores.map(0..n, step);
        // In units of half the size, all numbers are whole.
        let at = |i: usize| {
            let x = i / 2;
            if i.is_multiple_of(2) { 2 * values[x] } else { values[x] + values[x + 1] - 2 * steps[x] }
        };
        let count = 2 * n as usize + 1;
        let largest = (0..count).map(|i| at(i).unsigned_abs()).max().unwrap_or(0);
        // Sums of two of the high parts have at most 53 binary digits.
        let cut = (128 - largest.leading_zeros()).saturating_sub(50);
        let scale = 0.5 / unit;
        let mut middles = Split::default();
        for value in (0..count).map(at) {
            let high = (value >> cut) << cut;
            middles.high.push(high as f64 * scale);
            middles.low.push((value - high) as f64 * scale);
        }
        let half = |values: &[f64]| values.iter().step_by(2).map(|value| 0.5 * value).collect();
        let ends = Split { high: half(&middles.high), low: half(&middles.low) };
        Self { ends, middles }
    }

    /// The cost of c and r, with a relative error below 2^-44.
    pub(crate) fn cost(&self, c: usize, r: usize) -> f64 {
        let high = (self.ends.high[c] + self.ends.high[r]) - self.middles.high[c + r];
        let low = (self.ends.low[c] + self.ends.low[r]) - self.middles.low[c + r];
        (high + low).max(0.0)
    }

    /// The costs of c and all r from `start` on.
    pub(crate) fn costs(&self, c: usize, start: usize, costs: &mut [f64]) {
        let end = start + costs.len();
        let (high, low) = (self.ends.high[c], self.ends.low[c]);
        let ends = self.ends.high[start..end].iter().zip(&self.ends.low[start..end]);
        let middles = self.middles.high[c + start..c + end].iter().zip(&self.middles.low[c + start..c + end]);
        for (cost, (end, middle)) in costs.iter_mut().zip(ends.zip(middles)) {
            let value = ((high + end.0) - middle.0) + ((low + end.1) - middle.1);
            *cost = if value > 0.0 { value } else { 0.0 };
        }
    }
}

/// Binary digits after the point. Every second difference is at least one over the sum of all parameters.
fn fraction_digits(alpha: [f64; 2], n: f64) -> u32 {
    DIGITS + libm::ceil(libm::log2(alpha[0] + alpha[1] + n + 1.0)) as u32
}

/// The largest number up to `most` for which a condition holds that holds up to some number, and for zero.
pub(crate) fn most(most: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;
    use crate::distance::{Pair, ln_bc};

    /// If this fails, the tables do not have the accuracy that the enclosure of an audit assumes.
    #[test]
    fn costs_agree_with_ln_bc() {
        let mut random = Random::new(21);
        let mut largest = 0.0_f64;
        for case in 0..300 {
            let alpha = match case % 3 {
                0 => random.prior(2, 0.02, 100.0),
                1 => random.prior(2, 1e-9, 1e9),
                _ => random.prior(2, 1e-3, 3.0),
            };
            let n = 1 + random.below(if case % 10 == 0 { 200_000 } else { 3_000 });
            let [first, second] = [alpha[0], alpha[1]];
            assert!(CostTable::fits([first, second], n), "{alpha:?} {n}");
            let table = CostTable::new([first, second], n);
            for _ in 0..100 {
                let c = random.below(n + 1);
                let r = if random.below(2) == 0 { random.below(n + 1) } else { (c + random.below(5)).min(n) };
                let pairs = [Pair::of_counts(first, c, r), Pair::of_counts(second, n - c, n - r)];
                let exact = -pairs.map(ln_bc).iter().sum::<f64>();
                let found = table.cost(c as usize, r as usize);
                if c == r {
                    assert_eq!(found, 0.0);
                    continue;
                }
                largest = largest.max((found / exact - 1.0).abs());
                let mut row = [0.0];
                table.costs(c as usize, r as usize, &mut row);
                assert_eq!(row[0], found);
            }
        }
        println!("largest relative difference {largest:e}");
        assert!(largest < 1.0 / (1_u64 << 43) as f64, "{largest:e}");
    }
}
