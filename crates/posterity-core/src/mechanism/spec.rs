//! A mechanism with its parameters as text: `lattice`, `ehds(gamma=0.5)`, `lsdim(consistent)`, `tight(ehds(gamma=auto))`.
//!
//! The grammar is `mechanism`, `mechanism(parameter, parameter=value, ..)` or `tight(mechanism..)`, with blanks anywhere
//! between the words. It is read and written here and nowhere else.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::arguments::Arguments;
use super::description::Description;
use super::parameter::Value;
use super::spec_error::SpecError;
use super::{ALL, Definition, FitError, Mechanism, Spec};
use crate::model::Setting;

/// A mechanism whose scale is set by an exact audit, so that it uses its budget up.
#[derive(Clone, Debug, PartialEq)]
pub struct Tight(Box<Spec>);

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
        let changed = (description.read)(&Arguments::new(description.name, description.parameters, given)?)?;
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

    /// Whether advice considers the mechanism for these public inputs: [`Spec::fit`] answers within about a second, and no
    /// simpler mechanism has the same law.
    #[must_use]
    pub fn suits_advice(&self, setting: &Setting) -> bool {
        self.definition().suits_advice(setting)
    }
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
            .map(|(name, value)| {
                value.text().map_or_else(|| name.to_owned(), |text| format!("{name}={text}"))
            })
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
        for argument in
            inside.into_iter().filter(|inside| !inside.trim().is_empty()).flat_map(|all| all.split(','))
        {
            given.push(match argument.split_once('=') {
                Some((parameter, value)) => (parameter.trim(), Some(value.trim())),
                None => (argument.trim(), None),
            });
        }
        (description.read)(&Arguments::new(description.name, description.parameters, given)?)
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
