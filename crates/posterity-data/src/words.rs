//! A lookup of declared words that is faster than hashing their text in general.

use crate::lookup::{Lookup, mix};

/// Words with their positions.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    words: Vec<Vec<u8>>,
    by_key: Lookup<u64>,
}

impl Words {
    /// A table of different words.
    pub(crate) fn new(words: &[String]) -> Self {
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let keys = words.iter().map(|word| key(word)).enumerate();
        let keys: Vec<_> = keys.map(|(position, key)| (key, key, position)).collect();
        Self { by_key: Lookup::new(&keys), words }
    }

    /// The position of a word.
    #[inline]
    pub(crate) fn find(&self, word: &[u8]) -> Option<usize> {
        let key = key(word);
        self.by_key.find(key, |found, position| found == key && self.words[position] == word)
    }
}

/// Mixes all bytes and the length.
#[inline]
fn key(word: &[u8]) -> u64 {
    let mut sum = word.len() as u64;
    let mut rest = word;
    while let Some((head, tail)) = rest.split_first_chunk::<8>() {
        sum = mix(sum ^ u64::from_le_bytes(*head));
        rest = tail;
    }
    // Up to seven bytes: the first and the last four, two or one, which overlap.
    let last = match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(a), Some(b)) => u64::from(u32::from_le_bytes(*a)) << 32 | u64::from(u32::from_le_bytes(*b)),
        _ => match (rest.first_chunk::<2>(), rest.last_chunk::<1>()) {
            (Some(a), Some([b])) => u64::from(u16::from_le_bytes(*a)) << 8 | u64::from(*b),
            (None, Some([b])) => u64::from(*b),
            _ => 0,
        },
    };
    mix(sum ^ last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_word_and_no_other() {
        let words: Vec<String> = (0..5_000).map(|i| "x".repeat(i % 23) + &i.to_string()).collect();
        let table = Words::new(&words);
        for (position, word) in words.iter().enumerate() {
            assert_eq!(table.find(word.as_bytes()), Some(position), "{word}");
            assert_eq!(table.find(format!("{word} ").as_bytes()), None);
        }
        assert_eq!(table.find(b""), None);
    }

    /// Words of every length that differ in one bit only have different keys.
    #[test]
    fn every_bit_counts() {
        for length in 1..40 {
            let word = vec![b'a'; length];
            for bit in 0..8 * length {
                let mut other = word.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(key(&word), key(&other), "{length} {bit}");
            }
        }
    }
}
