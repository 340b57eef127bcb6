//! Every value is what the writer was given, and what another reader says.

use ::parquet::file::properties::WriterVersion;
use posterity_testkit::Random;
use proptest::prelude::*;

use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};

use super::files::{Options, codecs, columns, read_by_other, write};
use super::generate::{Draw, array, types};
use super::seen::{of_array, read_all};

fn check(arrays: &[arrow_array::ArrayRef], options: Options, seed: &mut Random) -> Result<(), TestCaseError> {
    let file = write(arrays, options, seed);
    let expected: Vec<_> = arrays.iter().map(of_array).collect();
    let ours = read_all(file.try_clone().unwrap(), &MemoryLimit::new(256 << 20)).unwrap();
    prop_assert!(read_by_other(file) == expected, "the other reader disagrees with the writer");
    for (column, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
        prop_assert_eq!(ours.len(), expected.len());
        for (row, (ours, expected)) in ours.iter().zip(expected).enumerate() {
            prop_assert_eq!(
                ours,
                expected,
                "column {} ({}), row {}",
                column,
                arrays[column].data_type(),
                row
            );
        }
    }
    Ok(())
}

fn draws() -> impl Strategy<Value = Draw> {
    (
        prop_oneof![0usize..20, 0usize..3000, 0usize..40_000],
        prop_oneof![Just(0), Just(100), 0usize..100],
        prop_oneof![1usize..4, 1usize..300, Just(5000)],
        any::<bool>(),
    )
        .prop_map(|(rows, missing, different, runs)| Draw { rows, missing, different, runs })
}

fn options() -> impl Strategy<Value = Options> {
    (
        (any::<bool>(), 0usize..codecs().len(), any::<bool>(), prop_oneof![Just(200usize), Just(1 << 20)]),
        (prop_oneof![10usize..400, Just(1 << 20)], prop_oneof![1usize..300, Just(20_000)]),
        (prop_oneof![1usize..50, 100usize..5000, Just(1 << 20)], any::<bool>(), any::<bool>()),
    )
        .prop_map(|((second, codec, dictionary, dictionary_limit), (page, page_rows), rest)| Options {
            version: if second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 },
            codec: codecs()[codec],
            dictionary,
            dictionary_limit,
            page,
            page_rows,
            group: rest.0,
            encodings: rest.1,
            statistics: rest.2,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(96)
    ))]

    #[test]
    fn every_value_comes_back(seed: u64, count in 1usize..6, mut draw in draws(), options in options()) {
        // Tiny groups of many rows take their time and show nothing more.
        draw.rows = draw.rows.min(options.group * 100).min(options.page_rows * 300);
        let mut seed = Random::new(seed);
        let arrays = columns(&mut seed, count, draw);
        check(&arrays, options, &mut seed)?;
    }
}

#[test]
fn every_type_in_every_version_and_codec() {
    let mut seed = Random::new(1);
    for codec in codecs() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for (missing, dictionary) in [(0, true), (30, false), (100, true)] {
                let draw = Draw { rows: 700, missing, different: 50, runs: false };
                let arrays: Vec<_> = types().iter().map(|of| array(of, &mut seed, draw)).collect();
                let options = Options { version, codec, dictionary, encodings: true, ..Options::PLAIN };
                check(&arrays, options, &mut seed).unwrap();
            }
        }
    }
}

#[test]
fn a_piece_within_a_page_may_be_missing_altogether() {
    let mut seed = Random::new(4);
    for dictionary in [true, false, false, false] {
        let some = Draw { rows: 900, missing: 5, different: 50, runs: false };
        let none = Draw { rows: 140_000, missing: 100, ..some };
        let arrays: Vec<_> = types()
            .iter()
            .map(|of| {
                let parts = [some, none, some].map(|draw| array(of, &mut seed, draw));
                arrow_select::concat::concat(&[&parts[0], &parts[1], &parts[2]]).unwrap()
            })
            .collect();
        let options = Options { dictionary, encodings: true, page_rows: 1 << 20, ..Options::PLAIN };
        check(&arrays, options, &mut seed).unwrap();
    }
}

#[test]
fn types_are_described_as_arrow_does() {
    let mut seed = Random::new(2);
    let draw = Draw { rows: 3, missing: 0, different: 2, runs: false };
    let arrays: Vec<_> = types().iter().map(|of| array(of, &mut seed, draw)).collect();
    let file = write(&arrays, Options::PLAIN, &mut seed);
    let file = ParquetFile::open(file, &MemoryLimit::new(1 << 20)).unwrap();
    let described: Vec<_> = file.fields().iter().map(|field| field.described.as_str()).collect();
    let expected = [
        "Boolean",
        "Int8",
        "Int16",
        "Int32",
        "Int64",
        "UInt8",
        "UInt16",
        "UInt32",
        "UInt64",
        "Float16",
        "Float32",
        "Float64",
        "Date32",
        "Timestamp(ms)",
        "Timestamp(us)",
        "Timestamp(ns)",
        "Decimal(7, 2)",
        "Decimal(16, 0)",
        "Decimal(23, 5)",
        "Decimal(38, 38)",
        "Decimal(60, 3)",
        "Utf8",
        "Utf8",
        "Binary",
        "FixedSizeBinary(1)",
        "FixedSizeBinary(16)",
        "Time",
        "Time",
        "Null",
    ];
    assert_eq!(described, expected);
}

#[test]
fn several_threads_read_at_once() {
    let mut seed = Random::new(3);
    let draw = Draw { rows: 20_000, missing: 10, different: 40, runs: false };
    let arrays = columns(&mut seed, 4, draw);
    let options = Options { group: 2_000, page_rows: 300, ..Options::PLAIN };
    let file = write(&arrays, options, &mut seed);
    let expected: Vec<_> = arrays.iter().map(of_array).collect();
    let memory = MemoryLimit::new(64 << 20);
    let file = ParquetFile::open(file, &memory).unwrap();
    let (file, memory, expected) = (&file, &memory, &expected);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for group in (0..file.groups()).skip(thread).step_by(4) {
                    let mut row = group * 2_000;
                    file.read::<crate::flaw::Flaw>(
                        group,
                        &[3, 1],
                        memory,
                        &Spares::default(),
                        &mut |pieces| {
                            for index in 0..pieces[0].len() {
                                assert_eq!(super::seen::Seen::from(pieces[0].get(index)), expected[3][row]);
                                assert_eq!(super::seen::Seen::from(pieces[1].get(index)), expected[1][row]);
                                row += 1;
                            }
                            Ok(())
                        },
                    )
                    .unwrap();
                }
            });
        }
    });
}
