//! Where a row's value finds the tables that hold it.
//!
//! The distance of rows from a goal is `sum over A of w_A ||r_A - s_A||^2` with `w_A = strength / sigma_A^2`. With `D_B` the
//! difference of the tables over B that is `sum over B of k_B ||D_B||^2`, where `k_B` is the sum over A that contain B
//! of `w_A prod over A without B of (-1/m_i)`. A move of one row from one cell to another then changes two entries of
//! each table, and costs a look-up in each table that holds its column. The look-ups read `2 k_B D_B`, the **pull**.

use super::cells;
use super::goal::Goal;

/// Tables of three columns or more and up to this many cells are stored once and read with gaps: they fit into a few cache
/// lines. Larger ones, and all pairs, are stored once for each of their columns, so that the values of that column are
/// neighbours.
const READ_WITH_GAPS: usize = 64;

/// Sums that grow side by side: an addition need not wait for the one before it.
const SIDE_BY_SIDE: usize = 4;

/// How many cells are copied in about the time that telling one move takes.
const CELLS_OF_A_MOVE: usize = 4;

/// A value that changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// Where the row begins in the list of all codes.
    pub(super) row: usize,
    /// The old value.
    pub(super) from: u16,
    /// The new value.
    pub(super) to: u16,
}

/// How a row finds its lines in the two copies of a pair's table.
#[derive(Clone, Debug)]
struct Pair {
    /// Where the copy begins in which the values of this column are neighbours.
    start: u32,
    /// Where the copy begins in which those of the other column are.
    mirror: u32,
    weight: f32,
    other: u16,
}

/// How a row finds its line in one table: the values of one column, given the row's other values.
#[derive(Clone, Debug)]
struct Line {
    offset: u32,
    step: u32,
    columns: [u16; 2],
    strides: [u32; 2],
}

/// A line of a table with more than three columns.
#[derive(Clone, Debug)]
struct LongLine {
    line: Line,
    others: Vec<(u16, u32)>,
}

/// One copy of a set's table.
#[derive(Clone, Debug)]
struct Sheet {
    set: usize,
    start: usize,
    strides: Vec<usize>,
}

/// The tables of the first sets of a goal, laid out for fast moves.
#[derive(Clone, Debug)]
pub(super) struct Board {
    sizes: Vec<usize>,
    weights: Vec<f32>,
    sheets: Vec<Sheet>,
    length: usize,
    pairs: Vec<Vec<Pair>>,
    read: Vec<Vec<Line>>,
    read_long: Vec<Vec<LongLine>>,
    write: Vec<Vec<(Line, f32)>>,
    write_long: Vec<Vec<(LongLine, f32)>>,
    own: Vec<f32>,
}

impl Pair {
    /// Copies the table of a column of `size` values to the mirror, whose column has `other` values.
    fn copy(&self, pulls: &mut [f32], size: usize, other: usize) {
        let [start, mirror] = [self.start, self.mirror].map(|start| start as usize);
        for line in 0..other {
            for value in 0..size {
                pulls[mirror + value * other + line] = pulls[start + line * size + value];
            }
        }
    }

    /// The first cell of the row's line, for a column of this many values.
    #[inline]
    fn base(&self, row: &[u16], size: usize) -> usize {
        self.start as usize + usize::from(row[usize::from(self.other)]) * size
    }
}

impl Line {
    #[inline]
    fn base(&self, row: &[u16]) -> usize {
        let value = |place: usize| u32::from(row[usize::from(self.columns[place])]) * self.strides[place];
        (self.offset + value(0) + value(1)) as usize
    }
}

impl LongLine {
    #[inline]
    fn base(&self, row: &[u16]) -> usize {
        let rest = self.others.iter().map(|&(column, stride)| u32::from(row[usize::from(column)]) * stride);
        self.line.base(row) + rest.sum::<u32>() as usize
    }
}

impl Board {
    /// The board of the first sets of a goal, one for each strength, for this many rows.
    pub(super) fn new(goal: &Goal, strengths: &[f64], rows: usize) -> Self {
        let weights = weights(goal, strengths, goal.records() / rows as f64);
        let width = goal.sizes().len();
        let mut board = Self {
            sizes: goal.sizes().iter().map(|&size| size.into()).collect(),
            weights: weights.iter().map(|&weight| weight as f32).collect(),
            sheets: Vec::new(),
            length: 0,
            pairs: vec![Vec::new(); width],
            read: vec![Vec::new(); width],
            read_long: vec![Vec::new(); width],
            write: vec![Vec::new(); width],
            write_long: vec![Vec::new(); width],
            own: vec![0.0; width],
        };
        (0..strengths.len()).for_each(|set| board.place(goal, set));
        board
    }

    /// The number of sets on the board.
    pub(super) fn sets(&self) -> usize {
        self.weights.len()
    }

    /// The number of values of a column.
    #[inline]
    pub(super) fn size(&self, column: usize) -> usize {
        self.sizes[column]
    }

    /// What a row itself adds to the pull of the value that it has: leaving takes it away.
    #[inline]
    pub(super) fn own(&self, column: usize) -> f32 {
        self.own[column]
    }

    /// The pulls of all cells: twice the weight times what the tables lack.
    pub(super) fn pulls(&self, goal: &Goal, wanted: &[f64], counts: &[u32]) -> Vec<f32> {
        let mut pulls = vec![0.0; self.length];
        for sheet in &self.sheets {
            let weight = f64::from(self.weights[sheet.set]);
            let places = cells::offsets(&goal.dimensions(sheet.set), &sheet.strides);
            for (cell, place) in goal.range(sheet.set).zip(places) {
                pulls[sheet.start + place] = (weight * (wanted[cell] - f64::from(counts[cell]))) as f32;
            }
        }
        pulls
    }

    /// The pull of every value of a column on a row.
    #[inline]
    pub(super) fn pull(&self, pulls: &[f32], row: &[u16], column: usize, sum: &mut [f32]) {
        match sum.len() {
            2 => self.pull_few::<2>(pulls, row, column, sum),
            3 => self.pull_few::<3>(pulls, row, column, sum),
            4 => self.pull_few::<4>(pulls, row, column, sum),
            5 => self.pull_few::<5>(pulls, row, column, sum),
            6 => self.pull_few::<6>(pulls, row, column, sum),
            7 => self.pull_few::<7>(pulls, row, column, sum),
            8 => self.pull_few::<8>(pulls, row, column, sum),
            _ => self.pull_many(pulls, row, column, sum),
        }
        let long = &self.read_long[column];
        long.iter().for_each(|long| add(pulls, long.base(row), long.line.step as usize, sum));
    }

    /// The pulls on a column with few values; the compiler unrolls the sums.
    #[inline]
    fn pull_few<const SIZE: usize>(&self, pulls: &[f32], row: &[u16], column: usize, sum: &mut [f32]) {
        let mut totals = [[0.0; SIZE]; SIDE_BY_SIDE];
        side_by_side(&self.pairs[column], &mut totals, |pair, total| {
            let cells = &pulls[pair.base(row, SIZE)..][..SIZE];
            (0..SIZE).for_each(|value| total[value] += cells[value]);
        });
        side_by_side(&self.read[column], &mut totals, |line, total| {
            let step = line.step as usize;
            let cells = &pulls[line.base(row)..][..(SIZE - 1) * step + 1];
            (0..SIZE).for_each(|value| total[value] += cells[value * step]);
        });
        for (value, sum) in sum.iter_mut().enumerate() {
            *sum = totals.iter().map(|total| total[value]).sum();
        }
    }

    fn pull_many(&self, pulls: &[f32], row: &[u16], column: usize, sum: &mut [f32]) {
        sum.fill(0.0);
        let size = sum.len();
        self.pairs[column].iter().for_each(|pair| add(pulls, pair.base(row, size), 1, sum));
        self.read[column].iter().for_each(|line| add(pulls, line.base(row), line.step as usize, sum));
    }

    /// Moves a row's value in a column from one to another. The row may hold either. Other columns read stale pulls until
    /// [`Board::tell`] has been called with all moves of the column.
    #[inline]
    pub(super) fn shift(&self, pulls: &mut [f32], row: &[u16], column: usize, from: u16, to: u16) {
        let size = self.sizes[column];
        for pair in &self.pairs[column] {
            shift(pulls, pair.base(row, size), 1, pair.weight, from, to);
        }
        for (line, weight) in &self.write[column] {
            shift(pulls, line.base(row), line.step, *weight, from, to);
        }
        for (long, weight) in &self.write_long[column] {
            shift(pulls, long.base(row), long.line.step, *weight, from, to);
        }
    }

    /// Brings the moves of a column to the copies that other columns read. Many moves are quicker told by copying.
    pub(super) fn tell(&self, pulls: &mut [f32], codes: &[u16], column: usize, moves: &[Move]) {
        let size = self.sizes[column];
        for pair in &self.pairs[column] {
            let other = usize::from(pair.other);
            if moves.len() * CELLS_OF_A_MOVE > size * self.sizes[other] {
                pair.copy(pulls, size, self.sizes[other]);
                continue;
            }
            for &Move { row, from, to } in moves {
                let base = pair.mirror as usize + usize::from(codes[row + other]);
                shift(pulls, base, self.sizes[other] as u32, pair.weight, from, to);
            }
        }
    }

    fn place(&mut self, goal: &Goal, set: usize) {
        let columns = goal.columns(set);
        columns.iter().for_each(|&column| self.own[column] += self.weights[set]);
        if let &[first, second] = columns {
            return self.place_pair(goal, set, [first, second]);
        }
        if cells::count(goal.sizes(), columns) <= READ_WITH_GAPS {
            return self.place_sheet(goal, set, columns.len() - 1, true);
        }
        (0..columns.len()).for_each(|fastest| self.place_sheet(goal, set, fastest, false));
    }

    /// Both copies of a pair's table.
    fn place_pair(&mut self, goal: &Goal, set: usize, columns: [usize; 2]) {
        let starts = [0, 1].map(|fastest| self.add_sheet(goal, set, fastest) as u32);
        for axis in 0..2 {
            let [start, mirror] = [starts[axis], starts[1 - axis]];
            let pair = Pair { start, mirror, weight: self.weights[set], other: columns[1 - axis] as u16 };
            self.pairs[columns[axis]].push(pair);
        }
    }

    /// One copy of a table whose axis `fastest` has neighbouring cells; all columns or only that one read it.
    fn place_sheet(&mut self, goal: &Goal, set: usize, fastest: usize, all_read: bool) {
        let columns = goal.columns(set);
        let start = self.add_sheet(goal, set, fastest);
        let strides = strides_with(&goal.dimensions(set), fastest);
        for axis in 0..columns.len() {
            let line = line(start, columns, &strides, axis);
            self.add_line(columns[axis], line, self.weights[set], all_read || axis == fastest);
        }
    }

    /// Makes room for a copy of a table, and says where it begins.
    fn add_sheet(&mut self, goal: &Goal, set: usize, fastest: usize) -> usize {
        let (start, strides) = (self.length, strides_with(&goal.dimensions(set), fastest));
        self.sheets.push(Sheet { set, start, strides });
        self.length += goal.range(set).len();
        start
    }

    fn add_line(&mut self, column: usize, long: LongLine, weight: f32, reads: bool) {
        let is_long = !long.others.is_empty();
        match (is_long, reads) {
            (true, true) => self.read_long[column].push(long.clone()),
            (false, true) => self.read[column].push(long.line.clone()),
            _ => {}
        }
        if is_long {
            self.write_long[column].push((long, weight))
        } else {
            self.write[column].push((long.line, weight))
        }
    }
}

/// Adds what every item gives to one of several totals.
#[inline]
fn side_by_side<T, U>(items: &[T], totals: &mut [U; SIDE_BY_SIDE], add: impl Fn(&T, &mut U)) {
    let (groups, rest) = items.as_chunks::<SIDE_BY_SIDE>();
    for group in groups {
        group.iter().zip(&mut *totals).for_each(|(item, total)| add(item, total));
    }
    rest.iter().zip(totals).for_each(|(item, total)| add(item, total));
}

#[inline]
fn add(pulls: &[f32], base: usize, step: usize, sum: &mut [f32]) {
    if step == 1 {
        let line = &pulls[base..base + sum.len()];
        sum.iter_mut().zip(line).for_each(|(sum, pull)| *sum += pull);
    } else {
        sum.iter_mut().zip(pulls[base..].iter().step_by(step)).for_each(|(sum, pull)| *sum += pull);
    }
}

#[inline]
fn shift(pulls: &mut [f32], base: usize, step: u32, weight: f32, from: u16, to: u16) {
    let cell = |value: u16| base + (u32::from(value) * step) as usize;
    pulls[cell(from)] += weight;
    pulls[cell(to)] -= weight;
}

/// The strides of a table whose axis `fastest` has neighbouring cells.
fn strides_with(dimensions: &[usize], fastest: usize) -> Vec<usize> {
    let mut stride = dimensions[fastest];
    let mut strides = vec![1; dimensions.len()];
    for axis in (0..dimensions.len()).rev().filter(|&axis| axis != fastest) {
        strides[axis] = stride;
        stride *= dimensions[axis];
    }
    strides
}

fn line(start: usize, columns: &[usize], strides: &[usize], axis: usize) -> LongLine {
    let mut others: Vec<(u16, u32)> = (0..columns.len())
        .filter(|&other| other != axis)
        .map(|other| (columns[other] as u16, strides[other] as u32))
        .collect();
    others.resize(others.len().max(2), (0, 0));
    let [first, second] = [others[0], others[1]];
    let line = Line {
        offset: start as u32,
        step: strides[axis] as u32,
        columns: [first.0, second.0],
        strides: [first.1, second.1],
    };
    LongLine { line, others: others.split_off(2) }
}

/// Twice `k_B` for the first sets, in units of rows.
fn weights(goal: &Goal, strengths: &[f64], records_per_row: f64) -> Vec<f64> {
    let mut weights = vec![0.0; strengths.len()];
    for (set, strength) in strengths.iter().enumerate() {
        let precision = 2.0 * strength * records_per_row * records_per_row / goal.variance(set);
        let dimensions = goal.dimensions(set);
        for (mask, part) in goal.subsets(set) {
            let left_out = dimensions.iter().enumerate().filter(|(axis, _)| mask >> axis & 1 == 0);
            weights[part] += precision * left_out.map(|(_, &m)| -1.0 / m as f64).product::<f64>();
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::super::count::counts;
    use super::super::fixture;
    use super::*;

    /// The distance by its definition.
    fn distance(goal: &Goal, strengths: &[f64], codes: &[u16], width: usize) -> f64 {
        let rows = codes.len() / width;
        let tables = counts(goal, goal.len(), codes);
        let shares: Vec<f64> = tables.iter().map(|&count| f64::from(count) / rows as f64).collect();
        (0..goal.len()).map(|set| strengths[set] * goal.lack_of_fit(set, &shares[goal.range(set)])).sum()
    }

    // If this fails, a fit goes down another hill than that of the noise's likelihood.
    #[test]
    fn a_pull_is_the_change_of_the_distance() {
        for sizes in [vec![3_u16, 2, 2], vec![9, 2, 8, 2]] {
            let width = sizes.len();
            let codes = fixture::uniform(&sizes, 60, 5);
            let input = fixture::release(&sizes, &codes, width, 4.0, 2);
            let goal = Goal::of(&input);
            let strengths: Vec<f64> = (0..goal.len()).map(|set| 1.0 + set as f64 / 3.0).collect();
            let mut rows = fixture::row_major(&fixture::uniform(&sizes, 50, 6));
            let board = Board::new(&goal, &strengths, 50);
            let wanted: Vec<f64> = goal.shares().iter().map(|share| share * 50.0).collect();
            let mut pulls = board.pulls(&goal, &wanted, &counts(&goal, goal.len(), &rows));
            for step in 0..40 {
                let (row, column) = (step * 7 % 50, step % width);
                let mut old = rows[row * width..][..width].to_vec();
                let mut sum = vec![0.0; board.size(column)];
                board.pull(&pulls, &old, column, &mut sum);
                let (from, to) = (old[column], (old[column] + 1) % sizes[column]);
                let told = sum[usize::from(from)] - sum[usize::from(to)] + board.own(column);
                let before = distance(&goal, &strengths, &rows, width);
                board.shift(&mut pulls, &old, column, from, to);
                board.tell(&mut pulls, &rows, column, &[Move { row: row * width, from, to }]);
                old[column] = to;
                rows[row * width..][..width].copy_from_slice(&old);
                let change = distance(&goal, &strengths, &rows, width) - before;
                assert!((f64::from(told) - change).abs() < 1e-3 * (1.0 + before), "{told} {change}");
            }
        }
    }

    // If this fails, columns read pulls of rows that have moved on.
    #[test]
    fn many_moves_are_told_like_few() {
        let sizes = [3_u16, 2, 2];
        let codes = fixture::row_major(&fixture::uniform(&sizes, 50, 6));
        let input = fixture::release(&sizes, &fixture::uniform(&sizes, 60, 5), 2, 4.0, 2);
        let goal = Goal::of(&input);
        let board = Board::new(&goal, &vec![1.0; goal.len()], 50);
        let mut one_by_one = board.pulls(&goal, goal.shares(), &counts(&goal, goal.len(), &codes));
        let moves = [0, 3, 6].map(|row| Move { row, from: codes[row], to: (codes[row] + 1) % 3 });
        moves.iter().for_each(|one| board.shift(&mut one_by_one, &codes[one.row..], 0, one.from, one.to));
        let mut copied = one_by_one.clone();
        let cells = usize::from(sizes[0] * sizes[1]);
        assert!(CELLS_OF_A_MOVE <= cells && moves.len() * CELLS_OF_A_MOVE > cells, "only many are copied");
        moves.iter().for_each(|&one| board.tell(&mut one_by_one, &codes, 0, &[one]));
        assert_ne!(one_by_one, copied);
        board.tell(&mut copied, &codes, 0, &moves);
        assert!(one_by_one.iter().zip(&copied).all(|(a, b)| (a - b).abs() < 1e-4 * (1.0 + a.abs())));
    }
}
