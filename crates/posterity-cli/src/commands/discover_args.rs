//! What is asked where categories are discovered, as it is typed.

use clap::Args;
use posterity::{Amount, Epsilon};

use crate::failure::Failure;

/// Where help lists the flags.
const HEADING: &str = "Categories that nobody can list (--categories discover)";

/// What is asked where categories are discovered.
#[derive(Debug, Args)]
pub(crate) struct DiscoverArgs {
    /// The probability with which a value may be named that one person alone has, such as 1e-9: far below one part of as
    /// many as there are people. With --margins, the delta of its budget
    #[arg(long, value_name = "DELTA", allow_hyphen_values = true, help_heading = HEADING)]
    pub(super) delta: Option<Amount>,

    /// State that a delta above 0.001 is meant: with a probability of up to delta everything about a person may be told
    #[arg(long, requires = "delta", help_heading = HEADING)]
    pub(super) allow_large_delta: bool,

    /// Each person has at most one record, so that no column need name them; otherwise use --unit
    #[arg(long, help_heading = HEADING)]
    pub(super) one_record_per_person: bool,

    /// Also release how many there are in all, with this budget besides. Only then are there shares, and a number of
    /// those whose value is not named
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true, help_heading = HEADING)]
    pub(super) total_epsilon: Option<Epsilon>,
}

impl DiscoverArgs {
    /// Refuses what is for discovered categories only.
    pub(super) fn refuse(&self) -> Result<(), Failure> {
        let given = [
            ("--delta", self.delta.is_some()),
            ("--one-record-per-person", self.one_record_per_person),
            ("--total-epsilon", self.total_epsilon.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => {
                let both = if flag == "--delta" { " and --margins" } else { "" };
                Err(Failure::usage(flag, format!("this is for --categories discover{both}; leave it out")))
            }
            None => Ok(()),
        }
    }
}
