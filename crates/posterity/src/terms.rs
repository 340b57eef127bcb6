//! From what a user says to checked public inputs: every default in one place.

use posterity_core::audit::{CalibrationError, best_gamma};
use posterity_core::mechanism::{GlobalSensitivity, Name, Spec};
use posterity_core::model::{Delta, Epsilon, Gamma, Prior, PriorError, Setting, SettingError};
use thiserror::Error;

use crate::publisher::{AUDIT_LIMIT, Calibration};

/// The parameters that some mechanisms have, as far as they were given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parameters {
    /// Smoothing parameter of ehds; 1 if not given.
    pub gamma: Option<GammaChoice>,
    /// Parameter of mh; 1e-8 if not given.
    pub delta: Option<Delta>,
    /// Sensitivity of ehd; exact if not given.
    pub global: Option<GlobalSensitivity>,
    /// Cut noisy counts so that they sum to n (geometric, lshist, lsdim).
    pub consistent: bool,
    /// How the scale of an exponential mechanism is set; by the proof if not given.
    pub calibration: Option<Calibration>,
}

/// A gamma, or the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GammaChoice {
    /// This one.
    Value(Gamma),
    /// The one for which a tightly calibrated ehds is nearest to the truth.
    Auto,
}

/// Why public inputs do not go together.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TermsError {
    /// There is no uniform prior for so many categories.
    #[error(transparent)]
    Uniform(PriorError),
    /// The prior is for another number of categories.
    #[error(transparent)]
    Length(SettingError),
    /// The number of records cannot be.
    #[error(transparent)]
    Records(SettingError),
    /// The best gamma is known for tight calibration only.
    #[error("auto is for tight calibration")]
    AutoGamma,
    /// The best gamma cannot be found.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
}

/// The public inputs for data with k categories and n records; the prior is uniform unless given.
///
/// # Errors
/// [`TermsError`].
pub fn setting_for_data(
    prior: Option<Prior>,
    k: usize,
    n: u64,
    epsilon: Epsilon,
) -> Result<Setting, TermsError> {
    let prior = match prior {
        Some(prior) if prior.len() != k => {
            return Err(TermsError::Length(SettingError::Categories { prior: prior.len(), counts: k }));
        }
        Some(prior) => prior,
        None => Prior::uniform(k).map_err(TermsError::Uniform)?,
    };
    Setting::new(prior, n, epsilon).map_err(TermsError::Records)
}

/// The public inputs without data: a prior, or a number of categories for a uniform one.
///
/// # Errors
/// [`TermsError`].
pub fn setting_for_size(
    prior: Option<Prior>,
    k: Option<usize>,
    n: u64,
    epsilon: Epsilon,
) -> Result<Setting, TermsError> {
    let prior = match prior {
        Some(prior) => prior,
        None => Prior::uniform(k.unwrap_or(0)).map_err(TermsError::Uniform)?,
    };
    Setting::new(prior, n, epsilon).map_err(TermsError::Records)
}

impl Parameters {
    /// The mechanism of that name with these parameters, and how its scale is set. The best gamma is searched here, and
    /// calls `progress` with the number of data sets done.
    ///
    /// # Errors
    /// [`TermsError`].
    pub fn resolve(
        &self,
        name: Name,
        setting: &Setting,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Spec, Calibration), TermsError> {
        let calibration = match self.calibration {
            Some(Calibration::Tight) if name.is_exponential() => Calibration::Tight,
            _ => Calibration::Proven,
        };
        let gamma = match self.gamma {
            Some(GammaChoice::Value(gamma)) => gamma,
            Some(GammaChoice::Auto) if name == Name::Ehds => match calibration {
                Calibration::Proven => return Err(TermsError::AutoGamma),
                Calibration::Tight => best_gamma(setting, AUDIT_LIMIT, progress)?.0,
            },
            None | Some(GammaChoice::Auto) => Gamma::ONE,
        };
        let spec = Spec {
            name,
            gamma,
            delta: self.delta.unwrap_or(Delta::RESEARCH),
            global: self.global.unwrap_or_default(),
            consistent: self.consistent,
        };
        Ok((spec, calibration))
    }

    /// The names of parameters that were given and that the mechanism does not have.
    pub fn unused(&self, name: Name) -> impl Iterator<Item = &'static str> {
        let unused = [
            ("gamma", self.gamma.is_some() && name != Name::Ehds),
            ("delta", self.delta.is_some() && name != Name::Mh),
            ("global-sensitivity", self.global.is_some() && name != Name::Ehd),
            ("consistent", self.consistent && !name.has_consistent_variant()),
            ("calibration", self.calibration == Some(Calibration::Tight) && !name.is_exponential()),
        ];
        unused.into_iter().filter(|(_, unused)| *unused).map(|(parameter, _)| parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epsilon() -> Epsilon {
        "1".parse().expect("positive")
    }

    #[test]
    fn priors_are_uniform_unless_given() {
        let uniform = setting_for_data(None, 3, 9, epsilon()).expect("valid");
        assert_eq!(uniform.prior().parameters(), [1.0; 3]);
        assert_eq!(setting_for_size(None, Some(3), 9, epsilon()), Ok(uniform));
        let given = Prior::new(vec![0.5, 2.0]).expect("valid");
        for setting in [
            setting_for_data(Some(given.clone()), 2, 9, epsilon()),
            setting_for_size(Some(given.clone()), None, 9, epsilon()),
        ] {
            assert_eq!(setting.expect("valid").prior(), &given);
        }
    }

    #[test]
    fn rejects() {
        let prior = || Prior::uniform(2).expect("valid");
        let table = [
            (
                setting_for_data(Some(prior()), 3, 9, epsilon()),
                TermsError::Length(SettingError::Categories { prior: 2, counts: 3 }),
            ),
            (setting_for_data(None, 1, 9, epsilon()), TermsError::Uniform(PriorError::TooFew { found: 1 })),
            (setting_for_data(None, 2, 0, epsilon()), TermsError::Records(SettingError::NoRecords)),
            (
                setting_for_size(None, None, 9, epsilon()),
                TermsError::Uniform(PriorError::TooFew { found: 0 }),
            ),
        ];
        for (found, expected) in table {
            assert_eq!(found, Err(expected));
        }
        let auto = Parameters { gamma: Some(GammaChoice::Auto), ..Parameters::default() };
        let setting = Setting::new(prior(), 9, epsilon()).expect("valid");
        assert_eq!(auto.resolve(Name::Ehds, &setting, &|_| ()), Err(TermsError::AutoGamma));
        assert!(auto.resolve(Name::Ehd, &setting, &|_| ()).is_ok());
    }

    #[test]
    fn parameters_of_other_mechanisms_are_named() {
        let all = Parameters {
            gamma: Some(GammaChoice::Auto),
            delta: Some(Delta::RESEARCH),
            global: Some(GlobalSensitivity::Exact),
            consistent: true,
            calibration: Some(Calibration::Tight),
        };
        let unused = |name| all.unused(name).collect::<Vec<_>>();
        assert_eq!(
            unused(Name::Lattice),
            ["gamma", "delta", "global-sensitivity", "consistent", "calibration"]
        );
        assert_eq!(unused(Name::Ehds), ["delta", "global-sensitivity", "consistent"]);
        assert_eq!(unused(Name::Geometric), ["gamma", "delta", "global-sensitivity", "calibration"]);
        assert_eq!(Parameters::default().unused(Name::Lattice).next(), None);
    }
}
