//! Exact numbers.

use std::cmp::Ordering;
use std::fmt;
use std::io::Write;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::value::Value;

/// A rational number, held exactly: `0.1 + 0.2 = 0.3` and `1 / 3 * 3 = 1`.
///
/// A number that is read has at most [`MAX_DIGITS`] significant digits, and its first one stands at most
/// [`MAX_EXPONENT`] places from the point, so it is a fraction of fewer than 4000 bits. A sum, difference, product or
/// quotient has at most as many bits as its operands together, and one more. Arithmetic is therefore bounded by the
/// number of operators, which the filter limits.
#[derive(Clone, Debug)]
pub struct Number(Form);

/// The most digits of a number, without zeros at its ends.
pub const MAX_DIGITS: usize = 400;

/// The largest exponent of a number in scientific notation, and the smallest but for the sign.
pub const MAX_EXPONENT: i64 = 400;

/// Two forms of a number. Most numbers fit the first, which needs no allocation.
#[derive(Clone, Debug)]
enum Form {
    /// `mantissa / 10^scale`, with a scale of at most [`MAX_SCALE`].
    Small { mantissa: i128, scale: u8 },
    /// Any number.
    Large(Box<RBig>),
}

/// The largest power of ten that fits.
const MAX_SCALE: u8 = 38;

/// The powers of ten up to `10^MAX_SCALE`.
const POWERS: [i128; MAX_SCALE as usize + 1] = {
    let mut powers = [1; MAX_SCALE as usize + 1];
    let mut index = 1;
    while index < powers.len() {
        powers[index] = powers[index - 1] * 10;
        index += 1;
    }
    powers
};

/// Those that a floating-point number holds exactly.
const EXACT_POWERS: [f64; 23] = {
    let mut powers = [1.0; 23];
    let mut index = 0;
    while index < powers.len() {
        powers[index] = POWERS[index] as f64;
        index += 1;
    }
    powers
};

/// The digits of a number that has finitely many: `0.digits * 10^point`, with the sign.
pub struct Digits {
    /// Whether the number is below zero.
    pub negative: bool,
    /// The digits, without zeros at their ends; none for zero.
    pub digits: String,
    /// Where the point stands, counted from before the first digit.
    pub point: i64,
}

impl Number {
    /// Reads `[+-]?(digits[.digits*]|.digits)([eE][+-]?digits)?`, without blanks.
    ///
    /// `None` for anything else, and for a number beyond the limits. They concern its value, not how it is written,
    /// and are checked before any arithmetic.
    pub fn parse(text: &[u8]) -> Option<Self> {
        if let Some(number) = short_integer(text) {
            return Some(Self::from_i128(number.into()));
        }
        let Written { negative, whole, fraction, exponent } = written(text)?;
        decimal(negative, whole, fraction, exponent)
    }

    /// Whether a text is written as [`Number::parse`] reads it, perhaps beyond the limits.
    pub fn is_written(text: &[u8]) -> bool {
        written(text).is_some()
    }

    /// A whole number.
    #[inline]
    pub fn from_i128(number: i128) -> Self {
        Self(Form::Small { mantissa: number, scale: 0 })
    }

    /// `mantissa / 10^scale`; `None` beyond the limits of [`Number::parse`].
    pub fn from_decimal(mantissa: i128, scale: i32) -> Option<Self> {
        let Some(magnitude) = mantissa.unsigned_abs().checked_ilog10() else {
            return Some(Self::from_i128(0));
        };
        let scale = i64::from(scale);
        in_range(i64::from(magnitude) - scale).then(|| Self::scaled(mantissa, scale))
    }

    /// The shortest decimal that the number prints as; `None` unless it is finite.
    pub fn from_f64(number: f64) -> Option<Self> {
        // Whole numbers up to here print all their digits.
        const EXACT: f64 = (1_u64 << 53) as f64;
        if number.abs() < EXACT && number.trunc() == number {
            return Some(Self::from_i128(number as i128));
        }
        printed(format_args!("{number:e}"))
    }

    /// The shortest decimal that the number prints as; `None` unless it is finite.
    pub fn from_f32(number: f32) -> Option<Self> {
        printed(format_args!("{number:e}"))
    }

    /// The floating-point number that compares with others as this one compares with the shortest decimals that they
    /// print as; `None` if this number has so many digits that none may.
    ///
    /// It is the nearest. Rounding to the nearest keeps the order, and the shortest decimal rounds back to where it
    /// comes from. So if this number rounds to something larger or smaller, it is so itself. If both round alike, they are
    /// equal, because two decimals of at most 15 digits never round to the same floating-point number.
    pub fn as_threshold(&self) -> Option<f64> {
        const DIGITS: u128 = 10_u128.pow(15);
        match self.0 {
            // Both are exact, so that their quotient is the nearest (Clinger 1990).
            Form::Small { mantissa, scale: scale @ ..=22 } if mantissa.unsigned_abs() < DIGITS => {
                Some(mantissa as i64 as f64 / EXACT_POWERS[usize::from(scale)])
            }
            _ => None,
        }
    }

    /// How the shortest decimal that a floating-point number prints as compares with this one; `None` unless it is
    /// finite. Most often needs no decimal.
    pub fn cmp_f64(&self, number: f64) -> Option<Ordering> {
        match self.as_threshold() {
            Some(threshold) if number.is_finite() => number.partial_cmp(&threshold),
            _ => Some(Self::from_f64(number)?.cmp(self)),
        }
    }

    /// The least floating-point number whose shortest decimal is not below this number; infinity if there is none. So
    /// `number.least_f64() <= x` says of every finite `x` whether `number` is at most the decimal that `x` prints as, and
    /// no decimal is made of `x`.
    ///
    /// An edge of 0.1 is no sum of powers of two. It is moved to the double that prints as 0.1, once.
    pub fn least_f64(&self) -> f64 {
        let reaches = |number: f64| Self::from_f64(number).is_none_or(|decimal| decimal >= *self);
        let mut least = self.nearest_f64();
        while least < f64::INFINITY && !reaches(least) {
            least = least.next_up();
        }
        while least > f64::MIN && reaches(least.next_down()) {
            least = least.next_down();
        }
        least
    }

    /// The same of 32 bits.
    pub fn least_f32(&self) -> f32 {
        let reaches = |number: f32| Self::from_f32(number).is_none_or(|decimal| decimal >= *self);
        let mut least = (self.nearest_f64() as f32).clamp(f32::MIN, f32::INFINITY);
        while least < f32::INFINITY && !reaches(least) {
            least = least.next_up();
        }
        while least > f32::MIN && reaches(least.next_down()) {
            least = least.next_down();
        }
        least
    }

    /// The least whole number of 128 bits that is not below this number; `None` if there is none.
    pub fn least_integer(&self) -> Option<i128> {
        let (floor, is_whole) = self.floor_at(0);
        let least = if is_whole { floor } else { floor + IBig::ONE };
        if least < IBig::from(i128::MIN) { Some(i128::MIN) } else { i128::try_from(least).ok() }
    }

    /// A floating-point number at or beside this one, and never below all finite ones.
    fn nearest_f64(&self) -> f64 {
        let nearest = match self.digits() {
            Some(Digits { negative, digits, point }) => {
                let sign = if negative { "-" } else { "" };
                format!("{sign}0.{digits}0e{point}").parse().unwrap_or(f64::MAX)
            }
            None => self.to_ratio().to_f64().value(),
        };
        nearest.clamp(f64::MIN, f64::INFINITY)
    }

    /// The number that a value is; `None` if it is none.
    pub fn of(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(Self::from_i128(number)),
            Value::Text(text) | Value::Literal(text) => Self::parse(text),
            Value::Decimal { mantissa, scale } => Self::from_decimal(mantissa, scale),
            Value::Single(number) => Self::from_f32(number),
            Value::Double(number) => Self::from_f64(number),
            _ => None,
        }
    }

    /// The quotient; `None` if the divisor is zero.
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        if let (Form::Small { mantissa: a, scale: s }, Form::Small { mantissa: b, scale: t }) =
            (&self.0, &divisor.0)
            && s >= t
            && a.checked_rem(*b) == Some(0)
        {
            return Some(Self(Form::Small { mantissa: a / b, scale: s - t }));
        }
        Some(Self::from_ratio(self.to_ratio() / divisor.to_ratio()))
    }

    /// The digits, if there are finitely many.
    pub fn digits(&self) -> Option<Digits> {
        let (negative, digits, scale) = match &self.0 {
            Form::Small { mantissa, scale } => {
                (*mantissa < 0, mantissa.unsigned_abs().to_string(), i64::from(*scale))
            }
            Form::Large(ratio) => large_digits(ratio)?,
        };
        let point = digits.len() as i64 - scale;
        let digits = digits.trim_end_matches('0').to_owned();
        // A number has no zeros at its start, except for zero itself, which has no digits now.
        Some(Digits { negative, digits, point })
    }

    /// The largest whole number that is not above `self * 10^scale`, and whether it is equal to that.
    pub fn floor_at(&self, scale: u32) -> (IBig, bool) {
        let scaled = self.to_ratio() * RBig::from(UBig::from(10_u8).pow(scale as usize));
        (scaled.floor(), scaled.is_int())
    }

    fn is_zero(&self) -> bool {
        match &self.0 {
            Form::Small { mantissa, .. } => *mantissa == 0,
            Form::Large(ratio) => ratio.is_zero(),
        }
    }

    /// `mantissa / 10^scale`, for a scale that the caller has bounded.
    fn scaled(mantissa: i128, scale: i64) -> Self {
        if scale < 0
            && let Some(power) = POWERS.get(scale.unsigned_abs() as usize)
            && let Some(mantissa) = mantissa.checked_mul(*power)
        {
            return Self(Form::Small { mantissa, scale: 0 });
        }
        match u8::try_from(scale) {
            Ok(scale @ ..=MAX_SCALE) => Self(Form::Small { mantissa, scale }),
            _ => Self::large(mantissa.into(), scale),
        }
    }

    fn large(mantissa: IBig, scale: i64) -> Self {
        let power = UBig::from(10_u8).pow(scale.unsigned_abs() as usize);
        let ratio = if scale < 0 { RBig::from(mantissa * power) } else { RBig::from_parts(mantissa, power) };
        Self::from_ratio(ratio)
    }

    fn from_ratio(ratio: RBig) -> Self {
        if ratio.is_int()
            && let Ok(mantissa) = i128::try_from(ratio.numerator().clone())
        {
            return Self::from_i128(mantissa);
        }
        Self(Form::Large(Box::new(ratio)))
    }

    fn to_ratio(&self) -> RBig {
        match &self.0 {
            Form::Small { mantissa, scale } => {
                RBig::from_parts((*mantissa).into(), UBig::from(10_u8).pow(usize::from(*scale)))
            }
            Form::Large(ratio) => ratio.as_ref().clone(),
        }
    }

    /// Both mantissas at the larger of both scales, if all is small.
    fn aligned(&self, other: &Self) -> Option<(i128, i128, u8)> {
        let (Form::Small { mantissa: a, scale: s }, Form::Small { mantissa: b, scale: t }) =
            (&self.0, &other.0)
        else {
            return None;
        };
        let scale = *s.max(t);
        let a = a.checked_mul(*POWERS.get(usize::from(scale - s))?)?;
        let b = b.checked_mul(*POWERS.get(usize::from(scale - t))?)?;
        Some((a, b, scale))
    }
}

impl Add for &Number {
    type Output = Number;

    fn add(self, other: Self) -> Number {
        if let Some((a, b, scale)) = self.aligned(other)
            && let Some(mantissa) = a.checked_add(b)
        {
            return Number(Form::Small { mantissa, scale });
        }
        Number::from_ratio(self.to_ratio() + other.to_ratio())
    }
}

impl Sub for &Number {
    type Output = Number;

    fn sub(self, other: Self) -> Number {
        if let Some((a, b, scale)) = self.aligned(other)
            && let Some(mantissa) = a.checked_sub(b)
        {
            return Number(Form::Small { mantissa, scale });
        }
        Number::from_ratio(self.to_ratio() - other.to_ratio())
    }
}

impl Mul for &Number {
    type Output = Number;

    fn mul(self, other: Self) -> Number {
        if let (Form::Small { mantissa: a, scale: s }, Form::Small { mantissa: b, scale: t }) =
            (&self.0, &other.0)
            && s + t <= MAX_SCALE
            && let Some(mantissa) = a.checked_mul(*b)
        {
            return Number(Form::Small { mantissa, scale: s + t });
        }
        Number::from_ratio(self.to_ratio() * other.to_ratio())
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        if let Form::Small { mantissa, scale } = self.0
            && let Some(mantissa) = mantissa.checked_neg()
        {
            return Number(Form::Small { mantissa, scale });
        }
        Number::from_ratio(-self.to_ratio())
    }
}

impl Ord for Number {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let (Form::Small { mantissa: a, scale: s }, Form::Small { mantissa: b, scale: t }) =
            (&self.0, &other.0)
        else {
            return self.to_ratio().cmp(&other.to_ratio());
        };
        match s.cmp(t) {
            Ordering::Equal => a.cmp(b),
            Ordering::Less => scaled_cmp(*a, t - s, *b),
            Ordering::Greater => scaled_cmp(*b, s - t, *a).reverse(),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// A plain decimal without needless zeros, or a fraction if the decimal would not end.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Digits { negative, digits, point }) = self.digits() else {
            return self.to_ratio().fmt(f);
        };
        if digits.is_empty() {
            return f.write_str("0");
        }
        if negative {
            f.write_str("-")?;
        }
        let length = digits.len();
        match usize::try_from(point) {
            Ok(0) | Err(_) => {
                write!(f, "0.{:0>width$}", digits, width = length + point.unsigned_abs() as usize)
            }
            Ok(point) if point < length => write!(f, "{}.{}", &digits[..point], &digits[point..]),
            Ok(point) => write!(f, "{digits:0<point$}"),
        }
    }
}

/// How `a * 10^places` compares with `b`.
fn scaled_cmp(a: i128, places: u8, b: i128) -> Ordering {
    match POWERS.get(usize::from(places)).and_then(|power| a.checked_mul(*power)) {
        Some(a) => a.cmp(&b),
        // What overflows is further from zero than `b` can be.
        None => a.cmp(&0),
    }
}

/// The parts of a number as it is written.
struct Written<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i64,
}

fn written(text: &[u8]) -> Option<Written<'_>> {
    let (negative, rest) = sign(text);
    let whole = leading_digits(rest);
    let rest = &rest[whole.len()..];
    let (fraction, rest) = match rest.split_first() {
        Some((b'.', rest)) => {
            let fraction = leading_digits(rest);
            (fraction, &rest[fraction.len()..])
        }
        _ => (&rest[..0], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let exponent = match rest.split_first() {
        None => 0,
        Some((b'e' | b'E', rest)) => exponent(rest)?,
        Some(_) => return None,
    };
    Some(Written { negative, whole, fraction, exponent })
}

/// A whole number of up to 18 digits: the usual case, read in one pass.
fn short_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = sign(text);
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut number = 0_i64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + i64::from(digit);
    }
    Some(if negative { -number } else { number })
}

/// Whether there is a minus sign, and what follows the sign.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    }
}

fn leading_digits(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

/// The exponent, or one that is too large if its digits say so.
fn exponent(text: &[u8]) -> Option<i64> {
    // Far more than a text can have digits, so that none of them can make up for it.
    const HUGE: i64 = 1 << 60;
    let (negative, digits) = sign(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |number: i64, digit: &u8| (number * 10 + i64::from(digit - b'0')).min(HUGE / 10);
    let number = digits.iter().fold(0, add);
    Some(if negative { -number } else { number })
}

/// `whole.fraction * 10^exponent`.
fn decimal(negative: bool, whole: &[u8], fraction: &[u8], exponent: i64) -> Option<Number> {
    let digits = || whole.iter().chain(fraction);
    let Some(first) = digits().position(|digit| *digit != b'0') else {
        return Some(Number::from_i128(0));
    };
    let zeros = digits().rev().take_while(|digit| **digit == b'0').count();
    let count = whole.len() + fraction.len() - first - zeros;
    let power = exponent + zeros as i64 - fraction.len() as i64;
    if count > MAX_DIGITS || !in_range(power + count as i64 - 1) {
        return None;
    }
    let significant = digits().skip(first).take(count);
    if count <= usize::from(MAX_SCALE) {
        let mantissa = significant.fold(0, |number: i128, digit| number * 10 + i128::from(digit - b'0'));
        return Some(Number::scaled(if negative { -mantissa } else { mantissa }, -power));
    }
    let significant: String = significant.map(|digit| char::from(*digit)).collect();
    let mantissa = IBig::from_str_radix(&significant, 10).ok()?;
    Some(Number::large(if negative { -mantissa } else { mantissa }, -power))
}

/// Whether a number may have this exponent in scientific notation.
fn in_range(exponent: i64) -> bool {
    exponent.abs() <= MAX_EXPONENT
}

/// Reads what a floating-point number prints, without memory of its own.
fn printed(number: fmt::Arguments<'_>) -> Option<Number> {
    let mut buffer = [0; 40];
    let mut rest = &mut buffer[..];
    rest.write_fmt(number).ok()?;
    let unused = rest.len();
    Number::parse(&buffer[..buffer.len() - unused])
}

/// The sign, the digits and how many of them stand behind the point.
fn large_digits(ratio: &RBig) -> Option<(bool, String, i64)> {
    let mut rest = ratio.denominator().clone();
    let twos = rest.remove(&UBig::from(2_u8)).unwrap_or(0);
    let fives = rest.remove(&UBig::from(5_u8)).unwrap_or(0);
    if rest != UBig::ONE {
        return None;
    }
    let scale = twos.max(fives);
    let mantissa = ratio.numerator() * UBig::from(10_u8).pow(scale) / ratio.denominator();
    let text = mantissa.to_string();
    let digits = text.trim_start_matches('-');
    Some((digits.len() < text.len(), digits.to_owned(), scale as i64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text.as_bytes()).expect(text)
    }

    #[test]
    fn accepts() {
        let table = [
            ("0", "0"),
            ("-0", "0"),
            ("0e999999999999999999999999", "0"),
            ("007", "7"),
            ("+5", "5"),
            ("5.", "5"),
            (".5", "0.5"),
            ("-.5e1", "-5"),
            ("1.e2", "100"),
            ("1.50", "1.5"),
            ("1e0", "1"),
            ("12E-3", "0.012"),
            ("-0.00120", "-0.0012"),
            ("1e2", "100"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("999999999999999999999999999999999999990", "999999999999999999999999999999999999990"),
            ("170141183460469231731687303715884105728", "170141183460469231731687303715884105728"),
            ("1234567890123456789012345678901234567890.5", "1234567890123456789012345678901234567890.5"),
        ];
        for (text, shown) in table {
            assert_eq!(number(text).to_string(), shown, "{text}");
        }
        let tiny = format!("0.{}1", "0".repeat(399));
        assert_eq!(number("1e-400").to_string(), tiny);
        assert_eq!(number("1e400").to_string(), format!("1{}", "0".repeat(400)));
        assert_eq!(number(&format!("-{}e-400", "9".repeat(400))).to_string().len(), 2 + 1 + 400);
        // A value within the limits is read however it is written.
        let zeros = "0".repeat(1_000_000);
        assert_eq!(number(&format!("{zeros}1.{zeros}")), number("1"));
        assert_eq!(number(&format!("0.{zeros}1e1000001")), number("1"));
    }

    #[test]
    fn rejects() {
        let nines = "9".repeat(401);
        let million = "7".repeat(1_000_000);
        for text in [
            "",
            " ",
            " 1",
            "1 ",
            "+",
            "-",
            ".",
            "e",
            "e1",
            ".e1",
            "1e",
            "1e+",
            "1e1.5",
            "1e1 ",
            "--1",
            "+-1",
            "1..2",
            "1.2.3",
            "1_000",
            "0x10",
            "1f",
            "NaN",
            "inf",
            "Infinity",
            "1/2",
            "\u{0661}",
            "1e401",
            "1e-401",
            "10e400",
            "1e1000000000",
            "1e-1000000000",
            "1e99999999999999999999999999",
            "-1e-99999999999999999999999999",
            &nines,
            &million,
        ] {
            assert_eq!(Number::parse(text.as_bytes()), None, "{text:.40}");
        }
        assert_eq!(Number::parse(b"1\xff"), None);
    }

    #[test]
    fn goldens() {
        let third = number("1").checked_div(&number("3")).expect("no zero");
        assert!(number("9") < number("100"));
        assert_eq!(&number("0.1") + &number("0.2"), number("0.3"));
        assert_ne!(number("9007199254740993"), number("9007199254740992"));
        assert_eq!(number("35").checked_div(&number("10")), Some(number("3.5")));
        assert_eq!(&third * &number("3"), number("1"));
        assert_eq!(third.to_string(), "1/3");
        assert_eq!(number("1").checked_div(&number("0.00")), None);
        assert!(number("1e400") > number("170141183460469231731687303715884105727"));
        assert!(
            number("-170141183460469231731687303715884105728")
                < number("0.00000000000000000000000000000000000001")
        );
        assert_eq!(-&Number::from_i128(i128::MIN), number("170141183460469231731687303715884105728"));
        let lowest = Number::from_i128(i128::MIN).checked_div(&number("-1"));
        assert_eq!(lowest, Some(number("170141183460469231731687303715884105728")));
    }

    #[test]
    fn floats_are_what_they_print() {
        assert_eq!(Number::from_f64(0.1), Some(number("0.1")));
        assert_eq!(Number::from_f32(0.1), Some(number("0.1")));
        assert_eq!(Number::from_f64(-0.0), Some(number("0")));
        assert_eq!(Number::from_f64(f64::MAX), Some(number("1.7976931348623157e308")));
        assert_eq!(Number::from_f64(5e-324), Some(number("5e-324")));
        assert_eq!(Number::from_f64(9007199254740992.0), Some(number("9007199254740992")));
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Number::from_f64(number), None);
            assert_eq!(Number::from_f32(number as f32), None);
        }
    }

    #[test]
    fn decimals_keep_the_limits() {
        assert_eq!(Number::from_decimal(1250, 2), Some(number("12.5")));
        assert_eq!(Number::from_decimal(-3, -2), Some(number("-300")));
        assert_eq!(Number::from_decimal(3, 400), Some(number("3e-400")));
        assert_eq!(Number::from_decimal(i128::MIN, 100).map(|number| number.to_string().len()), Some(103));
        assert_eq!(Number::from_decimal(0, i32::MIN), Some(number("0")));
        for scale in [i32::MIN, -401, 401, i32::MAX] {
            assert_eq!(Number::from_decimal(1, scale), None, "{scale}");
        }
    }

    /// Decimals around every limit of the small form.
    fn decimals() -> impl Strategy<Value = (i128, i32)> {
        let mantissa = prop_oneof![-20..20_i128, any::<i64>().prop_map(i128::from), any::<i128>()];
        (mantissa, prop_oneof![-3..6_i32, -40..45_i32])
    }

    fn ratio((mantissa, scale): (i128, i32)) -> RBig {
        let power = RBig::from(UBig::from(10_u8).pow(scale.unsigned_abs() as usize));
        if scale < 0 { RBig::from(mantissa) * power } else { RBig::from(mantissa) / power }
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_fractions(a in decimals(), b in decimals()) {
            let (x, y) = (Number::from_decimal(a.0, a.1), Number::from_decimal(b.0, b.1));
            let (x, y) = (x.expect("small"), y.expect("small"));
            let (a, b) = (ratio(a), ratio(b));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!((&x + &y).to_ratio(), &a + &b);
            prop_assert_eq!((&x - &y).to_ratio(), &a - &b);
            prop_assert_eq!((&x * &y).to_ratio(), &a * &b);
            prop_assert_eq!((-&x).to_ratio(), -&a);
            let quotient = (!b.is_zero()).then(|| &a / &b);
            prop_assert_eq!(x.checked_div(&y).map(|number| number.to_ratio()), quotient);
        }

        #[test]
        fn printing_and_reading_agree(a in decimals()) {
            let number = Number::from_decimal(a.0, a.1).expect("small");
            prop_assert_eq!(Number::parse(number.to_string().as_bytes()), Some(number.clone()));
            let scientific = format!("{}e{}", a.0, -a.1);
            prop_assert_eq!(Number::parse(scientific.as_bytes()), Some(number));
        }

        #[test]
        fn floats_print_as_their_number(bits in any::<u64>()) {
            let float = f64::from_bits(bits);
            let shown = float.is_finite().then(|| number(&float.to_string()));
            prop_assert_eq!(Number::from_f64(float), shown);
        }

        #[test]
        fn floats_compare_as_they_print(bits in any::<u64>(), short in decimals(), near in -2..=2_i64) {
            let short = Number::from_decimal(short.0, short.1).expect("small");
            let nearest: f64 = short.to_string().parse().expect("a number");
            let beside = f64::from_bits((nearest.to_bits() as i64).saturating_add(near) as u64);
            for float in [f64::from_bits(bits), nearest, beside, near as f64] {
                let printed = Number::from_f64(float);
                prop_assert_eq!(short.cmp_f64(float), printed.as_ref().map(|printed| printed.cmp(&short)));
                if let Some(printed) = printed {
                    prop_assert_eq!(printed.cmp_f64(float), Some(Ordering::Equal));
                }
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[-+]?[0-9.eE+-]{0,12}") {
            // Rust accepts the same texts as floating-point numbers, apart from words.
            let rust = text.parse::<f64>().is_ok();
            let number = Number::parse(text.as_bytes());
            prop_assert!(number.is_none() || rust);
            if rust && number.is_none() {
                let exponent = text.rsplit(['e', 'E']).next().and_then(|exponent| exponent.parse::<i64>().ok());
                prop_assert!(exponent.is_some_and(|exponent| exponent.abs() > 380), "{}", text);
            }
        }
    }
}
