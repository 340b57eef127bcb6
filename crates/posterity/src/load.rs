//! Release documents in files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use thiserror::Error;

use crate::document::Document;

/// Why a file is not a release document.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The system cannot read the file.
    #[error("{path} cannot be read: {error}; check the path")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is no release document.
    #[error(
        "{path} is no release document: {error}. Such a document is what `posterity release --format json` prints"
    )]
    NotADocument {
        /// The file.
        path: String,
        /// What is wrong with it.
        error: String,
    },
    /// The document has a form that this version does not know.
    #[error(
        "{path} has format {found}, and this version reads formats up to {}; use a newer version",
        Document::FORMAT
    )]
    Newer {
        /// The file.
        path: String,
        /// The format of the document.
        found: u32,
    },
}

impl Document {
    /// Reads a document from a JSON file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read or is no release document.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let shown = path.display().to_string();
        let unreadable = |error| LoadError::Unreadable { path: shown.clone(), error };
        let file = File::open(path).map_err(unreadable)?;
        if !file.metadata().map_err(unreadable)?.is_file() {
            let error = "it is no regular file".to_owned();
            return Err(LoadError::NotADocument { path: shown, error });
        }
        Self::parse(BufReader::with_capacity(1 << 20, file), &shown)
    }

    /// Reads a document in JSON. Errors name it as `name`.
    ///
    /// # Errors
    /// As [`Document::load`].
    pub fn parse(reader: impl std::io::Read, name: &str) -> Result<Self, LoadError> {
        let document: Self = serde_json::from_reader(reader)
            .map_err(|error| LoadError::NotADocument { path: name.to_owned(), error: error.to_string() })?;
        if document.format > Self::FORMAT {
            return Err(LoadError::Newer { path: name.to_owned(), found: document.format });
        }
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(matches!(Document::load(folder.path()), Err(LoadError::NotADocument { .. })));
        assert!(matches!(Document::load(&folder.path().join("none")), Err(LoadError::Unreadable { .. })));
        let path = folder.path().join("other.json");
        for text in ["", "{}", "[1, 2]", "{\"readings\": []}"] {
            std::fs::write(&path, text).expect("written");
            assert!(matches!(Document::load(&path), Err(LoadError::NotADocument { .. })), "{text}");
        }
    }
}
