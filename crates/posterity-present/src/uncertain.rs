//! Shares and numbers for people, with as many digits as their intervals mean.

use posterity::number::by_width;

/// A share in percent, with its interval.
///
/// ```
/// use posterity_present::uncertain::percent;
/// assert_eq!(percent(0.387_21, [0.35, 0.42]), "38.7 %");
/// assert_eq!(percent(0.387_21, [0.1, 0.7]), "39 %");
/// ```
#[must_use]
pub fn percent(share: f64, [low, high]: [f64; 2]) -> String {
    format!("{} %", shown(100.0 * share, 100.0 * (high - low)))
}

/// An interval of shares in percent.
///
/// ```
/// assert_eq!(posterity_present::uncertain::percents([0.372_1, 0.402_6]), "37.2 to 40.3 %");
/// ```
#[must_use]
pub fn percents([low, high]: [f64; 2]) -> String {
    let width = 100.0 * (high - low);
    format!("{} to {} %", shown(100.0 * low, width), shown(100.0 * high, width))
}

/// A number, with its interval.
///
/// ```
/// assert_eq!(posterity_present::uncertain::number(3.141_59, [3.0, 3.3]), "3.14");
/// ```
#[must_use]
pub fn number(value: f64, [low, high]: [f64; 2]) -> String {
    shown(value, high - low)
}

/// An interval of numbers.
///
/// ```
/// assert_eq!(posterity_present::uncertain::numbers([-0.52, 1.48]), "\u{2212}0.5 to 1.5");
/// ```
#[must_use]
pub fn numbers([low, high]: [f64; 2]) -> String {
    format!("{} to {}", shown(low, high - low), shown(high, high - low))
}

/// The number with a typographic minus, and never as "-0.0".
fn shown(value: f64, width: f64) -> String {
    let text = by_width(value, width, 0);
    let zero = text.trim_start_matches('-').chars().all(|digit| digit == '0' || digit == '.');
    let text = if zero { text.trim_start_matches('-') } else { &text };
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_mean_something() {
        assert_eq!(percent(-0.145_9, [-0.18, -0.11]), "\u{2212}14.6 %");
        assert_eq!(number(-0.000_1, [-0.2, 0.3]), "0.00");
        assert_eq!(number(0.5, [0.5, 0.5]), "0.5000", "an interval of no width");
        assert_eq!(number(f64::NAN, [f64::NAN, f64::NAN]), "NaN");
    }
}
