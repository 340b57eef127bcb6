//! The public terms of a release, before and after the size of the data is known: every default in one place.

use posterity_core::calibrate::{self, CalibrationError};
use posterity_core::decode::{DecodeError, Decoder, noise_aware_of_draw};
use posterity_core::mechanism::{Drawing, Geometric, Lattice, Mechanism, Spec};
use posterity_core::model::{
    Adjacency, Drawn, Epsilon, Prior, PriorError, Setting, SettingError, StatedPrior,
};
use posterity_core::noise_aware::NoiseAware;
use thiserror::Error;

use crate::table::{IntervalKind, Subject, Ways};

/// All that is public about a release except the size of the data.
///
/// ```
/// use posterity::{Decoder, Publisher, Terms};
/// let terms = Terms {
///     prior: Some("0.5".parse()?),
///     spec: "tight(ehds(gamma=0.5))".parse()?,
///     ..Terms::new("1".parse()?)
/// };
/// let request = terms.request(2, 90, &|_| ())?;
/// assert_eq!((request.setting().n(), request.decoder()), (90, Decoder::None));
/// let publisher = Publisher::with_terms(terms);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The privacy budget.
    pub epsilon: Epsilon,
    /// Whether n is public or private.
    pub adjacency: Adjacency,
    /// The most records that readings assume where n is private. More of them change nothing that is printed.
    pub most: u64,
    /// The prior. If it is not given, every category has the parameter one; where n is private, all together have.
    pub prior: Option<StatedPrior>,
    /// The mechanism.
    pub spec: Spec,
    /// How released counts become a posterior; if not given, as is usual for the mechanism.
    pub decoder: Option<Decoder>,
    /// The level of the reported intervals.
    pub level: f64,
    /// Which intervals are shown.
    pub interval: IntervalKind,
    /// What the intervals are about.
    pub about: Subject,
    /// Whether all intervals of a reading hold at once.
    pub simultaneous: bool,
}

/// Terms for data of a known size; made by [`Terms::request`]. It holds public things only.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    setting: Setting,
    spec: Spec,
    /// Whether somebody stated the prior.
    stated_prior: bool,
    decoder: Decoder,
    ways: Ways,
}

/// Why public terms do not go together, or not with the size of the data.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TermsError {
    /// The prior is for another number of categories, or there is none for so many.
    #[error(transparent)]
    Prior(PriorError),
    /// Neither the prior nor anything else says how many categories there are.
    #[error("this is required: give the number of categories, or a prior with one parameter for each")]
    UnknownCategories,
    /// The prior is not one for private n.
    #[error(
        "the parameters of the prior sum to {mass}; where n is private they sum to 1, so that every n is equally likely: leave the \
         prior out, or divide its parameters by {mass}"
    )]
    PriorMass {
        /// The sum of the parameters.
        mass: f64,
    },
    /// The decoder needs n.
    #[error("the decoder {decoder} needs the number of records, which is private here; leave it out")]
    Decoder {
        /// The decoder.
        decoder: Decoder,
    },
    /// The data was counted for a release that keeps n private.
    #[error(
        "the data was counted with a private n, and these terms publish it; release with adjacency add-remove, or count again"
    )]
    PrivateN,
    /// The number of records is zero or too large.
    #[error(transparent)]
    Records(SettingError),
    /// The mechanism does not go with the public inputs, or its scale cannot be set.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
}

/// How far the sum of a prior's parameters may be from one where n is private: what rounding makes.
const PRIOR_MASS_ERROR: f64 = 1e-9;

/// The most probabilities that an audit before a release may compute.
pub const AUDIT_LIMIT: f64 = 2e10;

impl Terms {
    /// The usual probability of the reported intervals.
    pub const LEVEL: f64 = 0.95;

    /// The most records that readings assume where n is private, unless another number is given: more than there are
    /// people.
    pub const MOST: u64 = 10_000_000_000;

    /// The lattice mechanism with this budget, a uniform prior and 95 % intervals.
    ///
    /// ```
    /// use posterity::Terms;
    /// let terms = Terms::new("0.5".parse()?);
    /// assert_eq!(terms.spec.to_string(), "lattice");
    /// assert_eq!(terms.setting(3, 90)?.prior().parameters(), [1.0; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(epsilon: Epsilon) -> Self {
        Self {
            epsilon,
            adjacency: Adjacency::Replace,
            most: Self::MOST,
            prior: None,
            spec: Self::usual_mechanism(Adjacency::Replace),
            decoder: None,
            level: Self::LEVEL,
            interval: IntervalKind::default(),
            about: Subject::default(),
            simultaneous: false,
        }
    }

    /// Makes the number of records private: geometric noise on every count.
    ///
    /// ```
    /// use posterity::Terms;
    /// let terms = Terms::new("0.5".parse()?).with_private_n();
    /// assert_eq!(terms.spec.to_string(), "geometric");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_private_n(self) -> Self {
        let adjacency = Adjacency::AddRemove;
        Self { adjacency, spec: Self::usual_mechanism(adjacency), ..self }
    }

    /// The usual mechanism under an adjacency.
    #[must_use]
    pub fn usual_mechanism(adjacency: Adjacency) -> Spec {
        match adjacency {
            Adjacency::Replace => Lattice.into(),
            Adjacency::AddRemove => Geometric::default().into(),
        }
    }

    /// What a release promises and costs; nothing if the mechanism is not private.
    #[must_use]
    pub fn promised(&self) -> Option<Epsilon> {
        self.spec.promised(&self.epsilon)
    }

    /// Takes these intervals.
    #[must_use]
    pub fn with_ways(self, ways: Ways) -> Self {
        let Ways { level, interval, about, simultaneous } = ways;
        Self { level, interval, about, simultaneous, ..self }
    }

    /// The public inputs for data with k categories and n records. Where n is private, it is not looked at.
    ///
    /// # Errors
    /// [`TermsError`] if the prior is for another number of categories, or there are no records or too many.
    pub fn setting(&self, k: usize, n: u64) -> Result<Setting, TermsError> {
        let private = self.adjacency == Adjacency::AddRemove;
        let prior = match &self.prior {
            Some(prior) => prior.prior(k),
            None if private && k > 1 => Prior::new(vec![1.0 / k as f64; k]),
            None => Prior::uniform(k),
        };
        let prior = prior.map_err(TermsError::Prior)?;
        if !private {
            return Setting::new(prior, n, self.epsilon.clone()).map_err(TermsError::Records);
        }
        let mass: f64 = prior.parameters().iter().sum();
        if (mass - 1.0).abs() > PRIOR_MASS_ERROR {
            return Err(TermsError::PriorMass { mass });
        }
        Setting::of_private_n(prior, self.most, self.epsilon.clone()).map_err(TermsError::Records)
    }

    /// The public inputs without data, for n records: the number of categories is k, or else that of the prior.
    ///
    /// # Errors
    /// As [`Terms::setting`], and [`TermsError::UnknownCategories`] without k if the prior is one number for all.
    pub fn setting_without_data(&self, k: Option<usize>, n: u64) -> Result<Setting, TermsError> {
        let k = k.or_else(|| self.prior.as_ref()?.categories());
        self.setting(k.ok_or(TermsError::UnknownCategories)?, n)
    }

    /// The request for data with k categories and n records. The best gamma is searched here if it is asked for, and
    /// calls `progress` with the number of data sets done.
    ///
    /// # Errors
    /// [`TermsError`].
    pub fn request(&self, k: usize, n: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<Request, TermsError> {
        self.request_for(self.setting(k, n)?, progress)
    }

    /// The request for public inputs that these terms gave.
    ///
    /// # Errors
    /// [`TermsError`].
    pub fn request_for(
        &self,
        setting: Setting,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Request, TermsError> {
        let spec = calibrate::resolve(&self.spec, &setting, AUDIT_LIMIT, progress)?;
        let decoder = match self.decoder {
            Some(decoder) if setting.n_is_private() && decoder != Decoder::None => {
                return Err(TermsError::Decoder { decoder });
            }
            Some(decoder) => decoder,
            // The search for the best distribution takes longer than all else, so it waits until somebody asks for it.
            None => Decoder::default_for(spec.description()).fallback(),
        };
        let (stated_prior, ways) = (self.prior.is_some(), self.ways());
        Ok(Request { setting, spec, stated_prior, decoder, ways })
    }

    /// Which intervals are shown, of what, and at which level.
    #[must_use]
    pub fn ways(&self) -> Ways {
        let Self { level, interval, about, simultaneous, .. } = *self;
        Ways { level, interval, about, simultaneous }
    }
}

impl Request {
    /// Prior, number of records and budget.
    #[must_use]
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The mechanism with its parameters.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// What the mechanism draws, and how that becomes released counts.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        self.spec.drawing_under(self.setting.adjacency())
    }

    /// How released counts become a posterior.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        self.decoder
    }

    /// The level of the reported intervals.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.ways.level
    }

    /// Which intervals are shown, of what, and at which level.
    #[must_use]
    pub fn ways(&self) -> Ways {
        self.ways
    }

    /// Takes other intervals.
    pub(crate) fn with_ways(self, ways: Ways) -> Self {
        Self { ways, ..self }
    }

    /// Whether somebody stated the prior, so that credible intervals come from it.
    #[must_use]
    pub fn has_stated_prior(&self) -> bool {
        self.stated_prior
    }

    /// The mechanism, fitted to the public inputs. A tight scale is searched here, and calls `progress` with the number
    /// of data sets done.
    ///
    /// # Errors
    /// [`CalibrationError`] if there is no such mechanism.
    pub fn mechanism(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Box<dyn Mechanism>, CalibrationError> {
        calibrate::fit(&self.spec, &self.setting, AUDIT_LIMIT, progress)
    }

    /// The posterior of a draw that takes the noise into account; nothing if the likelihood of the mechanism's
    /// releases is not known. It needs no data, so anyone can compute it from a document. A scale that was set by an
    /// audit is found again by that audit.
    ///
    /// ```
    /// use posterity::{Drawn, Terms};
    /// let request = Terms::new("1".parse()?).request(2, 90, &|_| ())?;
    /// let posterior = request.noise_aware(&Drawn::new(vec![50, 40]))?.ok_or("lattice has one")?;
    /// assert!(posterior.mean()[0] > 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DecodeError`] if the noise spreads too wide.
    pub fn noise_aware(&self, drawn: &Drawn) -> Result<Option<NoiseAware>, DecodeError> {
        // Whether there is a likelihood does not depend on the scale, so nothing is audited for a mechanism without
        // one.
        if !self.spec.description().decodable {
            return Ok(None);
        }
        match self.mechanism(&|_| ()) {
            Ok(mechanism) if mechanism.has_likelihood() => noise_aware_of_draw(&*mechanism, drawn).map(Some),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use posterity_core::mechanism::FitError;

    use super::*;

    fn terms() -> Terms {
        Terms::new("1".parse().expect("positive"))
    }

    #[test]
    fn priors_are_uniform_unless_given() {
        let uniform = terms().setting(3, 9).expect("valid");
        assert_eq!(uniform.prior().parameters(), [1.0; 3]);
        assert_eq!(terms().setting_without_data(Some(3), 9), Ok(uniform));
        let given = Prior::new(vec![0.5, 2.0]).expect("valid");
        let with_prior = Terms { prior: Some(given.clone().into()), ..terms() };
        for setting in [with_prior.setting(2, 9), with_prior.setting_without_data(None, 9)] {
            assert_eq!(setting.expect("valid").prior(), &given);
        }
        let same = Terms { prior: Some(StatedPrior::Same(0.5)), ..terms() };
        for setting in [same.setting(3, 9), same.setting_without_data(Some(3), 9)] {
            assert_eq!(setting.expect("valid").prior().parameters(), [0.5; 3]);
        }
    }

    #[test]
    fn rejects() {
        let pair = Terms { prior: Some(Prior::uniform(2).expect("valid").into()), ..terms() };
        let same = Terms { prior: Some(StatedPrior::Same(0.5)), ..terms() };
        let length = TermsError::Prior(PriorError::WrongLength { found: 2, expected: 3 });
        let table = [
            (pair.setting(3, 9), length.clone()),
            (pair.setting_without_data(Some(3), 9), length),
            (same.setting_without_data(None, 9), TermsError::UnknownCategories),
            (terms().setting(1, 9), TermsError::Prior(PriorError::TooFew { found: 1 })),
            (terms().setting(2, 0), TermsError::Records(SettingError::NoRecords)),
            (terms().setting_without_data(None, 9), TermsError::UnknownCategories),
        ];
        for (found, expected) in table {
            assert_eq!(found, Err(expected));
        }
        let auto = Terms { spec: "ehds(gamma=auto)".parse().expect("valid"), ..terms() };
        let error = auto.request(2, 9, &|_| ()).expect_err("refused");
        assert_eq!(error, TermsError::Calibration(CalibrationError::Fit(FitError::AutoGamma)));
    }

    /// The best gamma is a value of the request, so that documents and questions name it.
    #[test]
    fn the_best_gamma_is_named() {
        let auto = Terms { spec: "tight(ehds(gamma=auto))".parse().expect("valid"), ..terms() };
        let request = auto.request(2, 9, &|_| ()).expect("small");
        assert!(request.spec().number("gamma").is_some(), "{}", request.spec());
    }
}
