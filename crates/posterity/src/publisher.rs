//! From counts to a release.

use std::sync::Arc;

use posterity_core::decode::{DecodeError, Decoder};
use posterity_core::mechanism::{Basis, Guarantee, Mechanism, Spec};
use posterity_core::model::{Adjacency, Categories, Epsilon, StatedPrior};
use posterity_core::sampler::BitSource;
use posterity_ledger::{Ledger, Timestamp};

use crate::ask::Ask;
use crate::certificate::{Certificate, CertificateError};
use crate::charging::{Payer, charge_one};
use crate::facts::Facts;
use crate::kind::table::{ChosenReadings, Level, Prepared, Table, TableQuestion};
use crate::known_name::Fingerprint;
use crate::meaning::warnings;
use crate::private_data::Data;
use crate::publish_error::PublishError;
use crate::question::part;
use crate::release::{Experiment, Payment, Release};
use crate::signature::SecretKey;
use crate::system_bits::SystemBits;
use crate::table::{Contrast, Reading, Subject, Test, Ways};
use crate::terms::{AUDIT_LIMIT, Request, Terms, TermsError};

/// Publishes releases on public terms. The number of records and of categories come from the data.
///
/// ```
/// use posterity_core::mechanism::Ehds;
/// use posterity::{Data, Prior, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let publisher = Publisher::new("0.5".parse()?)
///     .mechanism(Ehds::default())
///     .prior(Prior::new(vec![0.5, 0.5])?)
///     .level(0.9);
/// let release = publisher.publish(&data)?;
/// assert_eq!(release.document().mechanism(), "ehds(gamma=1)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Publisher<'p> {
    terms: Terms,
    allow_unproven: bool,
    certificate: Option<Certificate>,
    readings: ChosenReadings,
    progress: &'p (dyn Fn(u64) + Sync),
}

/// A publisher whose releases are charged to an account; made by [`Publisher::charge`]. It has no experiments, because
/// a seeded draw is not charged.
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
/// assert_eq!(first.payment(), &Payment::Charged { epsilon: "0.4".parse()?, delta: Amount::ZERO, remaining: "0.6".parse()? });
/// let second = publisher.publish(&data)?;
/// assert!(matches!(second.payment(), Payment::Recalled { .. }));
/// assert_eq!(second.document(), first.document());
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

impl<'p> Publisher<'p> {
    /// Releases by the lattice mechanism with this budget, a uniform prior and 95 % intervals.
    #[must_use]
    pub fn new(epsilon: Epsilon) -> Self {
        Self::with_terms(Terms::new(epsilon))
    }

    /// Releases on these terms.
    #[must_use]
    pub fn with_terms(terms: Terms) -> Self {
        let readings = ChosenReadings::default();
        Self { terms, allow_unproven: false, certificate: None, readings, progress: &|_| () }
    }

    /// Keeps the number of records private: whether any one record is in the data at all is protected.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("yes", 48), ("no", 42)])?;
    /// let release = Publisher::new("1".parse()?).with_private_n().publish(&data)?;
    /// assert_eq!(release.document().n(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_private_n(mut self) -> Self {
        self.terms = self.terms.with_private_n();
        self
    }

    /// Sets the mechanism.
    #[must_use]
    pub fn mechanism(mut self, spec: impl Into<Spec>) -> Self {
        self.terms.spec = spec.into();
        self
    }

    /// Sets the prior, which has one parameter for each category.
    #[must_use]
    pub fn prior(mut self, prior: impl Into<StatedPrior>) -> Self {
        self.terms.prior = Some(prior.into());
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

    /// Sets which intervals are shown, of what, and at which level.
    #[must_use]
    pub fn ways(mut self, ways: Ways) -> Self {
        self.terms = self.terms.with_ways(ways);
        self
    }

    /// Sets what the document reads from the draw: these readings in place of the usual ones, if there are any, and
    /// these comparisons. They follow from the draw and cost no privacy.
    #[must_use]
    pub fn read(mut self, readings: Vec<Reading>, comparisons: Vec<Contrast>) -> Self {
        let readings = (!readings.is_empty()).then_some(readings);
        self.readings = ChosenReadings { readings, comparisons, ..self.readings };
        self
    }

    /// Sets what the document tests. It follows from the draw and costs no privacy.
    #[must_use]
    pub fn test(mut self, tests: Vec<Test>) -> Self {
        self.readings.tests = tests;
        self
    }

    /// Cites an audit of this very release, if there is one. Its loss is the guarantee of a mechanism that has no proven
    /// one.
    #[must_use]
    pub fn certificate(mut self, certificate: impl Into<Option<Certificate>>) -> Self {
        self.certificate = certificate.into();
        self
    }

    /// Also accepts mechanisms that promise nothing. Their releases say that they are not private.
    #[must_use]
    pub fn allow_unproven(self) -> Self {
        self.allow_unproven_if(true)
    }

    /// Says whether mechanisms are accepted that promise nothing.
    #[must_use]
    pub fn allow_unproven_if(mut self, is_allowed: bool) -> Self {
        self.allow_unproven = is_allowed;
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

    /// Draws one release from the operating system's randomness. No ledger keeps account of it; see
    /// [`Publisher::charge`].
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released.
    pub fn publish(&self, data: &Data) -> Result<Release, PublishError> {
        Ok(Release::new(self.ask(data)?.publish()?, Payment::Nothing))
    }

    /// The question of this data, checked: all that is missing is the draw.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn ask<'d>(&self, data: &'d Data) -> Result<Ask<'d, Table>, PublishError> {
        let prepared = self.prepare(data.facts())?;
        let ask = prepared.ask();
        let counts = data.private_counts().as_slice().iter().copied();
        let fingerprint = if data.is_named_in_memory() {
            Fingerprint::of(&ask.part, ask.n, data.about(), counts)
        } else {
            None
        };
        let ask = Ask { seeded: data.is_seeded(), fingerprint, ..ask };
        Ok(ask.drawn_by(move |seed, bits| {
            let drawn = prepared.mechanism.draw(data.private_counts(), bits)?;
            Ok(prepared.answer(drawn, seed))
        }))
    }

    /// Draws from a seed, for experiments. Anyone can repeat such a draw, so it is not private, and the document says
    /// so.
    ///
    /// ```
    /// use posterity::{Data, Publisher};
    /// let data = Data::counts([("yes", 48), ("no", 42)])?;
    /// let publisher = Publisher::new("1".parse()?);
    /// let drawn = publisher.experiment(&data, 7)?;
    /// assert_eq!(drawn.document(), publisher.experiment(&data, 7)?.document());
    /// assert!(!drawn.document().is_private());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(&self, data: &Data, seed: u64) -> Result<Experiment, PublishError> {
        Ok(Experiment::new(self.ask(data)?.experiment(seed)?))
    }

    /// The public terms for data of this size. It does not depend on the counts.
    ///
    /// # Errors
    /// [`TermsError`].
    pub fn request(&self, data: &Data) -> Result<Request, TermsError> {
        self.terms.request(
            data.categories().names().len(),
            data.n().unwrap_or(self.terms.most),
            self.progress,
        )
    }

    /// Everything to warn of before anything is drawn or charged: a budget that protects hardly anybody. Where an audit is
    /// cited, its loss may be what is promised.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let promised = self.terms.promised().map(|epsilon| epsilon.to_f64_shown());
        // A proven mechanism promises its epsilon, whatever an audit finds.
        let promised = promised.or(self.certificate.as_ref().map(|certificate| certificate.loss));
        warnings(self.terms.adjacency, promised.unwrap_or(0.0), 0.0, None)
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
        match self.prepare(&Facts::new(categories, Some(1))) {
            Err(error @ (PublishError::Unproven { .. } | PublishError::Decode(_))) => Err(error),
            // What is wrong with another number of records may be right with the true one.
            _ => Ok(()),
        }
    }

    /// Checks everything that can be checked before a draw, so that nothing is a reason to refuse after it.
    pub(crate) fn prepare(&self, data: &Facts) -> Result<Prepared, PublishError> {
        let level = Level::new(self.terms.level)?;
        if data.n.is_none() && self.terms.adjacency == Adjacency::Replace {
            return Err(TermsError::PrivateN.into());
        }
        let data = data.under(self.terms.adjacency);
        let k = data.categories.names().len();
        let setting = self.terms.setting(k, data.n.unwrap_or(self.terms.most))?;
        let setting = setting.with_records_per_unit(data.records_per_unit());
        let mut request = self.terms.request_for(setting, self.progress)?;
        if data.records_per_unit().get() > 1 {
            // A unit's records depend on each other, so nothing is said about a population.
            let ways = Ways { about: Subject::Records, ..request.ways() };
            request = request.with_ways(ways);
        }
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
        let certificate = self.certificate.as_ref().map(|certificate| certificate.hash.clone());
        let part = part(&self.terms, &data)?;
        let asked = TableQuestion { facts: data, request, certificate, seed: None };
        self.readings.check(&asked.space()?)?;
        if asked.facts.records_per_unit().get() > 1 {
            self.readings.check_dependent()?;
        }
        asked.check_ways()?;
        Ok(Prepared { asked, level, mechanism, guarantee, part, readings: self.readings.clone() })
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

    /// Charges the account, draws one release from the operating system's randomness, and records it, in one
    /// transaction.
    ///
    /// Everything is checked before. So a bad request costs nothing, nothing is drawn that was not charged, and nothing
    /// is returned that was not recorded. A question that the ledger has answered before is answered from there, read
    /// anew with the prior, the decoder and the level that are asked for, and nothing is charged.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the draw failed, the charge stays.
    pub fn publish(&mut self, data: &Data) -> Result<Release, PublishError> {
        self.publish_from(data, &mut SystemBits::new())
    }

    /// [`ChargedPublisher::publish`] from any random bits, so that tests see when they are drawn.
    fn publish_from(&mut self, data: &Data, bits: &mut dyn BitSource) -> Result<Release, PublishError> {
        let payer = Payer {
            ledger: self.ledger,
            account: self.account,
            again: self.again,
            now: self.now.clone(),
            key: self.key.clone(),
        };
        let (document, payment) = charge_one(self.publisher.ask(data)?, payer, bits)?;
        Ok(Release::new(document, payment))
    }
}

impl std::fmt::Debug for Publisher<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Publisher").field("terms", &self.terms).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use posterity_core::mechanism::ReleaseError;
    use posterity_core::sampler::{SeededBits, SourceError};
    use posterity_ledger::{Amount, Exceeded, Part, Status, Step, now_utc};
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

    /// If this fails, something is drawn that is not on the books, or is on the books without its record.
    #[test]
    fn one_transaction_charges_draws_and_records_and_a_recall_draws_nothing() {
        use Happened::{Drew, Wrote};
        let folder = tempfile::tempdir().expect("a folder");
        let (mut ledger, log) = ledger(&folder, "1");
        let mut bits = watched(&log);
        let mut publisher = Publisher::new(epsilon("1")).charge(&mut ledger, "survey");
        publisher.publish_from(&data(), &mut bits).expect("released");
        let expected = [
            Wrote(Step::Locked),
            Wrote(Step::Checked),
            Wrote(Step::Appended),
            Drew,
            Wrote(Step::Drawn),
            Wrote(Step::Appended),
            Wrote(Step::Committed),
        ];
        assert_eq!(std::mem::take(&mut *log.lock().expect("one thread")), expected);
        let recalled = publisher.publish_from(&data(), &mut bits).expect("recalled");
        assert!(matches!(recalled.payment(), Payment::Recalled { .. }));
        // The lock keeps other processes from charging while the answer is looked for. Nothing is appended.
        assert_eq!(*log.lock().expect("one thread"), [Wrote(Step::Locked), Wrote(Step::Committed)]);
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
            beside: None,
            release: None,
            stated: None,
            remaining: "0.5".parse().expect("an amount"),
            budget: "0.5".parse().expect("an amount"),
        };
        assert_eq!(error, PublishError::Ledger(Box::new(exceeded).into()));
        assert_eq!(*log.lock().expect("one thread"), [Happened::Wrote(Step::Locked)]);
        assert_eq!(ledger.account("survey").expect("there").charges, 0);
    }

    /// Nobody can know how much of a draw was seen, so its charge is not taken back.
    #[test]
    fn a_draw_that_fails_leaves_the_charge() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut ledger, _) = ledger(&folder, "1");
        let mut publisher = Publisher::new(epsilon("1")).charge(&mut ledger, "survey");
        let error = publisher.publish_from(&data(), &mut Broken).expect_err("no bits");
        assert!(matches!(error, PublishError::Release(ReleaseError::Source(_))), "{error}");
        let history = ledger.history("survey").expect("there");
        assert_eq!(history.iter().map(|line| &line.status).collect::<Vec<_>>(), [&Status::NotReleased]);
    }
}
