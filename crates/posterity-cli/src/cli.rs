//! The list of commands. Each has its arguments, its help and its work in a file of its own.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(feature = "web")]
use crate::commands::WebArgs;
use crate::commands::{
    self, AdviseArgs, AuditArgs, BudgetCommand, CheckArgs, CompareArgs, CompletionsArgs, DescribeArgs,
    DiscoverArgs, FitArgs, InspectArgs, ListedArgs, ManArgs, MarginsArgs, PlanArgs, ReadArgs, ReleaseArgs,
    ReproduceArgs, SqlArgs, StudyArgs, VerifyArgs,
};
use crate::failure::Failure;
use crate::short_help::{in_groups, on_a_screen};

/// Publish Bayesian posteriors of categorical data with differential privacy.
///
/// From counts over declared categories, a public prior and a privacy budget epsilon, posterity releases a Beta or
/// Dirichlet posterior, says what it promises to every person in the data, and never draws noise by floating point.
#[derive(Debug, Parser)]
#[command(name = "posterity", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Release(Box<ReleaseArgs>),
    Margins(Box<MarginsArgs>),
    Discover(Box<DiscoverArgs>),
    #[command(flatten)]
    Listed(Box<ListedArgs>),
    Check(Box<CheckArgs>),
    Read(ReadArgs),
    Rows(FitArgs),
    Inspect(InspectArgs),
    Compare(CompareArgs),
    Audit(AuditArgs),
    Advise(Box<AdviseArgs>),
    Reproduce(ReproduceArgs),
    Study(StudyArgs),
    Plan(PlanArgs),
    Sql(SqlArgs),
    #[command(subcommand)]
    Budget(BudgetCommand),
    #[cfg(feature = "web")]
    Web(WebArgs),
    Verify(VerifyArgs),
    Describe(DescribeArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Cli {
    /// Parses the arguments.
    pub(crate) fn from_args(
        args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        let declared = if args.iter().any(|arg| arg == "-h") { on_a_screen(declared()) } else { declared() };
        // A number below zero is a value, and what it is given to says why it is wrong, if it is.
        let matches = declared.mut_subcommands(with_numbers).try_get_matches_from(args)?;
        let mut cli = Self::from_arg_matches(&matches)?;
        match (&mut cli.command, matches.subcommand()) {
            (Command::Release(args), Some((_, matches))) => args.data.order(matches),
            (Command::Margins(args), Some((_, matches))) => args.shared.data.order(matches),
            (Command::Discover(args), Some((_, matches))) => args.shared.data.order(matches),
            (Command::Check(args), Some((_, matches))) => args.data.order(matches),
            (Command::Plan(args), Some((_, matches))) => args.order(matches),
            (Command::Sql(args), Some((_, matches))) => args.order(matches),
            (Command::Advise(args), Some((_, matches))) => args.declared.order(matches),
            _ => {}
        }
        Ok(cli)
    }

    /// Does what was asked.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Release(args) => commands::release(args),
            Command::Margins(args) => commands::margins(args),
            Command::Discover(args) => commands::discover(args),
            Command::Listed(args) => commands::listed(args),
            Command::Check(args) => commands::check(args),
            Command::Read(args) => commands::read(args),
            Command::Rows(args) => commands::fit(args),
            Command::Inspect(args) => commands::inspect(args),
            Command::Compare(args) => commands::compare(args),
            Command::Audit(args) => commands::audit(args),
            Command::Advise(args) => commands::advise(args),
            Command::Reproduce(args) => commands::reproduce(args),
            Command::Study(args) => commands::study(args),
            Command::Plan(args) => commands::plan(args),
            Command::Sql(args) => commands::sql(args),
            Command::Budget(command) => commands::budget(command),
            #[cfg(feature = "web")]
            Command::Web(args) => commands::web(args),
            Command::Verify(args) => commands::verify(args),
            Command::Describe(args) => commands::describe(args),
            Command::Completions(args) => commands::completions(args, &mut declared()),
            Command::Man(args) => commands::man(args, declared()),
        }
    }
}

/// The command with its flags in groups. Help does not show what a subcommand refuses.
pub(crate) fn declared() -> clap::Command {
    // Which fields of a plan a kind has, its list says; these are flags of columns and of counts.
    let hide = |command: clap::Command, names: &[&'static str]| {
        names.iter().fold(command, |command, name| command.mut_arg(name, |argument| argument.hide(true)))
    };
    let of_kinds = |command: clap::Command| {
        let discovered = ["counts", "categories", "categories_file", "bins", "schema", "other"];
        command
            .mut_subcommand("margins", |command| hide(command, &["counts"]))
            .mut_subcommand("discover", |command| hide(command, &discovered))
    };
    in_groups(of_kinds(Cli::command()).mut_subcommand("plan", of_kinds))
}

/// The command with arguments that take numbers below zero for values, and its subcommands alike.
fn with_numbers(command: clap::Command) -> clap::Command {
    let takes_values =
        |argument: &clap::Arg| argument.get_action().takes_values() && !argument.is_allow_hyphen_values_set();
    let command = command.mut_args(|argument| {
        if takes_values(&argument) { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(with_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a list of categories that begins with a number below zero is taken for a flag.
    #[test]
    fn numbers_below_zero_are_values() {
        let parsed = |line: &str| Cli::from_args(line.split(' '));
        for line in [
            "posterity release a.csv --column c --categories -1,2500 --epsilon 1",
            "posterity release a.csv --column c --bins -5,0,5 --missing -9 --other -8 --epsilon 1",
            "posterity check a.csv --column -1 --categories -1,-2",
            "posterity release a.csv --column c --categories 1,2 --epsilon 1 --where -x>1",
        ] {
            assert!(parsed(line).is_ok(), "{line}: {:?}", parsed(line).err());
        }
        // These are wrong, and the message names what is.
        for (line, named) in [
            ("posterity rows a.json --out b.csv --rows -5", "'-5' for '--rows <N>'"),
            ("posterity release --counts 1,2 --epsilon 1 --seed -1", "'-1' for '--seed <N>'"),
            ("posterity audit --k 2 --n -3 --epsilon 1 --mechanism ehds", "'-3' for '--n <N>'"),
        ] {
            let told = parsed(line).expect_err("it is no number of this kind").to_string();
            assert!(told.contains(named), "{told}");
        }
    }

    #[test]
    fn the_declarations_are_consistent() {
        declared().debug_assert();
    }
}
