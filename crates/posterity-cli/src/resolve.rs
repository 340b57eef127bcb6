//! From raw arguments to checked values.

use posterity::core::audit::{AuditError, CalibrationError};
use posterity::core::mechanism::{Mechanism, Name, Spec};
use posterity::core::model::{Counts, MAX_TOTAL, Setting};
use posterity::{
    Calibration, Parameters, PublishError, Request, TermsError, setting_for_data, setting_for_size,
};

use crate::args::{self, Data, Public, Size};
use crate::failure::Failure;
use crate::progress::Progress;

/// A data set with its public context.
#[derive(Debug)]
pub(crate) struct ResolvedData {
    pub(crate) counts: Counts,
    pub(crate) setting: Setting,
}

impl ResolvedData {
    /// Checks the arguments against each other.
    pub(crate) fn new(data: &Data) -> Result<Self, Failure> {
        let counts =
            Counts::new(parse_counts(&data.counts.0)?).map_err(|error| Failure::usage("--counts", error))?;
        let setting = resolve_setting(&data.public, counts.len(), counts.total())?;
        setting.check(&counts).map_err(|error| Failure::usage("--prior", error))?;
        Ok(Self { counts, setting })
    }
}

/// The public inputs for data with so many categories and records.
pub(crate) fn resolve_setting(public: &Public, k: usize, n: u64) -> Result<Setting, Failure> {
    setting_for_data(public.prior.clone(), k, n, public.epsilon.clone())
        .map_err(|error| terms(error, "--prior", "--counts"))
}

/// The public inputs that a size stands for.
pub(crate) fn resolve_size(size: &Size) -> Result<Setting, Failure> {
    setting_for_size(size.prior.clone(), size.k, size.n, size.epsilon.clone())
        .map_err(|error| terms(error, "--k", "--n"))
}

/// The mechanism of that name with these parameters, and how its scale is set. `--gamma auto` is searched here.
pub(crate) fn resolve_mechanism(
    name: Name,
    parameters: &args::Parameters,
    setting: &Setting,
) -> Result<(Spec, Calibration), Failure> {
    let progress = Progress::spinner("choosing gamma: data sets audited");
    Parameters::from(parameters)
        .resolve(name, setting, &|done| progress.add(done))
        .map_err(|error| terms(error, "--prior", "--n"))
}

/// What is wrong with public inputs; the flags say where the prior and the number of records come from.
pub(crate) fn terms(error: TermsError, prior: &str, records: &str) -> Failure {
    match error {
        TermsError::Uniform(_) => Failure::usage(prior, error),
        TermsError::Length(_) => Failure::usage("--prior", error),
        TermsError::Records(_) => Failure::usage(records, error),
        TermsError::AutoGamma => Failure::usage("--gamma", format!("{error}; add --calibration tight")),
        TermsError::Calibration(error) => uncalibrated(error),
    }
}

/// The mechanism of a request, with a sign of life while a tight calibration is searched.
pub(crate) fn build(request: &Request) -> Result<Box<dyn Mechanism>, Failure> {
    let progress = Progress::spinner("calibrating: data sets audited");
    request.mechanism(&|done| progress.add(done)).map_err(mechanism)
}

/// A mechanism that cannot be made.
pub(crate) fn mechanism(error: PublishError) -> Failure {
    match error {
        PublishError::Calibration(error) => uncalibrated(error),
        other => Failure::refused(other),
    }
}

/// An audit that is too large, or too coarse for the budget, has a way out.
pub(crate) fn uncalibrated(error: CalibrationError) -> Failure {
    match error {
        CalibrationError::Audit(AuditError::TooLarge { .. }) => Failure::refused(format!(
            "{error}. Tight calibration needs an audit of all data sets: use --calibration proven, which does not"
        )),
        CalibrationError::SmallBudget { .. } => Failure::refused(format!("{error} (--calibration proven)")),
        other => Failure::refused(other),
    }
}

/// A mechanism that does not have a parameter ignores it; the user should know.
pub(crate) fn note_unused(name: Name, parameters: &args::Parameters) {
    for parameter in Parameters::from(parameters).unused(name) {
        eprintln!("note: {name} does not use --{parameter}");
    }
}

/// Counts are private, so an error shows the first character that does not belong to one, and no more.
pub(crate) fn parse_counts(text: &str) -> Result<Vec<u64>, Failure> {
    let mut counts = Vec::new();
    for (index, item) in text.split(',').enumerate() {
        let item = item.trim();
        let position = index + 1;
        let remedy = "give whole numbers, zero or more, separated by commas";
        if let Some(wrong) = item.chars().find(|c| !c.is_ascii_digit()) {
            return Err(Failure::usage("--counts", format!("count {position} contains {wrong:?}; {remedy}")));
        }
        if item.is_empty() {
            return Err(Failure::usage("--counts", format!("count {position} is empty; {remedy}")));
        }
        let count = item.parse().map_err(|_| {
            Failure::usage(
                "--counts",
                format!("count {position} is larger than {MAX_TOTAL}, the most this version takes"),
            )
        })?;
        counts.push(count);
    }
    Ok(counts)
}
