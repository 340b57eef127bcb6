//! The public terms of a request as they are typed: budget, prior, decoder, level; and what is wrong with them.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use posterity::{Decoder, Epsilon, Prior, Request, Terms, TermsError};
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Setting, interval_level};
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

    /// Dirichlet parameters of the public prior, one per category [default: 1 for each]
    #[arg(long, value_name = "LIST", value_parser = parse_prior, allow_hyphen_values = true)]
    pub(crate) prior: Option<Prior>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

impl Public {
    /// Budget and prior, with the usual mechanism.
    pub(crate) fn terms(&self) -> Terms {
        Terms { prior: self.prior.clone(), ..Terms::new(self.epsilon.clone()) }
    }
}

/// The terms of a release or an inspection.
pub(crate) fn terms(public: &Public, chosen: &MechanismArgs, decoder: Option<Decoder>) -> Terms {
    Terms { spec: chosen.mechanism.clone(), decoder, ..public.terms() }
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

/// The parameters of a prior, separated by commas.
pub(crate) fn parse_prior(text: &str) -> Result<Prior, String> {
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

/// The probability of an interval.
pub(crate) fn parse_level(text: &str) -> Result<f64, String> {
    interval_level(number(text)?).map_err(|error| error.to_string())
}

/// A number.
pub(crate) fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "this is not a number; write it like 0.5 or 1e-8".to_owned())
}
