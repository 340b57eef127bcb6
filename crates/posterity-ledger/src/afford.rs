//! Whether an account can pay a charge.

use crate::adjacency::Adjacency;
use crate::charge::Charge;
use crate::error::{Exceeded, LedgerError, Part};
use crate::parts::Parts;
use crate::price::Price;
use crate::tally::{Budget, Misfit, Tally};
use crate::unit::Unit;

/// An account that is asked to pay.
pub(crate) struct Purse<'a> {
    pub(crate) account: &'a str,
    pub(crate) unit: &'a Unit,
    pub(crate) adjacency: Adjacency,
    pub(crate) tally: &'a Tally,
    pub(crate) budget: &'a Budget,
}

impl Purse<'_> {
    /// What a charge costs, or why it cannot be counted: the unit first, then the adjacency.
    pub(crate) fn price(&self, charge: &Charge) -> Result<Price, LedgerError> {
        if *self.unit != *charge.protects() {
            let (account, unit, asked) =
                (self.account.to_owned(), self.unit.clone(), charge.protects().clone());
            return Err(LedgerError::OtherUnit { account, unit, asked });
        }
        let release = charge.promise();
        release.price_for(self.adjacency).map_err(|why| LedgerError::uncounted(self.account, release, why))
    }

    /// The total after a charge at this price, or that the budget does not suffice.
    pub(crate) fn after(&self, charge: &Charge, price: &Price) -> Result<Tally, LedgerError> {
        self.tally.after(self.budget, price).map_err(|misfit| self.refusal(misfit, charge, price))
    }

    fn refusal(&self, misfit: Misfit, charge: &Charge, price: &Price) -> LedgerError {
        let (account, own) = (self.account.to_owned(), &charge.promise().price);
        let (tally, budget) = (self.tally, self.budget);
        let parts = price.parts().filter(|_| misfit == Misfit::Rho);
        let (part, asked, own, remaining, budget) = match misfit {
            Misfit::NotPure => return LedgerError::NotPure { account },
            Misfit::NoFilter => return LedgerError::NoFilter { account },
            Misfit::Epsilon => {
                let remaining = tally.remaining(budget);
                (Part::Epsilon, price.epsilon(), own.epsilon(), remaining, budget.epsilon.clone())
            }
            Misfit::Delta => {
                let remaining = budget.delta.minus(&tally.delta).unwrap_or_default();
                (Part::Delta, price.delta(), own.delta(), remaining, budget.delta.clone())
            }
            Misfit::Rho => {
                let at_first = Tally::start(budget).remaining_rho(budget);
                let remaining = tally.remaining_rho_beside(budget, parts);
                (Part::Rho, price.rho(), own.rho(), remaining, at_first)
            }
        };
        let asked = asked.cloned().unwrap_or_default();
        let beside = parts.map(Parts::sum);
        let release = own.filter(|_| charge.promise().adjacency != self.adjacency).cloned();
        LedgerError::from(Box::new(Exceeded {
            account,
            part,
            asked,
            beside,
            release,
            stated: None,
            remaining,
            budget,
        }))
    }
}
