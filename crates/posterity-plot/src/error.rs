//! Why a picture cannot be made.

/// Why a picture cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The drawing itself failed.
    #[error("{file} cannot be drawn: {why}")]
    Drawing {
        /// The file that was to be written.
        file: String,
        /// What went wrong.
        why: String,
    },
    /// The file cannot be written.
    #[error("{file} cannot be written: {source}; choose a folder that exists and may be written to")]
    Writing {
        /// The file that was to be written.
        file: String,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The noise-aware posterior of a release cannot be computed.
    #[error("the posterior of the release cannot be computed: {why}")]
    Posterior {
        /// What went wrong.
        why: String,
    },
}
