//! What a count leaves out, for whoever prepares the data.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use posterity_formats::{Piece, Source, Value, Visitor, read};
use serde::Serialize;

use crate::cells::Dimension;
use crate::checked_questions::CheckedQuestions;
use crate::count::{Resources, on_threads};
use crate::error::DataError;
use crate::filter::printed;
use crate::order_key::order_key;
use crate::question::Question;
use crate::thread_tally::{Key, Memo, Truth, key, truth};
use crate::unit::MAX_ORDER;
use crate::value_coder::{MISSING, OUTSIDE, UNNAMED, ValueCoder};

/// What a count of a question leaves out, or is refused for. It is private data, without any noise, and quotes values:
/// show it to the owner of the data only.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// How many records there are.
    pub records: u64,
    /// For how many of them the filter is not true.
    pub filtered: u64,
    /// For how many of them the filter has no answer.
    pub unanswered: u64,
    /// How many of those that pass the filter are outside the private filter.
    pub outside: u64,
    /// For how many of those that pass the filter the private one has no answer.
    pub within_unanswered: u64,
    /// How many of those that pass the filter have no unit, or one without an exact name.
    pub no_unit: u64,
    /// How many of those that pass the filter have no place in the order of a unit's records.
    pub no_order: u64,
    /// What the columns of the question lack, over the records that pass both filters.
    pub columns: Vec<LeftOutColumn>,
    /// How many records count, or are among those of which a unit's record is chosen.
    pub counted: u64,
}

/// What one column lacks.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOutColumn {
    /// Its name.
    pub name: String,
    /// How many values are not declared. They count where [`Column::other`](crate::Column::other) says.
    pub undeclared: u64,
    /// How many values are missing. They count where [`Column::missing`](crate::Column::missing) says.
    pub missing: u64,
    /// How many values have no exact name.
    pub unnamed: u64,
    /// The undeclared values that are most frequent, and how often they occur; at most [`MAX_UNDECLARED`]. Of a longer
    /// value its first hundred letters stand here. If there are more than 65,536 different ones, some may be missing.
    pub most_frequent: Vec<UndeclaredValue>,
}

/// A value that is not declared.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UndeclaredValue {
    /// The value.
    pub value: String,
    /// How often it occurs.
    pub records: u64,
    /// The category that it resembles, of which it may be meant as an alias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias_of: Option<String>,
}

/// How many undeclared values of a column are listed.
pub const MAX_UNDECLARED: usize = 20;

/// How many undeclared values of a column are told apart.
const MAX_DIFFERENT: usize = 1 << 16;

/// How many letters of a value are listed.
const MAX_LETTERS: usize = 100;

/// Looks at every record of a source, and tells what a count of the question leaves out. Nothing of it is an error; what
/// else may fail is as in [`count`](crate::count()).
///
/// ```no_run
/// use std::ops::ControlFlow;
/// use posterity_count::{Column, Question, Resources, Source, left_out};
/// let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
/// let progress = |_rows| ControlFlow::Continue(());
/// let left_out = left_out(&Source::files("people.csv"), &question, &Resources::default(), &progress)?;
/// for found in &left_out.columns[0].most_frequent {
///     println!("{:?} is not declared, and occurs {} times", found.value, found.records);
/// }
/// # Ok::<(), posterity_count::DataError>(())
/// ```
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn left_out(
    source: &Source,
    question: &Question,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<LeftOut, DataError> {
    let checked = CheckedQuestions::whole(question)?;
    let files = if checked.leaves_out() { source.find_perhaps_empty() } else { source.find() }?;
    let look = Look::new(&checked);
    let tell = || {
        if progress(look.rows.load(Ordering::Relaxed)).is_break() {
            look.stopped.store(true, Ordering::Relaxed);
        }
    };
    on_threads(resources, &tell, || read(&files, &look))?;
    Ok(look.found.into_inner().unwrap_or_else(PoisonError::into_inner).finish(&checked))
}

/// A look at all records, by several threads.
struct Look<'a> {
    checked: &'a CheckedQuestions<'a>,
    /// For each column, what finds a value among the declared ones alone.
    declared: Vec<ValueCoder>,
    found: Mutex<Found>,
    rows: AtomicU64,
    stopped: AtomicBool,
}

/// What was found, without the names of the columns.
#[derive(Default)]
struct Found {
    sums: LeftOut,
    undeclared: Vec<HashMap<String, u64>>,
}

impl<'a> Look<'a> {
    fn new(checked: &'a CheckedQuestions<'a>) -> Self {
        let declared = checked.codings.iter().map(|coding| {
            ValueCoder::new(&Dimension { other: None, missing: None, ..coding.dimension.clone() })
        });
        Self {
            checked,
            declared: declared.collect(),
            found: Mutex::new(Found::new(checked)),
            rows: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Looks at one record.
    fn record<P: Piece + ?Sized>(&self, piece: &P, row: usize, memos: &mut Memos, found: &mut Found) {
        let (checked, sums) = (self.checked, &mut found.sums);
        if let Some((filter, columns)) = &checked.filter {
            match truth(filter, columns, piece, row, &mut memos.filter) {
                Ok(true) => {}
                Ok(false) => return sums.filtered += 1,
                Err(_) => return sums.unanswered += 1,
            }
        }
        let mut counts = true;
        if let Some(unit) = checked.unit
            && !matches!(key(piece.value(unit, row)), Key::Of(..))
        {
            sums.no_unit += 1;
            counts = false;
        }
        if let Some(order) = checked.order
            && order_key(piece.value(order, row)).is_none_or(|key| key.len() > MAX_ORDER)
        {
            sums.no_order += 1;
            counts = false;
        }
        let inside = checked.within.as_ref().is_none_or(|(filter, columns)| {
            let answer = truth(filter, columns, piece, row, &mut memos.within);
            sums.within_unanswered += u64::from(answer.is_err());
            answer == Ok(true)
        });
        sums.outside += u64::from(!inside);
        if inside {
            counts &= self.columns(piece, row, found);
        }
        found.sums.counted += u64::from(counts);
    }

    /// Looks at the columns of the question, and says whether the record has a category.
    fn columns<P: Piece + ?Sized>(&self, piece: &P, row: usize, found: &mut Found) -> bool {
        let mut known = true;
        for (index, coding) in self.checked.codings.iter().enumerate() {
            let value = piece.value(coding.column, row);
            known &= coding.coder.code(value) < UNNAMED;
            let column = &mut found.sums.columns[index];
            match self.declared[index].code(value) {
                OUTSIDE => {
                    column.undeclared += 1;
                    add(&mut found.undeclared[index], shown(value), 1);
                }
                MISSING => column.missing += 1,
                UNNAMED => column.unnamed += 1,
                _ => {}
            }
        }
        known
    }
}

/// What the filters said of values of dictionaries.
#[derive(Default)]
struct Memos {
    filter: Memo<Truth>,
    within: Memo<Truth>,
}

impl<'a> Visitor for Look<'a> {
    type Error = DataError;
    type Wanted = CheckedQuestions<'a>;
    type Part = ();

    fn wanted(&self) -> &CheckedQuestions<'a> {
        self.checked
    }

    fn part(&self, _file: u32, _part: u32) {}

    fn piece<P: Piece + ?Sized>(&self, (): &mut (), piece: &P) -> Result<(), DataError> {
        if self.stopped.load(Ordering::Relaxed) {
            return Err(DataError::Stopped);
        }
        let mut found = Found::new(self.checked);
        found.sums.records = piece.rows() as u64;
        let mut memos = Memos::default();
        for row in 0..piece.rows() {
            self.record(piece, row, &mut memos, &mut found);
        }
        self.found.lock().unwrap_or_else(PoisonError::into_inner).absorb(found);
        self.rows.fetch_add(piece.rows() as u64, Ordering::Relaxed);
        Ok(())
    }
}

impl Found {
    fn new(checked: &CheckedQuestions<'_>) -> Self {
        let columns = checked.codings.len();
        let sums = LeftOut { columns: vec![LeftOutColumn::default(); columns], ..LeftOut::default() };
        Self { sums, undeclared: vec![HashMap::new(); columns] }
    }

    fn absorb(&mut self, other: Self) {
        let LeftOut {
            records,
            filtered,
            unanswered,
            outside,
            within_unanswered,
            no_unit,
            no_order,
            columns,
            counted,
        } = other.sums;
        let sums = &mut self.sums;
        sums.records += records;
        sums.filtered += filtered;
        sums.unanswered += unanswered;
        sums.outside += outside;
        sums.within_unanswered += within_unanswered;
        sums.no_unit += no_unit;
        sums.no_order += no_order;
        sums.counted += counted;
        for (sum, column) in sums.columns.iter_mut().zip(columns) {
            sum.undeclared += column.undeclared;
            sum.missing += column.missing;
            sum.unnamed += column.unnamed;
        }
        for (sum, values) in self.undeclared.iter_mut().zip(other.undeclared) {
            values.into_iter().for_each(|(value, times)| add(sum, value, times));
        }
    }

    fn finish(self, checked: &CheckedQuestions<'_>) -> LeftOut {
        let mut sums = self.sums;
        for ((column, values), coding) in sums.columns.iter_mut().zip(self.undeclared).zip(&checked.codings) {
            coding.dimension.column.clone_into(&mut column.name);
            let mut values: Vec<(String, u64)> = values.into_iter().collect();
            values.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
            values.truncate(MAX_UNDECLARED);
            let undeclared = |(value, records): (String, u64)| {
                let alias_of = coding.resembled_name(&value);
                UndeclaredValue { value, records, alias_of }
            };
            column.most_frequent = values.into_iter().map(undeclared).collect();
        }
        sums
    }
}

/// Counts a value, unless it is one too many.
fn add(values: &mut HashMap<String, u64>, value: String, times: u64) {
    if let Some(sum) = values.get_mut(&value) {
        *sum += times;
    } else if values.len() < MAX_DIFFERENT {
        values.insert(value, times);
    }
}

/// A value as it is listed.
fn shown(value: Value<'_>) -> String {
    let printed = printed(value).unwrap_or_default();
    String::from_utf8_lossy(&printed).chars().take(MAX_LETTERS).collect()
}

/// Hides the data.
impl fmt::Debug for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeftOut").finish_non_exhaustive()
    }
}

/// Hides the data.
impl fmt::Debug for UndeclaredValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UndeclaredValue").finish_non_exhaustive()
    }
}

/// Hides the data.
impl fmt::Debug for LeftOutColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeftOutColumn").field("name", &self.name).finish_non_exhaustive()
    }
}
