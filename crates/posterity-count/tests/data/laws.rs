//! Properties that hold for all data.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{Int64Array, RecordBatch};
use posterity_count::{Column, DataError, PerUnit, Question, Source};
use proptest::prelude::*;

use crate::scratch::{Scratch, about, answer, batch, counts, strings};

#[derive(Clone, Debug)]
struct Row {
    id: i64,
    a: Option<&'static str>,
    b: &'static str,
}

fn row() -> impl Strategy<Value = Row> {
    let a = prop_oneof![4 => Just(Some("x")), 4 => Just(Some("y")), 1 => Just(Some("other, \"quoted\"")), 1 => Just(None)];
    (0_i64..6, a, prop_oneof![Just("1"), Just("01")]).prop_map(|(id, a, b)| Row { id, a, b })
}

fn question(unit: bool) -> Question {
    Question {
        filter: Some("id <> 5".into()),
        unit: unit.then(|| "id".into()),
        per_unit: PerUnit::First,
        ..Question::new(vec![Column::new("a", ["x", "y"]), Column::new("b", ["01", "1"])])
            .with_other("o")
            .with_missing("m")
    }
}

/// Counts by hand. Four values of each column: the declared ones, o and m.
fn expected(rows: &[Row], unit: bool) -> Vec<u64> {
    let cell = |row: &Row| {
        let a = match row.a {
            Some("x") => 0,
            Some("y") => 1,
            Some(_) => 2,
            None => 3,
        };
        4 * a + usize::from(row.b == "1")
    };
    let kept = rows.iter().filter(|row| row.id != 5);
    let mut counts = vec![0; 16];
    if unit {
        let mut least: BTreeMap<i64, usize> = BTreeMap::new();
        for row in kept {
            let least = least.entry(row.id).or_insert(usize::MAX);
            *least = cell(row).min(*least);
        }
        least.values().for_each(|&cell| counts[cell] += 1);
    } else {
        kept.for_each(|row| counts[cell(row)] += 1);
    }
    counts
}

fn table(rows: &[Row]) -> RecordBatch {
    batch(vec![
        ("id", Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row.id)))),
        ("a", strings(&rows.iter().map(|row| row.a).collect::<Vec<_>>())),
        ("b", strings(&rows.iter().map(|row| Some(row.b)).collect::<Vec<_>>())),
    ])
}

fn csv(rows: &[Row]) -> String {
    let lines = rows.iter().map(|Row { id, a, b }| {
        let a = a.map(|a| format!("\"{}\"", a.replace('"', "\"\""))).unwrap_or_default();
        format!("{id},{a},{b}\n")
    });
    std::iter::once("id,a,b\n".to_owned()).chain(lines).collect()
}

fn json(rows: &[Row]) -> String {
    let lines = rows.iter().map(|Row { id, a, b }| {
        let a = a.map(|a| format!("\"{}\"", a.replace('"', "\\\""))).unwrap_or_else(|| "null".into());
        format!("{{\"id\":{id},\"a\":{a},\"b\":\"{b}\"}}\n")
    });
    lines.collect()
}

/// Writes some rows as a file of each format into a folder of each.
fn write(scratch: &Scratch, part: usize, rows: &[Row]) {
    scratch.write(&format!("csv/{part}.csv"), csv(rows));
    scratch.gzip(&format!("gz/{part}.csv.gz"), csv(rows));
    scratch.write(&format!("json/{part}.json"), json(rows));
    scratch.parquet(&format!("parquet/{part}.parquet"), &table(rows));
    scratch.arrow(&format!("arrow/{part}.arrow"), &table(rows));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// All formats agree with a count by hand, in any order and over any number of files.
    #[test]
    fn counts_are_right(
        (rows, shuffled) in prop::collection::vec(row(), 1..40)
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        cut in 1_usize..40,
    ) {
        let whole = Scratch::new();
        write(&whole, 0, &rows);
        let split = Scratch::new();
        let (left, right) = shuffled.split_at(cut.min(shuffled.len()));
        write(&split, 1, left);
        if !right.is_empty() {
            write(&split, 0, right);
        }
        for unit in [false, true] {
            let expected = expected(&rows, unit);
            let expected =
                if expected.iter().all(|&count| count == 0) { Err(DataError::NoRecords) } else { Ok(expected) };
            for format in ["csv", "gz", "json", "parquet", "arrow"] {
                for scratch in [&whole, &split] {
                    let found = counts(&scratch.text(format), &question(unit));
                    prop_assert_eq!(&found, &expected, "{} unit {}", format, unit);
                }
            }
        }
    }

    /// Replacing all records of one unit moves at most one unit from one category to another.
    #[test]
    fn one_unit_is_one_record(
        rows in prop::collection::vec(row(), 1..30),
        instead in prop::collection::vec(row(), 1..8),
        id in 0_i64..5,
    ) {
        let scratch = Scratch::new();
        let of = |rows: &[Row], name: &str| {
            let path = scratch.parquet(name, &table(rows));
            answer(&Source::files(path), &question(true)).expect("counted").counts.as_slice().to_vec()
        };
        let mut rows = rows;
        rows.push(Row { id, a: Some("x"), b: "1" });
        let mut others = rows.clone();
        others.retain(|row| row.id != id);
        others.extend(instead.into_iter().map(|row| Row { id, ..row }));
        let (before, after) = (of(&rows, "a.parquet"), of(&others, "b.parquet"));
        let moved: u64 = before.iter().zip(&after).map(|(a, b)| a.abs_diff(*b)).sum();
        prop_assert!(moved == 0 || moved == 2, "{moved}");
        prop_assert_eq!(before.iter().sum::<u64>(), after.iter().sum::<u64>());
    }
}

/// Counts, or refuses for a reason that is known. A panic that was caught would be `Unforeseen`.
fn counted_or_refused(path: &str, question: &Question) -> Result<(), TestCaseError> {
    let result = counts(path, question);
    prop_assert!(!matches!(result, Err(DataError::Unforeseen)), "{path}: {result:?}");
    Ok(())
}

const HOSTILE: [&str; 6] = ["a.csv", "a.csv.gz", "a.json", "a.json.gz", "a.parquet", "a.arrow"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Random bytes are counted or refused.
    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let scratch = Scratch::new();
        for name in HOSTILE {
            counted_or_refused(&scratch.write(name, &bytes), &about("a", &["x", "y"]))?;
            if name.ends_with(".gz") {
                counted_or_refused(&scratch.gzip(name, &bytes), &about("a", &["x", "y"]))?;
            }
        }
        let text = [b"a,b\n".as_slice(), &bytes].concat();
        counted_or_refused(&scratch.write("b.csv", text), &about("a", &["x", "y"]))?;
    }

    /// So is text that looks like CSV or JSON.
    #[test]
    fn random_text_does_no_harm(text in "[ax,\"{}:\\[\\]\n\r1 ]{0,80}") {
        let scratch = Scratch::new();
        for name in ["a.csv", "a.json"] {
            counted_or_refused(&scratch.write(name, &text), &about("a", &["x", "y"]))?;
        }
        counted_or_refused(&scratch.write("b.csv", format!("a,b\n{text}")), &about("a", &["x", "y"]))?;
        counted_or_refused(&scratch.write("b.json", format!("{{\"a\":\"x\"}}\n{{\"a\":{text}}}")), &about("a", &["x", "y"]))?;
    }

    /// So are files that were whole, with some bytes overwritten.
    #[test]
    fn overwritten_files_do_no_harm(
        rows in prop::collection::vec(row(), 1..20),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let scratch = Scratch::new();
        let paths = [
            scratch.parquet("a.parquet", &table(&rows)),
            scratch.arrow("a.arrow", &table(&rows)),
            scratch.gzip("a.csv.gz", csv(&rows)),
        ];
        for path in paths {
            let mut bytes = std::fs::read(&path).expect("read");
            for (index, byte) in &flips {
                let at = index.index(bytes.len());
                bytes[at] = *byte;
            }
            std::fs::write(&path, bytes).expect("written");
            counted_or_refused(&path, &question(true))?;
        }
    }
}
