//! Points that fill the unit cube evenly.

use crate::sampler::{BitSource, SeededBits};

/// Points of the unit cube for means of functions: shifted copies of a lattice rule of rank one, folded by the tent
/// map.
///
/// With one lattice the mean of a smooth function converges faster than with random points (Sloan and Joe, Lattice
/// Methods for Multiple Integration, 1994). The copies have independent shifts, so that their spread shows the error.
/// The first coordinates are spread most evenly.
///
/// ```
/// use posterity_core::forecast::UnitPoints;
/// let points = UnitPoints::new(3, 127);
/// let mean: f64 = points.iter().map(|(_, point)| point[0] * point[1]).sum::<f64>() / points.len() as f64;
/// assert!((mean - 0.25).abs() < 1e-3);
/// ```
#[derive(Clone, Debug)]
pub struct UnitPoints {
    per_copy: u64,
    generator: Vec<u64>,
    shifts: Vec<Vec<f64>>,
}

/// The number of shifted copies.
pub(super) const COPIES: usize = 4;

/// The seed of the shifts. It is fixed, so that everybody gets the same answer.
const SEED: u64 = 1;

/// Beyond this dimension generators are not compared any more; the points are then about as good as random ones.
const COMPARED: usize = 16;

/// About how many generators are compared.
const TRIED: u64 = 60;

impl UnitPoints {
    /// Copies of a lattice with `per_copy` points, a prime number, in this dimension.
    #[must_use]
    pub fn new(dimension: usize, per_copy: u64) -> Self {
        let per_copy = per_copy.max(2);
        let korobov = |a: u64| {
            let powers = std::iter::successors(Some(1), move |power| Some(power * a % per_copy));
            powers.take(dimension).collect::<Vec<u64>>()
        };
        let compared = |a: u64| {
            let mut generator = korobov(a);
            generator.truncate(COMPARED);
            unevenness(&generator, per_copy)
        };
        let best = (1..=per_copy / 2)
            .step_by((per_copy / 2 / TRIED).max(1) as usize)
            .map(|a| (a, compared(a)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let bits = &mut SeededBits::new(SEED);
        let shifts = (0..COPIES).map(|_| (0..dimension).map(|_| uniform(bits)).collect()).collect();
        Self { per_copy, generator: korobov(best.map_or(1, |best| best.0)), shifts }
    }

    /// The number of points of all copies.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there are always points")]
    pub fn len(&self) -> usize {
        COPIES * self.per_copy as usize
    }

    /// Each point with the number of its copy.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Vec<f64>)> + '_ {
        (0..self.len()).map(|index| (self.copy(index), self.point(index)))
    }

    /// The copy that a point belongs to.
    pub(super) fn copy(&self, index: usize) -> usize {
        index / self.per_copy as usize
    }

    /// The coordinates of a point in turns: for the data, and for the noise.
    pub(super) fn halves(&self, index: usize) -> (Vec<f64>, Vec<f64>) {
        let point = self.point(index);
        let half = |first: usize| point.iter().copied().skip(first).step_by(2).collect();
        (half(0), half(1))
    }

    /// A point, whose coordinates are strictly between 0 and 1.
    pub(super) fn point(&self, index: usize) -> Vec<f64> {
        let step = (index as u64) % self.per_copy;
        let coordinates = self.generator.iter().zip(&self.shifts[self.copy(index)]);
        let folded = coordinates.map(|(&direction, shift)| {
            let place = (step * direction % self.per_copy) as f64 / self.per_copy as f64 + shift;
            let place = place - libm::floor(place);
            (1.0 - (2.0 * place - 1.0).abs()).clamp(1e-12, 1.0 - 1e-12)
        });
        folded.collect()
    }
}

/// The mean square error of a lattice over smooth periodic functions, in which later coordinates matter less (P_2 with
/// product weights; Sloan and Joe 1994, section 4.2).
fn unevenness(generator: &[u64], points: u64) -> f64 {
    let term = |step: u64| -> f64 {
        let factors = generator.iter().enumerate().map(|(coordinate, &direction)| {
            let x = (step * direction % points) as f64 / points as f64;
            let weight = 1.0 / (1.0 + coordinate as f64);
            1.0 + weight * 2.0 * std::f64::consts::PI * std::f64::consts::PI * (x * x - x + 1.0 / 6.0)
        });
        factors.product()
    };
    (0..points).map(term).sum::<f64>() / points as f64 - 1.0
}

fn uniform(bits: &mut dyn BitSource) -> f64 {
    // A seeded source does not fail.
    (bits.next_u64().unwrap_or_default() >> 11) as f64 / 9_007_199_254_740_992.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the points are no better than random ones, whose error here is 0.3 %.
    #[test]
    fn means_of_smooth_functions_are_precise() {
        let points = UnitPoints::new(4, 127);
        let function = |x: &[f64]| {
            (x[0] + 0.5) * (x[1] * x[1] + 2.0 / 3.0) * (0.75 + 0.5 * x[2]) * (1.0 + 0.1 * (x[3] - 0.5))
        };
        let mean = points.iter().map(|(_, point)| function(&point)).sum::<f64>() / points.len() as f64;
        assert!((mean - 1.0).abs() < 5e-4, "{mean}");
    }

    #[test]
    fn points_are_inside_the_cube_and_in_their_copies() {
        let points = UnitPoints::new(20, 31);
        let all: Vec<_> = points.iter().collect();
        assert_eq!((all.len(), all[0].0, all[123].0), (124, 0, 3));
        assert!(all.iter().all(|(_, point)| point.len() == 20 && point.iter().all(|x| *x > 0.0 && *x < 1.0)));
    }
}
