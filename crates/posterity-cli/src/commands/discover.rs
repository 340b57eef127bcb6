//! `posterity discover`

use super::delta_args::DeltaArgs;
use super::paper::{answer, tell};
use super::paying::PayingArgs;
use super::pictures::{self, PictureArgs};
use crate::failure::Failure;
use crate::input::{SourceArgs, values};
use crate::intervals::IntervalArgs;
use crate::notice::warn;
use crate::output::Printing;
use clap::Args;
use posterity::data::ValuesAsked;
use posterity::{Discovery, DiscoveryError, DiscoveryTerms, Epsilon, PublishError};

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
    pub(crate) data: SourceArgs,

    /// Privacy budget: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    epsilon: Epsilon,

    #[command(flatten)]
    delta: DeltaArgs,

    /// Each person has at most one record, so that no column need name them; otherwise use --unit
    #[arg(long)]
    one_record_per_person: bool,

    /// Also release how many there are in all, with this budget besides. Only then are there shares, and a number of
    /// those whose value is not named
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    total_epsilon: Option<Epsilon>,

    #[command(flatten)]
    intervals: IntervalArgs,

    #[command(flatten)]
    paying: PayingArgs,

    #[command(flatten)]
    pictures: PictureArgs,

    #[command(flatten)]
    printing: Printing,
}

/// Discovers the categories of a column and prints the document.
pub(crate) fn discover(args: &DiscoverArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let discovery = Discovery::new(terms(args)?).allow_large_delta(args.delta.allow_large_delta);
    let mut till = args.paying.till(&args.data)?;
    pictures::check_forest(&args.pictures, 1)?;
    let check = |asked: &ValuesAsked| discovery.check(asked).map_err(refusal);
    let data = values(&args.data, till.randomness(), check)?;
    discovery.warnings().iter().for_each(warn);
    let ask = discovery.ask(data).map_err(refusal)?;
    tell((&args.printing, &args.paying, &args.pictures), answer(&mut till, ask, refusal)?)
}

/// The terms.
fn terms(args: &DiscoverArgs) -> Result<DiscoveryTerms, Failure> {
    let usual = DiscoveryTerms::new(args.epsilon.clone(), args.delta.delta.clone());
    Ok(DiscoveryTerms {
        total: args.total_epsilon.clone(),
        one_record_per_person: args.one_record_per_person,
        level: args.intervals.level_only()?.unwrap_or(usual.level),
        ..usual
    })
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::Discovery(error) => match error {
            DiscoveryError::NoUnit => {
                Failure::usage("--unit", format!("{error} (--unit COLUMN, or --one-record-per-person)"))
            }
            DiscoveryError::SeveralRecords => Failure::usage("--per-unit", error),
            DiscoveryError::Threshold(_) => Failure::usage("--delta", error),
            DiscoveryError::Level(_) => Failure::usage("--level", error),
            other => Failure::usage("--column", other),
        },
        PublishError::LargeDelta(error) => Failure::large_delta(&error),
        PublishError::Ledger(error) => Failure::ledger(error),
        other => Failure::refused(other),
    }
}
