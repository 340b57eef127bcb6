//! The fields of a plan as flags. They are made from the list of fields, so a new one needs no change here.

use std::fmt;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use posterity::document::Kind;
use posterity::plan::{Asking, FIELDS, Field, Form, Node, Place, Value, field};

use crate::mechanism_args::{MechanismParser, taught};

/// What the flags of a command are for.
pub(crate) trait Asks {
    /// The flags without which the command does nothing.
    const NEEDED: &'static [&'static str] = &[];

    /// Whether the command has the flag, and whether help shows it. What has no meaning here is refused with a reason.
    fn has(field: &Field) -> Option<bool>;
}

impl<K: Kind> Asks for K {
    fn has(field: &Field) -> Option<bool> {
        is_flag(field).then(|| field.is_of(K::NAME))
    }
}

/// The flags of a plan, as they were typed.
pub(crate) struct FieldArgs<A> {
    given: Vec<(&'static Field, Node)>,
    asks: PhantomData<A>,
}

impl<A> fmt::Debug for FieldArgs<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.given.iter().map(|(field, node)| (field.name, node))).finish()
    }
}

/// Whether a field has a flag that is made from it. The categories of other and of missing values are flags behind a column.
fn is_flag(field: &Field) -> bool {
    field.stands_alone() && !["other", "missing"].contains(&field.name)
}

impl<A> FieldArgs<A> {
    /// The fields that were given and may stand at this place, each at the outermost.
    pub(crate) fn at(&self, place: Place) -> impl Iterator<Item = (&'static str, Node)> + '_ {
        let here = self.given.iter().filter(move |(field, _)| field.outermost() == Some(place));
        here.map(|(field, node)| (field.name, node.clone()))
    }

    /// All fields that were given.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, Node)> + '_ {
        self.given.iter().map(|(field, node)| (field.name, node.clone()))
    }

    /// The texts that were given for a field, one by one.
    pub(crate) fn texts(&self, name: &str) -> Vec<&str> {
        let nodes = match self.get(name).map(Node::value) {
            Some(Value::List(nodes)) => nodes.as_slice(),
            _ => self.get(name).map(std::slice::from_ref).unwrap_or_default(),
        };
        nodes.iter().filter_map(text).collect()
    }

    /// What was given for a field.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        self.given.iter().find(|(field, _)| field.name == name).map(|(_, node)| node)
    }

    /// Adds fields, for another command.
    pub(crate) fn with<B>(&self, more: impl IntoIterator<Item = (&'static str, Node)>) -> FieldArgs<B> {
        let more = more.into_iter().filter_map(|(name, node)| Some((field(name)?, node)));
        FieldArgs { given: self.given.iter().cloned().chain(more).collect(), asks: PhantomData }
    }

    /// The first field that was given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        self.given.first().map(|(field, _)| field.name)
    }
}

/// A kind that the list of kinds alone names.
#[derive(Debug)]
pub(crate) struct Listed;

impl FieldArgs<Listed> {
    /// Adds the flags of a kind.
    pub(crate) fn of_kind(asking: &Asking, command: Command) -> Command {
        flags(command, |field| is_flag(field).then(|| asking.has(field)))
    }

    /// What was typed for a kind.
    pub(crate) fn typed(asking: &Asking, matches: &ArgMatches) -> Result<Self, Error> {
        given(matches, |field| is_flag(field).then(|| asking.has(field)))
    }
}

/// The text of a node, if it is one.
fn text(node: &Node) -> Option<&str> {
    match node.value() {
        Value::Text(text) | Value::Number(text) => Some(text),
        _ => None,
    }
}

/// Adds the flags that a command has, and hides those that it refuses.
fn flags(command: Command, has: impl Fn(&Field) -> Option<bool>) -> Command {
    let all = FIELDS.iter().filter_map(|field| Some(argument(field).hide(!has(field)?)));
    all.fold(command, Command::arg)
}

/// What was typed. A flag that the command has not is refused.
fn given<A>(matches: &ArgMatches, has: impl Fn(&Field) -> Option<bool>) -> Result<FieldArgs<A>, Error> {
    let mut given = Vec::new();
    for field in FIELDS {
        let Some(has) = has(field) else { continue };
        let Some(node) = typed(field, matches) else { continue };
        if !has {
            let why = format!("--{}: this is for {}; leave it out\n", field.name, commands_of(field));
            return Err(Error::raw(ErrorKind::ArgumentConflict, why));
        }
        given.push((field, node));
    }
    Ok(FieldArgs { given, asks: PhantomData })
}

impl<A: Asks> Args for FieldArgs<A> {
    fn augment_args(command: Command) -> Command {
        let needed = |command: Command, name: &&'static str| command.mut_arg(name, |arg| arg.required(true));
        A::NEEDED.iter().fold(flags(command, A::has), needed)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<A: Asks> FromArgMatches for FieldArgs<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        given(matches, A::has)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The commands that have a field.
fn commands_of(field: &Field) -> String {
    let commands = field.kinds().map(|asking| format!("`posterity {}`", asking.command));
    commands.collect::<Vec<_>>().join(" and ")
}

/// The flag of a field.
fn argument(field: &'static Field) -> Arg {
    let help = told(field.help);
    let short = help.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned();
    let argument = Arg::new(field.name).long(field.name).value_name(field.value).allow_hyphen_values(true);
    let argument = argument.help(short).long_help(help.clone());
    match field.form {
        _ if field.name == "mechanism" => argument.value_parser(MechanismParser).long_help(taught(&help)),
        Form::Choice(choices) => {
            let value = |(name, means): (&'static str, &'static str)| PossibleValue::new(name).help(means);
            argument.value_parser(PossibleValuesParser::new(choices().into_iter().map(value)))
        }
        Form::Texts => argument.action(ArgAction::Append),
        Form::Truth => argument
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(value_parser!(bool)),
        Form::Text | Form::Number | Form::Numbers | Form::List => argument,
    }
}

/// A help text with the names of fields as flags.
pub(crate) fn told(help: &str) -> String {
    let parts = help.split('`').enumerate().map(|(index, part)| match part {
        part if index % 2 == 1 && field(part).is_some() => format!("--{part}"),
        part if index % 2 == 1 => format!("`{part}`"),
        part => part.to_owned(),
    });
    parts.collect()
}

/// What was typed for a field.
fn typed(field: &Field, matches: &ArgMatches) -> Option<Node> {
    if matches.value_source(field.name)? != clap::parser::ValueSource::CommandLine {
        return None;
    }
    let texts: Vec<String> =
        matches.get_raw(field.name)?.map(|text| text.to_string_lossy().into_owned()).collect();
    Some(match field.form {
        Form::Texts => Node::list(texts.into_iter().map(Node::text)),
        form => form.node(texts.first()?),
    })
}
