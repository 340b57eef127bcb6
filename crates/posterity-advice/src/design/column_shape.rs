//! How large the groups of a column are expected to be.

use std::str::FromStr;

use posterity::table::Term;
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
