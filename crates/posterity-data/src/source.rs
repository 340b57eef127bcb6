//! The source: where the records are.

use std::path::PathBuf;

use crate::error::DataError;
use crate::format::Format;

/// Files of one format, or a table that the session already knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub(crate) location: Location,
    pub(crate) format: Option<Format>,
    pub(crate) delimiter: Option<char>,
    pub(crate) below: Option<PathBuf>,
}

/// The two kinds of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// A file, a folder or a glob.
    Files(String),
    /// A table registered in the session.
    #[cfg(feature = "datafusion")]
    Table(String),
}

impl Source {
    /// A file, a folder of files, or a glob such as `people-*.csv`.
    #[must_use]
    pub fn files(path: impl Into<String>) -> Self {
        Self { location: Location::Files(path.into()), format: None, delimiter: None, below: None }
    }

    /// A table registered in the session given to [`count_with`](crate::count_with).
    #[cfg(feature = "datafusion")]
    #[must_use]
    pub fn table(name: impl Into<String>) -> Self {
        Self { location: Location::Table(name.into()), format: None, delimiter: None, below: None }
    }

    /// The same place named from the root, so that it means the same in every folder. No file is looked at, and links are
    /// not followed.
    #[must_use]
    pub fn absolute(mut self) -> Self {
        match &mut self.location {
            Location::Files(path) => {
                if let Ok(whole) = std::path::absolute(&*path)
                    && let Some(text) = whole.to_str()
                {
                    *path = text.to_owned();
                }
            }
            #[cfg(feature = "datafusion")]
            Location::Table(_) => {}
        }
        self
    }

    /// Reads the files as this format, whatever their names.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Separates the fields of a CSV file by this character instead of a comma.
    #[must_use]
    pub fn with_delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Reads only files that are below this folder once all links are resolved; see [`open_below`](crate::open_below). It is no
    /// part of what the source means.
    #[must_use]
    pub fn below(mut self, folder: impl Into<PathBuf>) -> Self {
        self.below = Some(folder.into());
        self
    }
}

impl Source {
    /// The byte between fields.
    pub(crate) fn delimiter(&self) -> Result<u8, DataError> {
        let delimiter = self.delimiter.unwrap_or(',');
        match u8::try_from(delimiter) {
            Ok(byte) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => Ok(byte),
            _ => Err(DataError::Delimiter { delimiter }),
        }
    }
}

/// The path or the name as it was given.
impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.location {
            Location::Files(path) => f.write_str(path),
            #[cfg(feature = "datafusion")]
            Location::Table(table) => f.write_str(table),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_places_become_absolute() {
        let here = std::env::current_dir().expect("a folder");
        let path = |source: Source| match source.location {
            Location::Files(path) => path,
            #[cfg(feature = "datafusion")]
            Location::Table(path) => path,
        };
        assert_eq!(path(Source::files("a/*.csv").absolute()), here.join("a/*.csv").to_str().expect("UTF-8"));
        assert_eq!(path(Source::files("./a.csv").absolute()), path(Source::files("a.csv").absolute()));
        #[cfg(feature = "datafusion")]
        assert_eq!(path(Source::table("a").absolute()), "a");
    }
}
