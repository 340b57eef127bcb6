//! How long it takes to count every value of a large column, and how much memory.
//!
//! ```text
//! cargo run --release -p posterity-count --example distinct -- write /tmp/large
//! cargo run --release -p posterity-count --example distinct -- count /tmp/large/ids.parquet
//! cargo run --release -p posterity-count --example distinct -- count /tmp/large/ids.parquet unit random
//! ```
//!
//! The first command writes 10^8 records as Parquet and as CSV: a value of ten letters, of which there are 10^7, and a
//! unit, of which there are 10^7 too. A number after the folder writes that many records, with a tenth of the values.
//! The others count them, with a unit by the rule that is named, and print the time, the largest memory of the process,
//! how many values there are, and how many records or units.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use posterity_core::sampler::SeededBits;
use posterity_count::{DataError, Resources, Source, ValuesAsked, gather_values};

const RECORDS: u64 = 100_000_000;

/// How many records are written at once.
const BATCH: u64 = 1_000_000;

/// A number that looks random and is the same in every run (Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Ten letters that stand for a value. They do not come in the order of the values.
fn letters(value: u64) -> String {
    let mut rest = mixed(value ^ 0x5555);
    let mut letter = || {
        let letter = b'a' + (rest % 26) as u8;
        rest /= 26;
        char::from(letter)
    };
    (0..10).map(|_| letter()).collect()
}

/// The unit and the value of a record. Half of the records have one of the few values that are frequent.
fn record(row: u64, values: u64) -> (u64, u64) {
    let random = mixed(row);
    let range = if random & 1 == 0 { values } else { values / 100 };
    (mixed(random) % values, (random >> 1) % range.max(1))
}

fn write(folder: &Path, records: u64) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let fields = vec![Field::new("unit", DataType::Int64, false), Field::new("id", DataType::Utf8, false)];
    let schema = Arc::new(Schema::new(fields));
    let mut parquet =
        ArrowWriter::try_new(File::create(folder.join("ids.parquet"))?, Arc::clone(&schema), None)?;
    let mut csv = BufWriter::with_capacity(1 << 20, File::create(folder.join("ids.csv"))?);
    writeln!(csv, "unit,id")?;
    for start in (0..records).step_by(BATCH as usize) {
        let rows: Vec<(u64, u64)> =
            (start..records.min(start + BATCH)).map(|row| record(row, records / 10)).collect();
        let ids: Vec<String> = rows.iter().map(|(_, value)| letters(*value)).collect();
        for ((unit, _), id) in rows.iter().zip(&ids) {
            writeln!(csv, "{unit},{id}")?;
        }
        let units: ArrayRef =
            Arc::new(Int64Array::from_iter_values(rows.iter().map(|(unit, _)| *unit as i64)));
        let ids: ArrayRef = Arc::new(StringArray::from_iter_values(ids));
        parquet.write(&RecordBatch::try_new(Arc::clone(&schema), vec![units, ids])?)?;
    }
    parquet.close()?;
    csv.flush()?;
    Ok(())
}

/// The largest memory of this process so far, in MiB. Linux only; nothing elsewhere.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn count(path: &str, unit: Option<&str>, rule: Option<&str>) -> Result<(), Box<dyn Error>> {
    let asked = ValuesAsked {
        unit: unit.map(Into::into),
        per_unit: rule.unwrap_or("random").parse()?,
        ..ValuesAsked::new("id")
    };
    let (mut values, mut sum) = (0_u64, 0_u64);
    let begin = Instant::now();
    let mut each = |_: &str, count: u64| {
        values += 1;
        sum += count;
        Ok::<(), DataError>(())
    };
    let (mut bits, go_on) = (SeededBits::new(1), |_| ControlFlow::Continue(()));
    gather_values(&Source::files(path), &asked, &mut bits, &Resources::default(), &go_on)?
        .each(&go_on, &mut each)?;
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{path}: {seconds:.1} seconds, {:.0} MiB, {values} values of {sum}",
        memory().unwrap_or_default()
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["write", folder] => write(Path::new(folder), RECORDS),
        ["write", folder, records] => write(Path::new(folder), records.parse()?),
        ["count", path] => count(path, None, None),
        ["count", path, unit, rule] => count(path, Some(unit), Some(rule)),
        _ => Err("write FOLDER [RECORDS], or count PATH [UNIT RULE]".into()),
    }
}
