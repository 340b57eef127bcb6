//! Files with a few wrong bytes. Whatever they are, reading them ends soon and without a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::sample::{Options, Random, sample};
use super::{file, read_all};
use crate::room::Room;

/// Small files of each kind.
pub(crate) fn bases() -> Vec<Vec<u8>> {
    let mut bases = Vec::new();
    for seed in 0..12 {
        for codec in 0..3 {
            for (streamed, version, dictionaries) in
                [(false, 0, 0), (false, 0, 1), (true, 0, 1), (true, 0, 2), (true, 1, 2), (true, 2, 0)]
            {
                let rows = if codec == 0 { 9 } else { 120 };
                let options = Options {
                    seed: 1000 + seed * 18 + bases.len() as u64,
                    columns: 4,
                    batches: 2,
                    rows,
                    streamed,
                    codec,
                    version,
                    dictionaries,
                };
                bases.push(sample(options).1);
            }
        }
    }
    bases
}

/// One of the files, with a few bytes changed.
pub(crate) fn mutant(bases: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = bases[random.below(bases.len())].clone();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(10) {
            0..=3 => bytes[at] ^= 1 << random.below(8),
            4 => bytes[at] = random.next() as u8,
            5 | 6 => {
                // A number of 4 or 8 bytes, of the kind that breaks readers, where numbers stand.
                let number =
                    [0, 1, -1, i64::MAX, i64::MIN, 1 << 31, (1 << 31) - 1, 1 << 40, 1 << 62, 250 << 20]
                        [random.below(10)];
                let width = [4, 8][random.below(2)];
                let at = at / 4 * 4;
                let end = (at + width).min(bytes.len());
                bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
            7 => bytes.truncate(at.max(1)),
            8 => {
                let more = random.below(40);
                bytes.extend((0..more).map(|_| random.next() as u8));
            }
            _ => {
                // A part of the file over another part.
                let from = random.below(bytes.len());
                let len = random.below(32).min(bytes.len() - at).min(bytes.len() - from);
                bytes.copy_within(from..from + len, at);
            }
        }
    }
    bytes
}

/// Reads all of a file and each of its values. Says whether it could be read.
pub(crate) fn attempt(bytes: &[u8], seed: u64) -> bool {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let room = Room::new(1 << 30);
        let read = read_all(file(bytes), &room, &mut |_, _, piece| {
            for column in piece {
                (0..column.len()).for_each(|row| drop(std::hint::black_box(column.get(row))));
            }
        });
        let whole = read.is_ok();
        drop(read);
        assert!(room.take(1 << 30).is_ok(), "room was not given back");
        whole
    }));
    outcome.unwrap_or_else(|_| panic!("seed {seed} panics"))
}

#[test]
fn no_mutant_panics() {
    let bases = bases();
    assert!(bases.iter().all(|base| attempt(base, 0)), "the files themselves are sound");
    let read = (0..4000).filter(|&seed| attempt(&mutant(&bases, seed), seed)).count();
    // Many changes hit padding or values, and then another value is read.
    assert!((200..3800).contains(&read), "{read} of 4000 could be read");
}
