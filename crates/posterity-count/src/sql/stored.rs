//! How an engine stores the values of a column.

use std::fmt;
use std::str::FromStr;

/// How an engine stores the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Text.
    Text,
    /// Whole numbers of up to 64 bits.
    Integer,
    /// Numbers with a floating point of 64 bits.
    Number,
    /// True or false.
    Boolean,
    /// Days.
    Day,
}

/// There is no such type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no type {text:?}; choose string, integer, number, boolean or date")]
pub struct NoSuchType {
    /// What was given.
    pub text: String,
}

impl Stored {
    /// The word of a Table Schema.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Day => "date",
        }
    }
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Stored {
    type Err = NoSuchType;

    fn from_str(text: &str) -> Result<Self, NoSuchType> {
        let all = [Self::Text, Self::Integer, Self::Number, Self::Boolean, Self::Day];
        all.into_iter().find(|one| one.word() == text).ok_or_else(|| NoSuchType { text: text.to_owned() })
    }
}
