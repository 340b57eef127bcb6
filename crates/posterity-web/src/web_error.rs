//! Why the server does not start, or ends.

use thiserror::Error;

use crate::folder::FolderError;

/// Why the server does not start, or ends.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WebError {
    /// The port cannot be used.
    #[error(
        "port {port} of this machine cannot be used: {source}; choose another with --port, or leave it out"
    )]
    Port {
        /// The port.
        port: u16,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder cannot be used.
    #[error("--data: {0}")]
    Folder(#[from] FolderError),
    /// The key cannot be used.
    #[error("--sign: {0}")]
    Key(String),
    /// The system has no random bits.
    #[error("the system's random source failed ({0}); try again")]
    Random(getrandom::Error),
    /// The system refuses a thread or a socket.
    #[error("the server stopped: {0}")]
    System(#[from] std::io::Error),
}
