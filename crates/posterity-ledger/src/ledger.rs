//! The ledger and what it can do. Each operation is one transaction.

use std::any::Any;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use crate::account::{Account, NewAccount, check_population};
use crate::amount::Amount;
use crate::balance;
use crate::charge::{Charge, Receipt};
use crate::draw::{Answered, DrawError};
use crate::entry::{Event, Terms};
use crate::error::LedgerError;
use crate::export::Export;
use crate::fault::Fault;
use crate::file::{SqliteFile, Want};
use crate::head::Head;
use crate::history::{HistoryLine, history};
use crate::outcome::ChargeOutcome;
use crate::recall::{self, StoredRelease};
use crate::schema::FORMAT;
use crate::step::Step;
use crate::timestamp::Timestamp;
use crate::unit::Unit;
use crate::upgrade::upgrade;
use crate::verify::{Verified, hash_at, verify};

/// An open ledger file. Several processes may have it open at once.
///
/// # Guarantee
/// When a charge succeeds, it is on disk, and all releases that were charged to the account are together private at its epsilon and
/// delta, for the unit that it protects: their sums are at most its budget, or they pass its Renyi filter (`docs/proofs/composition.md`).
/// This holds for any number of processes, and whenever they are killed. What is charged to another account, to another file
/// or nowhere is not counted.
pub struct Ledger {
    file: SqliteFile,
    observer: Box<dyn FnMut(Step) + Send>,
}

impl Ledger {
    /// Creates a ledger file. An empty file becomes a ledger, too.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] if there is a ledger, and others if the file cannot be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, LedgerError> {
        Self::with(path.as_ref(), Want::New)
    }

    /// Opens a ledger file. It never creates one.
    ///
    /// # Errors
    /// [`LedgerError`]: no such file, not a ledger, damaged, a later format. A file that cannot be written can be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LedgerError> {
        Self::with(path.as_ref(), Want::Existing)
    }

    /// Opens a ledger file, or creates it if there is none.
    ///
    /// # Errors
    /// As [`Ledger::open`] and [`Ledger::create`].
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Self, LedgerError> {
        Self::with(path.as_ref(), Want::Either)
    }

    /// Opens a ledger file, and upgrades it if it is of format 1: once, in one transaction. `unit_of` says whom a question of
    /// format 1 protects, or nothing if it cannot tell. An account whose charges differ takes no more charges until
    /// [`Ledger::decide_unit`].
    ///
    /// # Errors
    /// As [`Ledger::open`]. A file that cannot be written cannot be upgraded.
    pub fn upgrade(
        path: impl AsRef<Path>,
        at: &Timestamp,
        unit_of: impl Fn(&str) -> Option<Unit>,
    ) -> Result<Self, LedgerError> {
        let mut ledger = Self::with(path.as_ref(), Want::Upgradable)?;
        ledger.file.write(&mut |_| (), |connection, _| upgrade(connection, at, &unit_of))?;
        Ok(ledger)
    }

    fn with(path: &Path, want: Want) -> Result<Self, LedgerError> {
        Ok(Self { file: SqliteFile::open(path, want)?, observer: Box::new(|_| ()) })
    }

    /// The file, as it was named.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Sets how long to wait while another process writes: 30 seconds at first.
    ///
    /// # Errors
    /// [`LedgerError::Storage`].
    pub fn set_patience(&mut self, patience: Duration) -> Result<(), LedgerError> {
        self.file.set_patience(patience)
    }

    /// Calls a function at each step of every later write.
    pub fn observe(&mut self, observer: impl FnMut(Step) + Send + 'static) {
        self.observer = Box::new(observer);
    }

    /// Creates an account that protects single records. Its budget never changes; delta is [`Amount::ZERO`] for pure differential
    /// privacy. [`Ledger::open_account`] makes others.
    ///
    /// # Errors
    /// [`LedgerError::AccountExists`], or another variant if the name or the budget is not allowed.
    pub fn create_account(
        &mut self,
        name: &str,
        epsilon: &Amount,
        delta: &Amount,
        at: &Timestamp,
    ) -> Result<Account, LedgerError> {
        self.open_account(&NewAccount::new(name, epsilon.clone(), delta.clone()), at)
    }

    /// Creates an account.
    ///
    /// # Errors
    /// As [`Ledger::create_account`].
    pub fn open_account(&mut self, new: &NewAccount, at: &Timestamp) -> Result<Account, LedgerError> {
        new.check()?;
        let terms = Terms { unit: new.unit.clone(), population: new.population.clone(), rule: new.rule() };
        let (epsilon, delta) = (new.epsilon.clone(), new.delta.clone());
        let event = Event::Account { epsilon, delta, terms: Some(terms) };
        self.file.write(&mut *self.observer, |connection, step| {
            let head = Head::checked(connection)?;
            if balance::exists(connection, &new.name)? {
                return Err(LedgerError::AccountExists { name: new.name.clone() }.into());
            }
            step(Step::Checked);
            head.append(connection, at, &new.name, &event)?;
            step(Step::Appended);
            balance::account(connection, &new.name)
        })
    }

    /// Decides whom an account protects: one of format 1 whose charges differ, or one without charges. It is an entry of its own.
    ///
    /// Only the owner of the data can decide it: to say `patient` of an account that also has charges per record is to say that each
    /// patient has one record in those.
    ///
    /// # Errors
    /// [`LedgerError::UnitDecided`], [`LedgerError::UnknownAccount`], [`LedgerError::BadPopulation`].
    pub fn decide_unit(
        &mut self,
        account: &str,
        unit: &Unit,
        population: Option<&str>,
        at: &Timestamp,
    ) -> Result<Account, LedgerError> {
        population.map_or(Ok(()), check_population)?;
        self.file.write(&mut *self.observer, |connection, step| {
            let head = Head::checked(connection)?;
            let standing = balance::standing(connection, account)?;
            if let (Some(unit), true) = (&standing.unit, standing.tally.charges > 0) {
                let (account, unit) = (account.to_owned(), unit.clone());
                return Err(LedgerError::UnitDecided { account, unit }.into());
            }
            step(Step::Checked);
            let mut state = standing.state(Some(unit.clone()), standing.tally.clone());
            state.population = population.map(ToOwned::to_owned).or(state.population);
            head.append(connection, at, account, &Event::Unit { among: Vec::new(), state })?;
            step(Step::Appended);
            balance::account(connection, account)
        })
    }

    /// All accounts in the order of their creation.
    ///
    /// # Errors
    /// [`LedgerError`] if the file cannot be read.
    pub fn accounts(&self) -> Result<Vec<Account>, LedgerError> {
        self.file.read(all_accounts)
    }

    /// An account with its balance.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`].
    pub fn account(&self, name: &str) -> Result<Account, LedgerError> {
        self.file.read(|connection| balance::account(connection, name))
    }

    /// Charges an account, also for a question that was answered before.
    ///
    /// Draw only after this returned. If it fails, nothing was charged, save for [`LedgerError::Storage`] and
    /// [`LedgerError::Full`], after which the history shows whether it was.
    ///
    /// # Errors
    /// [`LedgerError::Exceeded`] if the budget does not suffice.
    pub fn charge(&mut self, account: &str, charge: &Charge, at: &Timestamp) -> Result<Receipt, LedgerError> {
        self.file.write(&mut *self.observer, |connection, step| {
            charge_within(connection, step, account, charge, at)
        })
    }

    /// Gives the document that was recorded for the identical question at the same price, or else charges. Both are one
    /// transaction, so that no other process charges in between. With `again` it always charges.
    ///
    /// # Errors
    /// As [`Ledger::charge`].
    pub fn charge_or_recall(
        &mut self,
        account: &str,
        charge: &Charge,
        again: bool,
        at: &Timestamp,
    ) -> Result<ChargeOutcome, LedgerError> {
        self.file.write(&mut *self.observer, |connection, step| {
            match recall_within(connection, account, charge, again)? {
                Some(release) => Ok(ChargeOutcome::Recalled(release)),
                None => charge_within(connection, step, account, charge, at).map(ChargeOutcome::Charged),
            }
        })
    }

    /// Stores the release document with its charge. Publish only after this returned.
    ///
    /// # Errors
    /// [`LedgerError::UnknownReceipt`], [`LedgerError::AlreadyRecorded`].
    pub fn record(
        &mut self,
        receipt: &Receipt,
        document: &str,
        at: &Timestamp,
    ) -> Result<StoredRelease, LedgerError> {
        let path = self.file.path().to_owned();
        self.file.write(&mut *self.observer, |connection, step| {
            let head = Head::checked(connection)?;
            let entry = receipt.entry;
            let (true, Ok(sequence)) =
                (hash_at(connection, entry)? == Some(receipt.hash), i64::try_from(entry))
            else {
                return Err(LedgerError::UnknownReceipt { path, entry }.into());
            };
            let mut recorded =
                connection.prepare("SELECT 1 FROM entry WHERE kind = 'record' AND charge = ?1")?;
            if recorded.exists([sequence])? {
                return Err(LedgerError::AlreadyRecorded { entry }.into());
            }
            step(Step::Checked);
            record_within(connection, step, head, receipt, document.to_owned(), at)
        })
    }

    /// Charges an account, draws and records the document, all in one transaction, also for a question that was answered
    /// before. So a process that dies at any moment leaves nothing charged and nothing to be seen, or a charge with its document.
    ///
    /// `draw` is called once the charge is written and before it is committed, and is told the charge. It returns the document,
    /// which nobody may see before this function has returned: `draw` must not print, send or store anything. Nobody else
    /// can write the ledger meanwhile, so check beforehand whatever can be checked, and draw quickly.
    ///
    /// # Errors
    /// [`DrawError::Ledger`] as [`Ledger::charge`]. If `draw` fails, [`DrawError::Draw`], and the charge stays. It also stays
    /// if `draw` panics.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Charge, Ledger, LedgerError, now_utc};
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    /// ledger.create_account("survey", &"1".parse()?, &Amount::ZERO, &now_utc())?;
    /// let charge = Charge::new("two questions, epsilon 0.5 each", "1".parse()?, Amount::ZERO)?;
    ///
    /// let release = ledger.charge_and_record("survey", &charge, &now_utc(), |receipt| {
    ///     Ok::<_, LedgerError>(format!(r#"{{"charge": {}, "drawn": "here"}}"#, receipt.entry()))
    /// })?;
    /// println!("{}", release.document); // it is charged, recorded and on disk
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn charge_and_record<E>(
        &mut self,
        account: &str,
        charge: &Charge,
        at: &Timestamp,
        draw: impl FnOnce(&Receipt) -> Result<String, E>,
    ) -> Result<StoredRelease, DrawError<E>> {
        let drawn = self.file.write(&mut *self.observer, |connection, step| {
            draw_within(connection, step, account, charge, at, draw)
        })?;
        drawn.finish()
    }

    /// [`Ledger::charge_and_record`], unless a document was recorded for the identical question at the same price: then that
    /// one is given, and nothing is charged or drawn. With `again` it always charges.
    ///
    /// # Errors
    /// As [`Ledger::charge_and_record`].
    pub fn charge_and_record_or_recall<E>(
        &mut self,
        account: &str,
        charge: &Charge,
        again: bool,
        at: &Timestamp,
        draw: impl FnOnce(&Receipt) -> Result<String, E>,
    ) -> Result<Answered, DrawError<E>> {
        let drawn = self.file.write(&mut *self.observer, |connection, step| {
            match recall_within(connection, account, charge, again)? {
                Some(release) => Ok(Err(release)),
                None => draw_within(connection, step, account, charge, at, draw).map(Ok),
            }
        })?;
        match drawn {
            Err(recalled) => Ok(Answered::Recalled(recalled)),
            Ok(drawn) => drawn.finish().map(Answered::Recorded),
        }
    }

    /// The last document that was recorded for the identical question, at whatever price.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`]; [`LedgerError::Broken`] if it was changed since.
    pub fn find(&self, account: &str, question: &str) -> Result<Option<StoredRelease>, LedgerError> {
        self.file.read(|connection| {
            require_account(connection, account)?;
            recall::find(connection, account, question, None)
        })
    }

    /// The document that was recorded for a charge, by the number of its entry.
    ///
    /// # Errors
    /// [`LedgerError::Broken`] if it was changed since.
    pub fn release_at(&self, charge: u64) -> Result<Option<StoredRelease>, LedgerError> {
        self.file.read(|connection| recall::at(connection, charge))
    }

    /// The charges of an account in their order.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`].
    pub fn history(&self, account: &str) -> Result<Vec<HistoryLine>, LedgerError> {
        self.file.read(|connection| history(connection, account))
    }

    /// Checks every entry, every link and the head, and that the entries make sense.
    ///
    /// # Errors
    /// [`LedgerError::Broken`] names the first entry that is wrong; [`LedgerError::Damaged`].
    pub fn verify(&self) -> Result<Verified, LedgerError> {
        self.file.read(|connection| verify(connection, |_| ()))
    }

    /// [`Ledger::verify`], and that a head noted earlier is still on the chain: nothing before it was removed or rewritten.
    ///
    /// # Errors
    /// Also [`LedgerError::HeadNotFound`].
    pub fn verify_against(&self, expected: &Head) -> Result<Verified, LedgerError> {
        self.file.read(|connection| {
            let verified = verify(connection, |_| ())?;
            if hash_at(connection, expected.entries)? != Some(expected.hash) {
                let path = self.file.path().to_owned();
                return Err(LedgerError::HeadNotFound { path, expected: *expected }.into());
            }
            Ok(verified)
        })
    }

    /// The whole ledger, verified.
    ///
    /// # Errors
    /// As [`Ledger::verify`].
    pub fn export(&self) -> Result<Export, LedgerError> {
        self.file.read(|connection| {
            let mut entries = Vec::new();
            let verified = verify(connection, |entry| entries.push(entry))?;
            Ok(Export { format: FORMAT, head: verified.head, accounts: all_accounts(connection)?, entries })
        })
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ledger").field("path", &self.path()).finish_non_exhaustive()
    }
}

/// Charges within a transaction that holds the lock for writing.
fn charge_within(
    connection: &Connection,
    step: &mut dyn FnMut(Step),
    name: &str,
    charge: &Charge,
    at: &Timestamp,
) -> Result<Receipt, Fault> {
    let head = Head::checked(connection)?;
    let standing = balance::standing(connection, name)?;
    let tally = standing.after(charge)?;
    step(Step::Checked);
    let event = Event::Charge {
        question: charge.question().to_owned(),
        epsilon: charge.epsilon().clone(),
        delta: charge.delta().clone(),
        parts: charge.parts().cloned(),
        state: Some(standing.state(Some(charge.protects().clone()), tally)),
    };
    let head = head.append(connection, at, name, &event)?;
    step(Step::Appended);
    Ok(Receipt { account: standing.name, entry: head.entries, hash: head.hash })
}

/// The document that answers a charge's question at its price, unless a new one is wanted.
fn recall_within(
    connection: &Connection,
    account: &str,
    charge: &Charge,
    again: bool,
) -> Result<Option<StoredRelease>, Fault> {
    for text in charge.texts().filter(|_| !again) {
        if let Some(release) = recall::find(connection, account, text, Some(charge))? {
            return Ok(Some(release));
        }
    }
    Ok(None)
}

/// Appends the document of a charge within a transaction that holds the lock for writing.
fn record_within(
    connection: &Connection,
    step: &mut dyn FnMut(Step),
    head: Head,
    receipt: &Receipt,
    document: String,
    at: &Timestamp,
) -> Result<StoredRelease, Fault> {
    let sequence = |entry: u64| i64::try_from(entry).unwrap_or(i64::MAX);
    let charged = recall::intact(connection, sequence(receipt.entry))?;
    let event = Event::Record { charge: receipt.entry, document };
    let head = head.append(connection, at, &receipt.account, &event)?;
    step(Step::Appended);
    recall::release(charged, recall::intact(connection, sequence(head.entries))?)
}

/// Charges, draws and records within a transaction that holds the lock for writing.
fn draw_within<E>(
    connection: &Connection,
    step: &mut dyn FnMut(Step),
    account: &str,
    charge: &Charge,
    at: &Timestamp,
    draw: impl FnOnce(&Receipt) -> Result<String, E>,
) -> Result<Drawn<E>, Fault> {
    let receipt = charge_within(connection, step, account, charge, at)?;
    // A panic may depend on the data, as an error may. So it is charged like an error, and goes on after the commit.
    let document = match std::panic::catch_unwind(AssertUnwindSafe(|| draw(&receipt))) {
        Ok(Ok(document)) => document,
        Ok(Err(error)) => return Ok(Drawn::Failed { entry: receipt.entry, error }),
        Err(panic) => return Ok(Drawn::Panicked(panic)),
    };
    step(Step::Drawn);
    let head = Head { entries: receipt.entry, hash: receipt.hash };
    let release = record_within(connection, step, head, &receipt, document, at)?;
    Ok(Drawn::Recorded(Box::new(release)))
}

/// What came of a draw. Its charge is committed in all cases.
enum Drawn<E> {
    Recorded(Box<StoredRelease>),
    Failed { entry: u64, error: E },
    Panicked(Box<dyn Any + Send>),
}

impl<E> Drawn<E> {
    /// What the caller is told, once the transaction is committed.
    fn finish(self) -> Result<StoredRelease, DrawError<E>> {
        match self {
            Self::Recorded(release) => Ok(*release),
            Self::Failed { entry, error } => Err(DrawError::Draw { entry, error }),
            Self::Panicked(panic) => std::panic::resume_unwind(panic),
        }
    }
}

fn all_accounts(connection: &Connection) -> Result<Vec<Account>, Fault> {
    balance::names(connection)?.iter().map(|name| balance::account(connection, name)).collect()
}

fn require_account(connection: &Connection, name: &str) -> Result<(), Fault> {
    if balance::exists(connection, name)? {
        return Ok(());
    }
    Err(balance::unknown(connection, name)?)
}
