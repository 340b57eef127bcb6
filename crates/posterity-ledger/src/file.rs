//! The SQLite file of a ledger: opening it, transactions, and what its failures mean.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use crate::error::LedgerError;
use crate::fault::Fault;
use crate::schema::{self, FORMAT, Identity};
use crate::step::Step;

/// How long a lock is waited for unless told otherwise. A write takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// One attempt to get the lock for writing. SQLite tries more and more seldom, at last ten times in a second, and then
/// hardly ever meets the moment between two writes of a busy process; so attempts are short and begin again.
const ATTEMPT: Duration = Duration::from_millis(20);

/// An open ledger file.
#[derive(Debug)]
pub(crate) struct SqliteFile {
    path: PathBuf,
    connection: Connection,
    patience: Duration,
}

/// Whether the file must exist, must not exist, or may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// The ledger must exist.
    Existing,
    /// The ledger must not exist yet.
    New,
    /// Both are allowed.
    Either,
}

impl SqliteFile {
    /// Opens or creates a file.
    pub(crate) fn open(path: &Path, want: Want) -> Result<Self, LedgerError> {
        let present = look_at(path)?;
        let existing = want == Want::Existing;
        if !present && existing {
            return Err(LedgerError::Missing { path: path.to_owned() });
        }
        // An absolute path is never one of the names that SQLite treats specially: "", ":memory:" and "file:..".
        let cannot_open = |reason: String| LedgerError::CannotOpen { path: path.to_owned(), reason };
        let absolute = std::path::absolute(path).map_err(|error| cannot_open(error.to_string()))?;
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if !existing {
            flags |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        let connection =
            Connection::open_with_flags(absolute, flags).map_err(|error| match code(&error) {
                // No lock was taken yet, so the system refuses to open the file.
                Some((ErrorCode::CannotOpen, _)) => cannot_open("the system refuses it".to_owned()),
                _ => cannot_open(error.to_string()),
            })?;
        let mut file = Self { path: path.to_owned(), connection, patience: PATIENCE };
        file.set_patience(PATIENCE)?;
        if !existing {
            file.initialise(want)?;
        }
        file.require_ours(file.identity())?;
        file.configure().map_err(|error| file.explain(error))?;
        Ok(file)
    }

    /// The file, as it was named.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Sets how long a lock is waited for.
    pub(crate) fn set_patience(&mut self, patience: Duration) -> Result<(), LedgerError> {
        // SQLite counts milliseconds in 31 bits.
        self.patience = patience.min(Duration::from_secs(1_000_000));
        self.connection.busy_timeout(self.patience).map_err(|error| self.explain(error))
    }

    /// Reads everything from one state of the file.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, LedgerError> {
        let transaction = self.connection.unchecked_transaction().map_err(|error| self.explain(error))?;
        work(&transaction).map_err(|fault| self.blame(fault))
    }

    /// Runs a transaction that writes all or nothing. There is one writer at a time, and the result is on disk on
    /// return.
    ///
    /// The lock for writing is taken before anything is read (`BEGIN IMMEDIATE`), so no other process can spend between
    /// the sum and the charge. An error at any point, the commit included, leaves the file as it was.
    pub(crate) fn write<T>(
        &mut self,
        observe: &mut dyn FnMut(Step),
        work: impl FnOnce(&Connection, &mut dyn FnMut(Step)) -> Result<T, Fault>,
    ) -> Result<T, LedgerError> {
        match self.try_write(observe, work) {
            Ok(value) => Ok(value),
            Err(fault) => Err(self.blame(fault)),
        }
    }

    fn try_write<T>(
        &mut self,
        observe: &mut dyn FnMut(Step),
        work: impl FnOnce(&Connection, &mut dyn FnMut(Step)) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let transaction = self.begin()?;
        observe(Step::Locked);
        let value = work(&transaction, observe)?;
        transaction.commit()?;
        observe(Step::Committed);
        Ok(value)
    }

    /// Takes the lock for writing, as soon as it is free and at most as late as patience allows.
    fn begin(&mut self) -> Result<Transaction<'_>, rusqlite::Error> {
        let mut left = self.patience;
        loop {
            let wait = left.min(ATTEMPT);
            left -= wait;
            self.connection.busy_timeout(wait)?;
            let begun = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate);
            let busy =
                matches!(&begun, Err(error) if matches!(code(error), Some((ErrorCode::DatabaseBusy, _))));
            if !busy || left.is_zero() {
                self.connection.busy_timeout(self.patience)?;
                return begun;
            }
        }
    }

    /// Makes a blank file a ledger. Two processes may try at once: the second finds a ledger.
    fn initialise(&mut self, want: Want) -> Result<(), LedgerError> {
        let path = self.path.clone();
        // A file that is a ledger already may be read-only, so look before locking.
        let found = self.identity();
        if !matches!(found, Ok(Identity::Blank)) {
            return match (self.require_ours(found), want) {
                (Ok(()), Want::New) => Err(LedgerError::Exists { path }),
                (result, _) => result,
            };
        }
        self.configure().map_err(|error| self.explain(error))?;
        self.write(&mut |_| (), |connection, _| match schema::identify(connection)? {
            Identity::Blank => Ok(schema::initialise(connection)?),
            Identity::Ours if want == Want::New => Err(LedgerError::Exists { path }.into()),
            _ => Ok(()),
        })
    }

    /// What the file is, read from one state of it: between two reads another process may make it a ledger.
    fn identity(&self) -> rusqlite::Result<Identity> {
        schema::identify(&*self.connection.unchecked_transaction()?)
    }

    /// Says why a file is not a ledger that we can use.
    fn require_ours(&self, identity: rusqlite::Result<Identity>) -> Result<(), LedgerError> {
        let path = self.path.clone();
        match identity.map_err(|error| self.explain(error))? {
            Identity::Ours => Ok(()),
            Identity::Blank => Err(LedgerError::Empty { path }),
            Identity::Foreign => Err(LedgerError::NotALedger { path }),
            Identity::Other(found) => Err(LedgerError::OtherFormat { path, found, known: FORMAT }),
            Identity::Altered => {
                Err(LedgerError::Damaged { path, reason: "its tables were altered".to_owned() })
            }
        }
    }

    /// Settings of this connection, made only once the file is known to be ours or blank.
    fn configure(&self) -> rusqlite::Result<()> {
        // A rollback journal, not a write-ahead log. Both survive SIGKILL and keep processes apart. But with a log the
        // last charges live in a second file until it is folded in, and a copy of the ledger alone would forget them;
        // and a log needs shared memory between the processes. The price is a few more syncs for each charge.
        //
        // A journal ends a transaction by being deleted. FULL does not sync the folder after that, so that a power
        // failure could bring the journal back and undo a charge that was already released; EXTRA does.
        let mode: String =
            self.connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0))?;
        if mode != "delete" && !self.connection.is_readonly("main")? {
            return Err(rusqlite::Error::SqliteFailure(
                rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
                None,
            ));
        }
        self.connection.pragma_update(None, "synchronous", "EXTRA")?;
        // On macOS an ordinary sync stops at the drive's cache.
        self.connection.pragma_update(None, "fullfsync", true)?;
        // Without these two, SQLite writes parts of a large transaction to the disk before it is committed: changed
        // pages that do not fit into its cache to the ledger itself, and what it may have to undo to a temporary file.
        // A process that is killed then would leave a draw on the disk whose charge is undone.
        self.connection.pragma_update(None, "cache_spill", false)?;
        self.connection.pragma_update(None, "temp_store", "MEMORY")?;
        // Somebody may have edited the file: nothing in it is run, and nothing is believed without a check.
        self.connection.pragma_update(None, "trusted_schema", false)?;
        self.connection.pragma_update(None, "cell_size_check", true)
    }

    fn blame(&self, fault: Fault) -> LedgerError {
        match fault {
            Fault::Storage(error) => self.explain(error),
            Fault::Broken { entry, breach } => LedgerError::Broken { path: self.path.clone(), entry, breach },
            Fault::Refused(error) => error,
        }
    }

    /// What a failure of SQLite means for the ledger.
    fn explain(&self, error: rusqlite::Error) -> LedgerError {
        let path = self.path.clone();
        let reason = error.to_string();
        let read_only_file = self.connection.is_readonly("main").unwrap_or(false);
        match code(&error) {
            Some((ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, _)) => {
                LedgerError::Busy { path, seconds: self.patience.as_millis().div_ceil(1000) as u64 }
            }
            Some((ErrorCode::NotADatabase, _)) => LedgerError::NotALedger { path },
            Some((ErrorCode::DatabaseCorrupt, _)) => LedgerError::Damaged { path, reason },
            Some((_, rusqlite::ffi::SQLITE_READONLY_DBMOVED)) => LedgerError::Moved { path },
            Some((ErrorCode::ReadOnly, _)) if read_only_file => LedgerError::ReadOnlyFile { path },
            // The ledger itself is open, so what cannot be made or opened is the journal beside it.
            Some((ErrorCode::ReadOnly | ErrorCode::CannotOpen, _)) => LedgerError::ReadOnlyFolder { path },
            Some((ErrorCode::DiskFull, _)) => LedgerError::Full { path },
            Some(_) => LedgerError::Storage { path, reason },
            // Not from SQLite but about a value in a row: somebody wrote another type.
            None => LedgerError::Damaged { path, reason },
        }
    }
}

fn code(error: &rusqlite::Error) -> Option<(ErrorCode, i32)> {
    match error {
        rusqlite::Error::SqliteFailure(inner, _) => Some((inner.code, inner.extended_code)),
        _ => None,
    }
}

/// Whether there is a file. It only looks at the name: opening and closing the file here would drop
/// the locks that another connection of this process holds on it (POSIX).
fn look_at(path: &Path) -> Result<bool, LedgerError> {
    let owned = || path.to_owned();
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(LedgerError::Folder { path: owned() }),
        Ok(metadata) if !metadata.is_file() => Err(LedgerError::NotALedger { path: owned() }),
        // SQLite takes a file of one byte for an empty one, and would write over it.
        Ok(metadata) if metadata.len() == 1 => Err(LedgerError::NotALedger { path: owned() }),
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            match folder {
                Some(folder) if !folder.is_dir() => Err(LedgerError::MissingFolder { path: owned() }),
                _ => Ok(false),
            }
        }
        Err(error) => Err(LedgerError::CannotOpen { path: owned(), reason: error.to_string() }),
    }
}
