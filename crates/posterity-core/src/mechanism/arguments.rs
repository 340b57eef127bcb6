//! The parameters that someone gave to a mechanism.

use std::fmt;

use super::parameter::{Form, Parameter};
use super::spec_error::SpecError;

/// The parameters that were given, by name, with their values.
#[derive(Clone, Debug, Default)]
pub struct Arguments<'a> {
    given: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Arguments<'a> {
    pub(super) fn new(
        mechanism: &'static str,
        parameters: &'static [Parameter],
        given: Vec<(&'a str, Option<&'a str>)>,
    ) -> Result<Self, SpecError> {
        for (index, (name, value)) in given.iter().enumerate() {
            let unknown = || SpecError::UnknownParameter { mechanism, parameter: (*name).into() };
            let parameter = parameters.iter().find(|one| one.name == *name).ok_or_else(unknown)?;
            if given[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(SpecError::Repeated { mechanism, parameter: (*name).to_owned() });
            }
            let reason = match (parameter.form, value) {
                (Form::Flag, Some(_)) => format!("{name} takes no value; write it alone"),
                (Form::Number(_), None) => format!("{name} needs a value, such as {name}=0.5"),
                (Form::Word(_, words), None) => {
                    format!("{name} needs a value, such as {name}={}", words.join(" or "))
                }
                (Form::Text(_, examples), None) => {
                    format!("{name} needs a value, such as {name}={}", examples.first().unwrap_or(&""))
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
