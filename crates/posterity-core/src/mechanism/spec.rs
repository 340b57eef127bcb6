//! A mechanism with its parameters as text: `lattice`, `ehds(gamma=0.5)`, `lsdim(consistent)`, `tight(ehds(gamma=auto))`.
//!
//! The grammar is `mechanism`, `mechanism(parameter, parameter=value, ..)` or `tight(mechanism..)`, with blanks anywhere
//! between the words. It is read and written here and nowhere else.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;


use super::{ALL, Definition, Description, FitError, Form, Mechanism, Parameter, Spec};
use crate::model::Setting;

/// A mechanism whose scale is set by an exact audit, so that it uses its budget up.
#[derive(Clone, Debug, PartialEq)]
pub struct Tight(Box<Spec>);

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The parameter is there.
    Flag,
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
}

/// Why a text is no specification.
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

/// The parameters that were given, by name, with their values.
#[derive(Clone, Debug, Default)]
pub struct Arguments<'a> {
    given: Vec<(&'a str, Option<&'a str>)>,
}

fn names() -> String {
    ALL.iter().map(|one| one.name).collect::<Vec<_>>().join(", ")
}

/// The names of the mechanisms whose scale can be set by an audit, in alphabetical order.
fn tunable() -> String {
    let mut names: Vec<&str> = ALL.iter().filter(|one| one.tunable).map(|one| one.name).collect();
    names.sort_unstable();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
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

impl<'a> Arguments<'a> {
    fn new(mechanism: &Description, given: Vec<(&'a str, Option<&'a str>)>) -> Result<Self, SpecError> {
        for (index, (name, value)) in given.iter().enumerate() {
            let unknown =
                || SpecError::UnknownParameter { mechanism: mechanism.name, parameter: (*name).into() };
            let parameter = mechanism.parameter(name).ok_or_else(unknown)?;
            if given[..index].iter().any(|(earlier, _)| earlier == name) {
                let (mechanism, parameter) = (mechanism.name, (*name).to_owned());
                return Err(SpecError::Repeated { mechanism, parameter });
            }
            let reason = match (parameter.form, value) {
                (Form::Flag, Some(_)) => format!("{name} takes no value; write it alone"),
                (Form::Number(_), None) => format!("{name} needs a value, such as {name}=0.5"),
                (Form::Word(_, words), None) => {
                    format!("{name} needs a value, such as {name}={}", words.join(" or "))
                }
                _ => continue,
            };
            return Err(SpecError::Value { parameter: parameter.name, reason });
        }
        Ok(Self { given })
    }

    /// Whether a flag was given.
    #[must_use]
    pub fn has(&self, parameter: &Parameter) -> bool {
        self.given.iter().any(|(name, _)| *name == parameter.name)
    }

    /// The value of a parameter, if it was given.
    ///
    /// # Errors
    /// [`SpecError::Value`] with what `read` says about the text.
    pub fn value<T, E: fmt::Display>(
        &self,
        parameter: &Parameter,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, SpecError> {
        let text = self.given.iter().find(|(name, _)| *name == parameter.name).and_then(|(_, value)| *value);
        let wrong = |error: E| SpecError::Value { parameter: parameter.name, reason: error.to_string() };
        text.map(|text| read(text).map_err(wrong)).transpose()
    }
}

/// Reads a number, with a message that says how to write one.
///
/// # Errors
/// That message.
pub(super) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number; write it like 0.5 or 1e-8".to_owned())
}

impl Spec {
    /// The mechanism's description; of a tight specification, that of the mechanism inside.
    #[must_use]
    pub fn description(&self) -> &'static Description {
        self.definition().description()
    }

    /// The mechanism's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.description().name
    }

    /// Whether the scale is set by an audit.
    #[must_use]
    pub fn is_tight(&self) -> bool {
        matches!(self, Self::Tight(_))
    }

    /// The same mechanism with the scale that its proof gives.
    #[must_use]
    pub fn loose(&self) -> &Self {
        match self {
            Self::Tight(Tight(inner)) => inner.loose(),
            proven => proven,
        }
    }

    /// The same mechanism with the largest scale that an exact audit allows.
    ///
    /// # Errors
    /// [`SpecError::NoScale`] if the mechanism has no scale to tune.
    pub fn tight(self) -> Result<Self, SpecError> {
        match self {
            tight @ Self::Tight(_) => Ok(tight),
            proven if proven.description().tunable => Ok(Self::Tight(Tight(Box::new(proven)))),
            other => Err(SpecError::NoScale { mechanism: other.name() }),
        }
    }

    /// The same with one parameter set, as a command's flag sets it.
    ///
    /// # Errors
    /// [`SpecError`] if the mechanism does not have the parameter, or not this value.
    pub fn with(&self, parameter: &str, value: Option<&str>) -> Result<Self, SpecError> {
        let description = self.description();
        let written: Vec<(&str, Option<String>)> = self
            .arguments()
            .into_iter()
            .filter(|(name, _)| *name != parameter)
            .map(|(name, value)| (name, value.text()))
            .collect();
        let mut given: Vec<(&str, Option<&str>)> =
            written.iter().map(|(name, value)| (*name, value.as_deref())).collect();
        given.push((parameter, value));
        let changed = (description.read)(&Arguments::new(description, given)?)?;
        if self.is_tight() { changed.tight() } else { Ok(changed) }
    }

    /// The parameters with their values: all numbers and words, and the flags that are set.
    #[must_use]
    pub fn arguments(&self) -> Vec<(&'static str, Value)> {
        self.definition().arguments()
    }

    /// The number that a parameter has, if the mechanism has it and it is a number.
    #[must_use]
    pub fn number(&self, parameter: &str) -> Option<f64> {
        self.arguments().into_iter().find_map(|(name, value)| match value {
            Value::Number(number) if name == parameter => Some(number),
            _ => None,
        })
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn has_flag(&self, parameter: &str) -> bool {
        self.arguments().iter().any(|(name, value)| *name == parameter && *value == Value::Flag)
    }

    /// Fits the mechanism to public inputs, with the scale of its proof. For a tight one see
    /// [`calibrate::fit`](crate::calibrate::fit).
    ///
    /// # Errors
    /// [`FitError`] if the two do not go together.
    pub fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        if self.is_tight() { Err(FitError::NeedsAudit) } else { self.definition().fit(setting) }
    }
}

impl Value {
    fn text(&self) -> Option<String> {
        match self {
            Self::Flag => None,
            Self::Number(number) => Some(written(*number)),
            Self::Word(word) => Some((*word).to_owned()),
        }
    }
}

/// The shortest text that reads back as this number.
fn written(number: f64) -> String {
    let (plain, scientific) = (number.to_string(), format!("{number:e}"));
    if plain.len() <= scientific.len() { plain } else { scientific }
}

/// Tight specifications are described by the mechanism inside.
impl Definition for Tight {
    fn description(&self) -> &'static Description {
        self.0.description()
    }

    fn arguments(&self) -> Vec<(&'static str, Value)> {
        self.0.arguments()
    }

    fn fit(&self, _setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Err(FitError::NeedsAudit)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Tight(Tight(inner)) = self {
            return write!(f, "tight({inner})");
        }
        f.write_str(self.name())?;
        let arguments: Vec<String> = self
            .arguments()
            .into_iter()
            .map(|(name, value)| value.text().map_or_else(|| name.to_owned(), |text| format!("{name}={text}")))
            .collect();
        if arguments.is_empty() { Ok(()) } else { write!(f, "({})", arguments.join(", ")) }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || SpecError::Form { text: text.trim().to_owned() };
        let (name, inside) = match text.trim().split_once('(') {
            None => (text.trim(), None),
            Some((name, rest)) => (name.trim(), Some(rest.trim().strip_suffix(')').ok_or_else(wrong)?)),
        };
        if name == "tight" {
            return inside.ok_or_else(wrong)?.parse::<Self>()?.tight();
        }
        if name.contains([')', ',', '=']) || inside.is_some_and(|inside| inside.contains(['(', ')'])) {
            return Err(wrong());
        }
        let unknown = || SpecError::UnknownMechanism { name: name.to_owned() };
        let description = ALL.iter().copied().find(|one| one.name == name).ok_or_else(unknown)?;
        let mut given = Vec::new();
        for argument in inside.into_iter().filter(|inside| !inside.trim().is_empty()).flat_map(|all| all.split(',')) {
            given.push(match argument.split_once('=') {
                Some((parameter, value)) => (parameter.trim(), Some(value.trim())),
                None => (argument.trim(), None),
            });
        }
        (description.read)(&Arguments::new(description, given)?)
    }
}

/// A specification is written as its text.
impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
