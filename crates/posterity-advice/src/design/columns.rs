//! Columns by their numbers of values, as they are typed.

use std::str::FromStr;

use posterity::table::{Space, SpaceColumn};

use super::design_error::DesignError;

/// Columns of which only the number of values is known. The values are named 1, 2, 3 and so on.
///
/// ```
/// use posterity_advice::design::Columns;
/// let columns: Columns = "2,2,6".parse()?;
/// assert_eq!(columns.sizes(), [("a", 2), ("b", 2), ("c", 6)]);
/// let named: Columns = "gender=2, admitted=2, department=6".parse()?;
/// assert_eq!(named.sizes()[2], ("department", 6));
/// # Ok::<(), posterity_advice::design::DesignError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns(Vec<SpaceColumn>);

/// The most columns.
pub const MOST_COLUMNS: usize = 200;

/// The most cells of a table whose readings are forecast, and so the most values of a column.
pub const MOST_CELLS: usize = 5_000;

impl Columns {
    /// Columns with these names and values.
    ///
    /// # Errors
    /// [`DesignError`] if there are none or too many, if two have one name, or if one has fewer than two values or too
    /// many.
    pub fn new(columns: Vec<SpaceColumn>) -> Result<Self, DesignError> {
        if columns.is_empty() {
            return Err(DesignError::NoColumns);
        }
        if columns.len() > MOST_COLUMNS {
            return Err(DesignError::Columns { found: columns.len(), most: MOST_COLUMNS });
        }
        for (index, column) in columns.iter().enumerate() {
            if columns[..index].iter().any(|other| other.name == column.name) {
                return Err(DesignError::Repeated { name: column.name.clone() });
            }
            if !(2..=MOST_CELLS).contains(&column.values.len()) {
                let text = format!("{}={}", column.name, column.values.len());
                return Err(DesignError::Column { index, text, most: MOST_CELLS });
            }
        }
        Ok(Self(columns))
    }

    /// Columns with these names, and numbers as values. A column without a name is called by a letter.
    ///
    /// # Errors
    /// As [`Columns::new`].
    pub fn numbered(sizes: Vec<(Option<String>, usize)>) -> Result<Self, DesignError> {
        if sizes.len() > MOST_COLUMNS {
            return Err(DesignError::Columns { found: sizes.len(), most: MOST_COLUMNS });
        }
        let column = |(index, (name, size)): (usize, (Option<String>, usize))| {
            let name = name.unwrap_or_else(|| letters(index));
            // More values are refused below.
            let values = (1..=size.min(MOST_CELLS + 1)).map(|value| value.to_string());
            SpaceColumn::new(name, values)
        };
        Self::new(sizes.into_iter().enumerate().map(column).collect())
    }

    /// The name and the number of values of each.
    #[must_use]
    pub fn sizes(&self) -> Vec<(&str, usize)> {
        self.0.iter().map(|column| (column.name.as_str(), column.values.len())).collect()
    }

    /// The columns with their values.
    #[must_use]
    pub fn as_slice(&self) -> &[SpaceColumn] {
        &self.0
    }

    /// The number of cells of the table of all columns, which may be very large.
    pub(super) fn cells(&self) -> f64 {
        self.0.iter().map(|column| column.values.len() as f64).product()
    }

    /// The table of some columns, by their positions.
    pub(super) fn space(&self, positions: impl IntoIterator<Item = usize>) -> Space {
        Space::new(positions.into_iter().map(|position| self.0[position].clone()).collect())
    }
}

/// a to z, then aa, ab and so on.
fn letters(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    if index < 26 { letter.to_string() } else { letters(index / 26 - 1) + &letter.to_string() }
}

impl FromStr for Columns {
    type Err = DesignError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let item = |(index, item): (usize, &str)| {
            let wrong = || DesignError::Column { index, text: item.trim().to_owned(), most: MOST_CELLS };
            let (name, size) = match item.rsplit_once('=') {
                Some((name, size)) if !name.trim().is_empty() => (Some(name.trim().to_owned()), size),
                Some(_) => return Err(wrong()),
                None => (None, item),
            };
            let size: usize = size.trim().parse().map_err(|_| wrong())?;
            if (2..=MOST_CELLS).contains(&size) { Ok((name, size)) } else { Err(wrong()) }
        };
        Self::numbered(text.split(',').enumerate().map(item).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_names_are_called_by_letters() {
        assert_eq!([0, 25, 26, 27, 52, 701, 702].map(letters), ["a", "z", "aa", "ab", "ba", "zz", "aaa"]);
        let mixed: Columns = "2, ward=3,4".parse().expect("valid");
        assert_eq!(mixed.sizes(), [("a", 2), ("ward", 3), ("c", 4)]);
    }

    #[test]
    fn rejects() {
        let column = |index, text: &str| DesignError::Column { index, text: text.into(), most: MOST_CELLS };
        let table = [
            ("", column(0, "")),
            ("2,1", column(1, "1")),
            ("2,0", column(1, "0")),
            ("2,-3", column(1, "-3")),
            ("2,1e3", column(1, "1e3")),
            ("2,5001", column(1, "5001")),
            ("2,99999999999999999999999", column(1, "99999999999999999999999")),
            ("=2", column(0, "=2")),
            ("b=2,3", DesignError::Repeated { name: "b".into() }),
        ];
        for (text, error) in table {
            assert_eq!(text.parse::<Columns>(), Err(error), "{text}");
        }
        let many = vec!["2"; 201].join(",");
        assert_eq!(many.parse::<Columns>(), Err(DesignError::Columns { found: 201, most: 200 }));
    }
}
