//! Where the records are.

use serde::Serialize;

use crate::error::DataError;

/// Files of one format, or a table that the session already knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub(crate) location: Location,
    pub(crate) format: Option<Format>,
    pub(crate) delimiter: Option<char>,
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

/// How files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Comma-separated values with a header; `.csv`, `.csv.gz`.
    Csv,
    /// One JSON object per line; `.json`, `.jsonl`, `.ndjson`, each also with `.gz`.
    Json,
    /// Apache Parquet; `.parquet`.
    Parquet,
    /// The Arrow interchange format; `.arrow`, `.feather`.
    Arrow,
}

impl Source {
    /// A file, a folder of files, or a glob such as `people-*.csv`.
    #[must_use]
    pub fn files(path: impl Into<String>) -> Self {
        Self { location: Location::Files(path.into()), format: None, delimiter: None }
    }

    /// A table registered in the session given to [`count_with`](crate::count_with).
    #[cfg(feature = "datafusion")]
    #[must_use]
    pub fn table(name: impl Into<String>) -> Self {
        Self { location: Location::Table(name.into()), format: None, delimiter: None }
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

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Json, Self::Parquet, Self::Arrow];

    /// The format that a file name announces, and whether it announces gzip.
    pub(crate) fn of_name(name: &str) -> (Option<Self>, bool) {
        let name = name.to_ascii_lowercase();
        let (stem, gzip) = match name.strip_suffix(".gz") {
            Some(stem) => (stem, true),
            None => (name.as_str(), false),
        };
        let format = match stem.rsplit_once('.').map(|(_, extension)| extension) {
            Some("csv") => Some(Self::Csv),
            Some("json" | "jsonl" | "ndjson") => Some(Self::Json),
            Some("parquet") if !gzip => Some(Self::Parquet),
            Some("arrow" | "feather") if !gzip => Some(Self::Arrow),
            _ => None,
        };
        (format, gzip)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        })
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|format| format.to_string() == name)
            .ok_or_else(|| format!("there is no format {name:?}; choose csv, json, parquet or arrow"))
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

    #[test]
    fn the_name_tells_the_format() {
        let table = [
            ("people.csv", (Some(Format::Csv), false)),
            ("PEOPLE.CSV.GZ", (Some(Format::Csv), true)),
            ("a.b.jsonl", (Some(Format::Json), false)),
            ("a.ndjson.gz", (Some(Format::Json), true)),
            ("a.json", (Some(Format::Json), false)),
            ("a.parquet", (Some(Format::Parquet), false)),
            ("a.parquet.gz", (None, true)),
            ("a.feather", (Some(Format::Arrow), false)),
            ("a.arrow", (Some(Format::Arrow), false)),
            ("csv", (None, false)),
            ("a.txt", (None, false)),
        ];
        for (name, expected) in table {
            assert_eq!(Format::of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn formats_are_read_as_they_are_written() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("xlsx".parse::<Format>().is_err());
    }
}
