//! The public terms of a request as they are typed: budget, prior, decoder, level; and what is wrong with them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use posterity::text_file::read_text;
use posterity::{Adjacency, Decoder, Epsilon, Prior, Request, StatedPrior, Terms, TermsError};
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{MAX_TOTAL, PriorError, Setting, interval_level};
use posterity_present::Blame;

use crate::failure::Failure;
use crate::mechanism_args::MechanismArgs;
use crate::output::Printing;
use crate::progress::Progress;

/// The public terms of a release.
#[derive(Debug, Args)]
pub(crate) struct Public {
    /// Privacy budget: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    pub(crate) epsilon: Epsilon,

    #[command(flatten)]
    pub(crate) adjacency: AdjacencyArgs,

    #[command(flatten)]
    pub(crate) prior: PriorArgs,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// What is private: what a record says, or also whether it is there.
#[derive(Debug, Args)]
pub(crate) struct AdjacencyArgs {
    /// What is protected: with replace, what any one record says, and n, the number of records, is public; with
    /// add-remove, also whether anyone is in the data at all, and n is private. Then the noise is geometric, values that
    /// are not declared and missing values are left out, and --where may use any column
    #[arg(long, value_name = "NAME", default_value_t, value_parser = adjacency_parser())]
    pub(crate) adjacency: Adjacency,

    /// With add-remove: the most records that readings assume. It is published. Data with more records are
    /// released all the same [default: 10000000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_TOTAL))]
    most: Option<u64>,
}

impl AdjacencyArgs {
    /// Whether it is said how many records there are at most.
    pub(crate) fn states_most(&self) -> bool {
        self.most.is_some()
    }

    /// The terms under this adjacency, with its usual mechanism.
    fn under(&self, terms: Terms) -> Result<Terms, Failure> {
        if self.most.is_some() && self.adjacency == Adjacency::Replace {
            return Err(Failure::usage("--most", "n is public here; this is for --adjacency add-remove"));
        }
        let spec = Terms::usual_mechanism(self.adjacency);
        Ok(Terms { adjacency: self.adjacency, most: self.most.unwrap_or(Terms::MOST), spec, ..terms })
    }
}

/// One of both adjacencies, with what it means.
pub(crate) fn adjacency_parser() -> impl TypedValueParser<Value = Adjacency> {
    let means = |adjacency: Adjacency| match adjacency {
        Adjacency::Replace => "n is public",
        Adjacency::AddRemove => "whether anyone is in the data at all is protected",
    };
    let names = Adjacency::ALL.map(|one| PossibleValue::new(one.name()).help(means(one)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Adjacency>())
}

/// The public prior.
#[derive(Debug, Args)]
pub(crate) struct PriorArgs {
    /// Dirichlet parameters of the public prior: one number for all categories, or one for each, separated by commas
    /// [default: 1; with --adjacency add-remove, where they sum to 1, one part of as many as there are categories]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    prior: Option<StatedPrior>,

    /// The same from a file with one number for each category, on lines of their own or separated by commas, in the
    /// order of the categories or cells. The numbers are published: do not take them from the data
    #[arg(long, value_name = "FILE", conflicts_with = "prior")]
    prior_file: Option<PathBuf>,
}

impl PriorArgs {
    /// The prior, if one is stated.
    pub(crate) fn stated(&self) -> Result<Option<StatedPrior>, Failure> {
        let Some(path) = &self.prior_file else { return Ok(self.prior.clone()) };
        let text = read_text(path).map_err(|error| Failure::refused(format!("--prior-file: {error}")))?;
        let prior = text.parse::<Prior>().map_err(|error| match error {
            PriorError::TooFew { .. } => {
                Failure::usage("--prior-file", format!("{error}. One number for all is for --prior"))
            }
            error => Failure::usage("--prior-file", error),
        });
        Ok(Some(prior?.into()))
    }

    /// Whether a prior is stated.
    pub(crate) fn is_given(&self) -> bool {
        self.prior.is_some() || self.prior_file.is_some()
    }

    /// The flag that states the prior; the other one if none does.
    pub(crate) fn flag_or(&self, other: &'static str) -> &'static str {
        match (&self.prior, &self.prior_file) {
            (_, Some(_)) => "--prior-file",
            (Some(_), None) => "--prior",
            (None, None) => other,
        }
    }
}

impl Public {
    /// Budget and prior, with the usual mechanism.
    pub(crate) fn terms(&self) -> Result<Terms, Failure> {
        self.adjacency.under(Terms { prior: self.prior.stated()?, ..Terms::new(self.epsilon.clone()) })
    }
}

/// The terms of a release or an inspection.
pub(crate) fn terms(
    public: &Public,
    chosen: &MechanismArgs,
    decoder: Option<Decoder>,
) -> Result<Terms, Failure> {
    Ok(Terms { spec: chosen.spec(public.adjacency.adjacency), decoder, ..public.terms()? })
}

/// The request for a mechanism at public inputs. The best gamma is searched here if it is asked for.
pub(crate) fn request(terms: &Terms, setting: &Setting) -> Result<Request, Failure> {
    let progress = Progress::spinner("choosing gamma: data sets audited");
    terms
        .request_for(setting.clone(), &|done| progress.add(done))
        .map_err(|error| wrong_terms(error, "--prior", "--n"))
}

/// What is wrong with public inputs; the flags say where the prior and the number of records come from.
pub(crate) fn wrong_terms(error: TermsError, prior: &str, records: &str) -> Failure {
    match (Blame::terms(&error), error) {
        (_, TermsError::Calibration(error)) => uncalibrated(error),
        (Blame::Argument(["n"]), error) => Failure::usage(records, error),
        (Blame::Argument(["prior"]), error) => Failure::usage(prior, error),
        (Blame::Argument([flag]), error) => Failure::usage(&format!("--{flag}"), error),
        (_, error) => Failure::refused(error),
    }
}

/// The mechanism of a request, with a sign of life while a tight calibration is searched.
pub(crate) fn build(request: &Request) -> Result<Box<dyn Mechanism>, Failure> {
    let progress = Progress::spinner("calibrating: data sets audited");
    request.mechanism(&|done| progress.add(done)).map_err(uncalibrated)
}

/// What is wrong with a mechanism at public inputs.
pub(crate) fn uncalibrated(error: CalibrationError) -> Failure {
    match error {
        // The budget is right, but not for an audit.
        CalibrationError::SmallBudget { .. } => Failure::refused(error),
        _ => Failure::blamed(Blame::calibration(&error), error),
    }
}

/// How noisy counts become a posterior.
pub(crate) fn decoder_parser() -> impl TypedValueParser<Value = Decoder> {
    let names = Decoder::ALL.map(|decoder| PossibleValue::new(decoder.as_str()).help(decoder.summary()));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Decoder>())
}

/// The probability of an interval.
pub(crate) fn parse_level(text: &str) -> Result<f64, String> {
    interval_level(number(text)?).map_err(|error| error.to_string())
}

/// A number.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number; write it like 0.5 or 1e-8".to_owned())
}
