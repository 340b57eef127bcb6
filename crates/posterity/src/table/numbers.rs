//! The numbers of a column of bins or of numbers, in their order.

use posterity_core::table::Block;

use super::error::ReadingError;
use super::labels::Labels;
use super::layout::Layout;
use super::reading::Reading;
use super::rows::ReadingRow;
use super::space::Space;
use super::term::{Range, Term};
use super::ways::{IntervalKind, Ways};

/// The numbers of the values of each condition.
pub(crate) struct Numbers {
    /// Those of each group of each condition; of bins, their lower edges.
    pub(crate) low: Vec<Vec<f64>>,
    /// Of bins, their upper edges.
    pub(crate) high: Option<Vec<Vec<f64>>>,
}

impl Numbers {
    /// The cells of each condition by the value of a column, and the numbers of the values.
    pub(crate) fn new(
        space: &Space,
        reading: &Reading,
        column: &str,
    ) -> Result<(Layout, Self), ReadingError> {
        let layout = Layout::of(space, reading)?;
        let known = &space.columns()[space.column(column)?];
        let numbers = |cell: &Labels| {
            let value = cell.get(column).unwrap_or_default();
            known.numbers(value).ok_or_else(|| {
                let (column, value) = (column.to_owned(), value.to_owned());
                match reading.number_of() {
                    Some((what, _)) if !what.parts().is_empty() => ReadingError::NoOrder { column, value },
                    _ => ReadingError::NotNumeric { column, value },
                }
            })
        };
        let block = |(_, cells): &(Labels, Vec<Labels>)| cells.iter().map(numbers).collect();
        let found: Vec<Vec<[f64; 2]>> = layout.labels.iter().map(block).collect::<Result<_, _>>()?;
        let side =
            |side: usize| found.iter().map(|block| block.iter().map(|both| both[side]).collect()).collect();
        Ok((layout, Self { low: side(0), high: known.edges.is_some().then(|| side(1)) }))
    }

    /// How means of these numbers are read. Of bins, one end of an interval is that of the lower edges and the other that of
    /// the upper ones, so that each tail counts by itself, and the shortest interval is one with equal tails.
    pub(crate) fn ways_of_mean(&self, ways: Ways) -> Ways {
        match ways.interval {
            IntervalKind::Shortest if self.high.is_some() => {
                Ways { interval: IntervalKind::Credible, ..ways }
            }
            _ => ways,
        }
    }

    /// The number of each group of each condition, if they are no bins.
    ///
    /// # Errors
    /// [`ReadingError::BinsSample`] if they are: nothing says where in its bin a number lies.
    pub(crate) fn alone(self, column: &str) -> Result<Vec<Vec<f64>>, ReadingError> {
        match self.high {
            Some(_) => Err(ReadingError::BinsSample { column: column.to_owned() }),
            None => Ok(self.low),
        }
    }

    /// One number for each group: of bins, their middle.
    fn middle(&self) -> Vec<Vec<f64>> {
        let Some(high) = &self.high else { return self.low.clone() };
        let middles = |(low, high): (&Vec<f64>, &Vec<f64>)| {
            low.iter().zip(high).map(|(low, high)| 0.5 * (low + high)).collect()
        };
        self.low.iter().zip(high).map(middles).collect()
    }

    /// Of the only condition, how far the number of each cell is from a mean: to first order the error of the mean is the sum of
    /// the errors of the cells with these weights.
    pub(crate) fn weights(&self, block: &Block, cells: usize, mean: f64) -> Vec<f64> {
        let mut weights = vec![0.0; cells];
        for (group, number) in block.asked().iter().zip(&self.middle()[0]) {
            group.iter().for_each(|&cell| weights[cell] = number - mean);
        }
        weights
    }

    /// The values of a condition in their order.
    pub(crate) fn order(&self, block: usize) -> Order {
        let low = &self.low[block];
        let high = self.high.as_ref().map_or(low, |high| &high[block]);
        let mut places: Vec<usize> = (0..low.len()).collect();
        places.sort_by(|&one, &other| low[one].total_cmp(&low[other]));
        Order {
            numbers: places.iter().map(|&place| [low[place], high[place]]).collect(),
            places,
            in_bins: self.high.is_some(),
        }
    }
}

/// The values of a condition from the lowest to the highest.
pub(crate) struct Order {
    /// The group of each.
    places: Vec<usize>,
    /// Both edges of each bin, or twice the same number.
    numbers: Vec<[f64; 2]>,
    in_bins: bool,
}

impl Order {
    /// The cells of each value.
    pub(crate) fn cells(&self, block: &Block) -> Vec<Vec<usize>> {
        self.places.iter().map(|&place| block.asked()[place].clone()).collect()
    }

    /// From edges between values to numbers: what lies from the first value to the last.
    pub(super) fn span(&self, [low, high]: [usize; 2]) -> [f64; 2] {
        [self.numbers[low][0], self.numbers[high - 1][1]]
    }

    /// A row from the edges of a confidence interval and the place of its estimate.
    pub(crate) fn row(
        &self,
        given: Labels,
        ends: [usize; 2],
        bin: Option<usize>,
        may_be_empty: bool,
    ) -> ReadingRow {
        let estimate = bin.map(|bin| self.numbers[bin]);
        let row = ReadingRow::confident(given, None, self.span(ends));
        let row = ReadingRow { may_be_empty, ..row };
        match estimate {
            Some(bin) if self.in_bins => ReadingRow { bin: Some(bin), mean: 0.5 * (bin[0] + bin[1]), ..row },
            Some([number, _]) => ReadingRow { estimate: Some(number), mean: number, ..row },
            None => row,
        }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// In which of the values the quantile of a draw lies.
    pub(super) fn place(&self, shares: &[f64], part: f64) -> usize {
        let wanted = part * shares.iter().sum::<f64>();
        let mut below = 0.0;
        let found = self.places.iter().position(|&place| {
            below += shares[place];
            below >= wanted
        });
        found.unwrap_or(self.len() - 1)
    }
}

/// Which of several quantiles a row is.
pub(crate) fn part_label(column: &str, parts: &[f64], part: f64) -> Labels {
    let label = (parts.len() > 1).then(|| (column.to_owned(), format!("quantile {part}")));
    label.into_iter().collect()
}

/// The readings of the shares below each inner edge of a column of bins.
pub(crate) struct Bins {
    readings: Vec<Reading>,
    /// How many conditions there are.
    conditions: usize,
}

impl Bins {
    /// Those of a reading of all of them.
    pub(crate) fn new(space: &Space, reading: &Reading, column: &str) -> Result<Self, ReadingError> {
        let known = &space.columns()[space.column(column)?];
        let Some(edges) = &known.edges else {
            return Err(ReadingError::NoBins { column: column.to_owned() });
        };
        let below = |edge: &String| {
            let of = Term::range(column, Range::Below(edge.clone()));
            let share = Reading::shares(vec![of], reading.given().to_vec());
            if reading.is_of_all() { share.of_all() } else { share }
        };
        let readings: Vec<Reading> = edges[1..edges.len() - 1].iter().map(below).collect();
        if readings.is_empty() {
            return Err(ReadingError::NoCells { reading: reading.to_string() });
        }
        readings.iter().try_for_each(|reading| reading.check(space))?;
        Ok(Self { readings, conditions: Layout::of(space, reading)?.labels.len() })
    }

    /// The rows of all of them, condition by condition, and the table of the first.
    pub(crate) fn read<T>(
        &self,
        ways: Ways,
        read: impl Fn(&Reading, Ways) -> Result<T, ReadingError>,
        rows: impl Fn(&T) -> &[ReadingRow],
    ) -> Result<(T, Vec<ReadingRow>), ReadingError> {
        let level = ways.level_of_each(self.conditions * self.readings.len());
        let each = Ways { level, simultaneous: false, ..ways };
        let tables = self.readings.iter().map(|reading| read(reading, each));
        let mut tables: Vec<T> = tables.collect::<Result<_, _>>()?;
        let conditions = 0..rows(&tables[0]).len();
        let all = conditions.flat_map(|row| tables.iter().map(move |table| (table, row)));
        let all = all.map(|(table, row)| rows(table)[row].clone()).collect();
        // There is one reading at least.
        Ok((tables.swap_remove(0), all))
    }
}
