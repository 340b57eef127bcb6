//! What a reading asks of the released tables.

use posterity_margins::{ColumnSet, Workload};

use super::which::names;
use crate::about::About;
use crate::table::{Layout, Reading, ReadingError, Space, SpaceColumn, refuse_same};

/// How many of the sets that hold some of the columns an error names.
const TOLD: usize = 5;

/// Refuses a reading that these tables do not have.
pub(super) fn check(about: &About, workload: &Workload, reading: &Reading) -> Result<(), ReadingError> {
    Asked::new(about, workload, reading).map(|_| ())
}

/// A reading with its columns and their cells.
pub(super) struct Asked {
    pub(super) set: ColumnSet,
    pub(super) layout: Layout,
}

impl Asked {
    pub(super) fn new(about: &About, workload: &Workload, reading: &Reading) -> Result<Self, ReadingError> {
        if reading.mean_of().is_some() {
            return Err(ReadingError::NoMean);
        }
        refuse_same(reading.shares_of(), reading.given())?;
        let set = columns(about, reading)?;
        if workload.find(&set).is_none() {
            let (columns, held) = (names(&set, &about.columns), held(about, workload, &set));
            return Err(ReadingError::NotTogether { columns, held });
        }
        let column = |&column: &u16| {
            let column = &about.columns[usize::from(column)];
            SpaceColumn { name: column.name.clone(), values: column.values.clone() }
        };
        let space = Space::new(set.columns().iter().map(column).collect());
        let layout = Layout::new(&space, reading.shares_of(), reading.given(), &|| reading.to_string())?;
        Ok(Self { set, layout })
    }
}

/// The columns of a reading.
fn columns(about: &About, reading: &Reading) -> Result<ColumnSet, ReadingError> {
    let mut found = Vec::new();
    for term in reading.shares_of().iter().chain(reading.given()) {
        let at = about.columns.iter().position(|column| column.name == term.column);
        let at = at.ok_or_else(|| ReadingError::UnknownColumn {
            column: term.column.clone(),
            columns: about.columns.iter().map(|column| column.name.clone()).collect(),
        })?;
        found.push(at as u16);
    }
    // A column may stand on both sides.
    found.sort_unstable();
    found.dedup();
    ColumnSet::new(found).map_err(|error| ReadingError::Document { reason: error.to_string() })
}

/// A few sets that hold as many of these columns as any.
fn held(about: &About, workload: &Workload, wanted: &ColumnSet) -> Vec<String> {
    let shared = |set: &ColumnSet| set.columns().iter().filter(|&&column| wanted.contains(column)).count();
    let maximal = workload.maximal().into_iter().map(|index| &workload.sets()[index]);
    let mut sets: Vec<&ColumnSet> = maximal.collect();
    // The sort keeps the order of sets that share as many.
    sets.sort_by_key(|set| std::cmp::Reverse(shared(set)));
    sets.into_iter().take(TOLD).map(|set| names(set, &about.columns)).collect()
}
