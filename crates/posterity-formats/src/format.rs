//! The formats of files.

use serde::Serialize;

/// How files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Comma-separated values with a header; `.csv`, `.csv.gz`.
    Csv,
    /// CSV separated by tabs; `.tsv`, `.tsv.gz`.
    Tsv,
    /// One JSON object per line, or an array of objects; `.json`, `.jsonl`, `.ndjson`, each also with `.gz`.
    Json,
    /// Apache Parquet; `.parquet`.
    Parquet,
    /// The Arrow interchange format; `.arrow`, `.feather`.
    Arrow,
    /// A table of a SQLite file; `.sqlite`, `.sqlite3`.
    Sqlite,
    /// A table of a PostgreSQL server. No file has this format.
    Postgres,
}

impl Format {
    /// All formats of files.
    pub const ALL: [Self; 6] = [Self::Csv, Self::Tsv, Self::Json, Self::Parquet, Self::Arrow, Self::Sqlite];

    /// The format that a file name announces, and whether it announces gzip.
    #[must_use]
    pub fn of_name(name: &str) -> (Option<Self>, bool) {
        let name = name.to_ascii_lowercase();
        let (stem, gzip) = match name.strip_suffix(".gz") {
            Some(stem) => (stem, true),
            None => (name.as_str(), false),
        };
        let format = match stem.rsplit_once('.').map(|(_, extension)| extension) {
            Some("csv") => Some(Self::Csv),
            Some("tsv") => Some(Self::Tsv),
            Some("json" | "jsonl" | "ndjson") => Some(Self::Json),
            Some("parquet") if !gzip => Some(Self::Parquet),
            Some("arrow" | "feather") if !gzip => Some(Self::Arrow),
            Some("sqlite" | "sqlite3") if !gzip => Some(Self::Sqlite),
            _ => None,
        };
        (format, gzip)
    }

    /// Whether records are lines of fields behind a header.
    #[must_use]
    pub fn has_fields(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Whether a source holds tables, of which one is named.
    #[must_use]
    pub fn has_tables(self) -> bool {
        matches!(self, Self::Sqlite | Self::Postgres)
    }

    /// Whether files are text.
    #[must_use]
    pub fn is_text(self) -> bool {
        self.has_fields() || self == Self::Json
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Json => "json",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        })
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.to_string() == name).ok_or_else(|| {
            format!("there is no format {name:?}; choose csv, tsv, json, parquet, arrow or sqlite")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        let table = [
            ("people.csv", (Some(Format::Csv), false)),
            ("PEOPLE.CSV.GZ", (Some(Format::Csv), true)),
            ("a.tsv", (Some(Format::Tsv), false)),
            ("a.tsv.gz", (Some(Format::Tsv), true)),
            ("a.b.jsonl", (Some(Format::Json), false)),
            ("a.ndjson.gz", (Some(Format::Json), true)),
            ("a.json", (Some(Format::Json), false)),
            ("a.parquet", (Some(Format::Parquet), false)),
            ("a.parquet.gz", (None, true)),
            ("a.feather", (Some(Format::Arrow), false)),
            ("a.arrow", (Some(Format::Arrow), false)),
            ("a.sqlite3", (Some(Format::Sqlite), false)),
            ("a.sqlite.gz", (None, true)),
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
