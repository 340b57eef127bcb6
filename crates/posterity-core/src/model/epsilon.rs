//! The privacy budget of one release.

use std::fmt;
use std::str::FromStr;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use thiserror::Error;

/// The budget epsilon, an exact positive rational.
///
/// A decimal is read exactly: `"0.1"` is one tenth, and not the nearest binary fraction, which is larger. So is a
/// fraction such as `"1/3"`.
///
/// ```
/// use posterity_core::model::Epsilon;
/// let tenth: Epsilon = "0.1".parse()?;
/// assert_eq!(tenth.to_string(), "0.1");
/// assert_ne!(tenth, Epsilon::from_f64(0.1)?);
/// # Ok::<(), posterity_core::model::EpsilonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epsilon {
    value: RBig,
}

/// Why something cannot be an epsilon.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("epsilon is {value}; {}", remedy(.value))]
pub struct EpsilonError {
    value: String,
}

/// What to write instead. A comma is never guessed to be a point.
fn remedy(value: &str) -> String {
    let pointed = value.replacen(',', ".", 1);
    match pointed.parse::<Epsilon>() {
        Ok(_) if value.contains(',') => format!("write {pointed}, with a point"),
        _ => "choose a positive, finite number such as 1 or 0.5".to_owned(),
    }
}

impl Epsilon {
    /// The budget with the exact value of a floating-point number.
    ///
    /// # Errors
    /// [`EpsilonError`] if it is zero, negative, infinite or not a number.
    pub fn from_f64(value: f64) -> Result<Self, EpsilonError> {
        let exact = RBig::try_from(value).map_err(|_| EpsilonError { value: value.to_string() })?;
        Self::from_rational(exact)
    }

    /// The budget with this exact value.
    ///
    /// # Errors
    /// [`EpsilonError`] if it is not positive.
    pub fn from_rational(value: RBig) -> Result<Self, EpsilonError> {
        // Accuracy is computed with the nearest float, so that must not be zero or infinite.
        let nearest = value.to_f64().value();
        if value <= RBig::ZERO || nearest <= 0.0 || !nearest.is_finite() {
            return Err(EpsilonError { value: value.to_string() });
        }
        Ok(Self { value })
    }

    /// The exact value.
    #[must_use]
    pub fn rational(&self) -> &RBig {
        &self.value
    }

    /// The nearest floating-point number.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.value.to_f64().value()
    }

    /// A floating-point number not above epsilon and within two units in the last place.
    #[must_use]
    pub fn to_f64_down(&self) -> f64 {
        let nearest = self.to_f64();
        match RBig::try_from(nearest) {
            Ok(exact) if exact <= self.value => nearest,
            _ => nearest.next_down(),
        }
    }
}

impl Epsilon {
    /// The floating-point number to print for epsilon. Its printed decimal is not below epsilon.
    #[must_use]
    pub fn to_f64_shown(&self) -> f64 {
        let nearest = self.to_f64();
        match decimal(&nearest.to_string()) {
            Some(printed) if printed >= self.value => nearest,
            _ => nearest.next_up(),
        }
    }
}

impl FromStr for Epsilon {
    type Err = EpsilonError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || EpsilonError { value: text.trim().to_owned() };
        let value = match text.trim().split_once('/') {
            Some((numerator, denominator)) => fraction(numerator, denominator),
            None => decimal(text.trim()),
        };
        Self::from_rational(value.ok_or_else(error)?).map_err(|_| error())
    }
}

/// Writes a decimal that is not below epsilon. It equals epsilon if that has few digits.
impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_f64_shown())
    }
}

/// The value of two numbers of at most 1,000 decimal digits each.
fn fraction(numerator: &str, denominator: &str) -> Option<RBig> {
    let whole = |text: &str| {
        let digits =
            !text.is_empty() && text.len() <= 1_000 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| UBig::from_str_radix(text, 10).ok()).flatten()
    };
    let (numerator, denominator) = (whole(numerator)?, whole(denominator)?);
    (!denominator.is_zero()).then(|| RBig::from_parts(IBig::from(numerator), denominator))
}

/// The value of `[+-]digits[.digits][e[+-]digits]`; none for any other text. The exponent has at most four digits, so
/// that no input makes the number unreasonably long.
fn decimal(text: &str) -> Option<RBig> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok().filter(|e| e.abs() < 10_000)?),
        None => (text, 0),
    };
    let (negative, digits) = match mantissa.as_bytes().first()? {
        b'-' => (true, &mantissa[1..]),
        b'+' => (false, &mantissa[1..]),
        _ => (false, mantissa),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let joined = format!("{whole}{fraction}");
    if joined.is_empty() || joined.len() > 10_000 || !joined.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let shift = exponent - i32::try_from(fraction.len()).ok()?;
    let scale = UBig::from(10_u8).pow(usize::try_from(shift.unsigned_abs()).ok()?);
    let numerator = IBig::from(UBig::from_str_radix(&joined, 10).ok()?) * if negative { -1 } else { 1 };
    Some(if shift >= 0 {
        RBig::from(numerator * IBig::from(scale))
    } else {
        RBig::from_parts(numerator, scale)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_is_named_and_not_guessed() {
        let said = |text: &str| text.parse::<Epsilon>().expect_err(text).to_string();
        assert_eq!(said("0,5"), "epsilon is 0,5; write 0.5, with a point");
        for text in ["1,000,5", "0,x", "-0,5", ","] {
            assert!(said(text).ends_with("such as 1 or 0.5"), "{text}");
        }
    }

    #[test]
    fn accepts_decimals_exactly() {
        let table = [
            ("1", 1, 1_u32),
            ("0.1", 1, 10),
            ("2.50", 5, 2),
            ("1e-3", 1, 1000),
            ("+.5", 1, 2),
            ("3.E1", 30, 1),
            ("1/3", 1, 3),
            ("10/4", 5, 2),
        ];
        for (text, numerator, denominator) in table {
            let epsilon: Epsilon = text.parse().expect(text);
            assert_eq!(
                *epsilon.rational(),
                RBig::from_parts(IBig::from(numerator), UBig::from(denominator)),
                "{text}"
            );
        }
    }

    #[test]
    fn rejects() {
        for text in [
            "0", "-1", "nan", "inf", "-inf", "", "-", ".", "1/0", "0/3", "1/", "/2", "-1/2", "1.5/2",
            "1/2/3", "1e", "1e99999", "0x1", "1e-9999", "1e9999", "é",
        ] {
            assert_eq!(text.parse::<Epsilon>(), Err(EpsilonError { value: text.to_owned() }), "{text}");
        }
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                Epsilon::from_f64(value),
                Err(EpsilonError { value: if value == 0.0 { "0".into() } else { value.to_string() } })
            );
        }
    }

    /// If this fails, a reader is told a smaller epsilon than the one that is spent.
    #[test]
    fn shows_no_less() {
        for (numerator, denominator) in [(1_i64, 3_u32), (2, 3), (1, 7), (3, 10), (1, 10), (22, 7), (1, 1)] {
            let exact = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
            let epsilon = Epsilon::from_rational(exact.clone()).expect("positive");
            let shown = decimal(&epsilon.to_string()).expect("a decimal");
            assert!(shown >= exact, "{epsilon} is below {exact}");
            assert!((epsilon.to_f64_shown() - epsilon.to_f64()).abs() <= f64::EPSILON * epsilon.to_f64());
        }
    }

    /// If this fails, a scale is computed from more than the budget.
    #[test]
    fn rounds_down() {
        for text in ["0.1", "0.3", "1", "0.7", "1e-5", "123.456"] {
            let epsilon: Epsilon = text.parse().expect(text);
            let down = RBig::try_from(epsilon.to_f64_down()).expect("finite");
            assert!(down <= *epsilon.rational());
        }
    }
}
