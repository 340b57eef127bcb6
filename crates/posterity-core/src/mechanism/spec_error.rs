//! Why a text is not a specification.

use thiserror::Error;

use super::ALL;
use super::names::{names, tunable};

/// Why a text is not a specification.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// There is no mechanism of that name.
    #[error("there is no mechanism {name:?}; choose one of {}", names())]
    UnknownMechanism {
        /// The name.
        name: String,
    },
    /// Brackets do not match, or something follows them.
    #[error("{text:?} is not written like ehds(gamma=0.5) or tight(ehds); check its brackets and commas")]
    Form {
        /// The text.
        text: String,
    },
    /// The mechanism does not have the parameter.
    #[error("{mechanism} has no parameter {parameter:?}; {}", known(mechanism))]
    UnknownParameter {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        parameter: String,
    },
    /// A parameter is given twice.
    #[error("{parameter} of {mechanism} is given twice; leave one out")]
    Repeated {
        /// The mechanism.
        mechanism: &'static str,
        /// The parameter.
        parameter: String,
    },
    /// A parameter cannot have this value.
    #[error("{reason}")]
    Value {
        /// The parameter.
        parameter: &'static str,
        /// What is wrong with the value, and what would be right.
        reason: String,
    },
    /// The mechanism has no scale that an audit could set.
    #[error("{mechanism} cannot be calibrated by audit: only {} have a scale to tune", tunable())]
    NoScale {
        /// The mechanism.
        mechanism: &'static str,
    },
}

fn known(mechanism: &str) -> String {
    let names: Vec<&str> = ALL
        .iter()
        .filter(|one| one.name == mechanism)
        .flat_map(|one| one.parameters)
        .map(|parameter| parameter.name)
        .collect();
    if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) }
}
