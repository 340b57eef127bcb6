//! A ledger of privacy budgets: accounts, charges and their history, in one SQLite file.
//!
//! An [`Account`] holds a budget `(epsilon, delta)` for one kind of [`Unit`]. A [`Charge`] takes its part of it before anything is
//! drawn, is refused if it does not fit or protects another unit, and is on disk when [`Ledger::charge`] returns. The release document is recorded
//! with its charge afterwards, so that the identical question is answered again without a new charge. Amounts are exact
//! rationals. Every entry is chained to the one before it by SHA-256.
//!
//! The ledger knows nothing of mechanisms or data: questions and documents are texts to it.
//!
//! ```
//! use posterity_ledger::{Amount, Charge, ChargeOutcome, Ledger, LedgerError, now_utc};
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("budget.ledger");
//! let mut ledger = Ledger::create(&path)?;
//! ledger.create_account("survey", &"1".parse()?, &Amount::ZERO, &now_utc())?;
//!
//! let charge = Charge::new("geometric; prior 1,1; epsilon 0.1", "0.1".parse()?, Amount::ZERO)?;
//! match ledger.charge_or_recall("survey", &charge, false, &now_utc())? {
//!     ChargeOutcome::Charged(receipt) => {
//!         let document = r#"{"drawn": "here"}"#;
//!         ledger.record(&receipt, document, &now_utc())?; // and only now publish it
//!     }
//!     ChargeOutcome::Recalled(release) => println!("{}", release.document),
//! }
//! assert_eq!(ledger.account("survey")?.remaining_epsilon.to_string(), "0.9");
//! # Ok::<(), LedgerError>(())
//! ```

mod account;
mod amount;
mod balance;
mod chain;
mod charge;
mod clock;
mod draw;
mod enclosure;
mod entry;
mod error;
mod exact;
mod export;
mod fault;
mod file;
mod hash;
mod head;
mod history;
mod ledger;
mod outcome;
mod parts;
mod recall;
mod renyi;
mod rule;
mod schema;
mod step;
mod tally;
mod timestamp;
mod unit;
mod upgrade;
mod verify;

pub use account::{Account, NewAccount};
pub use amount::{Amount, AmountError};
pub use charge::{Charge, Receipt};
pub use clock::now_utc;
pub use draw::{Answered, DrawError};
pub use entry::{Entry, Event, State, Terms};
pub use error::{Breach, Exceeded, LedgerError, Part};
pub use exact::exact_composition;
pub use export::Export;
pub use hash::Hash;
pub use head::{Head, HeadError};
pub use history::{HistoryLine, Status};
pub use ledger::Ledger;
pub use outcome::ChargeOutcome;
pub use parts::Parts;
pub use recall::StoredRelease;
pub use renyi::Order;
pub use rule::Rule;
pub use step::Step;
pub use timestamp::{Timestamp, TimestampError};
pub use unit::{Unit, UnitError};
pub use verify::Verified;
