//! Release documents in files.

use std::io::Read;

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::strict_json;
use crate::text_file::TextFileError;

/// Why parts do not make a document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The document has a form that this version does not know.
    #[error(
        "it has format {found}, and posterity {} reads format {known}; use the version that made it",
        env!("CARGO_PKG_VERSION")
    )]
    Format {
        /// The format of the document.
        found: u32,
        /// The format that is read.
        known: u32,
    },
    /// Its parts contradict each other.
    #[error("its parts do not fit: {reason}")]
    Inconsistent {
        /// What does not fit.
        reason: String,
    },
}

/// Refuses a form that this version does not know.
pub(super) fn check_format(found: u32, known: u32) -> Result<(), DocumentError> {
    if found == known { Ok(()) } else { Err(DocumentError::Format { found, known }) }
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

/// Reads a document of any kind. Errors name it as `name`.
pub(crate) fn parse_document<T: DeserializeOwned>(mut reader: impl Read, name: &str) -> Result<T, LoadError> {
    let mut text = String::new();
    let read = match reader.read_to_string(&mut text) {
        Ok(_) => strict_json::read(&text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    read.map_err(|error| LoadError::NotADocument { path: name.to_owned(), error })
}
