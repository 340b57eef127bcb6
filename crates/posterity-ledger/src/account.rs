//! Accounts: a name and a budget.

use serde::Serialize;

use crate::amount::Amount;
use crate::error::LedgerError;
use crate::timestamp::Timestamp;

/// The limit on the length of a name, in characters.
const LONGEST_NAME: usize = 100;

/// An account as it stands. What is spent is the sum of all charges, released or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Account {
    /// The name.
    pub name: String,
    /// When it was created.
    pub created: Timestamp,
    /// The budget epsilon.
    pub epsilon: Amount,
    /// The budget delta: 0 for pure differential privacy only.
    pub delta: Amount,
    /// The sum of all charges of epsilon.
    pub spent_epsilon: Amount,
    /// The sum of all charges of delta.
    pub spent_delta: Amount,
    /// What may still be spent of epsilon.
    pub remaining_epsilon: Amount,
    /// What may still be spent of delta.
    pub remaining_delta: Amount,
    /// The number of charges.
    pub charges: u64,
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
