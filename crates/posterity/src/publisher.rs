//! From counts to a release: charge, draw, record, in that order and on no other path.

use std::sync::Arc;

use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::{DecodeError, Decoder};
use posterity_core::mechanism::{Basis, Guarantee, Mechanism, ReleaseError, Spec};
use posterity_core::model::{Categories, Epsilon, LevelError, Prior, Released};
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_ledger::{Amount, Charge, ChargeOutcome, Ledger, LedgerError, Timestamp, Unit, now_utc};
use thiserror::Error;

use crate::about::About;
use crate::certificate::{Certificate, CertificateError};
use crate::document::{
    Calibration, Document, GuaranteeStatement, Level, NoiseAwareSummary, Posterior, Recalled, score_of,
};
use crate::facts::Facts;
use crate::interpretation::{Interpretation, KEYS, NAMELESS, budget_notes, warnings};
use crate::lazy::Lazy;
use crate::private_data::Data;
use crate::provenance::{Provenance, digest};
use crate::question::{first_version, question};
use crate::release::{Experiment, Payment, Release};
use crate::signature::SecretKey;
use crate::system_bits::SystemBits;
use crate::table::{Law, Reader, Reading, ReadingError, ReadingTable, Space};
use crate::terms::{AUDIT_LIMIT, Request, Terms, TermsError};
use crate::verification::seal;

/// Publishes releases on public terms. The number of records and of categories come from the data.
///
/// ```
/// use posterity::mechanism::Ehds;
/// use posterity::{Data, Prior, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let publisher = Publisher::new("0.5".parse()?)
///     .mechanism(Ehds::default())
///     .prior(Prior::new(vec![0.5, 0.5])?)
///     .level(0.9);
/// let release = publisher.publish(&data)?;
/// assert_eq!(release.document().mechanism, "ehds");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Publisher<'p> {
    terms: Terms,
    allow_unproven: bool,
    certificate: Option<Certificate>,
    progress: &'p (dyn Fn(u64) + Sync),
}

/// A publisher whose releases are charged to an account; made by [`Publisher::charge`]. It has no experiments, because a
/// seeded draw is not charged.
///
/// ```
/// use posterity::ledger::now_utc;
/// use posterity::{Amount, Data, Ledger, Payment, Publisher};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("budget.ledger");
/// let mut ledger = Ledger::create(&path)?;
/// ledger.create_account("survey", &"1".parse()?, &Amount::ZERO, &now_utc())?;
///
/// // The name stands for this data and no other. By it the ledger knows a question that it has answered.
/// let data = Data::counts([("yes", 48), ("no", 42)])?.named("trial-7", None, None)?;
/// let mut publisher = Publisher::new("0.4".parse()?).charge(&mut ledger, "survey");
/// let first = publisher.publish(&data)?;
/// assert_eq!(first.payment(), &Payment::Charged { epsilon: "0.4".parse()?, remaining: "0.6".parse()? });
/// let second = publisher.publish(&data)?;
/// assert_eq!(second.payment(), &Payment::Recalled);
/// assert_eq!(second.document().released_counts, first.document().released_counts);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChargedPublisher<'p> {
    publisher: Publisher<'p>,
    ledger: &'p mut Ledger,
    account: &'p str,
    again: bool,
    now: Option<Timestamp>,
    key: Option<SecretKey>,
}

/// Why nothing was released. It says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The mechanism promises nothing, and that was not asked for.
    #[error("{mechanism} has no proven privacy guarantee, because {reason}")]
    Unproven {
        /// The mechanism.
        mechanism: &'static str,
        /// Why nothing is proven.
        reason: &'static str,
    },
    /// The records that stand for their units were drawn from a seed.
    #[error(
        "the records of units were drawn from a seed, which anyone can repeat; release with that seed, or count again without"
    )]
    SeededData,
    /// The public terms do not go together, or not with the data.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// The ledger refused or failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A document in the ledger cannot be read by this version.
    #[error("the stored release cannot be read by this version; ask for a new one, which is charged")]
    StoredDocument,
    /// The decoder cannot be used with the mechanism, or failed.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// There is no such mechanism, or no tight calibration of it.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The certificate cannot be used for this release.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The interval level is no probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl<'p> Publisher<'p> {
    /// Releases by the lattice mechanism with this budget, a uniform prior and 95 % intervals.
    #[must_use]
    pub fn new(epsilon: Epsilon) -> Self {
        Self::with_terms(Terms::new(epsilon))
    }

    /// Releases on these terms.
    #[must_use]
    pub fn with_terms(terms: Terms) -> Self {
        Self { terms, allow_unproven: false, certificate: None, progress: &|_| () }
    }

    /// Sets the mechanism.
    #[must_use]
    pub fn mechanism(mut self, spec: impl Into<Spec>) -> Self {
        self.terms.spec = spec.into();
        self
    }

    /// Sets the prior, which has one parameter for each category.
    #[must_use]
    pub fn prior(mut self, prior: Prior) -> Self {
        self.terms.prior = Some(prior);
        self
    }

    /// Sets how released counts become a posterior. This costs no privacy.
    #[must_use]
    pub fn decoder(mut self, decoder: Decoder) -> Self {
        self.terms.decoder = Some(decoder);
        self
    }

    /// Sets the probability of the reported intervals, strictly between 0 and 1.
    #[must_use]
    pub fn level(mut self, level: f64) -> Self {
        self.terms.level = level;
        self
    }

    /// Cites an audit of this very release. Its loss is the guarantee of a mechanism that has no proven one.
    #[must_use]
    pub fn certificate(mut self, certificate: Certificate) -> Self {
        self.certificate = Some(certificate);
        self
    }

    /// Also accepts mechanisms that promise nothing. Their releases say that they are not private.
    #[must_use]
    pub fn allow_unproven(mut self) -> Self {
        self.allow_unproven = true;
        self
    }

    /// Calls `progress` with the number of data sets done while a mechanism is audited.
    #[must_use]
    pub fn progress(mut self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        self.progress = progress;
        self
    }

    /// Charges every release to an account of a ledger.
    #[must_use]
    pub fn charge(self, ledger: &'p mut Ledger, account: &'p str) -> ChargedPublisher<'p> {
        ChargedPublisher { publisher: self, ledger, account, again: false, now: None, key: None }
    }

    /// Draws one release from the operating system's randomness. No ledger keeps account of it; see [`Publisher::charge`].
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released.
    pub fn publish(&self, data: &Data) -> Result<Release, PublishError> {
        if data.is_seeded() {
            return Err(PublishError::SeededData);
        }
        let prepared = self.prepare(data.facts())?;
        let released = prepared.mechanism.release(data.private_counts(), &mut SystemBits::new())?;
        let (document, interpretation) = prepared.document(data.facts(), released, None, None, false)?;
        Ok(Release::new(document, interpretation, prepared.request, Payment::Nothing))
    }

    /// Draws from a seed, for experiments. Anyone can repeat such a draw, so it is not private, and the document says so.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("yes", 48), ("no", 42)])?;
    /// let publisher = Publisher::new("1".parse()?);
    /// let drawn = publisher.experiment(&data, 7)?;
    /// assert_eq!(drawn.document(), publisher.experiment(&data, 7)?.document());
    /// assert!(!drawn.document().private);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(&self, data: &Data, seed: u64) -> Result<Experiment, PublishError> {
        let prepared = self.prepare(data.facts())?;
        let released = prepared.mechanism.release(data.private_counts(), &mut SeededBits::new(seed))?;
        let (document, interpretation) =
            prepared.document(data.facts(), released, Some(seed), None, false)?;
        Ok(Experiment::new(document, interpretation, prepared.request))
    }

    /// The public terms for data of this size. It does not depend on the counts.
    ///
    /// # Errors
    /// [`TermsError`].
    pub fn request(&self, data: &Data) -> Result<Request, TermsError> {
        self.terms.request(data.categories().names().len(), data.n(), self.progress)
    }

    /// The public terms.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Checks what can be checked before the number of records is known, for k categories.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn check(&self, k: usize) -> Result<(), PublishError> {
        Level::new(self.terms.level)?;
        // Some mechanisms are for few records, and all are for one.
        self.terms.setting(k, 1)?;
        let Ok(categories) = Categories::numbered(k) else { return Ok(()) };
        match self.prepare(&Facts::new(categories, 1)) {
            Err(error @ (PublishError::Unproven { .. } | PublishError::Decode(_))) => Err(error),
            // What is wrong with another number of records may be right with the true one.
            _ => Ok(()),
        }
    }

    /// Checks everything that can be checked before a draw.
    pub(crate) fn prepare(&self, data: &Facts) -> Result<Prepared<'_>, PublishError> {
        let level = Level::new(self.terms.level)?;
        let request = self.terms.request(data.categories.names().len(), data.n, self.progress)?;
        let mechanism: Arc<dyn Mechanism> = request.mechanism(self.progress)?.into();
        let guarantee = self.guarantee(&request, &*mechanism)?;
        if let Guarantee::None { reason } = guarantee
            && !self.allow_unproven
        {
            return Err(PublishError::Unproven { mechanism: mechanism.name(), reason });
        }
        if !request.decoder().suits(&*mechanism) {
            return Err(DecodeError::NoEvidence { mechanism: mechanism.name() }.into());
        }
        Ok(Prepared { request, level, mechanism, guarantee, certificate: self.certificate.as_ref() })
    }

    /// What a release may promise: the guarantee of the mechanism, or else what a certificate shows.
    fn guarantee(&self, request: &Request, mechanism: &dyn Mechanism) -> Result<Guarantee, PublishError> {
        let Some(certificate) = &self.certificate else { return Ok(mechanism.guarantee()) };
        let loss = certificate.check(request, mechanism, AUDIT_LIMIT, self.progress)?;
        match mechanism.guarantee() {
            Guarantee::None { .. } => {
                let epsilon = Epsilon::from_f64(loss).map_err(|_| CertificateError::Changed)?;
                Ok(Guarantee::Pure { epsilon, basis: Basis::Audit })
            }
            proven => Ok(proven),
        }
    }
}

impl ChargedPublisher<'_> {
    /// Draws and charges even if the ledger has the answer to the same question.
    #[must_use]
    pub fn again(mut self, again: bool) -> Self {
        self.again = again;
        self
    }

    /// Writes this time into the ledger instead of the clock's.
    #[must_use]
    pub fn at(mut self, now: Timestamp) -> Self {
        self.now = Some(now);
        self
    }

    /// Signs every release with this key.
    #[must_use]
    pub fn sign(mut self, key: SecretKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Puts the digest of a document into it, and signs it if there is a key.
    fn seal(&self, document: &mut Document, provenance: Provenance) -> Result<(), PublishError> {
        seal(document, provenance).map_err(|_| PublishError::StoredDocument)?;
        if let (Some(key), Some(provenance)) = (&self.key, &mut document.provenance) {
            provenance.signature = Some(key.sign(&provenance.digest));
        }
        Ok(())
    }

    /// Charges the account, draws one release from the operating system's randomness, and records it.
    ///
    /// The order is: check everything; charge; draw; record; return. So a bad request costs nothing, nothing is drawn that was
    /// not charged, and nothing is returned that was not recorded. A question that the ledger has answered before is
    /// answered from there, read anew with the decoder and the level that are asked for, and nothing is charged.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the failure came after the charge, the charge stays.
    pub fn publish(&mut self, data: &Data) -> Result<Release, PublishError> {
        self.publish_from(data, &mut SystemBits::new())
    }

    /// [`ChargedPublisher::publish`] from any random bits, so that tests see when they are drawn.
    fn publish_from(&mut self, data: &Data, bits: &mut dyn BitSource) -> Result<Release, PublishError> {
        if data.is_seeded() {
            return Err(PublishError::SeededData);
        }
        let prepared = self.publisher.prepare(data.facts())?;
        let charge = prepared.charge(data.facts())?;
        let now = self.now.clone().unwrap_or_else(now_utc);
        // Counts that someone typed have no name by which they could be recognised.
        let again = self.again || data.description().is_none();
        match self.ledger.charge_or_recall(self.account, &charge, again, &now)? {
            ChargeOutcome::Recalled(stored) => {
                let recalled = Recalled { drawn: stored.recorded.to_string() };
                let (question, head, recorded) = (stored.question, stored.head, stored.document);
                let stored: Document =
                    serde_json::from_str(&recorded).map_err(|_| PublishError::StoredDocument)?;
                let (mut document, interpretation) =
                    prepared.document(data.facts(), stored.released_counts, None, Some(recalled), true)?;
                let original = digest(&recorded).map_err(|_| PublishError::StoredDocument)?;
                self.seal(&mut document, Provenance::charged(&question, head, Some(original)))?;
                Ok(Release::new(document, interpretation, prepared.request, Payment::Recalled))
            }
            ChargeOutcome::Charged(receipt) => {
                let released = prepared.mechanism.release(data.private_counts(), bits)?;
                let (mut document, interpretation) =
                    prepared.document(data.facts(), released, None, None, true)?;
                if data.description().is_none() {
                    let notes = document.notes.iter().cloned().chain([NAMELESS.to_owned()]);
                    document.notes = notes.collect::<Vec<_>>().into();
                }
                let provenance = Provenance::charged(charge.question(), receipt.head(), None);
                self.seal(&mut document, provenance)?;
                // Readings follow from the rest, so the ledger does not need them.
                let stored = Document { readings: Vec::new().into(), ..document.clone() };
                let text = serde_json::to_string(&stored).map_err(|_| PublishError::StoredDocument)?;
                self.ledger.record(&receipt, &text, &now)?;
                let remaining = self.ledger.account(self.account)?.remaining_epsilon;
                let payment = Payment::Charged { epsilon: charge.epsilon().clone(), remaining };
                Ok(Release::new(document, interpretation, prepared.request, payment))
            }
        }
    }
}

impl std::fmt::Debug for Publisher<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Publisher").field("terms", &self.terms).finish_non_exhaustive()
    }
}

/// A request that passed every check.
pub(crate) struct Prepared<'c> {
    pub(crate) request: Request,
    level: Level,
    pub(crate) mechanism: Arc<dyn Mechanism>,
    guarantee: Guarantee,
    certificate: Option<&'c Certificate>,
}

impl Prepared<'_> {
    /// What the release costs, and the question that it answers.
    fn charge(&self, data: &Facts) -> Result<Charge, PublishError> {
        let charge = Charge::new(question(&self.request, data), self.price()?, Amount::ZERO)?;
        Ok(charge.also_asked_as(first_version(&self.request, data)).unit(protected(data)?))
    }

    /// What the release costs.
    pub(crate) fn price(&self) -> Result<Amount, PublishError> {
        match &self.guarantee {
            Guarantee::Pure { epsilon, .. } => {
                Ok(Amount::from_rational(epsilon.rational().clone()).map_err(LedgerError::from)?)
            }
            Guarantee::None { reason } => {
                Err(PublishError::Unproven { mechanism: self.mechanism.name(), reason })
            }
        }
    }

    /// A draw with what is public about it, as a batch is recorded. The fields are named as in a [`Document`].
    #[cfg(feature = "data")]
    pub(crate) fn drawn(&self, data: &Facts, released: &Released) -> serde_json::Value {
        let (setting, spec) = (self.request.setting(), self.request.spec());
        let guarantee = GuaranteeStatement::new(spec.name(), &self.guarantee, &data.about, setting.n(), None);
        serde_json::json!({
            "about": data.about,
            "mechanism": spec.name(),
            "prior": setting.prior(),
            "n": setting.n(),
            "guarantee": { "kind": guarantee.kind, "epsilon": guarantee.epsilon, "unit": guarantee.unit },
            "posterior": { "categories": data.categories },
            "released_counts": released,
        })
    }

    /// The document of released counts, and what was made of them. The private counts have no part in it.
    pub(crate) fn document(
        &self,
        data: &Facts,
        released: Released,
        seed: Option<u64>,
        recalled: Option<Recalled>,
        charged: bool,
    ) -> Result<(Document, Interpretation), PublishError> {
        let (setting, spec, level) = (self.request.setting(), self.request.spec(), self.level);
        let interpretation = Interpretation::new(&self.request, &self.mechanism, &released)?;
        let proven = matches!(self.guarantee, Guarantee::Pure { .. });
        let parameter = setting.epsilon();
        // One epsilon is told: what is promised. What the mechanism was given is its parameter.
        let (epsilon, epsilon_parameter) = match &self.guarantee {
            Guarantee::Pure { epsilon, .. } if epsilon != parameter => {
                (epsilon.to_f64_shown(), Some(parameter.to_f64()))
            }
            Guarantee::Pure { .. } | Guarantee::None { .. } => (parameter.to_f64_shown(), None),
        };
        let parameters = interpretation.decoded.posterior.clone();
        let noise_aware = Lazy::new({
            let interpretation = interpretation.clone();
            move || interpretation.noise_aware().map(|aware| NoiseAwareSummary::new(aware, level))
        });
        let warnings: Vec<String> = warnings(proven, seed, recalled.as_ref())
            .chain((proven && seed.is_none()).then(|| budget_notes(epsilon, charged)).into_iter().flatten())
            .chain(data.published_keys.then(|| KEYS.to_owned()))
            .collect();
        let notes = Lazy::new({
            let (interpretation, level) = (interpretation.clone(), self.request.level());
            move || interpretation.notes(level).chain(warnings.iter().cloned()).collect()
        });
        // The usual readings; a release whose columns cannot be told apart has none.
        let has_columns = data.about.columns.iter().any(|column| column.values.is_some());
        let readings = if has_columns {
            let (interpretation, level) = (interpretation.clone(), self.request.level());
            let (about, categories) = (data.about.clone(), data.categories.clone());
            Lazy::new(move || usual_readings(&interpretation, &about, &categories, level).unwrap_or_default())
        } else {
            Vec::new().into()
        };
        let text = spec.to_string();
        let document = Document {
            format: Document::FORMAT,
            specification: (text != spec.name()).then_some(text),
            readings,
            comparisons: Vec::new().into(),
            about: data.about.clone(),
            mechanism: spec.name().to_owned(),
            prior: setting.prior().clone(),
            n: setting.n(),
            epsilon,
            epsilon_parameter,
            delta: spec.number("delta").unwrap_or(0.0),
            gamma: spec.number("gamma"),
            score: score_of(spec),
            calibration: Calibration::of(spec),
            certificate: self.certificate.map(|certificate| certificate.hash.clone()),
            guarantee: GuaranteeStatement::new(spec.name(), &self.guarantee, &data.about, setting.n(), seed),
            per_unit: data.rule.clone(),
            decoder: interpretation.decoder,
            posterior: Posterior::new(data.categories.clone(), parameters, level),
            expected_distance: interpretation.decoded.expected_distance,
            private: proven && seed.is_none(),
            notes,
            recalled,
            noise_aware,
            released_counts: released,
            seed,
            provenance: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok((document, interpretation))
    }
}

/// Whom a release from such data protects, as a ledger names it.
pub(crate) fn protected(data: &Facts) -> Result<Unit, LedgerError> {
    Ok(data.unit().map_or(Ok(Unit::RECORD), Unit::column)?)
}

/// The joint cells and the marginals of single columns.
fn usual_readings(
    interpretation: &Interpretation,
    about: &About,
    categories: &Categories,
    level: f64,
) -> Result<Vec<ReadingTable>, ReadingError> {
    let space = Space::of(about, categories)?;
    let usual = Reading::usual(&space);
    if usual.is_empty() {
        return Ok(Vec::new());
    }
    let law = match interpretation.noise_aware() {
        Some(aware) => Law::Aware(Arc::clone(aware)),
        None => Law::Plain(interpretation.decoded.posterior.clone()),
    };
    let reader = Reader::of(space, law, level)?;
    usual.iter().map(|reading| reader.read(reading)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use posterity_core::sampler::SourceError;
    use posterity_ledger::{Exceeded, Part, Status, Step};
    use posterity_testkit::fixture::epsilon;

    use super::*;

    /// What happened, in order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Happened {
        Wrote(Step),
        Drew,
    }

    type Log = Arc<Mutex<Vec<Happened>>>;

    /// Bits of a seed that say in the log that they are drawn.
    struct Watched {
        bits: SeededBits,
        log: Log,
    }

    impl BitSource for Watched {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            let mut log = self.log.lock().expect("one thread");
            if log.last() != Some(&Happened::Drew) {
                log.push(Happened::Drew);
            }
            self.bits.next_u64()
        }
    }

    /// A source that fails.
    struct Broken;

    impl BitSource for Broken {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            Err(SourceError { reason: "broken".to_owned() })
        }
    }

    /// A ledger with an account `survey`, whose writes are logged from here on.
    fn ledger(folder: &tempfile::TempDir, budget: &str) -> (Ledger, Log) {
        let mut ledger = Ledger::create(folder.path().join("budget.ledger")).expect("created");
        let budget = budget.parse().expect("an amount");
        ledger.create_account("survey", &budget, &Amount::ZERO, &now_utc()).expect("created");
        let log = Log::default();
        let sink = Arc::clone(&log);
        ledger.observe(move |step| sink.lock().expect("one thread").push(Happened::Wrote(step)));
        (ledger, log)
    }

    fn data() -> Data {
        let data = Data::counts([("yes", 48), ("no", 42)]).expect("valid");
        data.named("trial", None, None).expect("a name")
    }

    fn watched(log: &Log) -> Watched {
        Watched { bits: SeededBits::new(1), log: Arc::clone(log) }
    }

    const WRITE: [Happened; 4] = [
        Happened::Wrote(Step::Locked),
        Happened::Wrote(Step::Checked),
        Happened::Wrote(Step::Appended),
        Happened::Wrote(Step::Committed),
    ];

    /// If this fails, something is drawn that is not on the books, or leaves without a record.
    #[test]
    fn charge_then_draw_then_record_and_recall_without_a_draw() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut ledger, log) = ledger(&folder, "1");
        let mut bits = watched(&log);
        let mut publisher = Publisher::new(epsilon("1")).charge(&mut ledger, "survey");
        publisher.publish_from(&data(), &mut bits).expect("released");
        let expected: Vec<Happened> = WRITE.into_iter().chain([Happened::Drew]).chain(WRITE).collect();
        assert_eq!(std::mem::take(&mut *log.lock().expect("one thread")), expected);
        let recalled = publisher.publish_from(&data(), &mut bits).expect("recalled");
        assert_eq!(recalled.payment(), &Payment::Recalled);
        // The lock keeps other processes from charging while the answer is looked for. Nothing is appended.
        assert_eq!(*log.lock().expect("one thread"), [WRITE[0], WRITE[3]]);
    }

    #[test]
    fn a_budget_that_does_not_suffice_is_refused_before_the_draw() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut ledger, log) = ledger(&folder, "0.5");
        let mut publisher = Publisher::new(epsilon("1")).charge(&mut ledger, "survey");
        let error = publisher.publish_from(&data(), &mut watched(&log)).expect_err("refused");
        let exceeded = Exceeded {
            account: "survey".into(),
            part: Part::Epsilon,
            asked: "1".parse().expect("an amount"),
            remaining: "0.5".parse().expect("an amount"),
            budget: "0.5".parse().expect("an amount"),
        };
        assert_eq!(error, PublishError::Ledger(Box::new(exceeded).into()));
        assert_eq!(*log.lock().expect("one thread"), [WRITE[0]]);
        assert_eq!(ledger.account("survey").expect("there").charges, 0);
    }

    /// Nobody can know how much of a draw was seen, so its charge is not taken back.
    #[test]
    fn a_draw_that_fails_leaves_the_charge() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut ledger, log) = ledger(&folder, "1");
        let mut publisher = Publisher::new(epsilon("1")).charge(&mut ledger, "survey");
        let error = publisher.publish_from(&data(), &mut Broken).expect_err("no bits");
        assert!(matches!(error, PublishError::Release(ReleaseError::Source(_))), "{error}");
        assert_eq!(*log.lock().expect("one thread"), WRITE);
        let history = ledger.history("survey").expect("there");
        assert_eq!(history.iter().map(|line| &line.status).collect::<Vec<_>>(), [&Status::NotReleased]);
    }
}
