//! From counts to charged releases: one transaction charges, draws and records, and there is no other way.

use posterity_core::mechanism::ReleaseError;
use posterity_core::model::{Adjacency, Counts, Drawn};
use posterity_core::sampler::BitSource;
use posterity_ledger::{
    Amount, Answered, Charge, DrawError, Ledger, LedgerError, StoredRelease, Timestamp, Unit, now_utc,
};
use serde_json::Value;

use crate::agreed::Agreed;
use crate::document::{Document, Record};
use crate::prepared::Prepared;
use crate::publish_error::PublishError;
use crate::question::question;
use crate::release::{Payment, Release};
use crate::signature::SecretKey;

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

/// Draws an answer, as the ledger records it.
pub(crate) type DrawBeside<'a> = Box<dyn Fn(&mut dyn BitSource) -> Result<Value, PublishError> + 'a>;

/// An answer of another kind in the same charge, whose price is in rho. It comes after the posteriors.
pub(crate) struct Beside<'a> {
    /// What the ledger knows the question by.
    pub(crate) part: Value,
    pub(crate) rho: Amount,
    pub(crate) adjacency: Adjacency,
    pub(crate) unit: Option<&'a str>,
    /// The number of records, if it is public.
    pub(crate) n: Option<u64>,
    /// Draws the answer, as the ledger records it.
    pub(crate) draw: DrawBeside<'a>,
}

/// What was charged and recorded, or found on file.
pub(crate) struct Charged {
    pub(crate) releases: Vec<Release>,
    /// What each answer of another kind cost.
    pub(crate) beside: Vec<Payment>,
    /// What all of it cost together.
    pub(crate) payment: Payment,
    pub(crate) stored: StoredRelease,
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

/// Charges once for all questions, draws all answers and records them, in one transaction. Questions that the ledger
/// has answered before, for as many records, are answered from there. Returns the releases and what they cost together.
///
/// Only the draws are recorded, because everything else follows from them. It is derived after the commit: a derivation
/// that died within the transaction would undo the charge of a draw, and the law of what is drawn again would be
/// another one.
pub(crate) fn charge(
    prepared: &[Prepared<'_>],
    counts: &[&Counts],
    beside: &[Beside<'_>],
    agreed: Option<Agreed>,
    payer: Payer<'_>,
    bits: &mut dyn BitSource,
) -> Result<Charged, ChargeError> {
    let Payer { ledger, account, again, now, key } = payer;
    let prices = prices(prepared)?;
    let (column, adjacency) = common(prepared, beside);
    let parts = prepared.iter().map(|one| one.part.clone());
    let text = question(parts.chain(beside.iter().map(|one| one.part.clone())).collect());
    let rho = (!beside.is_empty()).then(|| beside.iter().map(|one| one.rho.clone()).sum());
    let whole = charge_for(text, prices.clone(), rho, column, adjacency)?;
    let now = now.unwrap_or_else(now_utc);
    let answers = |stored: &StoredRelease| !again && is_of_these_records(stored, prepared, beside);
    let answered = ledger.answer(account, &whole, answers, &now, |_| {
        let drawn = draw(prepared, counts, bits)?;
        let papers = draw_beside(prepared.len(), beside, bits)?;
        record(prepared, &drawn).with_papers(papers).with_plan(agreed).text().map_err(|_| ChargeError::Stored)
    });
    let (stored, recalled) = match answered {
        Ok(Answered::Recalled(stored)) => (stored, true),
        Ok(Answered::Recorded(stored)) => (stored, false),
        Err(DrawError::Draw { error, .. }) => return Err(error),
        Err(DrawError::Ledger(error)) => return Err(error.into()),
        Err(_) => return Err(ChargeError::Stored),
    };
    let documents = documents(&stored, prepared)?;
    let paid = if recalled { None } else { Some(ledger.account(account)?) };
    let payment = |charge: &Charge| -> Result<Payment, LedgerError> {
        let Some(account) = &paid else { return Ok(Payment::Recalled { drawn: stored.recorded.clone() }) };
        Payment::charged(account, charge)
    };
    // The price does not depend on the question.
    let alone = |epsilon, rho| payment(&charge_for("any", epsilon, rho, column, adjacency)?);
    let releases = documents.into_iter().zip(prices).map(|(document, price)| {
        let payment = alone(Some(price), None)?;
        Ok::<_, LedgerError>(Release::new(document.sealed(key.as_ref()), payment))
    });
    let beside = beside.iter().map(|one| alone(None, Some(one.rho.clone())));
    Ok(Charged {
        releases: releases.collect::<Result<_, _>>()?,
        beside: beside.collect::<Result<_, _>>()?,
        payment: payment(&whole)?,
        stored,
    })
}

/// Whom all answers protect, and which data sets they make look alike. It is the same of all of them.
fn common<'a>(prepared: &'a [Prepared<'_>], beside: &[Beside<'a>]) -> (Option<&'a str>, Adjacency) {
    match (prepared.first(), beside.first()) {
        (Some(first), _) => (first.unit(), first.asked.request.setting().adjacency()),
        (None, Some(first)) => (first.unit, first.adjacency),
        (None, None) => (None, Adjacency::Replace),
    }
}

/// Draws the answers of other kinds, which come after so many.
fn draw_beside(
    after: usize,
    beside: &[Beside<'_>],
    bits: &mut dyn BitSource,
) -> Result<Vec<Value>, ChargeError> {
    let all = beside.iter().enumerate();
    all.map(|(index, one)| (one.draw)(bits).map_err(|error| ChargeError::Question(after + index, error)))
        .collect()
}

/// What is charged for the answers to a question: for pure ones of these epsilons, and for others that have this rho
/// together. Without a unit each record is protected by itself. What it costs does not depend on the question.
///
/// ```
/// use posterity::ledger::now_utc;
/// use posterity::{Adjacency, Amount, Ledger, charge_for};
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
    Ok(charge.unit(unit(column)?).adjacency(in_ledger(adjacency)))
}

/// An adjacency as a ledger names it.
pub(crate) fn in_ledger(adjacency: Adjacency) -> posterity_ledger::Adjacency {
    match adjacency {
        Adjacency::Replace => posterity_ledger::Adjacency::Replace,
        Adjacency::AddRemove => posterity_ledger::Adjacency::AddRemove,
    }
}

/// The answers that a ledger holds for these questions, whatever the number of their records.
pub(crate) fn recalled(
    stored: &StoredRelease,
    prepared: &[Prepared<'_>],
    key: Option<&SecretKey>,
) -> Result<(Vec<Release>, Payment), ChargeError> {
    let payment = Payment::Recalled { drawn: stored.recorded.clone() };
    let documents = documents(stored, prepared)?.into_iter();
    let releases = documents.map(|document| Release::new(document.sealed(key), payment.clone())).collect();
    Ok((releases, payment))
}

/// Draws all answers.
pub(crate) fn draw(
    prepared: &[Prepared<'_>],
    counts: &[&Counts],
    bits: &mut dyn BitSource,
) -> Result<Vec<Drawn>, ChargeError> {
    let pairs = prepared.iter().zip(counts).enumerate();
    pairs
        .map(|(question, (prepared, counts))| {
            let drawn: Result<Drawn, ReleaseError> = prepared.mechanism.draw(counts, bits);
            drawn.map_err(|error| ChargeError::Question(question, error.into()))
        })
        .collect()
}

/// Whom a release protects, as a ledger names it.
pub(crate) fn unit(column: Option<&str>) -> Result<Unit, LedgerError> {
    Ok(column.map_or(Ok(Unit::RECORD), Unit::column)?)
}

fn record(prepared: &[Prepared<'_>], drawn: &[Drawn]) -> Record {
    let promised: Vec<_> = prepared.iter().map(|one| one.promised(None)).collect();
    let all = prepared.iter().zip(&promised).zip(drawn);
    Record::new(all.map(|((one, promised), drawn)| (&one.asked, promised, drawn)))
}

fn documents(stored: &StoredRelease, prepared: &[Prepared<'_>]) -> Result<Vec<Document>, ChargeError> {
    let terms: Vec<_> = prepared.iter().map(Prepared::reading_terms).collect();
    let record = Record::parse(&stored.document).map_err(|_| ChargeError::Stored)?;
    record.documents(stored, &terms).map_err(|_| ChargeError::Stored)
}

/// Whether an answer on file is of as many records as are asked about. One that this version cannot read is taken for
/// the answer, so that it is told and not charged for again.
fn is_of_these_records(stored: &StoredRelease, prepared: &[Prepared<'_>], beside: &[Beside<'_>]) -> bool {
    let sizes = prepared.iter().map(|one| one.asked.facts.n).chain(beside.iter().map(|one| one.n));
    Record::parse(&stored.document).map_or(true, |record| record.sizes().eq(sizes))
}

/// The price of each answer.
fn prices(prepared: &[Prepared<'_>]) -> Result<Vec<Amount>, ChargeError> {
    let all = prepared.iter().enumerate();
    all.map(|(question, one)| one.price().map_err(|error| ChargeError::Question(question, error))).collect()
}
