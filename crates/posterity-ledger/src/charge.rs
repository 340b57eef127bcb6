//! Charges and their receipts.

use crate::account::check_budget;
use crate::amount::Amount;
use crate::error::LedgerError;
use crate::hash::Hash;

/// A question and its price.
///
/// The question is a canonical text: two questions are the same if their texts are. It is stored as it is, so it must
/// hold public things only. A digest of few counts is not public: anyone can try all counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    question: String,
    /// Other texts of the same question, which earlier versions wrote.
    earlier: Vec<String>,
    epsilon: Amount,
    delta: Amount,
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
        Ok(Self { question, earlier: Vec::new(), epsilon, delta })
    }

    /// The same charge, whose question earlier versions wrote as this text. A document that was recorded for that text
    /// answers it too.
    #[must_use]
    pub fn also_asked_as(mut self, question: impl Into<String>) -> Self {
        self.earlier.push(question.into());
        self
    }

    /// All texts of the question, the one to be stored first.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.question.as_str()).chain(self.earlier.iter().map(String::as_str))
    }

    /// What is asked.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The price in epsilon.
    #[must_use]
    pub fn epsilon(&self) -> &Amount {
        &self.epsilon
    }

    /// The price in delta.
    #[must_use]
    pub fn delta(&self) -> &Amount {
        &self.delta
    }
}

/// Says that a charge is on disk, and lets its document be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "the charge is spent; draw, and record the document with this receipt"]
pub struct Receipt {
    pub(crate) account: String,
    pub(crate) entry: u64,
    pub(crate) hash: Hash,
}

impl Receipt {
    /// The account that was charged.
    #[must_use]
    pub fn account(&self) -> &str {
        &self.account
    }

    /// The sequence number of the charge.
    #[must_use]
    pub fn entry(&self) -> u64 {
        self.entry
    }

    /// The hash of the charge.
    #[must_use]
    pub fn hash(&self) -> Hash {
        self.hash
    }
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
            Err(LedgerError::LargeDelta { of: "the charge", delta: one })
        );
    }
}
