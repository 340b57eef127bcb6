//! The functions that audits and normalisers evaluate most often, on slices, so that the compiler can use vector instructions.
//!
//! Every result has a relative error below 2^-49. The order of all operations is fixed, so results do not depend on the
//! number of threads.

use super::Sum;

/// Elements that are added up without compensation.
const UNCOMPENSATED: usize = 128;

/// The number of elements over which sums, and largest and smallest values, are taken side by side.
const LANES: usize = 4;

/// Adding and subtracting this number, 1.5 2^52, rounds to a whole number, whose binary digits are then the last ones.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// ln 2 in two parts; the first has so few binary digits that its small multiples are exact.
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// `exp(-x)` is taken at no more than this.
const LARGEST: f64 = 700.0;

/// `1/j!` for j = 2..=14.
const FACTORIALS: [f64; 13] = {
    let (mut all, mut j, mut factorial) = ([0.0; 13], 0, 1.0);
    while j < 13 {
        factorial *= (j + 2) as f64;
        all[j] = 1.0 / factorial;
        j += 1;
    }
    all
};

/// The numbers `2^-k` and `e^r - 1` with `exp(-x) = 2^-k e^r`, `abs(r) <= ln(2)/2`; k is zero for x below ln(2)/2.
#[inline(always)]
fn parts(x: f64) -> (f64, f64) {
    let x = if x < LARGEST { x } else { LARGEST };
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (k * LN_2[0] - x) + k * LN_2[1];
    let power = f64::from_bits(1023_u64.wrapping_sub(shifted.to_bits()) << 52);
    let [f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = FACTORIALS;
    // Two sums of every other term, so that the processor can work on both at once.
    let square = r * r;
    let even =
        f2 + square * (f4 + square * (f6 + square * (f8 + square * (f10 + square * (f12 + square * f14)))));
    let odd = f3 + square * (f5 + square * (f7 + square * (f9 + square * (f11 + square * f13))));
    (power, r + square * (even + r * odd))
}

/// `exp(-x)` for x >= 0.
#[inline(always)]
fn exp_minus(x: f64) -> f64 {
    let (power, rest) = parts(x);
    power + power * rest
}

/// `1 - exp(-x)` for x >= 0.
#[inline(always)]
fn one_minus_exp_minus(x: f64) -> f64 {
    let (power, rest) = parts(x);
    (1.0 - power) - power * rest
}

/// Replaces costs by `scale H`, `H = sqrt(1 - exp(-cost))`.
#[inline]
pub(crate) fn exponents(costs: &mut [f64], scale: f64) {
    for cost in costs {
        *cost = scale * one_minus_exp_minus(*cost).sqrt();
    }
}

/// Replaces costs by `scale (1 - exp(-cost))`.
#[inline]
pub(crate) fn bounded_exponents(costs: &mut [f64], scale: f64) {
    for cost in costs {
        *cost = scale * one_minus_exp_minus(*cost);
    }
}

/// Writes `exp(-x)` for every exponent x, or zero where all exponents of a block are above `skip`. Returns the sum.
#[inline]
pub(crate) fn weigh(exponents: &[f64], weights: &mut [f64], skip: f64) -> f64 {
    let mut sum = Sum::default();
    for (exponents, weights) in exponents.chunks(UNCOMPENSATED).zip(weights.chunks_mut(UNCOMPENSATED)) {
        if exponents.iter().all(|&x| x > skip) {
            weights.fill(0.0);
            continue;
        }
        for (weight, &x) in weights.iter_mut().zip(exponents) {
            *weight = exp_minus(x);
        }
        sum.add(total(weights));
    }
    sum.value()
}

/// The sum of few elements.
#[inline]
fn total(values: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for values in whole {
        for (lane, value) in lanes.iter_mut().zip(values) {
            *lane += value;
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

/// The least and the largest `a - b`, beginning from the given ones.
#[inline]
pub(crate) fn spread(a: &[f64], b: &[f64], (least, largest): (f64, f64)) -> (f64, f64) {
    let (mut low, mut high) = ([least; LANES], [largest; LANES]);
    let ((whole_a, rest_a), (whole_b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in whole_a.iter().zip(whole_b) {
        for lane in 0..LANES {
            let difference = a[lane] - b[lane];
            low[lane] = lesser(low[lane], difference);
            high[lane] = greater(high[lane], difference);
        }
    }
    for (a, b) in rest_a.iter().zip(rest_b) {
        low[0] = lesser(low[0], a - b);
        high[0] = greater(high[0], a - b);
    }
    (
        lesser(lesser(low[0], low[1]), lesser(low[2], low[3])),
        greater(greater(high[0], high[1]), greater(high[2], high[3])),
    )
}

/// The lesser of two numbers, neither of them NaN. Unlike `f64::min` it is one instruction.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The greater of two numbers, neither of them NaN.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// `sum max(0, factor p - other_factor q)`.
#[inline]
pub(crate) fn excess((p, factor): (&[f64], f64), (q, other_factor): (&[f64], f64)) -> f64 {
    let mut sum = Sum::default();
    for (p, q) in p.chunks(UNCOMPENSATED).zip(q.chunks(UNCOMPENSATED)) {
        let mut lanes = [0.0; LANES];
        let ((whole_p, rest_p), (whole_q, rest_q)) = (p.as_chunks::<LANES>(), q.as_chunks::<LANES>());
        let positive = |p: f64, q: f64| {
            let difference = factor * p - other_factor * q;
            if difference > 0.0 { difference } else { 0.0 }
        };
        for (p, q) in whole_p.iter().zip(whole_q) {
            for lane in 0..LANES {
                lanes[lane] += positive(p[lane], q[lane]);
            }
        }
        let rest: f64 = rest_p.iter().zip(rest_q).map(|(&p, &q)| positive(p, q)).sum();
        sum.add(lanes.iter().sum::<f64>() + rest);
    }
    sum.value()
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;

    /// If this fails, the relative error of a function is not what the enclosure of an audit allows for.
    #[test]
    fn relative_errors() {
        let mut random = Random::new(5);
        let mut largest = 0.0_f64;
        for _ in 0..1_000_000 {
            let x = random.log_uniform(1e-30, 700.0);
            for (found, exact) in [(exp_minus(x), libm::exp(-x)), (one_minus_exp_minus(x), -libm::expm1(-x))]
            {
                largest = largest.max((found / exact - 1.0).abs());
            }
        }
        println!("largest relative error {largest:e}");
        assert!(largest < 1.0 / (1_u64 << 49) as f64, "{largest:e}");
        assert_eq!((exp_minus(0.0), one_minus_exp_minus(0.0)), (1.0, 0.0));
        assert!(exp_minus(1e300) < 1e-300 && one_minus_exp_minus(1e300) == 1.0);
    }

    #[test]
    fn reductions_agree_with_their_definitions() {
        let mut random = Random::new(6);
        for length in [1, 3, 4, 127, 128, 129, 1_000] {
            let mut draw = |high: f64| (0..length).map(|_| random.uniform(0.0, high)).collect::<Vec<f64>>();
            let (a, b) = (draw(100.0), draw(100.0));
            let difference = || a.iter().zip(&b).map(|(a, b)| a - b);
            let (least, largest) = spread(&a, &b, (f64::INFINITY, f64::NEG_INFINITY));
            assert_eq!(least, difference().fold(f64::INFINITY, f64::min));
            assert_eq!(largest, difference().fold(f64::NEG_INFINITY, f64::max));
            let mut weights = vec![f64::NAN; length];
            let sum = weigh(&a, &mut weights, 1_000.0);
            assert!((sum / a.iter().map(|x| (-x).exp()).sum::<f64>() - 1.0).abs() < 1e-13);
            let positive: f64 = a.iter().zip(&b).map(|(a, b)| (2.0 * a - 3.0 * b).max(0.0)).sum();
            assert!((excess((&a, 2.0), (&b, 3.0)) - positive).abs() <= 1e-13 * positive);
        }
    }
}
