//! Exact amounts of privacy budget.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;
use std::str::FromStr;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::{Serialize, Serializer};
use thiserror::Error;

/// An exact rational, not negative: an epsilon or a delta.
///
/// Decimals are read exactly, and sums are exact.
///
/// ```
/// use posterity_ledger::Amount;
/// let tenth: Amount = "0.1".parse()?;
/// assert_eq!((0..10).map(|_| tenth.clone()).sum::<Amount>(), "1".parse()?);
/// assert_eq!("1/3".parse::<Amount>()?.to_string(), "1/3");
/// # Ok::<(), posterity_ledger::AmountError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount {
    value: RBig,
}

/// Why something cannot be an amount.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AmountError {
    /// Not a number.
    #[error("the amount is {text:?}; {}", remedy(.text))]
    Malformed {
        /// What was written.
        text: String,
    },
    /// Below zero.
    #[error("the amount {text} is negative; a budget is only ever spent, so write a number from 0 on")]
    Negative {
        /// What was written.
        text: String,
    },
    /// More digits than are allowed.
    #[error(
        "the amount has more than {} digits above or below the fraction bar; write a shorter number",
        Amount::MAX_DIGITS
    )]
    TooLong,
}

/// What to write instead. A comma is never guessed to be a point.
fn remedy(text: &str) -> String {
    let pointed = text.replacen(',', ".", 1);
    match pointed.parse::<Amount>() {
        Ok(_) if text.contains(',') => format!("write {pointed}, with a point"),
        _ => "write a decimal such as 0.1 or 1e-6, or a fraction such as 1/3".to_owned(),
    }
}

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self { value: RBig::ZERO };

    /// One.
    pub const ONE: Self = Self { value: RBig::ONE };

    /// The limit on the length of numerator and denominator. All floating-point numbers are within it.
    pub const MAX_DIGITS: usize = 1_000;

    /// An exact rational.
    ///
    /// # Errors
    /// [`AmountError`] if it is negative or too long.
    pub fn from_rational(value: RBig) -> Result<Self, AmountError> {
        // Each decimal digit takes less than 3.33 bits.
        let longest = Self::MAX_DIGITS * 333 / 100;
        if value.numerator().bit_len() > longest || value.denominator().bit_len() > longest {
            return Err(AmountError::TooLong);
        }
        if value < RBig::ZERO {
            return Err(AmountError::Negative { text: value.to_string() });
        }
        Ok(Self { value })
    }

    /// The exact value.
    #[must_use]
    pub fn rational(&self) -> &RBig {
        &self.value
    }

    /// The floating-point number to print for it. Its printed decimal is not below it.
    #[must_use]
    pub fn to_f64_shown(&self) -> f64 {
        let nearest = self.value.to_f64().value();
        let printed: Option<Self> = nearest.to_string().parse().ok();
        if printed.is_some_and(|printed| printed >= *self) { nearest } else { nearest.next_up() }
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.value == RBig::ZERO
    }

    /// The difference, unless it is negative.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Self> {
        (other <= self).then(|| Self { value: &self.value - &other.value })
    }

    /// Twice this amount, if it is short enough to be stored.
    pub(crate) fn twice(&self) -> Option<Self> {
        Self::from_rational(&self.value * RBig::from(2)).ok()
    }

    /// This amount, multiplied.
    #[must_use]
    pub fn times(&self, factor: u64) -> Self {
        Self { value: &self.value * RBig::from(factor) }
    }

    /// The only text under which this amount is stored: `p/q` in lowest terms.
    pub(crate) fn stored(&self) -> String {
        format!("{}/{}", self.value.numerator(), self.value.denominator())
    }

    /// Reads what [`Amount::stored`] wrote and nothing else, so that equal amounts are equal texts in the file.
    pub(crate) fn from_stored(text: &str) -> Option<Self> {
        text.parse().ok().filter(|amount: &Self| amount.stored() == text)
    }
}

impl Default for Amount {
    /// Zero.
    fn default() -> Self {
        Self::ZERO
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.len() > 2 * Self::MAX_DIGITS + 1 {
            return Err(AmountError::TooLong);
        }
        if text.starts_with('-') {
            return Err(AmountError::Negative { text: text.to_owned() });
        }
        let value = match text.split_once('/') {
            Some((numerator, denominator)) => fraction(numerator, denominator),
            None => decimal(text),
        };
        Self::from_rational(value.ok_or_else(|| AmountError::Malformed { text: text.to_owned() })?)
    }
}

impl fmt::Display for Amount {
    /// The exact decimal if it ends within 30 digits after the point, otherwise `p/q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PLACES: usize = 30;
        let (numerator, denominator) = (self.value.numerator(), self.value.denominator());
        let scale = UBig::from(10_u8).pow(PLACES);
        if !(&scale % denominator).is_zero() {
            return f.pad(&self.stored());
        }
        let digits = (numerator * IBig::from(scale / denominator)).to_string();
        let digits = format!("{digits:0>width$}", width = PLACES + 1);
        let (whole, places) = digits.split_at(digits.len() - PLACES);
        let places = places.trim_end_matches('0');
        f.pad(&if places.is_empty() { whole.to_owned() } else { format!("{whole}.{places}") })
    }
}

impl Add<&Self> for Amount {
    type Output = Self;

    fn add(self, other: &Self) -> Self {
        Self { value: self.value + &other.value }
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |sum, amount| sum + &amount)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number of decimal digits, and nothing else.
fn digits(text: &str) -> Option<UBig> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    UBig::from_str_radix(text, 10).ok()
}

fn fraction(numerator: &str, denominator: &str) -> Option<RBig> {
    let (numerator, denominator) = (digits(numerator)?, digits(denominator)?);
    (!denominator.is_zero()).then(|| RBig::from_parts(IBig::from(numerator), denominator))
}

/// The value of `[+]digits[.digits][e[+-]digits]`. The exponent is bounded before the power is computed.
fn decimal(text: &str) -> Option<RBig> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok().filter(|e| e.abs() <= 9_999)?),
        None => (text, 0),
    };
    let mantissa = mantissa.strip_prefix('+').unwrap_or(mantissa);
    let (whole, places) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let value = IBig::from(digits(&format!("{whole}{places}"))?);
    let shift = exponent - i32::try_from(places.len()).ok()?;
    let scale = UBig::from(10_u8).pow(usize::try_from(shift.unsigned_abs()).ok()?);
    Some(if shift >= 0 { RBig::from(value * IBig::from(scale)) } else { RBig::from_parts(value, scale) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    #[test]
    fn a_comma_is_named_and_not_guessed() {
        let said = |text: &str| text.parse::<Amount>().expect_err(text).to_string();
        assert_eq!(said("0,5"), "the amount is \"0,5\"; write 0.5, with a point");
        assert!(said("0,x").ends_with("such as 1/3"));
    }

    #[test]
    fn accepts_exactly() {
        let table = [
            ("0", "0/1", "0"),
            ("0.1", "1/10", "0.1"),
            (" 2.50 ", "5/2", "2.5"),
            ("+.5", "1/2", "0.5"),
            ("3.E1", "30/1", "30"),
            ("1e-3", "1/1000", "0.001"),
            ("10/4", "5/2", "2.5"),
            ("1/3", "1/3", "1/3"),
            ("0/7", "0/1", "0"),
            ("007", "7/1", "7"),
            ("1e-30", "1/1000000000000000000000000000000", "0.000000000000000000000000000001"),
            ("1e-31", "1/10000000000000000000000000000000", "1/10000000000000000000000000000000"),
            ("1e20", "100000000000000000000/1", "100000000000000000000"),
        ];
        for (text, stored, shown) in table {
            assert_eq!(amount(text).stored(), stored, "{text}");
            assert_eq!(amount(text).to_string(), shown, "{text}");
            assert_eq!(Amount::from_stored(stored), Some(amount(text)), "{text}");
        }
        assert_eq!(format!("{:>6}|", amount("0.25")), "  0.25|");
    }

    #[test]
    fn rejects() {
        for text in [
            "", ".", "+", "1e", "1e99999", "0x1", "nan", "inf", "1/0", "1/", "/2", "1/2/3", "1.5/2", "1/-2",
            "é", "1 2", "1_000", "++1", "1e1e1", "٣",
        ] {
            assert_eq!(
                text.parse::<Amount>(),
                Err(AmountError::Malformed { text: text.to_owned() }),
                "{text}"
            );
        }
        for text in ["-1", "-0", "-1/2", "-inf"] {
            assert_eq!(
                text.parse::<Amount>(),
                Err(AmountError::Negative { text: text.to_owned() }),
                "{text}"
            );
        }
        let long = "1".repeat(Amount::MAX_DIGITS + 10);
        for text in
            [long.clone(), format!("1/{long}"), format!("0.{long}"), "1e9999".into(), "1e-9999".into()]
        {
            assert_eq!(text.parse::<Amount>(), Err(AmountError::TooLong), "{text}");
        }
        assert_eq!("1".repeat(100_000).parse::<Amount>(), Err(AmountError::TooLong));
        assert_eq!(Amount::from_rational(RBig::from(-1)), Err(AmountError::Negative { text: "-1".into() }));
    }

    #[test]
    fn only_the_lowest_terms_are_stored() {
        for text in ["2/20", "0.1", "1/10 ", "+1/10", "01/10", "5", "0/2"] {
            assert_eq!(Amount::from_stored(text), None, "{text}");
        }
    }

    #[test]
    fn every_float_fits() {
        for value in [f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.1] {
            let exact = Amount::from_rational(RBig::try_from(value).expect("finite")).expect("short");
            assert_eq!(Amount::from_stored(&exact.stored()), Some(exact));
        }
    }

    #[test]
    fn minus_never_goes_below_zero() {
        assert_eq!(amount("1").minus(&amount("0.9")), Some(amount("0.1")));
        assert_eq!(amount("1").minus(&amount("1")), Some(Amount::ZERO));
        assert_eq!(amount("1").minus(&amount("1.000000000000000000000000000001")), None);
    }

    fn any_amount() -> impl Strategy<Value = Amount> {
        prop_oneof![
            (any::<u128>(), 1..=u128::MAX).prop_map(|(p, q)| amount(&format!("{p}/{q}"))),
            (any::<u64>(), -40_i32..10).prop_map(|(digits, e)| amount(&format!("{digits}e{e}"))),
        ]
    }

    proptest! {
        #[test]
        fn display_and_storage_round_trip(a in any_amount()) {
            prop_assert_eq!(&amount(&a.to_string()), &a);
            prop_assert_eq!(Amount::from_stored(&a.stored()), Some(a));
        }

        #[test]
        fn sums_are_associative_and_commutative(a in any_amount(), b in any_amount(), c in any_amount()) {
            prop_assert_eq!((a.clone() + &b) + &c, a.clone() + &(b.clone() + &c));
            prop_assert_eq!(a.clone() + &b, b + &a);
        }

        #[test]
        fn minus_undoes_plus(a in any_amount(), b in any_amount()) {
            prop_assert_eq!((a.clone() + &b).minus(&b), Some(a));
        }

        #[test]
        fn times_is_repeated_sum(a in any_amount(), n in 0_u64..20) {
            prop_assert_eq!((0..n).map(|_| a.clone()).sum::<Amount>(), a.times(n));
        }

        #[test]
        fn no_text_panics(text in "[-+0-9.eE/ ]{0,12}|.{0,12}") {
            let _ = text.parse::<Amount>();
        }
    }
}
