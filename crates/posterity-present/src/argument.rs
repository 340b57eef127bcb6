//! Arguments that programs check alike.

use posterity::data::{Relation, Source};
use posterity::{Adjacency, Terms};
use posterity_core::model::MAX_TOTAL;

use crate::fault::Words;

/// Whether somebody typed counts where a path belongs. They are private, so a message must not repeat them.
#[must_use]
pub fn looks_like_counts(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ')
}

/// How files are to be read, as callers say by arguments of these names.
#[derive(Debug, Default)]
pub struct FileArguments {
    /// The format, if their names do not tell.
    pub input_format: Option<String>,
    /// The character between the fields of a CSV file.
    pub delimiter: Option<String>,
    /// How text is stored in bytes.
    pub encoding: Option<String>,
    /// The table of a database.
    pub table: Option<String>,
    /// Or its view.
    pub view: Option<String>,
}

impl FileArguments {
    /// The names of the arguments.
    pub const NAMES: [&str; 5] = ["input_format", "delimiter", "encoding", "table", "view"];

    /// Asks for each argument by its name.
    ///
    /// # Errors
    /// That of the argument that cannot be had.
    pub fn ask<E>(mut given: impl FnMut(&'static str) -> Result<Option<String>, E>) -> Result<Self, E> {
        let [input_format, delimiter, encoding, table, view] = Self::NAMES.map(&mut given);
        Ok(Self {
            input_format: input_format?,
            delimiter: delimiter?,
            encoding: encoding?,
            table: table?,
            view: view?,
        })
    }

    /// The files at a path.
    ///
    /// # Errors
    /// Which argument is wrong, and why.
    pub fn source(self, path: impl Into<String>) -> Result<Source, (&'static str, String)> {
        let mut source = Source::files(path);
        if let Some(format) = self.input_format {
            source = source.with_format(format.parse().map_err(|error| ("input_format", error))?);
        }
        if let Some(delimiter) = self.delimiter {
            let mut letters = delimiter.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return Err(("delimiter", "this is not one character".to_owned()));
            };
            source = source.with_delimiter(letter);
        }
        if let Some(encoding) = self.encoding {
            source = source.with_encoding(encoding.parse().map_err(|error| ("encoding", error))?);
        }
        match (self.table, self.view) {
            (Some(_), Some(_)) => Err(("view", "give a table or a view, not both".to_owned())),
            (Some(table), None) => Ok(source.with_relation(Relation::Table(table))),
            (None, Some(view)) => Ok(source.with_relation(Relation::View(view))),
            (None, None) => Ok(source),
        }
    }
}

/// The most records that readings assume, if n is private.
///
/// # Errors
/// Why it cannot be stated.
pub fn most(given: Option<u64>, adjacency: Adjacency, words: &Words) -> Result<u64, String> {
    match given {
        None => Ok(Terms::MOST),
        Some(_) if adjacency == Adjacency::Replace => {
            let private = (words.given)("adjacency", "\"add-remove\"");
            Err(format!("n is public here; this is for {private}"))
        }
        Some(most) if (1..=MAX_TOTAL).contains(&most) => Ok(most),
        Some(most) => Err(format!("{most} is not in 1..={MAX_TOTAL}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_not_paths() {
        assert!(looks_like_counts("48, 42"));
        assert!(!looks_like_counts("2026.csv"));
    }

    #[test]
    fn sources_say_which_argument_is_wrong() {
        let wrong = |name: &str, text: &str| {
            let given = |asked: &'static str| Ok::<_, ()>((asked == name).then(|| text.to_owned()));
            let arguments = FileArguments::ask(given).expect("all can be had");
            arguments.source("a.csv").err().map(|(argument, _)| argument)
        };
        let right = [("input_format", "csv"), ("delimiter", ";"), ("encoding", "utf-16"), ("view", "v")];
        for (name, text) in right {
            assert_eq!(wrong(name, text), None, "{name}");
        }
        for (name, text) in
            [("input_format", "odt"), ("delimiter", ""), ("delimiter", "::"), ("encoding", "latin")]
        {
            assert_eq!(wrong(name, text), Some(name), "{text}");
        }
        let both = FileArguments { table: Some("t".into()), view: Some("v".into()), ..Default::default() };
        assert_eq!(both.source("a.sqlite").err().map(|(argument, _)| argument), Some("view"));
    }
}
