//! The random ranks of records.

use rand_chacha::ChaCha12Rng;
use rand_core::{Rng as _, SeedableRng as _};

/// Independent uniform ranks of 64 bits, for the records of one piece of a source in their order.
///
/// A piece is what one thread reads at a time, such as a block of text or a row group. Each has a stream of its own, so
/// that ranks do not depend on which thread reads what.
///
/// # Guarantee
/// The ranks are the key stream of ChaCha12 (Bernstein 2008). To anyone who does not know the seed they look like
/// uniform ones, for all pieces of all files together. The seed must be drawn by the system and used for one count
/// only.
#[derive(Clone)]
pub(crate) struct Ranks {
    stream: ChaCha12Rng,
}

impl Ranks {
    /// The ranks of one piece, both numbered in the order of the source.
    pub(crate) fn new(seed: &[u8; 32], file: u32, piece: u32) -> Self {
        let mut stream = ChaCha12Rng::from_seed(*seed);
        stream.set_stream(u64::from(file) << 32 | u64::from(piece));
        Self { stream }
    }

    /// The rank of the next record.
    #[inline]
    pub(crate) fn next_rank(&mut self) -> u64 {
        self.stream.next_u64()
    }

    /// Adds the ranks of the next records, as many at a time as is fast.
    pub(crate) fn next_ranks(&mut self, mut records: usize, ranks: &mut Vec<u64>) {
        let mut bytes = [0; 8 * TOGETHER];
        while records > 0 {
            let now = records.min(TOGETHER);
            self.stream.fill_bytes(&mut bytes[..8 * now]);
            ranks.extend(bytes.as_chunks::<8>().0[..now].iter().map(|rank| u64::from_le_bytes(*rank)));
            records -= now;
        }
    }
}

/// How many ranks are taken from the stream at a time.
const TOGETHER: usize = 256;

impl std::fmt::Debug for Ranks {
    /// Leaves the seed out, so that no log holds it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ranks").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn first(seed: u8, file: u32, piece: u32) -> [u64; 3] {
        let mut ranks = Ranks::new(&[seed; 32], file, piece);
        std::array::from_fn(|_| ranks.next_rank())
    }

    /// The first sequence is the test vector TC1 of ChaCha12 (draft-strombergson-chacha-test-vectors). The second
    /// agrees with a direct transcription of the cipher's definition.
    #[test]
    fn pinned_sequences() {
        assert_eq!(first(0, 0, 0), [6050961064690644123, 15385182941806993281, 1474049585344358660]);
        assert_eq!(first(0, 1, 2), [17606260399994011481, 3328873067958732521, 3781444070456859122]);
    }

    /// If this fails, the record of a unit that counts depends on how many are read together.
    #[test]
    fn ranks_taken_together_are_those_taken_one_by_one() {
        let mut together = Ranks::new(&[7; 32], 3, 5);
        let mut one_by_one = together.clone();
        for records in [0, 1, 2, TOGETHER - 1, TOGETHER, TOGETHER + 1, 5 * TOGETHER + 3] {
            let mut ranks = vec![9];
            together.next_ranks(records, &mut ranks);
            let expected: Vec<u64> = (0..records).map(|_| one_by_one.next_rank()).collect();
            assert_eq!(ranks[1..], expected);
            assert_eq!(together.next_rank(), one_by_one.next_rank());
        }
    }

    #[test]
    fn pieces_files_and_seeds_differ() {
        let mut seen = HashSet::new();
        for seed in 0..2 {
            for file in [0, 1, 2, u32::MAX] {
                for piece in [0, 1, 2, u32::MAX] {
                    for rank in first(seed, file, piece) {
                        assert!(seen.insert(rank));
                    }
                }
            }
        }
        assert_eq!(format!("{:?}", Ranks::new(&[7; 32], 0, 0)), "Ranks { .. }");
    }
}
