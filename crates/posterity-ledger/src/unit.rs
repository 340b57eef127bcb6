//! Whom an account protects.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// What one change of the data may replace: one record, or all records of one unit such as a patient.
///
/// An account protects one kind of unit. Promises to different kinds cannot be added up: a release per record says
/// little about a patient with 40 records.
///
/// ```
/// use posterity_ledger::Unit;
/// assert_eq!("patient".parse::<Unit>()?, Unit::column("patient")?);
/// assert_eq!("record".parse::<Unit>()?, Unit::RECORD);
/// // A column that happens to have that name is something else.
/// assert_eq!(Unit::column("record")?.to_string(), "column record");
/// # Ok::<(), posterity_ledger::UnitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    /// The column, if it is not the single record.
    column: Option<String>,
}

/// Why a text cannot name a unit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the unit is {name:?}; name the column of the unit, such as patient, or write record")]
pub struct UnitError {
    /// The name, cut if it is long.
    name: String,
}

/// The limit on the length of a unit and of a population, in characters.
pub(crate) const LONGEST: usize = 500;

impl Unit {
    /// Each record by itself.
    pub const RECORD: Self = Self { column: None };

    /// All records with the same value in a column.
    ///
    /// # Errors
    /// [`UnitError`] if the name is empty, longer than 500 characters or has a control character.
    pub fn column(name: impl Into<String>) -> Result<Self, UnitError> {
        let name = name.into();
        if name.is_empty() || name.chars().count() > LONGEST || name.chars().any(char::is_control) {
            return Err(UnitError { name: name.chars().take(LONGEST).collect() });
        }
        Ok(Self { column: Some(name) })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column.as_deref() {
            None => f.pad("record"),
            Some(name) if name == "record" || name.starts_with("column ") => f.pad(&format!("column {name}")),
            Some(name) => f.pad(name),
        }
    }
}

impl FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "record" => Ok(Self::RECORD),
            text => Self::column(text.strip_prefix("column ").unwrap_or(text)),
        }
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let columns = ["patient", "record", "column record", "column ", "Fall-Nr. ä"].map(|name| {
            let unit = Unit::column(name).expect(name);
            assert_ne!(unit, Unit::RECORD, "{name}");
            unit
        });
        for unit in columns.into_iter().chain([Unit::RECORD]) {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
    }

    #[test]
    fn rejects() {
        for name in ["", "a\nb", &"x".repeat(LONGEST + 1)] {
            let cut = name.chars().take(LONGEST).collect();
            assert_eq!(Unit::column(name), Err(UnitError { name: cut }), "{name:?}");
        }
    }
}
