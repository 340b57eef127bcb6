//! Takes the data from R: a list of counts, a vector of labels, a data frame, or the path of files.

use extendr_api::prelude::*;
use posterity::data::{Adjacency, Column, Domain, LabelCounter, Question, Resources, Source, needed_columns};
use posterity::{Categories, Counts, Randomness};
use posterity_present::argument::{FileArguments, looks_like_counts};
use posterity_present::{InMemory, Watch};

use crate::argument::{exact, items, names, number, numbers, text, texts};
use crate::call::Call;
use crate::column::Columns;
use crate::failure::Failure;
use crate::question::{COLUMN, declared_names, labels_column, one_column, question, refuse_columns};

/// Data that was taken from R, so that it is counted without R.
pub(crate) enum TakenData {
    /// Files that are still to be read.
    Files(Source, Question),
    /// Counts.
    Counts(LabelCounter, InMemory),
    /// Columns that are still to be counted.
    Columns(Columns, InMemory),
}

/// A table, taken from R for some of its columns.
pub(crate) enum TakenTable {
    /// Files that are still to be read.
    Files(Source),
    /// Columns that are still to be counted.
    Columns(Columns),
}

const FOR_FILES: &str = "this is for files; with data in memory, leave it out";

impl TakenData {
    /// Takes the data that the arguments name.
    pub(crate) fn new(call: &Call) -> Result<Self, Failure> {
        let data = call.need("data")?;
        // A text is a path where a column of it is asked for, and otherwise a label: their number must not decide.
        if data.is_string() && call.get("column").is_some() {
            if data.len() != 1 {
                let why = "this is for files and data frames; labels without a table have no column, so leave it out";
                return Err(Failure::argument("column", why));
            }
            let question = question(call)?;
            return Ok(Self::Files(source(call, &data)?, question));
        }
        call.refuse(&FileArguments::NAMES, FOR_FILES)?;
        if data.inherits("data.frame") {
            let question = question(call)?;
            let columns = frame(&data, &question)?;
            return Ok(Self::Columns(columns, known(call, question, true)?));
        }
        if data.is_list() && !data.is_object() {
            return counts(call, &data);
        }
        refuse_tallies(&data)?;
        let question = one_column(call)?;
        let columns = Columns::new(&[(COLUMN.to_owned(), data.clone())], data.len())?;
        Ok(Self::Columns(columns, known(call, question, false)?))
    }

    /// Counts the data.
    pub(crate) fn count(self, randomness: Randomness, watch: &Watch) -> Result<posterity::Data, Failure> {
        let (counted, known) = match self {
            Self::Files(source, question) => {
                let (resources, progress) = (Resources::default(), |_| watch.progress());
                let read = posterity::Data::read_from(&source, &question, randomness, &resources, &progress);
                return Ok(read?);
            }
            Self::Counts(counter, known) => match known.question.adjacency {
                Adjacency::Replace => (counter.finish()?, known),
                Adjacency::AddRemove => (counter.finish_leaving_out()?, known),
            },
            Self::Columns(columns, known) => {
                let mut bits = randomness.bits_of_data();
                (columns.count(&known.question, &mut *bits, watch)?, known)
            }
        };
        watch.tick();
        known.data(counted, randomness).map_err(|error| Failure::argument("name", error))
    }
}

impl TakenTable {
    /// Takes the columns that a question names.
    pub(crate) fn new(call: &Call, question: &Question) -> Result<Self, Failure> {
        let data = call.need("data")?;
        if data.is_string() {
            return Ok(Self::Files(source(call, &data)?));
        }
        call.refuse(&FileArguments::NAMES, FOR_FILES)?;
        if !data.inherits("data.frame") {
            let why = "this is no table; give a data frame, or the path of a file";
            return Err(Failure::argument("data", why));
        }
        Ok(Self::Columns(frame(&data, question)?))
    }
}

/// What is asked of data in memory whose categories are declared.
fn known(call: &Call, question: Question, is_table: bool) -> Result<InMemory, Failure> {
    Ok(InMemory { question, name: call.text("name")?, is_table, published_keys: false })
}

/// The columns of a data frame that a question names.
fn frame(data: &Robj, question: &Question) -> Result<Columns, Failure> {
    // A column whose name cannot be read cannot be asked for.
    let names = data.get_attrib("names").unwrap_or_default();
    let names: Vec<String> = texts(&names).map(|name| name.unwrap_or_default().to_owned()).collect();
    refuse_tally_column(data, &names)?;
    let columns = items(data, "data")?;
    let needed = needed_columns(question, &names)?;
    let taken: Vec<_> =
        needed.into_iter().map(|place| (names[place].clone(), columns[place].clone())).collect();
    let length = taken.first().map_or(0, |(_, column)| column.len());
    Columns::new(&taken, length)
}

const TALLY: &str = "this looks like counts of labels, whose numbers would be counted as if they were labels; give the labels before \
                     they are counted, or the counts as a list (as.list) together with categories";

/// Refuses what `table` gives, and numbers with names: they are counts, or labels of named people, and nobody can tell.
fn refuse_tallies(data: &Robj) -> Result<(), Failure> {
    if data.inherits("table") {
        return Err(Failure::argument("data", TALLY));
    }
    if data.get_attrib("dim").is_some() {
        return Err(Failure::argument(
            "data",
            "this is a matrix or an array; give a data frame, or a vector of labels",
        ));
    }
    let is_number = (data.is_real() || data.is_integer()) && !data.is_object();
    if is_number && data.get_attrib("names").is_some() {
        return Err(Failure::argument(
            "data",
            "numbers with names are counts to some and labels of named people to others; give counts as a list, such as \
             list(yes = 48, no = 42), and labels without names (unname)",
        ));
    }
    Ok(())
}

/// Refuses a data frame of counts, as `as.data.frame(table(x))` and `dplyr::count(x)` make it.
fn refuse_tally_column(data: &Robj, names: &[String]) -> Result<(), Failure> {
    let is_count = names.last().is_some_and(|last| matches!(last.as_str(), "Freq" | "n"));
    let columns = items(data, "data")?;
    if is_count && columns.last().is_some_and(|last| last.is_integer() && !last.is_object()) {
        let why =
            format!("{TALLY}; if it is no such result, leave out its last column, or place it elsewhere");
        return Err(Failure::argument("data", why));
    }
    Ok(())
}

/// Files, read as the arguments say.
fn source(call: &Call, data: &Robj) -> Result<Source, Failure> {
    let path = text(data, "data")?;
    // Somebody who typed private numbers: they are not repeated.
    if looks_like_counts(&path) {
        return Err(Failure::argument(
            "data",
            "this looks like counts; give them as a list such as list(yes = 3, no = 4)",
        ));
    }
    call.refuse(&["name"], "this is for data in memory; files have a path")?;
    let source = FileArguments::ask(|name| call.text(name))?.source(path);
    source.map_err(|(argument, why)| Failure::argument(argument, why))
}

/// A list of counts; its names are the categories unless these are declared, and then they are published.
fn counts(call: &Call, data: &Robj) -> Result<TakenData, Failure> {
    refuse_columns(call)?;
    let Some(keys) = names(data) else {
        return Err(Failure::argument(
            "data",
            "this is a list without names; give counts as list(yes = 48, no = 42)",
        ));
    };
    let published_keys = call.get("categories").is_none();
    let declared = if published_keys { keys.clone() } else { declared_names(call)? };
    if published_keys {
        // Without it the message would speak of the data where the names are meant.
        Categories::new(declared.clone()).map_err(|error| Failure::argument("data", error))?;
    }
    let column = Column { domain: Domain::Values(declared), ..labels_column(call, Vec::new())? };
    let mut counter = LabelCounter::new(column.clone())?;
    for (index, (key, value)) in keys.iter().zip(items(data, "data")?).enumerate() {
        // Which names stand before it may depend on records, unless they are published.
        let position = published_keys.then_some(index + 1);
        let times = count(number(&value, "data").ok(), position, "data")?;
        if times > 0 {
            counter.add(Some(key), times);
        }
    }
    let question = Question { adjacency: call.adjacency()?, ..Question::new(vec![column]) };
    let known = InMemory { published_keys, ..known(call, question, false)? };
    Ok(TakenData::Counts(counter, known))
}

/// One count. They are private: an error says at most which one, and not what it is.
fn count(value: Option<f64>, position: Option<usize>, argument: &str) -> Result<u64, Failure> {
    let whole = value.and_then(exact).and_then(|whole| u64::try_from(whole).ok());
    whole.ok_or_else(|| {
        let which = position.map_or_else(|| "a count".to_owned(), |position| format!("count {position}"));
        Failure::argument(
            argument,
            format!("{which} is not a whole number; give whole numbers, zero or more"),
        )
    })
}

/// Counts for an analysis of data that may be seen: a list or a vector of numbers.
pub(crate) fn plain_counts(given: &Robj, adjacency: Adjacency) -> Result<Counts, Failure> {
    let values = if given.is_list() {
        items(given, "counts")?.iter().map(|item| number(item, "counts")).collect::<Result<Vec<_>, _>>()?
    } else {
        numbers(given, "counts")?
    };
    let counts =
        values.iter().enumerate().map(|(index, value)| count(Some(*value), Some(index + 1), "counts"));
    let new = match adjacency {
        Adjacency::Replace => Counts::new,
        Adjacency::AddRemove => Counts::perhaps_empty,
    };
    new(counts.collect::<Result<_, _>>()?).map_err(|error| Failure::argument("counts", error))
}
