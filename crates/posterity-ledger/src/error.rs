//! What can go wrong with a ledger.

use std::fmt;
use std::path::PathBuf;

use dashu_ratio::RBig;
use thiserror::Error;

use crate::amount::{Amount, AmountError};
use crate::head::Head;
use crate::promise::{Promise, Uncounted};
use crate::rho::epsilon_within;
use crate::timestamp::TimestampError;
use crate::unit::{Unit, UnitError};

/// Why the ledger refused or failed. Paths, names and budgets are public; questions and documents are never quoted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// No such file.
    #[error("there is no ledger at {}; create one first", .path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file is there and empty.
    #[error(
        "the file {} is empty, perhaps because its creation was interrupted; create the ledger again",
        .path.display()
    )]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A folder, not a file.
    #[error("{} is a folder; name a file in it, such as {}", .path.display(), .path.join("budget.ledger").display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The folder that should hold the file is missing.
    #[error("the folder of {} does not exist; create the folder first, or name another file", .path.display())]
    MissingFolder {
        /// The file.
        path: PathBuf,
    },
    /// The file exists, and a new ledger was asked for.
    #[error("there is a ledger at {} already; open it, or name another file", .path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The system does not let us open the file.
    #[error("the ledger {} cannot be opened ({reason}); check the permissions of the file and its folder", .path.display())]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file is not a ledger.
    #[error("the file {} is not a ledger; name a file that was created as one", .path.display())]
    NotALedger {
        /// The file.
        path: PathBuf,
    },
    /// Another version made the file, in another format.
    #[error(
        "the ledger {} has format {found}, and this version of posterity uses format {known} only; use the version that made it",
        .path.display()
    )]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The format of the file.
        found: i32,
        /// The format of this version.
        known: i32,
    },
    /// The file may not be written.
    #[error("the ledger {} is read-only, so nothing can be charged; make the file writable", .path.display())]
    ReadOnlyFile {
        /// The file.
        path: PathBuf,
    },
    /// The folder may not be written, and a transaction needs a journal beside the ledger.
    #[error(
        "the folder of the ledger {} cannot be written, and a charge needs a journal file in it; make the folder writable",
        .path.display()
    )]
    ReadOnlyFolder {
        /// The file.
        path: PathBuf,
    },
    /// The file was moved, replaced or deleted while it was open.
    #[error("the ledger {} was moved, replaced or deleted while it was open; open it again", .path.display())]
    Moved {
        /// The file.
        path: PathBuf,
    },
    /// Another process kept the file locked.
    #[error(
        "the ledger {} was in use by another process for {seconds} seconds; try again when that process is done",
        .path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
        /// How long we waited, rounded up.
        seconds: u64,
    },
    /// The disk is full.
    #[error("there is no space left for the ledger {}; free some, then see in the history whether the last charge is on file", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Another failure of the storage.
    #[error(
        "the ledger {} failed ({reason}); see in the history whether the last charge is on file",
        .path.display()
    )]
    Storage {
        /// The file.
        path: PathBuf,
        /// What the storage said.
        reason: String,
    },
    /// The file is no longer a sound database.
    #[error("the ledger {} is damaged ({reason}); restore it from a backup and check it against a noted head", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The hash chain does not hold.
    #[error(
        "entry {entry} of the ledger {} {breach}; do not charge it, restore it from a backup and check that against a noted head",
        .path.display()
    )]
    Broken {
        /// The file.
        path: PathBuf,
        /// The first entry that is not as it was written.
        entry: u64,
        /// What is wrong with it.
        breach: Breach,
    },
    /// A noted head is not on the chain.
    #[error(
        "the noted head {expected} is not in the ledger {}: entries were removed or rewritten since it was noted; find the true file",
        .path.display()
    )]
    HeadNotFound {
        /// The file.
        path: PathBuf,
        /// The noted head.
        expected: Head,
    },
    /// No such account.
    #[error("there is no account {name:?}; {}", known_accounts(.existing))]
    UnknownAccount {
        /// The name asked for.
        name: String,
        /// The names there are.
        existing: Vec<String>,
    },
    /// The account is there already.
    #[error("there is an account {name:?} already, and a budget cannot be changed; choose another name")]
    AccountExists {
        /// The name.
        name: String,
    },
    /// An account without a name.
    #[error("the name of the account is empty; give it a name such as \"survey\"")]
    EmptyName,
    /// The name is too long, or has control characters or outer spaces.
    #[error(
        "the name of the account is {name:?}; use at most {longest} characters, none of them a control character, and no space at either end"
    )]
    BadName {
        /// The name, cut if it is long.
        name: String,
        /// The most characters of a name.
        longest: usize,
    },
    /// Epsilon is zero.
    #[error("the epsilon of {of} is 0; choose a positive number such as 1 or 0.5")]
    ZeroEpsilon {
        /// What was to be made.
        of: &'static str,
    },
    /// Rho is zero.
    #[error("the rho of the charge is 0; choose a positive number such as 0.01")]
    ZeroRho,
    /// Delta is 1 or more, which promises nothing.
    #[error(
        "the delta of {of} is {delta}; choose a number below 1, usually far below 1 over the number of records"
    )]
    LargeDelta {
        /// What was to be made.
        of: &'static str,
        /// The delta.
        delta: Amount,
    },
    /// Not the name of a unit.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// The words on the population are empty, too long or have control characters.
    #[error("the population is {text:?}; describe it in one line of at most 500 characters, or leave it out")]
    BadPopulation {
        /// The words, cut if they are long.
        text: String,
    },
    /// The words on why an account is needed are empty, too long or have control characters.
    #[error("the reason is {text:?}; give it in one line of at most 500 characters")]
    BadReason {
        /// The words, cut if they are long.
        text: String,
    },
    /// Another account protects the same people.
    #[error(
        "account {existing:?} protects each {unit} of the same population, and what is spent from two accounts adds up for these \
         people; charge {existing:?}, or give the reason for a second account, which the ledger keeps and shows"
    )]
    SamePeople {
        /// The account that is there.
        existing: String,
        /// The unit of both.
        unit: Unit,
    },
    /// The release protects another unit than the account.
    #[error(
        "account {account:?} protects each {unit}, and this release protects each {asked}; their promises cannot be added up; \
         nothing was charged; use an account for {asked}, or release per {unit}"
    )]
    OtherUnit {
        /// The account.
        account: String,
        /// The unit of the account.
        unit: Unit,
        /// The unit of the release.
        asked: Unit,
    },
    /// The release publishes n, and n is private in the account.
    #[error(
        "account {account:?} protects whether anyone is in the data at all (add-remove), and this release publishes how many \
         there are (replace), which promises nothing of that kind; nothing was charged; release with add-remove, or create \
         an account with the adjacency replace"
    )]
    PublishesN {
        /// The account.
        account: String,
    },
    /// The release has a delta, and promises nothing where one record is replaced.
    #[error(
        "account {account:?} counts the replacement of a record (replace); a release that protects whether anyone is in the data \
         (add-remove) at {} promises nothing there, because (1 + e^epsilon) delta is not below \
         1, or the price is too long a number; nothing was charged; release with a smaller epsilon or delta, or create an account with \
         the adjacency add-remove",
        .release.price
    )]
    NothingUnderReplace {
        /// The account.
        account: String,
        /// What the release promises by itself.
        release: Box<Promise>,
    },
    /// The unit of an account cannot be changed any more.
    #[error(
        "account {account:?} protects each {unit} and has charges; its unit can no longer be changed; create another account"
    )]
    UnitDecided {
        /// The account.
        account: String,
        /// Its unit.
        unit: Unit,
    },
    /// A charge with delta for an account with a Renyi filter.
    #[error(
        "account {account:?} takes releases without delta only, because it adds them up by a Renyi filter; nothing was charged; use \
         an account with a delta whose charges add up (`posterity budget create --adds-up`)"
    )]
    NotPure {
        /// The account.
        account: String,
    },
    /// A charge with a price in rho for an account that adds up epsilons.
    #[error(
        "account {account:?} adds up epsilons, and a release that is private with rho has none; nothing was charged; create an \
         account with delta, such as 1e-9, whose charges go through a Renyi filter"
    )]
    NoFilter {
        /// The account.
        account: String,
    },
    /// A batch without releases.
    #[error("the batch has no releases; give one epsilon for each")]
    EmptyBatch,
    /// A release with a delta among several that are charged together.
    #[error("a release with a delta of its own cannot be charged together with others; charge it by itself")]
    DeltaInBatch,
    /// The question of a charge is empty.
    #[error("the question of the charge is empty; describe what is asked, so that it can be recognised")]
    EmptyQuestion,
    /// The budget does not suffice.
    #[error(transparent)]
    Exceeded(#[from] Box<Exceeded>),
    /// Not an amount.
    #[error(transparent)]
    Amount(#[from] AmountError),
    /// Not a time.
    #[error(transparent)]
    Timestamp(#[from] TimestampError),
}

/// A charge that does not fit into what remains. Nothing was charged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the charge of {part} {asked}{}{}{} exceeds what remains of account {account:?}: {remaining} of {budget}; nothing was charged; \
     {}: another account for the same people would not protect them",
    together_with(.beside.as_ref()), in_epsilon(.stated.as_ref()), converted(.release.as_ref()), self.less()
)]
pub struct Exceeded {
    /// The account.
    pub account: String,
    /// What would be too much.
    pub part: Part,
    /// What would have been charged.
    pub asked: Amount,
    /// The epsilon of the pure releases that were to be charged together with a rho. What remains is rho beside them.
    pub beside: Option<Amount>,
    /// What the release has by itself, if it is charged at more than that: n is private in it, and public in the account.
    pub release: Option<Amount>,
    /// The epsilon and the delta that were asked for, where a rho follows from them.
    pub stated: Option<(Amount, Amount)>,
    /// What remains.
    pub remaining: Amount,
    /// What the account had at first.
    pub budget: Amount,
}

/// What a charge may have too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Epsilon.
    Epsilon,
    /// Delta.
    Delta,
    /// Rho.
    Rho,
}

impl LedgerError {
    /// Why an account of this name cannot count a release.
    pub(crate) fn uncounted(account: &str, release: &Promise, why: Uncounted) -> Self {
        let account = account.to_owned();
        match why {
            Uncounted::PublishesN => Self::PublishesN { account },
            Uncounted::NothingUnderReplace => {
                Self::NothingUnderReplace { account, release: Box::new(release.clone()) }
            }
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Epsilon => "epsilon",
            Self::Delta => "delta",
            Self::Rho => "rho",
        })
    }
}

/// How an entry differs from what was written. Each message continues the sentence "entry 7 of the ledger … ".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Breach {
    /// The sequence numbers leave it out.
    Missing,
    /// Its fields do not give its hash.
    Changed,
    /// It names another hash before it than the entry before it has.
    Unlinked,
    /// The head of the chain names another last entry.
    NotTheHead,
    /// It is not what the rest of the file says is the last of its account.
    NotTheLast,
    /// Its hash fits, and its content cannot be true: an unknown kind, a charge without account, a budget exceeded.
    Impossible,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "is missing",
            Self::Changed => "was changed after it was written",
            Self::Unlinked => "does not follow the entry before it",
            Self::NotTheHead => "is not what the head of the chain says is last",
            Self::NotTheLast => "is not what the rest of the file says is the last of its account",
            Self::Impossible => "holds something that a ledger never writes",
        })
    }
}

/// Where the price of a release came from, if it is not its own.
fn converted(release: Option<&Amount>) -> String {
    let told = |own| format!(", which is what {own} with add-remove costs an account with replace,");
    release.map_or_else(String::new, told)
}

impl Exceeded {
    /// What would have fitted.
    fn less(&self) -> String {
        let at_most = |divisor: u8| {
            let most =
                Amount::from_rational(self.remaining.rational() / RBig::from(divisor)).unwrap_or_default();
            let Some((_, delta)) = &self.stated else { return format!("ask for at most {most}") };
            match epsilon_within(&most, delta) {
                Some(epsilon) => format!(
                    "ask for at most epsilon {epsilon} at delta {delta}, which costs rho {most} or less"
                ),
                None => "no epsilon is small enough at this delta".to_owned(),
            }
        };
        match (self.part, self.release.is_some()) {
            // How much rho would fit depends on epsilon, too.
            _ if self.beside.is_some() => "ask for a smaller epsilon for all of it".to_owned(),
            (_, false) => at_most(1),
            (Part::Epsilon, true) => at_most(2),
            (Part::Rho, true) => at_most(4),
            // How much delta would fit depends on epsilon, too.
            (Part::Delta, true) => "ask for a smaller delta or epsilon".to_owned(),
        }
    }
}

/// What was asked for, where a rho follows from it.
fn in_epsilon(given: Option<&(Amount, Amount)>) -> String {
    given.map_or_else(String::new, |(epsilon, delta)| format!(" (epsilon {epsilon} at delta {delta})"))
}

/// What is charged together with a rho.
fn together_with(epsilon: Option<&Amount>) -> String {
    epsilon.map_or_else(String::new, |epsilon| format!(" beside epsilon {epsilon}"))
}

fn known_accounts(existing: &[String]) -> String {
    if existing.is_empty() {
        return "the ledger has none yet: create one first".to_owned();
    }
    const SHOWN: usize = 20;
    let names: Vec<String> = existing.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let more = existing.len().saturating_sub(SHOWN);
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("choose one of {}{rest}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_remedy() {
        let name = || "x".to_owned();
        let unknown = |existing| LedgerError::UnknownAccount { name: name(), existing }.to_string();
        assert_eq!(unknown(vec![]), "there is no account \"x\"; the ledger has none yet: create one first");
        assert_eq!(
            unknown(vec!["a".into(), "b".into()]),
            "there is no account \"x\"; choose one of \"a\", \"b\""
        );
        assert!(unknown((0..22).map(|i| i.to_string()).collect()).ends_with("\"19\" and 2 more"));
        let exceeded = Exceeded {
            account: name(),
            part: Part::Epsilon,
            asked: "0.2".parse().expect("a number"),
            beside: None,
            release: None,
            stated: None,
            remaining: "0.1".parse().expect("a number"),
            budget: "1".parse().expect("a number"),
        };
        assert_eq!(
            LedgerError::from(Box::new(exceeded.clone())).to_string(),
            "the charge of epsilon 0.2 exceeds what remains of account \"x\": 0.1 of 1; nothing was charged; ask for at \
             most 0.1: another account for the same people would not protect them"
        );
        let converted = Exceeded { release: "0.1".parse().ok(), ..exceeded };
        assert_eq!(
            converted.to_string(),
            "the charge of epsilon 0.2, which is what 0.1 with add-remove costs an account with replace, exceeds what remains of \
             account \"x\": 0.1 of 1; nothing was charged; ask for at most 0.05: another account for the same people would not \
             protect them"
        );
        let rho = Exceeded { part: Part::Rho, ..converted.clone() };
        assert!(rho.to_string().contains("ask for at most 0.025: another account"), "{rho}");
        let stated = ("1".parse().expect("a number"), "1e-6".parse().expect("a number"));
        let given = Exceeded {
            stated: Some(stated),
            release: None,
            remaining: "0.01".parse().expect("a number"),
            ..rho.clone()
        };
        assert_eq!(
            given.to_string(),
            "the charge of rho 0.2 (epsilon 1 at delta 0.000001) exceeds what remains of account \"x\": 0.01 of 1; nothing was \
             charged; ask for at most epsilon 0.621 at delta 0.000001, which costs rho 0.01 or less: another account for the same \
             people would not protect them"
        );
        let both = Exceeded { beside: "0.5".parse().ok(), release: None, ..rho };
        assert_eq!(
            both.to_string(),
            "the charge of rho 0.2 beside epsilon 0.5 exceeds what remains of account \"x\": 0.1 of 1; nothing was charged; ask for a \
             smaller epsilon for all of it: another account for the same people would not protect them"
        );
        let delta = Exceeded { part: Part::Delta, ..converted };
        assert!(delta.to_string().contains("ask for a smaller delta or epsilon: another account"), "{delta}");
    }
}
