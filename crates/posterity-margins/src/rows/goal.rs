//! The tables that rows are to have, with the noise that is on them.

use super::cells;
use super::input::Input;

/// Residuals with noise of known variances, and the tables that follow from them.
///
/// The tables of all sets stand one after the other in one list; [`Goal::range`] says where.
pub(super) struct Goal<'a> {
    input: &'a Input,
    residuals: Vec<Vec<f64>>,
    noise: f64,
    starts: Vec<usize>,
    shares: Vec<f64>,
}

impl<'a> Goal<'a> {
    /// The release itself.
    pub(super) fn of(input: &'a Input) -> Self {
        Self::new(input, |_, _| 0.0, 1.0)
    }

    /// The release plus other noise: `more(set, deviation)` on every entry, with `noise` times the variance in all.
    pub(super) fn new(input: &'a Input, mut more: impl FnMut(usize, f64) -> f64, noise: f64) -> Self {
        let mut residuals = Vec::with_capacity(input.sets().len());
        for (place, set) in input.sets().iter().enumerate() {
            let deviation = set.variance.sqrt();
            let mut residual: Vec<f64> = set.residual.iter().map(|r| r + more(place, deviation)).collect();
            cells::centre(&mut residual, &dimensions(input, place));
            residuals.push(residual);
        }
        let mut starts = vec![0];
        starts.extend(residuals.iter().scan(0, |end, residual| {
            *end += residual.len();
            Some(*end)
        }));
        let mut goal = Self { input, residuals, noise, starts, shares: Vec::new() };
        goal.shares = (0..goal.len()).flat_map(|set| goal.table(set)).collect();
        goal
    }

    /// The number of sets.
    pub(super) fn len(&self) -> usize {
        self.input.sets().len()
    }

    /// How many values each column has.
    pub(super) fn sizes(&self) -> &'a [u16] {
        self.input.sizes()
    }

    /// The number of records.
    pub(super) fn records(&self) -> f64 {
        self.input.records()
    }

    /// The columns of a set.
    pub(super) fn columns(&self, set: usize) -> &'a [usize] {
        &self.input.sets()[set].columns
    }

    /// The values of each column of a set.
    pub(super) fn dimensions(&self, set: usize) -> Vec<usize> {
        dimensions(self.input, set)
    }

    /// The nonempty subsets of a set, with the mask of the columns they hold.
    pub(super) fn subsets(&self, set: usize) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.input.subsets(set)
    }

    /// The variance of the noise on a residual's entry, before it is centred.
    pub(super) fn variance(&self, set: usize) -> f64 {
        self.input.sets()[set].variance * self.noise
    }

    /// Where the cells of a set's table stand.
    pub(super) fn range(&self, set: usize) -> std::ops::Range<usize> {
        self.starts[set]..self.starts[set + 1]
    }

    /// The estimated shares of all cells; some may be negative.
    pub(super) fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The number of sets with at most this many columns. They come first.
    pub(super) fn sets_up_to(&self, level: usize) -> usize {
        self.input.sets().partition_point(|set| set.columns.len() <= level)
    }

    /// The number of columns of the largest set.
    pub(super) fn top(&self) -> usize {
        self.input.sets().last().map_or(0, |set| set.columns.len())
    }

    /// How many numbers a residual can choose freely.
    pub(super) fn freedom(&self, set: usize) -> f64 {
        self.dimensions(set).iter().map(|&m| m as f64 - 1.0).product::<f64>().max(1.0)
    }

    /// The squared distance between a residual and that of a table of shares, in units of the noise.
    pub(super) fn lack_of_fit(&self, set: usize, shares: &[f64]) -> f64 {
        let mut other: Vec<f64> = shares.iter().map(|share| share * self.records()).collect();
        cells::centre(&mut other, &self.dimensions(set));
        let squares = self.residuals[set].iter().zip(&other).map(|(r, s)| (r - s) * (r - s));
        squares.sum::<f64>() / self.variance(set)
    }

    /// The sets that are part of no other set.
    pub(super) fn largest(&self) -> Vec<usize> {
        let mut largest = vec![true; self.len()];
        for set in 0..self.len() {
            self.subsets(set).filter(|&(_, part)| part != set).for_each(|(_, part)| largest[part] = false);
        }
        (0..self.len()).filter(|&set| largest[set]).collect()
    }

    /// `T_B = sum over A of r_A / prod m over B without A`, in shares.
    fn table(&self, set: usize) -> Vec<f64> {
        let dimensions = self.dimensions(set);
        let size = self.residuals[set].len();
        let mut table = vec![1.0 / size as f64; size];
        for (mask, part) in self.subsets(set) {
            let residual = &self.residuals[part];
            let scale = residual.len() as f64 / size as f64 / self.records();
            let places = cells::offsets(&dimensions, &strides_of_part(&dimensions, mask));
            table.iter_mut().zip(places).for_each(|(share, place)| *share += scale * residual[place]);
        }
        table
    }
}

/// The strides that lead from a cell of a table to the cell of a part of its columns.
fn strides_of_part(dimensions: &[usize], mask: u32) -> Vec<usize> {
    let mut stride = 1;
    let mut strides = vec![0; dimensions.len()];
    for axis in (0..dimensions.len()).rev().filter(|axis| mask >> axis & 1 == 1) {
        strides[axis] = stride;
        stride *= dimensions[axis];
    }
    strides
}

fn dimensions(input: &Input, set: usize) -> Vec<usize> {
    input.sets()[set].columns.iter().map(|&column| input.sizes()[column].into()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    // If this fails, rows are fitted to other tables than the release tells.
    #[test]
    fn exact_residuals_give_back_the_tables() {
        let codes = fixture::correlated(500);
        let input = fixture::release(&[3, 2, 2], &codes, 3, 1e-9, 1);
        let goal = Goal::of(&input);
        for set in 0..goal.len() {
            let truth = fixture::shares(&[3, 2, 2], &codes, goal.columns(set));
            let table = &goal.shares()[goal.range(set)];
            assert!(table.iter().zip(&truth).all(|(a, b)| (a - b).abs() < 1e-5), "{:?}", goal.columns(set));
            assert!(goal.lack_of_fit(set, table) < 1e-6);
        }
    }

    #[test]
    fn the_largest_set_holds_all_others() {
        let input = fixture::release(&[3, 2, 2], &fixture::correlated(50), 3, 1.0, 1);
        let goal = Goal::of(&input);
        assert_eq!(goal.largest(), [6]);
        assert_eq!((goal.top(), goal.sets_up_to(1), goal.sets_up_to(2)), (3, 3, 6));
    }
}
