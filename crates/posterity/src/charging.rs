//! From counts to charged releases: one transaction charges, draws and records, and there is no other way.

use posterity_core::model::Adjacency;
use posterity_core::sampler::BitSource;
use posterity_ledger::{
    Amount, Answered, Charge, DrawError, Exceeded, Ledger, LedgerError, StoredRelease, Timestamp, Unit,
    now_utc,
};

use crate::agreed::Agreed;
use crate::ask::{AnyAsk, Ask, Price};
use crate::paper::{Document, DocumentError, Kind, Record};
use crate::publish_error::PublishError;
use crate::question::question;
use crate::release::Payment;
use crate::signature::SecretKey;
use crate::system_bits::SystemBits;

/// The account that pays, and how.
#[derive(Debug)]
pub struct Payer<'l> {
    /// The ledger.
    pub ledger: &'l mut Ledger,
    /// The account.
    pub account: &'l str,
    /// Whether to draw and pay even if the ledger has the answer.
    pub again: bool,
    /// The time to write into the ledger; the clock's if there is none.
    pub now: Option<Timestamp>,
    /// Signs every document.
    pub key: Option<SecretKey>,
}

impl<'l> Payer<'l> {
    /// An account that pays for what its ledger does not hold yet.
    #[must_use]
    pub fn new(ledger: &'l mut Ledger, account: &'l str) -> Self {
        Self { ledger, account, again: false, now: None, key: None }
    }
}

/// What was charged and recorded, or found on file.
pub(crate) struct Charged<P> {
    /// The answers in the order of the questions, each with what it cost.
    pub(crate) answers: Vec<(P, Payment)>,
    /// What all of them cost together.
    pub(crate) payment: Payment,
}

/// Why nothing was released.
pub(crate) enum ChargeError {
    /// The ledger refused or failed.
    Ledger(LedgerError),
    /// What is wrong with one of the questions, by its position.
    Question(usize, PublishError),
    /// What the ledger holds cannot be read by this version.
    Stored,
}

impl From<LedgerError> for ChargeError {
    fn from(error: LedgerError) -> Self {
        Self::Ledger(error)
    }
}

impl From<ChargeError> for PublishError {
    fn from(error: ChargeError) -> Self {
        match error {
            ChargeError::Ledger(error) => error.into(),
            ChargeError::Question(_, error) => error,
            ChargeError::Stored => Self::StoredDocument,
        }
    }
}

impl<K: Kind> Ask<'_, K> {
    /// Charges an account, draws from the operating system's randomness and records, in one transaction; or finds the answer
    /// on file, and charges nothing.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the draw failed, the charge stays.
    pub fn charge(self, payer: Payer<'_>) -> Result<(Document<K>, Payment), PublishError> {
        charge_one(self, payer, &mut SystemBits::new())
    }
}

/// Charges one question, draws its answer and records it; or finds it on file.
pub(crate) fn charge_one<K: Kind>(
    ask: Ask<'_, K>,
    payer: Payer<'_>,
    bits: &mut dyn BitSource,
) -> Result<(Document<K>, Payment), PublishError> {
    let Charged { answers, .. } = charge(&mut [Box::new(ask)], None, payer, bits)?;
    answers.into_iter().next().ok_or(PublishError::StoredDocument)
}

/// Charges once for all questions, draws all answers and records them, in one transaction. Questions that the ledger
/// has answered before, for as many records, are answered from there, unless their data has no name.
///
/// Only the draws are recorded, because everything else follows from them. It is derived after the commit: a derivation
/// that died within the transaction would undo the charge of a draw, and the law of what is drawn again would be
/// another one.
pub(crate) fn charge<P>(
    asks: &mut [Box<dyn AnyAsk<P> + '_>],
    agreed: Option<Agreed>,
    payer: Payer<'_>,
    bits: &mut dyn BitSource,
) -> Result<Charged<P>, ChargeError> {
    let Payer { ledger, account, again, now, key } = payer;
    let known_by = format!("{} {account}", ledger.path().display());
    let again = again || asks.iter().any(|ask| !ask.is_named());
    let prices = each(asks, |ask| {
        ask.check()?;
        if !again && ask.fingerprint().is_some_and(|one| one.is_of_other_data(&known_by)) {
            return Err(PublishError::OtherData);
        }
        ask.price()
    })?;
    // It is the same of all of them.
    let (column, adjacency) = asks.first().map_or((None, Adjacency::Replace), |ask| ask.protects());
    let column = column.map(ToOwned::to_owned);
    let protected = |charge: Charge| protecting(charge, column.as_deref(), adjacency);
    let text = question(asks.iter().map(|ask| ask.part().clone()).collect());
    let whole = protected(price_of(text, &prices)?)?;
    let now = now.unwrap_or_else(now_utc);
    let sizes: Vec<Option<u64>> = asks.iter().map(|ask| ask.n()).collect();
    // An answer that this version cannot read is taken for the answer, so that it is told and not charged for again.
    let is_of_these_records = |stored: &StoredRelease| {
        Record::parse(&stored.document).map_or(true, |record| record.sizes().eq(sizes.iter().copied()))
    };
    let answers = |stored: &StoredRelease| !again && is_of_these_records(stored);
    let answered = ledger.answer(account, &whole, answers, &now, |_| {
        let drawn = each(asks, |ask| ask.record(bits))?;
        Record::new(drawn, agreed).text().map_err(|_| ChargeError::Stored)
    });
    let (stored, recalled) = match answered {
        Ok(Answered::Recalled(stored)) => (stored, true),
        Ok(Answered::Recorded(stored)) => (stored, false),
        Err(DrawError::Draw { error, .. }) => return Err(error),
        Err(DrawError::Ledger(error)) => return Err(as_asked(error, &prices).into()),
        Err(_) => return Err(ChargeError::Stored),
    };
    asks.iter().filter_map(|ask| ask.fingerprint()).for_each(|one| one.note(&known_by));
    let documents = documents(asks, &stored, key.as_ref())?;
    let paid = if recalled { None } else { Some(ledger.account(account)?) };
    let payment = |charge: Charge| -> Result<Payment, LedgerError> {
        let Some(account) = &paid else { return Ok(Payment::Recalled { drawn: stored.recorded.clone() }) };
        Payment::charged(account, &charge)
    };
    // The price does not depend on the question.
    let alone = prices
        .iter()
        .map(|price| payment(protected(price_of("any".to_owned(), std::slice::from_ref(price))?)?));
    let answers =
        documents.into_iter().zip(alone).map(|(document, paid)| Ok::<_, LedgerError>((document, paid?)));
    Ok(Charged { answers: answers.collect::<Result<_, _>>()?, payment: payment(whole)? })
}

/// The answers that a ledger holds for these questions, whatever the number of their records.
pub(crate) fn recalled<P>(
    asks: &mut [Box<dyn AnyAsk<P> + '_>],
    stored: &StoredRelease,
    key: Option<&SecretKey>,
) -> Result<Charged<P>, ChargeError> {
    let payment = Payment::Recalled { drawn: stored.recorded.clone() };
    let documents = documents(asks, stored, key)?.into_iter();
    Ok(Charged { answers: documents.map(|document| (document, payment.clone())).collect(), payment })
}

fn documents<P>(
    asks: &mut [Box<dyn AnyAsk<P> + '_>],
    stored: &StoredRelease,
    key: Option<&SecretKey>,
) -> Result<Vec<P>, ChargeError> {
    let record = Record::parse(&stored.document).map_err(|_| ChargeError::Stored)?;
    if record.answers() != asks.len() {
        return Err(ChargeError::Stored);
    }
    let all = asks.iter_mut().enumerate();
    let documents = all.map(|(index, ask)| ask.document(&record, index, stored, key));
    documents.collect::<Result<_, DocumentError>>().map_err(|_| ChargeError::Stored)
}

/// What is found of each question, in their order.
fn each<P, T>(
    asks: &mut [Box<dyn AnyAsk<P> + '_>],
    mut of: impl FnMut(&mut (dyn AnyAsk<P> + '_)) -> Result<T, PublishError>,
) -> Result<Vec<T>, ChargeError> {
    let all = asks.iter_mut().enumerate();
    all.map(|(index, ask)| of(&mut **ask).map_err(|error| ChargeError::Question(index, error))).collect()
}

/// A refusal in the numbers that were asked for: a rho that is too much follows from an epsilon and a delta.
fn as_asked(error: LedgerError, prices: &[Price]) -> LedgerError {
    match (error, prices) {
        (LedgerError::Exceeded(exceeded), [Price::Rho(_, stated)]) => {
            Box::new(Exceeded { stated: Some(stated.clone()), ..*exceeded }).into()
        }
        (error, _) => error,
    }
}

/// The charge of answers that cost this. Answers with an epsilon and a delta add up beside pure ones; beside those that cost
/// a rho no account counts them.
pub(crate) fn price_of(question: String, prices: &[Price]) -> Result<Charge, LedgerError> {
    let (mut epsilons, mut deltas, mut rho) = (Vec::new(), Vec::new(), None::<Amount>);
    for price in prices {
        match price {
            Price::Epsilon(epsilon, delta) => {
                epsilons.push(epsilon.clone());
                deltas.extend((!delta.is_zero()).then(|| delta.clone()));
            }
            Price::Rho(one, _) => rho = Some(rho.into_iter().chain([one.clone()]).sum()),
        }
    }
    match (rho, deltas.is_empty()) {
        (None, true) => Charge::batch(question, epsilons),
        (None, false) => Charge::new(question, epsilons.into_iter().sum(), deltas.into_iter().sum()),
        (Some(rho), true) => Charge::mixed(question, epsilons, rho),
        (Some(_), false) => Err(LedgerError::DeltaInBatch),
    }
}

/// What is charged for the answers to a question: for pure ones of these epsilons, and for others that have this rho
/// together. Without a unit each record is protected by itself. What it costs does not depend on the question.
///
/// ```
/// use posterity::ledger::now_utc;
/// use posterity::paying::charge_for;
/// use posterity::{Adjacency, Amount, Ledger};
/// # let folder = tempfile::tempdir()?;
/// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
/// let account = ledger.create_account("survey", &"5".parse()?, &Amount::ZERO, &now_utc())?;
/// let charge = charge_for("any", ["0.1".parse()?], None, None, Adjacency::AddRemove)?;
/// assert_eq!(account.price_of(&charge)?.epsilon(), Some(&"0.2".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LedgerError`] if there is no answer, an amount is zero, or the unit has no name.
pub fn charge_for(
    question: impl Into<String>,
    epsilons: impl IntoIterator<Item = Amount>,
    rho: Option<Amount>,
    column: Option<&str>,
    adjacency: Adjacency,
) -> Result<Charge, LedgerError> {
    let charge = match rho {
        None => Charge::batch(question, epsilons)?,
        Some(rho) => Charge::mixed(question, epsilons, rho)?,
    };
    protecting(charge, column, adjacency)
}

/// The charge of answers that protect these units.
pub(crate) fn protecting(
    charge: Charge,
    column: Option<&str>,
    adjacency: Adjacency,
) -> Result<Charge, LedgerError> {
    Ok(charge.unit(unit(column)?).adjacency(in_ledger(adjacency)))
}

/// An adjacency as a ledger names it.
pub(crate) fn in_ledger(adjacency: Adjacency) -> posterity_ledger::Adjacency {
    match adjacency {
        Adjacency::Replace => posterity_ledger::Adjacency::Replace,
        Adjacency::AddRemove => posterity_ledger::Adjacency::AddRemove,
    }
}

/// Whom a release protects, as a ledger names it.
pub(crate) fn unit(column: Option<&str>) -> Result<Unit, LedgerError> {
    Ok(column.map_or(Ok(Unit::RECORD), Unit::column)?)
}
