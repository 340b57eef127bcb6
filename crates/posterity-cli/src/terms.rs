//! The public terms of a request as they are typed: budget, prior, decoder, level; and what is wrong with them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use posterity::text_file::read_text;
use posterity::{Decoder, Epsilon, Prior, Request, StatedPrior, Terms, TermsError};
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{PriorError, Setting, interval_level};
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
    pub(crate) prior: PriorArgs,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// The public prior.
#[derive(Debug, Args)]
pub(crate) struct PriorArgs {
    /// Dirichlet parameters of the public prior: one number for all categories, or one for each, separated by commas
    /// [default: 1]
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
        Ok(Terms { prior: self.prior.stated()?, ..Terms::new(self.epsilon.clone()) })
    }
}

/// The terms of a release or an inspection.
pub(crate) fn terms(
    public: &Public,
    chosen: &MechanismArgs,
    decoder: Option<Decoder>,
) -> Result<Terms, Failure> {
    Ok(Terms { spec: chosen.mechanism.clone(), decoder, ..public.terms()? })
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
        (Blame::Argument(["k"]), error) => Failure::usage("--k", error),
        (Blame::Argument(_), error) => Failure::usage(prior, error),
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
