//! Discrete Gaussian noise.

use std::f64::consts::{LN_2, PI};
use std::num::NonZeroU64;

use dashu_base::{SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use thiserror::Error;

use super::{Noise, TwoSidedGeometric};
use crate::sampler::{BitSource, Rate, SourceError, bernoulli_exp};

/// `P(z) = exp(-z^2/(2 sigma^2)) / sum over all x of exp(-x^2/(2 sigma^2))` (Canonne, Kamath and Steinke 2020).
///
/// ```
/// use dashu_ratio::RBig;
/// use posterity_core::noise::DiscreteGaussian;
/// use posterity_core::sampler::SeededBits;
/// let noise = DiscreteGaussian::new(&RBig::from(4))?;
/// let total: f64 = (-40..=40).map(|z| noise.probability(z)).sum();
/// assert!((total - 1.0).abs() < 1e-14);
/// assert!((noise.variance() - 4.0).abs() < 1e-12);
/// println!("{}", noise.draw(&mut SeededBits::new(1))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Guarantee
/// With this noise on a whole number that one record changes by at most c, a release is `c^2/(2 sigma^2)`-zCDP: the Renyi
/// divergence of every order alpha is at most `alpha c^2/(2 sigma^2)`. Independent noise on several numbers adds up
/// (docs/proofs/discrete-gaussian.md).
#[derive(Clone, Debug, PartialEq)]
pub struct DiscreteGaussian {
    sigma_squared: RBig,
    /// The nearest floating-point number.
    near: f64,
    sampler: Sampler,
}

/// Rejection from two-sided geometric noise, for `sigma^2 = p/q`.
#[derive(Clone, Debug, PartialEq)]
struct Sampler {
    /// Of rate `1/t`, where `t = floor(sigma) + 1`.
    wide: TwoSidedGeometric,
    /// `q t`.
    step: UBig,
    /// `p`.
    centre: UBig,
    /// `2 p q t^2`.
    scale: UBig,
}

impl Sampler {
    fn new(sigma_squared: &RBig) -> Self {
        let (p, q) = (sigma_squared.numerator().unsigned_abs(), sigma_squared.denominator());
        let floor = u64::try_from((&p / q).sqrt()).unwrap_or(u64::MAX - 1);
        let t = NonZeroU64::MIN.saturating_add(floor);
        let step = q * UBig::from(t.get());
        let scale = UBig::from(2_u8) * &p * &step * UBig::from(t.get());
        Self { wide: TwoSidedGeometric::new(Rate::one_over(t)), step, centre: p, scale }
    }

    /// The exponent with which a number is kept: `(abs(y) - sigma^2/t)^2 / (2 sigma^2) = (abs(y) q t - p)^2 / (2 p q t^2)`,
    /// of which this is the numerator.
    fn exponent(&self, y: &IBig) -> UBig {
        let distance = IBig::from(y.unsigned_abs() * &self.step) - IBig::from(self.centre.clone());
        distance.unsigned_abs().sqr()
    }

    fn draw(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError> {
        loop {
            let y = self.wide.sample(bits)?;
            if bernoulli_exp(&self.exponent(&y), &self.scale, bits)? {
                return Ok(y);
            }
        }
    }
}

/// The parameter is not one that the noise can have.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("sigma^2 is about {near}; it must be from 1e-12, which is next to no noise, to 1e30")]
pub struct DiscreteGaussianError {
    /// sigma^2, rounded.
    pub near: f64,
}

/// Beyond this sigma^2 draws might not fit an `i64`.
const MOST_DIGITS: usize = 30;

/// Below this sigma^2 the noise is always zero, and the number was probably a mistake.
const MOST_PLACES: usize = 12;

impl DiscreteGaussian {
    /// Noise with this sigma^2, which is nearly its variance unless it is small.
    ///
    /// # Errors
    /// [`DiscreteGaussianError`] if sigma^2 is below 1e-12 or above 1e30.
    pub fn new(sigma_squared: &RBig) -> Result<Self, DiscreteGaussianError> {
        let power = |exponent: usize| UBig::from(10_u8).pow(exponent);
        let near = sigma_squared.to_f64().value();
        let (least, most) = (RBig::from_parts(IBig::ONE, power(MOST_PLACES)), RBig::from(power(MOST_DIGITS)));
        if *sigma_squared < least || *sigma_squared > most {
            return Err(DiscreteGaussianError { near });
        }
        Ok(Self { sigma_squared: sigma_squared.clone(), near, sampler: Sampler::new(sigma_squared) })
    }

    /// sigma^2, exactly.
    #[must_use]
    pub fn sigma_squared(&self) -> &RBig {
        &self.sigma_squared
    }

    /// One draw.
    ///
    /// # Guarantee
    /// Exact: Canonne, Kamath and Steinke (2020), algorithm 3; docs/proofs/discrete-gaussian.md. The numbers of words and
    /// of repetitions are independent of anything but the draw.
    ///
    /// # Errors
    /// [`SourceError`] from the source, and if the draw does not fit an `i64`.
    pub fn draw(&self, bits: &mut dyn BitSource) -> Result<i64, SourceError> {
        let beyond_all = |_| SourceError { reason: "it gave one bit thousands of times".to_owned() };
        i64::try_from(self.sampler.draw(bits)?).map_err(beyond_all)
    }

    /// `ln P(Z = z)`, which does not underflow.
    #[must_use]
    pub fn ln_probability(&self, z: i64) -> f64 {
        let z = z as f64;
        -z * z / (2.0 * self.near) - self.ln_total()
    }

    /// `P(Z = z)`.
    #[must_use]
    pub fn probability(&self, z: i64) -> f64 {
        libm::exp(self.ln_probability(z))
    }

    /// The variance, to a relative error below 1e-12. It is below sigma^2, by less than `1e-7 sigma^2` from
    /// `sigma^2 = 1` on.
    ///
    /// With `T(s) = sum over z of exp(-z^2/(2s))` it is `2 s^2 T'(s)/T(s)`, summed directly for small s, and otherwise
    /// by Poisson's formula `T(s) = sqrt(2 pi s) sum over k of exp(-2 pi^2 s k^2)`.
    ///
    /// ```
    /// use dashu_ratio::RBig;
    /// use posterity_core::noise::DiscreteGaussian;
    /// // P(z) is proportional to exp(-2 z^2) for sigma^2 = 1/4.
    /// let noise = DiscreteGaussian::new(&(RBig::ONE / RBig::from(4)))?;
    /// let weight = |z: i32| (-2.0 * f64::from(z * z)).exp();
    /// let sum = |of: fn(i32) -> f64| (1..6).map(|z| 2.0 * of(z) * weight(z)).sum::<f64>();
    /// let expected = sum(|z| f64::from(z * z)) / (1.0 + sum(|_| 1.0));
    /// assert!((noise.variance() / expected - 1.0).abs() < 1e-12);
    /// # Ok::<(), posterity_core::noise::DiscreteGaussianError>(())
    /// ```
    #[must_use]
    pub fn variance(&self) -> f64 {
        let s = self.near;
        if is_small(s) {
            return moments(1.0 / (2.0 * s)).second / moments(1.0 / (2.0 * s)).total;
        }
        let dual = moments(2.0 * PI * PI * s);
        s - 4.0 * PI * PI * s * s * dual.second / dual.total
    }

    /// An upper bound on `ln P(abs(Z) >= m)`: `ln 2 - m^2/(2 sigma^2)`, at most zero. The noise is sub-Gaussian with
    /// parameter sigma.
    #[must_use]
    pub fn ln_tail_up(&self, m: u64) -> f64 {
        let m = m as f64;
        // Six roundings.
        (LN_2 - m * m / (2.0 * self.near) * (1.0 - 8.0 * f64::EPSILON)).min(0.0)
    }

    /// The logarithm of the sum of all weights.
    fn ln_total(&self) -> f64 {
        let s = self.near;
        if is_small(s) {
            return libm::log(moments(1.0 / (2.0 * s)).total);
        }
        0.5 * libm::log(2.0 * PI * s) + libm::log(moments(2.0 * PI * PI * s).total)
    }
}

/// Whether direct sums converge at least as quickly as those of Poisson's formula.
fn is_small(sigma_squared: f64) -> bool {
    sigma_squared < 0.5 / PI
}

/// Sums over all whole numbers z of `exp(-rate z^2)` and of `z^2 exp(-rate z^2)`.
struct Moments {
    total: f64,
    second: f64,
}

/// Both sums, for `rate >= pi`. The terms from the seventh on are below `exp(-49 pi)` of the first.
fn moments(rate: f64) -> Moments {
    let (mut total, mut second) = (0.0, 0.0);
    for z in (1..7).rev() {
        let square = f64::from(z * z);
        let weight = 2.0 * libm::exp(-rate * square);
        total += weight;
        second += square * weight;
    }
    Moments { total: 1.0 + total, second }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(sigma_squared: f64) -> DiscreteGaussian {
        DiscreteGaussian::new(&RBig::try_from(sigma_squared).expect("finite")).expect("in range")
    }

    /// Direct sums over all numbers with a weight.
    fn by_sum(s: f64) -> (f64, f64) {
        let reach = (40.0 * s.sqrt()).ceil() as i32 + 2;
        let weight = |z: i32| (-f64::from(z) * f64::from(z) / (2.0 * s)).exp();
        let total: f64 = (-reach..=reach).map(weight).sum();
        let second: f64 = (-reach..=reach).map(|z| f64::from(z) * f64::from(z) * weight(z)).sum();
        (total, second / total)
    }

    /// On both sides of the place where one formula replaces the other.
    #[test]
    fn the_law_is_the_direct_sum() {
        for s in [0.01, 0.05, 0.1, 0.159, 0.1591, 0.16, 0.2, 0.5, 1.0, 2.5, 30.0, 1e4] {
            let (total, variance) = by_sum(s);
            let noise = noise(s);
            assert!((noise.probability(0) * total - 1.0).abs() < 1e-13, "{s}");
            assert!(
                (noise.variance() / variance - 1.0).abs() < 1e-12,
                "{s}: {} {variance}",
                noise.variance()
            );
            let ratio = noise.ln_probability(3) - noise.ln_probability(0) + 9.0 / (2.0 * s);
            assert!(ratio.abs() < 1e-12 * (1.0 + 9.0 / (2.0 * s)), "{s}");
        }
    }

    /// A round returns y with the probability of the wide noise times that of keeping it. If their product is not in
    /// proportion to the law, the sampler is not exact.
    #[test]
    fn a_round_has_the_law() {
        for (p, q) in [(1_u64, 8_u8), (1, 1), (7, 3), (90, 1), (1_600, 1), (41_000, 9)] {
            let sampler = Sampler::new(&RBig::from_parts(IBig::from(p), UBig::from(q)));
            let sigma_squared = p as f64 / f64::from(q);
            let ln_ratio = |y: i64| {
                let exponent =
                    RBig::from(sampler.exponent(&IBig::from(y))) / RBig::from(sampler.scale.clone());
                let kept = -exponent.to_f64().value();
                sampler.wide.ln_probability(y) + kept + (y * y) as f64 / (2.0 * sigma_squared)
            };
            for y in -400..=400 {
                assert!((ln_ratio(y) - ln_ratio(0)).abs() < 1e-9 * (y * y + 1) as f64, "{p}/{q} {y}");
            }
        }
    }

    #[test]
    fn the_tail_is_bounded() {
        for s in [0.01, 0.3, 1.0, 7.0, 400.0] {
            let noise = noise(s);
            for m in [0_u64, 1, 2, 5, 20, 60] {
                let m_signed = i64::try_from(m).expect("small");
                let outside: f64 = (m_signed..m_signed + 2_000)
                    .map(|z| if z == 0 { noise.probability(0) } else { 2.0 * noise.probability(z) })
                    .sum();
                assert!(outside.min(1.0).ln() <= noise.ln_tail_up(m) + 1e-13, "{s} {m}");
            }
            assert_eq!(noise.ln_tail_up(0), 0.0);
        }
    }

    #[test]
    fn extremes() {
        let wide = noise(9e29);
        assert!((wide.variance() / 9e29 - 1.0).abs() < 1e-12);
        assert!(wide.ln_probability(i64::MAX).is_finite());
        let narrow = noise(1e-11);
        assert_eq!((narrow.probability(0), narrow.probability(1), narrow.variance()), (1.0, 0.0, 0.0));
    }
}
