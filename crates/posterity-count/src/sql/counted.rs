//! Counts that an engine made, as the result of [`sql`](super::sql()) has them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use posterity_core::model::{Adjacency, Counts};
use posterity_formats::{ColumnHint, Field, Piece, ReadError, Source, Value, Visitor, Wanted, read};
use thiserror::Error;

use super::{COUNT_COLUMN, STATE_COLUMN, State};
use crate::cells::{Cells, CellsError};
use crate::count::Counted;
use crate::error::DataError;
use crate::question::Question;
use crate::value_coder::name;
use crate::whole_number::whole_number;

/// Why counts from elsewhere are refused. It contains no value and no count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountedError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The question declares no categories.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// A column that has to be there is not.
    #[error("the counts have no column {column:?}; {hint}")]
    NoColumn {
        /// Its name.
        column: String,
        /// What may be said of the columns there are.
        hint: ColumnHint,
    },
    /// A cell that is not declared.
    #[error(
        "the counts have a cell that is not declared: a value of {column:?} is no category; count by the query of this very plan, \
         which puts other values and bins into their category"
    )]
    Undeclared {
        /// The column.
        column: String,
    },
    /// A cell that stands twice.
    #[error("the counts have one cell twice; add its rows up, or count by the query of this plan")]
    Repeated,
    /// A count that is none.
    #[error(
        "the column {COUNT_COLUMN:?} has something that is no whole number from 0 on; it holds numbers of records"
    )]
    NotACount,
    /// A word that says nothing.
    #[error(
        "the column {STATE_COLUMN:?} has a word that this version does not know; count by the query of this plan"
    )]
    State,
    /// Records without a cell, where none may be lost.
    #[error("{0}")]
    Refused(DataError),
    /// Records that the engine could not place.
    #[error(
        "the engine found {what}; mend the table, or say how its columns are stored (type integer, number, boolean, date or string) \
         and count again"
    )]
    Lost {
        /// What it found.
        what: &'static str,
    },
}

/// Reads the counts of a question that an engine made by the query of [`sql`](super::sql()), or by one like it: a column for
/// each column of the question, and `count`. Cells that are absent have no records.
///
/// Where n is public, rows for records without a cell are refused as our own count refuses the records.
///
/// # Errors
/// [`CountedError`]; it contains no value and no count.
pub fn read_counted(source: &Source, question: &Question) -> Result<Counted, CountedError> {
    // Our query says of every row what it counts; a table that somebody made may have cells only.
    match read_rows(source, question, true) {
        Err(CountedError::NoColumn { column, .. }) if column == STATE_COLUMN => {
            read_rows(source, question, false)
        }
        read => read,
    }
}

fn read_rows(source: &Source, question: &Question, with_state: bool) -> Result<Counted, CountedError> {
    let cells = Cells::new(question)?;
    let wanted = CountedColumns::new(question, with_state);
    let codes = cells.dimensions().iter().map(|dimension| {
        let column = question.columns.iter().find(|column| column.name == dimension.column);
        let names = column.map(crate::question::Column::names).unwrap_or_default();
        names.into_iter().enumerate().map(|(index, name)| (name.into_bytes(), index)).collect()
    });
    let visitor = CountedRows { wanted: &wanted, codes: codes.collect(), rows: Mutex::default() };
    let files = source.find()?;
    read(&files, &visitor)?;
    let rows = visitor.rows.into_inner().unwrap_or_default();
    counted(&cells, question, rows)
}

fn counted(cells: &Cells, question: &Question, rows: Vec<Row>) -> Result<Counted, CountedError> {
    let categories = cells.categories().clone();
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for Row { place, count } in rows {
        let cell = match place {
            Place::Cell(codes) => {
                let dimensions = cells.dimensions().iter().zip(codes);
                dimensions.fold(0, |cell, (dimension, code)| cell * dimension.len + code)
            }
            Place::State(State::Outside) => cells.outside().ok_or(CountedError::State)?,
            Place::State(_) if count == 0 => continue,
            Place::State(state) => return Err(refused(state, question)),
        };
        if counts.insert(cell, count).is_some() {
            return Err(CountedError::Repeated);
        }
    }
    let counts: Vec<u64> = (0..cells.len()).map(|cell| counts.get(&cell).copied().unwrap_or(0)).collect();
    let counts = match question.adjacency {
        Adjacency::Replace => Counts::new(counts),
        Adjacency::AddRemove => Counts::perhaps_empty(counts),
    };
    let counts = counts.map_err(|error| CountedError::Refused(error.into()))?;
    Ok(Counted { counts, categories, rows_scanned: None })
}

/// What a row of records without a cell says.
fn refused(state: State, question: &Question) -> CountedError {
    let what = match state {
        State::NoUnit => {
            let column = question.unit.clone().unwrap_or_default();
            return CountedError::Refused(DataError::MissingUnit { column });
        }
        State::Undeclared => "values that are not declared",
        State::Missing => "missing values, for which no category is named",
        State::Unanswered => "values for which a condition has no answer",
        State::OtherType => "a column of another type than was said",
        State::Unreadable | State::Outside => "values without an exact name, such as fractions",
    };
    CountedError::Lost { what }
}

/// The columns of such counts.
struct CountedColumns {
    names: Vec<String>,
}

impl CountedColumns {
    fn new(question: &Question, with_state: bool) -> Self {
        let columns = question.columns.iter().map(|column| column.name.as_str());
        let names = columns.chain([COUNT_COLUMN]).chain(with_state.then_some(STATE_COLUMN));
        Self { names: names.map(str::to_owned).collect() }
    }

    fn places(&self, found: &[&str], hint: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, CountedError> {
        let place = |wanted: &String| {
            let found = found.iter().position(|name| name == wanted);
            found.ok_or_else(|| CountedError::NoColumn { column: wanted.clone(), hint: hint(wanted) })
        };
        self.names.iter().map(place).collect()
    }
}

impl Wanted for CountedColumns {
    type Error = CountedError;

    fn columns(&self) -> &[String] {
        &self.names
    }

    fn find(&self, names: &[&str], hint: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, CountedError> {
        self.places(names, hint)
    }

    fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, CountedError> {
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        self.places(&names, &|column| ColumnHint::near(column, &names))
    }

    fn absent(&self, column: usize) -> Result<(), CountedError> {
        let name = &self.names[column];
        if name == STATE_COLUMN {
            return Ok(());
        }
        Err(CountedError::NoColumn { column: name.clone(), hint: ColumnHint::NoRecord })
    }

    fn has_unit(&self) -> bool {
        false
    }
}

/// What a row counts, and how many.
struct Row {
    place: Place,
    count: u64,
}

enum Place {
    /// The codes of a cell.
    Cell(Vec<usize>),
    State(State),
}

struct CountedRows<'a> {
    wanted: &'a CountedColumns,
    /// For each column the codes of its categories.
    codes: Vec<HashMap<Vec<u8>, usize>>,
    rows: Mutex<Vec<Row>>,
}

impl CountedRows<'_> {
    fn row<P: Piece + ?Sized>(&self, piece: &P, row: usize) -> Result<Row, CountedError> {
        let columns = self.codes.len();
        let count = count(piece.value(columns, row))?;
        let state = if columns + 1 < self.wanted.names.len() {
            piece.value(columns + 1, row)
        } else {
            Value::Missing
        };
        let place = match state {
            // A CSV file may write a missing value as an empty one.
            Value::Missing | Value::Text(b"") => {
                let code = |(column, codes): (usize, &HashMap<Vec<u8>, usize>)| {
                    let found = name(piece.value(column, row)).and_then(|name| codes.get(&*name).copied());
                    found
                        .ok_or_else(|| CountedError::Undeclared { column: self.wanted.names[column].clone() })
                };
                Place::Cell(self.codes.iter().enumerate().map(code).collect::<Result<_, _>>()?)
            }
            Value::Text(word) => {
                let state = State::ALL.into_iter().find(|state| state.word().as_bytes() == word);
                Place::State(state.ok_or(CountedError::State)?)
            }
            _ => return Err(CountedError::State),
        };
        Ok(Row { place, count })
    }
}

impl<'a> Visitor for CountedRows<'a> {
    type Error = CountedError;
    type Wanted = CountedColumns;
    type Part = ();

    fn wanted(&self) -> &CountedColumns {
        self.wanted
    }

    fn part(&self, _: u32, _: u32) {}

    fn piece<P: Piece + ?Sized>(&self, (): &mut (), piece: &P) -> Result<(), CountedError> {
        let rows: Vec<Row> = (0..piece.rows()).map(|row| self.row(piece, row)).collect::<Result<_, _>>()?;
        if let Ok(mut all) = self.rows.lock() {
            all.extend(rows);
        }
        Ok(())
    }
}

/// A number of records.
fn count(value: Value<'_>) -> Result<u64, CountedError> {
    let number = match value {
        Value::Text(text) => std::str::from_utf8(text).ok().and_then(|text| {
            let number: u64 = text.parse().ok()?;
            (number.to_string() == text).then_some(number.into())
        }),
        other => whole_number(other),
    };
    number.and_then(|number| u64::try_from(number).ok()).ok_or(CountedError::NotACount)
}
