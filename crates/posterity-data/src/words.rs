//! A lookup of declared words that is faster than hashing their text in general.

use datafusion::arrow::array::make_view;

/// Words with their positions: an open table of at least twice their number, probed in order.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    words: Vec<Vec<u8>>,
    /// The position of a word and one, or zero where there is none, with its mixed key.
    slots: Vec<(u64, u32)>,
    /// The same for words of at most twelve bytes, as Arrow's views hold them: the text itself.
    short: Vec<(u128, u32)>,
    mask: usize,
}

impl Words {
    /// A table of different words.
    pub(crate) fn new(words: &[String]) -> Self {
        let size = (2 * words.len() + 1).next_power_of_two();
        let mut table = Self {
            words: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
            slots: vec![(0, 0); size],
            short: vec![(0, 0); size],
            mask: size - 1,
        };
        for (position, word) in (1_u32..).zip(words) {
            if word.len() <= INLINE {
                let view = make_view(word.as_bytes(), 0, 0);
                let mut slot = folded(view) & table.mask;
                while table.short[slot].1 != 0 {
                    slot = (slot + 1) & table.mask;
                }
                table.short[slot] = (view, position);
            }
            let key = key(word.as_bytes());
            let mut slot = key as usize & table.mask;
            while table.slots[slot].1 != 0 {
                slot = (slot + 1) & table.mask;
            }
            table.slots[slot] = (key, position);
        }
        table
    }

    /// The position of a word that a view holds, if it is a short one.
    #[inline]
    pub(crate) fn find_view(&self, view: u128) -> Option<usize> {
        let mut slot = folded(view) & self.mask;
        loop {
            let (found, position) = self.short[slot];
            if position == 0 {
                return None;
            }
            if found == view {
                return Some(position as usize - 1);
            }
            slot = (slot + 1) & self.mask;
        }
    }

    /// The position of a word.
    #[inline]
    pub(crate) fn find(&self, word: &[u8]) -> Option<usize> {
        let key = key(word);
        let mut slot = key as usize & self.mask;
        loop {
            let (found, position) = self.slots[slot];
            if position == 0 {
                return None;
            }
            let position = position as usize - 1;
            if found == key && self.words[position] == word {
                return Some(position);
            }
            slot = (slot + 1) & self.mask;
        }
    }
}

/// The most bytes of text that a view holds itself.
const INLINE: usize = 12;

#[inline]
fn folded(view: u128) -> usize {
    mix(view as u64 ^ ((view >> 64) as u64).rotate_left(29)) as usize
}

/// Mixes all bytes and the length. Only declared words are stored, so nobody can fill the table from the data.
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

/// A product with an odd constant, folded, so that every bit reaches the low ones.
#[inline]
pub(crate) fn mix(value: u64) -> u64 {
    let product = u128::from(value ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    (product >> 64) as u64 ^ product as u64
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
            let view = make_view(word.as_bytes(), 0, 0);
            assert_eq!(table.find_view(view), (word.len() <= INLINE).then_some(position), "{word}");
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
