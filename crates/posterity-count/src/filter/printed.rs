//! How values print, for comparisons with text.

use std::borrow::Cow;

use posterity_formats::{Number, Value};

use super::moment::Moment;

/// The printed form of a value; `None` if it has none.
///
/// Text and numbers of JSON are as they are written. Decimals have no zeros at their end, so that they print alike in
/// columns of every scale. Floating-point numbers have the fewest digits that tell them apart. Neither has an exponent.
pub(crate) fn printed(value: Value<'_>) -> Option<Cow<'_, [u8]>> {
    let text = match value {
        Value::Text(text) | Value::Literal(text) => return Some(Cow::Borrowed(text)),
        Value::Boolean(truth) => return Some(Cow::Borrowed(if truth { b"true" } else { b"false" })),
        Value::Integer(number) => number.to_string(),
        Value::Decimal { mantissa, scale } => Number::from_decimal(mantissa, scale)?.to_string(),
        Value::Single(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::Day(_) => Moment::of(value)?.date()?,
        Value::Instant { .. } => {
            let moment = Moment::of(value)?;
            moment.date()? + " " + &moment.time()
        }
        Value::Missing | Value::Bytes(_) | Value::Strange => return None,
    };
    Some(Cow::Owned(text.into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goldens() {
        let decimal = |mantissa, scale| Value::Decimal { mantissa, scale };
        let table = [
            (Value::Text("ä 1.0".as_bytes()), "ä 1.0"),
            (Value::Literal(b"1.50e1"), "1.50e1"),
            (Value::Boolean(true), "true"),
            (Value::Integer(-7), "-7"),
            (decimal(1250, 2), "12.5"),
            (decimal(125, 1), "12.5"),
            (decimal(-5, 2), "-0.05"),
            (decimal(0, 2), "0"),
            (decimal(-700, 2), "-7"),
            (decimal(7, 0), "7"),
            (decimal(7, -2), "700"),
            (decimal(0, -2), "0"),
            (decimal(i128::MIN, 38), "-1.70141183460469231731687303715884105728"),
            (Value::Single(0.1), "0.1"),
            (Value::Double(1e21), "1000000000000000000000"),
            (Value::Double(-0.0), "-0"),
            (Value::Double(f64::NAN), "NaN"),
            (Value::Day(-1), "1969-12-31"),
            (Value::Instant { ticks: 90_061_500, per_second: 1000 }, "1970-01-02 01:01:01.5"),
        ];
        for (value, text) in table {
            assert_eq!(printed(value).as_deref(), Some(text.as_bytes()), "{value:?}");
        }
        let none =
            [Value::Missing, Value::Bytes(b"a"), Value::Strange, Value::Day(i32::MAX), Value::Day(i32::MIN)];
        for value in none.into_iter().chain([decimal(1, i32::MIN), decimal(1, 401)]) {
            assert_eq!(printed(value), None, "{value:?}");
        }
    }
}
