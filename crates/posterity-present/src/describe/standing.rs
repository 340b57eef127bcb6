//! The account that paid for a release, as it stands in its ledger.

use posterity::Publication;
use posterity::ledger::{Account, Adjacency, Amount, Head, Ledger, LedgerError, Rule};
use posterity::meaning::outside_the_ledger;
use posterity::number::{left, spent};
use posterity::verification::Verdict;

use super::page::Block;
use crate::words::counted;

/// An account, and what was charged to it for the release.
#[derive(Clone, Debug)]
pub struct Standing {
    account: Account,
    charge: Verdict,
    /// Other accounts for the same people.
    beside: Vec<Account>,
}

impl Standing {
    /// The account of a charge. Verify the ledger first.
    ///
    /// # Errors
    /// [`LedgerError`] if the account cannot be read.
    pub fn of(ledger: &Ledger, charge: Verdict) -> Result<Self, LedgerError> {
        let account = ledger.account(&charge.account)?;
        let others = ledger.accounts()?.into_iter();
        let beside = others.filter(|other| other.protects_those_of(&account)).collect();
        Ok(Self { account, charge, beside })
    }

    /// The account of a document that this ledger, which was verified, holds; nothing if it does not hold it.
    ///
    /// # Errors
    /// As [`Standing::of`].
    pub fn find(ledger: &Ledger, document: &Publication) -> Result<Option<Self>, LedgerError> {
        let noted = document.provenance().and_then(|provenance| provenance.head.parse::<Head>().ok());
        let Some(noted) = noted else { return Ok(None) };
        let stored = ledger.release_at(noted.entries)?.filter(|stored| stored.head == noted);
        stored.map(|stored| Self::of(ledger, Verdict::of(stored))).transpose()
    }

    /// The account.
    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// The whole budget: `epsilon 3`, or `epsilon 3 at delta 1e-6`.
    pub(super) fn budget(&self) -> String {
        let Account { epsilon, delta, .. } = &self.account;
        if delta.is_zero() {
            format!("epsilon {}", left(epsilon))
        } else {
            format!("epsilon {} at delta {}", left(epsilon), left(delta))
        }
    }

    /// What is left for another release.
    pub(super) fn left(&self) -> String {
        format!("epsilon {}", left(&self.account.remaining_epsilon))
    }

    /// What was charged for the release.
    pub(super) fn price(&self) -> String {
        let Verdict { epsilon, delta, rho, .. } = &self.charge;
        let prices = [("epsilon", epsilon), ("delta", delta), ("rho", rho)];
        let told = |(name, amount): (&str, &Option<Amount>)| {
            amount.as_ref().map(|amount| format!("{name} {}", spent(amount)))
        };
        prices.into_iter().filter_map(told).collect::<Vec<_>>().join(" and ")
    }

    /// How the account stands, and what this release took from it. `released` is the adjacency of the release.
    pub(super) fn blocks(&self, released: posterity::Adjacency) -> Vec<Block> {
        let Account { name, population, spent_epsilon, remaining_epsilon, charges, .. } = &self.account;
        let Verdict { charged, entry, .. } = &self.charge;
        let facts = vec![
            ("Account", name.clone()),
            ("Population", population.clone().unwrap_or_else(|| "not described in the ledger".to_owned())),
            ("Protects", protects(&self.account)),
            ("Whole budget", self.budget()),
            ("Spent", format!("epsilon {}, on {}", spent(spent_epsilon), counted(*charges, "charge"))),
            ("Left", format!("epsilon {} for another release", left(remaining_epsilon))),
            ("This release", format!("{}, charged at {charged} as entry {entry}", self.price())),
        ];
        let mut blocks = vec![
            Block::Facts(facts),
            Block::say("The account is shown as it stood when this page was made."),
        ];
        blocks.extend(self.dearer(released).map(Block::say));
        if matches!(self.account.rule, Rule::Renyi(_)) {
            blocks.push(Block::say(
                "What is spent is the epsilon at which all releases of the account so far are private together, at its delta. \
                 It can be less than the sum of their epsilons.",
            ));
        }
        blocks.extend(beside(&self.account, &self.beside).map(Block::Say));
        blocks.push(Block::say(outside_the_ledger()));
        blocks
    }

    /// Why a release costs more than its own epsilon.
    fn dearer(&self, released: posterity::Adjacency) -> Option<&'static str> {
        let private = released == posterity::Adjacency::AddRemove;
        (private && self.account.adjacency == Adjacency::Replace).then_some(
            "The number of people is public in this account and private in the release. So the release counts here with more than \
             its own epsilon: replacing a record is to remove one and to add another.",
        )
    }
}

fn protects(account: &Account) -> String {
    let n = match account.adjacency {
        Adjacency::Replace => "n is public",
        Adjacency::AddRemove => "n is private",
    };
    format!("each {}; {n}", account.unit)
}

/// What other accounts for the same people add to one; nothing if there are none. Budgets of several accounts add up.
///
/// ```
/// use posterity::ledger::{Amount, Ledger, NewAccount, now_utc};
/// use posterity_present::describe::beside;
/// # let folder = tempfile::tempdir()?;
/// let mut ledger = Ledger::create(folder.path().join("a.ledger"))?;
/// let new = |name: &str| NewAccount::new(name, Amount::ONE, Amount::ZERO).population("all of 2026");
/// let first = ledger.open_account(&new("survey"), &now_utc())?;
/// assert_eq!(beside(&first, &[]), None);
/// let second = ledger.open_account(&new("more").reason("a second wave"), &now_utc())?;
/// assert_eq!(
///     beside(&first, &[second]).unwrap_or_default(),
///     "The same people are also protected by the account more (epsilon 0 of 1 spent; opened because: a second wave). What is spent \
///      from all of them adds up: epsilon 0 of 2."
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn beside(account: &Account, others: &[Account]) -> Option<String> {
    let told = |other: &Account| {
        let reason = other.reason.as_ref().map(|reason| format!("; opened because: {reason}"));
        let (gone, whole) = (spent(&other.spent_epsilon), left(&other.epsilon));
        format!("{} (epsilon {gone} of {whole} spent{})", other.name, reason.unwrap_or_default())
    };
    let all = || [account].into_iter().chain(others);
    let sum = |of: fn(&Account) -> &Amount| {
        let added = all().map(|one| of(one).rational().clone()).reduce(|sum, one| sum + one);
        added.and_then(|sum| Amount::from_rational(sum).ok()).unwrap_or_default()
    };
    let (gone, whole) = (sum(|one| &one.spent_epsilon), sum(|one| &one.epsilon));
    let named: Vec<String> = others.iter().map(told).collect();
    (!named.is_empty()).then(|| {
        format!(
            "The same people are also protected by the account {}. What is spent from all of them adds up: epsilon {} of {}.",
            named.join(" and "),
            spent(&gone),
            left(&whole)
        )
    })
}
