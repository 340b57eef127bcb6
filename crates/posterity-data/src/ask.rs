//! A question that has been checked, and the columns that it needs.

use crate::cells::Cells;
use crate::coder::Coder;
use crate::column::{Field, ValueKind};
use crate::column_hint::ColumnHint;
use crate::error::DataError;
use crate::filter::{Filter, FilterError};
use crate::question::{Domain, Question};
use crate::unit::PerUnit;

/// A checked question, with everything that can be computed before a source is opened.
#[derive(Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) question: &'a Question,
    pub(crate) cells: Cells,
    /// The names of all needed columns, each once.
    pub(crate) columns: Vec<String>,
    /// For each dimension, the position of its column among the needed ones, and its lookup.
    pub(crate) dimensions: Vec<(usize, Coder)>,
    /// The filter, and the positions of its columns.
    pub(crate) filter: Option<(Filter, Vec<usize>)>,
    /// The position of the unit.
    pub(crate) unit: Option<usize>,
    /// The position of the column by which a unit's records are ordered.
    pub(crate) order: Option<usize>,
}

impl<'a> Ask<'a> {
    /// Checks a question.
    pub(crate) fn new(question: &'a Question) -> Result<Self, DataError> {
        let cells = Cells::new(question)?;
        let mut columns: Vec<String> = Vec::new();
        let mut place = |name: &str| {
            columns.iter().position(|column| column == name).unwrap_or_else(|| {
                columns.push(name.to_owned());
                columns.len() - 1
            })
        };
        let dimensions = cells
            .dimensions()
            .iter()
            .map(|dimension| (place(&dimension.column), Coder::new(dimension)))
            .collect();
        let filter = match &question.filter {
            None => None,
            Some(text) => {
                let filter =
                    Filter::parse(text).map_err(|error| DataError::Filter { filter: text.clone(), error })?;
                let places = filter.columns().iter().map(|name| place(name)).collect();
                Some((filter, places))
            }
        };
        let unit = question.unit.as_deref().map(&mut place);
        let order = match (&question.per_unit, unit) {
            (PerUnit::Latest(column), Some(_)) => Some(place(column)),
            _ => None,
        };
        Ok(Self { question, cells, columns, dimensions, filter, unit, order })
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
                (Some(_), Some(_)) => return Err(DataError::DuplicateColumn { column: column.clone() }),
                (None, _) => return Err(self.unknown(needed, hint(column))),
            }
        }
        Ok(positions)
    }

    /// The error of a needed column that is not there.
    pub(crate) fn unknown(&self, needed: usize, hint: ColumnHint) -> DataError {
        let column = self.columns[needed].clone();
        let only_filter = self.dimensions.iter().all(|(position, _)| *position != needed)
            && self.unit != Some(needed)
            && self.order != Some(needed);
        match &self.question.filter {
            Some(filter) if only_filter => DataError::Filter {
                filter: filter.clone(),
                error: FilterError::UnknownColumn { column, hint },
            },
            _ => DataError::UnknownColumn { column, hint },
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
            Err(DataError::UnsupportedType { column: name.clone(), kind: described.clone(), remedy })
        };
        for ((needed, _), dimension) in self.dimensions.iter().zip(self.cells.dimensions()) {
            match dimension.domain {
                Domain::Values(_) => refuse(*needed, names_categories, NAMES)?,
                Domain::Bins(_) => refuse(*needed, may_be_number, NUMBERS)?,
            }
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

const NAMES: &str = "whose values cannot be told apart by name; store it as text, integer or boolean, or sort numbers into bins";
const NUMBERS: &str =
    "which holds no numbers to be sorted into bins; declare its categories, or store numbers";
const UNITS: &str = "which does not tell units apart; store the unit as text or integer";
const ORDERED: &str = "which has no order; name a column of numbers, dates or text";

/// Refuses a name that two columns have.
pub(crate) fn refuse_repeated<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), DataError> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(DataError::DuplicateColumn { column: pair[0].into() }),
        None => Ok(()),
    }
}

/// Whether values of this kind have one exact printed form.
fn names_categories(kind: ValueKind) -> bool {
    matches!(kind, ValueKind::Text | ValueKind::Integer | ValueKind::Boolean | ValueKind::Missing)
}

fn may_be_number(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Text | ValueKind::Integer | ValueKind::Decimal | ValueKind::Float | ValueKind::Missing
    )
}

/// Whether equality of this kind tells units apart.
fn names_units(kind: ValueKind) -> bool {
    !matches!(kind, ValueKind::Float | ValueKind::Strange)
}

fn may_be_ordered(kind: ValueKind) -> bool {
    !matches!(kind, ValueKind::Bytes | ValueKind::Strange)
}
