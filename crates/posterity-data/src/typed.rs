//! Counting files that declare the types of their columns: Parquet and Arrow.

use std::path::Path;

use crate::arrow::ArrowFile;
#[cfg(feature = "datafusion")]
use crate::ask::Ask;
use crate::ask::refuse_repeated;
use crate::column::{ColumnValues, Field, Flaw};
use crate::error::DataError;
use crate::files::{Files, shown, unreadable};
use crate::format::Format;
use crate::parquet::ParquetFile;
use crate::room::Room;
#[cfg(feature = "datafusion")]
use crate::run::ROOM;
use crate::run::Run;

/// A file of either format.
enum TypedFile {
    Parquet(ParquetFile),
    Arrow(ArrowFile),
}

impl TypedFile {
    fn open(files: &Files, path: &Path, room: &Room) -> Result<Self, DataError> {
        let (file, format) = (files.open(path)?, files.format);
        match format {
            Format::Parquet => ParquetFile::open(file, room).map(Self::Parquet),
            _ => ArrowFile::open(file, room).map(Self::Arrow),
        }
        .map_err(|flaw| named(flaw, path, format))
    }

    fn fields(&self) -> &[Field] {
        match self {
            Self::Parquet(file) => file.fields(),
            Self::Arrow(file) => file.fields(),
        }
    }

    /// How many parts can be read at once: groups of rows, or batches.
    fn parts(&self) -> usize {
        match self {
            Self::Parquet(file) => file.groups(),
            Self::Arrow(file) => file.batches(),
        }
    }

    fn read(
        &self,
        part: usize,
        columns: &[usize],
        room: &Room,
        each: &mut dyn FnMut(&[ColumnValues]) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match self {
            Self::Parquet(file) => file.read(part, columns, room, each),
            Self::Arrow(file) => file.read(part, columns, room, each),
        }
    }
}

/// Why a part was not counted.
enum Stop {
    File(Flaw),
    Data(DataError),
}

impl From<Flaw> for Stop {
    fn from(flaw: Flaw) -> Self {
        Self::File(flaw)
    }
}

/// Counts the records of all files.
pub(crate) fn count_typed(run: &Run<'_>, files: &Files) -> Result<(), DataError> {
    let Some(first) = files.paths.first() else { return Err(DataError::NoRecords) };
    let format = files.format;
    let common = TypedFile::open(files, first, &run.room)?.fields().to_vec();
    run.in_order(files.paths.len(), |number| {
        let path = &files.paths[number];
        let mut file = TypedFile::open(files, path, &run.room)?;
        refuse_duplicates(file.fields())?;
        if described(&common) != described(file.fields()) {
            return Err(DataError::MixedColumns { first: shown(first), second: shown(path) });
        }
        let columns = run.ask.bind(file.fields())?;
        if let TypedFile::Arrow(file) = &mut file {
            file.load(&columns, &run.room).map_err(|flaw| named(flaw, path, format))?;
        }
        run.in_order(file.parts(), |part| {
            let place = (number as u32, part as u32);
            let mut ranks = run.ranks(place);
            let mut each = |piece: &[ColumnValues]| run.add(piece, place, ranks.as_mut()).map_err(Stop::Data);
            file.read(part, &columns, &run.room, &mut each).map_err(|stop| match stop {
                Stop::File(flaw) => named(flaw, path, format),
                Stop::Data(error) => error,
            })
        })
    })
}

/// Checks that all files have the same columns, and that their types allow what is asked of them.
#[cfg(feature = "datafusion")]
pub(crate) fn check_typed(ask: &Ask<'_>, files: &Files) -> Result<(), DataError> {
    let room = Room::new(ROOM);
    let mut common: Option<Vec<Field>> = None;
    for path in &files.paths {
        let file = TypedFile::open(files, path, &room)?;
        refuse_duplicates(file.fields())?;
        ask.bind(file.fields())?;
        match &common {
            None => common = Some(file.fields().to_vec()),
            Some(first) if described(first) == described(file.fields()) => {}
            Some(_) => {
                let first = files.paths.first().map(|path| shown(path)).unwrap_or_default();
                return Err(DataError::MixedColumns { first, second: shown(path) });
            }
        }
    }
    Ok(())
}

/// The error of a flaw in a file.
fn named(flaw: Flaw, path: &Path, format: Format) -> DataError {
    match flaw {
        Flaw::Damaged => DataError::Damaged { format },
        Flaw::Unsupported(what) => DataError::UnsupportedFile { path: shown(path), what },
        Flaw::TooLarge => DataError::LargePiece { path: shown(path) },
        Flaw::NotUtf8 => DataError::NotUtf8,
        Flaw::Io(error) => unreadable(path, &error),
    }
}

/// Refuses two columns of one name.
pub(crate) fn refuse_duplicates(fields: &[Field]) -> Result<(), DataError> {
    refuse_repeated(fields.iter().map(|field| field.name.as_str()))
}

/// The columns, sorted, so that their order in the file does not matter.
fn described(fields: &[Field]) -> Vec<(&str, &str)> {
    let mut columns: Vec<_> =
        fields.iter().map(|field| (field.name.as_str(), field.described.as_str())).collect();
    columns.sort_unstable();
    columns
}
