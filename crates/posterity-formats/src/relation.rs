//! A table or a view of a database.

/// A table or a view of a database, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A table, whose rows are records.
    Table(String),
    /// A view. Its rows are what a query makes of records, and one of them may depend on many.
    View(String),
}

impl Relation {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Table(name) | Self::View(name) => name,
        }
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Table(name) => write!(f, "table {name}"),
            Self::View(name) => write!(f, "view {name}"),
        }
    }
}
