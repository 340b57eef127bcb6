//! Why a folder of results cannot be written.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why the folder cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The system refuses.
    #[error("{path} cannot be {action}: {error}; check the path, or choose another folder with --out")]
    Refused {
        /// The file or folder.
        path: String,
        /// What was tried.
        action: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// The folder holds something that a study did not write.
    #[error(
        "{folder} holds {name:?}, which no study wrote or someone has changed since; nothing there is overwritten: choose another \
         folder with --out, or move it away"
    )]
    NotOurs {
        /// The folder.
        folder: String,
        /// What it holds.
        name: String,
    },
    /// The path has no name.
    #[error("{path:?} is no name of a folder; choose another with --out")]
    NoName {
        /// The path.
        path: String,
    },
}

impl FolderError {
    /// The system refuses to do something with a file or folder.
    pub(crate) fn refused(path: &Path, action: &'static str, error: io::Error) -> Self {
        Self::Refused { path: path.display().to_string(), action, error }
    }
}
