//! A Renyi filter: how releases that are chosen one after another add up to (epsilon, delta).
//!
//! The proof is in `docs/proofs/composition.md`.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::amount::Amount;
use crate::enclosure::Enclosure;
use crate::parts::Parts;

/// One order of a Renyi filter, with its part of the account's delta and how much divergence may be spent at it. It is
/// chosen and written down when the account is created, and never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    order: Amount,
    share: Amount,
    limit: UBig,
}

/// Divergences are whole numbers of this many units to 1: sums of them are exact.
const UNITS: u64 = 1_000_000_000_000_000_000;

impl Order {
    /// An order above 1, the share of delta that it may use, and the limit that follows. Nothing if the limit is not
    /// positive: then no release would ever fit.
    pub(crate) fn new(order: Amount, share: Amount, epsilon: &Amount, delta: &Amount) -> Option<Self> {
        if order.rational() <= &RBig::ONE
            || share.is_zero()
            || share.rational() > &RBig::ONE
            || delta.is_zero()
        {
            return None;
        }
        let limit = limit_down(order.rational(), epsilon.rational(), &(share.rational() * delta.rational()));
        let limit = UBig::try_from(limit).ok().filter(|limit| !limit.is_zero())?;
        Some(Self { order, share, limit })
    }

    /// The order.
    #[must_use]
    pub fn order(&self) -> &Amount {
        &self.order
    }

    /// Its part of delta.
    #[must_use]
    pub fn share(&self) -> &Amount {
        &self.share
    }

    /// The divergence that may be spent, rounded down.
    #[must_use]
    pub fn limit(&self) -> Amount {
        amount(&self.limit)
    }

    pub(crate) fn limit_units(&self) -> &UBig {
        &self.limit
    }

    /// What a batch spends at this order.
    pub(crate) fn price(&self, parts: &Parts) -> UBig {
        parts.iter().map(|(epsilon, count)| self.price_of_one(epsilon) * UBig::from(count)).sum()
    }

    /// What one release spends at this order.
    pub(crate) fn price_of_one(&self, epsilon: &Amount) -> UBig {
        divergence_up(self.order.rational(), epsilon.rational())
    }

    /// What a release with a price in rho spends at this order: `order rho`, rounded up.
    pub(crate) fn price_of_rho(&self, rho: &Amount) -> UBig {
        units_up(&(self.order.rational() * rho.rational()))
    }

    /// The largest rho of one more release if so much was spent at this order.
    pub(crate) fn most_rho(&self, spent: &UBig) -> RBig {
        if spent > &self.limit {
            return RBig::ZERO;
        }
        amount(&(&self.limit - spent)).rational() / self.order.rational()
    }

    /// The only text under which an order is stored.
    pub(crate) fn stored(&self) -> String {
        format!("{}*{}*{}", self.order.stored(), self.share.stored(), self.limit)
    }

    /// Reads what [`Order::stored`] wrote, and only if the limit is the one that follows from the budget.
    pub(crate) fn from_stored(text: &str, epsilon: &Amount, delta: &Amount) -> Option<Self> {
        let mut fields = text.split('*');
        let mut amount = || fields.next().and_then(Amount::from_stored);
        let (order, share) = (amount()?, amount()?);
        Self::new(order, share, epsilon, delta).filter(|order| order.stored() == text)
    }
}

/// Units as an amount.
pub(crate) fn amount(units: &UBig) -> Amount {
    let value = RBig::from_parts(IBig::from(units.clone()), UBig::from(UNITS));
    Amount::from_rational(value).unwrap_or(Amount::ZERO)
}

/// A number from 0 on in units, rounded up.
pub(crate) fn units_up(value: &RBig) -> UBig {
    UBig::try_from((value * RBig::from(UNITS)).ceil()).unwrap_or(UBig::ZERO)
}

/// The Renyi divergence of this order between the two laws of randomised response, in units, rounded up. It bounds that
/// of every epsilon-private release.
///
/// `ln(p^l q^(1-l) + q^l p^(1-l)) / (l-1)` with `p = e^eps/(1 + e^eps)` and `q = 1 - p`, which is
/// `eps - (ln(1 + e^-eps) - ln(1 + e^(-(2l-1) eps))) / (l-1)`.
fn divergence_up(order: &RBig, epsilon: &RBig) -> UBig {
    let softplus = |x: &RBig, high: bool| {
        let exp = Enclosure::exp_neg(x);
        let sum = RBig::ONE + if high { exp.high() } else { exp.low() };
        let ln = Enclosure::ln(&sum);
        if high { ln.high() } else { ln.low() }
    };
    let twice = order * RBig::from(2) - RBig::ONE;
    let saved = softplus(epsilon, false) - softplus(&(twice * epsilon), true);
    units_up(&(epsilon - saved / (order - RBig::ONE)))
}

/// How much divergence of this order is (epsilon, delta)-private, in units, rounded down; below zero if none is.
///
/// `eps - ln((l-1)/l) + (ln delta + ln l)/(l-1)`, from Canonne, Kamath and Steinke (2020), proposition 12.
fn limit_down(order: &RBig, epsilon: &RBig, delta: &RBig) -> IBig {
    let above = order - RBig::ONE;
    let first = Enclosure::ln(&(&above / order)).high();
    let second = Enclosure::ln(delta).plus(&Enclosure::ln(order)).low() / above;
    ((epsilon - first + second) * RBig::from(UNITS)).floor()
}

/// The largest rho whose divergence of this order is (epsilon, delta)-private, rounded down; zero if none is.
pub(crate) fn most_rho_at(order: &RBig, epsilon: &RBig, delta: &RBig) -> RBig {
    let limit = UBig::try_from(limit_down(order, epsilon, delta)).unwrap_or(UBig::ZERO);
    amount(&limit).rational() / order
}

/// The orders of a new account: one with nearly all of delta, near the order that is best for many small releases, and
/// two above it for fewer and larger ones. None if delta is so small that no order helps.
///
/// The choice depends on the budget alone. Any choice is valid, so it need not be exact; it is written down in the
/// ledger.
pub(crate) fn choose(epsilon: &Amount, delta: &Amount) -> Vec<Order> {
    if delta.is_zero() {
        return Vec::new();
    }
    let best = Worth::new(epsilon, delta).best();
    const CHOICE: [(f64, &str); 3] = [(1.03, "99/100"), (2.0, "1/200"), (4.0, "1/200")];
    CHOICE
        .iter()
        .filter_map(|(factor, share)| {
            let order = three_digits((1.0 + best) * factor - 1.0)?;
            Order::new(order, Amount::from_stored(share)?, epsilon, delta)
        })
        .collect()
}

/// The order at which the most of rho may be spent, to ten digits.
pub(crate) fn best_order(epsilon: &Amount, delta: &Amount) -> Option<Amount> {
    let worth = Worth::new(epsilon, delta);
    let best = worth.best();
    let (mut low, mut high) = (best / Worth::STEP, best * Worth::STEP);
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        (low, high) = if worth.at(a) < worth.at(b) { (a, high) } else { (low, b) };
    }
    let above: Amount = format!("{low:.9e}").parse().ok()?;
    Amount::from_rational(above.rational() + RBig::ONE).ok()
}

/// How much of a budget may be spent per order, in floating point.
struct Worth {
    epsilon: f64,
    ln_delta: f64,
}

impl Worth {
    /// The ratio of two orders, less 1, that are tried.
    const STEP: f64 = 1.01;

    fn new(epsilon: &Amount, delta: &Amount) -> Self {
        let near = delta.rational().to_f64().value();
        let ln_delta =
            if near > 0.0 { near.ln() } else { Enclosure::ln(delta.rational()).low().to_f64().value() };
        Self { epsilon: epsilon.rational().to_f64().value(), ln_delta }
    }

    /// The divergence that may be spent at an order, divided by the order.
    fn at(&self, above: f64) -> f64 {
        let order = 1.0 + above;
        (self.epsilon - (above / order).ln() + (self.ln_delta + order.ln()) / above) / order
    }

    /// The best order, less 1. The divergence of a small release grows as the order, so the best order has the most to
    /// spend per order.
    fn best(&self) -> f64 {
        let candidates = (0..2_400).map(|i| 0.001 * Self::STEP.powi(i));
        candidates.max_by(|a, b| self.at(*a).total_cmp(&self.at(*b))).unwrap_or(1.0)
    }
}

/// 1 plus a number, of which three digits are kept.
fn three_digits(above: f64) -> Option<Amount> {
    let above: Amount = format!("{above:.2e}").parse().ok()?;
    Amount::from_rational(above.rational() + RBig::ONE).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    #[expect(clippy::cast_precision_loss, reason = "compared with floating point")]
    fn units(value: &UBig) -> f64 {
        RBig::from(value.clone()).to_f64().value() / UNITS as f64
    }

    /// The divergence by its definition, summed over the two answers.
    fn divergence(order: f64, epsilon: f64) -> f64 {
        let p = epsilon.exp() / (1.0 + epsilon.exp());
        let q = 1.0 - p;
        (p.powf(order) * q.powf(1.0 - order) + q.powf(order) * p.powf(1.0 - order)).ln() / (order - 1.0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// If this fails, a release is charged less than it costs, or much more.
        #[test]
        fn the_price_is_the_divergence_rounded_up(order in 1.05_f64..60.0, epsilon in 0.01_f64..5.0) {
            let (l, e) = (format!("{order:.3}"), format!("{epsilon:.4}"));
            let price = units(&divergence_up(amount(&l).rational(), amount(&e).rational()));
            let (order, epsilon): (f64, f64) = (l.parse().expect("a number"), e.parse().expect("a number"));
            let expected = divergence(order, epsilon);
            prop_assert!((price - expected).abs() < 1e-9 * expected.max(1e-3), "{price} {expected}");
            prop_assert!(price <= epsilon * (1.0 + 1e-12) && price > 0.0);
        }

        #[test]
        fn prices_grow_with_epsilon_and_the_order(order in 2..40_u32, e in 1..1_000_u32) {
            let price = |l: u32, e: u32| divergence_up(&RBig::from(l), &RBig::from_parts(IBig::from(e), UBig::from(100_u8)));
            prop_assert!(price(order, e) < price(order, e + 1));
            prop_assert!(price(order, e) <= price(order + 1, e));
        }
    }

    /// Golden values: `tools/composition.py golden` prints them, from Python's `decimal` with 60 digits.
    #[test]
    fn golden() {
        let price = divergence_up(amount("6.5").rational(), amount("0.1").rational());
        assert_eq!(price.to_string(), "30706510411720054");
        let limit = limit_down(amount("6.5").rational(), amount("5").rational(), amount("1e-6").rational());
        assert_eq!(limit.to_string(), "2995470742651769341");
    }

    #[test]
    fn orders_are_read_back_only_with_their_limit() {
        let (epsilon, delta) = (amount("5"), amount("1e-6"));
        let orders = choose(&epsilon, &delta);
        assert_eq!(orders.len(), 3);
        for order in orders {
            assert_eq!(Order::from_stored(&order.stored(), &epsilon, &delta), Some(order.clone()));
            assert_eq!(Order::from_stored(&order.stored(), &amount("5.1"), &delta), None);
            assert_eq!(Order::from_stored(&format!("{}0", order.stored()), &epsilon, &delta), None);
        }
    }

    /// The shares of delta add up to at most 1, at every budget.
    #[test]
    fn choices() {
        for epsilon in ["1e-6", "0.01", "0.5", "1", "2", "10", "100", "10000"] {
            for delta in ["1e-300", "1e-12", "1e-6", "0.001", "0.1"] {
                let orders = choose(&amount(epsilon), &amount(delta));
                let shares: Amount = orders.iter().map(|order| order.share().clone()).sum();
                assert!(shares <= amount("1"), "{epsilon} {delta}");
                assert!(
                    orders.len() == 3 || amount(epsilon) <= amount("0.01") || delta == "0.1",
                    "{epsilon} {delta}: {}",
                    orders.len()
                );
            }
        }
        assert!(choose(&amount("1"), &Amount::ZERO).is_empty());
    }
}
