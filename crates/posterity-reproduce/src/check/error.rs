//! Why a check cannot be read.

use thiserror::Error;

/// Why a check cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The key `check` is missing, or is not text.
    #[error("no text under the key check names the check; write check = \"NAME\" with one of {known}")]
    Unnamed {
        /// The names of all checks.
        known: String,
    },
    /// There is no such check.
    #[error("there is no check {name:?}; choose one of {known}")]
    UnknownCheck {
        /// The name.
        name: String,
        /// The names of all checks.
        known: String,
    },
    /// A key is needed and not there.
    #[error("the check {check} lacks the key {key}; add it as {kind}")]
    MissingKey {
        /// The check, with its quantity if that is known.
        check: String,
        /// The key.
        key: &'static str,
        /// Text or a number.
        kind: &'static str,
    },
    /// A key has no meaning for this check.
    #[error("the check {check} has no key {key}; remove it, or choose from {known}")]
    UnknownKey {
        /// The check, with its quantity if that is known.
        check: String,
        /// The key.
        key: String,
        /// The keys that it has.
        known: String,
    },
    /// A key takes certain words only.
    #[error("in the check {check} the key {key} is {word:?}; give {known}")]
    UnknownWord {
        /// The check, with its quantity if that is known.
        check: String,
        /// The key.
        key: &'static str,
        /// The word.
        word: String,
        /// The words that it takes.
        known: &'static str,
    },
    /// A key has a value of another type.
    #[error("in the check {check} the key {key} is of type {found}; give {kind}")]
    WrongType {
        /// The check, with its quantity if that is known.
        check: String,
        /// The key.
        key: &'static str,
        /// The type of its value.
        found: &'static str,
        /// Text or a number.
        kind: &'static str,
    },
}
