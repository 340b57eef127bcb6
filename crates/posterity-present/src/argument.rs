//! Arguments that programs check alike.

use posterity::data::{Format, Source};
use posterity::{Adjacency, Terms};
use posterity_core::model::MAX_TOTAL;

use crate::fault::Words;

/// Whether somebody typed counts where a path belongs. They are private, so a message must not repeat them.
#[must_use]
pub fn looks_like_counts(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ')
}

/// Files, read as these two arguments say.
///
/// # Errors
/// Which argument is wrong, and why.
pub fn source(
    path: impl Into<String>,
    input_format: Option<&str>,
    delimiter: Option<&str>,
) -> Result<Source, (&'static str, String)> {
    let mut source = Source::files(path);
    if let Some(format) = input_format {
        let format: Format = format.parse().map_err(|error| ("input_format", error))?;
        source = source.with_format(format);
    }
    if let Some(delimiter) = delimiter {
        let mut letters = delimiter.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return Err(("delimiter", "this is not one character".to_owned()));
        };
        source = source.with_delimiter(letter);
    }
    Ok(source)
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
        let wrong =
            |format, delimiter| source("a.csv", format, delimiter).err().map(|(argument, _)| argument);
        assert_eq!(wrong(Some("csv"), Some(";")), None);
        assert_eq!(wrong(Some("odt"), None), Some("input_format"));
        assert_eq!(wrong(None, Some("")), Some("delimiter"));
        assert_eq!(wrong(None, Some("::")), Some("delimiter"));
    }
}
