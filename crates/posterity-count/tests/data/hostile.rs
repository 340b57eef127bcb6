//! Files made to do harm: none panics, and none takes more memory than a child process with a limit has.

use std::io::Write;
use std::process::Command;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::{WriterProperties, WriterVersion};
use posterity_core::sampler::SeededBits;
use posterity_count::{Column, DataError, PerUnit, Question, ReadError, Source, count};
use posterity_testkit::trials;

use crate::scratch::{Scratch, about, alone, batch, go_on};

/// A whole file of some format, to be damaged.
struct Sample {
    name: &'static str,
    bytes: Vec<u8>,
}

fn table(rows: usize) -> arrow_array::RecordBatch {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows as i64).map(|i| i % 17)));
    let category = |i: usize| (i % 7 != 3).then(|| ["x", "y", "a longer value than twelve bytes"][i % 3]);
    let categories: ArrayRef = Arc::new(StringArray::from_iter((0..rows).map(category)));
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows as i64).map(|i| i * i - 50)));
    batch(vec![("id", ids), ("a", categories), ("n", numbers)])
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let table = table(60);
    let mut csv = String::from("id,a,n\n");
    let mut json = String::new();
    for i in 0..60 {
        csv += &format!("{},\"{}\",{}\n", i % 17, ["x", "y", "z\"\"\n"][i % 3], i);
        json += &format!("{{\"id\":{},\"a\":\"{}\",\"n\":{i}.5}}\n", i % 17, ["x", "y", "\\u00e4"][i % 3]);
    }
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).expect("compressed");
        encoder.finish().expect("compressed")
    };
    samples.push(Sample { name: "a.csv.gz", bytes: gzip(&csv) });
    samples.push(Sample { name: "a.csv", bytes: csv.into_bytes() });
    samples.push(Sample { name: "a.json", bytes: json.into_bytes() });
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for compression in
            [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(Default::default())]
        {
            let properties = WriterProperties::builder()
                .set_writer_version(version)
                .set_compression(compression)
                .set_max_row_group_row_count(Some(25));
            let mut bytes = Vec::new();
            let mut writer =
                ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties.build())).expect("a writer");
            writer.write(&table).expect("written");
            writer.close().expect("closed");
            samples.push(Sample { name: "a.parquet", bytes });
        }
    }
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        let options = IpcWriteOptions::default().try_with_compression(compression).expect("options");
        let mut bytes = Vec::new();
        let mut writer =
            FileWriter::try_new_with_options(&mut bytes, &table.schema(), options.clone()).expect("a writer");
        writer.write(&table).and_then(|()| writer.finish()).expect("written");
        drop(writer);
        samples.push(Sample { name: "a.arrow", bytes });
        let mut bytes = Vec::new();
        let mut writer =
            StreamWriter::try_new_with_options(&mut bytes, &table.schema(), options).expect("a writer");
        writer.write(&table).and_then(|()| writer.finish()).expect("written");
        drop(writer);
        samples.push(Sample { name: "b.arrow", bytes });
    }
    samples
}

fn question(unit: bool) -> Question {
    Question {
        filter: unit.then(|| "n > -40 OR n IS NULL".into()),
        unit: unit.then(|| "id".into()),
        per_unit: PerUnit::Mode,
        ..Question::new(vec![Column::new("a", ["x", "y"])]).with_other("other").with_missing("missing")
    }
}

/// Counts or refuses for a reason that is known; a panic that was caught would be `Unforeseen`.
fn survive(path: &str, question: &Question) -> Result<(), DataError> {
    let result = count(&Source::files(path), question, &mut SeededBits::new(1), &alone(), &go_on);
    assert_ne!(result, Err(DataError::Unforeseen), "{path}");
    result.map(|_| ())
}

/// A generator that is the same everywhere.
fn step(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Some bytes overwritten, cut out, or put in.
fn damage(bytes: &mut Vec<u8>, state: &mut u64) {
    for _ in 0..1 + step(state) % 4 {
        let at = step(state) % bytes.len().max(1);
        match step(state) % 8 {
            0..3 => bytes[at] ^= 1 << (step(state) % 8),
            3 | 4 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, step(state) as u8][step(state) % 6],
            5 => {
                let end = (at + 1 + step(state) % 16).min(bytes.len());
                bytes.drain(at..end);
            }
            6 => {
                let length = (1 + step(state) % 32).min(bytes.len() - at);
                let copy = bytes[at..at + length].to_vec();
                let to = step(state) % bytes.len();
                bytes.splice(to..to, copy);
            }
            _ => bytes.truncate(at.max(1)),
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
}

/// Damages files of the formats in turn, this many of each, and counts them.
fn mutants(of_each: usize, seed: u64) {
    let scratch = Scratch::new();
    let mut state = seed;
    let (mut counted, mut refused) = (0, 0);
    let samples = samples();
    let times = |name: &str| samples.iter().filter(|sample| sample.name.ends_with(&name[1..])).count();
    for sample in &samples {
        let path = scratch.write(sample.name, &sample.bytes);
        assert_eq!(survive(&path, &question(true)), Ok(()), "{path}");
        for i in 0..of_each / times(sample.name) {
            let mut bytes = sample.bytes.clone();
            damage(&mut bytes, &mut state);
            let path = scratch.write(sample.name, bytes);
            match survive(&path, &question(i % 2 == 0)) {
                Ok(()) => counted += 1,
                Err(_) => refused += 1,
            }
        }
    }
    println!("seed {seed}: {counted} counted, {refused} refused");
    assert!(counted > 0 && refused > counted / 10);
}

#[test]
fn damaged_files_do_no_harm() {
    mutants(trials(2_000) / 4, 3);
}

#[test]
#[ignore = "20,000 files of each format; ./test --slow"]
fn many_damaged_files_do_no_harm() {
    mutants(trials(20_000), 4);
}

/// The most address space that a child may have, in KiB: less than the gigabyte that no file may take.
const LIMIT: usize = 1 << 20;

/// The folder in which a child finds files.
const FOLDER: &str = "POSTERITY_TEST_FOLDER";

/// Runs a test of this file in a process of its own with this limit of memory.
fn confined(name: &str, scratch: &Scratch) {
    let program = std::env::current_exe().expect("this program");
    let script = format!("ulimit -v {LIMIT} && exec \"$0\" --exact {name} --ignored --nocapture");
    let mut child = Command::new("sh");
    let child = child.args(["-c", &script]).arg(program).env(FOLDER, scratch.path(""));
    let output = child.output().expect("a shell");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn damaged_files_stay_below_a_gigabyte() {
    confined("hostile::mutants_in_little_memory", &Scratch::new());
}

#[test]
#[ignore = "called by damaged_files_stay_below_a_gigabyte, with a limit on memory"]
fn mutants_in_little_memory() {
    mutants(trials(2_000) / 4, 5);
}

/// Small files that inflate, or claim to.
#[cfg(target_os = "linux")]
#[test]
fn bombs_stay_below_a_gigabyte() {
    let scratch = Scratch::new();
    let zeros = vec![b'0'; 64 << 20];
    scratch.gzip("endless.csv.gz", [b"a,b\n".as_slice(), &zeros].concat());
    scratch.write("endless.csv", [b"a,b\n\"".as_slice(), &zeros].concat());
    // A long value that is stored once and referred to twenty thousand times.
    let long = "v".repeat(64 << 10);
    let keys = arrow_array::Int32Array::from(vec![0; 20_000]);
    let values: ArrayRef = Arc::new(StringArray::from(vec![long.as_str()]));
    let repeated: ArrayRef =
        Arc::new(arrow_array::DictionaryArray::<arrow_array::types::Int32Type>::new(keys, values));
    let table = batch(vec![("a", repeated.clone()), ("id", repeated)]);
    scratch.arrow("repeated.arrow", &table);
    scratch.parquet("repeated.parquet", &table);
    // A page and a batch of 300 MiB, in some kilobytes.
    let wide: ArrayRef = Arc::new(StringArray::from(vec!["\0".repeat(1 << 20); 300]));
    let table = batch(vec![("a", wide)]);
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_dictionary_enabled(false)
        .set_data_page_size_limit(usize::MAX)
        .set_write_batch_size(1 << 20);
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, table.schema(), Some(properties.build())).expect("a writer");
    writer.write(&table).expect("written");
    writer.close().expect("closed");
    scratch.write("wide.parquet", bytes);
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD));
    let mut bytes = Vec::new();
    let mut writer = FileWriter::try_new_with_options(&mut bytes, &table.schema(), options.expect("options"))
        .expect("a writer");
    writer.write(&table).and_then(|()| writer.finish()).expect("written");
    drop(writer);
    scratch.write("wide.arrow", bytes);
    confined("hostile::bombs", &scratch);
}

#[test]
#[ignore = "called by bombs_stay_below_a_gigabyte, with a limit on memory"]
fn bombs() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let path = |name: &str| format!("{folder}/{name}");
    let question = about("a", &["x", "y"]);
    for name in ["endless.csv", "endless.csv.gz"] {
        let result = survive(&path(name), &question);
        assert!(matches!(result, Err(DataError::Read(ReadError::TooLong { .. }))), "{name}: {result:?}");
    }
    for name in ["wide.parquet", "wide.arrow"] {
        let result = survive(&path(name), &question);
        assert!(matches!(result, Err(DataError::Read(ReadError::LargePiece { .. }))), "{name}: {result:?}");
    }
    for name in ["repeated.arrow", "repeated.parquet"] {
        let question = Question {
            unit: Some("id".into()),
            filter: Some("a <> 'w' AND id <> 'w'".into()),
            ..question.clone().with_other("other")
        };
        assert_eq!(survive(&path(name), &question), Ok(()), "{name}");
    }
}
