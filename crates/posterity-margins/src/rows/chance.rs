//! The randomness of a fit. It decides which rows are found, and has nothing to do with privacy.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A stream of numbers that follows from a seed.
pub(super) struct Chance(ChaCha8Rng);

impl Chance {
    /// The stream with this number of a seed.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&stream.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number in `[0, 1)` in steps of `2^-24`.
    #[inline]
    pub(super) fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// A whole number below `bound`; the bias, at most `bound / 2^64`, does not matter here.
    #[inline]
    pub(super) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A standard normal number.
    pub(super) fn normal(&mut self) -> f64 {
        let unit = |word: u64| ((word >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0;
        let (radius, angle) = (unit(self.0.next_u64()), unit(self.0.next_u64()));
        (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
    }
}

/// `exp(x)` of a number that is not positive, to about six digits, by additions and multiplications only: the same on every machine.
#[inline]
pub(super) fn exp_below_zero(x: f32) -> f32 {
    let power = (x * std::f32::consts::LOG2_E).max(-125.0);
    let whole = power as i32 - 1;
    let part = power - whole as f32;
    let tail = 0.055_504_1 + part * (0.009_618_13 + part * 0.001_333_36);
    let series = 1.0 + part * (std::f32::consts::LN_2 + part * (0.240_226_5 + part * tail));
    f32::from_bits(((whole + 127) as u32) << 23) * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_near() {
        for step in 0..8000 {
            let x = -(step as f32) / 100.0;
            let exact = libm::exp(f64::from(x));
            assert!((f64::from(exp_below_zero(x)) / exact - 1.0).abs() < 1e-4, "exp({x})");
        }
        assert!(exp_below_zero(f32::MIN) < 1e-37);
    }

    #[test]
    fn streams_repeat_and_differ() {
        let draws = |seed, stream| {
            let mut chance = Chance::new(seed, stream);
            (0..4).map(|_| chance.below(1_000_000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(1, 2), draws(1, 2));
        assert_ne!(draws(1, 2), draws(1, 3));
        assert_ne!(draws(1, 2), draws(2, 2));
    }
}
