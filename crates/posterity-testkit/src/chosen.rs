//! What the environment chooses for a test.

use std::borrow::Cow;

/// How often a test repeats something: what the variable POSTERITY_ROUNDS says, or the usual number.
#[must_use]
pub fn rounds(usual: usize) -> usize {
    std::env::var("POSTERITY_ROUNDS").ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
}

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
