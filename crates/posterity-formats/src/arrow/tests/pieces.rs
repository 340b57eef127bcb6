//! Large batches come in pieces that fit.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, StringViewArray};

use super::agrees::check;
use super::sample::{Options, write};
use super::{ArrowFile, file};
use crate::column::ColumnValues;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;

const OPTIONS: Options = Options {
    seed: 0,
    columns: 0,
    batches: 0,
    rows: 0,
    streamed: false,
    codec: 0,
    version: 0,
    dictionaries: 0,
};

fn batch(rows: usize, text: impl Fn(usize) -> String) -> RecordBatch {
    let texts: Vec<Option<String>> = (0..rows).map(|row| (row % 7 != 3).then(|| text(row))).collect();
    let numbers: Int64Array = (0..rows as i64).collect();
    let strings: StringArray = texts.iter().map(Option::as_deref).collect();
    let views: StringViewArray = texts.iter().map(Option::as_deref).collect();
    let columns: [(&str, ArrayRef); 3] =
        [("number", Arc::new(numbers)), ("string", Arc::new(strings)), ("view", Arc::new(views))];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// The number of rows of each piece.
fn pieces(bytes: &[u8], memory: usize) -> Result<Vec<usize>, Flaw> {
    let memory = MemoryLimit::new(memory);
    let mut lens = Vec::new();
    let read = ArrowFile::open(file(bytes), &memory)?;
    read.read(0, &[2, 0, 1], &memory, &mut |piece| {
        assert!(piece.iter().all(|column| column.len() == piece[0].len()));
        lens.push(piece[0].len());
        Ok::<_, Flaw>(())
    })?;
    Ok(lens)
}

#[test]
fn of_at_most_65536_rows() {
    for codec in 0..3 {
        let batch = batch(150_000, |row| format!("the text of row {row}"));
        let bytes = write(std::slice::from_ref(&batch), batch.schema(), Options { codec, ..OPTIONS });
        check(&[batch], &bytes);
        let lens = pieces(&bytes, 64 << 20).unwrap();
        assert!(lens.iter().all(|&len| len <= 65_536) && lens.iter().sum::<usize>() == 150_000, "{lens:?}");
    }
}

#[test]
fn of_few_rows_if_these_are_long() {
    let batch = batch(60, |row| "long".repeat((1 + row) * 10_000));
    let bytes = write(std::slice::from_ref(&batch), batch.schema(), OPTIONS);
    assert!(bytes.len() > 100 << 20);
    // Three times the size of a piece is enough for a file of any size.
    let lens = pieces(&bytes, 24 << 20).unwrap();
    assert!(lens.len() > 10 && lens.iter().sum::<usize>() == 60, "{lens:?}");
    // Compressed buffers are held whole.
    let bytes = write(std::slice::from_ref(&batch), batch.schema(), Options { codec: 2, ..OPTIONS });
    assert!(matches!(pieces(&bytes, 24 << 20), Err(Flaw::TooLarge)));
    // A single row must fit.
    assert!(matches!(pieces(&bytes, 1 << 20), Err(Flaw::TooLarge)));
}

#[test]
fn of_several_threads_at_once() {
    let batches: Vec<RecordBatch> =
        (0..8).map(|number| batch(20_000, |row| format!("{number} {row}"))).collect();
    let bytes = write(&batches, batches[0].schema(), OPTIONS);
    let memory = MemoryLimit::new(256 << 20);
    let read = ArrowFile::open(file(&bytes), &memory).unwrap();
    std::thread::scope(|scope| {
        for (number, batch) in batches.iter().enumerate() {
            let (read, memory) = (&read, &memory);
            scope.spawn(move || {
                let mut rows = 0;
                let each = &mut |piece: &[ColumnValues]| {
                    for (column, array) in piece.iter().zip(batch.columns()) {
                        (0..column.len()).for_each(|row| {
                            assert_eq!(column.get(row), super::expected::value(array, rows + row));
                        });
                    }
                    rows += piece[0].len();
                    Ok::<_, Flaw>(())
                };
                read.read(number, &[0, 1, 2], memory, each).unwrap();
                assert_eq!(rows, 20_000);
            });
        }
    });
}

#[test]
fn stop_when_the_receiver_fails() {
    let batch = batch(100_000, |row| row.to_string());
    let bytes = write(std::slice::from_ref(&batch), batch.schema(), OPTIONS);
    let memory = MemoryLimit::new(64 << 20);
    let read = ArrowFile::open(file(&bytes), &memory).unwrap();
    let mut calls = 0;
    let outcome = read.read(0, &[0], &memory, &mut |_| {
        calls += 1;
        Err(Flaw::NotUtf8)
    });
    assert!(matches!(outcome, Err(Flaw::NotUtf8)) && calls == 1);
    assert!(read.read(1, &[0], &memory, &mut |_| Ok::<_, Flaw>(())).is_err());
    assert!(read.read(0, &[3], &memory, &mut |_| Ok::<_, Flaw>(())).is_err());
}
