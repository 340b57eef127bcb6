//! Counts of rows over the sets of a goal.

use super::goal::Goal;

/// How many rows are counted for all sets before the next ones: they stay in the cache meanwhile.
const ROWS_AT_A_TIME: usize = 512;

/// From how many cells on a table is counted in several parts.
const SMALL: usize = 64;

/// The parts of a small table.
const PARTS: usize = 4;

/// The tables of the first sets, one after the other, of rows that are stored row by row.
pub(super) fn counts(goal: &Goal, sets: usize, codes: &[u16]) -> Vec<u32> {
    let width = goal.sizes().len();
    let mut counts = vec![0; goal.range(sets - 1).end];
    let mut columns = vec![0; width * ROWS_AT_A_TIME];
    for rows in codes.chunks(width * ROWS_AT_A_TIME) {
        turn(rows, width, &mut columns);
        let column = |place: usize| &columns[place * ROWS_AT_A_TIME..][..rows.len() / width];
        for set in 0..sets {
            let table = &mut counts[goal.range(set)];
            match *goal.columns(set) {
                [one] => column(one).iter().for_each(|&code| table[usize::from(code)] += 1),
                [one, other] => add_pair(table, [column(one), column(other)], goal.sizes()[other].into()),
                ref all => add(table, all.iter().map(|&place| (column(place), goal.sizes()[place].into()))),
            }
        }
    }
    counts
}

/// Writes rows column by column.
fn turn(rows: &[u16], width: usize, columns: &mut [u16]) {
    for (place, row) in rows.chunks_exact(width).enumerate() {
        for (column, &code) in row.iter().enumerate() {
            columns[column * ROWS_AT_A_TIME + place] = code;
        }
    }
}

fn add_pair(table: &mut [u32], [one, other]: [&[u16]; 2], size: usize) {
    let cells = one.iter().zip(other).map(|(&one, &other)| usize::from(one) * size + usize::from(other));
    if table.len() > SMALL {
        return cells.for_each(|cell| table[cell] += 1);
    }
    // Neighbouring rows often have the same cell. They count in different places, so that none waits for the one before.
    let mut parts = [0; PARTS * SMALL];
    cells.enumerate().for_each(|(row, cell)| parts[row % PARTS * SMALL + cell] += 1);
    for part in parts.chunks_exact(SMALL) {
        table.iter_mut().zip(part).for_each(|(count, part)| *count += part);
    }
}

/// Counts over columns with their sizes, the last one fastest.
fn add<'a>(table: &mut [u32], columns: impl Iterator<Item = (&'a [u16], usize)>) {
    let mut cells = Vec::new();
    for (codes, size) in columns {
        cells.resize(codes.len(), 0_usize);
        cells.iter_mut().zip(codes).for_each(|(cell, &code)| *cell = *cell * size + usize::from(code));
    }
    cells.into_iter().for_each(|cell| table[cell] += 1);
}
