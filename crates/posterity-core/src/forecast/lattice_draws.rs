//! Lattice noise as a function of points of the unit cube.

use crate::model::Released;

/// Draws of [lattice noise](crate::noise::LatticeNoise) by its quantiles: each coordinate given those before it. It
/// uses floating point, so it is for analysis, not for privacy.
///
/// ```
/// use posterity_core::forecast::LatticeDraws;
/// let noise = LatticeDraws::new(3, 1.0).at(&[0.9, 0.1]);
/// assert_eq!((noise[0] > 0, noise.iter().sum::<i64>()), (true, 0));
/// ```
#[derive(Clone, Debug)]
pub struct LatticeDraws {
    k: usize,
    radius: i64,
    /// `sums[j](r) ~ sum of exp(-rate/2 sum_i abs(z_i))` over j + 1 numbers that sum to r, from `-radius` on.
    sums: Vec<Vec<f64>>,
}

/// Noise of less than `exp(-DEPTH)` in a coordinate is left out.
const DEPTH: f64 = 37.0;

/// The largest range of one coordinate. It bounds the memory where epsilon is tiny.
const WIDEST: f64 = 1e6;

/// The most numbers in the laws of all sums, which take 240 MB.
const TABLED: f64 = 3e7;

/// The largest noise of one coordinate that is not left out.
fn radius(rate: f64) -> i64 {
    libm::ceil((DEPTH / (0.5 * rate)).min(WIDEST)) as i64 + 2
}

impl LatticeDraws {
    /// Whether the laws of all sums fit in little memory.
    pub(super) fn fits(k: usize, rate: f64) -> bool {
        k as f64 * (2.0 * radius(rate) as f64 + 1.0) <= TABLED
    }

    /// The noise of this rate for k categories, with `P(z) ~ exp(-rate/2 sum_i abs(z_i))` where `sum z = 0`.
    #[must_use]
    pub fn new(k: usize, rate: f64) -> Self {
        let half = 0.5 * rate;
        let radius = radius(rate);
        let length = 2 * radius as usize + 1;
        let q = libm::exp(-half);
        let one: Vec<f64> =
            (0..length).map(|index| libm::exp(-half * (index as i64 - radius).abs() as f64)).collect();
        let mut sums = vec![one];
        for _ in 2..k {
            let next = convolved(&sums[sums.len() - 1], q);
            sums.push(next);
        }
        Self { k, radius, sums }
    }

    /// The noise at a point with a coordinate for each category but the last.
    #[must_use]
    pub fn at(&self, point: &[f64]) -> Vec<i64> {
        let mut noise = Vec::with_capacity(self.k);
        let mut sum = 0;
        for (i, &unit) in point.iter().enumerate().take(self.k - 1) {
            let z = self.quantile(self.k - 2 - i, sum, unit);
            noise.push(z);
            sum += z;
        }
        noise.push(-sum);
        noise
    }

    /// What the mechanism `lattice` releases at a point: counts with this noise, each cut to `0..=n`.
    #[must_use]
    pub fn clipped(&self, counts: &[u64], point: &[f64], n: u64) -> Released {
        let noisy = counts.iter().zip(self.at(point));
        // Counts are at most 10^12, far below the largest i64.
        Released::new(noisy.map(|(&count, z)| (count as i64 + z).clamp(0, n as i64) as u64).collect())
    }

    /// The quantile of a coordinate when those before it sum to `sum`, and `sums[others]` is the law of those after it.
    fn quantile(&self, others: usize, sum: i64, unit: f64) -> i64 {
        let (own, others) = (&self.sums[0], &self.sums[others]);
        // z and -sum - z are both within the radius.
        let low = (-self.radius).max(-sum - self.radius);
        let high = self.radius.min(-sum + self.radius);
        if low > high {
            return -sum;
        }
        let weight = |z: i64| own[(z + self.radius) as usize] * others[(-sum - z + self.radius) as usize];
        let wanted = unit * (low..=high).map(weight).sum::<f64>();
        let mut below = 0.0;
        let place = (low..=high).find(|&z| {
            below += weight(z);
            below > wanted
        });
        place.unwrap_or(high)
    }
}

/// The convolution with `q^abs(z)`, by one pass in each direction.
fn convolved(law: &[f64], q: f64) -> Vec<f64> {
    let mut result = vec![0.0; law.len()];
    let mut carried = 0.0;
    for (value, &own) in result.iter_mut().zip(law) {
        carried = own + q * carried;
        *value = carried;
    }
    carried = 0.0;
    for (value, &own) in result.iter_mut().zip(law).rev() {
        *value += q * carried;
        carried = own + q * carried;
    }
    // Only ratios matter, and products of many categories must not overflow.
    let largest = result.iter().copied().fold(0.0, f64::max);
    result.iter_mut().for_each(|value| *value /= largest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::LatticeNoise;
    use crate::sampler::Rate;

    /// Every vector of noise takes the share of the cube that is its probability, to the fineness of a grid.
    #[test]
    fn draws_follow_the_law_of_lattice_noise() {
        let (k, steps) = (3, 700);
        let draws = LatticeDraws::new(k, 1.5);
        let law = LatticeNoise::new(k, Rate::new("3/2".parse().expect("a fraction")).expect("positive"))
            .expect("three");
        let mut seen = std::collections::BTreeMap::new();
        let unit = |step: u32| (f64::from(step) + 0.5) / f64::from(steps);
        for first in 0..steps {
            for second in 0..steps {
                *seen.entry(draws.at(&[unit(first), unit(second)])).or_insert(0.0) +=
                    1.0 / f64::from(steps * steps);
            }
        }
        for a in -3_i64..=3 {
            for b in -3_i64..=3 {
                let z = [a, b, -a - b];
                let distance = z.iter().map(|z| z.unsigned_abs()).sum::<u64>() / 2;
                let expected = law.ln_probability(distance).exp();
                let found: f64 = seen.get(&z[..]).copied().unwrap_or(0.0);
                assert!((found - expected).abs() < 3.0 / f64::from(steps), "{z:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn noise_sums_to_zero() {
        for (k, rate) in [(2, 0.01), (5, 0.1), (9, 30.0)] {
            let draws = LatticeDraws::new(k, rate);
            for unit in [1e-9, 0.3, 0.5, 1.0 - 1e-9] {
                let noise = draws.at(&vec![unit; k - 1]);
                assert_eq!((noise.len(), noise.iter().sum::<i64>()), (k, 0));
            }
        }
    }
}
