//! Noise on the lattice of whole-number vectors that sum to zero.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use thiserror::Error;

use crate::pulse::beat;
use crate::sampler::{BitSource, Ladder, Rate, SourceError, geometric, uniform_parts, uniform_u128};
use crate::special::{Sum, ln_binomial};

/// `P(z) ~ exp(-rate d(z))` on the vectors `z` of k whole numbers that sum to zero, where `d(z) = sum_i abs(z_i) / 2`
/// is the number of records that have to move to make z.
#[derive(Clone, Debug)]
pub struct LatticeNoise {
    k: usize,
    rate: Rate,
    /// The law of the part J of the distance.
    excess: Ladder,
}

/// There is no such noise for one category or none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there are {k} categories; noise that keeps the number of records needs at least two")]
pub struct LatticeNoiseError {
    /// The number of categories.
    pub k: usize,
}

impl LatticeNoise {
    /// Noise of this rate for `k >= 2` categories.
    ///
    /// # Errors
    /// [`LatticeNoiseError`] for fewer.
    pub fn new(k: usize, rate: Rate) -> Result<Self, LatticeNoiseError> {
        if k < 2 { Err(LatticeNoiseError { k }) } else { Ok(Self::for_setting_of(k, rate)) }
    }

    /// The noise for the categories of a setting, which are at least two.
    pub(crate) fn for_setting_of(k: usize, rate: Rate) -> Self {
        let m = k as u64 - 1;
        let square = |value: u64| UBig::from(value) * UBig::from(value);
        let excess =
            Ladder::new((0..m).map(|j| (square(m - j), square(j + 1))).collect(), rate.rational().clone());
        Self { k, rate, excess }
    }

    /// One draw.
    ///
    /// # Guarantee
    /// Exact, with O(k) random numbers expected: the distance is `J + G_1 + .. + G_{k-1}`, where J has weights
    /// `C(k-1, j)^2 exp(-rate j)` and the G are geometric of ratio `exp(-rate)`; given the distance, all points are
    /// equally likely (docs/proofs/lattice.md).
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn sample(&self, bits: &mut dyn BitSource) -> Result<Vec<IBig>, SourceError> {
        let mut distance = UBig::from(self.excess.sample(bits)?);
        for _ in 1..self.k {
            beat();
            distance += geometric(&self.rate, bits)?;
        }
        uniform_on_sphere(self.k, &distance, bits)
    }

    /// `ln sum_z exp(-rate d(z)) = ln sum_j C(k-1, j)^2 q^j - (k-1) ln(1-q)` with `q = exp(-rate)`.
    #[must_use]
    pub fn ln_normaliser(&self) -> f64 {
        let rate = self.rate.to_f64();
        let m = self.k as u64 - 1;
        let terms: Vec<f64> = (0..=m).map(|j| 2.0 * ln_binomial(m, j) - rate * j as f64).collect();
        ln_sum(&terms) - m as f64 * libm::log(-libm::expm1(-rate))
    }

    /// `ln P(z)` of a point at this distance.
    #[must_use]
    pub fn ln_probability(&self, distance: u64) -> f64 {
        -self.rate.to_f64() * distance as f64 - self.ln_normaliser()
    }

    /// `ln sum_E C(E+t-1, t-1) C(g+E+z-1, z-1) q^(E + g/2)`: what the points weigh that differ from a given one only in
    /// `z` places where they may be lower and `t` places where they may be higher, by `g` more below than above. In
    /// closed form `q^(g/2) sum_{i<z} C(g+z-1, z-1-i) C(t+i-1, i) q^i / (1-q)^(t+i)` (docs/proofs/lattice.md).
    #[must_use]
    pub fn ln_beyond(&self, lower: usize, higher: usize, gap: u64) -> f64 {
        let rate = self.rate.to_f64();
        let (z, t) = (lower as u64, higher as u64);
        let shift = -0.5 * rate * gap as f64;
        match (z, t) {
            (0, _) => shift,
            (_, 0) => shift + ln_binomial(gap + z - 1, z - 1),
            _ => {
                let ln_rest = libm::log(-libm::expm1(-rate));
                let term = |i: u64| {
                    ln_binomial(gap + z - 1, z - 1 - i) + ln_binomial(t + i - 1, i)
                        - rate * i as f64
                        - (t + i) as f64 * ln_rest
                };
                shift + ln_sum(&(0..z).map(term).collect::<Vec<_>>())
            }
        }
    }
}

/// `ln sum exp(terms)`.
fn ln_sum(terms: &[f64]) -> f64 {
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + libm::log(terms.iter().map(|&term| libm::exp(term - largest)).collect::<Sum>().value())
}

/// A uniform vector of `k` whole numbers that sums to zero and whose positive parts sum to `distance`.
///
/// # Guarantee
/// Exact: with j positive parts there are `C(k, j) C(d-1, j-1) C(d+k-j-1, k-j-1)` such vectors, and given j the places
/// of the positive parts, their values, and the values of the others are independent and uniform.
///
/// # Errors
/// [`SourceError`] from the source.
fn uniform_on_sphere(k: usize, distance: &UBig, bits: &mut dyn BitSource) -> Result<Vec<IBig>, SourceError> {
    if *distance == UBig::ZERO {
        return Ok(vec![IBig::ZERO; k]);
    }
    let most = usize::try_from(distance).map_or(k - 1, |distance| distance.min(k - 1));
    // From j to j + 1 positive parts.
    let ratio = |j: usize| {
        let (rest, j) = ((k - j) as u64, j as u64);
        let up = UBig::from(rest * (rest - 1)) * (distance - UBig::from(j));
        let down = UBig::from((j + 1) * j) * (distance + UBig::from(rest - 1));
        (up, down)
    };
    let positive = 1 + Ladder::new((1..most).map(ratio).collect(), RBig::ZERO).sample(bits)?;
    let up = uniform_parts(positive, &(distance - UBig::from(positive)), bits)?;
    let down = uniform_parts(k - positive, distance, bits)?;
    let (mut up, mut down) = (up.into_iter(), down.into_iter());
    let mut left = positive;
    let mut point = Vec::with_capacity(k);
    for place in 0..k {
        beat();
        let is_positive = uniform_u128((k - place) as u128, bits)? < left as u128;
        left -= usize::from(is_positive);
        let part = if is_positive {
            up.next().map(|part| IBig::from(part + UBig::ONE))
        } else {
            down.next().map(|part| -IBig::from(part))
        };
        // There are as many parts as places.
        point.push(part.unwrap_or_default());
    }
    Ok(point)
}
