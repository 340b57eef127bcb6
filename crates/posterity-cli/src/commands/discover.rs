//! `posterity discover`

use super::asking_args::AskingArgs;
use super::paper::{answer, tell};
use super::pictures;
use crate::asked::{PlanOfFlags, plan};
use crate::failure::Failure;
use crate::fields::FieldArgs;
use crate::input::{check_source, values};
use crate::notice::warn;
use clap::Args;
use posterity::PublishError;
use posterity::discovery::Discovered;
use posterity::plan::PlannedDiscovery;

const EXAMPLES: &str = "\
Examples:
  # The diagnoses that occur, which nobody can list; each patient protected
  posterity discover visits.parquet --column diagnosis --unit patient --epsilon 1 --delta 1e-9

  # With shares, and how many have a value that is not named
  posterity discover visits.parquet --column diagnosis --unit patient --epsilon 1 --delta 1e-9 \\
      --total-epsilon 0.1";

/// Name the values of a column that enough people have, where nobody can list them beforehand.
///
/// A value that one person alone has is named with a probability of at most delta. How many there are is private, and so is
/// which values occur. Where the values can be listed, `posterity release` says more for the same budget.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiscoverArgs {
    #[command(flatten)]
    pub(crate) shared: AskingArgs<FieldArgs<Discovered>>,
}

/// Discovers the categories of a column and prints the document.
pub(crate) fn discover(args: &DiscoverArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let (plan, args) = (args.plan()?, &args.shared);
    let asked: &PlannedDiscovery = plan.asked()?;
    let discovery = asked.discovery();
    let mut till = args.paying.till(&args.data, &plan)?;
    pictures::check_forest(&args.pictures, 1)?;
    let data = values(&args.data, &plan, asked.values(), till.randomness())?;
    discovery.warnings().iter().for_each(warn);
    let ask = discovery.ask(data).map_err(refusal)?;
    tell((&args.printing, &args.paying, &args.pictures), answer(&mut till, ask, refusal)?)
}

impl DiscoverArgs {
    /// What is asked for.
    pub(super) fn plan(&self) -> Result<PlanOfFlags, Failure> {
        check_source(&self.shared.data, false)?;
        plan(&self.shared.data, &self.shared.fields, None)
    }
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::LargeDelta(error) => Failure::large_delta(&error),
        PublishError::Ledger(error) => Failure::ledger(error),
        other => Failure::refused(other),
    }
}
