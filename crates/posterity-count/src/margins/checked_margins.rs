//! Questions and sets of columns that have been checked, and the tables in which they are counted.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use posterity_core::sampler::BitSource;

use super::counted_margins::{CountedMargins, CountedTogether};
use super::cover::{cells, cover};
use super::wide_question::WideQuestion;
use crate::cell_table::CellTable;
use crate::cells::{Cells, MAX_MARGIN_CELLS};
use crate::checked_questions::{CheckedQuestions, Part};
use crate::count::{Counted, GroupCounts, Resources, count_groups};
use crate::error::DataError;
use crate::question::Question;
use crate::question_group::QuestionGroup;
use crate::shared_count::SharedCount;
use crate::unit::PerUnit;

/// The most bytes that the tables of all threads take together, unless one thread needs more. By
/// [`MAX_MARGIN_CELLS`] one thread needs at most half of it.
const TABLE_BYTES: usize = 1 << 30;

/// Checked questions and sets of columns, with everything that can be computed before a source is opened.
#[derive(Debug)]
pub(crate) struct CheckedMargins<'a> {
    pub(crate) checked: CheckedQuestions<'a>,
    /// The codings of each table in the order of its columns: those of the questions, then those of the sets.
    tables: Vec<Vec<usize>>,
    /// How many sets each wide question has.
    sets: Vec<usize>,
    /// The tables in which all of them are counted.
    pub(crate) groups: Vec<QuestionGroup>,
}

/// Checks a question and sets of its columns, before a source is opened: see [`count_margins`](super::count_margins()).
///
/// # Errors
/// [`DataError`] if the question or a set is not valid, or is not counted in this way.
pub fn check_margins(question: &Question, sets: &[Vec<usize>]) -> Result<(), DataError> {
    CheckedMargins::new(question, sets).map(|_| ())
}

/// Checks questions that are to be counted beside sets of columns, before a source is opened: see
/// [`count_together`](super::count_together()).
///
/// # Errors
/// [`DataError`] if a question or a set is not valid, or they are not counted together.
pub fn check_together(questions: &[Question], wide: &[WideQuestion<'_>]) -> Result<Vec<Cells>, DataError> {
    let checked = CheckedMargins::together(questions, wide)?.checked;
    Ok(checked.parts.into_iter().map(|part| part.cells).collect())
}

impl<'a> CheckedMargins<'a> {
    /// Checks a question and sets of its columns, and finds the tables in which they are counted.
    pub(crate) fn new(question: &'a Question, sets: &[Vec<usize>]) -> Result<Self, DataError> {
        Self::together(&[], &[WideQuestion { question, sets: sets.to_vec() }])
    }

    /// The same of questions, and of sets of the columns of others.
    pub(crate) fn together(questions: &'a [Question], wide: &[WideQuestion<'a>]) -> Result<Self, DataError> {
        let asked: Vec<&Question> = wide.iter().map(|one| one.question).collect();
        let (checked, columns) = CheckedQuestions::together(questions, &asked)?;
        if checked.within.is_some() {
            return Err(DataError::MarginsWithin);
        }
        let own = !checked.parts.is_empty() && checked.unit.is_some();
        match &checked.question.per_unit {
            rule @ PerUnit::All(_) => return Err(DataError::MarginsRule { rule: rule.to_string() }),
            rule @ (PerUnit::First | PerUnit::Mode) if own => {
                return Err(DataError::TogetherRule { rule: rule.to_string() });
            }
            _ => {}
        }
        let mut tables: Vec<Vec<usize>> = checked.parts.iter().map(|part| part.codings.clone()).collect();
        for (one, columns) in wide.iter().zip(&columns) {
            for (index, set) in one.sets.iter().enumerate() {
                let inside = set.last().is_none_or(|&last| last < columns.len());
                if !inside || !set.is_sorted_by(|one, next| one < next) {
                    return Err(DataError::MarginSet { set: index + 1 });
                }
                tables.push(set.iter().map(|&column| columns[column]).collect());
            }
        }
        let lengths: Vec<usize> = checked.codings.iter().map(|coding| coding.dimension.len).collect();
        if total_cells(&lengths, &tables).is_none_or(|cells| cells > MAX_MARGIN_CELLS) {
            return Err(DataError::TooManyMarginCells);
        }
        let groups = cover(&lengths, &tables);
        Ok(Self { checked, tables, sets: wide.iter().map(|one| one.sets.len()).collect(), groups })
    }

    /// Counts the records that `work` hands over in the tables of the only wide question.
    pub(crate) fn count(
        &self,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
        work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
    ) -> Result<CountedMargins, DataError> {
        let GroupCounts { counts, rows_scanned } = self.groups(bits, resources, progress, work)?;
        self.of_groups(counts, Some(rows_scanned))
    }

    /// The tables of the only wide question, from the counts of the groups.
    pub(crate) fn of_groups(
        &self,
        counts: Vec<Vec<u64>>,
        rows_scanned: Option<u64>,
    ) -> Result<CountedMargins, DataError> {
        let (tables, n) = self.tables(counts)?;
        Ok(CountedMargins { tables, n, rows_scanned })
    }

    /// Counts the records that `work` hands over in all tables.
    pub(crate) fn count_together(
        &self,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
        work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
    ) -> Result<CountedTogether, DataError> {
        let GroupCounts { counts, rows_scanned } = self.groups(bits, resources, progress, work)?;
        let (rows_scanned, (tables, n)) = (Some(rows_scanned), self.tables(counts)?);
        let mut tables = tables.into_iter();
        let answer = |(part, counts): (&Part, Vec<u64>)| {
            let (counts, categories) = (self.checked.counts(counts)?, part.cells.categories().clone());
            Ok::<_, DataError>(Counted { counts, categories, rows_scanned })
        };
        let questions =
            self.checked.parts.iter().zip(tables.by_ref()).map(answer).collect::<Result<_, _>>()?;
        let margins =
            |&sets: &usize| CountedMargins { tables: tables.by_ref().take(sets).collect(), n, rows_scanned };
        Ok(CountedTogether { questions, margins: self.sets.iter().map(margins).collect() })
    }

    /// The counts of the groups.
    fn groups(
        &self,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
        work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
    ) -> Result<GroupCounts, DataError> {
        let resources = Resources { threads: self.threads(resources.threads), ..*resources };
        count_groups(&self.checked, &self.groups, bits, &resources, progress, work)
    }

    /// All tables, and the number of records or units that count, from the counts of the groups.
    fn tables(&self, counts: Vec<Vec<u64>>) -> Result<(Vec<Vec<u64>>, u64), DataError> {
        let mut tables = vec![Vec::new(); self.tables.len()];
        let mut n = 0;
        for (group, counts) in self.groups.iter().zip(counts) {
            for &table in &group.parts {
                tables[table] = group.margin(&self.checked, &self.tables[table], &counts);
            }
            // Every record counts in every group, so this is the same for all of them.
            n = self.checked.counts(counts)?.total();
        }
        Ok((tables, n))
    }

    /// As many threads as are allowed and have room for tables of their own. This is a public number.
    fn threads(&self, allowed: NonZeroUsize) -> NonZeroUsize {
        let bytes: usize = self.groups.iter().map(|group| CellTable::bytes(group.cells)).sum();
        NonZeroUsize::new(TABLE_BYTES / bytes.max(1)).unwrap_or(NonZeroUsize::MIN).min(allowed)
    }
}

fn total_cells(lengths: &[usize], tables: &[Vec<usize>]) -> Option<usize> {
    tables.iter().try_fold(0_usize, |sum, table| sum.checked_add(cells(lengths, table)?))
}
