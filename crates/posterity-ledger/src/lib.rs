//! A ledger of privacy budgets: accounts, charges and their history, in one SQLite file.
//!
//! An [`Account`] holds a budget `(epsilon, delta)` for one kind of [`Unit`]. [`Ledger::answer`] charges a question,
//! draws its answer and records it in one transaction. A [`Charge`] that does not fit, or that protects another unit,
//! is refused before anything is drawn. An account counts in one [`Adjacency`], and a release of the other one costs it
//! more, or is refused. The identical question can be answered again from the file, without a new
//! charge. Amounts are exact rationals. Every entry is chained to the one before it by SHA-256.
//!
//! The ledger knows nothing of mechanisms or data: questions and documents are texts to it.
//!
//! ```
//! use posterity_ledger::{Amount, Charge, Ledger, LedgerError, now_utc};
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("budget.ledger");
//! let mut ledger = Ledger::create(&path)?;
//! ledger.create_account("survey", &"1".parse()?, &Amount::ZERO, &now_utc())?;
//!
//! let charge = Charge::new("geometric; prior 1,1; epsilon 0.1", "0.1".parse()?, Amount::ZERO)?;
//! let answered = ledger.answer("survey", &charge, |_| true, &now_utc(), |_| {
//!     Ok::<_, LedgerError>(r#"{"drawn": "here"}"#.to_owned())
//! })?;
//! println!("{}", answered.release().document); // only now may anybody see it
//! assert_eq!(ledger.account("survey")?.remaining_epsilon.to_string(), "0.9");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod adjacency;
mod afford;
mod amount;
mod answer;
mod balance;
mod chain;
mod charge;
mod clock;
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
mod parts;
mod price;
mod promise;
mod recall;
mod renyi;
mod rho;
mod rounding;
mod rule;
mod schema;
mod step;
mod tally;
mod timestamp;
mod unit;
mod verify;

pub use account::{Account, NewAccount};
pub use adjacency::{Adjacency, AdjacencyError};
pub use amount::{Amount, AmountError};
pub use answer::{Answered, DrawError};
pub use charge::Charge;
pub use clock::now_utc;
pub use entry::{Entry, Event, State, Terms};
pub use error::{Breach, Exceeded, LedgerError, Part};
pub use exact::exact_composition;
pub use export::Export;
pub use hash::Hash;
pub use head::{Head, HeadError};
pub use history::{HistoryLine, Status};
pub use ledger::Ledger;
pub use parts::Parts;
pub use price::Price;
pub use promise::Promise;
pub use recall::StoredRelease;
pub use renyi::Order;
pub use rho::{epsilon_within, rho_of};
pub use rule::Rule;
pub use step::Step;
pub use timestamp::{Timestamp, TimestampError};
pub use unit::{Unit, UnitError};
pub use verify::Verified;
