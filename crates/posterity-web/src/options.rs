//! What the server is started with.

use std::path::PathBuf;

/// What the server is started with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder whose files can be released. Without it there is no release.
    pub data: Option<PathBuf>,
    /// The ledger that releases are charged to. Without it nothing is charged.
    pub ledger: Option<PathBuf>,
    /// The file of the key that signs what is charged.
    pub sign: Option<PathBuf>,
    /// The port; 0 for any that is free.
    pub port: u16,
}
