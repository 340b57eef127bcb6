//! The arguments as they are typed. Each flag is declared here and nowhere else; help is generated from it.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use posterity_core::mechanism::Name;
use posterity_core::model::{Delta, Epsilon, Gamma, Prior};

/// Publish Bayesian posteriors of categorical data with differential privacy.
///
/// From counts over declared categories, a public prior and a privacy budget epsilon, posterity releases a Beta or
/// Dirichlet posterior, says what it promises to every person in the data, and never draws noise by floating point.
#[derive(Debug, Parser)]
#[command(name = "posterity", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Draw one private release from counts.
    #[command(after_help = RELEASE_EXAMPLES)]
    Release(ReleaseArgs),
    /// Show everything exact about one mechanism at one data set. Not private.
    ///
    /// Sensitivities, the probability and the distance of every possible outcome, and the expected distance. The result
    /// depends on the data without protection: it is for choosing a mechanism on data that may be seen.
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect(InspectArgs),
}

const RELEASE_EXAMPLES: &str = "\
Examples:
  posterity release --counts 48,42 --categories cured,not --epsilon 1
  posterity release --counts 54,9,27 --prior 0.5,0.5,0.5 --epsilon 0.5 --mechanism ehds
  posterity release --counts 48,42 --epsilon 1 --seed 7      (an experiment: not private)";

const INSPECT_EXAMPLES: &str = "\
Examples:
  posterity inspect --counts 4,4 --epsilon 1 --mechanism ehds
  posterity inspect --counts 20,20,20 --epsilon 1 --mechanism lshist --format csv > law.csv";

#[derive(Debug, Args)]
pub(crate) struct ReleaseArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Names of the categories, in the order of the counts; numbers if not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) categories: Option<Vec<String>>,

    /// Probability that each reported interval holds under the released posterior
    #[arg(long, value_name = "P", default_value = "0.95", value_parser = parse_level, allow_hyphen_values = true)]
    pub(crate) level: f64,

    /// Draw from this seed instead of the system's randomness: repeatable, and therefore not private
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Release even though the mechanism promises nothing (ehdl, mh); the output says so
    #[arg(long)]
    pub(crate) not_private: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// List at most this many outcomes; refuse if there are more
    #[arg(long, value_name = "N", default_value_t = 4_000_000)]
    pub(crate) max_outcomes: u64,
}

/// What every command about one mechanism and one data set takes.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// How many records fall into each category
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub(crate) counts: String,

    /// Privacy budget: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) epsilon: Epsilon,

    /// Dirichlet parameters of the public prior, one per category [default: 1 for each]
    #[arg(long, value_name = "LIST", value_parser = parse_prior, allow_hyphen_values = true)]
    pub(crate) prior: Option<Prior>,

    /// How to draw the release
    #[arg(long, value_name = "NAME", default_value = "geometric", value_parser = mechanism_parser())]
    pub(crate) mechanism: Name,

    /// Smoothing parameter of ehds [default: 1]
    #[arg(long, value_name = "GAMMA", value_parser = parse_gamma, allow_hyphen_values = true)]
    pub(crate) gamma: Option<Gamma>,

    /// Parameter of mh, from which its smoothing follows [default: 1e-8]
    #[arg(long, value_name = "DELTA", value_parser = parse_delta, allow_hyphen_values = true)]
    pub(crate) delta: Option<Delta>,

    /// Sensitivity of ehd: exact for the prior and n, or the research's constant sqrt(1 - pi/4), which is refused where
    /// it is too small [default: exact]
    #[arg(long, value_name = "WHICH")]
    pub(crate) global_sensitivity: Option<GlobalChoice>,

    /// Cut noisy counts so that they sum to n (geometric, lshist, lsdim)
    #[arg(long)]
    pub(crate) consistent: bool,

    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values with a header
    Csv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlobalChoice {
    Exact,
    Published,
}

fn mechanism_parser() -> impl TypedValueParser<Value = Name> {
    let names = Name::ALL.map(|name| PossibleValue::new(name.as_str()).help(name.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Name>())
}

fn parse_prior(text: &str) -> Result<Prior, String> {
    let mut parameters = Vec::new();
    for (index, item) in text.split(',').enumerate() {
        let item = item.trim();
        let value = item.parse::<f64>().map_err(|_| {
            format!("prior parameter {} is {item:?}; give a finite number above zero", index + 1)
        })?;
        parameters.push(value);
    }
    Prior::new(parameters).map_err(|error| error.to_string())
}

fn parse_gamma(text: &str) -> Result<Gamma, String> {
    Gamma::new(number(text)?).map_err(|error| error.to_string())
}

fn parse_delta(text: &str) -> Result<Delta, String> {
    Delta::new(number(text)?).map_err(|error| error.to_string())
}

fn parse_level(text: &str) -> Result<f64, String> {
    let level = number(text)?;
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    Err(format!("the level is {level}; choose a number strictly between 0 and 1, such as 0.95"))
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number; write it like 0.5 or 1e-8".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_declarations_are_consistent() {
        Cli::command().debug_assert();
    }
}
