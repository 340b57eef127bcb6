//! Damaged files: flipped, overwritten, cut and lengthened. Nothing panics, whatever the bytes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use ::parquet::file::properties::WriterVersion;
use arrow_schema::DataType;
use posterity_testkit::Random;

use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};

use super::files::{Options, codecs, file_of, write};
use super::generate::{Draw, array, types};

/// What the reader may hold.
const LIMIT: usize = 256 << 20;

/// Small files of each codec and version.
fn originals(seed: &mut Random) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for codec in codecs() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for dictionary in [true, false] {
                let draw = Draw { rows: 60, missing: 20 * seed.index(3), different: 9, runs: dictionary };
                let types = types();
                let arrays: Vec<_> =
                    (0..4).map(|_| array(&types[seed.index(types.len())], seed, draw)).collect();
                let options = Options {
                    version,
                    codec,
                    dictionary,
                    encodings: true,
                    dictionary_limit: if seed.index(2) == 0 { 50 } else { 1 << 20 },
                    page_rows: 25,
                    group: 40,
                    statistics: seed.index(2) == 0,
                    ..Options::PLAIN
                };
                all.push(bytes_of(write(&arrays, options, seed)));
            }
        }
    }
    all
}

fn bytes_of(mut file: std::fs::File) -> Vec<u8> {
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
    bytes
}

/// Damages a file in one to four places: anywhere, or in its footer.
fn damage(original: &[u8], seed: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    let footer = original.len() - 8;
    let length = u32::from_le_bytes(original[footer..footer + 4].try_into().unwrap()) as usize;
    for _ in 0..1 + seed.index(4) {
        if bytes.len() < 16 {
            break;
        }
        let at = match seed.index(4) {
            0 => (footer - length + seed.index(length)).min(bytes.len() - 1),
            1 => (4 + seed.index(60)).min(bytes.len() - 1),
            _ => seed.index(bytes.len()),
        };
        match seed.index(9) {
            0..=2 => bytes[at] ^= 1 << seed.index(8),
            3 => bytes[at] = seed.bits() as u8,
            4 => bytes[at] = [0, 1, 127, 128, 255][seed.index(5)],
            5 => {
                let run = 1 + seed.index(10);
                for byte in bytes.iter_mut().skip(at).take(run) {
                    *byte = 255;
                }
            }
            6 => bytes.truncate(at),
            7 => {
                let extra = seed.bits().to_le_bytes();
                bytes.splice(at..at, extra.into_iter().take(1 + seed.index(8)));
            }
            _ => {
                let to = (at + 1 + seed.index(20)).min(bytes.len());
                let from = seed.index(bytes.len());
                let part: Vec<u8> = bytes[from..].iter().take(to - at).copied().collect();
                bytes[at..at + part.len()].copy_from_slice(&part);
            }
        }
    }
    // A cut hides all else behind a missing tail; half of the files get theirs back.
    if seed.index(2) == 0 {
        bytes.extend_from_slice(&original[footer..]);
    }
    bytes
}

/// Reads each column by itself and all together, as far as there is something to read.
fn read(bytes: &[u8]) -> u64 {
    let memory = MemoryLimit::new(LIMIT);
    let Ok(file) = ParquetFile::open(file_of(bytes), &memory) else {
        return 0;
    };
    // All columns read in the memory of others.
    let spares = Spares::default();
    let mut rows = 0u64;
    let all: Vec<usize> = (0..file.fields().len()).collect();
    for group in 0..file.groups() {
        for columns in all.iter().map(std::slice::from_ref).chain([&all[..]]) {
            let _ = file.read::<Flaw>(group, columns, &memory, &spares, &mut |pieces| {
                for piece in pieces {
                    for row in 0..piece.len() {
                        std::hint::black_box(piece.get(row));
                    }
                }
                rows += pieces[0].len() as u64;
                // A file may well state thousands of millions of rows in a few bytes.
                if rows > 5_000_000 { Err(Flaw::TooLarge) } else { Ok(()) }
            });
        }
    }
    drop((file, spares));
    assert!(memory.take(LIMIT).is_ok(), "all memory is given back");
    rows
}

/// Damages files so often, and reads them.
fn mutants(count: usize, seed: u64) {
    let mut seed = Random::new(seed);
    let (mut readable, mut slowest) = (0, Duration::ZERO);
    let mut left = count;
    while left > 0 {
        for original in originals(&mut seed) {
            assert!(read(&original) > 0, "the original must be readable");
            for _ in 0..25.min(left) {
                let bytes = damage(&original, &mut seed);
                let start = Instant::now();
                match catch_unwind(AssertUnwindSafe(|| read(&bytes))) {
                    Ok(rows) => readable += usize::from(rows > 0),
                    Err(_) => {
                        let path = std::env::temp_dir().join("posterity-parquet-panic.parquet");
                        std::fs::write(&path, &bytes).unwrap();
                        panic!("a damaged file makes the reader panic; it is at {}", path.display());
                    }
                }
                slowest = slowest.max(start.elapsed());
                left -= 1;
            }
        }
    }
    println!("{count} damaged files: {readable} partly readable, slowest {slowest:?}");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

/// Damages what is compressed, so that the decoders see it, and nothing else.
fn compressed_mutants(count: usize, seed: u64) {
    let mut seed = Random::new(seed);
    for codec in codecs() {
        let draw = Draw { rows: 2_000, missing: 10, different: 300, runs: false };
        let arrays =
            [DataType::Utf8, DataType::Int64, DataType::Binary].map(|of| array(&of, &mut seed, draw));
        let options = Options { codec, dictionary: false, ..Options::PLAIN };
        let original = bytes_of(write(&arrays, options, &mut seed));
        let footer = original.len() - 8;
        let length = u32::from_le_bytes(original[footer..footer + 4].try_into().unwrap()) as usize;
        for _ in 0..count {
            let mut bytes = original.clone();
            for _ in 0..1 + seed.index(3) {
                // Headers of blocks and tables come first, and are damaged most.
                let at = if seed.index(2) == 0 {
                    20 + seed.index(200)
                } else {
                    20 + seed.index(footer - length - 20)
                };
                bytes[at] =
                    if seed.index(2) == 0 { bytes[at] ^ 1 << seed.index(8) } else { seed.bits() as u8 };
            }
            if catch_unwind(AssertUnwindSafe(|| read(&bytes))).is_err() {
                let path = std::env::temp_dir().join("posterity-parquet-panic.parquet");
                std::fs::write(&path, &bytes).unwrap();
                panic!("a damaged page of {codec:?} makes the reader panic; it is at {}", path.display());
            }
        }
    }
}

#[test]
fn damaged_compression_is_survived() {
    compressed_mutants(150, 13);
}

#[test]
#[ignore = "takes its time"]
fn much_damaged_compression_is_survived() {
    compressed_mutants(4_000, 14);
}

/// `POSTERITY_TRIALS` says how many.
#[test]
fn damaged_files_are_survived() {
    mutants(posterity_testkit::trials(1_000), 11);
}

#[test]
#[ignore = "takes its time"]
fn many_damaged_files_are_survived() {
    mutants(60_000, 12);
}
