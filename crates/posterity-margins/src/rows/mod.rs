//! Rows fitted to a release of many tables.
//!
//! A release of residuals says what it knows of every table of its workload. Rows are for software that needs rows: [`Rows::fit`]
//! finds some whose tables are near to the released ones, in units of the noise. It reads nothing but the release, so
//! it costs no privacy, and its seed has nothing to do with the promise. The tables of the rows are whole, never negative, and agree with
//! each other. Numbers are better read from the release, with their intervals. Several sets of rows fitted to one
//! release share its noise.
//!
//! The rows begin as independent columns. Single values are then drawn anew, given the rest of their row and what the tables
//! lack. The temperature falls until a held-out part of the noise says that the rows begin to repeat noise. The
//! tables are averaged while the rows move on, and in the end all rows are brought to the averages.

mod board;
mod cells;
mod chain;
mod chance;
mod count;
mod crowd;
mod distance;
#[cfg(test)]
mod fixture;
mod goal;
mod input;
mod thinning;
mod watch;

use std::ops::ControlFlow;

use posterity_core::parallelism::Parallelism;
use thiserror::Error;

pub use distance::Distance;
pub use input::{Input, InputError, MOST_CELLS, MOST_COLUMNS_OF_A_SET, Measured};
pub use watch::{Progress, Stage};

use board::Board;
use chain::{Chain, Sweeps};
use chance::Chance;
use crowd::{Choice, Crowd};
use goal::Goal;
use watch::{Listener, Stopped, Watch};

/// Crowds that move side by side. Their number does not depend on the machine, so neither do the rows.
const CROWDS: usize = 4;

/// A crowd of fewer rows follows the tables less well.
const LEAST_ROWS_OF_A_CROWD: usize = 2000;

/// The largest number of rows. Counts of cells have 32 bits.
pub const MOST_ROWS: usize = u32::MAX as usize;

/// A fit begins at this rung, or at the chosen one if that is hotter.
const FIRST_RUNG: i32 = 1;

/// Visits of each row on the way down to the chosen rung, on each rung.
const ON_THE_WAY: usize = 3;

/// Visits of each row at the chosen rung.
const AT_THE_RUNG: Sweeps = Sweeps { settle: 6, average: 8 };

/// Visits of each row at most while all rows are brought to the averages.
const POLISHING: usize = 8;

/// Polishing ends when fewer than one value in this many changes.
const VALUES_PER_CHANGE: usize = 2000;

/// Rows over the declared codes of each column, with their distances from the release.
///
/// ```
/// use std::ops::ControlFlow;
/// use posterity_margins::rows::{Input, Measured, Rows};
/// let yes_no = Measured { columns: vec![0], residual: vec![20.0, -20.0], variance: 1e-6 };
/// let input = Input::new(vec![2], 100.0, vec![yes_no]).expect("valid");
/// let rows = Rows::fit(&input, 1000, 1, &|_| ControlFlow::Continue(())).expect("not stopped");
/// assert_eq!(rows.column(0).iter().filter(|&&code| code == 0).count(), 700);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    columns: Vec<Vec<u16>>,
    distances: Vec<Distance>,
}

/// Why no rows were fitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// No rows, or too many, were asked for.
    #[error("{rows} rows were asked for; ask for 1 to {MOST_ROWS}")]
    Count {
        /// How many.
        rows: usize,
    },
    /// The caller ended the fit.
    #[error("the fit was stopped before it was done; start it again to get rows")]
    Stopped,
}

impl From<Stopped> for FitError {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

impl Rows {
    /// Fits this many rows to a release.
    ///
    /// The same input, number of rows and seed give the same rows on any number of threads. `progress` may be called by several
    /// threads; the fit ends soon after it says [`ControlFlow::Break`].
    ///
    /// # Errors
    /// [`FitError::Count`] if the number of rows is 0 or too large; [`FitError::Stopped`] if the caller ended the fit.
    pub fn fit(
        input: &Input,
        rows: usize,
        seed: u64,
        progress: &(dyn Fn(Progress) -> ControlFlow<()> + Sync),
    ) -> Result<Self, FitError> {
        if rows == 0 || rows > MOST_ROWS {
            return Err(FitError::Count { rows });
        }
        let goal = Goal::of(input);
        let rung = thinning::choose_rung(input, seed, progress)?;
        let fitted = fit_crowds(&goal, &parts(rows), rung, seed, progress)?;
        let crowd = polish(&goal, fitted, rows, Chance::new(seed, CROWDS as u64), progress)?;
        let distances = distance::distances(&goal, &crowd.shares(&goal, goal.len()));
        Ok(Self { columns: crowd.columns(), distances })
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Whether there are no rows. A fit always has some.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The codes of a column, one for each row, each below the column's size.
    #[must_use]
    pub fn column(&self, column: usize) -> &[u16] {
        &self.columns[column]
    }

    /// All columns.
    #[must_use]
    pub fn columns(&self) -> &[Vec<u16>] {
        &self.columns
    }

    /// How far the rows are from the release, for each set in the order of [`Input::sets`].
    #[must_use]
    pub fn distances(&self) -> &[Distance] {
        &self.distances
    }
}

/// What a crowd comes to: its rows, the strengths of the sets, and its average tables.
type Fitted = (Crowd, Vec<f64>, Vec<f64>);

/// The rows of each crowd: nearly equal parts.
fn parts(rows: usize) -> Vec<usize> {
    let crowds = (rows / LEAST_ROWS_OF_A_CROWD).clamp(1, CROWDS);
    (0..crowds).map(|crowd| rows / crowds + usize::from(crowd < rows % crowds)).collect()
}

fn fit_crowds(
    goal: &Goal,
    parts: &[usize],
    rung: i32,
    seed: u64,
    listener: Listener,
) -> Result<Vec<Fitted>, Stopped> {
    let rows: usize = parts.iter().sum();
    let way = (FIRST_RUNG - rung).max(0) as usize * ON_THE_WAY + AT_THE_RUNG.total();
    let watch = Watch::new(listener, Stage::Fitting, Chain::visits_before(goal, rows) + (way * rows) as u64);
    Parallelism::AllCores.try_map(parts.iter().enumerate(), |(stream, &rows)| {
        fit_crowd(Chain::new(goal, rows, Chance::new(seed, stream as u64), &watch)?, rung)
    })
}

fn fit_crowd(mut chain: Chain, rung: i32) -> Result<Fitted, Stopped> {
    for warmer in (rung + 1..=FIRST_RUNG).rev() {
        chain.settle(warmer, ON_THE_WAY)?;
    }
    chain.settle(rung, AT_THE_RUNG.settle)?;
    let shares = chain.average(rung, AT_THE_RUNG.average)?;
    let (crowd, strengths) = chain.finish();
    Ok((crowd, strengths, shares))
}

/// Brings the rows of all crowds together to the average of their tables.
fn polish(
    goal: &Goal,
    fitted: Vec<Fitted>,
    rows: usize,
    chance: Chance,
    listener: Listener,
) -> Result<Crowd, Stopped> {
    let watch = Watch::new(listener, Stage::Polishing, (POLISHING * rows) as u64);
    let strengths = mean(fitted.iter().map(|(_, strengths, _)| (1, strengths)));
    let shares = mean(fitted.iter().map(|(crowd, _, shares)| (crowd.rows(), shares)));
    let width = goal.sizes().len();
    let mut crowd = Crowd::gather(fitted.into_iter().map(|(crowd, _, _)| crowd).collect(), width, chance);
    let board = Board::new(goal, &strengths, rows);
    let mut pulls = crowd.pulls(goal, &board, &shares);
    for _ in 0..POLISHING {
        let changes = crowd.sweep(&board, &mut pulls, Choice::Best, &watch)?;
        if changes < rows * width / VALUES_PER_CHANGE + 1 {
            break;
        }
    }
    Ok(crowd)
}

/// The mean of several lists with these weights.
fn mean<'a>(lists: impl Iterator<Item = (usize, &'a Vec<f64>)> + Clone) -> Vec<f64> {
    let total: usize = lists.clone().map(|(weight, _)| weight).sum();
    let mut mean = vec![0.0; lists.clone().next().map_or(0, |(_, list)| list.len())];
    for (weight, list) in lists {
        let part = weight as f64 / total as f64;
        mean.iter_mut().zip(list).for_each(|(mean, value)| *mean += part * value);
    }
    mean
}

#[cfg(test)]
mod tests;
