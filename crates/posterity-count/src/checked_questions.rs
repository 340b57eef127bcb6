//! Questions that have been checked, and the columns that they need.

use std::sync::OnceLock;

use posterity_core::model::{Adjacency, Counts};
use posterity_formats::{ColumnHint, Field, Files, ReadError, Source, Value, ValueKind, Wanted};

use crate::cells::{Cells, Dimension};
use crate::error::DataError;
use crate::filter::{Filter, FilterError};
use crate::question::{Domain, Question};
use crate::resemblance::{Resemblance, Resemblances};
use crate::unit::PerUnit;
use crate::value_coder::{ValueCoder, name};

/// Checked questions, with everything that can be computed before a source is opened.
///
/// All of them are asked of the same records: they have one filter, one private filter and one unit.
///
/// Where a record counts in all tables or in none, tables over sets of columns stand beside the parts, and the codings
/// are those of all columns.
#[derive(Debug)]
pub(crate) struct CheckedQuestions<'a> {
    /// The first question, for what all have in common.
    pub(crate) question: &'a Question,
    /// The questions, in their order.
    pub(crate) parts: Vec<Part>,
    /// The names of all needed columns, each once.
    pub(crate) columns: Vec<String>,
    /// The different ways in which the questions sort values into categories. A column that all questions declare alike
    /// has one.
    pub(crate) codings: Vec<Coding>,
    /// Whether the first column is one all of whose values are counted: then nothing is declared, and there are no
    /// questions of cells.
    all_values: bool,
    /// The filter, and the positions of its columns.
    pub(crate) filter: Option<(Filter, Vec<usize>)>,
    /// The private filter, and the positions of its columns.
    pub(crate) within: Option<(Filter, Vec<usize>)>,
    /// The position of the unit.
    pub(crate) unit: Option<usize>,
    /// The position of the column by which a unit's records are ordered.
    pub(crate) order: Option<usize>,
    /// Whether a record counts in all tables or in none, and the same record of a unit in all of them.
    pub(crate) whole: bool,
}

/// The position of the column all of whose values are counted, where there is one.
pub(crate) const VALUES_COLUMN: usize = 0;

/// One of the questions.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) cells: Cells,
    /// For each dimension, the position of its coding.
    pub(crate) codings: Vec<usize>,
}

/// A column and how its values become categories.
#[derive(Clone, Debug)]
pub(crate) struct Coding {
    pub(crate) dimension: Dimension,
    /// The position of the column among the needed ones.
    pub(crate) column: usize,
    pub(crate) coder: ValueCoder,
    resemblances: OnceLock<Resemblances>,
}

impl Coding {
    pub(crate) fn new(dimension: &Dimension, column: usize) -> Self {
        let coder = ValueCoder::new(dimension);
        Self { dimension: dimension.clone(), column, coder, resemblances: OnceLock::new() }
    }

    /// The category that a value resembles which is not declared.
    pub(crate) fn resembled(&self, value: Value<'_>) -> Option<Resemblance> {
        if self.coder.is_decimal_comma(value) {
            return Some(Resemblance::DECIMAL_COMMA);
        }
        let name = name(value)?;
        self.resemblances.get_or_init(|| Resemblances::new(&self.dimension)).of(&name)
    }

    /// Its name, if a value with this name resembles one.
    pub(crate) fn resembled_name(&self, value: &str) -> Option<String> {
        let found = self.resembled(Value::Text(value.as_bytes()))?;
        match &self.dimension.domain {
            Domain::Values(values) => values.get(found.category).cloned(),
            Domain::Bins(_) => None,
        }
    }

    /// The error of values that are not declared, of which some may resemble a category.
    pub(crate) fn outside(&self, resembled: Option<Resemblance>) -> DataError {
        let column = self.dimension.column.clone();
        match (&self.dimension.domain, resembled) {
            (Domain::Bins(_), Some(_)) => DataError::DecimalComma { column },
            (Domain::Bins(_), None) => DataError::OutsideBins { column },
            (Domain::Values(values), Some(Resemblance { category, differs })) => {
                DataError::Resembles { column, category: values[category].clone(), differs }
            }
            (Domain::Values(_), None) => DataError::Outside { column },
        }
    }
}

impl<'a> CheckedQuestions<'a> {
    /// Checks a question.
    #[cfg(feature = "datafusion")]
    pub(crate) fn new(question: &'a Question) -> Result<Self, DataError> {
        Self::all(std::slice::from_ref(question))
    }

    /// Checks questions that are to be counted together.
    pub(crate) fn all(questions: &'a [Question]) -> Result<Self, DataError> {
        let question = of_the_same_records(questions.iter())?;
        let mut needed = Needed::default();
        let parts = needed.parts(questions)?;
        Self::of(question, parts, needed, false)
    }

    /// Checks a question whose columns are counted in tables over some of them, so that nobody lists its cells.
    pub(crate) fn whole(question: &'a Question) -> Result<Self, DataError> {
        Self::together(&[], std::slice::from_ref(&question)).map(|(checked, _)| checked)
    }

    /// Checks questions that are counted beside such wide ones, where a record counts in all tables or in none. Also gives
    /// the codings of the columns of each wide question.
    pub(crate) fn together(
        questions: &'a [Question],
        wide: &[&'a Question],
    ) -> Result<(Self, Vec<Vec<usize>>), DataError> {
        let question = of_the_same_records(questions.iter().chain(wide.iter().copied()))?;
        let mut needed = Needed::default();
        let parts = needed.parts(questions)?;
        let mut codings = Vec::with_capacity(wide.len());
        for question in wide {
            let (dimensions, _) = Dimension::all(&question.columns, &mut |_| Ok(()))?;
            codings.push(dimensions.iter().map(|dimension| needed.coding(dimension)).collect());
        }
        Ok((Self::of(question, parts, needed, true)?, codings))
    }

    /// Checks a question that has no columns of its own, to count every value of this one.
    pub(crate) fn of_values(question: &'a Question, column: &str) -> Result<Self, DataError> {
        let mut needed = Needed::default();
        needed.place(column);
        Ok(Self { all_values: true, ..Self::of(question, Vec::new(), needed, false)? })
    }

    /// Finds what is needed besides the categories.
    fn of(
        question: &'a Question,
        parts: Vec<Part>,
        mut needed: Needed,
        whole: bool,
    ) -> Result<Self, DataError> {
        let mut parse = |text: &Option<String>, wrong: fn(String, FilterError) -> DataError| {
            let Some(text) = text else { return Ok(None) };
            let filter = Filter::parse(text).map_err(|error| wrong(text.clone(), error))?;
            let places = filter.columns().iter().map(|name| needed.place(name)).collect();
            Ok::<_, DataError>(Some((filter, places)))
        };
        let filter = parse(&question.filter, |filter, error| DataError::Filter { filter, error })?;
        let within = parse(&question.within, |filter, error| DataError::Within { filter, error })?;
        let unit = question.unit.as_deref().map(|unit| needed.place(unit));
        let order = match (&question.per_unit, unit) {
            (PerUnit::Latest(column), Some(_)) => Some(needed.place(column)),
            _ => None,
        };
        let Needed { columns, mut codings } = needed;
        if question.adjacency == Adjacency::Replace {
            codings.iter_mut().for_each(|coding| coding.coder.refuse_decimal_commas());
        }
        let all_values = false;
        Ok(Self { question, parts, columns, codings, all_values, filter, within, unit, order, whole })
    }

    /// Whether a record without a category, a unit or an answer of a filter is left out rather than an error.
    pub(crate) fn leaves_out(&self) -> bool {
        self.question.adjacency == Adjacency::AddRemove
    }

    /// Finds the files of a source, and does some work on them. Where n is private there may be none, and no error tells
    /// where something is wrong.
    pub(crate) fn with_files<T>(
        &self,
        source: &Source,
        work: impl FnOnce(&Files) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        if !self.leaves_out() {
            return work(&source.find()?);
        }
        let done = source.find_perhaps_empty().map_err(DataError::from).and_then(|files| work(&files));
        done.map_err(|error| self.told(source, error))
    }

    /// What is told of an error. Where n is private it does not tell where something is wrong.
    pub(crate) fn told(&self, source: &Source, error: DataError) -> DataError {
        if self.leaves_out() { error.without_place(&source.to_string()) } else { error }
    }

    /// Checks what was counted of one table. There may be nothing only where n is private.
    pub(crate) fn counts(&self, counts: Vec<u64>) -> Result<Counts, DataError> {
        let counts = if self.leaves_out() { Counts::perhaps_empty(counts) } else { Counts::new(counts) };
        Ok(counts?)
    }

    /// The cells of the only question.
    #[cfg(feature = "datafusion")]
    pub(crate) fn cells(&self) -> &Cells {
        &self.parts[0].cells
    }

    /// Where the needed columns stand among these names, of which `hint` may say more.
    pub(crate) fn find(
        &self,
        names: &[&str],
        hint: impl Fn(&str) -> ColumnHint,
    ) -> Result<Vec<usize>, DataError> {
        let mut positions = Vec::with_capacity(self.columns.len());
        for (needed, column) in self.columns.iter().enumerate() {
            let mut found = names.iter().enumerate().filter(|(_, name)| *name == column);
            match (found.next(), found.next()) {
                (Some((position, _)), None) => positions.push(position),
                (Some(_), Some(_)) => {
                    return Err(ReadError::DuplicateColumn { column: column.clone() }.into());
                }
                (None, _) => return Err(self.unknown(needed, hint(column))),
            }
        }
        Ok(positions)
    }

    /// The error of a needed column that is not there.
    pub(crate) fn unknown(&self, needed: usize, hint: ColumnHint) -> DataError {
        let column = self.columns[needed].clone();
        let elsewhere = self.codings.iter().any(|coding| coding.column == needed)
            || self.all_values && needed == VALUES_COLUMN
            || self.unit == Some(needed)
            || self.order == Some(needed);
        let of = |filter: &Option<(Filter, Vec<usize>)>| {
            !elsewhere && filter.as_ref().is_some_and(|(_, places)| places.contains(&needed))
        };
        let text = |filter: &Option<String>| filter.clone().unwrap_or_default();
        if of(&self.filter) {
            let filter = text(&self.question.filter);
            DataError::Filter { filter, error: FilterError::UnknownColumn { column, hint } }
        } else if of(&self.within) {
            let filter = text(&self.question.within);
            DataError::Within { filter, error: FilterError::UnknownColumn { column, hint } }
        } else {
            DataError::UnknownColumn { column, hint }
        }
    }

    /// Where the needed columns stand among those of a typed file, if their types allow what is asked of them.
    pub(crate) fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, DataError> {
        let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let hint = |_: &str| ColumnHint::Columns(names.iter().map(ToString::to_string).collect());
        let positions = self.find(&names, hint)?;
        let refuse = |needed: usize, fits: fn(ValueKind) -> bool, remedy: &'static str| {
            let Field { name, kind, described } = &fields[positions[needed]];
            if fits(*kind) {
                return Ok(());
            }
            let floats = matches!(kind, ValueKind::Float | ValueKind::Decimal) && remedy == NAMES;
            let remedy = if floats { FLOATS } else { remedy };
            Err(DataError::UnsupportedType { column: name.clone(), kind: described.clone(), remedy })
        };
        for Coding { dimension, column, coder, .. } in &self.codings {
            match dimension.domain {
                // Of fractions none has a name, and where no whole number is declared, no record has a category. Where n is
                // private that is no error: one missing value makes fractions of whole numbers in other libraries.
                Domain::Values(_) if !coder.has_whole_numbers() && !self.leaves_out() => {
                    refuse(*column, names_all, NAMES)?;
                }
                Domain::Values(_) => refuse(*column, names_categories, NAMES)?,
                Domain::Bins(_) => refuse(*column, may_be_number, NUMBERS)?,
            }
        }
        if self.all_values {
            refuse(VALUES_COLUMN, names_categories, NAMES)?;
        }
        if let Some(unit) = self.unit {
            refuse(unit, names_units, UNITS)?;
        }
        if let Some(order) = self.order {
            refuse(order, may_be_ordered, ORDERED)?;
        }
        Ok(positions)
    }
}

#[cfg(feature = "datafusion")]
impl CheckedQuestions<'_> {
    /// The same for a query engine, which compares values of a column's own type with declared names. It does not do so
    /// with days and decimals.
    pub(crate) fn bind_for_engine(&self, fields: &[Field]) -> Result<Vec<usize>, DataError> {
        let positions = self.bind(fields)?;
        for Coding { dimension, column, .. } in &self.codings {
            let Field { name, kind, described } = &fields[positions[*column]];
            let other =
                matches!(kind, ValueKind::Day | ValueKind::Mixed | ValueKind::Float | ValueKind::Decimal)
                    || described.starts_with("Decimal");
            if other && matches!(dimension.domain, Domain::Values(_)) {
                let (column, kind) = (name.clone(), described.clone());
                return Err(DataError::UnsupportedType { column, kind, remedy: NAMES });
            }
        }
        if let Some(unit) = self.unit {
            let Field { name, kind, described } = &fields[positions[unit]];
            if *kind == ValueKind::Float {
                let (column, kind) = (name.clone(), described.clone());
                return Err(DataError::UnsupportedType { column, kind, remedy: UNITS });
            }
        }
        Ok(positions)
    }
}

impl Wanted for CheckedQuestions<'_> {
    type Error = DataError;

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn find(&self, names: &[&str], hint: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, DataError> {
        self.find(names, hint)
    }

    fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, DataError> {
        self.bind(fields)
    }

    /// Where n is private, one more record may have the column.
    fn absent(&self, column: usize) -> Result<(), DataError> {
        if self.leaves_out() { Ok(()) } else { Err(self.unknown(column, ColumnHint::NoRecord)) }
    }

    fn strict(&self) -> bool {
        !self.leaves_out()
    }

    fn has_unit(&self) -> bool {
        self.unit.is_some()
    }
}

/// The columns that questions need, and their codings, while they are found.
#[derive(Default)]
struct Needed {
    columns: Vec<String>,
    codings: Vec<Coding>,
}

impl Needed {
    /// The position of a column.
    fn place(&mut self, name: &str) -> usize {
        self.columns.iter().position(|column| column == name).unwrap_or_else(|| {
            self.columns.push(name.to_owned());
            self.columns.len() - 1
        })
    }

    /// The questions whose cells are listed.
    fn parts(&mut self, questions: &[Question]) -> Result<Vec<Part>, DataError> {
        let part = |question: &Question| {
            let cells = Cells::new(question)?;
            let codings = cells.dimensions().iter().map(|dimension| self.coding(dimension)).collect();
            Ok(Part { cells, codings })
        };
        questions.iter().map(part).collect()
    }

    /// The position of the coding of a dimension.
    fn coding(&mut self, dimension: &Dimension) -> usize {
        let known = self.codings.iter().position(|coding| coding.dimension == *dimension);
        known.unwrap_or_else(|| {
            let column = self.place(&dimension.column);
            self.codings.push(Coding::new(dimension, column));
            self.codings.len() - 1
        })
    }
}

/// The first of some questions, if all of them can be counted together.
fn of_the_same_records<'a>(
    mut questions: impl Iterator<Item = &'a Question>,
) -> Result<&'a Question, DataError> {
    let first = questions.next().ok_or(DataError::NoQuestions)?;
    for (index, other) in questions.enumerate() {
        if let Some(what) = difference(first, other) {
            return Err(DataError::MixedQuestions { question: index + 2, what });
        }
    }
    refuse_several(first)?;
    Ok(first)
}

/// Refuses a rule by which a unit counts several times, where that is not possible.
fn refuse_several(question: &Question) -> Result<(), DataError> {
    let several = matches!(question.per_unit, PerUnit::All(_));
    if several && (question.unit.is_none() || question.adjacency == Adjacency::Replace) {
        return Err(DataError::SeveralRecords { rule: question.per_unit.to_string() });
    }
    Ok(())
}

/// What two questions must have in common to be counted together, and have not.
fn difference(one: &Question, other: &Question) -> Option<&'static str> {
    let several = |question: &Question| matches!(question.per_unit, PerUnit::All(_));
    let ignored = one.unit.is_none() && several(one) == several(other);
    let same_rule = ignored || one.per_unit == other.per_unit;
    [
        (one.adjacency == other.adjacency, "adjacency"),
        (one.filter == other.filter, "filter"),
        (one.within == other.within, "private filter"),
        (one.unit == other.unit, "unit"),
        (same_rule, "rule for units"),
    ]
    .into_iter()
    .find_map(|(same, what)| (!same).then_some(what))
}

const NAMES: &str = "whose values cannot be told apart by name; store it as text, integer or boolean, or sort numbers into bins";
const FLOATS: &str = "of which whole numbers alone have a name, and no category is a whole number; declare some, or sort numbers into bins";
const NUMBERS: &str =
    "which holds no numbers to be sorted into bins; declare its categories, or store numbers";
const UNITS: &str = "which does not tell units apart; store the unit as text or integer";
const ORDERED: &str = "which has no order; name a column of numbers, dates or text";

/// Whether values of this kind may have an exact name. Numbers with a fraction and mixed values are refused one by one, as
/// those of JSON are.
fn names_categories(kind: ValueKind) -> bool {
    names_all(kind) || matches!(kind, ValueKind::Float | ValueKind::Decimal)
}

/// Whether values of this kind have one exact printed form.
fn names_all(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Text
            | ValueKind::Integer
            | ValueKind::Boolean
            | ValueKind::Day
            | ValueKind::Missing
            | ValueKind::Mixed
    )
}

fn may_be_number(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Text
            | ValueKind::Integer
            | ValueKind::Decimal
            | ValueKind::Float
            | ValueKind::Missing
            | ValueKind::Mixed
    )
}

/// Whether equality of this kind tells units apart. Of floating-point numbers, that of whole ones does, and others are
/// refused one by one.
fn names_units(kind: ValueKind) -> bool {
    kind != ValueKind::Strange
}

fn may_be_ordered(kind: ValueKind) -> bool {
    !matches!(kind, ValueKind::Bytes | ValueKind::Strange)
}
