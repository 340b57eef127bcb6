//! Sources of random bits.

use dashu_base::BitTest;
use dashu_int::UBig;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use thiserror::Error;

/// A source of independent uniform bits. The caller passes it to every sampler; this crate opens no source itself.
pub trait BitSource {
    /// The next 64 bits.
    ///
    /// # Errors
    /// [`SourceError`] if the source fails. The release then fails too, and nothing is published.
    fn next_u64(&mut self) -> Result<u64, SourceError>;
}

/// The random source failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the random source failed ({reason}); nothing was released, so try again")]
pub struct SourceError {
    /// The reason that the source gives.
    pub reason: String,
}

/// A stream of bits that is computed from a seed. Everybody who knows the seed can compute the noise, so this is for
/// experiments and tests, never for a private release.
///
/// ```
/// use posterity_core::sampler::{BitSource, SeededBits};
/// assert_eq!(SeededBits::new(7).next_u64(), SeededBits::new(7).next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct SeededBits {
    generator: ChaCha20Rng,
}

impl SeededBits {
    /// The stream of a seed. It is the same on every platform and in every version.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // A library's rule to derive the key could change, so the key is the seed itself.
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { generator: ChaCha20Rng::from_seed(key) }
    }
}

impl BitSource for SeededBits {
    fn next_u64(&mut self) -> Result<u64, SourceError> {
        Ok(self.generator.next_u64())
    }
}

/// A uniform whole number below `bound`, which must not be zero.
///
/// # Guarantee
/// Exact: every number below the bound has the same probability. Words of just enough bits are drawn until one is
/// below the bound.
///
/// # Errors
/// [`SourceError`] from the source.
pub(crate) fn uniform_below(bound: &UBig, bits: &mut dyn BitSource) -> Result<UBig, SourceError> {
    let length = (bound - UBig::ONE).bit_len();
    loop {
        let draw = uniform_bits(length, bits)?;
        if draw < *bound {
            return Ok(draw);
        }
    }
}

/// [`uniform_below`] in machine words, from the same random bits. The bound must not be zero.
pub(crate) fn uniform_word(bound: u64, bits: &mut dyn BitSource) -> Result<u64, SourceError> {
    let unused = (bound - 1).leading_zeros();
    loop {
        // With a bound of one, no bit of the word is used.
        let draw = bits.next_u64()?.checked_shr(unused).unwrap_or(0);
        if draw < bound {
            return Ok(draw);
        }
    }
}

/// A uniform whole number below a bound of at most 128 bits, as [`uniform_below`] but from other bits of the words.
pub(crate) fn uniform_u128(bound: u128, bits: &mut dyn BitSource) -> Result<u128, SourceError> {
    let length = u128::BITS - (bound - 1).leading_zeros();
    loop {
        let low = u128::from(bits.next_u64()?);
        let draw = if length <= 64 {
            low & mask(length)
        } else {
            low | (u128::from(bits.next_u64()?) & mask(length - 64)) << 64
        };
        if draw < bound {
            return Ok(draw);
        }
    }
}

/// A fair coin.
pub(crate) fn coin(bits: &mut dyn BitSource) -> Result<bool, SourceError> {
    Ok(bits.next_u64()? & 1 == 1)
}

fn mask(length: u32) -> u128 {
    if length == 0 { 0 } else { u128::MAX >> (u128::BITS - length) }
}

fn uniform_bits(length: usize, bits: &mut dyn BitSource) -> Result<UBig, SourceError> {
    if length <= 64 {
        let word = bits.next_u64()?;
        return Ok(UBig::from(if length == 0 { 0 } else { word >> (64 - length) }));
    }
    let mut bytes = Vec::with_capacity(length.div_ceil(64) * 8);
    for _ in 0..length.div_ceil(64) {
        bytes.extend_from_slice(&bits.next_u64()?.to_le_bytes());
    }
    let surplus = bytes.len() * 8 - length;
    Ok(UBig::from_le_bytes(&bytes) >> surplus)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pinned: a change of these values changes every seeded experiment.
    #[test]
    fn seeded_stream_is_pinned() {
        let mut bits = SeededBits::new(1);
        let draws: Vec<u64> = (0..3).map(|_| bits.next_u64().expect("seeded")).collect();
        assert_eq!(draws, [10_597_511_851_372_368_837, 9_609_124_134_916_180_088, 6_166_705_676_165_771_586]);
    }

    /// If this fails, a sampler that uses machine words where it can draws other numbers than one that does not.
    #[test]
    fn words_are_the_same_numbers_as_long_integers() {
        for bound in [1_u64, 2, 3, 7, 100, 1 << 32, (1 << 63) + 1, u64::MAX] {
            let (mut one, mut other) = (SeededBits::new(3), SeededBits::new(3));
            for _ in 0..50 {
                let word = uniform_word(bound, &mut one).expect("seeded");
                assert_eq!(
                    uniform_below(&UBig::from(bound), &mut other),
                    Ok(UBig::from(word)),
                    "bound {bound}"
                );
            }
        }
    }

    #[test]
    fn uniform_numbers_stay_below_their_bound_and_reach_it() {
        let mut bits = SeededBits::new(2);
        for bound in [1_u128, 2, 3, 7, 1 << 64, (1 << 64) + 1, 3 << 98, u128::MAX] {
            let mut largest = [0; 2];
            for _ in 0..200 {
                let small = uniform_u128(bound, &mut bits).expect("seeded");
                let big = uniform_below(&UBig::from(bound), &mut bits).expect("seeded");
                let big = u128::try_from(big).expect("below the bound");
                assert!(small < bound && big < bound);
                largest = [largest[0].max(small), largest[1].max(big)];
            }
            let far = bound - 1 - bound / 20;
            assert!(
                largest.iter().all(|&most| most >= far),
                "bound {bound}: largest of 200 draws {largest:?}"
            );
        }
    }

    /// If this fails, more bits are drawn than a bound needs, so that draws below a power of two are repeated.
    #[test]
    fn a_power_of_two_needs_one_draw() {
        let (mut one, mut other) = (SeededBits::new(4), SeededBits::new(4));
        for bound in [1_u128, 2, 1 << 20, 1 << 64] {
            for _ in 0..50 {
                let word = u128::from(other.next_u64().expect("seeded"));
                assert_eq!(uniform_u128(bound, &mut one), Ok(word & (bound - 1)), "bound {bound}");
            }
        }
    }
}
