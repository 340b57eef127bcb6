//! The commands of kinds of releases that have none of their own: their flags, their plan and their release come from the
//! list of kinds alone.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use posterity::batch::BatchError;
use posterity::plan::Asking;

use super::asking_args::AskingArgs;
use super::paper::show;
use super::pictures;
use crate::asked::{PlanOfFlags, nothing_asked, plan_of};
use crate::failure::{Failure, both};
use crate::fields::{FieldArgs, Listed};
use crate::input::{check_source, counted};
use crate::notice::warn;
use crate::output;
use crate::progress::Progress;

/// The commands that say more of their kind than the list does.
const BY_HAND: [&str; 3] = ["release", "margins", "discover"];

/// A release of a kind that the list alone names.
#[derive(Debug)]
pub(crate) struct ListedArgs {
    asking: &'static Asking,
    fields: FieldArgs<Listed>,
    shared: AskingArgs<NoFields>,
}

/// The fields of the kind are not known to the compiler, so they are added by [`FieldArgs::of_kind`].
#[derive(Debug, Args)]
struct NoFields {}

fn all() -> impl Iterator<Item = &'static Asking> {
    Asking::all().filter(|asking| !BY_HAND.contains(&asking.command))
}

/// The command of a kind.
fn declared(asking: &'static Asking) -> Command {
    let command = FieldArgs::of_kind(asking, Command::new(asking.command));
    let command = AskingArgs::<NoFields>::augment_args(command).about(asking.about).long_about(None);
    command.mut_arg("counts", |argument| argument.hide(true))
}

impl Subcommand for ListedArgs {
    fn augment_subcommands(command: Command) -> Command {
        all().fold(command, |command, asking| command.subcommand(declared(asking)))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        all().any(|asking| asking.command == name)
    }
}

impl FromArgMatches for ListedArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (name, matches) = matches.subcommand().ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let asking = all().find(|asking| asking.command == name);
        let asking = asking.ok_or_else(|| Error::new(ErrorKind::InvalidSubcommand))?;
        let mut shared = AskingArgs::from_arg_matches(matches)?;
        shared.data.order(matches);
        Ok(Self { asking, fields: FieldArgs::typed(asking, matches)?, shared })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ListedArgs {
    /// What is asked for.
    pub(super) fn plan(&self) -> Result<PlanOfFlags, Failure> {
        check_source(&self.shared.data, false)?;
        plan_of(self.asking, &self.shared.data, &self.fields, None)
    }
}

/// Releases and prints the document.
pub(crate) fn listed(args: &ListedArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let (plan, shared) = (args.plan()?, &args.shared);
    let mut till = shared.paying.till(&shared.data, &plan)?;
    pictures::check_forest(&shared.pictures, 1)?;
    let (batch, data) = counted(&shared.data, &plan, till.randomness())?;
    plan.plan.warnings(data.n()).iter().for_each(warn);
    if till.is_charged() {
        output::check()?;
    }
    let progress = Progress::spinner("drawing the noise");
    let answers = till.answer_all(batch, &data).map_err(refusal);
    drop(progress);
    let (document, paid) = answers?.into_iter().next().ok_or_else(nothing_asked)?;
    let answer = (document.provenance(), document.n());
    shared.paying.tell_of(answer, document.is_private(), document.about(), &paid);
    let (printed, drawn) = show(&shared.printing, &shared.pictures, &document);
    both(printed.map_err(|error| shared.paying.not_printed(document.about(), error)), drawn)
}

fn refusal(error: BatchError) -> Failure {
    match error {
        BatchError::Ledger(error) => Failure::ledger(error),
        BatchError::Question { error, .. } => Failure::refused(error),
        other => Failure::refused(other),
    }
}
