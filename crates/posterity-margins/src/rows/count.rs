//! Counts of rows over the sets of a goal.

use super::goal::Goal;

/// So many rows are counted for all sets before the next ones: they stay in the cache meanwhile.
const ROWS_AT_A_TIME: usize = 256;

/// The tables of the first sets, one after the other, of rows that are stored row by row.
pub(super) fn counts(goal: &Goal, sets: usize, codes: &[u16]) -> Vec<u32> {
    let width = goal.sizes().len();
    let mut counts = vec![0; goal.range(sets - 1).end];
    let columns: Vec<Vec<(usize, usize)>> = (0..sets).map(|set| columns(goal, set)).collect();
    for rows in codes.chunks(width * ROWS_AT_A_TIME) {
        for (set, columns) in columns.iter().enumerate() {
            add(&mut counts[goal.range(set)], columns, rows, width);
        }
    }
    counts
}

/// The columns of a set with their sizes.
fn columns(goal: &Goal, set: usize) -> Vec<(usize, usize)> {
    goal.columns(set).iter().map(|&column| (column, goal.sizes()[column].into())).collect()
}

fn add(table: &mut [u32], columns: &[(usize, usize)], rows: &[u16], width: usize) {
    for row in rows.chunks_exact(width) {
        table[columns.iter().fold(0, |cell, &(column, size)| cell * size + usize::from(row[column]))] += 1;
    }
}
