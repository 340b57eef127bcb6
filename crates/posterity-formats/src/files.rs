//! The files that a path stands for.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::below::open_below;

use crate::format::Format;
use crate::read_error::ReadError;

/// Different files of one format, in the order of their names; at least one.
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
    /// The folder that all of them must be below.
    pub(crate) below: Option<PathBuf>,
}

impl Files {
    /// Finds the files of a path, a folder or a glob. A path that exists is not taken for a glob. A file of no bytes is
    /// refused, unless it may have no records and its format has nothing else.
    pub(crate) fn find(path: &str, format: Option<Format>, perhaps_empty: bool) -> Result<Self, ReadError> {
        let found = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => in_folder(path)?,
            Ok(_) => vec![PathBuf::from(path)],
            Err(error) if error.kind() == io::ErrorKind::NotFound => matching(path)?,
            // Windows calls a pattern an invalid name.
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename => matching(path)?,
            Err(error) => return Err(unreadable(Path::new(path), &error)),
        };
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
                return Err(ReadError::UnknownFormat { path: shown(&path) });
            };
            let gzip = gzip && matches!(this, Format::Csv | Format::Json);
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
        match common {
            Some((_, format, gzip)) => Ok(Self { paths, format, gzip, delimiter: b',', below: None }),
            None => Err(ReadError::NotFound { path: path.into() }),
        }
    }

    /// Opens one of the files.
    pub(crate) fn open(&self, path: &Path) -> Result<File, ReadError> {
        let Some(folder) = &self.below else {
            return File::open(path).map_err(|error| unreadable(path, &error));
        };
        let opened = open_below(folder, path).map_err(|error| unreadable(path, &error))?;
        opened.ok_or_else(|| ReadError::Elsewhere { path: shown(path) })
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

/// The files of a folder, without hidden ones: `.name` and `_name`.
fn in_folder(folder: &str) -> Result<Vec<PathBuf>, ReadError> {
    let path = Path::new(folder);
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| unreadable(path, &error))? {
        let entry = entry.map_err(|error| unreadable(path, &error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(['.', '_']) {
            continue;
        }
        if entry.path().is_dir() {
            return Err(ReadError::Subfolder { path: folder.into(), name });
        }
        files.push(entry.path());
    }
    if files.is_empty() {
        return Err(ReadError::NoFiles { path: folder.into() });
    }
    files.sort();
    Ok(files)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, ReadError> {
    let paths = glob::glob(pattern).map_err(|_| ReadError::Pattern { path: pattern.into() })?;
    let mut files = Vec::new();
    for path in paths {
        let path = path.map_err(|error| unreadable(error.path(), error.error()))?;
        if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(ReadError::NotFound { path: pattern.into() });
    }
    files.sort();
    Ok(files)
}
