//! The limit of the mean distance at balanced data, times the root of the data size.

use super::steps::step_probability;

/// The limit of `sqrt(n) E[H]` at balanced data of n records, k categories and any prior (docs/paper.md): for large n
/// the distance of counts that differ by D is `sqrt(k/(8 n))` times the length of D, so the limit is `sqrt(k/8)` times
/// the mean length of what a mechanism adds to the counts. None for mechanisms whose limit is not known here, and for
/// more than three categories, where the sum is long.
///
/// ```
/// use posterity_reproduce::bounds::scaled_limit;
/// // Two categories: 1/(sqrt(2) sinh(epsilon/2)) for mh, coth(epsilon/4)/sqrt(8) for lsdim.
/// let mh = 1.0 / (2.0_f64.sqrt() * 0.5_f64.sinh());
/// assert!((scaled_limit("mh", 2, 1.0).unwrap() - mh).abs() < 1e-9);
/// let lsdim = 1.0 / (8.0_f64.sqrt() * 0.25_f64.tanh());
/// assert!((scaled_limit("lsdim", 2, 1.0).unwrap() - lsdim).abs() < 1e-9);
/// assert!((scaled_limit("mh", 3, 1.0).unwrap() - 3.44554).abs() < 1e-5);
/// assert!((scaled_limit("lshist", 3, 1.0).unwrap() - 2.87527).abs() < 1e-5);
/// ```
#[must_use]
pub fn scaled_limit(mechanism: &str, k: usize, epsilon: f64) -> Option<f64> {
    let length = match (mechanism, k) {
        (_, 0 | 1 | 4..) => None,
        ("mh" | "ehdl" | "mhg", _) => Some(exponential_length(k, epsilon)),
        ("ehds", _) => Some(exponential_length(k, 0.5 * epsilon)),
        ("lsdim", _) => Some(laplace_length(k, epsilon / k as f64)),
        ("lshist", _) => Some(laplace_length(k, if k == 2 { epsilon } else { 0.5 * epsilon })),
        _ => None,
    };
    length.map(|length| (k as f64 / 8.0).sqrt() * length)
}

/// The mean length of D with probability proportional to `exp(-epsilon |D|/(2 sqrt(2)))`: a step moves one record and has
/// the length `sqrt(2)`.
fn exponential_length(k: usize, epsilon: f64) -> f64 {
    let rate = epsilon / (2.0 * std::f64::consts::SQRT_2);
    let (mut total, mut sum) = (0.0, 0.0);
    each(k, (60.0 / rate).ceil() as i64, |_, length| {
        let weight = libm::exp(-rate * length);
        total += weight;
        sum += weight * length;
    });
    sum / total
}

/// The mean length of D if all entries but the last are Laplace noise that is rounded down, and the last makes the sum
/// zero.
fn laplace_length(k: usize, rate: f64) -> f64 {
    let mut sum = 0.0;
    each(k, (45.0 / rate).ceil() as i64, |steps, length| {
        sum += length * steps.iter().map(|&step| step_probability(rate, step)).product::<f64>();
    });
    sum
}

/// Visits the first entries, up to `reach`, and the length of every D with two or three whole entries and the sum zero.
fn each(k: usize, reach: i64, mut visit: impl FnMut(&[i64], f64)) {
    let others = if k == 2 { 0..=0 } else { -reach..=reach };
    for other in others {
        for first in -reach..=reach {
            let last = first + other;
            let squares: i64 = [first, other, last].iter().map(|entry| entry * entry).sum();
            visit(&[first, other][..k - 1], (squares as f64).sqrt());
        }
    }
}
