//! Counting every value that occurs in a column of a source.

use std::fmt;
use std::ops::ControlFlow;

#[cfg(feature = "arrow")]
use arrow_array::RecordBatch;
#[cfg(feature = "arrow")]
use arrow_schema::Schema;
use posterity_core::sampler::BitSource;
#[cfg(feature = "arrow")]
use posterity_formats::{MixedColumn, read_batches};
use posterity_formats::{Source, read};

use super::asked::ValuesAsked;
use super::gather::{Gather, UnitSecrets};
use super::merge::{Merged, STEPS};
use super::run::{Run, damaged};
use crate::checked_questions::CheckedQuestions;
use crate::count::{Resources, draw, on_threads};
use crate::error::DataError;
use crate::unit::UnitHash;

/// Every value that occurs in a column, with its count: private data without any noise. What does not fit into memory is
/// in temporary files. Made by [`gather_values`].
pub struct Values {
    runs: Vec<Run>,
}

/// Counts every value that occurs in a column. They are never all in memory; [`Values::each`] hands them over one after
/// the other.
///
/// Values and counts are private data without any noise. A value that is not shown, because its noisy count is too
/// small, must be named nowhere: whoever takes the values should keep those only that are shown.
///
/// `bits` are used where there is a unit, as in [`count`](crate::count()): the same bits choose the same record of each
/// unit. `progress` is called now and then, on this thread, always with 0, because n is private; if it breaks, the count
/// ends.
///
/// # Guarantee
/// One record more, or without it the records of one unit more, changes the count of one value by one or nothing; a
/// value that does not occur has the count 0. Which value that is depends on that record or unit only
/// (`docs/proofs/units.md`). No value is left out because there are too many: they go to temporary files where
/// [`Resources::memory`] ends.
///
/// ```
/// use std::ops::ControlFlow;
/// use posterity_core::sampler::SeededBits;
/// use posterity_count::{DataError, Resources, Source, ValuesAsked, gather_values};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("visits.csv");
/// # std::fs::write(&path, "id,ward\n1,B\n2,A\n3,B\n3,B\n4,\n")?;
/// # let path = path.to_str().ok_or("a path")?;
/// let asked = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("ward") };
/// let (mut bits, go_on) = (SeededBits::new(1), |_| ControlFlow::Continue(()));
/// let values = gather_values(&Source::files(path), &asked, &mut bits, &Resources::default(), &go_on)?;
/// let mut found = Vec::new();
/// values.each(&go_on, &mut |value, count| {
///     // This is where noise and threshold belong.
///     found.push((value.to_owned(), count));
///     Ok::<(), DataError>(())
/// })?;
/// assert_eq!(found, [("A".into(), 1), ("B".into(), 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`DataError`], which contains no value of a record and no place in a file.
pub fn gather_values(
    source: &Source,
    asked: &ValuesAsked,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Values, DataError> {
    let question = asked.question();
    let checked = asked.checked(&question)?;
    let runs = checked.with_files(source, |files| {
        gather(&checked, asked, bits, resources, progress, |gather| read(files, gather))
    })?;
    Ok(Values { runs })
}

/// Gathers the values of columns in memory: see [`Frame`](crate::Frame).
#[cfg(feature = "arrow")]
pub(crate) fn gather_in_memory(
    (schema, batches, mixed): (&Schema, &[RecordBatch], &[(String, MixedColumn)]),
    asked: &ValuesAsked,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Values, DataError> {
    let question = asked.question();
    let checked = asked.checked(&question)?;
    let work = |gather: &Gather<'_>| read_batches(schema, batches, mixed, gather);
    Ok(Values { runs: gather(&checked, asked, bits, resources, progress, work)? })
}

impl Values {
    /// Hands over each value once with its count, sorted by their bytes. `progress` is called now and then, always with 0;
    /// if it breaks, no more values are handed over.
    ///
    /// # Errors
    /// Those of `each`, and [`DataError`] if it is to end or a temporary file cannot be read.
    pub fn each<E: From<DataError>>(
        self,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
        each: &mut dyn FnMut(&str, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut merged = Merged::new(self.runs, usize::MAX).map_err(DataError::from)?;
        for step in 0.. {
            if step % STEPS == 0 && progress(0).is_break() {
                return Err(DataError::Stopped.into());
            }
            let Some((value, count)) = merged.next().map_err(DataError::from)? else { break };
            // Readers have checked that text is UTF-8.
            let value = std::str::from_utf8(value).map_err(|_| DataError::from(damaged()))?;
            each(value, count)?;
        }
        Ok(())
    }
}

/// Hides the data.
impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").finish_non_exhaustive()
    }
}

/// Gathers the values on other threads, and calls `progress` on this one meanwhile.
fn gather(
    checked: &CheckedQuestions<'_>,
    asked: &ValuesAsked,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
    work: impl FnOnce(&Gather<'_>) -> Result<(), DataError> + Send,
) -> Result<Vec<Run>, DataError> {
    let units = match checked.unit {
        None => None,
        Some(_) => {
            // In the order in which a count of declared categories draws them.
            let seed = draw(bits)?;
            Some(UnitSecrets { seed, hash: UnitHash::new(&draw(bits)?) })
        }
    };
    let gather = Gather::new(checked, asked, units, resources);
    let tell = || {
        if progress(0).is_break() {
            gather.stop();
        }
    };
    let mut runs = Vec::new();
    on_threads(resources, &tell, || {
        work(&gather)?;
        runs = gather.finish()?;
        Ok(())
    })?;
    Ok(runs)
}
