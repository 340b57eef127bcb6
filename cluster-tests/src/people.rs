//! A table of people for the tests.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use posterity_count::datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use posterity_count::datafusion::parquet::arrow::ArrowWriter;
use posterity_count::datafusion::parquet::errors::ParquetError;
use posterity_count::datafusion::parquet::file::properties::WriterProperties;

/// The values of the column `outcome`.
pub const CATEGORIES: [&str; 3] = ["recovered", "improved", "unchanged"];

/// The rows of one file of the table. The columns are `person`, `Ward.name`, `outcome`, which is sometimes missing, and
/// `age`, which grows from row to row: of a condition on it, whole groups of rows can be left out unread.
#[derive(Clone, Copy, Debug)]
pub struct People {
    /// Number of the file.
    pub file: usize,
    /// How many rows it has.
    pub rows: usize,
}

impl People {
    fn person(self, row: usize) -> String {
        // Some people are in several files.
        format!("person {:07}", (self.file * self.rows * 9 / 10 + row) % 1_000_003)
    }

    fn ward(self, row: usize) -> &'static str {
        ["A", "B, left", "C"][(row / 7 + self.file) % 3]
    }

    fn outcome(self, row: usize) -> Option<&'static str> {
        match (7 * row + row / 13 + self.file) % 11 {
            10 => None,
            rest => Some(CATEGORIES[rest % 3]),
        }
    }

    fn age(self, row: usize) -> i64 {
        (row * 100 / self.rows) as i64
    }

    /// Writes them as Parquet, in groups of 10,000 rows.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_parquet(self, path: &Path) -> Result<(), ParquetError> {
        let rows = 0..self.rows;
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("person", Arc::new(StringArray::from_iter_values(rows.clone().map(|row| self.person(row))))),
            ("Ward.name", Arc::new(StringArray::from_iter_values(rows.clone().map(|row| self.ward(row))))),
            ("outcome", Arc::new(StringArray::from_iter(rows.clone().map(|row| self.outcome(row))))),
            ("age", Arc::new(Int64Array::from_iter_values(rows.map(|row| self.age(row))))),
        ];
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.into_iter().map(|(name, array)| (name, array, true)),
        )?;
        let properties = WriterProperties::builder().set_max_row_group_row_count(Some(10_000)).build();
        let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), Some(properties))?;
        writer.write(&batch)?;
        writer.close().map(|_| ())
    }

    /// Writes them as CSV.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_csv(self, path: &Path, delimiter: char) -> io::Result<()> {
        let mut file = io::BufWriter::new(File::create(path)?);
        let d = delimiter;
        writeln!(file, "person{d}Ward.name{d}outcome{d}age")?;
        for row in 0..self.rows {
            let (person, ward) = (self.person(row), self.ward(row));
            let (outcome, age) = (self.outcome(row).unwrap_or_default(), self.age(row));
            writeln!(file, "{person}{d}\"{ward}\"{d}{outcome}{d}{age}")?;
        }
        file.flush()
    }

    /// Writes a folder of Parquet files, each of this many rows.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn folder(path: &Path, files: usize, rows: usize) -> Result<PathBuf, ParquetError> {
        fs::create_dir_all(path)?;
        for file in 0..files {
            Self { file, rows }.write_parquet(&path.join(format!("part-{file:03}.parquet")))?;
        }
        Ok(path.to_owned())
    }
}
