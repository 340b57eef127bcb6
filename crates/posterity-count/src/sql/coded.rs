//! The category of a value, as an expression of SQL.

use posterity_formats::Number;

use super::dialect::Dialect;
use super::error::SqlError;
use super::literal::compared;
use super::stored::Stored;
use super::{MISSING, UNDECLARED, UNREADABLE};
use crate::cells::Dimension;
use crate::filter::Comparator;
use crate::question::Domain;

/// The code of a column's value: the index of its category, or a negative code.
pub(super) struct Coded {
    pub(super) expression: String,
}

impl Coded {
    pub(super) fn new(dimension: &Dimension, stored: Stored, dialect: Dialect) -> Result<Self, SqlError> {
        let Dimension { column, domain, .. } = dimension;
        if !dialect.stores(stored) {
            return Err(SqlError::Type { column: column.clone(), stored, dialect });
        }
        let name = dialect.name(column);
        let code = |index: Option<usize>, otherwise: i64| index.map_or(otherwise, |index| index as i64);
        let (other, missing) = (code(dimension.other, UNDECLARED), code(dimension.missing, MISSING));
        let mut cases = vec![format!("WHEN {name} IS NULL THEN {missing}")];
        match domain {
            Domain::Bins(bins) => {
                if !matches!(stored, Stored::Integer | Stored::Number) {
                    return Err(SqlError::Bins { column: column.clone(), stored });
                }
                if let Some((no_number, unreadable)) = dialect.is_no_number(&name) {
                    cases.push(format!("WHEN {unreadable} THEN {UNREADABLE} WHEN {no_number} THEN {other}"));
                }
                let edges = bins.numbers();
                let below = |edge: &Number| compared(dialect, &name, stored, Comparator::Less, edge);
                for (index, edge) in edges.iter().enumerate() {
                    let code = if index == 0 { other } else { index as i64 - 1 };
                    cases.push(format!("WHEN {} THEN {code}", below(edge)));
                }
            }
            Domain::Values(values) => {
                let words: Vec<(&str, usize)> =
                    dimension.names_of(values).map(|(name, index)| (name.as_str(), index)).collect();
                cases.extend(values_cases(&name, stored, dialect, &words, other));
            }
        }
        Ok(Self { expression: format!("CASE {} ELSE {other} END", cases.join(" ")) })
    }
}

fn values_cases(
    name: &str,
    stored: Stored,
    dialect: Dialect,
    words: &[(&str, usize)],
    other: i64,
) -> Vec<String> {
    let printed = dialect.printed(name, stored);
    let of_text =
        || words.iter().map(|(word, index)| format!("WHEN {} THEN {index}", dialect.is_text(&printed, word)));
    let of_numbers = || {
        let whole = words.iter().filter_map(|(word, index)| {
            let number: i64 = word.parse().ok()?;
            // Larger ones are told apart by no number with a floating point.
            (number.to_string() == *word && number.unsigned_abs() <= 1 << 53).then_some((number, index))
        });
        whole.map(|(number, index)| format!("WHEN {name} = {:e} THEN {index}", number as f64))
    };
    match (dialect, stored) {
        (Dialect::Sqlite, _) => {
            let texts: Vec<String> = of_text().collect();
            let numbers: Vec<String> = of_numbers().collect();
            vec![
                format!(
                    "WHEN typeof({name}) IN ('text', 'integer') THEN CASE {} ELSE {other} END",
                    texts.join(" ")
                ),
                format!("WHEN {} THEN {UNREADABLE}", dialect.has_fraction(name)),
                format!(
                    "WHEN typeof({name}) = 'real' THEN {}",
                    if numbers.is_empty() {
                        other.to_string()
                    } else {
                        format!("CASE {} ELSE {other} END", numbers.join(" "))
                    }
                ),
                format!("WHEN 1 = 1 THEN {UNREADABLE}"),
            ]
        }
        (_, Stored::Number) => {
            let fraction = format!("WHEN {} THEN {UNREADABLE}", dialect.has_fraction(name));
            std::iter::once(fraction).chain(of_numbers()).collect()
        }
        (_, Stored::Day) => std::iter::once(format!("WHEN {} THEN {UNREADABLE}", dialect.is_no_day(name)))
            .chain(of_text())
            .collect(),
        _ => of_text().collect(),
    }
}
