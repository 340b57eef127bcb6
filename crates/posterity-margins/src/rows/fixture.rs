//! Small tables and simulated releases, for tests.

use std::ops::ControlFlow;

use super::cells;
use super::chance::Chance;
use super::input::{Input, Measured};
use super::watch::{Progress, Stage, Watch};

/// Columns of 3, 2 and 2 values: the second mostly follows from the first, the third from none.
pub(super) fn correlated(rows: usize) -> Vec<Vec<u16>> {
    let mut chance = Chance::new(11, 0);
    let first: Vec<u16> = (0..rows).map(|_| chance.below(3) as u16).collect();
    let likely =
        |value: u16, chance: &mut Chance| (chance.unit() < [0.1, 0.5, 0.9][usize::from(value)]).into();
    let second = first.iter().map(|&value| likely(value, &mut chance)).collect();
    let third = (0..rows).map(|_| (chance.unit() < 0.3).into()).collect();
    vec![first, second, third]
}

/// Independent uniform columns.
pub(super) fn uniform(sizes: &[u16], rows: usize, seed: u64) -> Vec<Vec<u16>> {
    let mut chance = Chance::new(seed, 0);
    sizes.iter().map(|&size| (0..rows).map(|_| chance.below(size.into()) as u16).collect()).collect()
}

/// Columns row by row.
pub(super) fn row_major(codes: &[Vec<u16>]) -> Vec<u16> {
    (0..codes[0].len()).flat_map(|row| codes.iter().map(move |column| column[row])).collect()
}

/// The shares of a table.
pub(super) fn shares(sizes: &[u16], codes: &[Vec<u16>], columns: &[usize]) -> Vec<f64> {
    let mut shares = vec![0.0; cells::count(sizes, columns)];
    for row in row_major(codes).chunks(codes.len()) {
        let cell = |cell, &column: &usize| cell * usize::from(sizes[column]) + usize::from(row[column]);
        shares[columns.iter().fold(0, cell)] += 1.0 / codes[0].len() as f64;
    }
    shares
}

/// The residuals of all sets of up to this many columns, with normal noise of one variance.
pub(super) fn release(sizes: &[u16], codes: &[Vec<u16>], order: usize, variance: f64, seed: u64) -> Input {
    let mut chance = Chance::new(seed, 1);
    let records = codes[0].len() as f64;
    let measure = |columns: Vec<usize>| {
        let counts = shares(sizes, codes, &columns).into_iter().map(|share| share * records);
        // A table differs from its residual only by what centring takes away.
        let residual = counts.map(|count| count + variance.sqrt() * chance.normal()).collect();
        Measured { columns, residual, variance }
    };
    let sets = (1..1_u32 << sizes.len()).filter(|mask| mask.count_ones() as usize <= order);
    let columns = sets.map(|mask| (0..sizes.len()).filter(|column| mask >> column & 1 == 1).collect());
    Input::new(sizes.to_vec(), records, columns.map(measure).collect()).expect("a valid release")
}

/// A watch that says nothing.
pub(super) fn silent() -> Watch<'static> {
    fn go_on(_: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    Watch::new(&go_on, Stage::Fitting, 1)
}
