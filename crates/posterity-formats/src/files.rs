//! The files that a path stands for.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::below::open_below;
use crate::encoding::Encoding;
use crate::format::Format;
use crate::partitions::{Partitions, masked, masked_folder, names_value};
use crate::postgres_server::PostgresServer;
use crate::read_error::ReadError;
use crate::relation::Relation;

/// Different files of one format, in the order of their names; at least one, unless there may be no records.
#[derive(Debug)]
#[non_exhaustive]
pub struct Files {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// The format of all.
    pub format: Format,
    /// Whether all of them are compressed.
    pub gzip: bool,
    /// The byte between the fields of CSV files.
    pub delimiter: u8,
    /// The encoding of text files.
    pub encoding: Encoding,
    /// The table or the view of a database.
    pub(crate) relation: Option<Relation>,
    /// The server that has the table, if this is no file.
    pub(crate) server: Option<PostgresServer>,
    /// The columns that stand in the names of folders.
    pub(crate) partitions: Partitions,
    /// The source as it was given.
    pub(crate) given: String,
    /// Whether this is no file but the standard input.
    pub(crate) standard_input: bool,
    /// The folder that all of them must be below.
    pub(crate) below: Option<PathBuf>,
}

impl Files {
    /// Finds the files of a path, a folder or a glob. A path that exists is not taken for a glob. If there may be no
    /// records, then there may be no files in a folder or under a glob, a file of a format that has nothing but records
    /// may have no bytes, and values in the names of folders that are no text are missing.
    pub(crate) fn find(given: &str, format: Option<Format>, perhaps_empty: bool) -> Result<Self, ReadError> {
        let path = given;
        let shown = |path: &Path| masked(given, path);
        let unreadable =
            |path: &Path, error: &io::Error| ReadError::Unreadable { path: shown(path), kind: error.kind() };
        let is_folder = Path::new(path).is_dir();
        let found = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => in_folder(path, perhaps_empty)?,
            Ok(_) => vec![PathBuf::from(path)],
            Err(error) if error.kind() == io::ErrorKind::NotFound => matching(path, perhaps_empty)?,
            // Windows calls a pattern an invalid name.
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename => matching(path, perhaps_empty)?,
            Err(error) => return Err(unreadable(Path::new(path), &error)),
        };
        let partitions = Partitions::of(given, &found, !perhaps_empty)?;
        let mut paths = Vec::with_capacity(found.len());
        let mut common: Option<(PathBuf, Format, bool)> = None;
        let mut seen = HashMap::with_capacity(found.len());
        for path in found {
            let metadata = fs::metadata(&path).map_err(|error| unreadable(&path, &error))?;
            if !metadata.is_file() {
                return Err(ReadError::NotAFile { path: shown(&path) });
            }
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let (named, gzip) = Format::of_name(&name);
            let no_lines = perhaps_empty && !gzip && format.or(named) == Some(Format::Json);
            if metadata.len() == 0 && !no_lines {
                return Err(ReadError::EmptyFile { path: shown(&path) });
            }
            let Some(this) = format.or(named) else {
                let path = shown(&path);
                return Err(if is_folder {
                    ReadError::StrayFile { path, folder: given.into() }
                } else {
                    ReadError::UnknownFormat { path }
                });
            };
            let gzip = gzip && this.is_text();
            match &common {
                None => common = Some((path.clone(), this, gzip)),
                Some((_, format, zipped)) if (*format, *zipped) == (this, gzip) => {}
                Some((first, ..)) => {
                    return Err(ReadError::MixedFormats { first: shown(first), second: shown(&path) });
                }
            }
            let canonical = fs::canonicalize(&path).map_err(|error| unreadable(&path, &error))?;
            // Its records would count twice, and a release would lose twice the epsilon that it promises.
            if let Some(first) = seen.insert(identity(&metadata, &canonical), path.clone()) {
                return Err(ReadError::SameFile { first: shown(&first), second: shown(&path) });
            }
            paths.push(canonical);
        }
        // Without files no format is looked at.
        let (format, gzip) =
            common.map_or((format.unwrap_or(Format::Csv), false), |(_, format, gzip)| (format, gzip));
        Ok(Self { paths, gzip, partitions, ..Self::of(format, given) })
    }

    /// What comes from the standard input.
    pub(crate) fn standard_input(format: Option<Format>) -> Result<Self, ReadError> {
        match format {
            None => Err(ReadError::InputFormat),
            Some(format) if !format.is_text() => Err(ReadError::InputOrder { format }),
            Some(format) => {
                let paths = vec![PathBuf::from("standard input")];
                Ok(Self { paths, standard_input: true, ..Self::of(format, "standard input") })
            }
        }
    }

    /// What comes from a server.
    pub(crate) fn of_server(server: &PostgresServer) -> Self {
        let given = server.to_string();
        let paths = vec![PathBuf::from(&given)];
        Self { paths, server: Some(server.clone()), ..Self::of(Format::Postgres, &given) }
    }

    /// No files yet.
    fn of(format: Format, given: &str) -> Self {
        Self {
            paths: Vec::new(),
            format,
            gzip: false,
            delimiter: b',',
            encoding: Encoding::default(),
            relation: None,
            server: None,
            partitions: Partitions::default(),
            given: given.to_owned(),
            standard_input: false,
            below: None,
        }
    }

    /// The names of columns that stand in the names of folders.
    #[must_use]
    pub fn folder_columns(&self) -> &[String] {
        &self.partitions.keys
    }

    /// How one of the files appears in a message: without values that stand in the names of its folders.
    pub(crate) fn shown(&self, path: &Path) -> String {
        masked(&self.given, path)
    }

    /// Opens one of the files to read it from its start to its end.
    pub(crate) fn open_stream(&self, path: &Path) -> Result<Box<dyn Read + Send>, ReadError> {
        if self.standard_input {
            return Ok(Box::new(io::stdin()));
        }
        Ok(Box::new(self.open(path)?))
    }

    /// Opens one of the files.
    pub(crate) fn open(&self, path: &Path) -> Result<File, ReadError> {
        let unreadable = |error: io::Error| self.unreadable(path, &error);
        let Some(folder) = &self.below else {
            return File::open(path).map_err(unreadable);
        };
        let opened = open_below(folder, path).map_err(unreadable)?;
        opened.ok_or_else(|| ReadError::Elsewhere { path: self.shown(path) })
    }

    /// The system refuses one of the files.
    pub(crate) fn unreadable(&self, path: &Path, error: &io::Error) -> ReadError {
        ReadError::Unreadable { path: self.shown(path), kind: error.kind() }
    }
}

/// How a path appears in a message.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The system refuses a file.
pub fn unreadable(path: &Path, error: &io::Error) -> ReadError {
    ReadError::Unreadable { path: shown(path), kind: error.kind() }
}

/// Identifies a file, whatever links lead to it.
#[cfg(unix)]
fn identity(metadata: &fs::Metadata, _canonical: &Path) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Identifies a file, whatever symbolic links lead to it. Hard links are not recognised here.
#[cfg(not(unix))]
fn identity(_metadata: &fs::Metadata, canonical: &Path) -> PathBuf {
    canonical.to_owned()
}

/// How many folders may stand within each other.
const MAX_DEPTH: usize = 16;

/// The files of a folder, without hidden ones: `.name` and `_name`. Folders within it hold files if their names hold a
/// value.
fn in_folder(folder: &str, perhaps_empty: bool) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = Vec::new();
    add_folder(folder, Path::new(folder), 0, &mut files)?;
    if files.is_empty() && !perhaps_empty {
        return Err(ReadError::NoFiles { path: folder.into() });
    }
    files.sort();
    Ok(files)
}

fn add_folder(given: &str, folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), ReadError> {
    let unreadable =
        |error: io::Error| ReadError::Unreadable { path: masked_folder(given, folder), kind: error.kind() };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(['.', '_']) {
            continue;
        }
        match (path.is_dir(), path.file_name().is_some_and(names_value)) {
            (false, _) => files.push(path),
            (true, true) if depth < MAX_DEPTH => add_folder(given, &path, depth + 1, files)?,
            (true, true) => return Err(ReadError::Partitions { path: given.into() }),
            (true, false) => return Err(ReadError::Subfolder { path: masked_folder(given, folder), name }),
        }
    }
    Ok(())
}

fn matching(pattern: &str, perhaps_empty: bool) -> Result<Vec<PathBuf>, ReadError> {
    let paths = glob::glob(pattern).map_err(|_| ReadError::Pattern { path: pattern.into() })?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| unreadable(error.path(), error.error()))?;
        if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() && !(perhaps_empty && may_match(pattern)) {
        return Err(ReadError::NotFound { path: pattern.into() });
    }
    files.sort();
    Ok(files)
}

/// Whether files could match a pattern: it is one, and the folder before its first sign exists.
fn may_match(pattern: &str) -> bool {
    let sign = pattern.find(['*', '?', '[']);
    let folder =
        sign.map(|sign| pattern[..sign].rfind(std::path::is_separator).map_or(".", |end| &pattern[..=end]));
    folder.is_some_and(|folder| Path::new(folder).is_dir())
}
