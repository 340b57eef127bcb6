//! Rows of one shard next to each other.

/// How many bits of the hash choose the shard, and how many shards there are.
const SHARD_BITS: u32 = 8;
pub(super) const SHARDS: usize = 1 << SHARD_BITS;

/// The shard of a unit.
#[inline]
pub(super) fn shard_of(unit: u128) -> usize {
    (unit >> (u128::BITS - SHARD_BITS)) as usize
}

/// Reorders items in place so that those of one shard are neighbours, and says where each shard ends.
///
/// It is the American flag sort (McIlroy, Bostic and McIlroy 1993): every swap brings an item to the shard where it
/// stays.
pub(super) fn group<I>(items: &mut [I], unit: impl Fn(&I) -> u128) -> [usize; SHARDS] {
    let mut next = [0; SHARDS];
    for item in items.iter() {
        next[shard_of(unit(item))] += 1;
    }
    let mut total = 0;
    let mut ends = [0; SHARDS];
    for (next, end) in next.iter_mut().zip(&mut ends) {
        let start = total;
        total += *next;
        *end = total;
        *next = start;
    }
    for shard in 0..SHARDS {
        while next[shard] < ends[shard] {
            let place = next[shard];
            let right = shard_of(unit(&items[place]));
            items.swap(place, next[right]);
            next[right] += 1;
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn items_are_permuted_to_their_shards(units in prop::collection::vec(any::<u128>(), 0..600)) {
            let mut grouped = units.clone();
            let ends = group(&mut grouped, |&unit| unit);
            let mut start = 0;
            for (shard, &end) in ends.iter().enumerate() {
                prop_assert!(grouped[start..end].iter().all(|&unit| shard_of(unit) == shard));
                start = end;
            }
            prop_assert_eq!(start, units.len());
            let sorted = |mut units: Vec<u128>| {
                units.sort_unstable();
                units
            };
            prop_assert_eq!(sorted(grouped), sorted(units));
        }
    }
}
