//! A text that the environment chooses for a test.

use std::borrow::Cow;

/// The text of the file that a variable names, or the usual one.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn text(variable: &str, usual: &'static str) -> Cow<'static, str> {
    match std::env::var_os(variable) {
        Some(path) => Cow::Owned(std::fs::read_to_string(path).expect("a file that can be read")),
        None => Cow::Borrowed(usual),
    }
}
