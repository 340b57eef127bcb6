//! Takes the data from Python: a mapping of counts, labels or a table in memory, or a path.

use posterity::data::{Adjacency, Column, DataError, Domain, LabelCounter, Question, Resources, Source};
use posterity::{Categories, Counts, Randomness};
use posterity_present::InMemory;
use posterity_present::argument::{FileArguments, looks_like_counts};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyMapping, PyString};

use crate::argument::{is_set, items, whole};
use crate::call::Call;
use crate::capsule::{self, Offer};
use crate::dataframe::{DataFrame, is_series_of_objects};
use crate::error::Failure;
use crate::interrupt::Watch;
use crate::labels::{self, COLUMN, with_label, with_label_if_named};
use crate::memory::Memory;
use crate::numpy;
use crate::objects;
use crate::question::{declared_names, question};
use crate::tallies::refuse_tallies;

/// A table, taken from Python for some of its columns.
pub(crate) enum TakenTable {
    /// Files that are still to be read.
    Files(Source),
    /// Columns that are still to be counted.
    Columns(Memory),
}

impl TakenTable {
    /// Takes the columns that a question names. Labels without a table are refused.
    pub(crate) fn new(call: &Call<'_>, question: &Question) -> Result<Self, Failure> {
        let data = &call.need("data")?;
        if is_path(data) {
            return Ok(Self::Files(source(call, checked_path(call)?)?));
        }
        refuse(call, &FileArguments::NAMES, FOR_FILES)?;
        let no_table = || {
            Failure::argument(
                "data",
                "this is no table; give the path of a file, a DataFrame of pandas or Polars, or a pyarrow Table",
            )
        };
        if data.cast::<PyMapping>().is_ok() {
            return Err(no_table());
        }
        refuse_tallies(data, question.adjacency)?;
        if let Some(frame) = DataFrame::new(data)? {
            return Ok(Self::Columns(frame.take(question)?));
        }
        if is_series_of_objects(data)? {
            return Err(no_table());
        }
        match capsule::take(data)? {
            Offer::Columns(columns) if columns.is_table => Ok(Self::Columns(Memory::theirs(columns))),
            Offer::NeedsPackage if is_table(data) => Err(Failure::NeedsArrow),
            Offer::Nothing if is_table(data) => Err(Failure::NoInterface),
            Offer::Columns(_) | Offer::NeedsPackage | Offer::Nothing => Err(no_table()),
        }
    }
}

/// Data that was taken from Python, so that the interpreter is not needed to count it.
pub(crate) enum TakenData {
    /// Files that are still to be read.
    Files(Source, Question),
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
    /// Takes the data that the arguments name.
    pub(crate) fn new(call: &Call<'_>) -> Result<Self, Failure> {
        let data = &call.need("data")?;
        if is_path(data) {
            return files(call);
        }
        refuse(call, &FileArguments::NAMES, FOR_FILES)?;
        let name = call.text("name")?;
        if let Ok(mapping) = data.cast::<PyMapping>() {
            refuse_columns(call)?;
            let categories = call.get("categories");
            // Someone wrote down the keys of a plain dictionary. Those of a Counter and the like are what occurred.
            if categories.is_none() && !data.is_exact_instance_of::<PyDict>() {
                return Err(Failure::argument(
                    "categories",
                    "the data is a mapping other than a plain dict, such as a Counter, whose keys may be the values that occur, and \
                     they would be published; list all possible labels here, or give a dict whose keys do not come from the data",
                ));
            }
            let column = labels_column(call, Vec::new())?;
            let adjacency = call.adjacency()?;
            let (counter, unnamed) = mapped(mapping, categories.as_ref(), column.clone(), adjacency)?;
            let question = Question { adjacency, ..Question::new(vec![column]) };
            let published_keys = categories.is_none();
            let known = InMemory { question, name, is_table: false, published_keys };
            return Ok(Self::Labels { counter, unnamed, known });
        }
        refuse_tallies(data, call.adjacency()?)?;
        if let Some(frame) = DataFrame::new(data)? {
            let question = question(call, "table")?;
            let columns = frame.take(&question)?;
            return Ok(Self::Columns { columns, known: known(question, name, true) });
        }
        if is_series_of_objects(data)? {
            return labelled(call, name);
        }
        match capsule::take(data)? {
            Offer::Columns(columns) => {
                let is_table = columns.is_table;
                let question = if is_table { question(call, "table")? } else { one_column(call)? };
                Ok(Self::Columns { columns: Memory::theirs(columns), known: known(question, name, is_table) })
            }
            // It would be taken for the list of its columns' names.
            Offer::NeedsPackage if is_table(data) => Err(Failure::NeedsArrow),
            Offer::Nothing if is_table(data) => Err(Failure::NoInterface),
            Offer::NeedsPackage | Offer::Nothing => labelled(call, name),
        }
    }

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
            Self::Files(source, question) => {
                let progress = |_| watch.progress();
                return Ok(posterity::Data::read_from(
                    &source, &question, randomness, &resources, &progress,
                )?);
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
                (columns.count(&known.question, &mut *bits, &resources, watch)?, known)
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

/// The column of labels without a name, with how those that are not declared or missing are counted.
fn labels_column(call: &Call<'_>, names: Vec<String>) -> Result<Column, Failure> {
    Ok(Column { other: call.text("other")?, missing: call.text("missing")?, ..Column::new(COLUMN, names) })
}

/// The question that is asked of labels without a name.
fn one_column(call: &Call<'_>) -> Result<Question, Failure> {
    refuse_columns(call)?;
    let names = declared_names(call.get("categories").as_ref())?;
    Ok(Question { adjacency: call.adjacency()?, ..Question::new(vec![labels_column(call, names)?]) })
}

/// Refuses arguments about columns for data that has none.
fn refuse_columns(call: &Call<'_>) -> Result<(), Failure> {
    refuse(
        call,
        &["column", "bins", "where", "within", "unit", "per_unit"],
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

fn files(call: &Call<'_>) -> Result<TakenData, Failure> {
    let path = checked_path(call)?;
    let question = question(call, "file")?;
    Ok(TakenData::Files(source(call, path)?, question))
}

/// The path of files that the arguments name.
fn checked_path(call: &Call<'_>) -> Result<String, Failure> {
    let path = crate::argument::path(&call.need("data")?, "data")?;
    let path =
        path.to_str().ok_or_else(|| Failure::argument("data", "the path is not Unicode; rename the file"))?;
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

/// Files, read as the arguments say.
fn source(call: &Call<'_>, path: String) -> Result<Source, Failure> {
    let source = FileArguments::ask(|name| call.text(name))?.source(path);
    source.map_err(|(argument, why)| Failure::argument(argument, why))
}

/// A mapping of counts; its keys are the categories unless these are declared, and then they are published.
fn mapped(
    mapping: &Bound<'_, PyMapping>,
    categories: Option<&Bound<'_, PyAny>>,
    column: Column,
    adjacency: Adjacency,
) -> Result<(LabelCounter, u64), Failure> {
    // Keys that are not the declared categories may come from records.
    let leaves_out = adjacency == Adjacency::AddRemove && categories.is_some();
    let unreadable = |error| Failure::unreadable(mapping.py(), "mapping", error);
    let pairs = mapping.items().map_err(unreadable)?;
    let mut counts: Vec<(Option<String>, u64)> = Vec::with_capacity(pairs.len());
    let mut unnamed = 0_u64;
    for (index, pair) in pairs.iter().enumerate() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().map_err(unreadable)?;
        if index % objects::PIECE == 0 {
            mapping.py().check_signals()?;
        }
        let own = |label: Option<&str>| label.map(str::to_owned);
        let label = match leaves_out {
            true => with_label_if_named(&key, own)?,
            false => Some(with_label(&key, own)?),
        };
        // Which keys stand before it may depend on records.
        let position = (!leaves_out).then_some(index + 1);
        let times = count(&value, position, "data", adjacency)?;
        match label {
            Some(label) => counts.push((label, times)),
            None => unnamed = unnamed.saturating_add(times),
        }
    }
    let names = match categories {
        Some(_) => declared_names(categories)?,
        None => counts.iter().filter_map(|(label, _)| label.clone()).collect(),
    };
    if categories.is_none() {
        // Without it the message would speak of the data where the keys are meant.
        Categories::new(names.clone()).map_err(|error| Failure::argument("data", error))?;
    }
    let mut counter = LabelCounter::new(Column { domain: Domain::Values(names), ..column })?;
    for (label, count) in counts.iter().filter(|(_, count)| *count > 0) {
        counter.add(label.as_deref(), *count);
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
fn labelled(call: &Call<'_>, name: Option<String>) -> Result<TakenData, Failure> {
    let data = &call.need("data")?;
    let question = one_column(call)?;
    let Some(column) = question.columns.first().cloned() else { return Err(DataError::NoRecords.into()) };
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
        let (counter, _) = mapped(mapping, None, Column::new(COLUMN, Vec::<String>::new()), adjacency)?;
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
