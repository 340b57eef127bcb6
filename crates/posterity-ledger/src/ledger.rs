//! The ledger and what it can do. Each operation is one transaction.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use crate::account::{Account, NewAccount, check_population};
use crate::amount::Amount;
use crate::answer::{Answered, DrawError, answer};
use crate::balance;
use crate::charge::Charge;
use crate::entry::{Event, Terms};
use crate::error::LedgerError;
use crate::export::Export;
use crate::fault::Fault;
use crate::file::{SqliteFile, Want};
use crate::head::Head;
use crate::history::{HistoryLine, history};
use crate::recall::{self, StoredRelease};
use crate::schema::FORMAT;
use crate::step::Step;
use crate::timestamp::Timestamp;
use crate::unit::Unit;
use crate::verify::{Verified, hash_at, verify};

/// An open ledger file. Several processes may have it open at once.
///
/// # Guarantee
/// When a charge succeeds, it is on disk, and all releases that were charged to the account are together private at its
/// epsilon and delta, for the unit that it protects and in its adjacency: their sums are at most its budget, or they pass its Renyi filter
/// (`docs/proofs/composition.md`). This holds for any number of processes, and whenever they are killed. What is
/// charged to another account, to another file or nowhere is not counted.
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
    /// [`LedgerError`]: no such file, not a ledger, damaged, another format. A file that cannot be written can be
    /// opened.
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

    /// Creates an account that protects single records. Its budget never changes; delta is [`Amount::ZERO`] for pure
    /// differential privacy. [`Ledger::open_account`] makes others.
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

    /// Creates an account. A second one for the same unit of the same population needs a reason, which is kept.
    ///
    /// # Errors
    /// As [`Ledger::create_account`]; [`LedgerError::SamePeople`], [`LedgerError::BadPopulation`],
    /// [`LedgerError::BadReason`].
    pub fn open_account(&mut self, new: &NewAccount, at: &Timestamp) -> Result<Account, LedgerError> {
        new.check()?;
        let terms = Terms {
            unit: new.unit.clone(),
            adjacency: new.adjacency,
            population: new.population.clone(),
            reason: new.reason.clone(),
            rule: new.rule(),
        };
        let (epsilon, delta) = (new.epsilon.clone(), new.delta.clone());
        let event = Event::Account { epsilon, delta, terms };
        self.file.write(&mut *self.observer, |connection, step| {
            let head = Head::checked(connection)?;
            if balance::exists(connection, &new.name)? {
                return Err(LedgerError::AccountExists { name: new.name.clone() }.into());
            }
            for name in balance::names(connection)? {
                new.check_beside(&balance::account(connection, &name)?)?;
            }
            step(Step::Checked);
            head.append(connection, at, &new.name, event)?;
            step(Step::Appended);
            balance::account(connection, &new.name)
        })
    }

    /// Gives an account without charges another unit, and a description of its population if one is given. This is an
    /// entry of its own.
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
            if standing.tally.charges > 0 {
                let (account, unit) = (account.to_owned(), standing.unit);
                return Err(LedgerError::UnitDecided { account, unit }.into());
            }
            step(Step::Checked);
            let mut state = standing.state(unit.clone(), standing.tally.clone());
            state.population = population.map(ToOwned::to_owned).or(state.population);
            head.append(connection, at, account, Event::Unit { state })?;
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

    /// Answers a question in one transaction: gives back the last recorded answer that `fits`, or else charges, draws
    /// and records.
    ///
    /// `fits` is called with the recorded answers to this very question at this very price, the newest first, until one
    /// fits. Pass `|_| false` to draw again. A recalled answer costs nothing and needs no budget.
    ///
    /// `draw` is called after the charge is written and before it is committed, with the head of the ledger after the
    /// charge. It returns the document, which nobody may see before this function has returned: `draw` must not
    /// print, send or store anything. Nobody else can write the ledger meanwhile, so check beforehand whatever can be
    /// checked, and draw quickly. A process that dies at any moment leaves nothing charged, or a charge with its
    /// document.
    ///
    /// # Errors
    /// [`DrawError::Ledger`] if the ledger refuses or fails, such as [`LedgerError::Exceeded`] if the budget does not
    /// suffice: nothing was drawn or nobody saw it, and nothing was charged. [`DrawError::Draw`] if `draw` fails: the
    /// charge stays. It also stays if `draw` panics.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Answered, Charge, Ledger, LedgerError, now_utc};
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    /// ledger.create_account("survey", &"1".parse()?, &Amount::ZERO, &now_utc())?;
    /// let charge = Charge::new("two questions, epsilon 0.5 each", "1".parse()?, Amount::ZERO)?;
    /// let mut ask = |answer: &str| {
    ///     ledger.answer("survey", &charge, |_| true, &now_utc(), |head| {
    ///         Ok::<_, LedgerError>(format!("{answer}, charged in entry {}", head.entries))
    ///     })
    /// };
    ///
    /// let Answered::Recorded(first) = ask("yes")? else { unreachable!("nothing is on file") };
    /// println!("{}", first.document); // it is charged, recorded and on disk
    /// assert_eq!(ask("no")?, Answered::Recalled(first));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer<E>(
        &mut self,
        account: &str,
        charge: &Charge,
        fits: impl FnMut(&StoredRelease) -> bool,
        at: &Timestamp,
        draw: impl FnOnce(Head) -> Result<String, E>,
    ) -> Result<Answered, DrawError<E>> {
        let outcome = self.file.write(&mut *self.observer, |connection, step| {
            answer(connection, step, account, charge, fits, at, draw)
        })?;
        outcome.tell()
    }

    /// The last document that was recorded for the identical question, at whatever price.
    ///
    /// # Errors
    /// [`LedgerError::UnknownAccount`]; [`LedgerError::Broken`] if it was changed since.
    pub fn find(&self, account: &str, question: &str) -> Result<Option<StoredRelease>, LedgerError> {
        self.file.read(|connection| {
            require_account(connection, account)?;
            recall::find(connection, account, question, None, |_| true)
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

    /// [`Ledger::verify`], and that a head noted earlier is still on the chain: nothing before it was removed or
    /// rewritten.
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

fn all_accounts(connection: &Connection) -> Result<Vec<Account>, Fault> {
    balance::names(connection)?.iter().map(|name| balance::account(connection, name)).collect()
}

fn require_account(connection: &Connection, name: &str) -> Result<(), Fault> {
    if balance::exists(connection, name)? {
        return Ok(());
    }
    Err(balance::unknown(connection, name)?)
}
