//! The hash that stands for a unit.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher24};

/// A keyed hash of 128 bits that stands for a unit: SipHash-2-4 (Aumasson and Bernstein 2012).
///
/// With it temporary files hold no identifiers, all entries have one size, and without the key nobody can make
/// two units collide. For a billion units the probability that any two collide is below 2^-68. Two units that
/// collide count as one, and replacing the records of one unit still moves at most one count.
#[derive(Clone)]
pub(crate) struct UnitHash {
    keyed: SipHasher24,
}

impl UnitHash {
    /// The hash that belongs to a key, which should be drawn by the system for each count.
    pub(crate) fn new(key: &[u8; 16]) -> Self {
        Self { keyed: SipHasher24::new_with_key(key) }
    }

    /// The hash of a unit's bytes. The tag tells values of different types apart, such as the number 7 and the text
    /// "7".
    #[inline]
    pub(crate) fn hash(&self, tag: u8, bytes: &[u8]) -> u128 {
        let mut hasher = self.keyed;
        hasher.write(bytes);
        hasher.write_u8(tag);
        hasher.finish128().as_u128()
    }
}

impl std::fmt::Debug for UnitHash {
    /// Leaves the key out, so that no log holds it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnitHash").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The vectors of SipHash-2-4-128 for the key 00..0f and the messages 00, 00 01, .. of the reference implementation
    /// (`vectors.h` of github.com/veorq/SipHash), with the last byte of the message as the tag.
    #[test]
    fn golden_values() {
        let key: [u8; 16] = std::array::from_fn(|i| i as u8);
        let message: Vec<u8> = (0..64).collect();
        let hash = |bytes: usize| UnitHash::new(&key).hash(message[bytes - 1], &message[..bytes - 1]);
        let table = [
            (
                1,
                [
                    0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc,
                    0x45,
                ],
            ),
            (
                2,
                [
                    0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7, 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff,
                    0xe4,
                ],
            ),
            (
                63,
                [
                    0x51, 0x50, 0xd1, 0x77, 0x2f, 0x50, 0x83, 0x4a, 0x50, 0x3e, 0x06, 0x9a, 0x97, 0x3f, 0xbd,
                    0x7c,
                ],
            ),
        ];
        for (bytes, expected) in table {
            assert_eq!(hash(bytes).to_le_bytes(), expected, "{bytes} bytes");
        }
    }

    #[test]
    fn tells_keys_tags_and_lengths_apart() {
        let mut seen = HashSet::new();
        for key in [[0; 16], [1; 16]] {
            let hash = UnitHash::new(&key);
            for tag in 0..3 {
                for bytes in 0..100 {
                    assert!(seen.insert(hash.hash(tag, &vec![0; bytes])));
                }
            }
        }
        assert_eq!(format!("{:?}", UnitHash::new(&[7; 16])), "UnitHash { .. }");
    }
}
