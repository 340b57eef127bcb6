//! The public terms of a request as they are typed, and what is wrong with them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use posterity::plan::{Form, Node, Stated};
use posterity::{Decoder, Request, Terms, TermsError};
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Setting, interval_level};
use posterity_present::Blame;

use crate::failure::Failure;
use crate::fields::{Asks, FieldArgs, told};
use crate::output::Printing;
use crate::prior_file::prior_in;
use crate::progress::Progress;

/// The public terms of what is computed without data, by the fields that the command has of a plan.
#[derive(Debug, Args)]
pub(crate) struct Public<A: Asks> {
    #[command(flatten)]
    pub(crate) fields: FieldArgs<A>,

    /// The prior from a file with one number for each category, on lines of their own or separated by commas, in the order
    /// of the categories or cells. The numbers are published: do not take them from the data
    #[arg(long, value_name = "FILE", conflicts_with = "prior")]
    prior_file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Fields that a command reads for itself: how large groups are expected to be is also said without columns.
const READ_BY_COMMANDS: [&str; 1] = ["shape"];

impl<A: Asks> Public<A> {
    /// What the flags say.
    pub(crate) fn stated(&self) -> Result<Stated, Failure> {
        let said = self.fields.all().filter(|(name, _)| !READ_BY_COMMANDS.contains(name));
        let mut said: Vec<(&str, Node)> = said.collect();
        if let Some(path) = &self.prior_file {
            said.push(("prior", Form::Numbers.node(&prior_in(path)?)));
        }
        Stated::read(&Node::table(said)).map_err(|error| {
            let why = told(&error.why());
            match error.field() {
                Some("prior") => Failure::usage(self.prior_flag_or("--prior"), why),
                Some(field) => Failure::usage(&format!("--{field}"), why),
                None => Failure::Usage(why),
            }
        })
    }

    /// What the flags say, at the budget that they say. The flag of the budget is needed, so it is there.
    pub(crate) fn terms(&self) -> Result<(Stated, Terms), Failure> {
        let stated = self.stated()?;
        let epsilon =
            stated.epsilon().cloned().ok_or_else(|| Failure::usage("--epsilon", "give a budget"))?;
        let terms = stated.terms(epsilon);
        Ok((stated, terms))
    }

    /// The flag that states the prior; the other one if none does.
    pub(crate) fn prior_flag_or(&self, other: &'static str) -> &'static str {
        match (self.fields.get("prior"), &self.prior_file) {
            (_, Some(_)) => "--prior-file",
            (Some(_), None) => "--prior",
            (None, None) => other,
        }
    }

    /// Whether a prior is stated.
    pub(crate) fn states_prior(&self) -> bool {
        self.fields.get("prior").is_some() || self.prior_file.is_some()
    }
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
