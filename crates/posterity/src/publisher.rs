//! From counts to a release.

use posterity_core::audit::{CalibrationError, tight};
use posterity_core::decode::{DecodeError, Decoded, Decoder, noise_aware};
use posterity_core::mechanism::{
    Basis, GlobalSensitivity, Guarantee, Mechanism, Name, ReleaseError, Spec, SpecError,
};
use posterity_core::model::{Epsilon, LevelError, PriorError, Setting};
use posterity_core::sampler::{BitSource, SeededBits};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::certificate::{Certificate, CertificateError};
use crate::input::Input;
use crate::release::{GuaranteeStatement, NoiseAwareSummary, Posterior, Recalled, Release, percent};
use crate::system_bits::SystemBits;
use crate::wide_noise::{fallback, is_too_wide};
use posterity_ledger::{Amount, Charge, ChargeOutcome, Ledger, LedgerError, Timestamp};

/// All that is public about a release.
#[derive(Clone, Debug)]
pub struct Request {
    /// Prior, number of records and budget.
    pub setting: Setting,
    /// The mechanism.
    pub spec: Spec,
    /// How its scale is set.
    pub calibration: Calibration,
    /// How what it draws becomes a posterior.
    pub decoder: Decoder,
    /// The probability of the reported intervals.
    pub level: f64,
    /// Whether a mechanism without a guarantee may be used; its release is marked not private.
    pub allow_unproven: bool,
    /// An audit of this very request, whose loss is then the guarantee of a mechanism that has no other.
    pub certificate: Option<Certificate>,
}

/// How the scale of an exponential mechanism is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calibration {
    /// By the proof.
    #[default]
    Proven,
    /// By an exact audit of all data sets of this size, to use the budget up.
    Tight,
}

/// The most probabilities that an audit before a release may compute.
pub const AUDIT_LIMIT: f64 = 2e10;

impl Request {
    /// A request for a mechanism at public inputs, with the decoder that belongs to it and 95 % intervals.
    #[must_use]
    pub fn new(setting: Setting, spec: Spec, calibration: Calibration) -> Self {
        Self {
            setting,
            decoder: Decoder::default_for(spec.name),
            spec,
            calibration,
            level: Self::LEVEL,
            allow_unproven: false,
            certificate: None,
        }
    }

    /// The probability of reported intervals, unless told otherwise.
    pub const LEVEL: f64 = 0.95;

    /// The mechanism, fitted to the public inputs; a tight calibration is searched here, and calls `progress` with the number
    /// of data sets done.
    ///
    /// # Errors
    /// [`PublishError`] if there is no such mechanism.
    pub fn mechanism(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Box<dyn Mechanism>, PublishError> {
        Ok(match self.calibration {
            Calibration::Proven => self.spec.build(self.setting.clone())?,
            Calibration::Tight => {
                Box::new(tight(&self.spec, &self.setting, AUDIT_LIMIT, progress)?.mechanism().clone())
            }
        })
    }

    /// What the release of this mechanism may promise: its own guarantee, or else what a certificate shows.
    fn guarantee(
        &self,
        mechanism: &dyn Mechanism,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Guarantee, PublishError> {
        let Some(certificate) = &self.certificate else { return Ok(mechanism.guarantee()) };
        let loss = certificate.check(self, mechanism, AUDIT_LIMIT, progress)?;
        match mechanism.guarantee() {
            Guarantee::None { .. } => {
                let epsilon = Epsilon::from_f64(loss).map_err(|_| CertificateError::Changed)?;
                Ok(Guarantee::Pure { epsilon, basis: Basis::Audit })
            }
            proven => Ok(proven),
        }
    }
}

/// Where the randomness comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Randomness {
    /// The operating system.
    System,
    /// A seed that anyone may know: for experiments. The release is marked not private.
    Seed(u64),
}

/// Why nothing was released. Says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PublishError {
    /// The mechanism promises nothing, and that was not asked for.
    #[error("{mechanism} has no proven privacy guarantee, because {reason}")]
    Unproven {
        /// The mechanism.
        mechanism: Name,
        /// Why nothing is proven.
        reason: &'static str,
    },
    /// An experiment is not paid for.
    #[error("a release from a seed is not private and cannot be charged; leave out the seed, or the ledger")]
    SeedWithLedger,
    /// Which records stand for their units was drawn from a seed.
    #[error(
        "the records of units were drawn from a seed, which anyone can repeat; release with that seed, or count again without"
    )]
    SeededData,
    /// The ledger refused or failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A document in the ledger is not one of this version.
    #[error("the stored release cannot be read by this version; ask for a new one, which is charged")]
    StoredDocument,
    /// The decoder cannot be used with the mechanism, or failed.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The names do not fit the prior.
    #[error(
        "there are {categories} category names for {prior} prior parameters; give one name per parameter"
    )]
    Names {
        /// How many names there are.
        categories: usize,
        /// How many parameters the prior has.
        prior: usize,
    },
    /// The mechanism does not go with the setting.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is no tight calibration.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The certificate does not count.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The interval level is no probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The released counts do not fit the prior; cannot happen for counts from a mechanism.
    #[error(transparent)]
    Posterior(#[from] PriorError),
}

/// Draws once and writes the release document.
///
/// The order is: refuse whatever can be refused; charge; draw; record; return. So a bad request costs nothing, nothing is
/// drawn that was not charged, and nothing leaves that was not recorded. A question that the ledger has answered before is
/// answered from there, read anew with the decoder and the level that are asked for, and nothing is charged.
///
/// # Errors
/// [`PublishError`]; then nothing was released. If the failure came after the charge, the charge stays.
pub fn publish(
    request: &Request,
    input: &Input,
    randomness: Randomness,
    budget: Option<Budget<'_>>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Published, PublishError> {
    if input.is_seeded() && randomness == Randomness::System {
        return Err(PublishError::SeededData);
    }
    let prepared = Prepared::new(request, input, progress)?;
    let Some(budget) = budget else {
        let mut bits = randomness.bits();
        let released = prepared.mechanism.release(input.counts_of(), &mut *bits)?;
        let release = prepared.document(request, input, released, randomness.seed(), None)?;
        return Ok(Published { release, payment: Payment::Nothing });
    };
    if randomness != Randomness::System {
        return Err(PublishError::SeedWithLedger);
    }
    let charge = prepared.charge(request, input)?;
    // Counts that someone typed have no name by which they could be recognised.
    let again = budget.again || input.description().is_none();
    match budget.ledger.charge_or_recall(budget.account, &charge, again, &budget.now)? {
        ChargeOutcome::Recalled(stored) => {
            let drawn = stored.recorded.to_string();
            let stored: Release =
                serde_json::from_str(&stored.document).map_err(|_| PublishError::StoredDocument)?;
            let recalled = Recalled { drawn };
            let release = prepared.document(request, input, stored.released_counts, None, Some(recalled))?;
            Ok(Published { release, payment: Payment::Recalled })
        }
        ChargeOutcome::Charged(receipt) => {
            let mut bits = Randomness::System.bits();
            let released = prepared.mechanism.release(input.counts_of(), &mut *bits)?;
            let mut release = prepared.document(request, input, released, None, None)?;
            if input.description().is_none() {
                release.notes.push(NAMELESS.to_owned());
            }
            let document = serde_json::to_string(&release).map_err(|_| PublishError::StoredDocument)?;
            budget.ledger.record(&receipt, &document, &budget.now)?;
            let remaining = budget.ledger.account(budget.account)?.remaining_epsilon;
            Ok(Published {
                release,
                payment: Payment::Charged { epsilon: charge.epsilon().clone(), remaining },
            })
        }
    }
}

/// A release and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// The document.
    pub release: Release,
    /// What was paid.
    pub payment: Payment,
}

/// What a release cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// No ledger was given.
    Nothing,
    /// The ledger had the answer.
    Recalled,
    /// The account was charged.
    Charged {
        /// How much.
        epsilon: Amount,
        /// What is left.
        remaining: Amount,
    },
}

/// Who pays for a release.
#[derive(Debug)]
pub struct Budget<'a> {
    /// The ledger.
    pub ledger: &'a mut Ledger,
    /// The account in it.
    pub account: &'a str,
    /// Draw and pay again even if the ledger has the answer to the same question.
    pub again: bool,
    /// The time to write into the ledger.
    pub now: Timestamp,
}

impl Randomness {
    fn bits(self) -> Box<dyn BitSource> {
        match self {
            Self::System => Box::new(SystemBits::new()),
            Self::Seed(seed) => Box::new(SeededBits::new(seed)),
        }
    }

    /// The bits by which records of units are drawn: others than those of the noise. For records that are counted in memory;
    /// see [`Input::counted`].
    #[cfg(feature = "data")]
    #[must_use]
    pub fn bits_of_data(self) -> Box<dyn BitSource> {
        match self {
            Self::System => Box::new(SystemBits::new()),
            Self::Seed(seed) => Box::new(SeededBits::new(!seed)),
        }
    }

    fn seed(self) -> Option<u64> {
        match self {
            Self::System => None,
            Self::Seed(seed) => Some(seed),
        }
    }
}

/// A request that nothing speaks against.
struct Prepared {
    mechanism: Box<dyn Mechanism>,
    guarantee: Guarantee,
}

impl Prepared {
    fn new(request: &Request, input: &Input, progress: &(dyn Fn(u64) + Sync)) -> Result<Self, PublishError> {
        let Request { setting, spec, level, allow_unproven, .. } = request;
        let names = input.categories().names().len();
        if names != setting.k() {
            return Err(PublishError::Names { categories: names, prior: setting.k() });
        }
        if !(*level > 0.0 && *level < 1.0) {
            return Err(LevelError { value: *level }.into());
        }
        setting.check(input.counts_of()).map_err(ReleaseError::Setting)?;
        let mechanism = request.mechanism(progress)?;
        let guarantee = request.guarantee(&*mechanism, progress)?;
        if let Guarantee::None { reason } = guarantee
            && !allow_unproven
        {
            return Err(PublishError::Unproven { mechanism: spec.name, reason });
        }
        if !request.decoder.suits(&*mechanism) {
            return Err(DecodeError::NoEvidence { mechanism: spec.name }.into());
        }
        Ok(Self { mechanism, guarantee })
    }

    /// What the release costs, and the question that it answers.
    fn charge(&self, request: &Request, input: &Input) -> Result<Charge, PublishError> {
        match &self.guarantee {
            Guarantee::Pure { epsilon, .. } => {
                let epsilon = Amount::from_rational(epsilon.rational().clone()).map_err(LedgerError::from)?;
                Ok(Charge::new(question(request, input), epsilon, Amount::ZERO)?)
            }
            Guarantee::None { reason } => {
                Err(PublishError::Unproven { mechanism: request.spec.name, reason })
            }
        }
    }

    /// The document of released counts. The data has no part in it.
    fn document(
        &self,
        request: &Request,
        input: &Input,
        released: Vec<u64>,
        seed: Option<u64>,
        recalled: Option<Recalled>,
    ) -> Result<Release, PublishError> {
        let Request { setting, spec, level, .. } = request;
        let read = Reading::new(request, &*self.mechanism, &released)?;
        let proven = matches!(self.guarantee, Guarantee::Pure { .. });
        let parameter = setting.epsilon();
        // One epsilon is told: what is promised. What the mechanism was given is its parameter.
        let (epsilon, epsilon_parameter) = match &self.guarantee {
            Guarantee::Pure { epsilon, .. } if epsilon != parameter => {
                (epsilon.to_f64_shown(), Some(parameter.to_f64()))
            }
            Guarantee::Pure { .. } | Guarantee::None { .. } => (parameter.to_f64_shown(), None),
        };
        let parameters = read.decoded.posterior.clone();
        Ok(Release {
            format: Release::FORMAT,
            about: input.about().clone(),
            mechanism: spec.name.to_string(),
            prior: setting.prior().clone(),
            n: setting.n(),
            epsilon,
            epsilon_parameter,
            delta: spec.delta_used().unwrap_or(0.0),
            gamma: spec.gamma_used(),
            calibration: request.calibration,
            certificate: request.certificate.as_ref().map(|certificate| certificate.hash.clone()),
            guarantee: GuaranteeStatement::new(spec.name, &self.guarantee, input.about(), setting.n(), seed),
            per_unit: input.unit_rule().map(ToOwned::to_owned),
            decoder: read.decoder,
            posterior: Posterior {
                categories: input.categories().clone(),
                mean: parameters.mean(),
                intervals: parameters.intervals(*level)?,
                level: *level,
                parameters,
            },
            expected_distance: read.decoded.expected_distance,
            private: proven && seed.is_none(),
            notes: read
                .notes(*level)
                .chain(warnings(proven, seed, recalled.as_ref()))
                .chain(input.has_published_keys().then(|| KEYS.to_owned()))
                .collect(),
            recalled,
            noise_aware: read.noise_aware,
            released_counts: released,
            seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }
}

const KEYS: &str = "The categories are the keys of a mapping, and are published as they stand: nothing is promised about which keys \
                    there are. They must not come from the data.";

const NAMELESS: &str = "The data has no name by which the ledger could recognise it: the same question is charged again each time. A name \
                        for this data would let the ledger answer it for nothing.";

/// What is asked, in one canonical line: all that changes the law of the draw, and where the data comes from. How the draw is
/// read afterwards is no part of it.
fn question(request: &Request, input: &Input) -> String {
    let Request { setting, spec, .. } = request;
    let question = serde_json::json!({
        "version": 1,
        "data": input.description().map_or_else(|| unnamed(input), ToOwned::to_owned),
        "unit": input.unit(),
        "categories": input.categories().names(),
        "n": setting.n(),
        "prior": setting.prior(),
        "mechanism": spec.name,
        "gamma": spec.gamma_used(),
        "delta": spec.delta_used(),
        "consistent": spec.consistent,
        "published_sensitivity": spec.global == GlobalSensitivity::Published,
        "calibration": request.calibration,
        "epsilon": setting.epsilon().rational().to_string(),
    });
    question.to_string()
}

/// Data without a name is described by its columns. It is never taken for the same as other data.
fn unnamed(input: &Input) -> String {
    let about = input.about();
    if about.columns.is_empty() {
        return "counts".to_owned();
    }
    serde_json::json!({
        "version": 1, "columns": about.columns, "where": about.filter, "unit": about.unit, "per_unit": about.per_unit
    })
    .to_string()
}

/// What is made of the released counts. The data has no part in it.
struct Reading {
    decoder: Decoder,
    decoded: Decoded,
    noise_aware: Option<NoiseAwareSummary>,
    /// Why the noise is not modelled although its law is known.
    failed: Option<DecodeError>,
}

impl Reading {
    fn new(request: &Request, mechanism: &dyn Mechanism, released: &[u64]) -> Result<Self, PublishError> {
        let (aware, failed) = match noise_aware(mechanism, released) {
            Ok(aware) => (Some(aware), None),
            Err(DecodeError::NoEvidence { .. }) => (None, None),
            Err(error) if is_too_wide(&error) => (None, Some(error)),
            Err(other) => return Err(other.into()),
        };
        let decoder = if failed.is_some() { fallback(request.decoder) } else { request.decoder };
        let decoded = decoder.decode_with(mechanism, released, aware.as_ref())?;
        let noise_aware = aware.map(|aware| NoiseAwareSummary::new(&aware, request.level)).transpose()?;
        Ok(Self { decoder, decoded, noise_aware, failed })
    }

    fn notes(&self, level: f64) -> impl Iterator<Item = String> {
        let decoding = match self.decoder {
            Decoder::None => None,
            Decoder::Projection => Some("the nearest counts that are possible".to_owned()),
            Decoder::Mean => Some("the expected counts given the noisy ones, rounded".to_owned()),
            Decoder::Moments => {
                Some("the means and the total variance of the noise-aware posterior".to_owned())
            }
            Decoder::Best => Some(format!(
                "the distribution that is expected nearest to the true posterior given the noisy counts (found from {})",
                self.decoded.start
            )),
        };
        let decoding = decoding.map(|what| {
            format!("The Dirichlet parameters were decoded from the noisy counts: {what}. That uses no data and costs no privacy.")
        });
        let reading = match (&self.noise_aware, &self.failed) {
            (Some(_), _) => format!(
                "The noise-aware means and intervals take the privacy noise into account. On average over data drawn from the prior, \
                 {} % of such intervals hold the true proportion. That is no statement about this one interval, and none about data \
                 for which the prior is far off. The intervals of the released Dirichlet distribution have not even that property.",
                percent(level)
            ),
            (None, Some(error)) => format!(
                "The privacy noise is not modelled ({error}). The intervals are those of the released posterior and cover the truth \
                 less often than their level says."
            ),
            (None, None) => "The intervals are those of the released posterior. They do not include the privacy noise, so they cover \
                              the truth less often than their level says; the smaller n and epsilon, the less often."
                .to_owned(),
        };
        decoding.into_iter().chain([reading])
    }
}

fn warnings(proven: bool, seed: Option<u64>, recalled: Option<&Recalled>) -> impl Iterator<Item = String> {
    let before = recalled.map(|Recalled { drawn }| {
        format!("Recalled from the ledger: it was drawn at {drawn}, and the data may have changed since.")
    });
    let seeded = seed
        .map(|seed| format!("Drawn from seed {seed}: anyone can repeat the noise, so nothing is protected."));
    let unproven = (!proven)
        .then(|| "The mechanism has no proven guarantee: do not publish this as private.".to_owned());
    seeded.into_iter().chain(unproven).chain(before)
}

#[cfg(test)]
mod tests {
    use posterity_core::audit::audit;
    use posterity_core::model::{Categories, Counts, Prior};

    use super::*;
    use crate::release::Promise;

    fn publish(request: &Request, input: &Input, randomness: Randomness) -> Result<Release, PublishError> {
        super::publish(request, input, randomness, None, &|_| ()).map(|published| published.release)
    }

    fn request(name: Name) -> Request {
        let prior = Prior::uniform(2).expect("valid");
        Request {
            setting: Setting::new(prior, 90, Epsilon::from_f64(1.0).expect("positive")).expect("valid"),
            spec: Spec::new(name),
            calibration: Calibration::Proven,
            decoder: Decoder::default_for(name),
            level: 0.95,
            allow_unproven: false,
            certificate: None,
        }
    }

    fn input(counts: [u64; 2]) -> Input {
        let categories = Categories::new(vec!["yes".into(), "no".into()]).expect("valid");
        Input::counts(Counts::new(counts.to_vec()).expect("valid"), categories).expect("fits")
    }

    fn counts() -> Input {
        input([48, 42])
    }

    #[test]
    fn only_a_proven_mechanism_with_the_systems_randomness_is_private() {
        for name in Name::ALL {
            let proven = !matches!(name, Name::Ehdl | Name::Mh);
            let request = Request { allow_unproven: true, ..request(name) };
            let system = publish(&request, &counts(), Randomness::System).expect("released");
            assert_eq!(system.private, proven, "{name}");
            let seeded = publish(&request, &counts(), Randomness::Seed(1)).expect("released");
            assert!(!seeded.private, "{name}");
            assert_eq!(seeded.guarantee.kind, Promise::None, "{name}");
            assert_eq!(system.guarantee.kind == Promise::Pure, proven, "{name}");
        }
    }

    #[test]
    fn unproven_mechanisms_are_refused() {
        for name in [Name::Ehdl, Name::Mh] {
            let error = publish(&request(name), &counts(), Randomness::System).expect_err("refused");
            assert!(matches!(error, PublishError::Unproven { .. }), "{error}");
        }
    }

    #[test]
    fn a_seed_repeats_and_the_system_does_not() {
        let request = Request { setting: wide(), ..request(Name::Geometric) };
        let draw =
            |randomness| publish(&request, &counts(), randomness).expect("released").posterior.parameters;
        assert_eq!(draw(Randomness::Seed(4)), draw(Randomness::Seed(4)));
        // Noise of scale 100 clipped to 0..=90 has 91 outcomes: 40 draws that all agree have probability below 1e-9.
        let first = draw(Randomness::System);
        assert!((0..40).any(|_| draw(Randomness::System) != first));
    }

    fn wide() -> Setting {
        let epsilon = "0.01".parse().expect("positive");
        Setting::new(Prior::uniform(2).expect("valid"), 90, epsilon).expect("valid")
    }

    /// The document survives a round trip, and holds no private number: the same request on other data with the same
    /// released counts gives the same document.
    #[test]
    fn the_document_depends_on_the_data_only_through_the_released_counts() {
        let request = request(Name::Geometric);
        let documents: Vec<Release> = (0..200)
            .flat_map(|seed| [[48, 42], [47, 43]].map(|counts| (seed, counts)))
            .map(|(seed, counts)| {
                let release = publish(&request, &input(counts), Randomness::Seed(seed)).expect("released");
                let guarantee = GuaranteeStatement { statement: String::new(), ..release.guarantee.clone() };
                Release { seed: None, notes: vec![], guarantee, ..release }
            })
            .collect();
        let mut by_parameters = std::collections::HashMap::new();
        for document in documents {
            let text = serde_json::to_string(&document).expect("serialises");
            assert_eq!(serde_json::from_str::<Release>(&text).expect("reads back"), document);
            let key = format!("{:?}", document.posterior.parameters);
            assert_eq!(*by_parameters.entry(key).or_insert_with(|| text.clone()), text);
        }
    }

    #[test]
    fn bad_requests_are_refused() {
        let three =
            Input::counts(Counts::new(vec![30; 3]).expect("valid"), Categories::numbered(3).expect("valid"))
                .expect("fits");
        let names = publish(&request(Name::Ehds), &three, Randomness::System);
        assert_eq!(names, Err(PublishError::Names { categories: 3, prior: 2 }));
        for level in [0.0, 1.0, f64::NAN] {
            let error = publish(&Request { level, ..request(Name::Ehds) }, &counts(), Randomness::System);
            assert!(matches!(error, Err(PublishError::Level(_))), "{level}");
        }
        assert!(matches!(
            publish(&request(Name::Ehds), &input([1, 2]), Randomness::System),
            Err(PublishError::Release(_))
        ));
    }

    fn certificate(request: &Request) -> Certificate {
        let mechanism = request.mechanism(&|_| ()).expect("valid");
        Certificate::new(request, &audit(&*mechanism, &[], 1e9, &|_| ()).expect("small"))
    }

    /// With a certificate of its audit, an unproven mechanism is private at what it was found to lose.
    #[test]
    fn certificates_make_benchmarks_private_at_their_audited_epsilon() {
        for name in [Name::Ehdl, Name::Mh] {
            let certificate = certificate(&request(name));
            let request = Request { certificate: Some(certificate.clone()), ..request(name) };
            let release = publish(&request, &counts(), Randomness::System).expect("released");
            assert!(release.private);
            let shown = Epsilon::from_f64(certificate.loss).expect("positive").to_f64_shown();
            assert_eq!(release.guarantee.epsilon, Some(shown));
            assert_eq!((release.epsilon, release.epsilon_parameter), (shown, Some(1.0)));
            assert_eq!(release.certificate, Some(certificate.hash.clone()));
            let text = serde_json::to_string(&certificate).expect("serialises");
            assert_eq!(Certificate::from_json(&text), Ok(certificate));
        }
    }

    /// If this fails, a release promises less loss than its own audit found, or charges less.
    #[test]
    fn the_larger_of_the_stated_and_the_found_loss_is_promised() {
        let true_one = certificate(&request(Name::Ehdl));
        let shown = |loss: f64| Epsilon::from_f64(loss).expect("positive").to_f64_shown();
        let promised = |loss: f64| {
            let certificate = Certificate { loss, ..true_one.clone() };
            let request = Request { certificate: Some(certificate), ..request(Name::Ehdl) };
            let prepared = Prepared::new(&request, &counts(), &|_| ()).expect("accepted");
            let charge = prepared.charge(&request, &counts()).expect("a charge");
            let larger = Epsilon::from_f64(loss.max(true_one.loss)).expect("positive");
            assert_eq!(charge.epsilon().rational(), larger.rational());
            publish(&request, &counts(), Randomness::System).expect("released").guarantee.epsilon
        };
        for below in [true_one.loss.next_down(), true_one.loss * (1.0 - 0.9e-12)] {
            assert!(below < true_one.loss);
            assert_eq!(promised(below), Some(shown(true_one.loss)));
        }
        let above = 1.5 * true_one.loss;
        assert_eq!(promised(above), Some(shown(above)));
    }

    #[test]
    fn certificates_that_do_not_fit_are_refused() {
        let good = certificate(&request(Name::Ehdl));
        let with = |certificate: &Certificate, request: Request| {
            let request = Request { certificate: Some(certificate.clone()), ..request };
            publish(&request, &counts(), Randomness::System)
        };
        assert!(with(&good, request(Name::Ehdl)).is_ok());
        let other = |field| Err(PublishError::Certificate(CertificateError::Other { field }));
        assert_eq!(with(&good, request(Name::Mh)), other("mechanism"));
        assert_eq!(with(&good, Request { setting: wide(), ..request(Name::Ehdl) }), other("epsilon"));
        let old = Certificate { version: "0.0.1".into(), ..good.clone() };
        assert_eq!(with(&old, request(Name::Ehdl)), other("version of posterity"));
        // A smaller loss than the true one, with a hash that fits: the audit is repeated and finds out.
        let forged = Certificate { loss: good.loss * 0.9, ..good.clone() };
        let error = with(&forged, request(Name::Ehdl)).expect_err("refused");
        assert!(matches!(error, PublishError::Certificate(CertificateError::Wrong { .. })), "{error}");
        let empty = Certificate { loss: f64::NAN, ..good.clone() };
        let error = with(&empty, request(Name::Ehdl)).expect_err("refused");
        assert!(matches!(error, PublishError::Certificate(CertificateError::Wrong { .. })), "{error}");
        let text = serde_json::to_string(&good).expect("serialises");
        let changed = text.replace("\"n\":90", "\"n\":91");
        assert_eq!(Certificate::from_json(&changed), Err(CertificateError::Changed));
        assert!(matches!(Certificate::from_json("{}"), Err(CertificateError::Unreadable { .. })));
    }

    /// If this fails, a release is called private although anyone can repeat which records stand for their units.
    #[cfg(feature = "data")]
    #[test]
    fn units_drawn_from_a_seed_are_released_with_a_seed_only() {
        use std::ops::ControlFlow;

        use posterity_data::{Column, PerUnit, Question, Resources, Source};
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("visits.csv");
        let rows: String = (0..90).map(|id| format!("{id},yes\n{id},no\n")).collect();
        std::fs::write(&path, format!("id,cured\n{rows}")).expect("written");
        let read = |rule: PerUnit, randomness| {
            let question = Question {
                unit: Some("id".into()),
                per_unit: rule,
                ..Question::new(vec![Column::new("cured", ["yes", "no"])])
            };
            let go_on = |_| ControlFlow::Continue(());
            let source = Source::files(path.to_string_lossy());
            Input::read(&source, &question, randomness, &Resources::default(), &go_on).expect("counted")
        };
        let seeded = read(PerUnit::Random, Randomness::Seed(1));
        let refused = publish(&request(Name::Lattice), &seeded, Randomness::System);
        assert_eq!(refused, Err(PublishError::SeededData));
        assert!(!publish(&request(Name::Lattice), &seeded, Randomness::Seed(1)).expect("released").private);
        // Where nothing is drawn, a seed has no part in the counts.
        for input in [read(PerUnit::First, Randomness::Seed(1)), read(PerUnit::Random, Randomness::System)] {
            assert!(publish(&request(Name::Lattice), &input, Randomness::System).expect("released").private);
        }
    }

    #[test]
    fn tight_calibration_is_private() {
        let request = Request { calibration: Calibration::Tight, ..request(Name::Ehdl) };
        let release = publish(&request, &counts(), Randomness::System).expect("released");
        assert!(release.private && release.guarantee.statement.contains("audit"), "{release:?}");
        let request = Request { calibration: Calibration::Tight, ..self::request(Name::Geometric) };
        assert!(matches!(
            publish(&request, &counts(), Randomness::System),
            Err(PublishError::Calibration(_))
        ));
    }
}
