//! The flags of mechanisms, made from the list of mechanisms: a new mechanism has its flags without a change here.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use posterity::{Options, Spec};
use posterity_core::mechanism::{ALL, Description, Form, Parameter, tunable};

/// One mechanism.
#[derive(Debug, Args)]
pub(crate) struct MechanismArgs {
    /// How to draw the release: a name, or a name with its parameters, such as "ehds(gamma=0.5)" or "tight(ehds)"
    #[arg(long, value_name = "NAME", default_value = "lattice", value_parser = MechanismParser)]
    pub(crate) mechanism: String,

    #[command(flatten)]
    pub(crate) parameters: Parameters,
}

/// Parameters that some mechanisms have, as they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(Options);

impl Parameters {
    /// The parameters that were given.
    pub(crate) fn options(&self) -> &Options {
        &self.0
    }
}

impl FromArgMatches for Parameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut options = Options::default();
        for (_, parameter) in parameters() {
            let name = parameter.name;
            if parameter.form == Form::Flag {
                if matches.get_flag(name) {
                    options = options.set(name, None);
                }
            } else if let Some(value) = matches.get_one::<String>(name) {
                options = options.set(name, Some(value));
            }
        }
        if matches.get_one::<String>("calibration").is_some_and(|how| how == "tight") {
            options = options.tight();
        }
        Ok(Self(options))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Parameters {
    fn augment_args(command: Command) -> Command {
        let flags = parameters().into_iter().map(|(owner, parameter)| flag(owner, parameter));
        command.args(flags).arg(calibration())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Every parameter once, with a mechanism that has it.
fn parameters() -> Vec<(&'static Description, &'static Parameter)> {
    let mut all: Vec<(&Description, &Parameter)> = Vec::new();
    for (owner, parameter) in
        ALL.iter().flat_map(|one| one.parameters.iter().map(move |parameter| (*one, parameter)))
    {
        if !all.iter().any(|(_, known)| known.name == parameter.name) {
            all.push((owner, parameter));
        }
    }
    all
}

fn flag(owner: &'static Description, parameter: &'static Parameter) -> Arg {
    let name = parameter.name;
    let arg = Arg::new(name).long(name).help(parameter.help);
    match parameter.form {
        Form::Flag => arg.action(ArgAction::SetTrue),
        Form::Word(called, words) => arg.value_name(called).value_parser(PossibleValuesParser::new(words)),
        Form::Number(called) | Form::Text(called, _) => arg
            .value_name(called)
            .allow_hyphen_values(true)
            .value_parser(move |text: &str| -> Result<String, String> {
                // The mechanism that has the parameter checks its value.
                owner.spec().with(name, Some(text.trim())).map_err(|error| error.to_string())?;
                Ok(text.trim().to_owned())
            }),
    }
}

fn calibration() -> Arg {
    Arg::new("calibration").long("calibration").value_name("HOW").value_parser(["proven", "tight"]).help(format!(
        "How the scale of {} is set: by the proof, or as large as an exact audit of all data sets of this size \
         allows [default: proven]",
        tunable()
    ))
}

/// The names of all mechanisms, for help and completions.
fn names() -> impl Iterator<Item = PossibleValue> {
    ALL.iter().map(|one| PossibleValue::new(one.name).help(one.summary))
}

/// Reads one mechanism. A text without brackets is a name, and a wrong name gets a suggestion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MechanismParser;

impl TypedValueParser for MechanismParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        match value.to_str() {
            Some(text) if text.contains('(') => match text.parse::<Spec>() {
                Ok(_) => Ok(text.to_owned()),
                Err(error) => {
                    let flag = arg.map(ToString::to_string).unwrap_or_default();
                    let message = format!("invalid value '{text}' for '{flag}': {error}\n");
                    Err(Error::raw(ErrorKind::ValueValidation, message).with_cmd(command))
                }
            },
            _ => PossibleValuesParser::new(names()).parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// Mechanisms with commas between them.
#[derive(Clone, Debug)]
pub(crate) struct Mechanisms(pub(crate) Vec<String>);

/// Reads several mechanisms. Commas within brackets are part of a mechanism.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MechanismsParser;

impl TypedValueParser for MechanismsParser {
    type Value = Mechanisms;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Mechanisms, Error> {
        let text = value.to_string_lossy();
        let mut depth = 0_i32;
        let parts = text.split(|character: char| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            character == ',' && depth == 0
        });
        let one = |part: &str| MechanismParser.parse_ref(command, arg, OsStr::new(part.trim()));
        parts.map(one).collect::<Result<_, _>>().map(Mechanisms)
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
            MechanismsParser.parse_ref(&Command::new("test"), None, OsStr::new(text)).map(|found| found.0)
        };
        assert_eq!(read("lattice,ehds").expect("two"), ["lattice", "ehds"]);
        assert_eq!(
            read("ehds(gamma=0.5), lsdim(consistent)").expect("two"),
            ["ehds(gamma=0.5)", "lsdim(consistent)"]
        );
        assert!(read("ehds(gamma=0.5,gamma=1)").is_err());
        assert!(read("lattice,,ehds").is_err());
    }
}
