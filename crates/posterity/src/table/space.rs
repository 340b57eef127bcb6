//! The cells of a release: all combinations of the values of its columns.

use std::borrow::Cow;
use std::collections::BTreeMap;

use posterity_core::model::{Categories, Prior};

use super::error::ReadingError;
use super::term::Range;
use crate::about::{About, AboutColumn, unknown_values};

/// The cells of a release, in row-major order: the last column changes fastest.
///
/// A release with a private filter has one more cell, for all records outside. Every reading is then conditional on
/// being inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    columns: Vec<SpaceColumn>,
    outside: Option<usize>,
}

/// A column with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceColumn {
    /// Its name.
    pub name: String,
    /// Its values, in their order.
    pub values: Vec<String>,
    /// The positions of the values that are no answers: the categories of missing and of other values.
    pub unknown: Vec<usize>,
    /// Of a column of bins, the edges of the bins as they were written: one more than there are bins, which are its first
    /// values.
    pub edges: Option<Vec<String>>,
    /// What readers see beside a value.
    pub labels: BTreeMap<String, String>,
}

impl Space {
    /// The name of the only column of counts that belong to no named column.
    pub const CATEGORY: &'static str = "category";

    /// The most cells whose numbers a document lists one by one.
    pub const MOST_LISTED: usize = 10_000;

    /// The name of the cell outside of a private filter.
    const OUTSIDE: &'static str = "outside";

    /// The combinations of the values of columns.
    ///
    /// ```
    /// use posterity::table::{Space, SpaceColumn};
    /// let cured = SpaceColumn { unknown: vec![2], ..SpaceColumn::new("cured", ["yes", "no", "unknown"]) };
    /// let space = Space::new(vec![SpaceColumn::new("ward", ["A", "B"]), cured]);
    /// assert_eq!(space.cells(), 6);
    /// assert_eq!((space.value(4, 0), space.value(4, 1)), (1, 1));
    /// ```
    #[must_use]
    pub fn new(columns: Vec<SpaceColumn>) -> Self {
        Self { columns, outside: None }
    }

    /// Adds a cell, the last, for what is outside a private filter.
    #[must_use]
    pub fn with_outside(self) -> Self {
        let outside = Some(self.cells());
        Self { outside, ..self }
    }

    /// The cells of a release with this subject and these categories.
    ///
    /// # Errors
    /// [`ReadingError`] if the columns do not fit the categories.
    pub fn declared(about: &About, categories: &Categories) -> Result<Self, ReadingError> {
        let names = categories.names();
        let space = if about.columns.is_empty() {
            let unknown = unknown_values(names, [about.other.as_deref(), about.missing.as_deref()]);
            Self::new(vec![SpaceColumn { unknown, ..SpaceColumn::new(Self::CATEGORY, names.to_vec()) }])
        } else {
            Self::of_columns(about)?
        };
        if names.len() == space.all_cells() {
            return Ok(space);
        }
        Err(ReadingError::Cells { categories: names.len(), cells: space.all_cells() })
    }

    /// The combinations of the values of the columns of a subject.
    ///
    /// # Errors
    /// [`ReadingError::TooManyCells`] if no release has so many cells.
    pub(crate) fn of_columns(about: &About) -> Result<Self, ReadingError> {
        let columns: Vec<SpaceColumn> = about.columns.iter().map(SpaceColumn::from).collect();
        let sizes = columns.iter().map(|column| column.values.len());
        let cells = sizes.into_iter().try_fold(1_usize, usize::checked_mul);
        if cells.is_none_or(|cells| cells > Prior::MAX_CATEGORIES) {
            return Err(ReadingError::TooManyCells);
        }
        let space = Self::new(columns);
        Ok(if about.within.is_some() { space.with_outside() } else { space })
    }

    /// The names of the cells: the values of one column, or `a=x,b=y` for several. What is outside a private filter
    /// comes last.
    ///
    /// # Errors
    /// [`ReadingError`] if two cells have the same name.
    pub(crate) fn categories(&self) -> Result<Categories, ReadingError> {
        let names = self.names(|column, value| Cow::Borrowed(&column.values[value]));
        Categories::new(names).map_err(|error| ReadingError::Document { reason: error.to_string() })
    }

    /// The same names as readers see them, with the labels of the values.
    pub(crate) fn in_words(&self) -> Vec<String> {
        self.names(SpaceColumn::in_words)
    }

    /// The names of all cells, from how a value of a column is written.
    fn names(&self, written: impl for<'a> Fn(&'a SpaceColumn, usize) -> Cow<'a, str>) -> Vec<String> {
        let name = |cell: usize| match self.columns.as_slice() {
            [only] => written(only, cell).into_owned(),
            columns => {
                let part = |(index, column): (usize, &SpaceColumn)| {
                    format!("{}={}", column.name, written(column, self.value(cell, index)))
                };
                columns.iter().enumerate().map(part).collect::<Vec<_>>().join(",")
            }
        };
        let outside = self.outside.map(|_| Self::OUTSIDE.to_owned());
        (0..self.cells()).map(name).chain(outside).collect()
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[SpaceColumn] {
        &self.columns
    }

    /// The number of combinations of values, without the cell outside.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.columns.iter().map(|column| column.values.len()).product()
    }

    /// The number of all cells, with the one outside.
    #[must_use]
    pub fn all_cells(&self) -> usize {
        self.cells() + usize::from(self.outside.is_some())
    }

    /// The cell outside of a private filter.
    #[must_use]
    pub fn outside(&self) -> Option<usize> {
        self.outside
    }

    /// The position of the value of a column in a cell.
    #[must_use]
    pub fn value(&self, cell: usize, column: usize) -> usize {
        let after: usize = self.columns[column + 1..].iter().map(|column| column.values.len()).product();
        cell / after % self.columns[column].values.len()
    }

    /// Whether the value of every column is an answer in a cell.
    #[must_use]
    pub fn is_known(&self, cell: usize) -> bool {
        let is_answer = |(index, column): (usize, &SpaceColumn)| column.is_answer(self.value(cell, index));
        self.columns.iter().enumerate().all(is_answer)
    }

    /// The position of a column.
    pub(crate) fn column(&self, name: &str) -> Result<usize, ReadingError> {
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| {
            ReadingError::UnknownColumn {
                column: name.to_owned(),
                columns: self.columns.iter().map(|column| column.name.clone()).collect(),
            }
        })
    }
}

impl SpaceColumn {
    /// A column all of whose values are answers.
    pub fn new<V: Into<String>>(name: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        let values = values.into_iter().map(Into::into).collect();
        Self { name: name.into(), values, unknown: Vec::new(), edges: None, labels: BTreeMap::new() }
    }

    /// The same as bins between these edges.
    #[must_use]
    pub fn with_edges<E: Into<String>>(self, edges: impl IntoIterator<Item = E>) -> Self {
        Self { edges: Some(edges.into_iter().map(Into::into).collect()), ..self }
    }

    /// The numbers of a value: both edges of a bin, or twice the number that it is.
    pub(super) fn numbers(&self, value: &str) -> Option<[f64; 2]> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let Some(edges) = &self.edges else { return number(value).map(|number| [number; 2]) };
        let bin = self.values.iter().position(|known| known == value)?;
        let [low, high] = [edges.get(bin)?, edges.get(bin + 1)?];
        Some([number(low)?, number(high)?])
    }

    /// The positions of the bins between two edges.
    pub(super) fn bins_in(&self, range: &Range) -> Result<std::ops::Range<usize>, ReadingError> {
        let Some(edges) = &self.edges else {
            return Err(ReadingError::NoBins { column: self.name.clone() });
        };
        let last = edges.len() - 1;
        let number = |text: &str| text.trim().parse::<f64>().unwrap_or(f64::NAN);
        // The same number may be written in several ways.
        let find = |text: &String, among: std::ops::Range<usize>| {
            let exact = among.clone().find(|&edge| edges[edge] == text.trim());
            let found = exact.or_else(|| among.clone().find(|&edge| number(&edges[edge]) == number(text)));
            found.ok_or_else(|| {
                // One on either side, or the first or last two.
                let above = among.clone().filter(|&edge| number(&edges[edge]) < number(text)).count();
                let first = above.clamp(1, among.len().max(2) - 1) - 1;
                let near = among.skip(first).take(2);
                ReadingError::NoEdge {
                    column: self.name.clone(),
                    edge: text.clone(),
                    nearest: near.map(|edge| edges[edge].clone()).collect(),
                }
            })
        };
        Ok(match range {
            Range::Below(edge) => 0..find(edge, 1..last + 1)?,
            Range::From(edge) => find(edge, 0..last)?..last,
            Range::Between(from, to) => {
                let from = find(from, 0..last)?;
                from..find(to, from + 1..last + 1)?
            }
        })
    }

    /// Whether the value at a position is an answer.
    #[must_use]
    pub fn is_answer(&self, position: usize) -> bool {
        !self.unknown.contains(&position)
    }

    /// The values that are answers.
    pub fn answers(&self) -> impl Iterator<Item = &String> {
        let answers = self.values.iter().enumerate().filter(|(position, _)| self.is_answer(*position));
        answers.map(|(_, value)| value)
    }

    /// The position of a value, which is named as it is, or by a label that no other value has.
    pub(super) fn position(&self, name: &str) -> Result<usize, ReadingError> {
        let find = |name: &str| self.values.iter().position(|known| known == name);
        if let Some(position) = find(name) {
            return Ok(position);
        }
        let of_label =
            self.values.iter().filter(|value| self.labels.get(*value).is_some_and(|label| label == name));
        match of_label.collect::<Vec<_>>().as_slice() {
            [only] => find(only),
            [] => None,
            several => {
                let values = several.iter().map(|value| (*value).clone()).collect();
                let (column, label) = (self.name.clone(), name.to_owned());
                return Err(ReadingError::SeveralWithLabel { column, label, values });
            }
        }
        .ok_or_else(|| ReadingError::UnknownValue {
            column: self.name.clone(),
            value: name.to_owned(),
            values: self.values.clone(),
        })
    }

    /// The positions of several values, each named once.
    pub(super) fn named(&self, names: &[String]) -> Result<Vec<usize>, ReadingError> {
        let mut found = Vec::new();
        for name in names {
            let position = self.position(name)?;
            if found.contains(&position) {
                return Err(ReadingError::Repeated { what: self.values[position].clone() });
            }
            found.push(position);
        }
        Ok(found)
    }
}

impl From<&AboutColumn> for SpaceColumn {
    fn from(column: &AboutColumn) -> Self {
        Self {
            unknown: column.unknown(),
            edges: column.bins.clone(),
            labels: column.labels.clone(),
            ..Self::new(&column.name, &column.values)
        }
    }
}

/// A column of a question, with its categories for other and for missing values.
#[cfg(feature = "data")]
impl From<&posterity_count::Column> for SpaceColumn {
    fn from(column: &posterity_count::Column) -> Self {
        let values = column.names();
        let unknown = unknown_values(&values, [column.other.as_deref(), column.missing.as_deref()]);
        let edges = match &column.domain {
            posterity_count::Domain::Bins(bins) => Some(bins.edges().to_vec()),
            posterity_count::Domain::Values(_) => None,
        };
        Self { unknown, edges, labels: column.labels.clone(), ..Self::new(&column.name, values) }
    }
}

#[cfg(all(test, feature = "data"))]
mod tests {
    use posterity_count::{Cells, Column, Question};

    use super::*;

    /// If this fails, a document that is read again names its cells in another way than the release did.
    #[test]
    fn cells_are_named_as_they_are_counted() {
        let (a, b) = (Column::new("a", ["x", "y"]), Column::new("b", ["u", "v", "w"]));
        for (columns, within) in
            [(vec![a.clone()], None), (vec![a.clone()], Some("c = 1")), (vec![a, b], Some("c = 1"))]
        {
            let question =
                Question { within: within.map(Into::into), ..Question::new(columns).with_missing("none") };
            let counted = Cells::new(&question).expect("valid");
            let space = Space::of_columns(&About::new(&question, None)).expect("few");
            assert_eq!(space.categories().as_ref(), Ok(counted.categories()));
        }
    }

    /// If this fails, a rate counts missing values as an answer, or leaves out an answer that somebody declared.
    #[test]
    fn categories_of_missing_and_other_values_are_no_answers() {
        for (declared, other, missing, answers) in [
            ("yes no", None, None, "yes no"),
            ("yes no", None, Some("unknown"), "yes no"),
            ("yes no", Some("else"), Some("unknown"), "yes no"),
            ("yes no", Some("else"), Some("else"), "yes no"),
            ("yes no unknown", None, Some("unknown"), "yes no"),
            // At least two answers are left.
            ("yes", Some("no"), Some("unknown"), "yes no"),
            ("yes", None, Some("no"), "yes no"),
            ("yes no", None, Some("no"), "yes no"),
            ("yes no", Some("yes"), Some("no"), "yes no"),
        ] {
            let (other, missing) = (other.map(Into::into), missing.map(Into::into));
            let column = Column { other, missing, ..Column::new("cured", declared.split(' ')) };
            let found: Vec<String> = SpaceColumn::from(&column).answers().cloned().collect();
            assert_eq!(found.join(" "), answers, "{column:?}");
            let about = About::new(&Question::new(vec![column.clone()]), None);
            assert_eq!(SpaceColumn::from(&about.columns[0]), SpaceColumn::from(&column));
            let unknown = column.names().into_iter().filter(|name| about.is_unknown("cured", name)).count();
            assert_eq!(unknown, column.names().len() - found.len());
        }
    }
}
