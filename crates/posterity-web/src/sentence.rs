//! Errors as sentences.

use std::fmt::Display;

/// An error as a sentence.
pub(crate) fn sentence(error: impl Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str().trim_end_matches('.')),
        None => text,
    }
}
