//! The question about a column whose values nobody declared.

use posterity_core::model::{Adjacency, CategoriesError};

use crate::cells::CellsError;
use crate::checked_questions::CheckedQuestions;
use crate::error::DataError;
use crate::question::Question;
use crate::unit::PerUnit;

/// Which records are counted by the values of one column, whatever these are. All of it is public.
///
/// It means what a [`Question`] about that column means with [`Adjacency::AddRemove`], if all values that occur were
/// declared, ordered by their bytes. So the rule `first` chooses the record whose value comes first in that order,
/// which also decides among equals by the other rules. A record is never an error. Left out is one
/// - for which the filter is not true or has no answer;
/// - whose unit is missing or has no exact name, or that has no place in the order of the rule `latest`;
/// - whose value is missing, unless `missing` names a category; has no exact name, such as a fraction or a date; or is
///   blank, because no category is.
///
/// What is left out takes no part in the choice of a unit's record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuesAsked {
    /// The name of the column, exactly as in the source.
    pub column: String,
    /// An SQL condition on one record; records for which it is not true are left out.
    pub filter: Option<String>,
    /// The column that names the unit of each record, such as a person. Each unit counts in one value. Without it each
    /// record counts, and the counts are private for people only if nobody has more than one.
    pub unit: Option<String>,
    /// Which record of a unit counts. It is ignored without a unit, except that [`PerUnit::All`] is refused: a unit
    /// would count in several values.
    pub per_unit: PerUnit,
    /// The category of a missing value. If a value has the same name, both are one.
    pub missing: Option<String>,
}

impl ValuesAsked {
    /// Counts all records by the values of this column.
    pub fn new(column: impl Into<String>) -> Self {
        Self { column: column.into(), filter: None, unit: None, per_unit: PerUnit::default(), missing: None }
    }

    /// Checks it before a source is opened.
    ///
    /// # Errors
    /// [`DataError`] if the filter cannot be read, the rule counts several records of a unit, or the category of
    /// missing values is blank.
    pub fn check(&self) -> Result<(), DataError> {
        self.checked(&self.question()).map(drop)
    }

    /// What it has in common with a question of declared columns. It declares none, so it cannot be counted as one.
    pub(super) fn question(&self) -> Question {
        Question {
            filter: self.filter.clone(),
            unit: self.unit.clone(),
            per_unit: self.per_unit.clone(),
            adjacency: Adjacency::AddRemove,
            ..Question::new(Vec::new())
        }
    }

    /// The same, checked.
    pub(super) fn checked<'a>(&self, question: &'a Question) -> Result<CheckedQuestions<'a>, DataError> {
        if matches!(self.per_unit, PerUnit::All(_)) {
            return Err(DataError::SeveralValues { rule: self.per_unit.to_string() });
        }
        if self.missing.as_ref().is_some_and(|name| name.trim().is_empty()) {
            let (column, error) = (self.column.clone(), CategoriesError::Empty { index: 0 });
            return Err(CellsError::Values { column, error }.into());
        }
        CheckedQuestions::of_values(question, &self.column)
    }
}
