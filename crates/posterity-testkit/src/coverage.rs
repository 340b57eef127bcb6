//! What tests of coverage share: data from known proportions, and the distance of their ranks from the uniform law.

use posterity_core::sampler::{BitSource, SeededBits};

/// The largest difference between the empirical law of numbers between 0 and 1 and the uniform one.
pub fn kolmogorov(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len() as f64;
    let gaps =
        values.iter().enumerate().map(|(i, value)| (value - i as f64 / n).max((i + 1) as f64 / n - value));
    gaps.fold(0.0, f64::max)
}

/// Draws the counts of n records by inversion.
///
/// # Panics
/// If the source fails, which a seeded one does not.
pub fn multinomial(n: u64, theta: &[f64], bits: &mut SeededBits) -> Vec<u64> {
    let mut counts = vec![0; theta.len()];
    for _ in 0..n {
        let mut u = (bits.next_u64().expect("seeded") >> 11) as f64 / 2f64.powi(53);
        let mut category = 0;
        while category + 1 < theta.len() && u >= theta[category] {
            u -= theta[category];
            category += 1;
        }
        counts[category] += 1;
    }
    counts
}
