//! What a release costs, and what it costs where n is public.

use std::fmt;

use dashu_ratio::RBig;
use serde::Serialize;

use crate::amount::Amount;
use crate::enclosure::Enclosure;
use crate::parts::Parts;
use crate::rounding::rounded_up;

/// What a charge costs, or what its releases promise by themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Price {
    /// Differential privacy with an epsilon, and perhaps a delta.
    Epsilon {
        /// Epsilon: for a batch, the sum of the epsilons of its releases.
        epsilon: Amount,
        /// Delta.
        delta: Amount,
        /// The releases, if it is a batch.
        #[serde(skip_serializing_if = "Option::is_none")]
        parts: Option<Parts>,
    },
    /// Zero-concentrated differential privacy: the Renyi divergence of every order l is at most `l rho`. It has no
    /// epsilon of its own.
    Rho {
        /// Rho.
        rho: Amount,
        /// The pure releases of the same batch, if there are any.
        #[serde(skip_serializing_if = "Option::is_none")]
        parts: Option<Parts>,
    },
}

impl Price {
    /// A price in epsilon and delta.
    ///
    /// ```
    /// use posterity_ledger::{Amount, Price};
    /// assert_eq!(Price::new("0.1".parse()?, Amount::ZERO).to_string(), "epsilon 0.1");
    /// assert_eq!(Price::concentrated("0.01".parse()?).to_string(), "rho 0.01");
    /// # Ok::<(), posterity_ledger::AmountError>(())
    /// ```
    #[must_use]
    pub fn new(epsilon: Amount, delta: Amount) -> Self {
        Self::Epsilon { epsilon, delta, parts: None }
    }

    /// A price in rho.
    #[must_use]
    pub fn concentrated(rho: Amount) -> Self {
        Self::Rho { rho, parts: None }
    }

    /// Epsilon, if the price has one.
    #[must_use]
    pub fn epsilon(&self) -> Option<&Amount> {
        match self {
            Self::Epsilon { epsilon, .. } => Some(epsilon),
            Self::Rho { .. } => None,
        }
    }

    /// The sum of the epsilons of all releases that have one, also where others have a price in rho; nothing if none has.
    #[must_use]
    pub fn sum_epsilon(&self) -> Option<Amount> {
        self.epsilon().cloned().or_else(|| self.parts().map(Parts::sum))
    }

    /// Delta, if the price is in epsilon and delta.
    #[must_use]
    pub fn delta(&self) -> Option<&Amount> {
        match self {
            Self::Epsilon { delta, .. } => Some(delta),
            Self::Rho { .. } => None,
        }
    }

    /// The pure releases of a batch.
    #[must_use]
    pub fn parts(&self) -> Option<&Parts> {
        match self {
            Self::Epsilon { parts, .. } | Self::Rho { parts, .. } => parts.as_ref(),
        }
    }

    /// Rho, if the price is in rho.
    #[must_use]
    pub fn rho(&self) -> Option<&Amount> {
        match self {
            Self::Epsilon { .. } => None,
            Self::Rho { rho, .. } => Some(rho),
        }
    }

    /// Whether a charge can have it: epsilon is positive and the sum of its releases, delta is below 1; or rho is
    /// positive.
    pub(crate) fn is_valid(&self) -> bool {
        match self {
            Self::Epsilon { epsilon, delta, parts } => {
                parts.as_ref().is_none_or(|parts| parts.sum() == *epsilon)
                    && !epsilon.is_zero()
                    && delta.rational() < &RBig::ONE
            }
            Self::Rho { rho, .. } => !rho.is_zero(),
        }
    }

    /// What releases that are add-remove private at this price cost under replace: each epsilon twice, and
    /// `(1 + e^epsilon) delta`, rounded up to 12 digits; and rho four times. Nothing if they promise nothing there, because
    /// delta would be 1 or more, or `e^epsilon` is too large to be computed; or if an amount has too many digits.
    ///
    /// # Guarantee
    /// The releases are private at this price under replace: `docs/proofs/composition.md`, theorem 3.
    pub(crate) fn under_replace(&self) -> Option<Self> {
        let parts = match self.parts() {
            Some(parts) => Some(parts.twice()?),
            None => None,
        };
        match self {
            Self::Epsilon { epsilon, delta, .. } => {
                let delta = if delta.is_zero() { Amount::ZERO } else { delta_up(epsilon, delta)? };
                Some(Self::Epsilon { epsilon: epsilon.twice()?, delta, parts }).filter(Self::is_valid)
            }
            Self::Rho { rho, .. } => Some(Self::Rho { rho: rho.twice()?.twice()?, parts }),
        }
    }

    /// The texts of the columns epsilon, delta and parts of a charge. A price in rho stands in the last of them alone.
    pub(crate) fn columns(&self) -> [Option<String>; 3] {
        match self {
            Self::Epsilon { epsilon, delta, parts } => {
                [Some(epsilon.stored()), Some(delta.stored()), parts.as_ref().map(Parts::stored)]
            }
            Self::Rho { .. } => [None, None, Some(self.stored())],
        }
    }

    /// Reads what [`Price::columns`] wrote and nothing else.
    pub(crate) fn from_columns(columns: [Option<&str>; 3]) -> Option<Self> {
        match columns {
            [Some(epsilon), Some(delta), parts] => {
                let parts = match parts {
                    Some(text) => Some(Parts::from_stored(text)?),
                    None => None,
                };
                let (epsilon, delta) = (Amount::from_stored(epsilon)?, Amount::from_stored(delta)?);
                Some(Self::Epsilon { epsilon, delta, parts })
            }
            [None, None, Some(text)] => Self::rho_from_stored(text),
            _ => None,
        }
    }

    /// The only text under which a price is stored within another field: epsilon, delta and the releases of a batch; or
    /// the word rho, its amount, and the pure releases of the same batch.
    pub(crate) fn stored(&self) -> String {
        match self {
            Self::Epsilon { epsilon, delta, parts } => {
                let parts = parts.as_ref().map_or("-".to_owned(), Parts::stored);
                format!("{} {} {parts}", epsilon.stored(), delta.stored())
            }
            Self::Rho { rho, parts: None } => format!("rho {}", rho.stored()),
            Self::Rho { rho, parts: Some(parts) } => format!("rho {} {}", rho.stored(), parts.stored()),
        }
    }

    /// Reads what [`Price::stored`] wrote and nothing else.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        if text.starts_with("rho ") {
            return Self::rho_from_stored(text);
        }
        let [epsilon, delta, parts] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
        Self::from_columns([Some(epsilon), Some(delta), Some(parts).filter(|parts| *parts != "-")])
    }

    fn rho_from_stored(text: &str) -> Option<Self> {
        let text = text.strip_prefix("rho ")?;
        let (rho, parts) = match text.split_once(' ') {
            Some((rho, parts)) => (rho, Some(Parts::from_stored(parts)?)),
            None => (text, None),
        };
        Some(Self::Rho { rho: Amount::from_stored(rho)?, parts })
    }
}

impl fmt::Display for Price {
    /// Such as `epsilon 0.1`, `epsilon 1 and delta 0.000001`, `rho 0.01`, `rho 0.01 and epsilon 0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epsilon { epsilon, delta, .. } if delta.is_zero() => write!(f, "epsilon {epsilon}"),
            Self::Epsilon { epsilon, delta, .. } => write!(f, "epsilon {epsilon} and delta {delta}"),
            Self::Rho { rho, parts: None } => write!(f, "rho {rho}"),
            Self::Rho { rho, parts: Some(parts) } => write!(f, "rho {rho} and epsilon {}", parts.sum()),
        }
    }
}

/// `(1 + e^epsilon) delta`, rounded up. `e^epsilon` is at most 1 over the lower bound of `e^-epsilon`.
fn delta_up(epsilon: &Amount, delta: &Amount) -> Option<Amount> {
    let inverse = Enclosure::exp_neg(epsilon.rational()).low();
    if inverse <= RBig::ZERO {
        return None;
    }
    let value = (RBig::ONE + RBig::ONE / inverse) * delta.rational();
    Amount::from_rational(rounded_up(&value)).ok()
}

#[cfg(test)]
mod tests {
    use dashu_int::{IBig, UBig};
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    fn price(epsilon: &str, delta: &str) -> Price {
        Price::new(amount(epsilon), amount(delta))
    }

    /// A batch with these parts.
    fn batch(epsilon: &str, parts: &str) -> Price {
        Price::Epsilon { epsilon: amount(epsilon), delta: Amount::ZERO, parts: Parts::from_stored(parts) }
    }

    /// Pure releases beside a rho.
    fn beside(rho: &str, parts: &str) -> Price {
        Price::Rho { rho: amount(rho), parts: Parts::from_stored(parts) }
    }

    /// Bounds of e^x for `0 <= x <= 4`, from its power series alone: the first 40 terms, and as many with a remainder
    /// below `2 x^40 / 40!`, since each later term is less than half the one before it.
    fn exp_bounds(x: &RBig) -> (RBig, RBig) {
        let (mut term, mut sum) = (RBig::ONE, RBig::ZERO);
        for k in 1..=40_u32 {
            sum += &term;
            term = term * x / RBig::from(k);
        }
        (sum.clone(), sum + term * RBig::from(2))
    }

    #[test]
    fn a_pure_price_is_doubled() {
        assert_eq!(price("0.1", "0").under_replace(), Some(price("0.2", "0")));
        assert_eq!(price("1/3", "0").under_replace(), Some(price("2/3", "0")));
        // Without delta no exponential is needed.
        assert_eq!(price("1e6", "0").under_replace(), Some(price("2e6", "0")));
        let expected = batch("16/15", "1/5*2,2/3*1");
        assert_eq!(batch("8/15", "1/10*2,1/3*1").under_replace(), Some(expected));
    }

    /// Bun and Steinke (2016), proposition 1.9. If this fails, a release with private n is charged too little.
    #[test]
    fn a_price_in_rho_is_quadrupled() {
        let rho = |text: &str| Price::concentrated(amount(text));
        assert_eq!(rho("0.01").under_replace(), Some(rho("0.04")));
        assert_eq!(rho("1/3").under_replace(), Some(rho("4/3")));
        let expected = beside("0.04", "1/5*2,2/3*1");
        assert_eq!(beside("0.01", "1/10*2,1/3*1").under_replace(), Some(expected));
    }

    /// Golden values: `(1 + e^eps) delta` by Python's `decimal` with 60 digits, rounded up to 12 digits.
    #[test]
    fn golden() {
        for (epsilon, delta, expected) in [
            ("1", "1e-6", "0.00000371828182846"),
            ("0.1", "1e-9", "0.00000000210517091808"),
            ("3", "1e-30", "0.0000000000000000000000000000210855369232"),
            ("20", "1e-12", "0.000485165196410"),
        ] {
            let found = price(epsilon, delta).under_replace().expect("it promises something");
            assert_eq!(found, Price::new(amount(epsilon).times(2), amount(expected)), "{epsilon}");
        }
    }

    proptest! {
        /// If this fails, a release with a delta is charged less than it costs under replace, or much more.
        #[test]
        fn delta_is_rounded_up(p in 1..4_000_u32, q in 1_000..9_999_u32, digits in 1..999_999_u64, e in 12..200_i32) {
            let epsilon = amount(&format!("{p}/{q}"));
            let delta = amount(&format!("{digits}e-{e}"));
            let found = delta_up(&epsilon, &delta).expect("small");
            let (low, high) = exp_bounds(epsilon.rational());
            let (low, high) = ((RBig::ONE + low) * delta.rational(), (RBig::ONE + high) * delta.rational());
            prop_assert!(*found.rational() >= high, "{found:?}");
            // One unit in the twelfth digit is less than 1.1e-11 of the number.
            let most = low * (RBig::ONE + RBig::from_parts(IBig::from(11), UBig::from(10_u8).pow(12)));
            prop_assert!(*found.rational() <= most, "{found:?}");
        }
    }

    /// The least delta at which one law is private beside the other.
    fn delta_between(p: &[f64], q: &[f64], epsilon: f64) -> f64 {
        p.iter().zip(q).map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
    }

    proptest! {
        /// Theorem 3 by enumeration: `laws` are those of the data, of the data without one record, and of the data with
        /// another record in its place. If this fails, a converted price is too low.
        #[test]
        fn replacing_is_removing_and_adding(
            laws in prop::array::uniform3(prop::array::uniform4(0.01_f64..1.0)), hundredths in 1..150_u32
        ) {
            let [with, without, other] = laws.map(|law| law.map(|mass| mass / law.iter().sum::<f64>()));
            let epsilon = f64::from(hundredths) / 100.0;
            let removed = delta_between(&with, &without, epsilon).max(delta_between(&without, &with, epsilon));
            let added = delta_between(&other, &without, epsilon).max(delta_between(&without, &other, epsilon));
            let delta = format!("{:.9}", removed.max(added) + 1e-9);
            let charged = price(&format!("{hundredths}/100"), &delta).under_replace();
            let replaced = delta_between(&with, &other, 2.0 * epsilon).max(delta_between(&other, &with, 2.0 * epsilon));
            if let Some(charged) = charged {
                prop_assert_eq!(charged.epsilon(), Some(&amount(&format!("{hundredths}/50"))));
                let delta = charged.delta().expect("it has one").rational().to_f64().value();
                prop_assert!(replaced <= delta + 1e-12, "{replaced}");
            }
        }
    }

    /// The conversion is tight: a law under which the two steps of theorem 3 lose all that they may.
    #[test]
    fn nothing_less_would_do() {
        let (epsilon, delta) = (0.5_f64, 1e-3);
        let e = epsilon.exp();
        // The record's own answer, an answer that it makes less likely at each step, and the rest.
        let other = [0.0, 0.1, 0.9];
        let without = [delta, 0.1 * e, 1.0 - delta - 0.1 * e];
        let with = [delta * (1.0 + e), 0.1 * e * e, 1.0 - delta * (1.0 + e) - 0.1 * e * e];
        for (p, q) in [(&with, &without), (&without, &with), (&without, &other), (&other, &without)] {
            assert!(delta_between(p, q, epsilon) <= delta * (1.0 + 1e-9), "{p:?} {q:?}");
        }
        let charged = price("0.5", "1e-3").under_replace().expect("it promises something");
        let replaced = delta_between(&with, &other, 2.0 * epsilon);
        let found = charged.delta().expect("it has one").rational().to_f64().value();
        assert!(found >= replaced - 1e-15 && found <= replaced * (1.0 + 1e-9), "{found} {replaced}");
    }

    #[test]
    fn what_promises_nothing_has_no_price() {
        assert!(price("1", "0.999").is_valid());
        for nothing in [price("1", "1"), price("0", "0"), Price::concentrated(Amount::ZERO)] {
            assert!(!nothing.is_valid(), "{nothing}");
        }
        for (epsilon, delta) in [("1", "0.3"), ("20", "1e-8"), ("200", "1e-300"), ("1e9", "1e-9")] {
            assert_eq!(price(epsilon, delta).under_replace(), None, "{epsilon} {delta}");
        }
        assert!(price("1", "0.26").under_replace().is_some());
    }

    /// The shortest and the longest amounts can be stored after they are converted, or have no price.
    #[test]
    fn long_amounts() {
        let tiny = price("1", "1e-990").under_replace().expect("it promises something");
        assert_eq!(tiny.delta(), Some(&amount("1e-900")));
        let longest = RBig::from(IBig::ONE << (Amount::MAX_DIGITS * 333 / 100 - 1));
        let longest = Amount::from_rational(longest).expect("just short enough");
        assert_eq!(longest.twice(), None);
        assert_eq!(Price::concentrated(longest).under_replace(), None);
    }

    #[test]
    fn each_kind_has_its_words() {
        let named = [
            (price("0.1", "0"), "epsilon 0.1"),
            (price("1", "1e-6"), "epsilon 1 and delta 0.000001"),
            (Price::concentrated(amount("0.01")), "rho 0.01"),
            (beside("0.01", "1/10*2,1/3*1"), "rho 0.01 and epsilon 8/15"),
        ];
        for (price, words) in named {
            assert_eq!(price.to_string(), words);
        }
    }

    #[test]
    fn storage_round_trip() {
        let rho = Price::concentrated(amount("0.01"));
        assert_eq!(rho.stored(), "rho 1/100");
        let both = beside("0.01", "1/10*2,1/3*1");
        assert_eq!(both.stored(), "rho 1/100 1/10*2,1/3*1");
        assert_eq!((both.epsilon(), both.sum_epsilon()), (None, Some(amount("8/15"))));
        for price in [price("0.1", "1e-6"), batch("8/15", "1/10*2,1/3*1"), rho, both] {
            assert_eq!(Price::from_stored(&price.stored()), Some(price.clone()), "{price:?}");
            let columns = price.columns();
            assert_eq!(Price::from_columns(columns.each_ref().map(Option::as_deref)), Some(price));
        }
        for columns in [
            [None, None, None],
            [Some("1/10"), None, Some("rho 1/100")],
            [Some("1/10"), Some("0/1"), Some("rho 1/100")],
            [None, None, Some("1/10*2")],
            [None, None, Some("rho 2/200")],
            [None, None, Some("rho  1/100")],
            [None, None, Some("rho 1/100 ")],
            [None, None, Some("rho 1/100 1/3*1,1/10*2")],
            [None, None, Some("rho 1/100 1/10*2 1/10*2")],
            [None, Some("0/1"), Some("rho 1/100")],
        ] {
            assert_eq!(Price::from_columns(columns), None, "{columns:?}");
        }
        for text in [
            "rho",
            "rho ",
            "rho 0.01",
            "rho 1/100 ",
            "rho 1/100 -",
            "",
            "1/10",
            "1/10 0/1",
            "1/10 0/1 - ",
            "0.1 0/1 -",
            "1/10 0/1 1/20",
            "1/10 0/1  -",
        ] {
            assert_eq!(Price::from_stored(text), None, "{text}");
        }
    }
}
