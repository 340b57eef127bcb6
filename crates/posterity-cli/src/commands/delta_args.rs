//! The delta of a release, as it is typed.

use clap::Args;
use posterity::Amount;

/// The delta of a release.
#[derive(Debug, Args)]
pub(super) struct DeltaArgs {
    /// The probability with which the promise may fail, such as 1e-9: far below one part of as many as there are people
    #[arg(long, value_name = "DELTA", allow_hyphen_values = true)]
    pub(super) delta: Amount,

    /// State that a delta above 0.001 is meant: with a probability of up to delta everything about a person may be told
    #[arg(long)]
    pub(super) allow_large_delta: bool,
}
