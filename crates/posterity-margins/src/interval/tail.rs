//! Tails of sums of discrete Gaussian noise.

/// The part of one by which smoothed noise may differ from normal noise.
const SMOOTH: f64 = 1e-7;

/// The distances, in deviations of what smooths, at which the bound is tried.
const SHIFTS: [f64; 12] = [0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 3.5, 4.0];

/// A bound on the tails of `L = sum c_j Z_j` for independent discrete Gaussian Z_j with parameters at least s, in units
/// of `sqrt(sum c_j^2 s_j^2)`.
///
/// # Guarantee
/// `P(L >= x sd) <= up(x)`, and the same for -L. It is the smaller of two bounds: `exp(-x^2/2)`, and that of normal noise
/// that smooths the lattice (docs/proofs/residuals.md, theorem 6).
///
/// ```
/// use posterity_margins::interval::Tail;
/// let tail = Tail::new(30.0, 1000.0);
/// assert!(tail.deviations(0.025) < 1.97);
/// // Noise of a few steps is far from normal.
/// assert!(Tail::new(30.0, 0.5).deviations(0.025) < 2.717);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tail {
    /// The deviation of what smooths, by that of the noise; none if the noise has too few steps.
    smoothing: Option<f64>,
}

impl Tail {
    /// The tail of a sum of this many draws whose parameters are at least s.
    #[must_use]
    pub fn new(terms: f64, least: f64) -> Self {
        // 4 exp(-2 pi^2 r^2) for each draw is at most SMOOTH for all of them.
        let r2 =
            libm::log(8.0 * terms.max(1.0) / SMOOTH) / (2.0 * std::f64::consts::PI * std::f64::consts::PI);
        let s2 = least * least;
        // r^2 = s^2 t^2/(s^2 + t^2), so t^2 = r^2 s^2/(s^2 - r^2).
        let smoothing = if s2.is_infinite() { 0.0 } else { libm::sqrt(r2 / (s2 - r2)) };
        Self { smoothing: (s2 > 2.0 * r2).then_some(smoothing) }
    }

    /// A bound on the probability of at least x deviations.
    #[must_use]
    pub fn up(&self, x: f64) -> f64 {
        SHIFTS.iter().map(|&shift| self.up_with(x, shift)).fold(chernoff(x), f64::min)
    }

    /// The bound that one shift gives.
    pub(super) fn up_with(&self, x: f64, shift: f64) -> f64 {
        let Some(t) = self.smoothing else { return chernoff(x) };
        let y = x - shift * t;
        // What smooths has at most this deviation, and perhaps less: for y below zero none at all is worst.
        let deviation = if y < 0.0 { 1.0 } else { libm::sqrt(1.0 + t * t) };
        ((1.0 + SMOOTH) * normal_above(y / deviation) / normal_above(-shift)).min(1.0)
    }

    /// The shift that gives the least bound where it is about `size`.
    pub(super) fn shift_for(&self, size: f64) -> f64 {
        let x = self.deviations(size);
        let better = |a: &f64, b: &f64| self.up_with(x, *a).total_cmp(&self.up_with(x, *b));
        SHIFTS.into_iter().min_by(better).unwrap_or(SHIFTS[0])
    }

    /// The number of deviations beyond which the bound is at most `size`, rounded up.
    #[must_use]
    pub fn deviations(&self, size: f64) -> f64 {
        // The bound decreases from 1 at 0 to less than any size at its Chernoff value.
        let (mut low, mut high) = (0.0, libm::sqrt(-2.0 * libm::log(size)) * (1.0 + 1e-12));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.up(middle) > size { low = middle } else { high = middle }
        }
        high
    }
}

/// The bound of all noise whose moments are at most those of normal noise.
fn chernoff(x: f64) -> f64 {
    if x > 0.0 { libm::exp(-0.5 * x * x) } else { 1.0 }
}

/// The probability that a standard normal number is above x.
fn normal_above(x: f64) -> f64 {
    0.5 * libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tail of one discrete Gaussian draw, by its sum.
    fn one(s: f64, from: f64) -> f64 {
        let weight = |z: i64| (-(z as f64).powi(2) / (2.0 * s * s)).exp();
        let reach = (12.0 * s) as i64 + 12;
        let all: f64 = (-reach..=reach).map(weight).sum();
        (-reach..=reach).filter(|&z| z as f64 >= from - 1e-9).map(weight).sum::<f64>() / all
    }

    /// If this fails, intervals are too narrow.
    #[test]
    fn bounds_hold_for_one_draw() {
        for s in [0.2, 0.7, 1.5, 2.0, 5.0, 40.0] {
            let tail = Tail::new(1.0, s);
            for step in 0..=(6.0 * s) as i64 + 3 {
                let bound = tail.up(step as f64 / s);
                assert!(one(s, step as f64) <= bound, "{s} {step}: {} {bound}", one(s, step as f64));
            }
        }
    }

    /// If this fails, intervals are much wider than normal ones.
    #[test]
    fn many_steps_are_nearly_normal() {
        for (s, most) in [(1e9, 1.9601), (1000.0, 1.964), (96.0, 2.0), (20.0, 2.13)] {
            let found = Tail::new(20.0, s).deviations(0.025);
            assert!(found > 1.9599 && found < most, "{s}: {found}");
        }
    }
}
