//! The characteristic function of noise.

/// `E exp(i t (Z - E Z))`, which is a real number, because the law of Z is symmetric about its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// `(1-q)^2`.
    beside: f64,
    /// `4 q`.
    depth: f64,
    /// Whether a fair coin takes one away.
    coin: bool,
}

impl Wave {
    /// Of two-sided geometric noise of ratio `q = exp(-rate)`.
    pub(super) fn two_sided(rate: f64) -> Self {
        let beside = libm::expm1(-rate);
        Self { beside: beside * beside, depth: 4.0 * libm::exp(-rate), coin: false }
    }

    /// Of floored Laplace noise: two-sided geometric noise less a fair coin.
    pub(super) fn floored(rate: f64) -> Self {
        Self { coin: true, ..Self::two_sided(rate) }
    }

    /// Its value.
    ///
    /// ```
    /// use posterity_core::noise::{Noise, TwoSidedGeometric};
    /// use posterity_core::sampler::Rate;
    /// let noise = TwoSidedGeometric::new(Rate::new("1/2".parse()?)?);
    /// let sum: f64 = (-200..=200).map(|z| noise.probability(z) * (0.3 * z as f64).cos()).sum();
    /// assert!((noise.wave().at(0.3) - sum).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        // |1 - q exp(it)|^2 = (1-q)^2 + 4 q sin(t/2)^2.
        let (sine, cosine) = if self.coin { libm::sincos(0.5 * t) } else { (libm::sin(0.5 * t), 1.0) };
        cosine * self.beside / (self.beside + self.depth * sine * sine)
    }

    /// The value for the sum of the noise of several cells.
    #[must_use]
    pub fn power(&self, t: f64, mut cells: u64) -> f64 {
        let (mut product, mut square) = (1.0, if cells > 0 { self.at(t) } else { 1.0 });
        while cells > 0 && product != 0.0 {
            if cells % 2 == 1 {
                product *= square;
            }
            square *= square;
            cells /= 2;
        }
        product
    }
}
