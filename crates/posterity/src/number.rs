//! Numbers as text: each function serves one need, and none prints digits that mean nothing.
//!
//! | for | use |
//! |---|---|
//! | a title, an axis tick | [`short`], [`grouped`] |
//! | the table of an experiment | [`digits`] |
//! | a sentence | [`brief`], [`count`] |
//! | a cell of a table for reading | [`decimal`], [`parameter`], [`to_width`], [`points`] |
//! | a bound on privacy | [`bound`] |
//! | an amount of budget | [`spent`], [`left`] |
//! | the level of an interval | [`percent`] |

use dashu_int::{IBig, UBig};
use posterity_ledger::Amount;

/// A probability in percent, without the last digits of a product: 55, never 55.00000000000001.
///
/// ```
/// use posterity::number::percent;
/// assert_eq!(percent(0.55), 55.0);
/// ```
#[must_use]
pub fn percent(level: f64) -> f64 {
    (1e12 * level).round() / 1e10
}

/// In full if that takes at most 20 characters, otherwise with an exponent. The text reads back as the same number.
///
/// ```
/// use posterity::number::short;
/// assert_eq!(short(0.1), "0.1");
/// assert_eq!(short(1e30), "1e30");
/// ```
#[must_use]
pub fn short(value: f64) -> String {
    let full = value.to_string();
    if full.len() <= 20 { full } else { format!("{value:e}") }
}

/// Twelve significant digits without trailing zeros. Digits beyond the twelfth may be rounding errors.
///
/// ```
/// assert_eq!(posterity::number::digits(0.196_734_670_143_683_3), "0.196734670144");
/// ```
#[must_use]
pub fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    let plain = rounded.to_string();
    if plain.len() <= 24 { plain } else { format!("{rounded:e}") }
}

/// Four significant digits.
///
/// ```
/// use posterity::number::brief;
/// assert_eq!(brief(1234.5678), "1235");
/// assert_eq!(brief(1e-9), "1.000e-9");
/// ```
#[must_use]
pub fn brief(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..7).contains(&exponent) {
        return format!("{value:.3e}");
    }
    let decimals = usize::try_from(3 - exponent).unwrap_or(0);
    without_zeros(format!("{value:.decimals$}"))
}

/// How many there are: a whole number with its thousands apart, or three digits and an exponent from a billion on.
///
/// ```
/// use posterity::number::count;
/// assert_eq!(count(101.0), "101");
/// assert_eq!(count(4186.0), "4186");
/// assert_eq!(count(2_000_000.0), "2,000,000");
/// assert_eq!(count(4.5e12), "4.50e12");
/// ```
#[must_use]
pub fn count(value: f64) -> String {
    if value.abs() < 1e9 { grouped(&format!("{value:.0}")) } else { format!("{value:.2e}") }
}

/// Sets the thousands of a decimal number apart, from five digits before the point on.
///
/// ```
/// use posterity::number::grouped;
/// assert_eq!(grouped("1234"), "1234");
/// assert_eq!(grouped("-12345.5"), "−12,345.5");
/// ```
#[must_use]
pub fn grouped(number: &str) -> String {
    let (whole, fraction) = number.split_once('.').map_or((number, ""), |(whole, rest)| (whole, rest));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("−", digits));
    let zero = digits.bytes().all(|digit| digit == b'0') && fraction.bytes().all(|digit| digit == b'0');
    let sign = if zero { "" } else { sign };
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if fraction.is_empty() { format!("{sign}{text}") } else { format!("{sign}{text}.{fraction}") }
}

/// A probability or a distance: four decimals, or an exponent where fewer than two of them would mean something.
///
/// ```
/// use posterity::number::decimal;
/// assert_eq!(decimal(0.0), "0");
/// assert_eq!(decimal(0.062_681), "0.0627");
/// assert_eq!(decimal(0.000_012_345), "1.23e-5");
/// ```
#[must_use]
pub fn decimal(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-3..1e6).contains(&value.abs()) { format!("{value:.4}") } else { format!("{value:.2e}") }
}

/// A parameter of a distribution: five significant digits, and all digits before the point.
///
/// ```
/// use posterity::number::parameter;
/// assert_eq!(parameter(49.0), "49");
/// assert_eq!(parameter(136.413_813_226_767_64), "136.41");
/// assert_eq!(parameter(500_000_123.4), "500000123");
/// assert_eq!(parameter(1e24), "1.0000e24");
/// ```
#[must_use]
pub fn parameter(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    match magnitude(value) {
        exponent @ -4..15 => {
            let decimals = usize::try_from(4 - exponent).unwrap_or(0);
            without_zeros(format!("{value:.decimals$}"))
        }
        _ => format!("{value:.4e}"),
    }
}

/// A number whose uncertainty has this width: four decimals, or as many as show two significant digits of the width.
/// The ends of an interval that are written to its own width are told apart.
///
/// ```
/// use posterity::number::to_width;
/// assert_eq!(to_width(0.426_713, 0.21), "0.4267");
/// assert_eq!(to_width(0.499_969_012, 6.2e-5), "0.499969");
/// assert_eq!(to_width(0.500_030_988, 6.2e-5), "0.500031");
/// assert_eq!(to_width(3.27e-13, 1.4e-13), "3.3e-13");
/// ```
#[must_use]
pub fn to_width(value: f64, width: f64) -> String {
    by_width(value, width, 4)
}

/// A number to the digits that an interval of this width leaves, with at least `least` decimals.
///
/// ```
/// use posterity::number::by_width;
/// assert_eq!(by_width(43.214, 2.2, 0), "43.2");
/// assert_eq!(by_width(4321.4, 220.0, 0), "4321");
/// ```
#[must_use]
pub fn by_width(value: f64, width: f64, least: i32) -> String {
    const MAX_PLACES: i32 = 10;
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    if !(width.is_finite() && width > 0.0) {
        return format!("{value:.4}");
    }
    let places = 1 - magnitude(width);
    if places <= MAX_PLACES || value == 0.0 {
        let places = usize::try_from(places.clamp(least, MAX_PLACES)).unwrap_or(0);
        return format!("{value:.places$}");
    }
    let after = usize::try_from((magnitude(value) + places).clamp(1, 16)).unwrap_or(1);
    format!("{value:.after$e}")
}

/// The ends of an interval, with the decimals that a width needs.
///
/// ```
/// assert_eq!(posterity::number::interval([0.1234, 0.4321], 0.3), "0.1234 to 0.4321");
/// ```
#[must_use]
pub fn interval([low, high]: [f64; 2], width: f64) -> String {
    format!("{} to {}", to_width(low, width), to_width(high, width))
}

/// The width of the narrowest interval, unless it is tiny: all rows of a table have as many decimals as that needs.
pub fn narrowest(intervals: impl Iterator<Item = [f64; 2]>) -> Option<f64> {
    let widths = intervals.map(|[low, high]| high - low).filter(|width| *width > 0.0);
    Some(widths.fold(f64::INFINITY, f64::min)).filter(|width| *width > 1e-9 && width.is_finite())
}

/// A share in percentage points, to three digits.
///
/// ```
/// use posterity::number::points;
/// assert_eq!([0.123_4, 0.12, 0.029_37, 0.001_234].map(points), ["12.3", "12.0", "2.94", "0.123"]);
/// assert_eq!([0.000_588, 0.000_000_588, 1.0, 0.0].map(points), ["0.0588", "5.88e-5", "100", "0"]);
/// assert_eq!(points(0.099_996), "10.0");
/// ```
#[must_use]
pub fn points(share: f64) -> String {
    // Rounded first: 9.996 has its first digit where 10 has it.
    let points = format!("{:.2e}", 100.0 * share).parse().unwrap_or(100.0 * share);
    match magnitude(points) {
        _ if points == 0.0 => "0".to_owned(),
        exponent @ -4..3 => format!("{points:.0$}", usize::try_from(2 - exponent).unwrap_or(0)),
        3.. => format!("{points:.0}"),
        _ => format!("{points:.2e}"),
    }
}

/// A probability that was counted in draws. It is never written as certain.
///
/// ```
/// use posterity::number::counted;
/// assert_eq!([counted(0.25), counted(1.0), counted(0.0)], ["0.250", "> 0.999", "< 0.001"]);
/// ```
#[must_use]
pub fn counted(probability: f64) -> String {
    match probability {
        value if value < 5e-4 => "< 0.001".to_owned(),
        value if value > 1.0 - 5e-4 => "> 0.999".to_owned(),
        value => format!("{value:.3}"),
    }
}

/// An upper bound, such as a privacy loss: at most six significant digits, rounded up, so that it stays a bound.
///
/// ```
/// use posterity::number::bound;
/// assert_eq!(bound(0.1), "0.1");
/// assert_eq!(bound(0.399_933_432_1), "0.399934");
/// assert_eq!(bound(0.999_999_999), "1");
/// ```
#[must_use]
pub fn bound(value: f64) -> String {
    let exact = value.to_string();
    if exact.len() <= 8 || !value.is_finite() || value <= 0.0 {
        return exact;
    }
    let nearest = format!("{value:.5e}");
    let (mantissa, exponent) = nearest.split_once('e').unwrap_or((&nearest, "0"));
    let mantissa: u64 = mantissa.replace('.', "").parse().unwrap_or(u64::MAX);
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // A decimal that reads back as the same number or a larger one does not understate it.
    let below = nearest.parse::<f64>().is_ok_and(|nearest| nearest < value);
    written(&UBig::from(mantissa + u64::from(below)).to_string(), exponent - 5)
}

/// An amount that was spent: exact if that is short, otherwise six significant digits (and all before the point),
/// rounded up. A charge is never understated.
///
/// ```
/// use posterity::number::spent;
/// assert_eq!(spent(&"0.25".parse()?), "0.25");
/// assert_eq!(spent(&"300838634049695/562949953421312".parse()?), "0.534397");
/// assert_eq!(spent(&"1/3".parse()?), "0.333334");
/// # Ok::<(), posterity::ledger::AmountError>(())
/// ```
#[must_use]
pub fn spent(amount: &Amount) -> String {
    rounded(amount, true)
}

/// An amount that is left, as [`spent`] but rounded down. What is left is never overstated.
///
/// ```
/// use posterity::number::left;
/// assert_eq!(left(&"2/3".parse()?), "0.666666");
/// assert_eq!(left(&"0".parse()?), "0");
/// # Ok::<(), posterity::ledger::AmountError>(())
/// ```
#[must_use]
pub fn left(amount: &Amount) -> String {
    rounded(amount, false)
}

/// The exact decimal if it is short, otherwise six significant digits.
fn rounded(amount: &Amount, up: bool) -> String {
    let exact = amount.to_string();
    if !exact.contains('/') && exact.len() <= 10 {
        return exact;
    }
    let numerator = amount.rational().numerator();
    let denominator = IBig::from(amount.rational().denominator().clone());
    let ten = |power: i32| IBig::from(10).pow(usize::try_from(power).unwrap_or(0));
    // Numbers of decimal digits give the magnitude, or one more.
    let lengths = |number: &IBig| i32::try_from(number.to_string().len()).unwrap_or(0);
    let guess = lengths(numerator) - lengths(&denominator);
    let reached = if guess >= 0 {
        *numerator >= &denominator * ten(guess)
    } else {
        numerator * ten(-guess) >= denominator
    };
    let magnitude = if reached { guess } else { guess - 1 };
    let places = (5 - magnitude).max(0);
    let scaled = numerator * ten(places);
    let (whole, rest) = (&scaled / &denominator, &scaled % &denominator);
    let whole = if up && rest > IBig::ZERO { whole + IBig::ONE } else { whole };
    written(&whole.to_string(), -places)
}

/// The number `digits * 10^exponent`, without trailing zeros after the point.
fn written(digits: &str, exponent: i32) -> String {
    let trimmed = digits.trim_end_matches('0');
    let magnitude = i32::try_from(digits.len()).unwrap_or(0) - 1 + exponent;
    if trimmed.is_empty() {
        return "0".to_owned();
    }
    if !(-5..15).contains(&magnitude) {
        let (first, rest) = trimmed.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{first}{point}{rest}e{magnitude}");
    }
    let places = usize::try_from(-exponent).unwrap_or(0);
    if places == 0 {
        return digits.to_owned() + &"0".repeat(usize::try_from(exponent).unwrap_or(0));
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    without_zeros(format!("{whole}.{fraction}"))
}

/// The power of ten of the first digit.
fn magnitude(value: f64) -> i32 {
    let text = format!("{value:e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// Without zeros at the end of the decimals.
fn without_zeros(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_experiments() {
        for (value, long, short) in [
            (0.0, "0", "0"),
            (1.0, "1", "1"),
            (0.196_734_670_143_683_3, "0.196734670144", "0.1967"),
            (-0.1, "-0.1", "-0.1"),
            (15_000.0, "15000", "15000"),
            (1234.5678, "1234.5678", "1235"),
            (1e-9, "0.000000001", "1.000e-9"),
            (2.5e-30, "2.5e-30", "2.500e-30"),
        ] {
            assert_eq!(digits(value), long);
            assert_eq!(brief(value), short);
        }
    }

    /// If this fails, a table shows an interval whose ends look alike.
    #[test]
    fn the_ends_of_an_interval_differ() {
        for exponent in 0..300 {
            let width = 3.7 * 10_f64.powi(-exponent);
            // Further apart than a double can tell, no text can tell them apart.
            for low in [0.0, width, 0.25].into_iter().filter(|low| width > 1e-14 * low) {
                let ends = [low, low + width].map(|end| to_width(end, width));
                let [shown_low, shown_high] = ends.clone().map(|end| end.parse::<f64>().expect("a number"));
                let shown = shown_high - shown_low;
                assert!((shown / width - 1.0).abs() < 0.05, "{ends:?} for width {width:e}");
            }
        }
    }

    /// If this fails, what is charged or lost is understated, or what is left is overstated.
    #[test]
    fn amounts_are_rounded_in_the_safe_direction() {
        let texts = [
            "1/3",
            "2/3",
            "999999999/1000000000",
            "300838634049695/562949953421312",
            "1234567891/7",
            "1/123456789012345678901234567890",
            "123456789012345678901234567890/7",
            "0.1000000000001",
            "99999.99999999999",
        ];
        for text in texts {
            let exact: Amount = text.parse().expect("an amount");
            let [up, down] = [spent(&exact), left(&exact)];
            let read = |text: &str| text.parse::<Amount>().expect("an amount");
            assert!(read(&up) >= exact && read(&down) <= exact, "{text}: {down} {up}");
            let gap = read(&up).minus(&read(&down)).expect("in order").times(99_999);
            assert!(gap <= exact, "{text}: {down} and {up} are too far apart");
            assert!(up.len() <= 32 && down.len() <= 32, "{up} {down}");
        }
    }

    #[test]
    fn bounds_stay_bounds() {
        let mut value = 1.234_567_890_123e-300;
        while value < 1e300 {
            let shown = bound(value);
            let read: f64 = shown.parse().expect("a number");
            assert!(read >= value && read <= value * 1.000_02, "{value:e}: {shown}");
            assert!(shown.len() <= 20, "{shown}");
            value *= 7.3;
        }
        assert_eq!(bound(0.0), "0");
    }
}
