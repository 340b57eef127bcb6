//! Small files in a temporary folder.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use posterity_core::sampler::SeededBits;
use posterity_count::{Column, Counted, DataError, Encoding, Question, Relation, Resources, Source, count};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params_from_iter};
use tempfile::TempDir;

/// A folder of its own.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path as it is given to a source.
    pub(crate) fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, bytes).expect("written");
        self.text(name)
    }

    pub(crate) fn gzip(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes.as_ref()).expect("compressed");
        self.write(name, encoder.finish().expect("compressed"))
    }

    /// Text in UTF-16, with a byte order mark.
    pub(crate) fn utf16(&self, name: &str, text: &str) -> String {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        self.write(name, units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
    }

    /// A SQLite file with a table `t`, whose columns have no type, so that every value is stored as it is.
    pub(crate) fn sqlite(&self, name: &str, columns: &[&str], rows: &[Vec<Cell>]) -> String {
        let path = self.write(name, "");
        let mut database = Connection::open(&path).expect("a database");
        let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
        database.execute_batch("PRAGMA synchronous = OFF").expect("set");
        database.execute(&format!("CREATE TABLE t ({})", quoted.join(",")), []).expect("a table");
        let marks = vec!["?"; columns.len()].join(",");
        let transaction = database.transaction().expect("begun");
        for row in rows {
            let values = params_from_iter(row.iter());
            transaction.execute(&format!("INSERT INTO t VALUES ({marks})"), values).expect("written");
        }
        transaction.commit().expect("committed");
        path
    }

    pub(crate) fn parquet(&self, name: &str, batch: &RecordBatch) -> String {
        let mut bytes = Vec::new();
        let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("a writer");
        writer.write(batch).expect("written");
        writer.close().expect("closed");
        self.write(name, bytes)
    }

    pub(crate) fn arrow(&self, name: &str, batch: &RecordBatch) -> String {
        let mut bytes = Vec::new();
        let mut writer = FileWriter::try_new(&mut bytes, &batch.schema()).expect("a writer");
        writer.write(batch).expect("written");
        writer.finish().expect("finished");
        drop(writer);
        self.write(name, bytes)
    }
}

/// A batch of nullable columns.
pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("equal lengths")
}

pub(crate) fn strings(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

pub(crate) fn cast(array: &ArrayRef, kind: &DataType) -> ArrayRef {
    arrow_cast::cast(array, kind).expect("a cast")
}

/// One column, two or more values.
pub(crate) fn about(column: &str, values: &[&str]) -> Question {
    Question::new(vec![Column::new(column, values.iter().copied())])
}

/// A progress function that never stops the count.
pub(crate) fn go_on(_rows: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// One thread, for small files.
pub(crate) fn alone() -> Resources {
    Resources { threads: NonZeroUsize::MIN, ..Resources::default() }
}

/// The answer, which is the same on any number of threads.
pub(crate) fn answer(source: &Source, question: &Question) -> Result<Counted, DataError> {
    let ask = |threads| {
        let resources = Resources { threads, ..Resources::default() };
        count(source, question, &mut SeededBits::new(1), &resources, &go_on)
    };
    let counted = ask(NonZeroUsize::MIN);
    assert_eq!(counted, ask(NonZeroUsize::MIN.saturating_add(2)));
    counted
}

/// The files under a path, with what their names say of how to read them; or a table behind the address of a server.
pub(crate) fn source(path: &str) -> Source {
    if let Some((address, table)) = path.split_once('|') {
        let server = address.parse().expect("an address");
        return Source::postgres(server).with_relation(Relation::Table(table.into()));
    }
    let source = Source::files(path);
    if path.ends_with(".sqlite") {
        return source.with_relation(Relation::Table("t".into()));
    }
    if path.contains(".utf16.") { source.with_encoding(Encoding::Utf16) } else { source }
}

/// The counts of the files under this path.
pub(crate) fn counts(path: &str, question: &Question) -> Result<Vec<u64>, DataError> {
    answer(&source(path), question).map(|counted| counted.counts.as_slice().to_vec())
}
