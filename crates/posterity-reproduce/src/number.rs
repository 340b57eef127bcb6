//! Numbers as they are written into tables and sentences.

/// Twelve significant digits, without trailing zeros: what follows is rounding.
pub(crate) fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    let plain = rounded.to_string();
    if plain.len() <= 24 { plain } else { format!("{rounded:e}") }
}

/// Four significant digits, for reading.
pub(crate) fn brief(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..7).contains(&exponent) {
        return format!("{value:.3e}");
    }
    let decimals = usize::try_from(3 - exponent).unwrap_or(0);
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
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
}
