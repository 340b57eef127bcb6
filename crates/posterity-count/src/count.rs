//! Counting the records of a source on this machine.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use posterity_core::model::{Adjacency, Categories, Counts};
use posterity_core::sampler::BitSource;
use posterity_formats::{Source, read};

use crate::cells::Cells;
use crate::checked_questions::{CheckedQuestions, Part};
use crate::error::DataError;
use crate::question::Question;
use crate::question_group::QuestionGroup;
use crate::shared_count::SharedCount;
use crate::unit::UnitHash;
use crate::unit_count::UnitCount;

/// The answer to a question. The counts are the private data; see [`Counts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How many records, or units, fall into each category.
    pub counts: Counts,
    /// The names of the categories, in the same order.
    pub categories: Categories,
    /// How many rows were read, if that is known. This is private where units have several records, unlike n, and
    /// where n is private: show it to the owner of the data only.
    pub rows_scanned: Option<u64>,
}

/// The memory and the threads that a count may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes for the units; beyond them, entries go to temporary files. Buffers for reading come on top: some tens of
    /// megabytes, and never more than half a gigabyte.
    pub memory: usize,
    /// Threads that read and count.
    pub threads: NonZeroUsize,
}

impl Default for Resources {
    /// 512 MiB, and as many threads as the machine runs at once, but at most eight.
    fn default() -> Self {
        let eight = NonZeroUsize::MIN.saturating_add(7);
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN).min(eight);
        Self { memory: 512 << 20, threads }
    }
}

/// How often the caller is told how far the count is.
const TICK: Duration = Duration::from_millis(100);

/// Counts on this machine, and returns when it is done.
///
/// `bits` are used where the question has a unit: to draw one of its records, and to tell units apart in temporary
/// files. They must not be known to anyone if the counts are to be released with a promise of privacy. `progress` is
/// called now and then, on this thread, with the rows read so far, or 0 where n is private; if it breaks, the count ends.
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count(
    source: &Source,
    question: &Question,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Counted, DataError> {
    count_all(source, std::slice::from_ref(question), bits, resources, progress)
        .map(|mut counted| counted.remove(0))
}

/// Counts several questions in one pass over the records, each value of which is looked up once. The answers are those
/// that [`count()`] gives to each question by itself with the same bits, and replacing one record, or the records of
/// one unit, moves at most one count of each.
///
/// All questions must have the same filters, the same unit and the same adjacency. A record that has no category in one
/// of them makes all refused, or is left out of that one: see [`Question::adjacency`].
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use posterity_core::sampler::SeededBits;
/// use posterity_count::{Column, Question, Resources, Source, count_all};
/// let (ward, cured) = (Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"]));
/// let questions = [Question::new(vec![ward.clone(), cured.clone()]), Question::new(vec![cured])];
/// let progress = |_rows| ControlFlow::Continue(());
/// let (source, mut bits) = (Source::files("people.csv"), SeededBits::new(1));
/// let counted = count_all(&source, &questions, &mut bits, &Resources::default(), &progress)?;
/// assert_eq!(counted[0].counts.total(), counted[1].counts.total());
/// # Ok::<(), posterity_count::DataError>(())
/// ```
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_all(
    source: &Source,
    questions: &[Question],
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Vec<Counted>, DataError> {
    let checked = CheckedQuestions::all(questions)?;
    checked.with_files(source, |files| run(&checked, bits, resources, progress, |run| read(files, run)))
}

/// Checks questions that are to be counted together, before a source is opened.
///
/// # Errors
/// [`DataError`] if one of them declares no cells, a filter cannot be read, or they are not of the same records.
pub fn check_all(questions: &[Question]) -> Result<Vec<Cells>, DataError> {
    CheckedQuestions::all(questions).map(|checked| checked.parts.into_iter().map(|part| part.cells).collect())
}

/// Runs a count of all questions on other threads, and calls `progress` on this one meanwhile.
pub(crate) fn run(
    checked: &CheckedQuestions<'_>,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
    work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
) -> Result<Vec<Counted>, DataError> {
    let groups = QuestionGroup::of(checked);
    run_groups(checked, &groups, bits, resources, progress, work)
}

/// Runs a count in the tables in which the questions are counted.
pub(crate) fn run_groups(
    checked: &CheckedQuestions<'_>,
    groups: &[QuestionGroup],
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
    work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
) -> Result<Vec<Counted>, DataError> {
    let GroupCounts { counts, rows_scanned } =
        count_groups(checked, groups, bits, resources, progress, work)?;
    let counts = counts_of_parts(checked, groups, &counts)?;
    let answer = |(part, counts): (&Part, Counts)| {
        let categories = part.cells.categories().clone();
        Counted { counts, categories, rows_scanned: Some(rows_scanned) }
    };
    Ok(checked.parts.iter().zip(counts).map(answer).collect())
}

/// What was counted in the tables of groups.
pub(crate) struct GroupCounts {
    /// The counts of the cells of each group.
    pub(crate) counts: Vec<Vec<u64>>,
    pub(crate) rows_scanned: u64,
}

/// Counts in the tables of groups, on other threads, and calls `progress` on this one meanwhile.
pub(crate) fn count_groups(
    checked: &CheckedQuestions<'_>,
    groups: &[QuestionGroup],
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
    work: impl FnOnce(&SharedCount<'_>) -> Result<(), DataError> + Send,
) -> Result<GroupCounts, DataError> {
    let mut seed = [0; 32];
    let units = match checked.unit {
        None => None,
        Some(_) => {
            seed = draw(bits)?;
            let hash = UnitHash::new(&draw(bits)?);
            Some(UnitCount::new(checked, groups, hash, resources.memory))
        }
    };
    let run = SharedCount::new(checked, groups, units, seed);
    let is_public = checked.question.adjacency == Adjacency::Replace;
    let tell = || {
        // Where n is private, progress shows nothing of it.
        if progress(if is_public { run.rows() } else { 0 }).is_break() {
            run.stop();
        }
    };
    on_threads(resources, &tell, || work(&run))?;
    let (tally, units) = run.finish();
    let rows_scanned = tally.rows();
    let by_unit = || units.map(|units| units.finish(checked, groups, resources.threads)).transpose();
    let counts = tally.finish(checked, by_unit)?;
    Ok(GroupCounts { counts, rows_scanned })
}

/// The counts of each question, from those of the groups.
fn counts_of_parts(
    checked: &CheckedQuestions<'_>,
    groups: &[QuestionGroup],
    of_groups: &[Vec<u64>],
) -> Result<Vec<Counts>, DataError> {
    let mut of_parts: Vec<Option<Counts>> = vec![None; checked.parts.len()];
    for (group, counts) in groups.iter().zip(of_groups) {
        for &part in &group.parts {
            of_parts[part] = Some(checked.counts(group.sum(checked, part, counts))?);
        }
    }
    // Every question belongs to a group.
    Ok(of_parts.into_iter().flatten().collect())
}

/// Does work on other threads, and calls `tell` on this one now and then, and once when the work is done.
pub(crate) fn on_threads(
    resources: &Resources,
    tell: &dyn Fn(),
    work: impl FnOnce() -> Result<(), DataError> + Send,
) -> Result<(), DataError> {
    let refused = |_| DataError::Threads;
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(resources.threads.get()).build().map_err(refused)?;
    let (done, wait) = mpsc::channel();
    let result = std::thread::scope(|scope| {
        let pool = &pool;
        let worker = scope.spawn(move || {
            let result = pool.install(work);
            // This cannot fail: the receiver lives until this thread has ended.
            let _ = done.send(());
            result
        });
        while wait.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
            tell();
        }
        // A panic comes from a reader that met a file its authors did not foresee.
        worker.join().unwrap_or(Err(DataError::Unforeseen))
    });
    result?;
    // Whether the work is to end is told too late here, because it is done.
    tell();
    Ok(())
}

/// Random bytes.
pub(crate) fn draw<const BYTES: usize>(bits: &mut dyn BitSource) -> Result<[u8; BYTES], DataError> {
    let mut bytes = [0; BYTES];
    for word in bytes.as_chunks_mut::<8>().0 {
        *word = bits.next_u64()?.to_le_bytes();
    }
    Ok(bytes)
}
