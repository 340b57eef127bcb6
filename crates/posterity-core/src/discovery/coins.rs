//! Coins that decide quickly and exactly whether a small count reaches the threshold.

use std::sync::OnceLock;

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::tail::tail_enclosure;
use crate::sampler::{BitSource, SourceError};

/// The most counts that have a coin of their own. Most values that occur are rare, so nearly all draws use these.
const MOST_COINS: u64 = 1024;

/// For each count `1 <= c < tau`, as far as there are coins, one of probability `P(c + Z >= tau)`.
#[derive(Clone, Debug)]
pub(super) struct Coins {
    epsilon: RBig,
    tau: u64,
    /// Bounds on `P(c + Z >= tau) 2^64`, computed when they are first needed.
    bounds: Vec<OnceLock<[u64; 2]>>,
}

impl Coins {
    pub(super) fn new(epsilon: &RBig, tau: u64) -> Self {
        let counts = (tau - 1).min(MOST_COINS);
        let bounds = (0..counts).map(|_| OnceLock::new()).collect();
        Self { epsilon: epsilon.clone(), tau, bounds }
    }

    /// A toss of the coin of this count, if it has one: true with probability `P(c + Z >= tau)`.
    ///
    /// # Guarantee
    /// Exact: a uniform real number is compared with the probability. Its first 64 bits and bounds on the probability
    /// decide almost always; if they do not, there are more bits of both.
    pub(super) fn toss(&self, count: u64, bits: &mut dyn BitSource) -> Option<Result<bool, SourceError>> {
        let bounds = self.bounds.get(usize::try_from(count).ok()?.checked_sub(1)?)?;
        let [low, high] = *bounds.get_or_init(|| self.bounds_of(count));
        Some(match bits.next_u64() {
            Ok(word) if word < low => Ok(true),
            Ok(word) if word >= high => Ok(false),
            Ok(word) => self.toss_on(count, word, bits),
            Err(error) => Err(error),
        })
    }

    fn bounds_of(&self, count: u64) -> [u64; 2] {
        let (low, high) = tail_enclosure(&self.epsilon, self.tau - count, 64);
        // The tail of one or more is below one half, so both fit.
        [low, high].map(|end| u64::try_from(&end).unwrap_or(u64::MAX))
    }

    /// Goes on with a number whose first 64 bits do not decide.
    fn toss_on(&self, count: u64, word: u64, bits: &mut dyn BitSource) -> Result<bool, SourceError> {
        let mut number = UBig::from(word);
        let mut length = 64;
        loop {
            number = (number << 64) + UBig::from(bits.next_u64()?);
            length += 64;
            let (low, high) = tail_enclosure(&self.epsilon, self.tau - count, length);
            if number < low {
                return Ok(true);
            }
            if number >= high {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::rational;

    /// Words that were chosen.
    struct Words(Vec<u64>);

    impl BitSource for Words {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            self.0.pop().ok_or_else(|| SourceError { reason: "no more words".into() })
        }
    }

    fn toss(coins: &Coins, count: u64, words: &[u64]) -> Result<bool, SourceError> {
        let reversed = words.iter().rev().copied().collect();
        coins.toss(count, &mut Words(reversed)).expect("there is a coin")
    }

    /// If this fails, a toss does not compare the number with the probability, or ends before it is decided. The words
    /// are the first bits of the probability itself.
    #[test]
    fn a_toss_compares_as_many_bits_as_it_needs() {
        let coins = Coins::new(&rational("0.5"), 12);
        for count in 1..12 {
            let (low, _) = tail_enclosure(&rational("0.5"), 12 - count, 192);
            let word = |shift: usize| u64::try_from((&low >> shift) & UBig::from(u64::MAX)).expect("64 bits");
            let words = [word(128), word(64), word(0)];
            assert_eq!(toss(&coins, count, &[words[0] - 4]), Ok(true));
            assert_eq!(toss(&coins, count, &[words[0] + 4]), Ok(false));
            assert_eq!(toss(&coins, count, &[words[0], words[1] - 4]), Ok(true));
            assert_eq!(toss(&coins, count, &[words[0], words[1] + 4]), Ok(false));
            assert!(toss(&coins, count, &words[..2]).is_err(), "two words cannot decide");
        }
        assert!(coins.toss(12, &mut Words(vec![])).is_none());
        assert!(coins.toss(0, &mut Words(vec![])).is_none());
    }
}
