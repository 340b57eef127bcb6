//! What a release would leave out of data in memory: for whoever prepares the data.

use posterity::data::{Column, Counted, OUTSIDE_CELL, Question};
use serde::Serialize;

/// What a release would leave out of data in memory, exactly. It is not private: show it to the owner of the data only.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
pub struct LeftOutInMemory {
    /// How many records there are.
    pub records: u64,
    /// For how many of them the filter is not true.
    pub filtered: u64,
    /// How many of those that pass the filter are outside the private filter.
    pub outside: u64,
    /// How many of those that pass the filter have no unit.
    pub no_unit: u64,
    /// How many records count, or are among those of which a unit's record is chosen.
    pub counted: u64,
    /// What each column lacks.
    pub columns: Vec<LeftOutInColumn>,
}

/// What one column lacks.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
pub struct LeftOutInColumn {
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many values are not declared.
    pub undeclared: u64,
    /// How many values are missing.
    pub missing: u64,
    /// How many values have no exact name.
    pub unnamed: u64,
}

/// The categories to which labels count that are not declared and that are missing, while they are looked at.
pub const STRAYS: [&str; 2] = ["(not declared)", "(missing label)"];

impl LeftOutInMemory {
    /// Of labels without a table, which were counted with the categories of [`STRAYS`]. They are kept if a category was
    /// named for them. `records` may be more than were counted: the others have no exact name.
    #[must_use]
    pub fn of_labels(records: u64, counted: &Counted, kept: [bool; 2]) -> Self {
        let [undeclared, missing] = STRAYS.map(|name| cell(counted, name));
        let declared = counted.counts.total() - undeclared - missing;
        let unnamed = records - counted.counts.total();
        let strays =
            [undeclared, missing].into_iter().zip(kept).filter_map(|(times, kept)| kept.then_some(times));
        let column = LeftOutInColumn { name: None, undeclared, missing, unnamed };
        Self { records, counted: declared + strays.sum::<u64>(), columns: vec![column], ..Self::default() }
    }

    /// Of a table of this many records, which `count` counts once for each thing that may be wrong with a record. The
    /// question must be one where n is private, so that nothing that a record holds is an error.
    ///
    /// # Errors
    /// Those of `count`.
    pub fn of_table<E>(
        records: u64,
        question: &Question,
        count: impl Fn(&Question) -> Result<Counted, E>,
    ) -> Result<Self, E> {
        let one = |column: Column| Question {
            columns: vec![column],
            unit: None,
            per_unit: Default::default(),
            ..question.clone()
        };
        let mut found = Self { records, ..Self::default() };
        let Some(first) = question.columns.first() else { return Ok(found) };
        // Records for which a condition is not true are counted in a cell of their own.
        let not_true = |condition: &str, filter: Option<&String>| {
            let within = Some(condition.to_owned());
            let asked = Question { within, filter: filter.cloned(), ..one(first.clone()) };
            Ok::<_, E>(cell(&count(&asked)?, OUTSIDE_CELL))
        };
        if let Some(filter) = &question.filter {
            found.filtered = not_true(filter, None)?;
        }
        let passing = records - found.filtered;
        let has_unit =
            question.unit.as_ref().map(|unit| format!("\"{}\" IS NOT NULL", unit.replace('"', "\"\"")));
        if let Some(has_unit) = &has_unit {
            found.no_unit = not_true(has_unit, question.filter.as_ref())?;
        }
        for column in &question.columns {
            let [other, missing] = STRAYS.map(|name| Some(name.to_owned()));
            let counted = count(&one(Column { other, missing, ..column.clone() }))?;
            found.outside = question.within.as_ref().map_or(0, |_| cell(&counted, OUTSIDE_CELL));
            let [undeclared, missing] = STRAYS.map(|name| cell(&counted, name));
            let unnamed = passing - counted.counts.total();
            let name = Some(column.name.clone());
            found.columns.push(LeftOutInColumn { name, undeclared, missing, unnamed });
        }
        let filter = match (&question.filter, has_unit) {
            (Some(filter), Some(has_unit)) => Some(format!("({filter}) AND {has_unit}")),
            (filter, has_unit) => has_unit.or_else(|| filter.clone()),
        };
        let all = Question { filter, columns: question.columns.clone(), ..one(first.clone()) };
        found.counted = count(&all)?.counts.total();
        Ok(found)
    }
}

/// How many records a cell has, if there is one of this name.
fn cell(counted: &Counted, name: &str) -> u64 {
    let place = counted.categories.names().iter().rposition(|one| one == name);
    place.map_or(0, |place| counted.counts.as_slice()[place])
}

#[cfg(test)]
mod tests {
    use posterity::data::LabelCounter;

    use super::*;

    /// If this fails, the owner of the data is told that records count which do not.
    #[test]
    fn strays_count_only_where_a_category_was_named_for_them() {
        for (kept, counts) in [([false, false], 3), ([true, false], 5), ([true, true], 6)] {
            let [other, missing] = STRAYS.map(|name| Some(name.to_owned()));
            let column = Column { other, missing, ..Column::new("data", ["yes", "no"]) };
            let mut counter = LabelCounter::new(column).expect("two categories");
            for (label, times) in [(Some("yes"), 3), (Some("perhaps"), 2), (None, 1)] {
                counter.add(label, times);
            }
            let counted = counter.finish_leaving_out().expect("counted");
            let found = LeftOutInMemory::of_labels(10, &counted, kept);
            let column = LeftOutInColumn { name: None, undeclared: 2, missing: 1, unnamed: 4 };
            assert!(found.columns == [column]);
            assert_eq!((found.records, found.counted), (10, counts));
        }
    }
}
