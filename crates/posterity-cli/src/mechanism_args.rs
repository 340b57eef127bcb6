//! Mechanisms as they are typed. Help and completions are made from the list of mechanisms, so a new one needs no
//! change here.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use posterity::Spec;
use posterity_core::mechanism::{ALL, Description, Form, Parameter, tunable};

/// What help says of mechanisms: how they are written, and all their parameters.
pub(crate) fn taught(what: &str) -> String {
    let mut all: Vec<&Parameter> = Vec::new();
    for parameter in ALL.iter().flat_map(|one| one.parameters) {
        if !all.iter().any(|known| known.name == parameter.name) {
            all.push(parameter);
        }
    }
    let lines: Vec<String> = all.iter().map(|one| format!("- {}: {}", written(one), one.help)).collect();
    format!(
        "{what}\n\nParameters:\n{}\n- tight(..): set the scale of {} as large as an exact audit of all data sets of this size \
         allows, and not by the proof",
        lines.join("\n"),
        tunable()
    )
}

/// A parameter as it is written, with the name of its value.
fn written(parameter: &Parameter) -> String {
    match parameter.form {
        Form::Flag => parameter.name.to_owned(),
        Form::Word(_, words) => format!("{}={}", parameter.name, words.join("|")),
        Form::Number(called) | Form::Text(called, _) => format!("{}={called}", parameter.name),
    }
}

/// All mechanisms, for help and completions.
fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.iter().map(|one| PossibleValue::new(one.name).help(summary(one)))
}

fn summary(one: &Description) -> String {
    let names: Vec<&str> = one.parameters.iter().map(|parameter| parameter.name).collect();
    let takes = if names.is_empty() { String::new() } else { format!(" [{}]", names.join(", ")) };
    format!("{}{takes}", one.summary)
}

/// Reads one mechanism. A text without brackets is a name, and a wrong name gets a suggestion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MechanismParser;

impl TypedValueParser for MechanismParser {
    type Value = Spec;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Spec, Error> {
        let text = value.to_string_lossy();
        if !text.contains('(') {
            PossibleValuesParser::new(names()).parse_ref(command, arg, value)?;
        }
        text.parse().map_err(|error| {
            let flag = arg.map(ToString::to_string).unwrap_or_default();
            let message = format!("invalid value '{text}' for '{flag}': {error}\n");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// Several mechanisms of one flag. By this name, because clap reads `Vec` as a flag that is repeated.
pub(crate) type Specs = Vec<Spec>;

/// Reads several mechanisms. Commas within brackets are part of a mechanism.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MechanismsParser;

impl TypedValueParser for MechanismsParser {
    type Value = Specs;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Specs, Error> {
        let text = value.to_string_lossy();
        let mut depth = 0_i32;
        let parts = text.split(|character: char| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            character == ',' && depth == 0
        });
        parts.map(|part| MechanismParser.parse_ref(command, arg, OsStr::new(part.trim()))).collect()
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_brackets_do_not_separate() {
        let read = |text: &str| {
            let found = MechanismsParser.parse_ref(&Command::new("test"), None, OsStr::new(text));
            found.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(read("lattice,mhg").expect("two"), ["lattice", "mhg"]);
        assert_eq!(
            read("ehds(gamma=0.5, score=angle), lsdim(consistent)").expect("two"),
            ["ehds(gamma=0.5, score=angle)", "lsdim(consistent)"]
        );
        assert!(read("ehds(gamma=0.5,gamma=1)").is_err());
        assert!(read("lattice,,ehds").is_err());
    }

    /// If this fails, nobody learns from `--help` how a mechanism is chosen.
    #[test]
    fn help_teaches_every_parameter() {
        let taught = taught("");
        for parameter in ALL.iter().flat_map(|one| one.parameters) {
            assert!(taught.contains(&format!("- {}", parameter.name)), "{}", parameter.name);
        }
    }
}
