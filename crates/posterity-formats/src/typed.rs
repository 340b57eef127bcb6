//! Reading files that declare the types of their columns: Parquet and Arrow.

use std::path::Path;

use crate::arrow::ArrowFile;
use crate::column::{ColumnValues, Field, ValueKind};
use crate::files::Files;
use crate::flaw::Flaw;
use crate::format::Format;
use crate::in_order::in_order;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};
use crate::read_error::ReadError;
use crate::repeated::refuse_repeated;
use crate::visitor::{Visitor, Wanted};

/// A file of either format.
enum TypedFile {
    Parquet(ParquetFile),
    Arrow(ArrowFile),
}

impl TypedFile {
    fn open(files: &Files, path: &Path, memory: &MemoryLimit) -> Result<Self, ReadError> {
        let (file, format) = (files.open(path)?, files.format);
        match format {
            Format::Parquet => ParquetFile::open(file, memory).map(Self::Parquet),
            _ => ArrowFile::open(file, memory).map(Self::Arrow),
        }
        .map_err(|flaw| named(flaw, files, path))
    }

    /// Makes columns ready to be read. Refuses those that are not read, whatever rows there are. Where the file says that
    /// bytes are text, they are read as bytes if they are not, unless this is strict.
    fn prepare(&mut self, columns: &[usize], strict: bool, memory: &MemoryLimit) -> Result<(), Flaw> {
        match self {
            Self::Parquet(file) => file.prepare(columns, strict),
            Self::Arrow(file) => file.prepare(columns, strict, memory),
        }
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

    fn read<E>(
        &self,
        part: usize,
        columns: &[usize],
        memory: &MemoryLimit,
        spares: &Spares,
        each: &mut Each<'_, E>,
    ) -> Result<(), Stop<E>> {
        match self {
            Self::Parquet(file) => file.read(part, columns, memory, spares, each),
            Self::Arrow(file) => file.read(part, columns, memory, each),
        }
    }
}

/// What takes the pieces of a part.
type Each<'a, E> = dyn FnMut(&[ColumnValues]) -> Result<(), Stop<E>> + 'a;

/// Why the reading of a part ended early.
enum Stop<E> {
    /// The file is at fault.
    File(Flaw),
    /// The visitor ended it.
    Visitor(E),
}

impl<E> From<Flaw> for Stop<E> {
    fn from(flaw: Flaw) -> Self {
        Self::File(flaw)
    }
}

/// Hands over the records of all files.
pub(crate) fn read_typed<V: Visitor>(files: &Files, visitor: &V) -> Result<(), V::Error> {
    let (memory, spares) = (MemoryLimit::default(), Spares::default());
    let Some(first) = files.paths.first() else { return Ok(()) };
    let common = TypedFile::open(files, first, &memory)?.fields().to_vec();
    in_order(files.paths.len(), |number| {
        let path = &files.paths[number];
        let mut file = TypedFile::open(files, path, &memory)?;
        refuse_duplicates(file.fields())?;
        if described(&common) != described(file.fields()) {
            return Err(
                ReadError::MixedColumns { first: files.shown(first), second: files.shown(path) }.into()
            );
        }
        let columns = visitor.wanted().bind(file.fields())?;
        let strict = visitor.wanted().strict();
        file.prepare(&columns, strict, &memory).map_err(|flaw| named(flaw, files, path))?;
        in_order(file.parts(), |part| {
            let mut place = visitor.part(number as u32, part as u32);
            let mut each = |piece: &[ColumnValues]| visitor.piece(&mut place, piece).map_err(Stop::Visitor);
            file.read(part, &columns, &memory, &spares, &mut each).map_err(|stop| match stop {
                Stop::File(flaw) => named(flaw, files, path).into(),
                Stop::Visitor(error) => error,
            })
        })
    })
}

/// The columns of Parquet or Arrow files, which must be the same in all, and those that stand in the names of folders.
///
/// # Errors
/// [`ReadError`] if a file cannot be read, has a column twice, or has other columns than the first.
pub fn common_fields(files: &Files) -> Result<Vec<Field>, ReadError> {
    let memory = MemoryLimit::default();
    let mut common: Option<Vec<Field>> = None;
    for path in &files.paths {
        let file = TypedFile::open(files, path, &memory)?;
        refuse_duplicates(file.fields())?;
        match &mut common {
            None => common = Some(file.fields().to_vec()),
            Some(first) if described(first) == described(file.fields()) => widen(first, file.fields()),
            Some(_) => {
                let first = files.paths.first().map(|path| files.shown(path)).unwrap_or_default();
                return Err(ReadError::MixedColumns { first, second: files.shown(path) });
            }
        }
    }
    Ok(common.into_iter().flatten().chain(files.partitions.fields()).collect())
}

/// The type, in words, of a column whose whole numbers have other widths in other files.
pub const SEVERAL_WIDTHS: &str = "integers of several widths";

/// Notes which columns have another width in another file.
fn widen(common: &mut [Field], other: &[Field]) {
    for field in common {
        let same = |one: &Field| one.name != field.name || one.described == field.described;
        if !other.iter().all(same) {
            field.described = SEVERAL_WIDTHS.to_owned();
        }
    }
}

/// The error of a flaw in a file.
fn named(flaw: Flaw, files: &Files, path: &Path) -> ReadError {
    match flaw {
        Flaw::Damaged => ReadError::Damaged { format: files.format },
        Flaw::Unsupported(what) => ReadError::UnsupportedFile { path: files.shown(path), what },
        Flaw::TooLarge => ReadError::LargePiece { path: files.shown(path) },
        Flaw::NotUtf8 => ReadError::NotUtf8,
        Flaw::Io(error) => files.unreadable(path, &error),
    }
}

/// Refuses two columns of one name.
///
/// # Errors
/// [`ReadError::DuplicateColumn`].
pub fn refuse_duplicates(fields: &[Field]) -> Result<(), ReadError> {
    refuse_repeated(fields.iter().map(|field| field.name.as_str()))
}

/// The type of a column in words, that of all whole numbers in the same ones.
fn width_aside(field: &Field) -> &str {
    if field.kind == ValueKind::Integer { "Integer" } else { &field.described }
}

/// The columns, sorted, so that their order in the file does not matter. Whole numbers of every width mean the same.
fn described(fields: &[Field]) -> Vec<(&str, &str)> {
    let mut columns: Vec<_> = fields.iter().map(|field| (field.name.as_str(), width_aside(field))).collect();
    columns.sort_unstable();
    columns
}
