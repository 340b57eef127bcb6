//! The table behind lookups of declared values.

/// Different keys with their positions: an open table of at least twice their number, probed in order.
///
/// Only declared values are stored, so the data cannot fill the table.
#[derive(Clone, Debug)]
pub(crate) struct Lookup<K> {
    /// A key with its position and one, or zero where there is none.
    slots: Vec<(K, u32)>,
}

impl<K: Copy + Default> Lookup<K> {
    /// A table of these keys: each with the mixed number that says where it is looked for, and its position.
    pub(crate) fn new(keys: &[(u64, K, usize)]) -> Self {
        let mut table = Self { slots: vec![(K::default(), 0); (2 * keys.len() + 1).next_power_of_two()] };
        for &(mixed, key, position) in keys {
            let mut slot = mixed as usize & table.mask();
            while table.slots[slot].1 != 0 {
                slot = (slot + 1) & table.mask();
            }
            table.slots[slot] = (key, position as u32 + 1);
        }
        table
    }

    /// The position of the key that is the one looked for.
    #[inline]
    pub(crate) fn find(&self, mixed: u64, is_it: impl Fn(K, usize) -> bool) -> Option<usize> {
        let mut slot = mixed as usize & self.mask();
        loop {
            let (key, position) = self.slots[slot];
            let position = (position as usize).checked_sub(1)?;
            if is_it(key, position) {
                return Some(position);
            }
            slot = (slot + 1) & self.mask();
        }
    }

    #[inline]
    fn mask(&self) -> usize {
        self.slots.len() - 1
    }
}

/// A product with an odd constant, folded, so that every bit reaches the low ones.
#[inline]
pub(crate) fn mix(value: u64) -> u64 {
    let product = u128::from(value ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    (product >> 64) as u64 ^ product as u64
}
