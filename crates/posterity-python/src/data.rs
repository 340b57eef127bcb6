//! What is released from: a mapping of counts, labels in memory, or a path.

use posterity::Input;
use posterity::core::model::Categories;
use posterity::data::datafusion::arrow::array::ArrayRef;
use posterity::data::{Column, DataError, Format, LabelCounter, Question, Resources, Source};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};

use crate::argument::{Given, items, optional_text, text, whole};
use crate::error::Failure;
use crate::interrupt::Watch;
use crate::labels::{self, with_label};
use crate::numpy;

/// What errors call the column of data that has no name.
pub(crate) const COLUMN: &str = "data";

/// The arguments that say what the data is.
pub(crate) struct Arguments<'a, 'py> {
    pub(crate) data: &'a Bound<'py, PyAny>,
    pub(crate) categories: Given<'a, 'py>,
    pub(crate) column: Given<'a, 'py>,
    pub(crate) filter: Given<'a, 'py>,
    pub(crate) unit: Given<'a, 'py>,
    pub(crate) other: Given<'a, 'py>,
    pub(crate) missing: Given<'a, 'py>,
    pub(crate) input_format: Given<'a, 'py>,
    pub(crate) delimiter: Given<'a, 'py>,
    pub(crate) name: Given<'a, 'py>,
}

/// Data that needs Python no more.
pub(crate) enum Data {
    /// Files that are still to be read.
    Files(Source, Question),
    /// Labels: those counted already, and arrays still to be counted.
    Labels { counter: LabelCounter, arrays: Vec<ArrayRef>, name: Option<Name> },
}

/// What the owner calls the data, with the rules of counting it.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) name: String,
    pub(crate) other: Option<String>,
    pub(crate) missing: Option<String>,
}

impl Data {
    /// Takes over what is given.
    pub(crate) fn new(arguments: &Arguments<'_, '_>) -> Result<Self, Failure> {
        let data = arguments.data;
        if is_path(data) {
            return files(arguments);
        }
        refuse_files(arguments)?;
        let other = optional_text(arguments.other, "other")?;
        let missing = optional_text(arguments.missing, "missing")?;
        let name = optional_text(arguments.name, "name")?;
        let mut arrays = Vec::new();
        let counter = if let Ok(mapping) = data.cast::<PyMapping>() {
            mapped(mapping, arguments.categories, other.clone(), missing.clone())?
        } else {
            let declared = declared(arguments.categories)?;
            let column = Column::new(COLUMN, declared);
            let mut counter = LabelCounter::new(column, other.clone(), missing.clone())?;
            labelled(data, &mut counter, &mut arrays)?;
            counter
        };
        let name = name.map(|name| Name { name, other, missing });
        Ok(Self::Labels { counter, arrays, name })
    }

    /// Whether a release with a modest prior takes a small part of a second (python/benchmarks/small.py).
    pub(crate) fn is_small(&self) -> bool {
        match self {
            Self::Labels { counter, arrays, .. } => {
                let (k, n) = (counter.categories().names().len(), counter.total());
                arrays.is_empty() && k <= 5 && n <= 4_000 / k as u64
            }
            Self::Files(..) => false,
        }
    }

    /// Counts, and says what the private counts are beside the input made of them.
    pub(crate) fn count(self, watch: &Watch) -> Result<(Input, Option<Vec<u64>>), Failure> {
        match self {
            Self::Files(source, question) => {
                let input = Input::read(&source, &question, &Resources::default(), &|_| watch.tick())?;
                Ok((input, None))
            }
            Self::Labels { mut counter, arrays, name } => {
                for array in arrays {
                    for start in (0..array.len()).step_by(PIECE) {
                        counter.add_array(&array.slice(start, PIECE.min(array.len() - start)))?;
                        watch.tick();
                    }
                }
                let counted = counter.finish()?;
                let counts = counted.counts.as_slice().to_vec();
                let mut input = Input::counted(counted);
                if let Some(Name { name, other, missing }) = name {
                    input = input
                        .named(&name, other.as_deref(), missing.as_deref())
                        .map_err(|error| Failure::argument("name", error))?;
                }
                Ok((input, Some(counts)))
            }
        }
    }
}

/// How many elements are counted between two signs of life.
const PIECE: usize = 1 << 22;

fn is_path(data: &Bound<'_, PyAny>) -> bool {
    // Most often it is a dictionary, and to look for what is not there takes long.
    let is_plain = data.is_exact_instance_of::<PyDict>();
    data.is_instance_of::<PyString>() || !is_plain && data.hasattr("__fspath__").unwrap_or(false)
}

/// Arguments that say something about files say nothing about data in memory.
fn refuse_files(arguments: &Arguments<'_, '_>) -> Result<(), Failure> {
    let given = [
        ("column", arguments.column),
        ("where", arguments.filter),
        ("unit", arguments.unit),
        ("input_format", arguments.input_format),
        ("delimiter", arguments.delimiter),
    ];
    match given.into_iter().find(|(_, given)| given.is_some()) {
        Some((argument, _)) => {
            Err(Failure::argument(argument, "this is for files; with data in memory, leave it out"))
        }
        None => Ok(()),
    }
}

fn files(arguments: &Arguments<'_, '_>) -> Result<Data, Failure> {
    let path = crate::argument::path(arguments.data, "data")?;
    let path =
        path.to_str().ok_or_else(|| Failure::argument("data", "the path is not Unicode; rename the file"))?;
    // Somebody who typed private numbers: they are not repeated.
    if path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ') {
        return Err(Failure::argument(
            "data",
            "this looks like counts; give them as a mapping such as {\"yes\": 3, \"no\": 4}",
        ));
    }
    if arguments.name.is_some() {
        return Err(Failure::argument("name", "this is for data in memory; files have a path"));
    }
    let Some(column) = arguments.column else {
        return Err(Failure::argument("column", "say which column of the file holds the categories"));
    };
    let several = !column.is_instance_of::<PyString>();
    let columns: Vec<String> = if several {
        items(column, "column")?.iter().map(|column| text(column, "column")).collect::<Result<_, _>>()?
    } else {
        vec![text(column, "column")?]
    };
    let lists: Vec<Vec<String>> = match arguments.categories {
        None => Vec::new(),
        Some(lists) if several => {
            items(lists, "categories")?.iter().map(|list| declared(Some(list))).collect::<Result<_, _>>()?
        }
        Some(list) => vec![declared(Some(list))?],
    };
    if lists.len() != columns.len() {
        return Err(Failure::argument(
            "categories",
            format!(
                "there are {} lists of categories for {} columns; declare the possible values of each column, in the order of \
                 column. They are never read from the data, because that would reveal which ones occur",
                lists.len(),
                columns.len()
            ),
        ));
    }
    let question = Question {
        other: optional_text(arguments.other, "other")?,
        missing: optional_text(arguments.missing, "missing")?,
        filter: optional_text(arguments.filter, "where")?,
        unit: optional_text(arguments.unit, "unit")?,
        ..Question::new(
            columns.into_iter().zip(lists).map(|(name, values)| Column::new(name, values)).collect(),
        )
    };
    let mut source = Source::files(path);
    if let Some(format) = optional_text(arguments.input_format, "input_format")? {
        let format: Format =
            format.parse().map_err(|error: String| Failure::argument("input_format", error))?;
        source = source.with_format(format);
    }
    if let Some(delimiter) = optional_text(arguments.delimiter, "delimiter")? {
        let mut letters = delimiter.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return Err(Failure::argument("delimiter", "this is not one character"));
        };
        source = source.with_delimiter(letter);
    }
    Ok(Data::Files(source, question))
}

/// The declared categories of one column.
fn declared(given: Given<'_, '_>) -> Result<Vec<String>, Failure> {
    let Some(given) = given else {
        return Err(Failure::argument(
            "categories",
            "declare the possible labels. They are never read from the data, because that would reveal which ones occur",
        ));
    };
    if given.is_instance_of::<PyString>() {
        return Err(Failure::argument(
            "categories",
            "this is one text; give a list such as [\"yes\", \"no\"]",
        ));
    }
    let names = items(given, "categories")?;
    let name = |item: &Bound<'_, PyAny>| {
        let wrong =
            || Failure::argument("categories", "a category is not a text, an integer or a truth value");
        with_label(item, |label| label.map(str::to_owned)).map_err(|_| wrong())?.ok_or_else(wrong)
    };
    names.iter().map(name).collect()
}

/// A mapping of counts; its keys are the categories unless these are declared.
fn mapped(
    mapping: &Bound<'_, PyMapping>,
    categories: Given<'_, '_>,
    other: Option<String>,
    missing: Option<String>,
) -> Result<LabelCounter, Failure> {
    let unreadable = |cause| Failure::Unreadable { what: "mapping", cause };
    let pairs = mapping.items().map_err(unreadable)?;
    let mut counts: Vec<(Option<String>, u64)> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().map_err(unreadable)?;
        let label = with_label(&key, |label| label.map(str::to_owned))?;
        counts.push((label, count(&value, index, "data")?));
    }
    let names = match categories {
        Some(_) => declared(categories)?,
        None => counts.iter().filter_map(|(label, _)| label.clone()).collect(),
    };
    if categories.is_none() {
        // Without it the message would speak of the data where the keys are meant.
        Categories::new(names.clone()).map_err(|error| Failure::argument("data", error))?;
    }
    let mut counter = LabelCounter::new(Column::new(COLUMN, names), other, missing)?;
    for (label, count) in counts.iter().filter(|(_, count)| *count > 0) {
        counter.add(label.as_deref(), *count);
    }
    Ok(counter)
}

/// One count. They are private: an error says which one, and not what it is.
fn count(value: &Bound<'_, PyAny>, index: usize, argument: &'static str) -> Result<u64, Failure> {
    whole(value, argument).map_err(|_| {
        let position = index + 1;
        Failure::argument(
            argument,
            format!("count {position} is not a whole number; give whole numbers, zero or more"),
        )
    })
}

/// Labels in memory: arrays of Arrow and NumPy without copying, everything else one by one.
fn labelled(
    data: &Bound<'_, PyAny>,
    counter: &mut LabelCounter,
    arrays: &mut Vec<ArrayRef>,
) -> Result<(), Failure> {
    if let Some(found) = crate::c_data::arrays(data)? {
        arrays.extend(found);
        return Ok(());
    }
    if numpy::count(data, counter)? {
        return Ok(());
    }
    if data.is_instance_of::<PyBytes>() || data.try_iter().is_err() {
        return Err(Failure::argument(
            "data",
            "this is no data; give a mapping of counts, a sequence or array of labels, or the path of a file",
        ));
    }
    // A library's own list of Python objects knows what is missing.
    let plain = data.getattr("tolist").and_then(|method| method.call0());
    labels::count(plain.as_ref().unwrap_or(data), counter)
}

/// Counts for an analysis of data that may be seen: a mapping, or a plain list of counts.
pub(crate) fn plain_counts(given: &Bound<'_, PyAny>) -> Result<posterity::core::model::Counts, Failure> {
    if let Ok(mapping) = given.cast::<PyMapping>() {
        let counted = mapped(mapping, None, None, None)?.finish();
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
        counts.push(count(item, index, "counts")?);
    }
    posterity::core::model::Counts::new(counts).map_err(|error| Failure::argument("counts", error))
}
