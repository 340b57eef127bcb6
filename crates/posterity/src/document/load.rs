//! Release documents in files.

use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{Document, FORMAT};
use crate::kind::table::Table;
use crate::strict_json;
use crate::text_file::{TextFileError, open_file};

/// Why parts do not make a document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The document has a form that this version does not know.
    #[error("it has format {found}, and this version reads format {}; use the version that made it", FORMAT)]
    Format {
        /// The format of the document.
        found: u32,
    },
    /// Its parts contradict each other.
    #[error("its parts do not fit: {reason}")]
    Inconsistent {
        /// What does not fit.
        reason: String,
    },
}

impl DocumentError {
    pub(crate) fn inconsistent(reason: impl ToString) -> Self {
        Self::Inconsistent { reason: reason.to_string() }
    }

    /// It promises more or less than its request does.
    pub(crate) fn other_promise() -> Self {
        Self::inconsistent("it promises more or less than what drew it")
    }
}

/// Why a file is not a release document.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read, or is no regular file.
    #[error(transparent)]
    File(#[from] TextFileError),
    /// The file is not a release document.
    #[error(
        "{path} is no release document: {error}. Such a document is what `posterity release --format json` prints"
    )]
    NotADocument {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: String,
    },
}

impl Document<Table> {
    /// Reads a document from a JSON file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or is not a release document.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let file = open_file(path)?;
        Self::parse(file, &path.display().to_string())
    }

    /// Reads a document in JSON. Errors name it as `name`.
    ///
    /// # Errors
    /// As [`Document::load`].
    pub fn parse(reader: impl Read, name: &str) -> Result<Self, LoadError> {
        parse_document(reader, name)
    }
}

/// Reads a document of any kind. Errors name it as `name`.
pub(crate) fn parse_document<T: DeserializeOwned>(mut reader: impl Read, name: &str) -> Result<T, LoadError> {
    let mut text = String::new();
    let read = match reader.read_to_string(&mut text) {
        Ok(_) => strict_json::read(&text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    read.map_err(|error| LoadError::NotADocument { path: name.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(
            Document::load(folder.path()),
            Err(LoadError::File(TextFileError::NotAFile { .. }))
        ));
        assert!(matches!(
            Document::load(&folder.path().join("none")),
            Err(LoadError::File(TextFileError::Unreadable { .. }))
        ));
        let path = folder.path().join("other.json");
        for text in ["", "{}", "[1, 2]", "{\"readings\": []}", "{\"format\": 2}"] {
            std::fs::write(&path, text).expect("written");
            assert!(matches!(Document::load(&path), Err(LoadError::NotADocument { .. })), "{text}");
        }
    }
}
