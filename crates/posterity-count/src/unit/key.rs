//! Units as keys of hash maps.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A unit's hash in four words, the highest first. Words keep entries free of the padding that 128-bit numbers bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u32; 4]);

impl Key {
    pub(super) fn new(unit: u128) -> Self {
        Self([(unit >> 96) as u32, (unit >> 64) as u32, (unit >> 32) as u32, unit as u32])
    }

    pub(super) fn unit(self) -> u128 {
        self.0.iter().fold(0, |unit, &word| unit << 32 | u128::from(word))
    }

    /// The lower half, which the division into shards leaves alone.
    pub(super) fn low(self) -> u64 {
        u64::from(self.0[2]) << 32 | u64::from(self.0[3])
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.low());
    }
}

/// A map by keys that are hashes already.
pub(super) type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<AsIs>>;

/// Takes a number as its own hash.
#[derive(Default)]
pub(super) struct AsIs(u64);

impl Hasher for AsIs {
    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The most entries of which a map takes no more than these bytes, but at least three.
///
/// The maps of the standard library have a power of two of places, each with a byte of their own, and fill seven of
/// eight.
pub(super) fn most_entries<K, V>(bytes: usize) -> usize {
    let places = (bytes / (size_of::<(K, V)>() + 1)).checked_ilog2().map_or(0, |log| 1 << log);
    (places / 8 * 7).max(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_all_bits() {
        let unit = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;
        assert_eq!(Key::new(unit).unit(), unit);
        assert_eq!(Key::new(unit).low(), 0x0f1e_2d3c_4b5a_6978);
    }

    /// If this fails, the standard library lays maps out in another way, and the limit of memory does not hold.
    #[test]
    fn maps_hold_what_is_assumed() {
        for bytes in [0, 100, 500, 4096, 100_000, 3_000_000] {
            let most = most_entries::<Key, [u32; 3]>(bytes);
            let mut map: KeyMap<Key, [u32; 3]> = KeyMap::default();
            for unit in 0..most as u128 {
                map.insert(Key::new(unit), [0; 3]);
            }
            assert_eq!(map.capacity(), most);
            assert!(most == 3 || map.capacity() / 7 * 8 * 29 <= bytes);
        }
    }
}
