//! One random stream per cell of an experiment, independent of the threads.

use posterity_core::sampler::SeededBits;

/// The stream of a cell: it depends on the experiment's seed and on what the cell is called, not on its place in the
/// file or on the order of the work.
pub(crate) fn stream(seed: u64, parts: &[&str]) -> SeededBits {
    // FNV-1a over the parts, each with its end marked; then the finaliser of SplitMix64, which spreads close values.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    seed.to_le_bytes().into_iter().for_each(&mut eat);
    for part in parts {
        part.bytes().for_each(&mut eat);
        eat(0xff);
    }
    let mut mixed = hash;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    SeededBits::new(mixed ^ (mixed >> 31))
}

#[cfg(test)]
mod tests {
    use posterity_core::sampler::BitSource;

    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let first = |seed, parts: &[&str]| stream(seed, parts).next_u64().expect("seeded");
        assert_eq!(first(1, &["a", "b"]), first(1, &["a", "b"]));
        let all = [first(1, &["a", "b"]), first(2, &["a", "b"]), first(1, &["ab"]), first(1, &["a", "c"])];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{all:?}");
        }
    }
}
