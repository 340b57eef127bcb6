//! Words of claims that leave a number open, and the number that each stands for. All claims share them.

use super::error::CheckError;
use super::keys::Keys;

/// Numbers are "alike", one "approaches" another or is "comparable" to it: they differ by at most a tenth.
pub(super) const ALIKE: f64 = 0.1;
/// Numbers are said to be equal: they differ by rounding only.
pub(super) const EQUAL: f64 = 1e-9;
/// One number is "much" or "far" below another: it is less than half of it.
const MUCH: f64 = 0.5;
/// One number is "of the order" of another: it is less than ten times as large.
const ORDER: f64 = 10.0;
/// Sampled numbers differ if they differ by this many standard errors.
pub(super) const SIGMAS: f64 = 3.0;

const WITHIN: &str = "alike or equal";
const FACTOR: &str = "much, nearly or order";

/// How far two numbers may differ, as a share of the second.
pub(super) fn within(keys: &mut Keys) -> Result<f64, CheckError> {
    let word = keys.text("within")?;
    match word.as_str() {
        "alike" => Ok(ALIKE),
        "equal" => Ok(EQUAL),
        _ => Err(keys.unknown_word("within", word, WITHIN)),
    }
}

/// How many times the second number the first must stay below; one if no word is given.
pub(super) fn factor(keys: &mut Keys) -> Result<f64, CheckError> {
    let Some(word) = keys.optional_text("by")? else { return Ok(1.0) };
    match word.as_str() {
        "much" => Ok(MUCH),
        "nearly" => Ok(1.0 + ALIKE),
        "order" => Ok(ORDER),
        _ => Err(keys.unknown_word("by", word, FACTOR)),
    }
}

/// One unit of the last digit that is printed, such as 0.01 for 0.24: the research prints some numbers rounded and some
/// cut off.
pub(super) fn last_unit(printed: &str) -> f64 {
    let (digits, exponent) = printed.split_once(['e', 'E']).unwrap_or((printed, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let exponent = exponent.parse::<i32>().unwrap_or(0) - i32::try_from(decimals).unwrap_or(0);
    10_f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_say_how_exact_a_number_is() {
        for (printed, unit) in
            [("0.24455", 1e-5), ("0.500", 1e-3), ("3", 1.0), ("1.5e-3", 1e-4), ("2e10", 1e10)]
        {
            assert!((last_unit(printed) / unit - 1.0).abs() < 1e-12, "{printed}: {}", last_unit(printed));
        }
    }
}
