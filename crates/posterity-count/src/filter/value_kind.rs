//! What a value is, by itself.

use std::borrow::Cow;

use posterity_formats::{Number, Value};

use super::evaluation_error::EvaluationError;
use super::moment::Moment;
use super::printed::printed;

/// What a value is, whether its file declares a type or holds text.
///
/// A CSV file has nothing but text, and a Parquet file of the same table may have types. So text that is written as a
/// number is a number, and text that is written as a day or a moment is one. Truth values are text: their printed forms
/// have the same order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueKind<'a> {
    /// A number.
    Number(Number),
    /// A number of which no exact value is known: not finite, or beyond the limits of [`Number`].
    Inexact,
    /// A day or a moment.
    Moment(Moment),
    /// Anything else that has a printed form.
    Text(Cow<'a, [u8]>),
}

/// What the floating-point numbers print as that are not finite.
const NOT_FINITE: [&[u8]; 3] = [b"NaN", b"inf", b"-inf"];

impl<'a> ValueKind<'a> {
    /// The kind of a value that is not missing.
    pub(super) fn of(column: usize, value: Value<'a>) -> Result<Self, EvaluationError> {
        let unprintable = EvaluationError::NotPrintable { column };
        match value {
            Value::Text(text) => Ok(of_text(text)),
            Value::Integer(_)
            | Value::Literal(_)
            | Value::Decimal { .. }
            | Value::Single(_)
            | Value::Double(_) => Ok(Number::of(value).map_or(Self::Inexact, Self::Number)),
            Value::Day(_) | Value::Instant { .. } => Moment::of(value).map(Self::Moment).ok_or(unprintable),
            _ => printed(value).map(Self::Text).ok_or(unprintable),
        }
    }
}

/// Whether text is neither a number nor a moment by its first byte, as most is.
#[inline]
pub(super) fn is_plain(text: &[u8]) -> bool {
    !matches!(text.first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.')) && !NOT_FINITE.contains(&text)
}

fn of_text(text: &[u8]) -> ValueKind<'_> {
    if is_plain(text) {
        ValueKind::Text(Cow::Borrowed(text))
    } else if let Some(number) = Number::parse(text) {
        ValueKind::Number(number)
    } else if let Some(moment) = Moment::parse(text) {
        ValueKind::Moment(moment)
    } else if NOT_FINITE.contains(&text) || Number::is_written(text) {
        ValueKind::Inexact
    } else {
        ValueKind::Text(Cow::Borrowed(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a comparison means something else in a CSV file than in a typed one.
    #[test]
    fn a_value_is_what_its_printed_form_is() {
        let instant = |ticks| Value::Instant { ticks, per_second: 1_000 };
        for value in [
            Value::Boolean(true),
            Value::Boolean(false),
            Value::Integer(-30),
            Value::Integer(i128::MAX),
            Value::Literal(b"1.50e2"),
            Value::Literal(b"1e999999"),
            Value::Decimal { mantissa: 150, scale: 2 },
            Value::Decimal { mantissa: 7, scale: -3 },
            Value::Single(0.1),
            Value::Double(30.0),
            Value::Double(-0.0),
            Value::Double(1e300),
            Value::Double(f64::NAN),
            Value::Double(f64::INFINITY),
            Value::Single(f32::NEG_INFINITY),
            Value::Day(18_262),
            instant(0),
            instant(-1),
            Value::Text(b"abc"),
            Value::Text("ä".as_bytes()),
            Value::Text(b"N/A"),
            Value::Text(b"i"),
            Value::Text(b"-"),
            Value::Text(b"1,5"),
            Value::Text(b"2020-02-30"),
        ] {
            let text = printed(value).expect("a printed form");
            assert_eq!(ValueKind::of(0, value), Ok(of_text(&text)), "{value:?}");
        }
        for value in [Value::Bytes(b"1"), Value::Strange, Value::Instant { ticks: 1, per_second: 7 }] {
            assert_eq!(
                ValueKind::of(3, value),
                Err(EvaluationError::NotPrintable { column: 3 }),
                "{value:?}"
            );
        }
    }

    #[test]
    fn kinds_of_text() {
        let number = |text: &str| Number::parse(text.as_bytes()).map(ValueKind::Number);
        for text in ["0", "-1.5", "+5", ".5", "01234", "1e400"] {
            assert_eq!(Some(of_text(text.as_bytes())), number(text), "{text}");
        }
        for text in ["NaN", "inf", "-inf", "1e401", "-1e1000000000"] {
            assert_eq!(of_text(text.as_bytes()), ValueKind::Inexact, "{text}");
        }
        for text in ["2020-01-31", "2020-01-31T08:00:00.5Z"] {
            assert!(matches!(of_text(text.as_bytes()), ValueKind::Moment(_)), "{text}");
        }
        for text in ["", "nan", "Inf", "true", " 5", "1e", "+", "2020-1-31"] {
            assert_eq!(of_text(text.as_bytes()), ValueKind::Text(Cow::Borrowed(text.as_bytes())), "{text}");
        }
    }
}
