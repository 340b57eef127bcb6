//! The question: which records are counted, and into which categories.

use crate::bins::Bins;
use crate::unit::PerUnit;

/// Which records are counted, and into which categories. All of it is public.
///
/// It is checked when it is used, against the [`Cells`](crate::Cells) it declares and the columns of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The columns whose values together make a category; usually one.
    pub columns: Vec<Column>,
    /// The category, in every column, of a value that is not declared. It may be a declared one; otherwise it
    /// comes after those. Without it, such a value is an error.
    pub other: Option<String>,
    /// The category, in every column, of a missing value. It may be a declared one or that of other values;
    /// otherwise it comes last. Without it, a missing value is an error.
    pub missing: Option<String>,
    /// An SQL condition on one record; records for which it is not true are left out, and n is the number of those
    /// left.
    pub filter: Option<String>,
    /// An SQL condition on one record; records for which it is not true count to one more cell, [`OUTSIDE_CELL`],
    /// whatever else they hold. So n does not depend on it.
    pub within: Option<String>,
    /// The column that names the unit of each record, such as a person. Each unit counts once.
    pub unit: Option<String>,
    /// Which record of a unit counts. It is ignored without a unit.
    pub per_unit: PerUnit,
}

/// The name of the cell of records for which [`Question::within`] is not true. It is the last cell.
pub const OUTSIDE_CELL: &str = "outside";

/// A column and what is declared for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, exactly as in the source.
    pub name: String,
    /// Its categories.
    pub domain: Domain,
}

/// The categories of one column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The declared values, as they are printed.
    Values(Vec<String>),
    /// Numbers between declared edges.
    Bins(Bins),
}

impl Question {
    /// Counts all records over these columns.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            other: None,
            missing: None,
            filter: None,
            within: None,
            unit: None,
            per_unit: PerUnit::default(),
        }
    }

    /// All categories of a column in their order: the declared ones, then those of other and of missing values, unless
    /// they are declared.
    ///
    /// ```
    /// use posterity_count::{Column, Question};
    /// let column = Column::new("cured", ["yes", "no"]);
    /// let question = Question { missing: Some("unknown".into()), ..Question::new(vec![column.clone()]) };
    /// assert_eq!(question.names_of(&column), ["yes", "no", "unknown"]);
    /// ```
    #[must_use]
    pub fn names_of(&self, column: &Column) -> Vec<String> {
        let mut names = column.domain.names();
        for extra in [&self.other, &self.missing].into_iter().flatten() {
            if !names.contains(extra) {
                names.push(extra.clone());
            }
        }
        names
    }
}

impl Column {
    /// A column and its declared values.
    pub fn new<V: Into<String>>(name: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        Self { name: name.into(), domain: Domain::Values(values.into_iter().map(Into::into).collect()) }
    }

    /// A column of numbers and the bins they are sorted into.
    pub fn binned(name: impl Into<String>, bins: Bins) -> Self {
        Self { name: name.into(), domain: Domain::Bins(bins) }
    }
}

impl Domain {
    /// The names of the categories, in their order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Bins(bins) => bins.names(),
        }
    }
}
