//! Every value is the one that the official implementation wrote.

use std::io::Cursor;

use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use proptest::prelude::*;

use super::expected::{kind, same, value};
use super::sample::{Options, sample};
use super::{ArrowFile, file, read_all};
use crate::arrow::container::DictionaryBatch;
use crate::memory_limit::MemoryLimit;

/// Compares a file with the batches that it was written from.
pub(super) fn check(batches: &[RecordBatch], bytes: &[u8]) -> ArrowFile {
    let memory = MemoryLimit::new(64 << 20);
    let mut rows = vec![0; batches.len()];
    let read = read_all(file(bytes), &memory, &mut |batch, start, piece| {
        for (column, array) in piece.iter().zip(batches[batch].columns()) {
            for row in 0..column.len() {
                let (ours, theirs) = (column.get(row), value(array, start as usize + row));
                assert!(same(ours, theirs), "{}: {ours:?} {theirs:?}", array.data_type());
            }
        }
        rows[batch] += piece.first().map_or(0, |column| column.len());
    })
    .unwrap();
    assert_eq!(read.batches(), batches.len());
    for (batch, rows) in batches.iter().zip(rows) {
        assert!(batch.num_columns() == 0 || batch.num_rows() == rows);
    }
    if let Some(batch) = batches.first() {
        for (field, theirs) in read.fields().iter().zip(batch.schema().fields()) {
            assert_eq!((&field.name, field.kind), (theirs.name(), kind(theirs.data_type())), "{field:?}");
        }
    }
    read
}

/// What the official reader reads, unless it refuses its own file, as it does with runs of no rows.
fn official(bytes: &[u8], streamed: bool) -> Option<Vec<RecordBatch>> {
    if streamed {
        StreamReader::try_new(Cursor::new(bytes), None).ok()?.collect::<Result<_, _>>().ok()
    } else {
        FileReader::try_new(Cursor::new(bytes), None).ok()?.collect::<Result<_, _>>().ok()
    }
}

fn options() -> impl Strategy<Value = Options> {
    (any::<u64>(), 0..7usize, 0..4usize, 0..60usize, any::<bool>(), 0..3u8, 0..5u8, 0..3u8).prop_map(
        |(seed, columns, batches, rows, streamed, codec, version, dictionaries)| Options {
            seed,
            columns,
            batches,
            rows,
            streamed,
            codec,
            version: version.saturating_sub(2),
            dictionaries: if streamed { dictionaries } else { dictionaries % 2 },
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn with_what_was_written(options in options()) {
        let (batches, bytes) = sample(options);
        check(&batches, &bytes);
    }

    #[test]
    fn with_what_the_other_reader_reads(options in options()) {
        let (_, bytes) = sample(Options { columns: options.columns.max(1), ..options });
        if let Some(batches) = official(&bytes, options.streamed) {
            check(&batches, &bytes);
        }
    }
}

/// The samples above do contain what they are meant to: dictionaries that grow, in files and streams, and that are
/// replaced.
#[test]
fn samples_have_dictionaries_of_all_kinds() {
    let count = |streamed, dictionaries, delta| {
        let options = Options {
            seed: 0,
            columns: 6,
            batches: 4,
            rows: 20,
            streamed,
            codec: 0,
            version: 0,
            dictionaries,
        };
        let seen = |seed| {
            let (batches, bytes) = sample(Options { seed, ..options });
            let read = check(&batches, &bytes);
            let since =
                |message: &&DictionaryBatch| message.delta == delta && (!streamed || message.since > 0);
            read.container.dictionaries.iter().filter(since).count()
        };
        (0..50).map(seen).sum::<usize>()
    };
    let grown = (count(false, 1, true), count(true, 1, true));
    let replaced = count(true, 2, false);
    assert!(grown.0 > 20 && grown.1 > 20 && replaced > 20, "{grown:?} {replaced}");
}
