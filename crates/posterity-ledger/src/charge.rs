//! Charges.

use crate::adjacency::Adjacency;
use crate::amount::Amount;
use crate::error::LedgerError;
use crate::parts::Parts;
use crate::price::Price;
use crate::promise::Promise;
use crate::unit::Unit;

/// A question and what its release promises, which is what it costs an account of the same adjacency.
///
/// The question is a canonical text: two questions are the same if their texts are. It is stored as it is, so it must
/// hold public things only. A digest of few counts is not public: anyone can try all counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    question: String,
    promise: Promise,
    unit: Unit,
}

impl Charge {
    /// A charge.
    ///
    /// # Errors
    /// [`LedgerError::EmptyQuestion`], [`LedgerError::ZeroEpsilon`], [`LedgerError::LargeDelta`].
    pub fn new(question: impl Into<String>, epsilon: Amount, delta: Amount) -> Result<Self, LedgerError> {
        let question = question.into();
        if question.is_empty() {
            return Err(LedgerError::EmptyQuestion);
        }
        check_budget("the charge", &epsilon, &delta)?;
        Ok(Self::at(question, Price::new(epsilon, delta)))
    }

    /// A charge of zero-concentrated differential privacy: the Renyi divergence of every order l is at most `l rho`, given
    /// all answers before it. Only accounts with a delta and a Renyi filter can count it.
    ///
    /// ```
    /// use posterity_ledger::Charge;
    /// let charge = Charge::concentrated("all pairs of 15 columns", "0.01".parse()?)?;
    /// assert_eq!(charge.rho(), Some(&"0.01".parse()?));
    /// assert_eq!(charge.epsilon(), None);
    /// # Ok::<(), posterity_ledger::LedgerError>(())
    /// ```
    ///
    /// # Errors
    /// [`LedgerError::EmptyQuestion`], [`LedgerError::ZeroRho`].
    pub fn concentrated(question: impl Into<String>, rho: Amount) -> Result<Self, LedgerError> {
        let question = question.into();
        if question.is_empty() {
            return Err(LedgerError::EmptyQuestion);
        }
        if rho.is_zero() {
            return Err(LedgerError::ZeroRho);
        }
        Ok(Self::at(question, Price::concentrated(rho)))
    }

    /// One charge of a batch that was chosen as a whole: pure releases, if there are any, beside others that together are
    /// private with this rho.
    ///
    /// ```
    /// use posterity_ledger::Charge;
    /// let charge = Charge::mixed("a survey", ["0.1".parse()?, "0.2".parse()?], "0.01".parse()?)?;
    /// assert_eq!(charge.promise().price.to_string(), "rho 0.01 and epsilon 0.3");
    /// # Ok::<(), posterity_ledger::LedgerError>(())
    /// ```
    ///
    /// # Guarantee
    /// An account counts at each of its orders what its releases cost one by one: `docs/proofs/composition.md`, theorem
    /// 1b.
    ///
    /// # Errors
    /// [`LedgerError::EmptyQuestion`], [`LedgerError::ZeroRho`], [`LedgerError::ZeroEpsilon`].
    pub fn mixed(
        question: impl Into<String>,
        epsilons: impl IntoIterator<Item = Amount>,
        rho: Amount,
    ) -> Result<Self, LedgerError> {
        let Self { question, .. } = Self::concentrated(question, rho.clone())?;
        let mut epsilons = epsilons.into_iter().peekable();
        let parts = if epsilons.peek().is_some() { Some(batch_of(epsilons)?) } else { None };
        Ok(Self::at(question, Price::Rho { rho, parts }))
    }

    /// A charge for a release with public n that protects single records.
    fn at(question: String, price: Price) -> Self {
        let promise = Promise { adjacency: Adjacency::Replace, price };
        Self { question, promise, unit: Unit::RECORD }
    }

    /// A charge for a batch of releases without delta, all of which were chosen before the first of them is drawn: one
    /// epsilon for each. They are charged together or not at all.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Charge};
    /// let tenth: Amount = "0.1".parse()?;
    /// let charge = Charge::batch("a plan of 20 questions", vec![tenth; 20])?;
    /// assert_eq!(charge.epsilon(), Some(&"2".parse()?));
    /// # Ok::<(), posterity_ledger::LedgerError>(())
    /// ```
    ///
    /// # Errors
    /// [`LedgerError::EmptyQuestion`], [`LedgerError::EmptyBatch`], [`LedgerError::ZeroEpsilon`].
    pub fn batch(
        question: impl Into<String>,
        epsilons: impl IntoIterator<Item = Amount>,
    ) -> Result<Self, LedgerError> {
        let parts = batch_of(epsilons)?;
        let question = question.into();
        if question.is_empty() {
            return Err(LedgerError::EmptyQuestion);
        }
        let (epsilon, delta) = (parts.sum(), Amount::ZERO);
        Ok(Self::at(question, Price::Epsilon { epsilon, delta, parts: Some(parts) }))
    }

    /// Sets whom the release protects: single records unless told otherwise.
    #[must_use]
    pub fn unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// Whom the release protects.
    #[must_use]
    pub fn protects(&self) -> &Unit {
        &self.unit
    }

    /// Sets which data sets the release makes look alike: n is public unless told otherwise.
    #[must_use]
    pub fn adjacency(mut self, adjacency: Adjacency) -> Self {
        self.promise.adjacency = adjacency;
        self
    }

    /// What the release promises by itself. [`crate::Account::price_of`] says what that costs an account.
    #[must_use]
    pub fn promise(&self) -> &Promise {
        &self.promise
    }

    /// The releases of a batch.
    #[must_use]
    pub fn parts(&self) -> Option<&Parts> {
        self.promise.price.parts()
    }

    /// What is asked.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The epsilon of the release: its price in an account of the same adjacency. A release that is private with rho has
    /// none.
    #[must_use]
    pub fn epsilon(&self) -> Option<&Amount> {
        self.promise.price.epsilon()
    }

    /// The delta of the release, if it has an epsilon.
    #[must_use]
    pub fn delta(&self) -> Option<&Amount> {
        self.promise.price.delta()
    }

    /// The rho of the release, if its price is in rho.
    #[must_use]
    pub fn rho(&self) -> Option<&Amount> {
        self.promise.price.rho()
    }
}

/// The releases of a batch, one epsilon for each.
fn batch_of(epsilons: impl IntoIterator<Item = Amount>) -> Result<Parts, LedgerError> {
    let mut epsilons = epsilons.into_iter().peekable();
    if epsilons.peek().is_none() {
        return Err(LedgerError::EmptyBatch);
    }
    Parts::new(epsilons).ok_or(LedgerError::ZeroEpsilon { of: "a release of the batch" })
}

/// Checks that epsilon is positive and delta is below 1.
pub(crate) fn check_budget(of: &'static str, epsilon: &Amount, delta: &Amount) -> Result<(), LedgerError> {
    if epsilon.is_zero() {
        return Err(LedgerError::ZeroEpsilon { of });
    }
    if delta.rational() >= &dashu_ratio::RBig::ONE {
        return Err(LedgerError::LargeDelta { of, delta: delta.clone() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        let (one, zero) = (Amount::ZERO + &"1".parse().expect("one"), Amount::ZERO);
        assert_eq!(Charge::new("", one.clone(), zero.clone()), Err(LedgerError::EmptyQuestion));
        assert_eq!(Charge::new("q", zero.clone(), zero), Err(LedgerError::ZeroEpsilon { of: "the charge" }));
        assert_eq!(
            Charge::new("q", one.clone(), one.clone()),
            Err(LedgerError::LargeDelta { of: "the charge", delta: one.clone() })
        );
        assert_eq!(Charge::batch("q", []), Err(LedgerError::EmptyBatch));
        assert_eq!(Charge::batch("", [one.clone()]), Err(LedgerError::EmptyQuestion));
        let zero = LedgerError::ZeroEpsilon { of: "a release of the batch" };
        assert_eq!(Charge::batch("q", [one.clone(), Amount::ZERO]), Err(zero));
        assert_eq!(Charge::concentrated("", one), Err(LedgerError::EmptyQuestion));
        assert_eq!(Charge::concentrated("q", Amount::ZERO), Err(LedgerError::ZeroRho));
        let half = || "0.5".parse::<Amount>().expect("a number");
        assert_eq!(Charge::mixed("q", [half()], Amount::ZERO), Err(LedgerError::ZeroRho));
        assert_eq!(Charge::mixed("", [half()], half()), Err(LedgerError::EmptyQuestion));
        let zero = LedgerError::ZeroEpsilon { of: "a release of the batch" };
        assert_eq!(Charge::mixed("q", [half(), Amount::ZERO], half()), Err(zero));
        assert_eq!(Charge::mixed("q", [], half()), Charge::concentrated("q", half()));
    }

    #[test]
    fn a_charge_has_its_own_price() {
        let amount = |text: &str| text.parse::<Amount>().expect("a number");
        let approximate = Charge::new("q", amount("0.5"), amount("1e-6")).expect("a charge");
        assert_eq!(
            (approximate.epsilon(), approximate.delta()),
            (Some(&amount("0.5")), Some(&amount("1e-6")))
        );
        assert_eq!(approximate.rho(), None);
        let concentrated = Charge::concentrated("q", amount("0.1")).expect("a charge");
        assert_eq!((concentrated.epsilon(), concentrated.delta()), (None, None));
        assert_eq!(concentrated.rho(), Some(&amount("0.1")));
    }
}
