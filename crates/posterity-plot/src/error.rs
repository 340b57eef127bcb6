//! Why a picture cannot be made.

use posterity::new_file::NewFileError;

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
    /// The file exists, and nobody said that it may be overwritten.
    #[error(transparent)]
    Exists(NewFileError),
    /// The noise-aware posterior of a release cannot be computed.
    #[error("the posterior of the release cannot be computed: {why}")]
    Posterior {
        /// What went wrong.
        why: String,
    },
    /// There is nothing to draw.
    #[error("{reading}: the reading has no rows, so there is nothing to draw")]
    NoRows {
        /// The reading.
        reading: String,
    },
    /// A table is too wide for this kind of picture.
    #[error(
        "{reading}: {columns} columns are too many for a {kind} picture, which holds at most {most}; draw it as forest, or read \
         fewer values at once"
    )]
    TooManyColumns {
        /// The kind of picture.
        kind: &'static str,
        /// The reading.
        reading: String,
        /// How many columns there would be.
        columns: usize,
        /// How many there may be.
        most: usize,
    },
    /// A mosaic divides a whole into shares, and means and counts are not shares.
    #[error("{reading}: a mosaic shows shares, and this is a mean or a count; draw it as forest or heat")]
    MosaicOfMeans {
        /// The reading.
        reading: String,
    },
}

impl From<NewFileError> for PlotError {
    fn from(error: NewFileError) -> Self {
        match error {
            NewFileError::Unwritable { path, error } => Self::Writing { file: path, source: error },
            exists => Self::Exists(exists),
        }
    }
}
