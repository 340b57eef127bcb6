//! The half-widths of the rows of a reading.

use posterity::{Reader, Reading};

use super::design_error::DesignError;

/// The half-widths of rows of a reading.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Widths(Vec<f64>);

impl Widths {
    /// Those of all rows.
    pub(super) fn all(reader: &Reader, reading: &Reading) -> Result<Self, DesignError> {
        let table = reader.read(reading)?;
        Ok(Self(table.rows.iter().map(|row| half(row.interval)).collect()))
    }

    /// Those of some rows.
    pub(super) fn some(reader: &Reader, reading: &Reading, rows: &[usize]) -> Result<Self, DesignError> {
        Ok(Self(reader.intervals_of(reading, rows)?.into_iter().map(half).collect()))
    }

    /// The same rows of all.
    pub(super) fn only(&self, rows: &[usize]) -> Self {
        Self(rows.iter().map(|&row| self.0[row]).collect())
    }

    /// The means of both.
    pub(super) fn middle(first: &Self, second: &Self) -> Self {
        Self(first.0.iter().zip(&second.0).map(|(a, b)| 0.5 * (a + b)).collect())
    }

    /// Takes one part of the squares away, multiplies the rest, and adds another part: the variances of sampling and of
    /// noise add up.
    pub(super) fn replace(&mut self, away: &Self, factor: f64, instead: &Self) {
        for ((width, away), instead) in self.0.iter_mut().zip(&away.0).zip(&instead.0) {
            *width = (factor * (*width * *width - away * away).max(0.0) + instead * instead).sqrt();
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.0.len()
    }

    /// On average over the rows.
    pub(super) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    pub(super) fn widest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }
}

fn half(interval: [f64; 2]) -> f64 {
    0.5 * (interval[1] - interval[0])
}

/// Rows of a reading whose intervals without noise are equally wide. The same is expected of them, so that a few rows
/// stand for all, and their mean is taken before the widest are looked for. Otherwise the widest would be the one whose
/// simulated noise happened to be largest.
#[derive(Clone, Debug)]
pub(super) struct Classes {
    /// The rows that are looked at.
    rows: Vec<usize>,
    /// The class of each of these.
    of_row: Vec<usize>,
    /// How many of them each class has.
    looked_at: Vec<f64>,
    /// How many rows each class has in all.
    sizes: Vec<f64>,
}

/// Widths that differ by less than this share count as the same.
const SAME: f64 = 0.01;

/// The most rows of a class that are looked at.
const MAX_ROWS_OF_CLASS: usize = 8;

impl Classes {
    pub(super) fn new(without: &Widths) -> Self {
        let widths = &without.0;
        let mut order: Vec<usize> = (0..widths.len()).collect();
        order.sort_by(|&a, &b| widths[a].total_cmp(&widths[b]));
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut first = f64::NAN;
        for row in order {
            if widths[row] <= first * (1.0 + SAME) {
                classes.last_mut().into_iter().for_each(|class| class.push(row));
            } else {
                first = widths[row];
                classes.push(vec![row]);
            }
        }
        let mut looked_at: Vec<(usize, usize)> = Vec::new();
        for (class, rows) in classes.iter_mut().enumerate() {
            rows.sort_unstable();
            let few = rows.len().min(MAX_ROWS_OF_CLASS);
            looked_at.extend((0..few).map(|index| (rows[index * rows.len() / few], class)));
        }
        looked_at.sort_unstable();
        let number = |class: usize| looked_at.iter().filter(|(_, of)| *of == class).count() as f64;
        Self {
            looked_at: (0..classes.len()).map(number).collect(),
            sizes: classes.iter().map(|rows| rows.len() as f64).collect(),
            of_row: looked_at.iter().map(|(_, class)| *class).collect(),
            rows: looked_at.into_iter().map(|(row, _)| row).collect(),
        }
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The rows that are looked at.
    pub(super) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// The mean of each class, from the rows that are looked at.
    pub(super) fn means(&self, widths: &Widths) -> Vec<f64> {
        let mut means = vec![0.0; self.sizes.len()];
        for (&class, width) in self.of_row.iter().zip(&widths.0) {
            means[class] += width / self.looked_at[class];
        }
        means
    }

    /// The mean over all rows, from those of the classes.
    pub(super) fn mean(&self, means: &[f64]) -> f64 {
        let rows: f64 = self.sizes.iter().sum();
        self.sizes.iter().zip(means).map(|(size, mean)| size * mean).sum::<f64>() / rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_same_width_are_one_class() {
        let classes = Classes::new(&Widths(vec![0.2, 0.1, 0.2005, 0.3]));
        assert_eq!((classes.rows(), classes.of_row.as_slice()), (&[0, 1, 2, 3][..], &[1, 0, 1, 2][..]));
        let means = classes.means(&Widths(vec![1.0, 2.0, 3.0, 4.0]));
        assert_eq!((means.as_slice(), classes.mean(&means)), (&[2.0, 2.0, 4.0][..], 2.5));
    }

    /// A few rows stand for many, spread over all of them.
    #[test]
    fn few_rows_of_a_class_are_looked_at() {
        let classes = Classes::new(&Widths((0..41).map(|row| if row == 7 { 0.5 } else { 0.1 }).collect()));
        assert_eq!(classes.rows(), [0, 5, 7, 11, 16, 21, 26, 31, 36]);
        assert_eq!(classes.sizes, [40.0, 1.0]);
        let mean = classes.mean(&[1.0, 42.0]);
        assert_eq!(mean, 2.0);
    }

    #[test]
    fn parts_of_squares_are_replaced() {
        let mut widths = Widths(vec![5.0]);
        widths.replace(&Widths(vec![4.0]), 2.0, &Widths(vec![1.0]));
        assert!((widths.mean() - 19_f64.sqrt()).abs() < 1e-12);
    }
}
