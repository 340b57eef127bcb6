//! How fast columns are read. Run with `cargo test --release -- --ignored --nocapture speed`.

use std::sync::Arc;
use std::time::Instant;

use ::parquet::basic::{Compression, ZstdLevel};
use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use posterity_testkit::Random;

use crate::column::ColumnValues;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};

use super::files::{Options, write};

const ROWS: usize = 4 << 20;

fn time(name: &str, array: ArrayRef, options: Options, keyed: bool) {
    let memory = MemoryLimit::new(256 << 20);
    let file = ParquetFile::open(write(&[array], options, &mut Random::new(1)), &memory).unwrap();
    let spares = Spares::default();
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        let (mut rows, mut pieces) = (0, 0);
        for group in 0..file.groups() {
            file.read::<Flaw>(group, &[0], &memory, &spares, &mut |columns| {
                rows += columns[0].len();
                pieces += 1;
                assert_eq!(matches!(columns[0], ColumnValues::Keyed { .. }), keyed);
                std::hint::black_box(columns);
                Ok(())
            })
            .unwrap();
        }
        assert_eq!(rows, ROWS);
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name}: {:.0} million rows a second", ROWS as f64 / best / 1e6);
}

#[test]
#[ignore = "takes its time and means something only when optimised"]
fn speed() {
    let mut seed = Random::new(7);
    let words = ["yes", "no", "perhaps"];
    let text: ArrayRef = Arc::new((0..ROWS).map(|_| Some(words[seed.index(3)])).collect::<StringArray>());
    let sorted: ArrayRef =
        Arc::new((0..ROWS).map(|row| Some(words[row * 3 / ROWS])).collect::<StringArray>());
    let gaps: ArrayRef = Arc::new(
        (0..ROWS).map(|_| (seed.index(10) > 0).then(|| words[seed.index(3)])).collect::<StringArray>(),
    );
    let many: ArrayRef =
        Arc::new((0..ROWS).map(|_| Some(format!("w{}", seed.index(3000)))).collect::<StringArray>());
    let numbers: ArrayRef = Arc::new((0..ROWS).map(|_| Some(seed.bits() as i64)).collect::<Int64Array>());
    let small: ArrayRef = Arc::new((0..ROWS).map(|_| Some(seed.index(1000) as i64)).collect::<Int64Array>());
    let doubles: ArrayRef = Arc::new(
        (0..ROWS).map(|_| (seed.index(10) > 0).then(|| seed.bits() as f64)).collect::<Float64Array>(),
    );

    let options = Options { group: 1 << 20, page_rows: usize::MAX, ..Options::PLAIN };
    let zstd = Options { codec: Compression::ZSTD(ZstdLevel::default()), ..options };
    let snappy = Options { codec: Compression::SNAPPY, ..options };
    let plain = Options { dictionary: false, ..options };
    time("text of 3 values", Arc::clone(&text), options, true);
    time(
        "text of 3 values, pages of 20,000 rows",
        Arc::clone(&text),
        Options { page_rows: 20_000, ..options },
        true,
    );
    time("text of 3 values, sorted", sorted, options, true);
    time("text of 3 values, snappy", Arc::clone(&text), snappy, true);
    time("text of 3 values, zstd", Arc::clone(&text), zstd, true);
    time("text of 3 values, a tenth missing", gaps, options, true);
    time("text of 3,000 values", many, options, true);
    time("text of 3 values, plain", text, plain, false);
    time("plain INT64", Arc::clone(&numbers), plain, false);
    time("plain INT64, zstd", Arc::clone(&small), Options { dictionary: false, ..zstd }, false);
    time("plain INT64, snappy", small, Options { dictionary: false, ..snappy }, false);
    time("plain DOUBLE, a tenth missing", doubles, plain, false);
}
