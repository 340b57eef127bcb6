//! `posterity plan`

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};

use super::discover::DiscoverArgs;
use super::listed::ListedArgs;
use super::margins::MarginsArgs;
use super::release::ReleaseArgs;
use crate::asked::PlanOfFlags;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  # The plan of a release; --plan takes it, and so does `posterity study`
  posterity plan release visits.csv --column ward --categories A,B,C --epsilon 1 > ward.toml
  posterity release --plan ward.toml --ledger clinic.ledger --account survey

  # The columns of a schema are written out
  posterity plan margins survey.csv --schema survey.schema.json --sets 2 --epsilon 1 --delta 1e-9";

/// Print the plan that the flags of a release say, and release nothing. No data is read.
///
/// A plan is public: it says what is asked, on which terms and how it is read, and nothing of counts, ledgers, keys or
/// seeds. The same plan gives the same question in the command, in Python, in R and in the pages.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlanArgs {
    /// How to write the plan
    #[arg(long, value_name = "SPELLING", default_value = "toml", global = true)]
    spelling: Spelling,

    #[command(subcommand)]
    of: PlanOf,
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Spelling {
    /// In lines, for people
    Toml,
    /// For other programs
    Json,
}

/// What the plan is for.
#[derive(Debug, Subcommand)]
enum PlanOf {
    Release(Box<ReleaseArgs>),
    Margins(Box<MarginsArgs>),
    Discover(Box<DiscoverArgs>),
    #[command(flatten)]
    Listed(Box<ListedArgs>),
}

impl PlanArgs {
    /// Brings the declarations of columns into the order in which they were given.
    pub(crate) fn order(&mut self, matches: &clap::ArgMatches) {
        let Some((_, matches)) = matches.subcommand() else { return };
        match &mut self.of {
            PlanOf::Release(args) => args.data.order(matches),
            PlanOf::Margins(args) => args.shared.data.order(matches),
            PlanOf::Discover(args) => args.shared.data.order(matches),
            PlanOf::Listed(_) => {}
        }
    }
}

/// Prints a plan.
pub(crate) fn plan(args: &PlanArgs) -> Result<(), Failure> {
    let PlanOfFlags { plan, .. } = match &args.of {
        PlanOf::Release(args) => args.plan(),
        PlanOf::Margins(args) => args.plan(),
        PlanOf::Discover(args) => args.plan(),
        PlanOf::Listed(args) => args.plan(),
    }?;
    let text = match args.spelling {
        Spelling::Toml => plan.node().to_string(),
        Spelling::Json => plan.node().to_json() + "\n",
    };
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
