//! Numbers in titles and tables.

/// A number that fits a column: in full if that is short, else with an exponent.
#[must_use]
pub fn short(value: f64) -> String {
    let full = value.to_string();
    if full.len() <= 20 { full } else { format!("{value:e}") }
}
