//! The source: where the records are.

use std::path::{Path, PathBuf};

use crate::encoding::Encoding;
use crate::files::Files;
use crate::format::Format;
use crate::postgres_server::PostgresServer;
use crate::read_error::ReadError;
use crate::relation::Relation;

/// Files of one format, a table of a server, or one that the session already knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    location: Location,
    format: Option<Format>,
    delimiter: Option<char>,
    encoding: Option<Encoding>,
    relation: Option<Relation>,
    below: Option<PathBuf>,
}

/// The kinds of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A file, a folder or a glob.
    Files(String),
    /// A table registered in the session.
    Table(String),
    /// The standard input, and the name that its owner gave to what comes from there.
    StandardInput {
        /// The name, if there is one.
        name: Option<String>,
    },
    /// A database of a PostgreSQL server.
    Postgres(PostgresServer),
}

impl Source {
    /// A file, a folder of files, or a glob such as `people-*.csv`.
    #[must_use]
    pub fn files(path: impl Into<String>) -> Self {
        Self::at(Location::Files(path.into()))
    }

    /// A table that the session of a query engine knows by this name. Only a count by that session reads it.
    #[must_use]
    pub fn table(name: impl Into<String>) -> Self {
        Self::at(Location::Table(name.into()))
    }

    /// The standard input, which can be read once. Its owner may give a name to these records and to no others, by which
    /// they are known again.
    #[must_use]
    pub fn standard_input(name: Option<String>) -> Self {
        Self::at(Location::StandardInput { name })
    }

    /// A database of a PostgreSQL server, of which [`Source::with_relation`] names the table. Only a program that was
    /// built with the feature `postgres` can read it.
    #[must_use]
    pub fn postgres(server: PostgresServer) -> Self {
        Self::at(Location::Postgres(server))
    }

    fn at(location: Location) -> Self {
        Self { location, format: None, delimiter: None, encoding: None, relation: None, below: None }
    }

    /// The same place named from the root, so that it means the same in every folder. No file is looked at, and links
    /// are not followed.
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
            Location::Table(_) | Location::StandardInput { .. } | Location::Postgres(_) => {}
        }
        self
    }

    /// Reads the files as this format, whatever their names.
    #[must_use]
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Separates the fields of a CSV file by this character instead of a comma, or those of a TSV file instead of a tab.
    #[must_use]
    pub fn with_delimiter(mut self, delimiter: char) -> Self {
        self.delimiter = Some(delimiter);
        self
    }

    /// Reads the text of CSV, TSV and JSON files in this encoding instead of UTF-8.
    #[must_use]
    pub fn with_encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Reads this table or view of a database. One of PostgreSQL has a schema, which is `public` if none is named.
    #[must_use]
    pub fn with_relation(mut self, relation: Relation) -> Self {
        let has_schema = matches!(self.location, Location::Postgres(_));
        self.relation = Some(if has_schema { relation.with_schema() } else { relation });
        self
    }

    /// Reads only files that are below this folder once all links are resolved; see [`open_below`](crate::open_below).
    /// It is no part of what the source means.
    #[must_use]
    pub fn below(mut self, folder: impl Into<PathBuf>) -> Self {
        self.below = Some(folder.into());
        self
    }
}

impl Source {
    /// Where the records are.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Whether it is the standard input, which can be read once.
    #[must_use]
    pub fn is_standard_input(&self) -> bool {
        matches!(self.location, Location::StandardInput { .. })
    }

    /// The format that was asked for, whatever the names of the files.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The character between fields that was asked for.
    #[must_use]
    pub fn delimiter(&self) -> Option<char> {
        self.delimiter
    }

    /// The encoding that was asked for.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// The table or the view of a database that was asked for.
    #[must_use]
    pub fn relation(&self) -> Option<&Relation> {
        self.relation.as_ref()
    }

    /// The folder that all files must be below.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.below.as_deref()
    }

    /// Finds the files.
    ///
    /// # Errors
    /// [`ReadError`] if there are none, they are not of one format, or this is a table of a session.
    pub fn find(&self) -> Result<Files, ReadError> {
        self.found(false)
    }

    /// The same where the number of records is private: a JSON file of no bytes is one of no records, and so is a folder
    /// without files, or a glob that no file in its folder matches.
    ///
    /// # Errors
    /// As [`Source::find`].
    pub fn find_perhaps_empty(&self) -> Result<Files, ReadError> {
        self.found(true)
    }

    fn found(&self, perhaps_empty: bool) -> Result<Files, ReadError> {
        let files = match &self.location {
            Location::Files(path) => Files::find(path, self.format, perhaps_empty)?,
            Location::Table(table) => return Err(ReadError::UnknownTable { table: table.clone() }),
            Location::StandardInput { .. } => Files::standard_input(self.format)?,
            Location::Postgres(_) if self.format.is_some() => return Err(ReadError::ServerFormat),
            Location::Postgres(server) => Files::of_server(server),
        };
        if files.paths.is_empty() && self.format.is_none() {
            // What would be refused for a format cannot be told. The delimiter is wrong for any.
            self.separator(files.format)?;
            return Ok(files);
        }
        let delimiter =
            if files.format.has_fields() { self.separator(files.format)? } else { files.delimiter };
        let encoding = match self.encoding {
            Some(encoding) if files.format.is_text() => encoding,
            Some(_) => return Err(ReadError::Encoded { format: files.format }),
            None => Encoding::default(),
        };
        if self.relation.is_some() && !files.format.has_tables() {
            return Err(ReadError::TableOf { format: files.format });
        }
        let relation = self.relation.clone();
        Ok(Files { below: self.below.clone(), delimiter, encoding, relation, ..files })
    }

    /// The byte between fields.
    fn separator(&self, format: Format) -> Result<u8, ReadError> {
        let delimiter = self.delimiter.unwrap_or(if format == Format::Tsv { '\t' } else { ',' });
        match u8::try_from(delimiter) {
            Ok(byte) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r' | 0) => Ok(byte),
            _ => Err(ReadError::Delimiter { delimiter }),
        }
    }
}

/// The path or the name as it was given, and the table or the view in it.
impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.location {
            Location::Files(path) => within(f, path, self.relation.as_ref()),
            Location::Postgres(server) => within(f, server, self.relation.as_ref()),
            Location::Table(table) => f.write_str(table),
            Location::StandardInput { name } => f.write_str(name.as_deref().unwrap_or("standard input")),
        }
    }
}

/// A place, and the table or the view in it.
fn within(
    f: &mut std::fmt::Formatter<'_>,
    place: impl std::fmt::Display,
    relation: Option<&Relation>,
) -> std::fmt::Result {
    match relation {
        Some(relation) => write!(f, "{place}, {relation}"),
        None => place.fmt(f),
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
            Location::Table(path) => path,
            Location::StandardInput { .. } | Location::Postgres(_) => String::new(),
        };
        assert_eq!(path(Source::files("a/*.csv").absolute()), here.join("a/*.csv").to_str().expect("UTF-8"));
        assert_eq!(path(Source::files("./a.csv").absolute()), path(Source::files("a.csv").absolute()));
        assert_eq!(path(Source::table("a").absolute()), "a");
    }
}
