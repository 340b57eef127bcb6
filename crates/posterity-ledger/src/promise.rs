//! What a release promises by itself, before an account counts it.

use serde::Serialize;

use crate::adjacency::Adjacency;
use crate::price::Price;

/// What the release of a charge promises by itself. An account may count it at a higher price.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Promise {
    /// Which data sets look alike.
    pub adjacency: Adjacency,
    /// How much alike.
    #[serde(flatten)]
    pub price: Price,
}

/// Why an account cannot count a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uncounted {
    /// The release publishes n, and n is private in the account.
    PublishesN,
    /// It promises nothing where one record is replaced.
    NothingUnderReplace,
}

impl Promise {
    /// What it costs an account of an adjacency.
    ///
    /// The price is as it is if both adjacencies are the same, and [`Price::under_replace`] if n is private in the
    /// release and public in the account. A release that publishes n costs an account where n is private everything:
    /// it is refused.
    pub(crate) fn price_for(&self, counts: Adjacency) -> Result<Price, Uncounted> {
        match (self.adjacency, counts) {
            (Adjacency::Replace, Adjacency::Replace) | (Adjacency::AddRemove, Adjacency::AddRemove) => {
                Ok(self.price.clone())
            }
            (Adjacency::AddRemove, Adjacency::Replace) => {
                self.price.under_replace().ok_or(Uncounted::NothingUnderReplace)
            }
            (Adjacency::Replace, Adjacency::AddRemove) => Err(Uncounted::PublishesN),
        }
    }

    /// The text under which it is stored beside the price that was charged. A release with public n promises just
    /// that price, and has none.
    pub(crate) fn stored(&self) -> Option<String> {
        match self.adjacency {
            Adjacency::Replace => None,
            Adjacency::AddRemove => Some(format!("{} {}", self.adjacency, self.price.stored())),
        }
    }

    /// Reads what [`Promise::stored`] wrote, and nothing else.
    pub(crate) fn from_stored(text: Option<&str>, charged: &Price) -> Option<Self> {
        match text {
            None => Some(Self { adjacency: Adjacency::Replace, price: charged.clone() }),
            Some(text) => {
                let price = Price::from_stored(text.strip_prefix("add-remove ")?)?;
                Some(Self { adjacency: Adjacency::AddRemove, price })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promise(adjacency: Adjacency) -> Promise {
        let epsilon = "0.1".parse().expect("an amount");
        Promise { adjacency, price: Price::new(epsilon, crate::Amount::ZERO) }
    }

    #[test]
    fn storage_round_trip() {
        for adjacency in Adjacency::ALL {
            let promise = promise(adjacency);
            let read = Promise::from_stored(promise.stored().as_deref(), &promise.price);
            assert_eq!(read, Some(promise));
        }
        let rho = Price::concentrated("0.01".parse().expect("an amount"));
        let private = Promise { adjacency: Adjacency::AddRemove, price: rho.clone() };
        assert_eq!(private.stored().as_deref(), Some("add-remove rho 1/100"));
        let quadruple = rho.under_replace().expect("short");
        assert_eq!(Promise::from_stored(private.stored().as_deref(), &quadruple), Some(private));
        let charged = promise(Adjacency::Replace).price;
        for text in ["", "add-remove", "replace 1/10 0/1 -", "add-remove  1/10 0/1 -", "1/10 0/1 -"] {
            assert_eq!(Promise::from_stored(Some(text), &charged), None, "{text}");
        }
    }
}
