//! How the charges of an account add up.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::amount::Amount;
use crate::renyi::{self, Order};

/// How charges add up. It is written down when the account is created, and never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// Basic composition: the sums of epsilon and of delta are at most the budget.
    Sum,
    /// A Renyi filter: the account takes releases without delta only, and they may number more than their sum allows,
    /// because they are private together at the account's epsilon and delta.
    Renyi(Vec<Order>),
}

impl Rule {
    /// The rule for a new account: sums without delta, a Renyi filter with it.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Rule};
    /// assert_eq!(Rule::for_budget(&"1".parse()?, &Amount::ZERO), Rule::Sum);
    /// let Rule::Renyi(orders) = Rule::for_budget(&"5".parse()?, &"1e-6".parse()?) else { unreachable!() };
    /// assert_eq!(orders[0].order().to_string(), "6.29");
    /// # Ok::<(), posterity_ledger::AmountError>(())
    /// ```
    #[must_use]
    pub fn for_budget(epsilon: &Amount, delta: &Amount) -> Self {
        if delta.is_zero() { Self::Sum } else { Self::Renyi(renyi::choose(epsilon, delta)) }
    }

    /// The orders of the filter; none for sums.
    pub(crate) fn orders(&self) -> &[Order] {
        match self {
            Self::Sum => &[],
            Self::Renyi(orders) => orders,
        }
    }

    /// The only text under which a rule is stored.
    pub(crate) fn stored(&self) -> String {
        match self {
            Self::Sum => "sum".to_owned(),
            Self::Renyi(orders) => {
                let orders: Vec<String> = orders.iter().map(Order::stored).collect();
                format!("renyi {}", orders.join(","))
            }
        }
    }

    /// Reads what [`Rule::stored`] wrote, and only if it is valid for the budget: the shares of delta are at most 1
    /// together.
    pub(crate) fn from_stored(text: &str, epsilon: &Amount, delta: &Amount) -> Option<Self> {
        if text == "sum" {
            return Some(Self::Sum);
        }
        let orders = text.strip_prefix("renyi ")?;
        let texts = orders.split(',').filter(|_| !orders.is_empty());
        let orders: Vec<Order> =
            texts.map(|text| Order::from_stored(text, epsilon, delta)).collect::<Option<_>>()?;
        let shares: Amount = orders.iter().map(|order| order.share().clone()).sum();
        let valid = shares.rational() <= &dashu_ratio::RBig::ONE && !delta.is_zero();
        valid.then_some(Self::Renyi(orders)).filter(|rule| rule.stored() == text)
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a> {
            order: &'a Amount,
            share: &'a Amount,
            limit: Amount,
        }
        let rows: Vec<Row<'_>> = self
            .orders()
            .iter()
            .map(|order| Row { order: order.order(), share: order.share(), limit: order.limit() })
            .collect();
        let mut out = serializer.serialize_struct("Rule", 2)?;
        out.serialize_field("kind", if matches!(self, Self::Sum) { "sum" } else { "renyi" })?;
        out.serialize_field("orders", &rows)?;
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_round_trip() {
        let amount = |text: &str| text.parse::<Amount>().expect(text);
        let (epsilon, delta) = (amount("2"), amount("1e-8"));
        for rule in [Rule::Sum, Rule::Renyi(Vec::new()), Rule::for_budget(&epsilon, &delta)] {
            assert_eq!(Rule::from_stored(&rule.stored(), &epsilon, &delta), Some(rule.clone()), "{rule:?}");
        }
        let rule = Rule::for_budget(&epsilon, &delta).stored();
        assert_eq!(Rule::from_stored(&rule, &epsilon, &amount("1e-7")), None);
        assert_eq!(Rule::from_stored(&rule, &epsilon, &Amount::ZERO), None);
        // The same order twice would use its share of delta twice.
        let first = rule.split(',').next().expect("orders").trim_start_matches("renyi ");
        assert_eq!(Rule::from_stored(&format!("renyi {first},{first}"), &epsilon, &delta), None);
        for text in ["", "Sum", "renyi", "renyi x"] {
            assert_eq!(Rule::from_stored(text, &epsilon, &delta), None, "{text}");
        }
    }
}
