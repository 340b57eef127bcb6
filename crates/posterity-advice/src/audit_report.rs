//! Audits as reports: what was found, and whether the claim holds.

use posterity::Request;
use posterity_core::audit::{Audit, AuditError, Scope, audit as run, audit_at as run_at};
use posterity_core::mechanism::{Description, Guarantee, Mechanism};
use posterity_core::model::{Adjacency, Counts};
use serde::Serialize;
use thiserror::Error;

use crate::calibration::{Calibration, score_of};

/// The exact privacy loss of a mechanism: over all data sets of a size, or at one data set. It does not depend on
/// private data.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// The prior's parameters.
    pub prior: Vec<f64>,
    /// The number of records; where it is private, the most that a data set has.
    pub n: u64,
    /// Which data sets were compared.
    #[serde(skip_serializing_if = "Adjacency::is_replace")]
    pub adjacency: Adjacency,
    /// The privacy budget.
    pub epsilon: f64,
    /// Gamma of ehds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// The parameter delta of mh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// What an exponential mechanism scores candidates by, if it is not the Hellinger distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// How the scale was set.
    pub calibration: Calibration,
    /// The data set that was compared with its neighbours, if not all were. The loss promises nothing then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Vec<u64>>,
    /// False where a data set is shown; absent where the audit is about all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<bool>,
    /// An upper bound on the loss.
    pub loss: f64,
    /// How far above the true value the bound may lie.
    pub slack: f64,
    /// The epsilon that the loss must not exceed.
    pub claimed: f64,
    /// Whether the loss stays within it, at the data sets that were compared.
    pub holds: bool,
    /// Where the loss is largest.
    pub witness: WitnessView,
    /// Bounds on delta at the epsilons asked for.
    pub profile: Vec<ProfilePoint>,
}

/// Where the loss is largest: `outcome` is `exp(loss)` times likelier at `from` than at `to`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WitnessView {
    /// The data set at which the outcome is likelier.
    pub from: Vec<u64>,
    /// The adjacent one.
    pub to: Vec<u64>,
    /// The released counts.
    pub outcome: Vec<u64>,
}

/// One point of the privacy profile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProfilePoint {
    /// The epsilon.
    pub epsilon: f64,
    /// An upper bound on delta at this epsilon.
    pub delta: f64,
}

/// The epsilon of a profile is negative or not finite.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("the epsilon is {value}; give numbers of zero or more")]
pub struct ProfileError {
    /// The number that was given.
    pub value: f64,
}

/// Checks an epsilon of a privacy profile, which is zero or more.
///
/// ```
/// use posterity_advice::profile_epsilon;
/// assert_eq!(profile_epsilon(0.0), Ok(0.0));
/// assert!(profile_epsilon(-1.0).is_err());
/// ```
///
/// # Errors
/// [`ProfileError`].
pub fn profile_epsilon(value: f64) -> Result<f64, ProfileError> {
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err(ProfileError { value }) }
}

/// More data sets than this do not fit into memory, whatever limit is given.
const MOST_DATA_SETS: f64 = 1e8;

/// Audits the mechanism of a request over all data sets of its size, and says whether it keeps to its epsilon. The
/// second part of the result is what a [`Certificate`](posterity::Certificate) is made of.
///
/// `profile` lists the epsilons at which delta is wanted. `limit` bounds the number of probabilities that are computed,
/// and `progress` is called with the number of data sets done.
///
/// ```
/// use posterity::Terms;
/// use posterity_advice::audit;
/// let request = Terms::new("1".parse()?).request(2, 20, &|_| ())?;
/// let mechanism = request.mechanism(&|_| ())?;
/// let (report, _) = audit(&request, &*mechanism, &[0.5], 1e6, &|_| ())?;
/// assert!(report.holds && (report.loss - 1.0).abs() < 1e-9);
/// assert!(report.profile[0].delta < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`AuditError`].
pub fn audit(
    request: &Request,
    mechanism: &dyn Mechanism,
    profile: &[f64],
    limit: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(AuditReport, Audit), AuditError> {
    let scope = Scope::of(mechanism);
    if scope.data_sets > MOST_DATA_SETS {
        // The message says how many probabilities so many data sets would take.
        let limit = limit.min(scope.probabilities * MOST_DATA_SETS / scope.data_sets);
        return Err(AuditError::TooLarge { scope, limit });
    }
    let found = run(mechanism, profile, limit, progress)?;
    Ok((report(request, mechanism, &found, None), found))
}

/// Audits the mechanism of a request at one data set: the loss between it and its neighbours. No certificate can be
/// made of it, because differential privacy is about all data sets. The report contains the counts, so they must not be
/// private.
///
/// # Errors
/// [`AuditError`].
pub fn audit_at(
    request: &Request,
    mechanism: &dyn Mechanism,
    counts: &Counts,
    profile: &[f64],
    limit: f64,
) -> Result<AuditReport, AuditError> {
    let found = run_at(mechanism, counts, profile, limit)?;
    Ok(report(request, mechanism, &found, Some(counts)))
}

fn report(
    request: &Request,
    mechanism: &dyn Mechanism,
    found: &Audit,
    counts: Option<&Counts>,
) -> AuditReport {
    let (setting, spec) = (request.setting(), request.spec());
    // A proof stands unless the audit refutes it beyond rounding; without a proof the audit itself has to show it.
    let (claimed, holds) = match mechanism.guarantee() {
        Guarantee::Pure { epsilon, .. } => (epsilon.to_f64(), found.loss_down() <= epsilon.to_f64()),
        Guarantee::None { .. } => (setting.epsilon().to_f64(), found.loss_up() <= setting.epsilon().to_f64()),
    };
    let witness = found.witness();
    AuditReport {
        mechanism: spec.description(),
        prior: setting.prior().parameters().to_vec(),
        n: setting.n(),
        adjacency: setting.adjacency(),
        epsilon: setting.epsilon().to_f64(),
        gamma: spec.number("gamma"),
        delta: spec.number("delta"),
        score: score_of(spec),
        calibration: Calibration::of(spec),
        counts: counts.map(|counts| counts.as_slice().to_vec()),
        private: counts.map(|_| false),
        loss: found.loss_up(),
        slack: 2.0 * found.rounding(),
        claimed,
        holds,
        witness: WitnessView {
            from: witness.from.clone(),
            to: witness.to.clone(),
            outcome: witness.outcome.clone(),
        },
        profile: found.profile_up().iter().map(|&(epsilon, delta)| ProfilePoint { epsilon, delta }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use posterity_testkit::fixture::{self, spec};

    use super::*;
    use posterity::Terms;

    #[test]
    fn proven_mechanisms_hold_and_the_benchmark_does_not() {
        for (name, prior, n, epsilon, holds) in
            [("geometric", vec![1.0, 1.0], 8, "1", true), ("ehdl", vec![0.05, 0.05], 300, "0.1", false)]
        {
            let prior = Some(posterity_core::model::Prior::new(prior).expect("valid").into());
            let terms = Terms { spec: spec(name), prior, ..Terms::new(fixture::epsilon(epsilon)) };
            let request = terms.request(2, n, &|_| ()).expect("valid");
            let mechanism = request.mechanism(&|_| ()).expect("valid");
            let (report, found) = audit(&request, &*mechanism, &[0.0], 1e7, &|_| ()).expect("small");
            assert_eq!(report.holds, holds, "{name}");
            assert_eq!(report.loss, found.loss_up());
            assert_eq!(report.profile.len(), 1);
        }
    }

    /// If this fails, an audit takes all memory because somebody raised the limit.
    #[test]
    fn more_data_sets_than_fit_are_refused_whatever_the_limit_is() {
        let terms = Terms { spec: spec("ehds"), ..Terms::new(fixture::epsilon("1")) };
        let request = terms.request(4, 100_000, &|_| ()).expect("valid");
        let mechanism = request.mechanism(&|_| ()).expect("valid");
        let refused = audit(&request, &*mechanism, &[], 1e300, &|_| ());
        assert!(matches!(
            refused,
            Err(AuditError::TooLarge { scope, limit }) if scope.probabilities > limit
        ));
    }

    /// At one data set the loss is smaller, and the report says which. What mhg promises is twice its epsilon.
    #[test]
    fn one_data_set() {
        let terms = Terms { spec: spec("mhg"), ..Terms::new(fixture::epsilon("1")) };
        let request = terms.request(2, 20, &|_| ()).expect("valid");
        let mechanism = request.mechanism(&|_| ()).expect("valid");
        let counts = Counts::new(vec![10, 10]).expect("valid");
        let one = audit_at(&request, &*mechanism, &counts, &[0.1], 1e6).expect("small");
        let (all, _) = audit(&request, &*mechanism, &[0.1], 1e6, &|_| ()).expect("small");
        assert_eq!((one.counts, all.counts), (Some(vec![10, 10]), None));
        assert!(one.loss < all.loss && one.profile[0].delta <= all.profile[0].delta);
        assert_eq!((all.epsilon, all.claimed, all.holds), (1.0, 2.0, true));
    }

    #[test]
    fn profiles_start_at_zero() {
        assert_eq!(profile_epsilon(0.0), Ok(0.0));
        assert_eq!(profile_epsilon(-1.0), Err(ProfileError { value: -1.0 }));
        assert!(profile_epsilon(f64::NAN).is_err());
    }
}
