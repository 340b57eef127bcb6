//! From raw arguments to checked values.

use posterity::{AUDIT_LIMIT, Calibration, PublishError, Request};
use posterity_core::audit::{AuditError, CalibrationError, best_gamma};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{GlobalSensitivity, Mechanism, Name, Spec};
use posterity_core::model::{Counts, Delta, Gamma, MAX_TOTAL, Prior, Setting, SettingError};

use crate::args::{CalibrationChoice, Data, GammaChoice, GlobalChoice, Parameters, Public, Size};
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
    let prior = match &public.prior {
        Some(prior) if prior.len() != k => {
            let why = SettingError::Categories { prior: prior.len(), counts: k };
            return Err(Failure::usage("--prior", why));
        }
        Some(prior) => prior.clone(),
        None => Prior::uniform(k).map_err(|error| Failure::usage("--prior", error))?,
    };
    Setting::new(prior, n, public.epsilon.clone()).map_err(|error| Failure::usage("--counts", error))
}

/// The public inputs that a size stands for.
pub(crate) fn resolve_size(size: &Size) -> Result<Setting, Failure> {
    let prior = match (&size.prior, size.k) {
        (Some(prior), _) => prior.clone(),
        (None, k) => Prior::uniform(k.unwrap_or(0)).map_err(|error| Failure::usage("--k", error))?,
    };
    Setting::new(prior, size.n, size.epsilon.clone()).map_err(|error| Failure::usage("--n", error))
}

/// The mechanism of that name with these parameters, and how its scale is set. `--gamma auto` is searched here.
pub(crate) fn resolve_mechanism(
    name: Name,
    parameters: &Parameters,
    setting: &Setting,
) -> Result<(Spec, Calibration), Failure> {
    let calibration = match parameters.calibration {
        Some(CalibrationChoice::Tight) if name.is_exponential() => Calibration::Tight,
        _ => Calibration::Proven,
    };
    let gamma = match parameters.gamma {
        None => Gamma::ONE,
        Some(GammaChoice::Value(gamma)) => gamma,
        Some(GammaChoice::Auto) if name != Name::Ehds => Gamma::ONE,
        Some(GammaChoice::Auto) if calibration == Calibration::Proven => {
            return Err(Failure::usage("--gamma", "auto is for tight calibration; add --calibration tight"));
        }
        Some(GammaChoice::Auto) => {
            let progress = Progress::spinner("choosing gamma: data sets audited");
            let (gamma, _) =
                best_gamma(setting, AUDIT_LIMIT, &|done| progress.add(done)).map_err(too_large)?;
            gamma
        }
    };
    let global = match parameters.global_sensitivity {
        Some(GlobalChoice::Published) => GlobalSensitivity::Published,
        Some(GlobalChoice::Exact) | None => GlobalSensitivity::Exact,
    };
    let delta = parameters.delta.unwrap_or(Delta::RESEARCH);
    Ok((Spec { name, gamma, delta, global, consistent: parameters.consistent }, calibration))
}

/// A request for a mechanism at public inputs, with defaults for what only a release needs.
pub(crate) fn request(setting: Setting, spec: Spec, calibration: Calibration) -> Request {
    Request {
        setting,
        decoder: Decoder::default_for(spec.name),
        spec,
        calibration,
        level: 0.95,
        allow_unproven: false,
        certificate: None,
    }
}

/// The mechanism of a request, with a sign of life while a tight calibration is searched.
pub(crate) fn build(request: &Request) -> Result<Box<dyn Mechanism>, Failure> {
    let progress = Progress::spinner("calibrating: data sets audited");
    request.mechanism(&|done| progress.add(done)).map_err(|error| match error {
        PublishError::Calibration(error) => too_large(error),
        other => Failure::refused(other),
    })
}

/// An audit that is too large has a way out.
pub(crate) fn too_large(error: CalibrationError) -> Failure {
    match error {
        CalibrationError::Audit(AuditError::TooLarge { .. }) => Failure::refused(format!(
            "{error}. Tight calibration needs an audit of all data sets: use --calibration proven, which does not"
        )),
        other => Failure::refused(other),
    }
}

/// A mechanism that does not have a parameter ignores it; the user should know.
pub(crate) fn note_unused(name: Name, parameters: &Parameters) {
    let unused = [
        ("--gamma", parameters.gamma.is_some() && name != Name::Ehds),
        ("--delta", parameters.delta.is_some() && name != Name::Mh),
        ("--global-sensitivity", parameters.global_sensitivity.is_some() && name != Name::Ehd),
        ("--consistent", parameters.consistent && !name.has_consistent_variant()),
        ("--calibration", parameters.calibration == Some(CalibrationChoice::Tight) && !name.is_exponential()),
    ];
    for (flag, _) in unused.into_iter().filter(|(_, unused)| *unused) {
        eprintln!("note: {name} does not use {flag}");
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
