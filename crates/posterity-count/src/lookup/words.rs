//! A lookup of declared words that is faster than hashing their text in general.

use super::table::{Lookup, mix};

/// Words with what they stand for.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    words: Vec<(Vec<u8>, usize)>,
    /// Words of at most sixteen bytes, by the text itself.
    short: Lookup<(u64, u64)>,
    /// Longer ones, by a mixture of all bytes.
    long: Lookup<u64>,
}

impl Words {
    /// A table of different words.
    pub(crate) fn new(words: &[(&str, usize)]) -> Self {
        let words: Vec<(Vec<u8>, usize)> =
            words.iter().map(|(word, index)| (word.as_bytes().to_vec(), *index)).collect();
        let (mut short, mut long) = (Vec::new(), Vec::new());
        for (position, (word, _)) in words.iter().enumerate() {
            match packed(word) {
                Some(pair) => short.push((folded(pair, word.len()), pair, position)),
                None => long.push((key(word), key(word), position)),
            }
        }
        Self { short: Lookup::new(&short), long: Lookup::new(&long), words }
    }

    /// What a word stands for.
    #[inline]
    pub(crate) fn find(&self, word: &[u8]) -> Option<usize> {
        let position = match packed(word) {
            Some(pair) => self.short.find(folded(pair, word.len()), |found, position| {
                found == pair && self.words[position].0.len() == word.len()
            }),
            None => {
                let key = key(word);
                self.long.find(key, |found, position| found == key && self.words[position].0 == word)
            }
        };
        position.map(|position| self.words[position].1)
    }
}

/// The first and the last bytes of a word of at most sixteen, which overlap: with the length they are the whole of it.
#[inline]
fn packed(word: &[u8]) -> Option<(u64, u64)> {
    if let (Some(first), Some(last)) = (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        let pair = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return (word.len() <= 16).then_some(pair);
    }
    if let (Some(first), Some(last)) = (word.first_chunk::<4>(), word.last_chunk::<4>()) {
        return Some((u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()));
    }
    Some(match *word {
        [] => (0, 0),
        [a] => (a.into(), 0),
        [a, b] => (a.into(), b.into()),
        [a, b, c, ..] => (u64::from(a) | u64::from(b) << 8, c.into()),
    })
}

#[inline]
fn folded((first, last): (u64, u64), length: usize) -> u64 {
    mix(first ^ last.rotate_left(29) ^ length as u64)
}

/// Mixes all bytes and the length.
fn key(word: &[u8]) -> u64 {
    let mut sum = word.len() as u64;
    for piece in word.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..piece.len()].copy_from_slice(piece);
        sum = mix(sum ^ u64::from_le_bytes(bytes));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of words that stand for their positions.
    fn numbered(words: &[String]) -> Words {
        Words::new(&words.iter().map(String::as_str).zip(0..).collect::<Vec<_>>())
    }

    #[test]
    fn finds_each_word_and_no_other() {
        let words: Vec<String> = (0..5_000).map(|i| "x".repeat(i % 23) + &i.to_string()).collect();
        let table = numbered(&words);
        for (position, word) in words.iter().enumerate() {
            assert_eq!(table.find(word.as_bytes()), Some(position), "{word}");
            assert_eq!(table.find(format!("{word} ").as_bytes()), None);
        }
        assert_eq!(table.find(b""), None);
    }

    /// Words that differ in length only, or in what a packed pair shares, are told apart.
    #[test]
    fn overlapping_words_are_different() {
        let words: Vec<String> = (1..40).map(|length| "a".repeat(length)).collect();
        let table = numbered(&words);
        for (position, word) in words.iter().enumerate() {
            assert_eq!(table.find(word.as_bytes()), Some(position));
        }
        assert_eq!(table.find(b"a\0"), None);
    }

    /// Long words that differ in one bit only have different keys.
    #[test]
    fn every_bit_counts() {
        for length in 17..40 {
            let word = vec![b'a'; length];
            for bit in 0..8 * length {
                let mut other = word.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(key(&word), key(&other), "{length} {bit}");
            }
        }
    }
}
