//! Why an experiment cannot be read, run or written.

/// Why an experiment cannot be read, run or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The file is not a definition of an experiment; `why` names the line, the key and the remedy.
    #[error("{file}: {why}")]
    Definition {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no such experiment.
    #[error("there is no experiment {name:?}; choose from: {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names of all experiments.
        known: String,
    },
    /// The computation failed.
    #[error("experiment {name}: {why}")]
    Failed {
        /// The experiment.
        name: String,
        /// What went wrong.
        why: String,
    },
    /// The threads cannot be started.
    #[error("{threads} threads cannot be started: {why}; choose fewer")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// What went wrong.
        why: String,
    },
    /// A picture could not be made.
    #[error(transparent)]
    Plot(#[from] posterity_plot::PlotError),
    /// A definition could not be read.
    #[error(transparent)]
    Text(#[from] posterity::text_file::TextFileError),
    /// A file could not be written, or a folder not be read.
    #[error("{file} cannot be {action}: {source}; choose a file or folder that exists and may be used")]
    File {
        /// The file or folder.
        file: String,
        /// Read or written.
        action: &'static str,
        /// What the operating system says.
        source: std::io::Error,
    },
}
