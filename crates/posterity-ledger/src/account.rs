//! Accounts: a name, a budget and whom it protects.

use dashu_ratio::RBig;
use serde::Serialize;

use crate::adjacency::Adjacency;
use crate::afford::Purse;
use crate::amount::Amount;
use crate::charge::{Charge, check_budget};
use crate::error::LedgerError;
use crate::price::Price;
use crate::rounding::rounded_down;
use crate::rule::Rule;
use crate::tally::{Budget, Tally};
use crate::timestamp::Timestamp;
use crate::unit::{LONGEST, Unit};

/// The limit on the length of a name, in characters.
const LONGEST_NAME: usize = 100;

/// An account as it stands. Every charge is spent, released or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The name.
    pub name: String,
    /// When it was created.
    pub created: Timestamp,
    /// Whom it protects.
    pub unit: Unit,
    /// Which data sets look alike: whether the number of records is public.
    pub adjacency: Adjacency,
    /// The population in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<String>,
    /// Why it was opened, although another account protects the same people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The budget epsilon.
    pub epsilon: Amount,
    /// The budget delta: 0 for pure differential privacy only.
    pub delta: Amount,
    /// How its charges add up.
    pub rule: Rule,
    /// What is spent: the least epsilon that would have been enough, at the account's delta and by its rule. Without a
    /// filter it is the sum.
    pub spent_epsilon: Amount,
    /// The sum of all charges of delta.
    pub spent_delta: Amount,
    /// The largest epsilon that one more release may have.
    pub remaining_epsilon: Amount,
    /// What may still be spent of delta, by releases that have one.
    pub remaining_delta: Amount,
    /// The sum of all charges of epsilon.
    pub sum_epsilon: Amount,
    /// The sum of all charges of rho, each rounded up to 18 places.
    #[serde(skip_serializing_if = "Amount::is_zero")]
    pub sum_rho: Amount,
    /// The number of charges.
    pub charges: u64,
    #[serde(skip)]
    pub(crate) tally: Tally,
}

impl Account {
    /// How many more releases of an epsilon fit, one after another.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Ledger, now_utc};
    /// # let folder = tempfile::tempdir()?;
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    /// let (five, tenth) = ("5".parse::<Amount>()?, "0.1".parse()?);
    /// let sums = ledger.create_account("sums", &five, &Amount::ZERO, &now_utc())?;
    /// assert_eq!(sums.releases_of(&tenth), 50);
    /// let filtered = ledger.create_account("filtered", &five, &"1e-6".parse()?, &now_utc())?;
    /// assert_eq!(filtered.releases_of(&tenth), 97);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn releases_of(&self, epsilon: &Amount) -> u64 {
        if epsilon.is_zero() {
            return 0;
        }
        self.tally.fitting(&self.budget(), epsilon)
    }

    /// The largest rho of one more release of an adjacency, rounded down to 12 digits. It is zero if the account has no
    /// filter, or cannot count such a release.
    ///
    /// ```
    /// use posterity_ledger::{Adjacency, Amount, Ledger, now_utc};
    /// # let folder = tempfile::tempdir()?;
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    /// let account = ledger.create_account("survey", &"1".parse()?, &"1e-9".parse()?, &now_utc())?;
    /// let rho = account.affordable_rho(Adjacency::Replace);
    /// assert!(rho >= "0.01495".parse()? && rho <= "0.01496".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn affordable_rho(&self, release: Adjacency) -> Amount {
        let most = self.tally.remaining_rho(&self.budget());
        match (release, self.adjacency) {
            (Adjacency::AddRemove, Adjacency::Replace) => {
                let quarter = rounded_down(&(most.rational() / RBig::from(4)));
                Amount::from_rational(quarter).unwrap_or_default()
            }
            (Adjacency::Replace, Adjacency::AddRemove) => Amount::ZERO,
            _ => most,
        }
    }

    /// What a charge would cost this account. It is more than the charge says if n is private in the release and public
    /// in the account.
    ///
    /// ```
    /// use posterity_ledger::{Adjacency, Amount, Charge, Ledger, now_utc};
    /// # let folder = tempfile::tempdir()?;
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    /// let account = ledger.create_account("survey", &"5".parse()?, &Amount::ZERO, &now_utc())?;
    /// let charge = Charge::new("q", "0.1".parse()?, Amount::ZERO)?.adjacency(Adjacency::AddRemove);
    /// assert_eq!(account.price_of(&charge)?.epsilon(), Some(&"0.2".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LedgerError::OtherUnit`], [`LedgerError::PublishesN`], [`LedgerError::NothingUnderReplace`]. Whether the price
    /// fits is not checked.
    pub fn price_of(&self, charge: &Charge) -> Result<Price, LedgerError> {
        self.purse(&self.budget()).price(charge)
    }

    /// What a charge would cost this account, if it can pay that now. Nothing is charged.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Charge, Ledger, LedgerError, now_utc};
    /// # let folder = tempfile::tempdir()?;
    /// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
    /// let filtered = ledger.create_account("filtered", &"1".parse()?, &"1e-9".parse()?, &now_utc())?;
    /// let sums = ledger.create_account("sums", &"1".parse()?, &Amount::ZERO, &now_utc())?;
    /// let charge = Charge::concentrated("q", "0.01".parse()?)?;
    /// assert_eq!(filtered.affords(&charge)?.rho(), Some(&"0.01".parse()?));
    /// assert!(matches!(sums.affords(&charge), Err(LedgerError::NoFilter { .. })));
    /// let large = Charge::concentrated("q", "0.02".parse()?)?;
    /// assert!(matches!(filtered.affords(&large), Err(LedgerError::Exceeded(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What [`Ledger::answer`](crate::Ledger::answer) would refuse the charge with.
    pub fn affords(&self, charge: &Charge) -> Result<Price, LedgerError> {
        let budget = self.budget();
        let purse = self.purse(&budget);
        let price = purse.price(charge)?;
        purse.after(charge, &price)?;
        Ok(price)
    }

    fn purse<'a>(&'a self, budget: &'a Budget) -> Purse<'a> {
        let Self { name, unit, adjacency, tally, .. } = self;
        Purse { account: name, unit, adjacency: *adjacency, tally, budget }
    }

    /// Whether another account protects the same people, as far as both say whom they protect.
    #[must_use]
    pub fn protects_those_of(&self, other: &Self) -> bool {
        self.name != other.name
            && same_people((&self.unit, &self.population), (&other.unit, &other.population))
    }

    fn budget(&self) -> Budget {
        Budget { epsilon: self.epsilon.clone(), delta: self.delta.clone(), rule: self.rule.clone() }
    }
}

/// An account to be created.
///
/// ```
/// use posterity_ledger::{Ledger, NewAccount, Unit, now_utc};
/// # let folder = tempfile::tempdir()?;
/// let mut ledger = Ledger::create(folder.path().join("budget.ledger"))?;
/// let account = NewAccount::new("ward", "5".parse()?, "1e-6".parse()?)
///     .unit(Unit::column("patient")?)
///     .population("all patients of 2026");
/// assert_eq!(ledger.open_account(&account, &now_utc())?.unit, Unit::column("patient")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    pub(crate) name: String,
    pub(crate) epsilon: Amount,
    pub(crate) delta: Amount,
    pub(crate) unit: Unit,
    pub(crate) adjacency: Adjacency,
    pub(crate) population: Option<String>,
    pub(crate) reason: Option<String>,
    adds_up: bool,
}

impl NewAccount {
    /// An account with a budget that protects single records, where n is public. With a delta its charges go through a Renyi filter.
    #[must_use]
    pub fn new(name: impl Into<String>, epsilon: Amount, delta: Amount) -> Self {
        Self {
            name: name.into(),
            epsilon,
            delta,
            unit: Unit::RECORD,
            adjacency: Adjacency::Replace,
            population: None,
            reason: None,
            adds_up: false,
        }
    }

    /// Sets whom it protects.
    #[must_use]
    pub fn unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// Sets which data sets look alike: with [`Adjacency::AddRemove`] the number of records is private, too.
    #[must_use]
    pub fn adjacency(mut self, adjacency: Adjacency) -> Self {
        self.adjacency = adjacency;
        self
    }

    /// Describes the population in words.
    #[must_use]
    pub fn population(mut self, population: impl Into<String>) -> Self {
        self.population = Some(population.into());
        self
    }

    /// Says why it is needed beside another account for the same people.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Lets its charges add up although it has a delta. Such an account takes charges with delta.
    #[must_use]
    pub fn adds_up(mut self) -> Self {
        self.adds_up = true;
        self
    }

    pub(crate) fn check(&self) -> Result<(), LedgerError> {
        check_new(&self.name, &self.epsilon, &self.delta)?;
        self.population.as_deref().map_or(Ok(()), check_population)?;
        self.reason.as_deref().map_or(Ok(()), check_reason)
    }

    /// Refuses a second account for the same people, unless there is a reason for it.
    pub(crate) fn check_beside(&self, existing: &Account) -> Result<(), LedgerError> {
        let same = same_people((&self.unit, &self.population), (&existing.unit, &existing.population));
        if same && self.reason.is_none() {
            let (existing, unit) = (existing.name.clone(), self.unit.clone());
            return Err(LedgerError::SamePeople { existing, unit });
        }
        Ok(())
    }

    pub(crate) fn rule(&self) -> Rule {
        if self.adds_up { Rule::Sum } else { Rule::for_budget(&self.epsilon, &self.delta) }
    }
}

/// Whether two accounts protect the same unit of the same population. Capital letters and blanks make no difference. Of
/// accounts that do not name their population nothing is known.
fn same_people(one: (&Unit, &Option<String>), other: (&Unit, &Option<String>)) -> bool {
    let folded = |text: &String| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    one.0 == other.0 && one.1.is_some() && one.1.as_ref().map(folded) == other.1.as_ref().map(folded)
}

/// Checks the words on a population.
pub(crate) fn check_population(text: &str) -> Result<(), LedgerError> {
    one_line(text).map_err(|text| LedgerError::BadPopulation { text })
}

/// Checks the words on why an account is needed.
pub(crate) fn check_reason(text: &str) -> Result<(), LedgerError> {
    one_line(text).map_err(|text| LedgerError::BadReason { text })
}

/// Refuses a text that is empty, long or of several lines.
fn one_line(text: &str) -> Result<(), String> {
    if text.is_empty() || text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        return Err(text.chars().take(LONGEST).collect());
    }
    Ok(())
}

/// Checks a new account.
pub(crate) fn check_new(name: &str, epsilon: &Amount, delta: &Amount) -> Result<(), LedgerError> {
    if name.is_empty() {
        return Err(LedgerError::EmptyName);
    }
    if name.chars().count() > LONGEST_NAME || name.trim() != name || name.chars().any(char::is_control) {
        let name = name.chars().take(LONGEST_NAME).collect();
        return Err(LedgerError::BadName { name, longest: LONGEST_NAME });
    }
    check_budget("the account", epsilon, delta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    #[test]
    fn accepts() {
        for name in ["a", "Umfrage 2026 / Köln", &"x".repeat(LONGEST_NAME), "' OR 1=1 --"] {
            assert_eq!(check_new(name, &amount("1e-30"), &amount("0.999")), Ok(()), "{name}");
        }
    }

    #[test]
    fn rejects() {
        let (one, zero) = (amount("1"), Amount::ZERO);
        assert_eq!(check_new("", &one, &zero), Err(LedgerError::EmptyName));
        for name in [" a", "a ", "\n", "a\tb", "\u{7f}", &"x".repeat(LONGEST_NAME + 1)] {
            let cut: String = name.chars().take(LONGEST_NAME).collect();
            let expected = LedgerError::BadName { name: cut, longest: LONGEST_NAME };
            assert_eq!(check_new(name, &one, &zero), Err(expected), "{name:?}");
        }
        assert_eq!(check_new("a", &zero, &zero), Err(LedgerError::ZeroEpsilon { of: "the account" }));
        for delta in ["1", "1.5"] {
            assert_eq!(
                check_new("a", &one, &amount(delta)),
                Err(LedgerError::LargeDelta { of: "the account", delta: amount(delta) })
            );
        }
    }
}
