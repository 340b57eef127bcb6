//! Whole numbers, whatever type stores them.

use posterity_formats::{Number, Value};

/// Larger numbers of 64 bits with a floating point do not tell neighbouring whole numbers apart.
const MOST_OF_DOUBLES: f64 = (1_u64 << 53) as f64;

/// The same for 32 bits.
const MOST_OF_SINGLES: f32 = (1_u32 << 24) as f32;

/// The whole number that a number is, whatever type stores it: 1, 1.0 and 1e0 are all 1. Nothing for a number with a
/// fraction, for a floating-point number so large that it may stand for its neighbours too, and for what is no number.
///
/// In JSON a number with a point or an exponent is most often such a floating-point number, so the limit holds for it too.
/// Text is no number: `1.0` in a CSV file is another text than `1`.
#[inline]
pub(crate) fn whole_number(value: Value<'_>) -> Option<i128> {
    match value {
        Value::Integer(number) => Some(number),
        Value::Double(number) => {
            (number.trunc() == number && number.abs() <= MOST_OF_DOUBLES).then_some(number as i128)
        }
        Value::Single(number) => {
            (number.trunc() == number && number.abs() <= MOST_OF_SINGLES).then_some(number as i128)
        }
        Value::Decimal { mantissa, scale } => whole_decimal(mantissa, scale),
        Value::Literal(digits) => whole_literal(digits),
        _ => None,
    }
}

fn whole_decimal(mantissa: i128, scale: i32) -> Option<i128> {
    // A power that is larger than all mantissas divides none of them but zero.
    let Some(power) = 10_i128.checked_pow(scale.unsigned_abs()) else { return (mantissa == 0).then_some(0) };
    if scale <= 0 {
        return mantissa.checked_mul(power);
    }
    (mantissa % power == 0).then(|| mantissa / power)
}

/// The same of a number as it is written.
pub(crate) fn whole_literal(text: &[u8]) -> Option<i128> {
    let (number, zeros) = match text.iter().position(|&byte| byte == b'.') {
        Some(point) => (&text[..point], &text[point + 1..]),
        None => (text, &text[..0]),
    };
    let is_plain = number.strip_prefix(b"-").unwrap_or(number).iter().all(u8::is_ascii_digit);
    if is_plain && zeros.iter().all(|&byte| byte == b'0') {
        let whole: i128 = std::str::from_utf8(number).ok()?.parse().ok()?;
        return (zeros.is_empty() || whole.unsigned_abs() <= MOST_OF_DOUBLES as u128).then_some(whole);
    }
    let (floor, is_whole) = Number::parse(text)?.floor_at(0);
    let whole = i128::try_from(floor).ok()?;
    (is_whole && whole.unsigned_abs() <= MOST_OF_DOUBLES as u128).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_the_same_in_every_type() {
        let most = 1_i128 << 53;
        let table: [(Value<'_>, Option<i128>); 29] = [
            (Value::Integer(i128::MIN), Some(i128::MIN)),
            (Value::Double(1.0), Some(1)),
            (Value::Double(-0.0), Some(0)),
            (Value::Double(-7.0), Some(-7)),
            (Value::Double(1.5), None),
            (Value::Double(9_007_199_254_740_992.0), Some(most)),
            (Value::Double(9_007_199_254_740_994.0), None),
            (Value::Double(f64::NAN), None),
            (Value::Double(f64::INFINITY), None),
            (Value::Single(16_777_216.0), Some(1 << 24)),
            (Value::Single(16_777_218.0), None),
            (Value::Single(0.5), None),
            (Value::Decimal { mantissa: 100, scale: 2 }, Some(1)),
            (Value::Decimal { mantissa: 150, scale: 2 }, None),
            (Value::Decimal { mantissa: 12, scale: -2 }, Some(1200)),
            (Value::Decimal { mantissa: i128::MAX, scale: -1 }, None),
            (Value::Decimal { mantissa: 0, scale: 90 }, Some(0)),
            (Value::Decimal { mantissa: 1, scale: 90 }, None),
            (Value::Literal(b"12"), Some(12)),
            (Value::Literal(b"-0"), Some(0)),
            (Value::Literal(b"1.0"), Some(1)),
            (Value::Literal(b"-1.00"), Some(-1)),
            (Value::Literal(b"1e2"), Some(100)),
            (Value::Literal(b"1.50e1"), Some(15)),
            (Value::Literal(b"1.05"), None),
            (Value::Literal(b"9007199254740993.0"), None),
            (Value::Literal(b"1e300"), None),
            (Value::Text(b"1"), None),
            (Value::Boolean(true), None),
        ];
        for (value, expected) in table {
            assert_eq!(whole_number(value), expected, "{value:?}");
        }
    }
}
