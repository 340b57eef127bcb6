//! The keys of a check, taken one by one.

use toml::{Table, Value};

use super::error::CheckError;

const TEXT: &str = "text";
const NUMBER: &str = "a number";
const PRINTED: &str = "a number as it is printed";

/// The keys of one check that were not taken yet, and the names of those that were asked for.
pub(super) struct Keys {
    /// The check in words.
    check: String,
    left: Table,
    known: Vec<&'static str>,
}

impl Keys {
    pub(super) fn new(check: &str, table: Table) -> Self {
        let of = table.get("of").and_then(Value::as_str);
        let check = of.map_or(check.to_owned(), |of| format!("{check} of {of:?}"));
        Self { check, left: table, known: Vec::new() }
    }

    pub(super) fn text(&mut self, key: &'static str) -> Result<String, CheckError> {
        self.optional_text(key)?.ok_or_else(|| self.missing(key, TEXT))
    }

    pub(super) fn number(&mut self, key: &'static str) -> Result<f64, CheckError> {
        self.optional_number(key)?.ok_or_else(|| self.missing(key, NUMBER))
    }

    pub(super) fn optional_text(&mut self, key: &'static str) -> Result<Option<String>, CheckError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong_type(key, &other, TEXT)),
        }
    }

    pub(super) fn optional_number(&mut self, key: &'static str) -> Result<Option<f64>, CheckError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Float(number)) => Ok(Some(number)),
            Some(Value::Integer(number)) => Ok(Some(number as f64)),
            Some(other) => Err(self.wrong_type(key, &other, NUMBER)),
        }
    }

    /// A number as it is printed: its digits say how exact it is. It is written as text if its last digits are zeros.
    pub(super) fn printed(&mut self, key: &'static str) -> Result<String, CheckError> {
        match self.take(key) {
            None => Err(self.missing(key, PRINTED)),
            Some(Value::String(text)) if text.parse::<f64>().is_ok() => Ok(text),
            Some(Value::Float(number)) => Ok(number.to_string()),
            Some(Value::Integer(number)) => Ok(number.to_string()),
            Some(other) => Err(self.wrong_type(key, &other, PRINTED)),
        }
    }

    /// The error that a word is not one of those that a key takes.
    pub(super) fn unknown_word(&self, key: &'static str, word: String, known: &'static str) -> CheckError {
        CheckError::UnknownWord { check: self.check.clone(), key, word, known }
    }

    /// The error that a text is missing.
    pub(super) fn missing_text(&self, key: &'static str) -> CheckError {
        self.missing(key, TEXT)
    }

    /// Refuses the first key that was not taken.
    pub(super) fn finish(self) -> Result<(), CheckError> {
        match self.left.into_iter().next() {
            None => Ok(()),
            Some((key, _)) => {
                Err(CheckError::UnknownKey { check: self.check, key, known: self.known.join(", ") })
            }
        }
    }

    fn take(&mut self, key: &'static str) -> Option<Value> {
        self.known.push(key);
        self.left.remove(key)
    }

    fn missing(&self, key: &'static str, kind: &'static str) -> CheckError {
        CheckError::MissingKey { check: self.check.clone(), key, kind }
    }

    fn wrong_type(&self, key: &'static str, found: &Value, kind: &'static str) -> CheckError {
        CheckError::WrongType { check: self.check.clone(), key, found: found.type_str(), kind }
    }
}
