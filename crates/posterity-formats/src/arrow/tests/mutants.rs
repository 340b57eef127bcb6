//! Files with a few wrong bytes. Whatever they are, reading them ends soon and without a panic.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_ipc::CompressionType;
use arrow_schema::DataType;
use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};
use posterity_testkit::Random;

use super::craft::{Craft, stream};
use super::sample::{Options, sample};
use super::{file, read_all};
use crate::memory_limit::MemoryLimit;

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
    bases.extend(frames());
    bases
}

/// Files that are hardly more than a compressed frame, of many kinds of frames.
fn frames() -> Vec<Vec<u8>> {
    let mut random = Random::new(5);
    let mut bases = Vec::new();
    for kind in 0..24 {
        // Few distinct letters, many repeated words, or long runs.
        let mut bytes: Vec<u8> = Vec::new();
        while bytes.len() < 4000 << (kind % 4) {
            match kind % 3 {
                0 => bytes.push(random.index(1 + kind) as u8),
                1 => bytes
                    .extend_from_slice(&b"a few words that are repeated in some order "[random.index(40)..]),
                _ => bytes.extend(std::iter::repeat_n(random.bits() as u8, random.index(3000))),
            }
        }
        bytes.truncate(bytes.len() / 8 * 8);
        let (codec, frame) = if kind < 16 {
            (CompressionType::ZSTD, zstd::bulk::compress(&bytes, kind as i32 + 1).unwrap())
        } else {
            let mode = if kind % 2 == 0 { BlockMode::Linked } else { BlockMode::Independent };
            let info = FrameInfo::new()
                .block_mode(mode)
                .block_size(BlockSize::Max64KB)
                .block_checksums(kind % 5 == 0)
                .content_checksum(kind % 5 == 1);
            let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
            encoder.write_all(&bytes).unwrap();
            (CompressionType::LZ4_FRAME, encoder.finish().unwrap())
        };
        let buffer = [&(bytes.len() as i64).to_le_bytes(), frame.as_slice()].concat();
        let craft = Craft { codec: Some(codec), ..Craft::new(bytes.len() as i64 / 8, 0, &[&[], &buffer]) };
        bases.push(stream(&DataType::Int64, &[craft]));
    }
    bases
}

/// One of the files, with a few bytes changed.
pub(crate) fn mutant(bases: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    // The last are the frames, which are fewer and taken as often.
    let last = bases.len() - 24;
    let base = if random.index(3) == 0 { last + random.index(24) } else { random.index(last) };
    let mut bytes = bases[base].clone();
    for _ in 0..1 + random.index(4) {
        let at = random.index(bytes.len());
        match random.index(10) {
            0..=3 => bytes[at] ^= 1 << random.index(8),
            4 => bytes[at] = random.bits() as u8,
            5 | 6 => {
                // A number of 4 or 8 bytes, of the kind that breaks readers, where numbers stand.
                let number =
                    [0, 1, -1, i64::MAX, i64::MIN, 1 << 31, (1 << 31) - 1, 1 << 40, 1 << 62, 250 << 20]
                        [random.index(10)];
                let width = [4, 8][random.index(2)];
                let at = at / 4 * 4;
                let end = (at + width).min(bytes.len());
                bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
            }
            7 => bytes.truncate(at.max(1)),
            8 => {
                let more = random.index(40);
                bytes.extend((0..more).map(|_| random.bits() as u8));
            }
            _ => {
                // A part of the file over another part.
                let from = random.index(bytes.len());
                let len = random.index(32).min(bytes.len() - at).min(bytes.len() - from);
                bytes.copy_within(from..from + len, at);
            }
        }
    }
    bytes
}

/// Reads all of a file and each of its values. Says whether it could be read.
pub(crate) fn attempt(bytes: &[u8], seed: u64) -> bool {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let memory = MemoryLimit::new(1 << 30);
        let read = read_all(file(bytes), &memory, &mut |_, _, piece| {
            for column in piece {
                for row in 0..column.len() {
                    std::hint::black_box(column.get(row));
                }
            }
        });
        let whole = read.is_ok();
        drop(read);
        assert!(memory.take(1 << 30).is_ok(), "memory was not given back");
        whole
    }));
    outcome.unwrap_or_else(|_| panic!("seed {seed} panics"))
}

/// `POSTERITY_TRIALS` says how many.
#[test]
fn damaged_files_are_survived() {
    let trials = posterity_testkit::trials(1_000);
    let bases = bases();
    assert!(bases.iter().all(|base| attempt(base, 0)), "the files themselves are sound");
    let read = (0..trials).filter(|&seed| attempt(&mutant(&bases, seed), seed)).count() as u64;
    println!("{trials} damaged files: {read} could be read");
    // Many changes hit padding or values, and then another value is read.
    assert!((trials / 20..trials - trials / 20).contains(&read), "{read} of {trials} could be read");
}
