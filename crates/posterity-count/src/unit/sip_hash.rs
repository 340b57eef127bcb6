//! SipHash.

/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein 2012), under a key: the state before the first word.
#[derive(Clone, Copy)]
pub(super) struct SipHash([u64; 4]);

impl SipHash {
    pub(super) fn new(key: &[u8; 16]) -> Self {
        let key = u128::from_le_bytes(*key);
        let (low, high) = (key as u64, (key >> 64) as u64);
        // The constants of the definition, the second one changed as it says for 128 bits.
        Self([
            low ^ 0x736f_6d65_7073_6575,
            high ^ 0x646f_7261_6e64_6f6d ^ 0xee,
            low ^ 0x6c79_6765_6e65_7261,
            high ^ 0x7465_6462_7974_6573,
        ])
    }

    /// The hash of some bytes and one more.
    #[inline]
    pub(super) fn hash(mut self, bytes: &[u8], last: u8) -> u128 {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.absorb(u64::from_le_bytes(*word)));
        let word = rest.iter().rev().fold(u64::from(last), |word, &byte| word << 8 | u64::from(byte));
        let length = (bytes.len() as u64 + 1) << 56;
        if rest.len() == 7 {
            self.absorb(word);
            self.absorb(length);
        } else {
            self.absorb(word | length);
        }
        let low = self.squeeze(2, 0xee);
        u128::from(self.squeeze(1, 0xdd)) << 64 | u128::from(low)
    }

    /// Takes a word of the message in.
    #[inline]
    fn absorb(&mut self, word: u64) {
        self.0[3] ^= word;
        (0..2).for_each(|_| self.round());
        self.0[0] ^= word;
    }

    /// Changes a word of the state, and gives a word of the hash.
    #[inline]
    fn squeeze(&mut self, place: usize, change: u64) -> u64 {
        self.0[place] ^= change;
        (0..4).for_each(|_| self.round());
        self.0.iter().fold(0, |sum, word| sum ^ word)
    }

    #[inline]
    fn round(&mut self) {
        let [a, b, c, d] = &mut self.0;
        *a = a.wrapping_add(*b);
        *c = c.wrapping_add(*d);
        *b = b.rotate_left(13) ^ *a;
        *d = d.rotate_left(16) ^ *c;
        *a = a.rotate_left(32);
        *c = c.wrapping_add(*b);
        *a = a.wrapping_add(*d);
        *b = b.rotate_left(17) ^ *c;
        *d = d.rotate_left(21) ^ *a;
        *c = c.rotate_left(32);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use siphasher::sip128::SipHasher24;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_another_implementation(
            key in any::<[u8; 16]>(),
            message in prop::collection::vec(any::<u8>(), 1..100),
        ) {
            let (last, bytes) = message.split_last().expect("not empty");
            let expected = SipHasher24::new_with_key(&key).hash(&message);
            prop_assert_eq!(SipHash::new(&key).hash(bytes, *last), expected.as_u128());
        }
    }
}
