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

/// Half a unit of the last digit that is printed, such as 0.005 for 0.24.
pub(super) fn half_unit(printed: &str) -> f64 {
    let (digits, exponent) = printed.split_once(['e', 'E']).unwrap_or((printed, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let exponent = exponent.parse::<i32>().unwrap_or(0) - i32::try_from(decimals).unwrap_or(0);
    // A number that lies exactly between two printed ones is within half a unit of both, up to rounding.
    0.5 * 10_f64.powi(exponent) * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_say_how_exact_a_number_is() {
        for (printed, half) in
            [("0.24455", 5e-6), ("0.500", 5e-4), ("3", 0.5), ("1.5e-3", 5e-5), ("2e10", 5e9)]
        {
            assert!((half_unit(printed) / half - 1.0).abs() < 1e-8, "{printed}: {}", half_unit(printed));
        }
    }
}
