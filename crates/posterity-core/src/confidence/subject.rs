//! Of what an interval is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Of what an interval is.
///
/// ```
/// use posterity_core::confidence::Subject;
/// assert_eq!("records".parse(), Ok(Subject::Records));
/// assert_eq!(Subject::default().to_string(), "population");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// The proportions behind the data: the records are independent draws from a population, and the error of sampling
    /// them is part of the interval.
    #[default]
    Population,
    /// The records themselves, for example of a complete register. Only the noise is part of the interval.
    Records,
}

/// There is no such subject.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not one of population and records")]
#[non_exhaustive]
pub struct SubjectError {
    /// What was asked for.
    pub text: String,
}

impl Subject {
    /// Its name, as in documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Population => "population",
            Self::Records => "records",
        }
    }

    /// What is meant, for whoever chooses one.
    #[must_use]
    pub fn choice(self) -> &'static str {
        match self {
            Self::Population => "the population that the records were drawn from: sampling error counts too",
            Self::Records => "the records themselves, such as a complete register: only the noise counts",
        }
    }
}

impl FromStr for Subject {
    type Err = SubjectError;

    fn from_str(text: &str) -> Result<Self, SubjectError> {
        let all = [Self::Population, Self::Records];
        all.into_iter().find(|one| one.word() == text).ok_or(SubjectError { text: text.to_owned() })
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
