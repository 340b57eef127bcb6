//! The account that paid for a release, as it stands in its ledger.

use posterity::ledger::{Account, Adjacency, Amount, Head, Ledger, LedgerError, Rule};
use posterity::meaning::outside_the_ledger;
use posterity::number::{left, spent};
use posterity::{Publication, Verdict};

use super::page::Block;
use crate::words::counted;

/// An account, and what was charged to it for the release.
#[derive(Clone, Debug)]
pub struct Standing {
    account: Account,
    charge: Verdict,
}

impl Standing {
    /// The account of a charge. Verify the ledger first.
    ///
    /// # Errors
    /// [`LedgerError`] if the account cannot be read.
    pub fn of(ledger: &Ledger, charge: Verdict) -> Result<Self, LedgerError> {
        Ok(Self { account: ledger.account(&charge.account)?, charge })
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
