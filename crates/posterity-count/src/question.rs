//! The question: which records are counted, and into which categories.

use std::collections::BTreeMap;

use posterity_core::model::Adjacency;

use crate::bins::Bins;
use crate::unit::PerUnit;

/// Which records are counted, and into which categories. All of it is public.
///
/// It is checked when it is used, against the [`Cells`](crate::Cells) it declares and the columns of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The columns whose values together make a category; usually one.
    pub columns: Vec<Column>,
    /// An SQL condition on one record; records for which it is not true are left out, and n is the number of those
    /// left.
    pub filter: Option<String>,
    /// An SQL condition on one record; records for which it is not true count to one more cell, [`OUTSIDE_CELL`],
    /// whatever else they hold. So n does not depend on it.
    pub within: Option<String>,
    /// The column that names the unit of each record, such as a person. Each unit counts once.
    pub unit: Option<String>,
    /// Which record of a unit counts. It is ignored without a unit, except that [`PerUnit::All`] needs one.
    pub per_unit: PerUnit,
    /// What is private. With [`Adjacency::Replace`] n is public, and a record without a category, a unit or an answer
    /// of a filter is an error.
    ///
    /// With [`Adjacency::AddRemove`] n is private, and nothing that anyone sees may depend on one record. So no record
    /// is an error, and there may be none. Left out is a record
    /// - with a value that is not declared, missing or without an exact name, unless `other` or `missing` name its
    ///   category: it is left out of those questions that have the column;
    /// - whose unit is missing or has no exact name, or that has no place in the order of the rule `latest`;
    /// - for which `filter` has no answer, such as a comparison of text with a number: it is not true of it.
    ///
    /// What is no record of its format, and can be told apart from others, is a record without values, such as a line
    /// that is no JSON object: see [`Wanted::strict`](posterity_formats::Wanted::strict). A folder may have no files.
    ///
    /// For the same reason a record for which `within` has no answer counts to [`OUTSIDE_CELL`], as all do for which
    /// it is not true. What is left out takes no part in the choice of a unit's record, so a unit all of whose records
    /// are left out does not count, and the choice depends on the unit's own records only.
    ///
    /// A source that cannot be read is an error in any case, such as a damaged file, an array of JSON with a mistake in it
    /// or a database that fails, and so is one that takes too much memory. No error tells where.
    pub adjacency: Adjacency,
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
    /// Other spellings of its categories, which may be those of other and of missing values: a value that is printed so
    /// counts as the category. Each stands once and is no category; bins have none.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// What readers see beside a category. It changes nothing that is counted.
    pub labels: BTreeMap<String, String>,
    /// Whether the declared values have an order. Bins always have one: see [`Column::is_ordered`].
    pub ordered: bool,
    /// The category of a value that is not declared. It may be a declared one; otherwise it comes after those. Without
    /// it, such a value is an error, or left out: see [`Question::adjacency`].
    pub other: Option<String>,
    /// The category of a missing value. It may be a declared one or that of other values; otherwise it comes last.
    /// Without it, a missing value is an error, or left out: see [`Question::adjacency`].
    pub missing: Option<String>,
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
            filter: None,
            within: None,
            unit: None,
            per_unit: PerUnit::default(),
            adjacency: Adjacency::Replace,
        }
    }

    /// The same with this category for other values in every column.
    #[must_use]
    pub fn with_other(mut self, category: &str) -> Self {
        self.columns.iter_mut().for_each(|column| column.other = Some(category.to_owned()));
        self
    }

    /// The same with this category for missing values in every column.
    #[must_use]
    pub fn with_missing(mut self, category: &str) -> Self {
        self.columns.iter_mut().for_each(|column| column.missing = Some(category.to_owned()));
        self
    }
}

impl Column {
    /// A column and its declared values.
    pub fn new<V: Into<String>>(name: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        Self::of(name, Domain::Values(values.into_iter().map(Into::into).collect()))
    }

    /// A column of numbers and the bins they are sorted into.
    pub fn binned(name: impl Into<String>, bins: Bins) -> Self {
        Self::of(name, Domain::Bins(bins))
    }

    /// A column and its categories.
    pub fn of(name: impl Into<String>, domain: Domain) -> Self {
        let (aliases, labels) = (BTreeMap::new(), BTreeMap::new());
        Self { name: name.into(), domain, aliases, labels, ordered: false, other: None, missing: None }
    }

    /// The same with one more spelling of a category.
    #[must_use]
    pub fn with_alias(mut self, category: impl Into<String>, alias: impl Into<String>) -> Self {
        self.aliases.entry(category.into()).or_default().push(alias.into());
        self
    }

    /// The same with words for a category.
    #[must_use]
    pub fn with_label(mut self, category: impl Into<String>, label: impl Into<String>) -> Self {
        self.labels.insert(category.into(), label.into());
        self
    }

    /// The same with words for bins of whole numbers, where nobody gave others: "18 to 39" for `[18,40)`.
    ///
    /// They are true if the column holds whole numbers only, which whoever declares it has to know: 39.5 lies in that bin
    /// too. A bin with an edge that is not whole has none.
    ///
    /// ```
    /// use posterity_count::{Bins, Column};
    /// let ages = Column::binned("age", Bins::new(["0", "1", "18", "40.5"])?).of_whole_numbers();
    /// let labels: Vec<_> = ages.labels.values().map(String::as_str).collect();
    /// assert_eq!(labels, ["0", "1 to 17"]);
    /// # Ok::<(), posterity_count::BinsError>(())
    /// ```
    #[must_use]
    pub fn of_whole_numbers(mut self) -> Self {
        if let Domain::Bins(bins) = &self.domain {
            for (name, label) in bins.labels_of_whole_numbers() {
                self.labels.entry(name).or_insert(label);
            }
        }
        self
    }

    /// Whether the categories have an order: bins, or values that were declared so.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.ordered || matches!(self.domain, Domain::Bins(_))
    }

    /// All categories in their order: the declared ones, then those of other and of missing values, unless they are
    /// declared.
    ///
    /// ```
    /// use posterity_count::Column;
    /// let column = Column { missing: Some("unknown".into()), ..Column::new("cured", ["yes", "no"]) };
    /// assert_eq!(column.names(), ["yes", "no", "unknown"]);
    /// ```
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = self.domain.names();
        for extra in [&self.other, &self.missing].into_iter().flatten() {
            if !names.contains(extra) {
                names.push(extra.clone());
            }
        }
        names
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
