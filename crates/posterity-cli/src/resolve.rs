//! From raw arguments to checked values.

use posterity::mathematics::audit::AuditError;
use posterity::mathematics::calibrate::CalibrationError;
use posterity::mathematics::model::{CategoriesError, CountsError, MAX_TOTAL, Setting};
use posterity::mechanism::{FitError, Mechanism};
use posterity::{Counts, Decoder, Epsilon, Prior, Request, Terms, TermsError};

use crate::args::{AdvisedPrior, AuditSize, CountsArgs, Extent, Public};
use crate::failure::Failure;
use crate::mechanism_args::MechanismArgs;
use crate::progress::Progress;

/// A data set with its public context.
#[derive(Debug)]
pub(crate) struct ResolvedData {
    pub(crate) counts: Counts,
    pub(crate) setting: Setting,
}

impl ResolvedData {
    /// Checks the arguments against each other.
    pub(crate) fn new(data: &CountsArgs) -> Result<Self, Failure> {
        let counts = Counts::new(parse_counts(&data.counts.0)?).map_err(wrong_counts)?;
        let terms = public_terms(&data.public);
        let setting = terms
            .setting(counts.len(), counts.total())
            .map_err(|error| wrong_terms(error, "--prior", "--counts"))?;
        Ok(Self { counts, setting })
    }
}

/// Budget and prior, with the usual mechanism.
fn public_terms(public: &Public) -> Terms {
    Terms { prior: public.prior.clone(), ..Terms::new(public.epsilon.clone()) }
}

/// The terms of a release or an inspection.
pub(crate) fn terms(public: &Public, chosen: &MechanismArgs, decoder: Option<Decoder>) -> Terms {
    Terms { spec: chosen.mechanism.clone(), decoder, ..public_terms(public) }
}

/// The public inputs that a size and a budget stand for.
pub(crate) fn extent(extent: &Extent, epsilon: &Epsilon) -> Result<Setting, Failure> {
    let prior = match &extent.prior {
        Some(AdvisedPrior::Each(prior)) => Some(prior.clone()),
        // A prior has at least two parameters, so this says what is wrong.
        Some(AdvisedPrior::Cell(only)) => {
            Some(Prior::new(vec![*only]).map_err(|error| Failure::usage("--prior", error))?)
        }
        None => None,
    };
    let terms = Terms { prior, ..Terms::new(epsilon.clone()) };
    terms.setting_without_data(extent.k, extent.n).map_err(|error| wrong_terms(error, "--k", "--n"))
}

/// The public inputs of an audit, and the data set that is audited if only one is.
pub(crate) fn audited(size: &AuditSize) -> Result<(Setting, Option<Counts>), Failure> {
    let counts = size.counts.as_ref().map(|counts| parse_counts(&counts.0)).transpose()?;
    let counts = counts.map(Counts::new).transpose().map_err(wrong_counts)?;
    let terms = Terms { prior: size.prior.clone(), ..Terms::new(size.epsilon.clone()) };
    let (k, n) = match &counts {
        Some(counts) => (Some(counts.len()), counts.total()),
        None => (size.k, size.n.unwrap_or(0)),
    };
    let setting = match &counts {
        Some(counts) => terms.setting(counts.len(), n),
        None => terms.setting_without_data(k, n),
    };
    let named = if counts.is_some() { ["--prior", "--counts"] } else { ["--k", "--n"] };
    Ok((setting.map_err(|error| wrong_terms(error, named[0], named[1]))?, counts))
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
    match error {
        TermsError::Uniform(_) => Failure::usage(prior, error),
        TermsError::Length(_) => Failure::usage("--prior", error),
        TermsError::Records(_) => Failure::usage(records, error),
        TermsError::Calibration(error) => uncalibrated(error),
        other => Failure::refused(other),
    }
}

/// The mechanism of a request, with a sign of life while a tight calibration is searched.
pub(crate) fn build(request: &Request) -> Result<Box<dyn Mechanism>, Failure> {
    let progress = Progress::spinner("calibrating: data sets audited");
    request.mechanism(&|done| progress.add(done)).map_err(uncalibrated)
}

/// An audit that is too large, or too coarse for the budget, has a way out.
pub(crate) fn uncalibrated(error: CalibrationError) -> Failure {
    match error {
        CalibrationError::Audit(AuditError::TooLarge { .. }) => Failure::refused(format!(
            "{error}. A tight(..) mechanism needs an audit of all data sets: leave out tight(..), and it does not"
        )),
        CalibrationError::SmallBudget { .. } => Failure::refused(format!("{error} (leave out tight(..))")),
        CalibrationError::Fit(FitError::AutoGamma) => {
            Failure::usage("--mechanism", format!("{error}; write tight(ehds(gamma=auto))"))
        }
        other => Failure::refused(other),
    }
}

/// What is wrong with counts, and how several are written.
pub(crate) fn wrong_counts(error: CountsError) -> Failure {
    match error {
        CountsError::TooFew { .. } => Failure::usage("--counts", format!("{error}, separated by commas")),
        other => Failure::usage("--counts", other),
    }
}

/// What is wrong with the names of categories, and how several are written.
pub(crate) fn wrong_categories(error: CategoriesError) -> Failure {
    match error {
        CategoriesError::TooFew { .. } => {
            Failure::usage("--categories", format!("{error}, separated by commas"))
        }
        other => Failure::usage("--categories", other),
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
