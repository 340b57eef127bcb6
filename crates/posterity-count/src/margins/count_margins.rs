//! Counting tables over sets of columns on this machine.

use std::ops::ControlFlow;

use posterity_core::sampler::BitSource;
use posterity_formats::{Source, read};

use super::checked_margins::CheckedMargins;
use super::counted_margins::CountedMargins;
use crate::count::Resources;
use crate::error::DataError;
use crate::question::Question;

/// Counts tables over sets of the question's columns in one pass over the records. Each set lists the positions of its
/// columns in rising order. The combinations of all columns are never listed, so there may be any number of them; all
/// tables together have at most [`MAX_MARGIN_CELLS`](crate::MAX_MARGIN_CELLS) cells.
///
/// Filters, categories and units mean what they mean in [`count`](crate::count()) of all columns. So a record without a
/// category in any of the columns, also in one that no set has, is an error, or where n is private it is left out of
/// all tables. Of each unit one record counts in all tables: the one that would count in the table of all columns.
/// The private filter [`Question::within`] and the rule [`PerUnit::All`](crate::PerUnit::All) are refused.
///
/// `bits`, `resources` and `progress` are as in [`count`](crate::count()). The tables take memory too: at most 2 GiB
/// for as many cells as there may be, and for all pairs of 50 columns with eight values some tens of megabytes.
///
/// # Guarantee
/// Replacing one record, or the records of one unit, by others moves at most one count of each table, and all tables
/// stay margins of the same records. Adding or removing a record or a unit changes one count of each table by one, or
/// none of any.
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use posterity_core::sampler::SeededBits;
/// use posterity_count::{Column, Question, Resources, Source, count_margins};
/// let columns = ["smokes", "drinks", "cured"].map(|name| Column::new(name, ["yes", "no"]));
/// let pairs = [vec![0, 1], vec![0, 2], vec![1, 2]];
/// let progress = |_rows| ControlFlow::Continue(());
/// let (source, question, mut bits) =
///     (Source::files("people.csv"), Question::new(columns.into()), SeededBits::new(1));
/// let counted = count_margins(&source, &question, &pairs, &mut bits, &Resources::default(), &progress)?;
/// assert!(counted.tables.iter().all(|table| table.iter().sum::<u64>() == counted.n));
/// # Ok::<(), posterity_count::DataError>(())
/// ```
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_margins(
    source: &Source,
    question: &Question,
    sets: &[Vec<usize>],
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<CountedMargins, DataError> {
    let margins = CheckedMargins::new(question, sets)?;
    margins
        .checked
        .with_files(source, |files| margins.count(bits, resources, progress, |run| read(files, run)))
}
