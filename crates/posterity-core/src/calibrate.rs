//! Tight calibration: the largest scale whose audited loss stays within the budget.
//!
//! Prior, n and epsilon are public, so a scale may be chosen by looking at the exact loss over all data sets
//! (docs/proofs/audit.md). The proven scales of ehd and ehds spend a part of their budget only.

use thiserror::Error;

use crate::accuracy::over_data;
use crate::audit::{Audit, AuditError, Scope, audit};
use crate::mechanism::{Ehds, Exponential, FitError, GammaChoice, Mechanism, Spec};
use crate::model::{Delta, Gamma, Setting};
use crate::sampler::EnvelopeSampler;
use crate::score::Scoring;

/// A mechanism whose scale uses its budget up, with the audit that shows that it does not exceed it.
#[derive(Clone, Debug)]
pub struct Calibrated {
    mechanism: Exponential,
    multiplier: f64,
    audit: Audit,
}

impl Calibrated {
    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &Exponential {
        &self.mechanism
    }

    /// The scale times the sensitivity; a proven scale has `epsilon/2`, or `epsilon/(2(1+gamma))` for ehds, and more for
    /// ehds(sharp).
    #[must_use]
    pub fn multiplier(&self) -> f64 {
        self.multiplier
    }

    /// The audit at this scale.
    #[must_use]
    pub fn audit(&self) -> &Audit {
        &self.audit
    }
}

/// Why there is no tight calibration.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CalibrationError {
    /// The mechanism has no scale to tune.
    #[error("{mechanism} cannot be calibrated by audit: it has no scale to tune")]
    NoScale {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// The rounding of an audit alone is above the budget, so no scale can be shown to keep it.
    #[error(
        "epsilon is {epsilon:e}, and an audit at this size is exact up to {least:.1e} only, so no scale can be shown to lose less; \
         choose an epsilon well above {least:.1e}, or leave out tight(..)"
    )]
    SmallBudget {
        /// The budget.
        epsilon: f64,
        /// The least loss that an audit at this size can report.
        least: f64,
    },
    /// The mechanism cannot be made.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// The audit cannot be done.
    #[error(
        "{0}. A tight(..) mechanism needs an audit of all data sets: leave out tight(..), and it does not"
    )]
    Audit(#[from] AuditError),
}

/// The specification with every value that depends on public inputs: of `tight(ehds(gamma=auto))` the best gamma is
/// searched. `limit` bounds the number of probabilities that are computed, and `progress` is called with the number of
/// data sets done.
///
/// # Errors
/// [`CalibrationError`].
pub fn resolve(
    spec: &Spec,
    setting: &Setting,
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Spec, CalibrationError> {
    spec.check_adjacency(setting.adjacency())?;
    match (spec.is_tight(), spec.loose()) {
        (true, &Spec::Ehds(ehds @ Ehds { gamma: GammaChoice::Auto, .. })) => {
            let gamma = best_gamma(ehds.score, setting, None, limit, progress)?;
            let tight = Spec::from(Ehds { gamma: GammaChoice::Value(gamma), ..ehds }).tight();
            // ehds has a scale to tune.
            tight.map_err(|_| CalibrationError::NoScale { mechanism: spec.name() })
        }
        (false, Spec::Ehds(Ehds { gamma: GammaChoice::Auto, .. })) => Err(FitError::AutoGamma.into()),
        _ => Ok(spec.clone()),
    }
}

/// Fits a mechanism to public inputs, with the scale of its proof or with a tight one. `limit` bounds the number of
/// probabilities that the audits of one search compute, and `progress` is called with the number of data sets done.
///
/// ```
/// use posterity_core::calibrate::fit;
/// use posterity_core::model::{Prior, Setting};
/// let setting = Setting::new(Prior::uniform(2)?, 20, "1".parse()?)?;
/// let mechanism = fit(&"tight(ehds)".parse()?, &setting, 1e6, &|_| ())?;
/// assert_eq!(mechanism.name(), "ehds");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CalibrationError`].
pub fn fit(
    spec: &Spec,
    setting: &Setting,
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Box<dyn Mechanism>, CalibrationError> {
    let spec = resolve(spec, setting, limit, progress)?;
    if spec.is_tight() {
        return Ok(Box::new(tight(spec.loose(), setting, limit, progress)?.mechanism));
    }
    Ok(spec.fit(setting.clone())?)
}

/// The mechanism with the largest scale, up to one part in 10^4, whose audited loss is at most epsilon.
///
/// # Guarantee
/// epsilon-DP: the multiplier is found from public inputs alone, and the loss of the law that is really drawn, rounded
/// up, is at most epsilon over all adjacent data sets of this size (docs/proofs/audit.md).
///
/// # Errors
/// [`CalibrationError`].
pub fn tight(
    spec: &Spec,
    setting: &Setting,
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Calibrated, CalibrationError> {
    search(spec, setting, None, 1e-4, limit, progress)
}

/// The same at (epsilon, delta): the largest scale, up to one part in 10^4, whose audited delta at epsilon is at most this
/// one. The gamma of `ehds(gamma=auto)` is searched as by [`resolve`].
///
/// ```
/// use posterity_core::calibrate::{tight, tight_within};
/// use posterity_core::model::{Delta, Prior, Setting};
/// let setting = Setting::new(Prior::uniform(2)?, 20, "1".parse()?)?;
/// let ehds = "ehds".parse()?;
/// let pure = tight(&ehds, &setting, 1e8, &|_| ())?.multiplier();
/// let within = tight_within(&ehds, &setting, Delta::new(5e-4)?, 1e8, &|_| ())?.multiplier();
/// assert!(within > pure && within < 1.01 * pure, "{within} {pure}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Guarantee
/// (epsilon, delta)-DP: the multiplier is found from public inputs alone, and the hockey-stick divergence at epsilon of the
/// law that is really drawn, rounded up, is at most delta over all adjacent data sets of this size (docs/proofs/audit.md).
///
/// # Errors
/// [`CalibrationError`].
pub fn tight_within(
    spec: &Spec,
    setting: &Setting,
    delta: Delta,
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Calibrated, CalibrationError> {
    let spec = match *spec.loose() {
        Spec::Ehds(ehds @ Ehds { gamma: GammaChoice::Auto, .. }) => {
            let gamma = best_gamma(ehds.score, setting, Some(delta), limit, progress)?;
            Ehds { gamma: GammaChoice::Value(gamma), ..ehds }.into()
        }
        _ => spec.loose().clone(),
    };
    search(&spec, setting, Some(delta), 1e-4, limit, progress)
}

/// The gamma for which tight ehds has the least prior-predictive mean distance. It is searched over powers of two, from
/// 2^-9 to 2^4 for the Hellinger distance, then between the neighbours of the best. One over the sensitivities of
/// another score is of another size, and so are the gammas that are tried.
fn best_gamma(
    score: Scoring,
    setting: &Setting,
    delta: Option<Delta>,
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Gamma, CalibrationError> {
    let mean = |ln_gamma: f64| -> Result<f64, CalibrationError> {
        let gamma = Gamma::new(libm::exp2(ln_gamma)).unwrap_or(Gamma::ONE);
        let ehds = Ehds { gamma: GammaChoice::Value(gamma), score, ..Ehds::default() };
        let tight = search(&ehds.into(), setting, delta, 3e-3, limit, progress)?;
        Ok(over_data(tight.mechanism(), limit)?.mean)
    };
    let spec = Spec::from(Ehds { score, ..Ehds::default() });
    let shift = spec.fit(setting.clone())?.tunable().map_or(0, Exponential::gamma_shift);
    let mut best = (0.0, f64::INFINITY);
    for power in shift - 9..=shift + 4 {
        let value = mean(f64::from(power))?;
        if value < best.1 {
            best = (f64::from(power), value);
        }
    }
    let mut step = 0.5;
    while step > 0.05 {
        for power in [best.0 - step, best.0 + step] {
            let value = mean(power)?;
            if value < best.1 {
                best = (power, value);
                break;
            }
        }
        step /= 2.0;
    }
    Ok(Gamma::new(libm::exp2(best.0)).unwrap_or(Gamma::ONE))
}

/// About how many audits a search takes: a few to bracket the scale and 13 to halve the bracket to one part in 10^4.
const AUDITS: f64 = 20.0;

/// The largest scale that keeps to epsilon, or to epsilon and delta where there is one.
fn search(
    spec: &Spec,
    setting: &Setting,
    delta: Option<Delta>,
    tolerance: f64,
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Calibrated, CalibrationError> {
    let no_scale = CalibrationError::NoScale { mechanism: spec.name() };
    let mechanism = spec.loose().fit(setting.clone())?.tunable().ok_or(no_scale)?.clone();
    let epsilon = setting.epsilon().to_f64_down();
    let scope = Scope::of(&mechanism);
    scope.times(AUDITS).within(limit)?;
    let least = Audit::least_rounding(scope.outcomes);
    let too_small = || CalibrationError::SmallBudget { epsilon: setting.epsilon().to_f64(), least };
    if epsilon < least {
        return Err(too_small());
    }
    let try_at = |multiplier: f64| -> Result<Option<Calibrated>, CalibrationError> {
        let mechanism = mechanism.clone().with_multiplier(multiplier);
        let audit = match delta {
            None => audit(&mechanism, &[], limit, progress)?,
            Some(_) => audit(&mechanism, &[epsilon], limit, progress)?,
        };
        let keeps = match (delta, audit.profile_up()) {
            (Some(delta), [(_, least)]) => *least <= delta.value(),
            _ => audit.loss_up() <= epsilon,
        };
        Ok(keeps.then(|| Calibrated { mechanism: mechanism.audited(), multiplier, audit }))
    };
    // Bracket the largest multiplier that is private: double or halve until it is passed.
    let mut low = None;
    let mut multiplier = epsilon / 2.0;
    let mut high = loop {
        match try_at(multiplier)? {
            Some(found) => {
                low = Some(found);
                // Every sensitivity is at most one, so no scale is smaller than the multiplier.
                if multiplier > EnvelopeSampler::MAX_SCALE {
                    break multiplier;
                }
                multiplier *= 2.0;
            }
            None => {
                let high = multiplier;
                while low.is_none() {
                    // All scales are zero below this, and stay so.
                    if multiplier < 2.0 * EnvelopeSampler::MIN_SCALE {
                        return Err(too_small());
                    }
                    multiplier /= 2.0;
                    low = try_at(multiplier)?;
                }
                break high;
            }
        }
    };
    let mut best = match low {
        Some(low) => low,
        // Not reached: the loop above does not end without one.
        None => return Err(CalibrationError::NoScale { mechanism: mechanism.name() }),
    };
    while high > best.multiplier * (1.0 + tolerance) {
        let middle = libm::sqrt(high * best.multiplier);
        match try_at(middle)? {
            Some(found) => best = found,
            None => high = middle,
        }
    }
    Ok(best)
}
