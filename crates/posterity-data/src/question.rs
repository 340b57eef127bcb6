//! What is counted.

/// Which records are counted, and into which categories. All of it is public.
///
/// It is checked when it is used, against the [`Space`](crate::Space) it declares and the columns of the source.
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
    /// An SQL expression; records for which it is not true are left out.
    pub filter: Option<String>,
    /// The column that says whose a record is. Of each unit one record is kept: the one whose category is
    /// declared first.
    pub unit: Option<String>,
}

/// A column and the values declared for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, exactly as in the source.
    pub name: String,
    /// The declared values, as they are printed.
    pub values: Vec<String>,
}

impl Question {
    /// Counts all records over these columns.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns, other: None, missing: None, filter: None, unit: None }
    }
}

impl Column {
    /// A column and its declared values.
    pub fn new<V: Into<String>>(name: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        Self { name: name.into(), values: values.into_iter().map(Into::into).collect() }
    }
}
