//! How large the groups of a column are expected to be.

use std::str::FromStr;

use posterity::table::{Space, SpaceColumn, Term};
use posterity::{Document, Reading};

use super::columns::Columns;
use super::design_error::DesignError;

/// The expected shares of the values of a column. They must come from public sources or from an earlier release: sizes
/// that are counted in the data would be published through the choice of epsilon.
///
/// ```
/// use posterity_advice::design::ColumnShape;
/// let shape: ColumnShape = "ward=3,2,5".parse()?;
/// assert_eq!((shape.column(), shape.shares()), ("ward", &[0.3, 0.2, 0.5][..]));
/// # Ok::<(), posterity_advice::design::DesignError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnShape {
    column: String,
    shares: Vec<f64>,
}

impl ColumnShape {
    /// Positive numbers in any unit, one for each value.
    ///
    /// # Errors
    /// [`DesignError::Share`] if one is not above zero, or there are none.
    pub fn new(column: impl Into<String>, parts: Vec<f64>) -> Result<Self, DesignError> {
        let (column, sum) = (column.into(), parts.iter().sum::<f64>());
        let bad = parts.iter().position(|part| !(*part > 0.0 && sum.is_finite()));
        match bad.or(parts.is_empty().then_some(0)) {
            Some(index) => {
                let value = parts.get(index).copied().unwrap_or(f64::NAN);
                Err(DesignError::Share { column, index, value })
            }
            None => Ok(Self { column, shares: parts.iter().map(|part| part / sum).collect() }),
        }
    }

    /// The shapes of the columns that are not among the given ones, from an earlier private release: its released
    /// shares. A share that is not above zero is taken for half a record.
    ///
    /// # Errors
    /// [`DesignError`] if the release is not private, lacks one of the columns, or has another number of values.
    pub fn of_release(
        release: &Document,
        columns: &Columns,
        given: &[Self],
    ) -> Result<Vec<Self>, DesignError> {
        if !release.is_private() {
            return Err(DesignError::EarlierNotPrivate);
        }
        let reader = release.reader()?;
        let known = reader.space().columns();
        let shape = |(name, values): (&str, usize)| {
            let column = || name.to_owned();
            let Some(earlier) = known.iter().find(|column| column.name == name) else {
                let columns = known.iter().map(|column| column.name.clone()).collect();
                return Err(DesignError::EarlierColumn { column: column(), columns });
            };
            if earlier.values.len() != values {
                return Err(DesignError::EarlierValues {
                    column: column(),
                    found: earlier.values.len(),
                    values,
                });
            }
            let table = reader.read(&Reading::shares(vec![Term::each(name)], Vec::new()).of_all())?;
            let least = 0.5 / release.estimated_n().max(1.0);
            Self::new(name, table.rows.iter().map(|row| row.shown().max(least)).collect())
        };
        let is_given = |name: &str| given.iter().any(|shape| shape.column == name);
        columns.sizes().into_iter().filter(|(name, _)| !is_given(name)).map(shape).collect()
    }

    /// All values that are answers alike, and no value unknown.
    fn alike(column: &SpaceColumn) -> Self {
        let is_alike = |value: usize| column.is_answer(value) || column.answers().next().is_none();
        Self::in_proportion(column, |value| f64::from(u8::from(is_alike(value))))
    }

    /// The sizes of the values of a column, in any unit, some of them above zero. Nobody is expected to have a value that has
    /// none.
    #[must_use]
    pub fn of_values(column: &SpaceColumn, size: impl Fn(&str) -> Option<f64>) -> Self {
        Self::in_proportion(column, |value| size(&column.values[value]).unwrap_or_default())
    }

    /// The same for all values of a column, if it has one share for each value that is an answer: nobody is expected to
    /// have any other.
    pub(super) fn of_all_values(self, column: &SpaceColumn) -> Result<Self, DesignError> {
        let (found, values) = (self.shares.len(), column.values.len());
        if found == values {
            return Ok(self);
        }
        if found != column.answers().count() {
            return Err(DesignError::Shape { column: self.column, shape: found, values });
        }
        let mut shares = self.shares.into_iter();
        let share = |value| if column.is_answer(value) { shares.next().unwrap_or_default() } else { 0.0 };
        Ok(Self { column: self.column, shares: (0..values).map(share).collect() })
    }

    fn in_proportion(column: &SpaceColumn, part: impl Fn(usize) -> f64) -> Self {
        let parts: Vec<f64> = (0..column.values.len()).map(part).collect();
        let sum: f64 = parts.iter().sum();
        Self { column: column.name.clone(), shares: parts.iter().map(|part| part / sum).collect() }
    }

    /// The column.
    #[must_use]
    pub fn column(&self) -> &str {
        &self.column
    }

    /// The share of each value.
    #[must_use]
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }
}

/// The shares of all cells: products of those of their values. A column without a shape has values that are alike, none
/// of them unknown; with a cell outside, half of the records are there.
///
/// ```
/// use posterity_advice::design::cell_shares;
/// use posterity::table::{Space, SpaceColumn};
/// let cured = SpaceColumn { unknown: vec![2], ..SpaceColumn::new("cured", ["yes", "no", "not known"]) };
/// let space = Space::new(vec![cured, SpaceColumn::new("ward", ["A", "B"])]);
/// assert_eq!(cell_shares(&space, &["ward=3,1".parse()?]), [0.375, 0.125, 0.375, 0.125, 0.0, 0.0]);
/// # Ok::<(), posterity_advice::design::DesignError>(())
/// ```
#[must_use]
pub fn cell_shares(space: &Space, shapes: &[ColumnShape]) -> Vec<f64> {
    let columns: Vec<Vec<f64>> = space.columns().iter().map(|column| value_shares(column, shapes)).collect();
    let inside = if space.outside().is_some() { 0.5 } else { 1.0 };
    let share = |cell| {
        let values = columns.iter().enumerate().map(|(place, shares)| shares[space.value(cell, place)]);
        inside * values.product::<f64>()
    };
    (0..space.cells()).map(share).chain(space.outside().map(|_| 0.5)).collect()
}

/// The shares of the values of a column: those of its shape, or equal ones of all values that are answers.
#[must_use]
pub fn value_shares(column: &SpaceColumn, shapes: &[ColumnShape]) -> Vec<f64> {
    let given = shapes.iter().find(|shape| shape.column == column.name);
    given.map_or_else(|| ColumnShape::alike(column).shares, |shape| shape.shares.clone())
}

/// What is assumed of the data, in words: of which columns the sizes of groups are given, and whether of all; how many
/// cells there are, where that is worth saying; whether there are values that are no answers, and records outside.
#[must_use]
pub fn assumed(
    columns: &[SpaceColumn],
    shapes: &[ColumnShape],
    cells: Option<String>,
    outside: bool,
) -> String {
    let given = |column: &&SpaceColumn| shapes.iter().any(|shape| shape.column == column.name);
    let named: Vec<&str> = columns.iter().filter(given).map(|column| column.name.as_str()).collect();
    let alike = || columns.iter().filter(|column| !given(column));
    let outside = if outside { "half of the records are outside, and " } else { "" };
    let cells = cells.map_or_else(|| "all cells".to_owned(), |cells| format!("all {cells} cells"));
    let known = match alike().any(|column| !column.unknown.is_empty()) {
        true => ", and no value is unknown",
        false => "",
    };
    if named.is_empty() {
        return format!("{outside}{cells} are equally large{known}");
    }
    let others = if alike().next().is_some() { ", and all others equally large" } else { "" };
    format!("{outside}the groups of {} are as large as given{others}{known}", named.join(", "))
}

impl FromStr for ColumnShape {
    type Err = DesignError;

    fn from_str(text: &str) -> Result<Self, DesignError> {
        let wrong = || DesignError::ShapeText { text: text.to_owned() };
        let (column, parts) = text.split_once('=').ok_or_else(wrong)?;
        let parts: Vec<f64> = parts
            .split(',')
            .map(|part| part.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|_| wrong())?;
        if column.trim().is_empty() { Err(wrong()) } else { Self::new(column.trim(), parts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        for text in ["", "ward", "=1,2", "ward=", "ward=1,x", "ward=1,,2"] {
            let refused = text.parse::<ColumnShape>();
            assert!(matches!(refused, Err(DesignError::ShapeText { .. })), "{text}: {refused:?}");
        }
        for (text, wrong) in [("ward=1,0", 1), ("ward=-1,2", 0), ("ward=1,NaN", 0), ("ward=1,inf", 0)] {
            let refused = text.parse::<ColumnShape>();
            assert!(
                matches!(refused, Err(DesignError::Share { index, .. }) if index == wrong),
                "{refused:?}"
            );
        }
    }
}
