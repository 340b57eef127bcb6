//! The order of values, for the latest record by a column.

use posterity_formats::{Digits, Number, Value};

use crate::filter::Moment;

const MISSING: u8 = 0;
const NUMBER: u8 = 1;
const MOMENT: u8 = 2;
const TEXT: u8 = 3;
const TRUTH: u8 = 4;

const NEGATIVE: u8 = 0;
const ZERO: u8 = 1;
const POSITIVE: u8 = 2;

/// Bytes that compare as the values do; `None` if the value has no place in the order.
///
/// A missing value comes first. Then come numbers by their exact value, days and moments by time, text by its bytes,
/// and false before true. Text that is a number is one: `1`, `1.0` and `1e0` have equal keys, stored in any way. Bytes,
/// values of other types, and numbers that are not finite or beyond the limits of [`Number::parse`] have no key.
pub(crate) fn order_key(value: Value<'_>) -> Option<Vec<u8>> {
    let number = match value {
        Value::Missing => return Some(vec![MISSING]),
        Value::Boolean(truth) => return Some(vec![TRUTH, u8::from(truth)]),
        Value::Day(_) | Value::Instant { .. } => return Moment::of(value).map(moment_key),
        Value::Bytes(_) | Value::Strange => return None,
        Value::Text(text) => match Number::parse(text) {
            Some(number) => Some(number),
            None => return Some([&[TEXT], text].concat()),
        },
        Value::Integer(number) => Some(Number::from_i128(number)),
        Value::Literal(text) => Number::parse(text),
        Value::Decimal { mantissa, scale } => Number::from_decimal(mantissa, scale),
        Value::Single(number) => Number::from_f32(number),
        Value::Double(number) => Number::from_f64(number),
    };
    number.and_then(|number| number.digits()).and_then(|digits| number_key(&digits))
}

/// The sign, the place of the point, and the digits, two in a byte. Below zero, what is larger comes first.
fn number_key(number: &Digits) -> Option<Vec<u8>> {
    if number.digits.is_empty() {
        return Some(vec![NUMBER, ZERO]);
    }
    let mut key = Vec::with_capacity(5 + number.digits.len() / 2 + 1);
    key.extend([NUMBER, if number.negative { NEGATIVE } else { POSITIVE }]);
    let point = i16::try_from(number.point).ok()?;
    key.extend(ordered_i16(point));
    for pair in number.digits.as_bytes().chunks(2) {
        let digit = |index: usize| pair.get(index).map_or(0, |digit| digit - b'0');
        // Never zero, which ends the digits: fewer of them come before more.
        key.push(digit(0) * 10 + digit(1) + 1);
    }
    key.push(0);
    if number.negative {
        key.iter_mut().skip(2).for_each(|byte| *byte = !*byte);
    }
    Some(key)
}

fn moment_key(moment: Moment) -> Vec<u8> {
    let mut key = vec![MOMENT];
    // Without its sign bit, a negative number comes before the others.
    key.extend((moment.seconds() ^ i64::MIN).to_be_bytes());
    key.extend(moment.nanoseconds().to_be_bytes());
    key
}

fn ordered_i16(number: i16) -> [u8; 2] {
    (number ^ i16::MIN).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Value<'_> {
        Value::Text(text.as_bytes())
    }

    fn instant(ticks: i64, per_second: u32) -> Value<'static> {
        Value::Instant { ticks, per_second }
    }

    /// Each line has equal values, and comes before the next one.
    #[test]
    fn goldens() {
        let lines: &[&[Value<'_>]] = &[
            &[Value::Missing],
            &[text("-1e400")],
            &[Value::Double(f64::MIN)],
            &[Value::Integer(i128::MIN)],
            &[text("-100"), Value::Integer(-100), text("-1e2")],
            &[text("-99.9")],
            &[text("-11")],
            &[text("-1.1")],
            &[text("-1.01")],
            &[text("-1"), Value::Single(-1.0)],
            &[text("-1e-400")],
            &[
                Value::Integer(0),
                text("-0.0"),
                Value::Double(-0.0),
                text("0e99"),
                Value::Decimal { mantissa: 0, scale: 9 },
            ],
            &[text("1e-400")],
            &[text("0.1"), Value::Double(0.1), Value::Single(0.1), Value::Literal(b"1e-1")],
            &[
                text("1"),
                text("1.0"),
                text("1e0"),
                Value::Integer(1),
                Value::Decimal { mantissa: 100, scale: 2 },
            ],
            &[text("1.0000000000000000000000000000000000000000001")],
            &[text("9")],
            &[text("10")],
            &[text("100"), text("+100.")],
            &[Value::Integer(9007199254740992)],
            &[Value::Integer(9007199254740993)],
            &[Value::Integer(i128::MAX)],
            &[text("170141183460469231731687303715884105728")],
            &[text("1e400")],
            &[Value::Day(i32::MIN)],
            &[Value::Day(-1), instant(-86_400, 1)],
            &[instant(-1, 1_000_000_000)],
            &[Value::Day(0), instant(0, 1), instant(0, 1000)],
            &[instant(1, 1_000_000_000)],
            &[instant(1500, 1000), instant(1_500_000, 1_000_000)],
            &[Value::Day(1)],
            &[text("")],
            &[text(" 1")],
            &[text("1e401")],
            &[text("2020-01-01")],
            &[text("a")],
            &[text("a\0")],
            &[text("ab")],
            &[text("b")],
            &[text("ä")],
            &[Value::Boolean(false)],
            &[Value::Boolean(true)],
        ];
        let keys: Vec<Vec<u8>> = lines.iter().filter_map(|line| order_key(line[0])).collect();
        assert_eq!(keys.len(), lines.len());
        for (line, key) in lines.iter().zip(&keys) {
            for value in *line {
                assert_eq!(order_key(*value).as_ref(), Some(key), "{value:?}");
            }
        }
        for (index, pair) in keys.windows(2).enumerate() {
            assert!(pair[0] < pair[1], "{:?} before {:?}", lines[index], lines[index + 1]);
        }
    }

    #[test]
    fn some_values_have_no_place() {
        for value in [
            Value::Bytes(b"1"),
            Value::Strange,
            Value::Double(f64::NAN),
            Value::Single(f32::INFINITY),
            Value::Literal(b"1e401"),
            Value::Decimal { mantissa: 1, scale: i32::MIN },
            instant(1, 0),
        ] {
            assert_eq!(order_key(value), None, "{value:?}");
        }
    }

    fn decimals() -> impl Strategy<Value = (i128, i32)> {
        let mantissa =
            prop_oneof![-20..20_i128, -2000..2000_i128, any::<i64>().prop_map(i128::from), any::<i128>()];
        (mantissa, prop_oneof![-3..6_i32, -300..300_i32])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn keys_order_numbers(a in decimals(), b in decimals(), near in -1..=1_i128, zeros in 0..4_u32) {
            // Besides any two, a neighbour of the first, and the first with more zeros.
            let neighbour = (a.0.saturating_add(near), a.1);
            let padded = match a.0.checked_mul(10_i128.pow(zeros)) {
                Some(mantissa) => (mantissa, a.1 + zeros as i32),
                None => a,
            };
            for b in [b, neighbour, padded] {
                let key = |(mantissa, scale)| order_key(Value::Decimal { mantissa, scale });
                let number = |(mantissa, scale)| Number::from_decimal(mantissa, scale);
                let (x, y) = (number(a).expect("in range"), number(b).expect("in range"));
                prop_assert_eq!(key(a).cmp(&key(b)), x.cmp(&y));
                prop_assert_eq!(order_key(text(&x.to_string())), key(a));
                let scientific = format!("{}e{}", b.0, -b.1);
                prop_assert_eq!(order_key(Value::Literal(scientific.as_bytes())), key(b));
            }
        }

        #[test]
        fn keys_order_moments(a in any::<i64>(), b in any::<i64>(), s in 0..10_u32, t in 0..10_u32) {
            let (s, t) = (10_u32.pow(s), 10_u32.pow(t));
            let exact = i128::from(a) * i128::from(t);
            prop_assert_eq!(
                order_key(instant(a, s)).cmp(&order_key(instant(b, t))),
                exact.cmp(&(i128::from(b) * i128::from(s)))
            );
        }
    }
}
