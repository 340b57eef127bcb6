//! Readings without the names of their columns.

use posterity::Reading;
use posterity::table::Term;

/// The reading, with columns that are named by their position among these.
pub(super) fn numbered(reading: &Reading, columns: &[&str]) -> Reading {
    let number = |name: &str| match columns.iter().position(|column| *column == name) {
        Some(position) => position.to_string(),
        None => name.to_owned(),
    };
    let terms = |terms: &[Term]| {
        let term = |term: &Term| Term { column: number(&term.column), selection: term.selection.clone() };
        terms.iter().map(term).collect::<Vec<_>>()
    };
    let numbered = match reading.number_of() {
        Some((what, column)) => Reading::number(what.clone(), number(column), terms(reading.given())),
        None => Reading::shares(terms(reading.shares_of()), terms(reading.given())),
    };
    if reading.is_of_all() { numbered.of_all() } else { numbered }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_by_their_position() {
        let named = |text: &str| numbered(&text.parse().expect("valid"), &["ward", "cured"]).to_string();
        assert_eq!(named("cured=yes | ward"), "1=yes | 0");
        assert_eq!(named("mean(cured) | ward"), "mean(1) | 0");
        assert_eq!(named("median(cured) | ward < 5"), "median(1) | 0 < 5");
        assert_eq!(named("cured of all | ward"), "1 of all | 0");
    }
}
