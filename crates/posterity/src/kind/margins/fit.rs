//! Rows fitted to a release, for software that needs rows.

use std::ops::ControlFlow;

use posterity_margins::rows::{FitError, Input, InputError, Measured, Progress, Rows};
use thiserror::Error;

use super::MarginsDocument;
use super::answer::Margins;
use super::asked::space;
use crate::about::AboutColumn;
use crate::table::Labels;

/// Rows whose tables are near to the released ones. They follow from the document alone, so they cost nothing.
#[derive(Clone, Debug)]
pub struct FittedRows<'a> {
    columns: &'a [AboutColumn],
    rows: Rows,
    mark: Option<NotPrivate>,
}

/// The column of rows that were fitted to a release that is not private. It says so of every row, because rows are read
/// without the release.
#[derive(Clone, Debug)]
struct NotPrivate {
    name: String,
    values: [String; 1],
    places: Vec<u16>,
}

impl NotPrivate {
    /// A column `private` with `false` in this many rows. Where a column has that name already, it is `private_`.
    fn new(columns: &[AboutColumn], rows: usize) -> Self {
        let mut name = "private".to_owned();
        while columns.iter().any(|column| column.name == name) {
            name.push('_');
        }
        Self { name, values: ["false".to_owned()], places: vec![0; rows] }
    }
}

/// Why there are no rows.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RowsError {
    /// A column has too many values.
    #[error(
        "the column {column:?} has more than 65,535 values, too many for rows; release its values in groups"
    )]
    Values {
        /// The column.
        column: String,
    },
    /// The noisy number of records is not positive.
    #[error("the number of records is {found} with its noise; say how many rows there should be")]
    Number {
        /// The noisy number.
        found: i64,
    },
    /// The release has none that rows can be fitted to.
    #[error(transparent)]
    Input(#[from] InputError),
    /// So many rows do not fit into memory.
    #[error(
        "{rows} rows were asked for, and at most {most} rows of {columns} columns are fitted at once, because all of them are held in \
         memory; ask for fewer, or fit several parts with other seeds"
    )]
    TooMany {
        /// How many were asked for.
        rows: usize,
        /// How many columns they have.
        columns: usize,
        /// How many can be fitted.
        most: usize,
    },
    /// No rows, too many, or the fit was stopped.
    #[error(transparent)]
    Fit(#[from] FitError),
}

impl MarginsDocument {
    /// Fits rows: as many as there are records, with noise if their number is private, unless told otherwise. The seed
    /// is that of the fit, and has nothing to do with the promise.
    ///
    /// # Errors
    /// [`RowsError`].
    pub fn rows(
        &self,
        number: Option<usize>,
        seed: u64,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<FittedRows<'_>, RowsError> {
        let noisy = self.answer().released.residual(0)[0];
        let positive = || usize::try_from(noisy).ok().filter(|&found| found > 0);
        let number = number.or_else(positive).ok_or(RowsError::Number { found: noisy })?;
        let columns = self.about().columns.len();
        let most = most_rows(columns);
        if number > most {
            return Err(RowsError::TooMany { rows: number, columns, most });
        }
        let rows = Rows::fit(&input(self.answer(), number)?, number, seed, progress)?;
        let columns = &self.about().columns;
        let mark = (!self.is_private()).then(|| NotPrivate::new(columns, number));
        Ok(FittedRows { columns, rows, mark })
    }
}

/// The memory that rows may take while they are fitted, in bytes.
const MOST_BYTES: usize = 4 << 30;

/// How many bytes a value takes at most: the code of a row is held in the crowds, together, and by its column, and twice
/// while lists of them grow.
const BYTES_OF_A_VALUE: usize = 8;

/// How many rows of this many columns can be fitted.
fn most_rows(columns: usize) -> usize {
    // Where the release is not private there is one column more.
    MOST_BYTES / (BYTES_OF_A_VALUE * (columns + 1))
}

/// What a fit is told. A noisy number of records that is not positive stands for as many as there are rows.
fn input(margins: &Margins, rows: usize) -> Result<Input, RowsError> {
    let size = |column: &AboutColumn| {
        u16::try_from(column.values.len()).map_err(|_| RowsError::Values { column: column.name.clone() })
    };
    let sizes = margins.request.about.columns.iter().map(size).collect::<Result<_, _>>()?;
    let workload = margins.plan.workload();
    let measured = |index: usize| {
        let cells = workload.cells(index) as f64;
        Measured {
            columns: workload.sets()[index].columns().iter().map(|&column| usize::from(column)).collect(),
            residual: margins.released.residual(index).iter().map(|&value| value as f64 / cells).collect(),
            variance: margins.plan.variance(index),
        }
    };
    let noisy = margins.released.residual(0)[0];
    let records = if noisy > 0 { noisy as f64 } else { rows as f64 };
    Ok(Input::new(sizes, records, (1..workload.sets().len()).map(measured).collect())?)
}

impl FittedRows<'_> {
    /// The names of the columns. Behind those of the release is `private`, if it is not private.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mark = self.mark.iter().map(|mark| mark.name.as_str());
        self.columns.iter().map(|column| column.name.as_str()).chain(mark)
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none. A fit always has some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Each column: its name, its values, and the place of each row's value among them.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &[String], &[u16])> {
        let all = self.columns.iter().enumerate();
        let all = all
            .map(|(place, column)| (column.name.as_str(), column.values.as_slice(), self.rows.column(place)));
        all.chain(self.mark.iter().map(|mark| (mark.name.as_str(), &mark.values[..], &mark.places[..])))
    }

    /// The values of a row, in the order of the columns.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        let all = self.columns.iter().enumerate();
        let all =
            all.map(move |(place, column)| column.values[usize::from(self.rows.column(place)[row])].as_str());
        all.chain(self.mark.iter().map(|mark| mark.values[0].as_str()))
    }

    /// How far the rows are from the release: of each table, the names of its columns and the sum of the differences
    /// of shares, and the mean square of the difference in units of the noise.
    pub fn distances(&self) -> impl Iterator<Item = (Vec<&str>, f64, f64)> {
        self.rows.distances().iter().map(|distance| {
            let names = distance.columns.iter().map(|&column| self.columns[column].name.as_str());
            (names.collect(), distance.l1, distance.mean_square)
        })
    }

    /// Every released table as it is in the rows: its cells with the number of rows of each. No number is negative, and
    /// tables that share columns agree on them. They have no intervals.
    pub fn tables(&self) -> impl Iterator<Item = Vec<(Labels, u64)>> {
        self.rows.distances().iter().map(|distance| self.table(&distance.columns))
    }

    fn table(&self, columns: &[usize]) -> Vec<(Labels, u64)> {
        let size = |column: usize| self.columns[column].values.len();
        let mut counts = vec![0; columns.iter().map(|&column| size(column)).product()];
        for row in 0..self.len() {
            let digit = |column: usize| usize::from(self.rows.column(column)[row]);
            counts[columns.iter().fold(0, |cell, &column| cell * size(column) + digit(column))] += 1;
        }
        let named: Vec<&AboutColumn> = columns.iter().map(|&column| &self.columns[column]).collect();
        let space = space(named.iter().copied());
        let label = |cell: usize, (place, column): (usize, &&AboutColumn)| {
            (column.name.clone(), column.values[space.value(cell, place)].clone())
        };
        let labels = |cell| named.iter().enumerate().map(|column| label(cell, column)).collect();
        counts.into_iter().enumerate().map(|(cell, count)| (labels(cell), count)).collect()
    }
}
