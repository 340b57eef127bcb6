//! A table as a grid: groups, and parts of each group.

use posterity::ReadingTable;
use posterity::table::{IntervalKind, ReadingRow};
use posterity_present::intervals::marks;
use posterity_present::readings::cells;

/// The rows of a reading as a grid. Where a reading has a condition, its groups are the values of the condition, and
/// the parts those of the cells. Otherwise the last column makes the parts, and those before it the groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    /// The groups: one without columns if the table has no groups.
    pub(crate) outer: Side,
    /// The parts of each group.
    pub(crate) inner: Side,
    /// For each group, the number of each part; nothing if a table lacks it.
    pub(crate) cells: Vec<Vec<Option<Cell>>>,
}

/// Groups or parts: combinations of values of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Side {
    /// The columns.
    pub(crate) columns: Vec<String>,
    /// Their combinations, in the order of the table.
    pub(crate) names: Vec<Vec<String>>,
}

/// A number of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    /// The number; none at all for a share of a group that may be empty.
    pub(crate) mean: f64,
    pub(crate) interval: [f64; 2],
    /// What stands before the number, and is explained below the picture.
    pub(crate) marks: &'static str,
}

impl Side {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Its columns in words.
    pub(crate) fn head(&self) -> String {
        self.columns.join(", ")
    }

    /// The name of one combination.
    pub(crate) fn name(&self, index: usize) -> String {
        self.names.get(index).map(|values| values.join(", ")).unwrap_or_default()
    }

    /// All columns but the last, and the last, if every combination of theirs occurs in this order.
    pub(crate) fn split(&self) -> Option<(Self, Self)> {
        let (last, first) = self.columns.split_last()?;
        let mut outer = Self { columns: first.to_vec(), names: Vec::new() };
        let mut inner = Self { columns: vec![last.clone()], names: Vec::new() };
        let places: Vec<(usize, usize)> = self
            .names
            .iter()
            .map(|values| {
                let (last, first) =
                    values.split_last().map_or((String::new(), &[][..]), |(a, b)| (a.clone(), b));
                (outer.index(first.to_vec()), inner.index(vec![last]))
            })
            .collect();
        let wide = inner.len();
        let regular = places.iter().enumerate().all(|(index, place)| *place == (index / wide, index % wide));
        (regular && places.len() == outer.len() * wide).then_some((outer, inner))
    }

    /// The index of a combination, which is added if it is new.
    fn index(&mut self, values: Vec<String>) -> usize {
        // Tables are in row-major order, so a combination was most likely seen last or a while ago.
        match self.names.iter().rposition(|name| *name == values) {
            Some(index) => index,
            None => {
                self.names.push(values);
                self.names.len() - 1
            }
        }
    }
}

impl Grid {
    /// The grid of a table.
    pub(crate) fn new(table: &ReadingTable) -> Self {
        let of: &[String] = cells(table);
        let given = varying(table, &table.given);
        let of = varying(table, of);
        let sides = match (given.is_empty(), of.is_empty()) {
            (false, false) => (given, of),
            _ => {
                let mut all = [given, of].concat();
                let last = all.pop();
                // A table of one number is named after its last column.
                let last = last.or_else(|| table.given.iter().chain(&table.of).next_back().cloned());
                (all, last.into_iter().collect())
            }
        };
        Self::arrange(table, sides)
    }

    /// The grid of a table of shares whose parts belong to one group each: the groups are always those of the
    /// condition, even if there is one part only.
    pub(crate) fn of_shares(table: &ReadingTable) -> Self {
        if table.given.is_empty() {
            return Self::new(table);
        }
        let parts = varying(table, &table.of);
        let parts = if parts.is_empty() { table.of.last().cloned().into_iter().collect() } else { parts };
        Self::arrange(table, (varying(table, &table.given), parts))
    }

    /// The grid with these columns of groups and of parts.
    fn arrange(table: &ReadingTable, (outer, inner): (Vec<String>, Vec<String>)) -> Self {
        let mut grid = Self {
            outer: Side { columns: outer, names: Vec::new() },
            inner: Side { columns: inner, names: Vec::new() },
            cells: Vec::new(),
        };
        for row in &table.rows {
            grid.add(row, table.interval);
        }
        let wide = grid.inner.len();
        grid.cells.iter_mut().for_each(|cells| cells.resize(wide, None));
        grid
    }

    fn add(&mut self, row: &ReadingRow, kind: IntervalKind) {
        let values = |columns: &[String]| columns.iter().map(|name| value(row, name).to_owned()).collect();
        let outer = self.outer.index(values(&self.outer.columns));
        let inner = self.inner.index(values(&self.inner.columns));
        self.cells.resize(self.outer.len(), Vec::new());
        let cells = &mut self.cells[outer];
        if cells.len() <= inner {
            cells.resize(inner + 1, None);
        }
        let mean = row.number().unwrap_or(f64::NAN);
        cells[inner] = Some(Cell { mean, interval: row.interval, marks: marks(row, kind) });
    }

    /// The same with the labels of values beside them.
    pub(crate) fn labelled(mut self, table: &ReadingTable) -> Self {
        for side in [&mut self.outer, &mut self.inner] {
            for values in &mut side.names {
                for (column, value) in side.columns.iter().zip(values) {
                    *value = table.words.value(column, value).into_owned();
                }
            }
        }
        self
    }

    /// The numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().flatten().copied().flatten()
    }

    /// Exchanges groups and parts.
    pub(crate) fn turned(self) -> Self {
        let column = |index: usize| self.cells.iter().map(|cells| cells[index]).collect();
        let cells = (0..self.inner.len()).map(column).collect();
        Self { outer: self.inner, inner: self.outer, cells }
    }
}

/// The columns with more than one value.
fn varying(table: &ReadingTable, columns: &[String]) -> Vec<String> {
    let varies = |column: &&String| {
        let first = table.rows.first().map(|row| value(row, column));
        table.rows.iter().any(|row| Some(value(row, column)) != first)
    };
    columns.iter().filter(varies).cloned().collect()
}

fn value<'a>(row: &'a ReadingRow, column: &str) -> &'a str {
    row.given.get(column).or_else(|| row.cell.get(column)).unwrap_or_default()
}
