//! Takes the data from R: a list of counts, a vector of labels, a data frame, or the path of files.

use extendr_api::prelude::*;
use posterity::data::{
    Adjacency, DataError, Frame, LabelCounter, Question, Resources, Source, needed_columns,
};
use posterity::document::Kind;
use posterity::plan::{Plan, PlannedTable, Value};
use posterity::{Categories, Counts, Randomness, Table};
use posterity_present::argument::{Records, looks_like_counts};
use posterity_present::{InMemory, Watch};
use posterity_study::PlanFile;

use crate::argument::{exact, items, labels, names, number, numbers, text, texts};
use crate::call::Call;
use crate::column;
use crate::failure::Failure;

/// What errors call the column of data that has no name.
const COLUMN: &str = "data";

/// Data as it was given, before it is known what is asked of it.
pub(crate) enum Offered {
    /// The path of files.
    Files(String),
    /// The records that a plan in a file names.
    OfPlan(Source),
    /// A data frame.
    Frame(Robj),
    /// Counts of these categories.
    Counts { counts: Robj, names: Vec<String>, published_keys: bool },
    /// Labels of these categories.
    Labels { labels: Robj, names: Vec<String> },
}

/// Records that are still to be counted, without R.
pub(crate) enum TakenTable {
    /// Files that are still to be read, and by what name they are shown if not by their path.
    Files(Source, Option<String>),
    /// Columns that are still to be counted.
    Columns(Frame),
}

/// Data that was taken from R, so that it is counted without R.
pub(crate) enum TakenData {
    /// Files that are still to be read, and by what name they are shown if not by their path.
    Files(Source, Question, Option<String>),
    /// Counts.
    Counts(LabelCounter, InMemory),
    /// Columns that are still to be counted.
    Columns(Frame, InMemory),
}

const OF_FILES: [&str; 5] = ["input_format", "delimiter", "encoding", "table", "view"];

const FOR_FILES: &str = "this is for files; with data in memory, leave it out";

const NO_TABLE: &str = "this is no table; give a data frame, or the path of a file";

impl Offered {
    /// The data of a call that asks for a kind of release. Arguments that have no meaning for it are refused.
    pub(crate) fn new(call: &Call, kind: &str) -> Result<Self, Failure> {
        let data = call.need("data")?;
        // A text is a path where a column of it is asked for, and otherwise a label: their number must not decide.
        let has_columns = kind != Table::NAME || ["column", "schema", "rate"].iter().any(|name| call.get(name).is_some());
        if data.is_string() && has_columns {
            return Self::files(call, &data);
        }
        call.refuse(&OF_FILES, FOR_FILES)?;
        if data.inherits("data.frame") {
            return Ok(Self::Frame(data));
        }
        if kind != Table::NAME {
            return Err(Failure::argument("data", NO_TABLE));
        }
        call.refuse(
            &["column", "bins", "schema", "rate", "where", "within", "unit", "per_unit"],
            "this is for files and data frames; give one, or leave it out",
        )?;
        if data.is_list() && !data.is_object() {
            let keys = keys(&data)?;
            let published_keys = call.get("categories").is_none();
            let names = if published_keys { published(keys)? } else { declared_names(call)? };
            return Ok(Self::Counts { counts: data, names, published_keys });
        }
        refuse_tallies(&data)?;
        Ok(Self::Labels { labels: data, names: declared_names(call)? })
    }

    /// The data that a plan asks about: that of the call, or else the records that the plan names.
    pub(crate) fn of_plan(call: &Call, file: &PlanFile) -> Result<Self, Failure> {
        let Some(data) = call.get("data") else {
            call.refuse(&["name"], "this is for data in memory; files have a path")?;
            return Ok(Self::OfPlan(file.records().clone()));
        };
        match (is_without_columns(file.plan()), data.inherits("data.frame")) {
            (false, true) => Ok(Self::Frame(data)),
            (false, false) if data.is_string() && data.len() == 1 => Self::files(call, &data),
            (false, false) => Err(Failure::argument("data", NO_TABLE)),
            (true, true) => {
                let why = "the plan asks about data without columns; give labels, or a list of counts";
                Err(Failure::argument("data", why))
            }
            // The categories are those of the plan.
            (true, false) if data.is_list() && !data.is_object() => {
                Ok(Self::Counts { counts: data, names: Vec::new(), published_keys: false })
            }
            (true, false) => {
                refuse_tallies(&data)?;
                Ok(Self::Labels { labels: data, names: Vec::new() })
            }
        }
    }

    /// The table that is given beside a plan of any questions.
    pub(crate) fn of_study(call: &Call) -> Result<Option<Self>, Failure> {
        let Some(data) = call.get("data") else { return Ok(None) };
        if data.inherits("data.frame") {
            return Ok(Some(Self::Frame(data)));
        }
        let is_path = data.is_string() && data.len() == 1;
        if is_path { Self::files(call, &data).map(Some) } else { Err(Failure::argument("data", NO_TABLE)) }
    }

    fn files(call: &Call, data: &Robj) -> Result<Self, Failure> {
        if data.len() != 1 {
            let why =
                "this is for files and data frames; labels without a table have no column, so leave it out";
            return Err(Failure::argument("column", why));
        }
        let path = text(data, "data")?;
        // Somebody who typed private numbers: they are not repeated.
        if looks_like_counts(&path) {
            return Err(Failure::argument(
                "data",
                "this looks like counts; give them as a list such as list(yes = 3, no = 4)",
            ));
        }
        if call.get("plan").is_none() {
            call.refuse(&["name"], "this is for data in memory; files have a path")?;
        }
        Ok(Self::Files(path))
    }

    /// How a plan names the records.
    pub(crate) fn records(&self) -> Records {
        match self {
            Self::Files(path) => Records::Files(path.clone()),
            Self::Frame(_) | Self::OfPlan(_) => Records::Table,
            Self::Counts { names, .. } | Self::Labels { names, .. } => Records::Labels(names.clone()),
        }
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
            Self::Frame(data) => Ok(TakenTable::Columns(frame(&data, question)?)),
            Self::Counts { .. } | Self::Labels { .. } => Err(Failure::argument("data", NO_TABLE)),
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
        let is_table = !matches!(self, Self::Counts { .. } | Self::Labels { .. });
        if let (false, [column]) = (is_table, &mut *question.columns) {
            COLUMN.clone_into(&mut column.name);
        }
        let name = Some(plan.source().to_owned()).filter(|name| !name.is_empty());
        let published_keys = matches!(self, Self::Counts { published_keys: true, .. });
        let known = InMemory { question, name, is_table, published_keys };
        match self {
            Self::Files(path) => Ok(TakenData::Files(plan.files(path), known.question, shown)),
            Self::OfPlan(source) => Ok(TakenData::Files(source, known.question, shown)),
            Self::Frame(data) => Ok(TakenData::Columns(frame(&data, &known.question)?, known)),
            Self::Counts { counts, .. } => Ok(TakenData::Counts(counter(&counts, &known)?, known)),
            Self::Labels { labels, .. } => {
                let columns = column::frame(&[(COLUMN.to_owned(), labels.clone())], labels.len())?;
                Ok(TakenData::Columns(columns, known))
            }
        }
    }
}

/// Whether the question of a plan is about labels or counts, which have no columns.
fn is_without_columns(plan: &Plan) -> bool {
    let questions = plan.node().get("question");
    let question = questions.and_then(|all| match all.value() {
        Value::List(items) => items.first(),
        _ => Some(all),
    });
    question.is_some_and(|question| question.get("categories").is_some())
}

impl TakenData {
    /// Counts the data.
    pub(crate) fn count(self, randomness: Randomness, watch: &Watch) -> Result<posterity::Data, Failure> {
        let (counted, known) = match self {
            Self::Files(source, question, shown) => {
                let (resources, progress) = (Resources::default(), |_| watch.progress());
                let read = posterity::Data::read_from(&source, &question, randomness, &resources, &progress)?;
                return Ok(shown.iter().fold(read, |read, name| read.shown_as(name)));
            }
            Self::Counts(counter, known) => match known.question.adjacency {
                Adjacency::Replace => (counter.finish()?, known),
                Adjacency::AddRemove => (counter.finish_leaving_out()?, known),
            },
            Self::Columns(columns, known) => {
                let (mut bits, progress) = (randomness.bits_of_data(), |_| watch.progress());
                (columns.count(&known.question, &mut *bits, &Resources::default(), &progress)?, known)
            }
        };
        watch.tick();
        known.data(counted, randomness).map_err(|error| Failure::argument("name", error))
    }
}

/// The declared categories of labels.
fn declared_names(call: &Call) -> Result<Vec<String>, Failure> {
    let declared = call.read("categories", labels)?;
    declared.ok_or_else(|| {
        Failure::argument(
            "categories",
            "declare the possible labels. They are never read from the data, nor from the levels of a factor, because that \
             would reveal which ones occur",
        )
    })
}

/// The names of a list of counts.
fn keys(counts: &Robj) -> Result<Vec<String>, Failure> {
    names(counts).ok_or_else(|| {
        Failure::argument("data", "this is a list without names; give counts as list(yes = 48, no = 42)")
    })
}

/// Names of counts that are published as the categories.
fn published(keys: Vec<String>) -> Result<Vec<String>, Failure> {
    // Without it the message would speak of the data where the names are meant.
    Categories::new(keys.clone()).map_err(|error| Failure::argument("data", error))?;
    Ok(keys)
}

/// The columns of a data frame that a question names.
fn frame(data: &Robj, question: &Question) -> Result<Frame, Failure> {
    // A column whose name cannot be read cannot be asked for.
    let names = data.get_attrib("names").unwrap_or_default();
    let names: Vec<String> = texts(&names).map(|name| name.unwrap_or_default().to_owned()).collect();
    refuse_tally_column(data, &names)?;
    let columns = items(data, "data")?;
    let needed = needed_columns(question, &names)?;
    let taken: Vec<_> =
        needed.into_iter().map(|place| (names[place].clone(), columns[place].clone())).collect();
    let length = taken.first().map_or(0, |(_, column)| column.len());
    column::frame(&taken, length)
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

/// A list of counts.
fn counter(counts: &Robj, known: &InMemory) -> Result<LabelCounter, Failure> {
    let column = known.question.columns.first().cloned().ok_or(DataError::NoRecords)?;
    let mut counter = LabelCounter::new(column)?;
    for (index, (key, value)) in keys(counts)?.iter().zip(items(counts, "data")?).enumerate() {
        // Which names stand before it may depend on records, unless they are published.
        let position = known.published_keys.then_some(index + 1);
        let times = count(number(&value, "data").ok(), position, "data")?;
        if times > 0 {
            counter.add(Some(key), times);
        }
    }
    Ok(counter)
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
