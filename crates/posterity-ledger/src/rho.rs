//! Prices in rho: zero-concentrated differential privacy.

use crate::amount::Amount;
use crate::renyi::{best_order, most_rho_at};
use crate::rounding::rounded_down;

/// The largest rho at which one release by itself is (epsilon, delta)-private, rounded down to 12 digits. Nothing if delta
/// is zero, or 1 or more: noise that is only rho-private has a delta.
///
/// A release is rho-private (zero-concentrated) if its Renyi divergence of every order l is at most `l rho`. It is
/// (epsilon, delta)-private if `l rho <= epsilon - ln((l-1)/l) + (ln delta + ln l)/(l-1)` at one l (Canonne, Kamath and
/// Steinke 2020, corollary 13). An account keeps a part of its delta for other orders, so it admits slightly less:
/// [`crate::Account::affordable_rho`].
///
/// ```
/// use posterity_ledger::{Amount, rho_of};
/// let rho = rho_of(&"1".parse()?, &"1e-9".parse()?).expect("there is a delta");
/// assert!(rho >= "0.0149725".parse()? && rho <= "0.0149735".parse()?);
/// assert_eq!(rho_of(&"1".parse()?, &Amount::ZERO), None);
/// # Ok::<(), posterity_ledger::AmountError>(())
/// ```
///
/// # Guarantee
/// Every order gives a valid rho. The best one is searched for in floating point; the rho at it is computed in
/// enclosures and rounded down (`docs/proofs/composition.md`).
#[must_use]
pub fn rho_of(epsilon: &Amount, delta: &Amount) -> Option<Amount> {
    if delta.is_zero() || delta.rational() >= &dashu_ratio::RBig::ONE {
        return None;
    }
    let order = best_order(epsilon, delta)?;
    let most = most_rho_at(order.rational(), epsilon.rational(), delta.rational());
    Amount::from_rational(rounded_down(&most)).ok()
}

/// The largest epsilon of three digits that costs no more than this rho at this delta: the other direction of
/// [`rho_of`], rounded down. Nothing if there is none.
///
/// ```
/// use posterity_ledger::{epsilon_within, rho_of};
/// let delta = "1e-9".parse()?;
/// assert_eq!(epsilon_within(&"0.014973".parse()?, &delta), Some("0.999".parse()?));
/// assert_eq!(epsilon_within(&"0.014974".parse()?, &delta), Some("1".parse()?));
/// # Ok::<(), posterity_ledger::AmountError>(())
/// ```
#[must_use]
pub fn epsilon_within(rho: &Amount, delta: &Amount) -> Option<Amount> {
    // The numbers of three digits from 1e-12 to 9.99e7, in their order.
    const DIGITS: u32 = 900;
    const POWERS: u32 = 20;
    let epsilon = |index: u32| -> Option<Amount> {
        let (digits, power) = (100 + index % DIGITS, i64::from(index / DIGITS) - 14);
        format!("{digits}e{power}").parse().ok()
    };
    let costs_no_more = |index: u32| {
        epsilon(index).and_then(|epsilon| rho_of(&epsilon, delta)).is_some_and(|cost| cost <= *rho)
    };
    let (mut low, mut high) = (0, DIGITS * POWERS);
    while low < high {
        let middle = low.midpoint(high);
        if costs_no_more(middle) { low = middle + 1 } else { high = middle }
    }
    epsilon(low.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    fn value(amount: &Amount) -> f64 {
        amount.rational().to_f64().value()
    }

    /// The least delta of a rho at an epsilon, over a fine grid of orders.
    fn delta_of(rho: f64, epsilon: f64) -> f64 {
        let delta = |above: f64| {
            let order: f64 = 1.0 + above;
            (above * (order * rho - epsilon) - above.ln() + order * (-1.0 / order).ln_1p()).exp()
        };
        (0..60_000).map(|i| delta(0.001 * 1.0005_f64.powi(i))).fold(f64::INFINITY, f64::min)
    }

    /// The tight conversion gives back what was asked for. If this fails, a release promises more than it keeps, or has
    /// more noise than it needs.
    #[test]
    fn it_is_the_inverse_of_the_tight_conversion() {
        for epsilon in ["0.01", "0.1", "1", "3", "10"] {
            for delta in ["1e-3", "1e-6", "1e-9", "1e-30"] {
                let rho = value(&rho_of(&amount(epsilon), &amount(delta)).expect("there is a delta"));
                let (e, d): (f64, f64) =
                    (epsilon.parse().expect("a number"), delta.parse().expect("a number"));
                let found = delta_of(rho, e);
                assert!(found <= d * (1.0 + 1e-5), "({epsilon}, {delta}): rho {rho} has delta {found}");
                assert!(delta_of(rho * 1.0001, e) > d * (1.0 - 1e-6), "({epsilon}, {delta}): rho {rho}");
            }
        }
    }

    /// The numbers of the design: 0.014973 and 0.024356.
    #[test]
    fn known_values() {
        for (delta, low, high) in [("1e-9", "0.0149725", "0.0149735"), ("1e-6", "0.0243555", "0.0243565")] {
            let rho = rho_of(&amount("1"), &amount(delta)).expect("there is a delta");
            assert!(rho >= amount(low) && rho <= amount(high), "{rho}");
        }
    }

    #[test]
    fn without_delta_there_is_none() {
        assert_eq!(rho_of(&amount("1"), &Amount::ZERO), None);
        assert_eq!(rho_of(&amount("1"), &amount("1")), None);
        assert!(rho_of(&amount("1e-6"), &amount("1e-300")).is_some());
    }
}
