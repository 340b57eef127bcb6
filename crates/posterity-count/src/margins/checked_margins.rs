//! Sets of columns that have been checked, and the tables in which they are counted.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use posterity_core::sampler::BitSource;

use super::counted_margins::CountedMargins;
use super::cover::{cells, cover};
use crate::cell_table::CellTable;
use crate::cells::MAX_MARGIN_CELLS;
use crate::checked_questions::CheckedQuestions;
use crate::count::{GroupCounts, Resources, count_groups};
use crate::error::DataError;
use crate::question::Question;
use crate::question_group::QuestionGroup;
use crate::shared_count::SharedCount;
use crate::unit::PerUnit;

/// The most bytes that the tables of all threads take together, unless one thread needs more. By
/// [`MAX_MARGIN_CELLS`] one thread needs at most half of it.
const TABLE_BYTES: usize = 1 << 30;

/// Checked sets of columns, with everything that can be computed before a source is opened.
#[derive(Debug)]
pub(crate) struct CheckedMargins<'a> {
    pub(crate) checked: CheckedQuestions<'a>,
    sets: &'a [Vec<usize>],
    groups: Vec<QuestionGroup>,
}

/// Checks a question and sets of its columns, before a source is opened: see [`count_margins`](super::count_margins()).
///
/// # Errors
/// [`DataError`] if the question or a set is not valid, or is not counted in this way.
pub fn check_margins(question: &Question, sets: &[Vec<usize>]) -> Result<(), DataError> {
    CheckedMargins::new(question, sets).map(|_| ())
}

impl<'a> CheckedMargins<'a> {
    /// Checks the question and the sets, and finds the tables in which they are counted.
    pub(crate) fn new(question: &'a Question, sets: &'a [Vec<usize>]) -> Result<Self, DataError> {
        let checked = CheckedQuestions::whole(question)?;
        if checked.within.is_some() {
            return Err(DataError::MarginsWithin);
        }
        if let rule @ PerUnit::All(_) = &question.per_unit {
            return Err(DataError::MarginsRule { rule: rule.to_string() });
        }
        let lengths: Vec<usize> = checked.codings.iter().map(|coding| coding.dimension.len).collect();
        for (index, set) in sets.iter().enumerate() {
            let inside = set.last().is_none_or(|&last| last < lengths.len());
            if !inside || !set.is_sorted_by(|one, next| one < next) {
                return Err(DataError::MarginSet { set: index + 1 });
            }
        }
        if total_cells(&lengths, sets).is_none_or(|cells| cells > MAX_MARGIN_CELLS) {
            return Err(DataError::TooManyMarginCells);
        }
        let groups = cover(&lengths, sets);
        Ok(Self { checked, sets, groups })
    }

    /// Counts the records that `work` hands over.
    pub(crate) fn count(
        &self,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
        work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
    ) -> Result<CountedMargins, DataError> {
        let resources = Resources { threads: self.threads(resources.threads), ..*resources };
        let GroupCounts { counts, rows_scanned } =
            count_groups(&self.checked, &self.groups, bits, &resources, progress, work)?;
        let mut tables = vec![Vec::new(); self.sets.len()];
        let mut n = 0;
        for (group, counts) in self.groups.iter().zip(counts) {
            for &set in &group.parts {
                tables[set] = group.margin(&self.checked, &self.sets[set], &counts);
            }
            // Every record counts in every group, so this is the same for all of them.
            n = self.checked.counts(counts)?.total();
        }
        Ok(CountedMargins { tables, n, rows_scanned: Some(rows_scanned) })
    }

    /// As many threads as are allowed and have room for tables of their own. This is a public number.
    fn threads(&self, allowed: NonZeroUsize) -> NonZeroUsize {
        let bytes: usize = self.groups.iter().map(|group| CellTable::bytes(group.cells)).sum();
        NonZeroUsize::new(TABLE_BYTES / bytes.max(1)).unwrap_or(NonZeroUsize::MIN).min(allowed)
    }
}

fn total_cells(lengths: &[usize], sets: &[Vec<usize>]) -> Option<usize> {
    sets.iter().try_fold(0_usize, |sum, set| sum.checked_add(cells(lengths, set)?))
}
