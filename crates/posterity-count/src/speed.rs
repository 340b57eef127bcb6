//! How long many questions in one pass take, beside reading the same columns. It is run by hand, with optimisation:
//! `cargo test --release -p posterity-count --lib speed::forty -- --ignored --nocapture`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use posterity_core::sampler::SeededBits;
use posterity_formats::{Number, Source, read};

use crate::bins::Bins;
use crate::checked_questions::CheckedQuestions;
use crate::count::{Resources, run_groups};
use crate::question::{Column, Question};
use crate::question_group::QuestionGroup;

const ROWS: usize = 10_000_000;

/// Twelve columns with two to twelve categories, as surveys have them.
const CATEGORIES: [usize; 12] = [2, 2, 3, 4, 5, 5, 5, 6, 7, 8, 10, 12];

fn name(column: usize) -> String {
    format!("question_{column}")
}

fn label(value: usize) -> String {
    format!("answer {value}")
}

/// A value that looks random and is the same in every run.
fn value(column: usize, row: usize) -> usize {
    let mixed = (row as u64 * 12 + column as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 32) % CATEGORIES[column] as u64) as usize
}

fn column(column: usize) -> Column {
    Column::new(name(column), (0..CATEGORIES[column]).map(label))
}

/// Every column by itself, 20 pairs and 8 triples.
fn forty() -> Vec<Question> {
    let mut sets: Vec<Vec<usize>> = (0..12).map(|one| vec![one]).collect();
    sets.extend((0..20).map(|pair| vec![pair % 12, (pair % 12 + 1 + pair / 12 * 4) % 12]));
    sets.extend((0..8).map(|triple| vec![triple, triple + 2, triple + 4]));
    sets.into_iter().map(|set| Question::new(set.into_iter().map(column).collect())).collect()
}

fn write_csv(path: &Path) {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).expect("created"));
    writeln!(file, "{}", (0..12).map(name).collect::<Vec<_>>().join(",")).expect("written");
    let mut line = String::new();
    for row in 0..ROWS {
        line.clear();
        for column in 0..12 {
            let comma = if column == 11 { '\n' } else { ',' };
            write!(line, "answer {}{comma}", value(column, row)).expect("written");
        }
        file.write_all(line.as_bytes()).expect("written");
    }
    file.flush().expect("written");
}

fn write_parquet(path: &Path) {
    let fields: Vec<Field> = (0..12).map(|column| Field::new(name(column), DataType::Utf8, false)).collect();
    let schema = Arc::new(Schema::new(fields));
    let file = File::create(path).expect("created");
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), None).expect("a writer");
    const BATCH: usize = 1_000_000;
    for start in (0..ROWS).step_by(BATCH) {
        let array = |column: usize| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(
                (start..start + BATCH).map(|row| label(value(column, row))),
            ))
        };
        let batch = RecordBatch::try_new(Arc::clone(&schema), (0..12).map(array).collect()).expect("a batch");
        writer.write(&batch).expect("written");
    }
    writer.close().expect("closed");
}

/// How to count: the questions, and whether they are counted at all.
type Way<'a> = (&'a [Question], bool);

/// The shortest time of each way of counting, of at least five rounds and of as many as fit into a while: ways take
/// turns, so that other programs disturb all of them alike.
fn times<const WAYS: usize>(path: &Path, ways: [Way<'_>; WAYS]) -> [Duration; WAYS] {
    let files = Source::files(path.to_str().expect("UTF-8")).find().expect("there");
    let once = |(questions, counted): Way<'_>| {
        let checked = CheckedQuestions::all(questions).expect("valid");
        let groups = if counted { QuestionGroup::of(&checked) } else { Vec::new() };
        let (mut bits, progress) = (SeededBits::new(1), |_| ControlFlow::Continue(()));
        let begin = Instant::now();
        // Without groups nothing is counted, and a total of zero is refused at the end.
        let _ = run_groups(&checked, &groups, &mut bits, &Resources::default(), &progress, |run| {
            read(&files, run)
        });
        begin.elapsed()
    };
    let begin = Instant::now();
    let mut shortest = [Duration::MAX; WAYS];
    let mut rounds = 0;
    while rounds < 5 || begin.elapsed() < Duration::from_secs(20) {
        for (shortest, way) in shortest.iter_mut().zip(ways) {
            *shortest = once(way).min(*shortest);
        }
        rounds += 1;
    }
    shortest
}

#[test]
#[ignore = "slow: writes 1.3 GB, and means something only when optimised"]
fn forty_questions_beside_a_scan() {
    let folder = tempfile::tempdir().expect("a folder");
    let questions = forty();
    assert_eq!(questions.len(), 40);
    for (name, write) in [("a.csv", write_csv as fn(&Path)), ("a.parquet", write_parquet)] {
        let path = folder.path().join(name);
        write(&path);
        let (columns, last) = (&questions[..12], &questions[39..]);
        let [read, scan, together, alone] =
            times(&path, [(columns, false), (columns, true), (&questions, true), (last, true)]);
        let ratio = together.as_secs_f64() / scan.as_secs_f64();
        println!(
            "{name}: reading the 12 columns {read:.2?}, counting each column once {scan:.2?}, 40 questions {together:.2?} \
             ({ratio:.2} times), the last of them alone {alone:.2?}"
        );
        std::fs::remove_file(&path).expect("removed");
    }
}

/// The processor time that this process has taken, in all of its threads, as the system counts it: in hundredths of a second.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 =
        behind.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Doubles in bins, beside reading them, and beside making the decimal of each that it is compared as. It is run by hand:
/// `cargo test --release -p posterity-count --lib speed::bins -- --ignored --nocapture`.
#[test]
#[ignore = "slow, and means something only when optimised"]
fn bins_of_doubles() {
    const DOUBLES: usize = 5_000_000;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    let number =
        |row: usize| (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as f64 / u64::MAX as f64 * 100.0;
    let numbers: Vec<f64> = (0..DOUBLES).map(number).collect();
    let schema = Arc::new(Schema::new(vec![Field::new("x", DataType::Float64, false)]));
    let array: ArrayRef = Arc::new(Float64Array::from(numbers.clone()));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![array]).expect("a batch");
    let mut writer =
        ArrowWriter::try_new(File::create(&path).expect("created"), schema, None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
    let bins = Bins::new(["0", "0.1", "18", "40", "65", "100.1"]).expect("bins");
    let questions = [Question::new(vec![Column::binned("x", bins.clone())])];
    let [scan, counted] = times(&path, [(&questions, false), (&questions, true)]);
    const ROUNDS: u32 = 20;
    let checked = CheckedQuestions::all(&questions).expect("valid");
    let (groups, files) =
        (QuestionGroup::of(&checked), Source::files(path.to_str().expect("UTF-8")).find().expect("there"));
    let before = processor_time();
    for _ in 0..ROUNDS {
        let (mut bits, progress) = (SeededBits::new(1), |_| ControlFlow::Continue(()));
        run_groups(&checked, &groups, &mut bits, &Resources::default(), &progress, |run| read(&files, run))
            .expect("counted");
    }
    let processor = (processor_time() - before) / ROUNDS;
    let begin = Instant::now();
    let exact = numbers.iter().filter(|number| {
        let decimal = Number::from_f64(**number).expect("finite");
        bins.edges()
            .iter()
            .filter(|edge| Number::parse(edge.as_bytes()).expect("a number") <= decimal)
            .count()
            == 3
    });
    let (exact, by_decimals) = (exact.count(), begin.elapsed());
    assert_eq!(exact, numbers.iter().filter(|number| bins.find_double(**number) == Some(2)).count());
    println!(
        "5 million doubles: read {scan:.2?}, read and sorted into bins {counted:.2?}, {processor:.2?} of processor time on the mean \
         of {ROUNDS} runs; decimals of all {by_decimals:.2?}"
    );
}
