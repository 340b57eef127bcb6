//! Rows that move: each value is drawn anew, given the row's other values and the pulls of all tables.

use super::board::{Board, Move};
use super::chance::{Chance, exp_below_zero};
use super::count::counts;
use super::goal::Goal;
use super::watch::{Stopped, Watch};

/// How many rows are visited together, column by column: what a column reads stays in the cache meanwhile. After them the
/// caller is asked whether to go on.
const ROWS_TOGETHER: usize = 64;

/// Consecutive visits are this part of all rows apart, so that neighbours in a list are not moved one after the other.
const GOLDEN_SECTION: f64 = 0.618_033_988_749_895;

/// How a new value is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choice {
    /// At random with `exp(-change / (2 temperature))`.
    Warm(f64),
    /// The value that brings the tables nearest.
    Best,
}

/// Rows, stored row by row.
pub(super) struct Crowd {
    codes: Vec<u16>,
    width: usize,
    chance: Chance,
}

impl Crowd {
    /// Rows whose columns have the goal's shares and are independent.
    pub(super) fn independent(goal: &Goal, rows: usize, mut chance: Chance) -> Self {
        let width = goal.sizes().len();
        let mut codes = vec![0; rows * width];
        for column in 0..width {
            let values = column_values(&goal.shares()[goal.range(column)], rows, &mut chance);
            codes.iter_mut().skip(column).step_by(width).zip(values).for_each(|(code, value)| *code = value);
        }
        Self { codes, width, chance }
    }

    /// Rows of several crowds together.
    pub(super) fn gather(crowds: Vec<Self>, width: usize, chance: Chance) -> Self {
        let codes = crowds.into_iter().flat_map(|crowd| crowd.codes).collect();
        Self { codes, width, chance }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.codes.len() / self.width
    }

    /// The codes, column by column.
    pub(super) fn columns(&self) -> Vec<Vec<u16>> {
        let column = |first| self.codes.iter().skip(first).step_by(self.width).copied().collect();
        (0..self.width).map(column).collect()
    }

    /// The shares of the first sets' tables.
    pub(super) fn shares(&self, goal: &Goal, sets: usize) -> Vec<f64> {
        let rows = self.rows() as f64;
        counts(goal, sets, &self.codes).into_iter().map(|count| f64::from(count) / rows).collect()
    }

    /// What pulls the rows to tables of these shares. Sweeps keep it up to date, but for errors of rounding, which some
    /// sweeps do not make large.
    pub(super) fn pulls(&self, goal: &Goal, board: &Board, shares: &[f64]) -> Vec<f32> {
        let wanted: Vec<f64> = shares.iter().map(|share| share * self.rows() as f64).collect();
        board.pulls(goal, &wanted, &counts(goal, board.sets(), &self.codes))
    }

    /// Visits every value of every row once; returns how many values changed.
    pub(super) fn sweep(
        &mut self,
        board: &Board,
        pulls: &mut [f32],
        choice: Choice,
        watch: &Watch,
    ) -> Result<usize, Stopped> {
        let rows = self.rows();
        let (mut row, step) = (self.chance.below(rows), coprime_step(rows));
        let (mut changes, mut together) = (0, Vec::with_capacity(ROWS_TOGETHER));
        for visit in 1..=rows {
            together.push(row * self.width);
            row = (row + step) % rows;
            if together.len() == ROWS_TOGETHER || visit == rows {
                changes += self.visit(&together, board, pulls, choice);
                watch.visited(together.len())?;
                together.clear();
            }
        }
        Ok(changes)
    }

    /// Visits every value of the rows that begin at these places.
    fn visit(&mut self, rows: &[usize], board: &Board, pulls: &mut [f32], choice: Choice) -> usize {
        let first = self.chance.below(self.width);
        let mut changes = 0;
        let mut moves = Vec::with_capacity(rows.len());
        for column in (first..self.width).chain(0..first) {
            let mut sum = vec![0.0; board.size(column)];
            moves.clear();
            moves.extend(
                rows.iter().filter_map(|&row| self.renew(row, column, (board, pulls), &mut sum, choice)),
            );
            board.tell(pulls, &self.codes, column, &moves);
            changes += moves.len();
        }
        changes
    }

    /// Draws one value anew; says so if it is another one.
    fn renew(
        &mut self,
        row: usize,
        column: usize,
        (board, pulls): (&Board, &mut [f32]),
        sum: &mut [f32],
        choice: Choice,
    ) -> Option<Move> {
        let codes = &mut self.codes[row..][..self.width];
        board.pull(pulls, codes, column, sum);
        let from = codes[column];
        sum[usize::from(from)] += board.own(column);
        let to = choose(sum, from, choice, &mut self.chance);
        if to == from {
            return None;
        }
        board.shift(pulls, codes, column, from, to);
        codes[column] = to;
        Some(Move { row, from, to })
    }
}

#[inline]
fn choose(pulls: &mut [f32], now: u16, choice: Choice, chance: &mut Chance) -> u16 {
    match choice {
        Choice::Warm(temperature) => draw(pulls, (0.5 / temperature) as f32, chance),
        Choice::Best => best(pulls, now),
    }
}

/// The value with the strongest pull; the present one if none is stronger.
fn best(pulls: &[f32], now: u16) -> u16 {
    let mut best = now;
    for (value, &pull) in pulls.iter().enumerate() {
        if pull > pulls[usize::from(best)] {
            best = value as u16;
        }
    }
    best
}

/// A value with probability proportional to `exp(pull * coldness)`.
#[inline]
fn draw(pulls: &mut [f32], coldness: f32, chance: &mut Chance) -> u16 {
    let strongest = pulls.iter().copied().fold(f32::MIN, f32::max);
    pulls.iter_mut().for_each(|pull| *pull = exp_below_zero((*pull - strongest) * coldness));
    let mut left = chance.unit() * pulls.iter().sum::<f32>();
    let mut value = 0;
    while value + 1 < pulls.len() && left >= pulls[value] {
        left -= pulls[value];
        value += 1;
    }
    value as u16
}

/// The values of a column in random order, each as often as its share says, to the nearest row. Negative shares are zero.
fn column_values(shares: &[f64], rows: usize, chance: &mut Chance) -> Vec<u16> {
    let positive: Vec<f64> = shares.iter().map(|share| share.max(0.0)).collect();
    let total: f64 = positive.iter().sum();
    let (mut value, mut below) = (0, 0.0);
    let mut values = Vec::with_capacity(rows);
    for row in 0..rows {
        let place = (row as f64 + 0.5) / rows as f64 * total;
        while value + 1 < positive.len() && place > below + positive[value] {
            below += positive[value];
            value += 1;
        }
        values.push(value as u16);
    }
    (1..rows).rev().for_each(|last| values.swap(last, chance.below(last + 1)));
    values
}

/// A step that visits every row once: near the golden section of all rows, and without a common divisor.
fn coprime_step(rows: usize) -> usize {
    let near = (rows as f64 * GOLDEN_SECTION) as usize;
    (near.max(1)..).find(|&step| divisor(step, rows) == 1).unwrap_or(1)
}

fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_meets_every_row() {
        for rows in [1, 2, 3, 10, 97, 1000] {
            let step = coprime_step(rows);
            let mut seen: Vec<usize> = (0..rows).map(|visit| visit * step % rows).collect();
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..rows), "{rows}");
        }
    }

    #[test]
    fn a_column_has_its_shares() {
        let mut values = column_values(&[0.5, -0.1, 0.3, 0.3], 110, &mut Chance::new(1, 0));
        values.sort_unstable();
        let of = |code| values.iter().filter(|&&value| value == code).count();
        assert_eq!([of(0), of(1), of(2), of(3)], [50, 0, 30, 30]);
    }

    #[test]
    fn the_strongest_pull_wins_when_it_is_cold() {
        let mut chance = Chance::new(3, 0);
        assert!((0..100).all(|_| draw(&mut [1.0, 3.0, 2.0], 1e4, &mut chance) == 1));
        assert_eq!(best(&[1.0, 3.0, 3.0], 2), 2);
    }
}
