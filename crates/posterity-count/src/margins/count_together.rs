//! Counting questions and tables over sets of columns in one pass.

use std::ops::ControlFlow;

use posterity_core::sampler::BitSource;
use posterity_formats::{Source, read};

use super::checked_margins::CheckedMargins;
use super::counted_margins::CountedTogether;
use super::wide_question::WideQuestion;
use crate::count::Resources;
use crate::error::DataError;
use crate::question::Question;

/// Counts questions, and tables over sets of the columns of others, in one pass over the records. All of them must have the
/// same filter, the same unit and the same adjacency.
///
/// All columns of all questions together are those of one wide question, as in [`count_margins`](super::count_margins()):
/// a record counts in all tables or in none, and of each unit one record counts in all tables. The private filter is
/// refused, and so are the rules [`PerUnit::All`](crate::PerUnit::All), and beside questions
/// [`PerUnit::First`](crate::PerUnit::First) and [`PerUnit::Mode`](crate::PerUnit::Mode), by which each question chooses
/// the record of a unit by its own columns.
///
/// # Guarantee
/// Every table is a margin of the table of all columns, of which replacing one record, or the records of one unit, moves
/// one count at most; adding or removing one changes one count by one, or none (docs/proofs/stability.md).
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use posterity_core::sampler::SeededBits;
/// use posterity_count::{Column, Question, Resources, Source, WideQuestion, count_together};
/// let columns = ["smokes", "drinks", "cured"].map(|name| Column::new(name, ["yes", "no"]));
/// let question = Question::new(vec![columns[2].clone()]);
/// let wide = Question::new(columns.into());
/// let pairs = WideQuestion { question: &wide, sets: vec![vec![0, 1], vec![0, 2], vec![1, 2]] };
/// let progress = |_rows| ControlFlow::Continue(());
/// let (source, mut bits) = (Source::files("people.csv"), SeededBits::new(1));
/// let counted = count_together(&source, &[question], &[pairs], &mut bits, &Resources::default(), &progress)?;
/// assert_eq!(counted.questions[0].counts.total(), counted.margins[0].n);
/// # Ok::<(), posterity_count::DataError>(())
/// ```
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_together(
    source: &Source,
    questions: &[Question],
    wide: &[WideQuestion<'_>],
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<CountedTogether, DataError> {
    let tables = CheckedMargins::together(questions, wide)?;
    let count = |files: &_| tables.count_together(bits, resources, progress, |run| read(files, run));
    tables.checked.with_files(source, count)
}
