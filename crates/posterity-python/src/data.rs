//! Takes the data from Python: a mapping of counts, labels or a table in memory, or a path.

use posterity::data::{Adjacency, Column, DataError, LabelCounter, Question, Resources, Source};
use posterity::plan::{Plan, PlannedTable};
use posterity::{Categories, Counts, Randomness};
use posterity_present::InMemory;
use posterity_present::argument::{Records, looks_like_counts};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyMapping, PyString};

use crate::argument::{is_set, items, whole};
use crate::call::Call;
use crate::capsule::{self, Columns, Offer};
use crate::dataframe::{DataFrame, is_a, is_series_of_objects};
use crate::error::Failure;
use crate::interrupt::Watch;
use crate::labels::{self, COLUMN, with_label, with_label_if_named};
use crate::memory::Memory;
use crate::numpy;
use crate::objects;
use crate::records::declared_names;
use crate::tallies::refuse_tallies;

/// Data as it was given, before it is known what is asked of it.
pub(crate) enum Offered<'py> {
    /// The path of files.
    Files(String),
    /// The records that a plan names.
    OfPlan(Source),
    /// A table whose columns are taken one by one.
    Frame(Bound<'py, PyAny>),
    /// Columns, or labels, that are read through Arrow.
    Arrow(Columns),
    /// Counts of these categories.
    Counts { counts: Bound<'py, PyMapping>, names: Vec<String>, published_keys: bool },
    /// Labels of these categories.
    Labels { labels: Bound<'py, PyAny>, names: Vec<String> },
}

impl<'py> Offered<'py> {
    /// What the data is. Arguments that have no meaning for it are refused.
    pub(crate) fn new(call: &Call<'py>, adjacency: Adjacency) -> Result<Self, Failure> {
        let data = call.need("data")?;
        // Counts that look like labels are told first.
        let columns = Self::columns(call, &data, adjacency)?;
        refuse_column_of_series(call, &data)?;
        let Some(columns) = columns else {
            refuse_columns(call)?;
            return match data.cast::<PyMapping>() {
                Ok(counts) => Self::counts(call, counts),
                Err(_) => {
                    Ok(Self::Labels { labels: data, names: declared_names(call.get("categories").as_ref())? })
                }
            };
        };
        if !columns.is_table() {
            refuse_columns(call)?;
        }
        Ok(columns)
    }

    /// The data, if it has columns with names.
    pub(crate) fn of_table(call: &Call<'py>, adjacency: Adjacency) -> Result<Self, Failure> {
        let columns = Self::columns(call, &call.need("data")?, adjacency)?;
        columns.filter(Self::is_table).ok_or_else(no_table)
    }

    /// The data, if it has columns, be it one without a name.
    fn columns(
        call: &Call<'py>,
        data: &Bound<'py, PyAny>,
        adjacency: Adjacency,
    ) -> Result<Option<Self>, Failure> {
        if is_path(data) {
            return Ok(Some(Self::Files(checked_path(call)?)));
        }
        refuse(call, &["input_format", "delimiter", "encoding", "table", "view"], FOR_FILES)?;
        if data.cast::<PyMapping>().is_ok() {
            return Ok(None);
        }
        refuse_tallies(data, adjacency)?;
        if is_a(data, "polars", "LazyFrame")? {
            return Err(Failure::argument(
                "data",
                "this is a LazyFrame, which holds no records yet; write frame.collect(), or name the file that it scans",
            ));
        }
        if DataFrame::new(data)?.is_some() {
            return Ok(Some(Self::Frame(data.clone())));
        }
        if is_series_of_objects(data)? {
            return Ok(None);
        }
        match capsule::take(data)? {
            Offer::Columns(columns) => Ok(Some(Self::Arrow(columns))),
            // It would be taken for the list of its columns' names.
            Offer::NeedsPackage if is_table(data) => Err(Failure::NeedsArrow),
            Offer::Nothing if is_table(data) => Err(Failure::NoInterface),
            Offer::NeedsPackage | Offer::Nothing => Ok(None),
        }
    }

    fn counts(call: &Call<'_>, counts: &Bound<'py, PyMapping>) -> Result<Self, Failure> {
        let categories = call.get("categories");
        // Someone wrote down the keys of a plain dictionary. Those of a Counter and the like are what occurred.
        if categories.is_none() && !counts.is_exact_instance_of::<PyDict>() {
            return Err(Failure::argument(
                "categories",
                "the data is a mapping other than a plain dict, such as a Counter, whose keys may be the values that occur, and \
                 they would be published; list all possible labels here, or give a dict whose keys do not come from the data",
            ));
        }
        let published_keys = categories.is_none();
        let names = if published_keys { keys(counts)? } else { declared_names(categories.as_ref())? };
        Ok(Self::Counts { counts: counts.clone(), names, published_keys })
    }

    /// Whether it has columns with names.
    fn is_table(&self) -> bool {
        match self {
            Self::Files(_) | Self::OfPlan(_) | Self::Frame(_) => true,
            Self::Arrow(columns) => columns.is_table,
            Self::Counts { .. } | Self::Labels { .. } => false,
        }
    }

    /// How a plan names the records.
    pub(crate) fn records(&self, call: &Call<'_>) -> Result<Records, Failure> {
        Ok(match self {
            Self::Files(path) => Records::Files(path.clone()),
            Self::Counts { names, .. } | Self::Labels { names, .. } => Records::Labels(names.clone()),
            Self::Arrow(columns) if !columns.is_table => {
                Records::Labels(declared_names(call.get("categories").as_ref())?)
            }
            Self::OfPlan(_) | Self::Frame(_) | Self::Arrow(_) => Records::Table,
        })
    }

    /// Takes the columns of a table that a question names. Files may be shown by another name than their path.
    pub(crate) fn take_table(
        self,
        plan: &Plan,
        question: &Question,
        shown: Option<String>,
    ) -> Result<TakenTable, Failure> {
        match self {
            Self::Files(path) => Ok(TakenTable::Files(plan.files(path), shown)),
            Self::OfPlan(source) => Ok(TakenTable::Files(source, shown)),
            Self::Frame(frame) => Ok(TakenTable::Columns(taken(&frame, question)?)),
            Self::Arrow(columns) => Ok(TakenTable::Columns(Memory::theirs(columns))),
            Self::Counts { .. } | Self::Labels { .. } => Err(no_table()),
        }
    }

    /// Takes the data for the only question of a plan, which is about declared cells. Files may be shown by another name than
    /// their path.
    pub(crate) fn take(
        self,
        plan: &Plan,
        asked: &PlannedTable,
        shown: Option<String>,
    ) -> Result<TakenData, Failure> {
        let mut question = asked.question().clone();
        if let (false, [column]) = (self.is_table(), &mut *question.columns) {
            COLUMN.clone_into(&mut column.name);
        }
        let name = (!plan.source().is_empty()).then(|| plan.source().to_owned());
        Ok(match self {
            Self::Files(path) => TakenData::Files(plan.files(path), question, shown),
            Self::OfPlan(source) => TakenData::Files(source, question, shown),
            Self::Frame(frame) => {
                let columns = taken(&frame, &question)?;
                TakenData::Columns { columns, known: known(question, name, true) }
            }
            Self::Arrow(columns) => {
                let known = known(question, name, columns.is_table);
                TakenData::Columns { columns: Memory::theirs(columns), known }
            }
            Self::Counts { counts, published_keys, .. } => {
                let column = question.columns.first().cloned().ok_or(DataError::NoRecords)?;
                let (counter, unnamed) = mapped(&counts, column, published_keys, question.adjacency)?;
                let known = InMemory { question, name, is_table: false, published_keys };
                TakenData::Labels { counter, unnamed, known }
            }
            Self::Labels { labels, .. } => labelled(&labels, question, name)?,
        })
    }
}

/// The columns of a DataFrame that a question names.
fn taken(frame: &Bound<'_, PyAny>, question: &Question) -> Result<Memory, Failure> {
    DataFrame::new(frame)?.ok_or_else(no_table)?.take(question)
}

fn no_table() -> Failure {
    Failure::argument(
        "data",
        "this is no table; give the path of a file, a DataFrame of pandas or Polars, or a pyarrow Table",
    )
}

/// A table, taken from Python for some of its columns.
pub(crate) enum TakenTable {
    /// Files that are still to be read, and by what name they are shown if not by their path.
    Files(Source, Option<String>),
    /// Columns that are still to be counted.
    Columns(Memory),
}

/// Data that was taken from Python, so that the interpreter is not needed to count it.
pub(crate) enum TakenData {
    /// Files that are still to be read, and by what name they are shown if not by their path.
    Files(Source, Question, Option<String>),
    /// Labels, counted already.
    Labels {
        counter: LabelCounter,
        /// How many were left out before they came to the counter, because they have no exact name.
        unnamed: u64,
        known: InMemory,
    },
    /// Columns that are still to be counted.
    Columns { columns: Memory, known: InMemory },
}

/// Whether a release of this size takes a small part of a second, if the prior is modest (python/benchmarks/small.py).
pub(crate) fn is_small(k: usize, n: u64) -> bool {
    k <= 5 && n <= 4_000 / k as u64
}

impl TakenData {
    /// Whether a release with a modest prior takes a small part of a second (python/benchmarks/small.py). Where n is
    /// private, nothing depends on it.
    pub(crate) fn is_small(&self) -> bool {
        match self {
            Self::Labels { counter, known, .. } => {
                let n_is_public = known.question.adjacency == Adjacency::Replace;
                n_is_public && is_small(counter.categories().names().len(), counter.total())
            }
            Self::Files(..) | Self::Columns { .. } => false,
        }
    }

    /// Counts the data.
    pub(crate) fn count(self, randomness: Randomness, watch: &Watch) -> Result<posterity::Data, Failure> {
        let resources = Resources::default();
        let (counted, known) = match self {
            Self::Files(source, question, shown) => {
                let progress = |_| watch.progress();
                let read = posterity::Data::read_from(&source, &question, randomness, &resources, &progress)?;
                return Ok(shown.iter().fold(read, |read, name| read.shown_as(name)));
            }
            Self::Labels { counter, known, .. } => {
                let counted = match known.question.adjacency {
                    Adjacency::Replace => counter.finish()?,
                    Adjacency::AddRemove => counter.finish_leaving_out()?,
                };
                (counted, known)
            }
            Self::Columns { columns, known } => {
                let mut bits = randomness.bits_of_data();
                let (frame, progress) = (columns.checked(watch)?, |_| watch.progress());
                (frame.count(&known.question, &mut *bits, &resources, &progress)?, known)
            }
        };
        watch.tick();
        known.data(counted, randomness).map_err(|error| Failure::argument("name", error))
    }
}

/// Data in memory whose categories are declared.
fn known(question: Question, name: Option<String>, is_table: bool) -> InMemory {
    InMemory { question, name, is_table, published_keys: false }
}

/// Whether data has named columns.
fn is_table(data: &Bound<'_, PyAny>) -> bool {
    data.hasattr("columns").unwrap_or(false)
}

/// Refuses the name of a column for a Series, which is one column.
fn refuse_column_of_series(call: &Call<'_>, data: &Bound<'_, PyAny>) -> Result<(), Failure> {
    let is_series = is_a(data, "pandas", "Series")? || is_a(data, "polars", "Series")?;
    if call.get("column").is_none() || !is_series {
        return Ok(());
    }
    Err(Failure::argument(
        "column",
        "a Series is one column, which readings call \"category\"; leave this out, or give data.to_frame() to keep the name",
    ))
}

/// Refuses arguments about columns for data that has none.
fn refuse_columns(call: &Call<'_>) -> Result<(), Failure> {
    refuse(
        call,
        &["column", "bins", "schema", "rate", "where", "within", "unit", "per_unit"],
        "this is for files and tables; pass a DataFrame, or leave it out",
    )
}

const FOR_FILES: &str = "this is for files; with data in memory, leave it out";

/// Refuses arguments that have no meaning here.
pub(crate) fn refuse(call: &Call<'_>, refused: &[&'static str], why: &str) -> Result<(), Failure> {
    match refused.iter().find(|name| call.get(name).is_some()) {
        Some(argument) => Err(Failure::argument(argument, why)),
        None => Ok(()),
    }
}

fn is_path(data: &Bound<'_, PyAny>) -> bool {
    // Most often it is a dictionary, and to look for what is not there takes long.
    let is_plain = data.is_exact_instance_of::<PyDict>();
    data.is_instance_of::<PyString>() || !is_plain && data.hasattr("__fspath__").unwrap_or(false)
}

/// No system has longer paths.
const LONGEST_PATH: usize = 4_096;

/// The path of files that the arguments name.
fn checked_path(call: &Call<'_>) -> Result<String, Failure> {
    let path = crate::argument::path(&call.need("data")?, "data")?;
    let path =
        path.to_str().ok_or_else(|| Failure::argument("data", "the path is not Unicode; rename the file"))?;
    // Somebody who gave the records themselves: they are not repeated.
    if path.len() > LONGEST_PATH || path.contains('\n') {
        return Err(Failure::argument(
            "data",
            "this text is no path; give the path of a file, or records as a list or a DataFrame (pandas.read_csv(io.StringIO(text)) \
             reads them from a text)",
        ));
    }
    // Somebody who typed private numbers: they are not repeated.
    if looks_like_counts(path) {
        return Err(Failure::argument(
            "data",
            "this looks like counts; give them as a mapping such as {\"yes\": 3, \"no\": 4}",
        ));
    }
    if call.get("name").is_some() {
        return Err(Failure::argument("name", "this is for data in memory; files have a path"));
    }
    Ok(path.to_owned())
}

/// The categories that the keys of a mapping are.
fn keys(mapping: &Bound<'_, PyMapping>) -> Result<Vec<String>, Failure> {
    let unreadable = |error| Failure::unreadable(mapping.py(), "mapping", error);
    let mut names = Vec::new();
    for key in mapping.keys().map_err(unreadable)?.iter() {
        names.extend(with_label(&key, |label| label.map(str::to_owned))?);
    }
    // Without it the message would speak of the data where the keys are meant.
    Categories::new(names.clone()).map_err(|error| Failure::argument("data", error))?;
    Ok(names)
}

/// A mapping of counts. Its keys are published if they are the categories.
fn mapped(
    mapping: &Bound<'_, PyMapping>,
    column: Column,
    published_keys: bool,
    adjacency: Adjacency,
) -> Result<(LabelCounter, u64), Failure> {
    // Keys that are not the declared categories may come from records.
    let leaves_out = adjacency == Adjacency::AddRemove && !published_keys;
    let unreadable = |error| Failure::unreadable(mapping.py(), "mapping", error);
    let pairs = mapping.items().map_err(unreadable)?;
    let mut counter = LabelCounter::new(column)?;
    let mut unnamed = 0_u64;
    for (index, pair) in pairs.iter().enumerate() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().map_err(unreadable)?;
        if index % objects::PIECE == 0 {
            mapping.py().check_signals()?;
        }
        // Which keys stand before it may depend on records.
        let position = (!leaves_out).then_some(index + 1);
        let times = count(&value, position, "data", adjacency)?;
        let add = |label: Option<&str>| {
            if times > 0 {
                counter.add(label, times);
            }
        };
        let is_named = match leaves_out {
            true => with_label_if_named(&key, add)?.is_some(),
            false => with_label(&key, add).map(|()| true)?,
        };
        if !is_named {
            unnamed = unnamed.saturating_add(times);
        }
    }
    Ok((counter, unnamed))
}

/// One count. They are private: an error says at most which one, and not what it is. Where the number of records is
/// private, a count may have any number of digits.
fn count(
    value: &Bound<'_, PyAny>,
    position: Option<usize>,
    argument: &'static str,
    adjacency: Adjacency,
) -> Result<u64, Failure> {
    if adjacency == Adjacency::AddRemove && value.is_exact_instance_of::<PyInt>() && value.gt(u64::MAX)? {
        return Ok(u64::MAX);
    }
    whole(value, argument).map_err(|_| {
        let which = position.map_or_else(|| "a count".to_owned(), |position| format!("count {position}"));
        Failure::argument(
            argument,
            format!("{which} is not a whole number; give whole numbers, zero or more"),
        )
    })
}

/// Labels in memory: arrays of NumPy piece by piece, everything else one by one.
fn labelled(data: &Bound<'_, PyAny>, question: Question, name: Option<String>) -> Result<TakenData, Failure> {
    let column = question.columns.first().cloned().ok_or(DataError::NoRecords)?;
    let mut counter = LabelCounter::new(column)?;
    let mut unnamed = 0;
    match numpy::take(data, &mut counter, question.adjacency, &mut unnamed)? {
        Some(batches) if !batches.is_empty() => {
            let known = known(question, name, false);
            return Ok(TakenData::Columns { columns: Memory::ours(batches), known });
        }
        Some(_) => {
            return Ok(TakenData::Labels { counter, unnamed, known: known(question, name, false) });
        }
        None => {}
    }
    if data.is_instance_of::<PyBytes>() || data.try_iter().is_err() {
        return Err(Failure::argument(
            "data",
            "this is no data; give a mapping of counts, a sequence or array of labels, a DataFrame, or the path of a file",
        ));
    }
    if is_set(data)? {
        return Err(Failure::argument(
            "data",
            "this is a set, which holds each label once, however often it occurs; give all labels as a list",
        ));
    }
    // A library's own list of Python objects knows what is missing.
    match data.getattr("tolist").and_then(|method| method.call0()) {
        Ok(plain) => unnamed = labels::count(&plain, &mut counter, question.adjacency)?,
        Err(error) if error.is_instance_of::<PyException>(data.py()) => {
            unnamed = labels::count(data, &mut counter, question.adjacency)?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(TakenData::Labels { counter, unnamed, known: known(question, name, false) })
}

/// Counts for an analysis of data that may be seen: a mapping, or a plain list of counts.
pub(crate) fn plain_counts(given: &Bound<'_, PyAny>, adjacency: Adjacency) -> Result<Counts, Failure> {
    if let Ok(mapping) = given.cast::<PyMapping>() {
        let (counter, _) = mapped(mapping, Column::new(COLUMN, keys(mapping)?), true, adjacency)?;
        let counted = match adjacency {
            Adjacency::Replace => counter.finish(),
            Adjacency::AddRemove => counter.finish_leaving_out(),
        };
        return counted.map(|counted| counted.counts).map_err(|error| match error {
            DataError::Counts(error) => Failure::argument("counts", error),
            DataError::NoRecords => {
                Failure::argument("counts", "all counts are zero; there must be at least one record")
            }
            other => other.into(),
        });
    }
    let mut counts = Vec::new();
    for (index, item) in items(given, "counts")?.iter().enumerate() {
        counts.push(count(item, Some(index + 1), "counts", adjacency)?);
    }
    let new = match adjacency {
        Adjacency::Replace => Counts::new,
        Adjacency::AddRemove => Counts::perhaps_empty,
    };
    new(counts).map_err(|error| Failure::argument("counts", error))
}
