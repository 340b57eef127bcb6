//! Linear equations with a symmetric, positive definite matrix.

use crate::special::Sum;

/// The lower triangle L with `L L' = matrix`, row by row.
pub(super) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Factors a matrix of which the lower triangle is given. None if it is not positive definite, up to rounding.
    pub(super) fn new(mut lower: Vec<Vec<f64>>) -> Option<Self> {
        for i in 0..lower.len() {
            let (done, rest) = lower.split_at_mut(i);
            let row = &mut rest[0];
            for (j, other) in done.iter().enumerate() {
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            row[i] = libm::sqrt(pivot);
        }
        Some(Self(lower))
    }

    /// The solution of `matrix x = right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for (i, row) in self.0.iter().enumerate() {
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for (i, row) in self.0.iter().enumerate().rev() {
            x[i] /= row[i];
            let (before, at) = x.split_at_mut(i);
            before.iter_mut().zip(row).for_each(|(x, entry)| *x -= entry * at[0]);
        }
        x
    }
}

/// `right - matrix x`, with sums that keep their digits.
pub(super) fn residual(matrix: &[Vec<f64>], x: &[f64], right: &[f64]) -> Vec<f64> {
    let one = |(row, &right): (&Vec<f64>, &f64)| {
        let terms = row.iter().zip(x).map(|(entry, x)| -entry * x);
        std::iter::once(right).chain(terms).collect::<Sum>().value()
    };
    matrix.iter().zip(right).map(one).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_equations() {
        let matrix = vec![vec![4.0, 2.0, 0.4], vec![2.0, 5.0, 1.0], vec![0.4, 1.0, 3.0]];
        let lower: Vec<Vec<f64>> = matrix.iter().enumerate().map(|(i, row)| row[..=i].to_vec()).collect();
        let x = Cholesky::new(lower).expect("positive definite").solve(&[1.0, -2.0, 0.5]);
        assert!(residual(&matrix, &x, &[1.0, -2.0, 0.5]).iter().all(|rest| rest.abs() < 1e-15));
    }

    #[test]
    fn rejects_matrices() {
        for entry in [1.0, 2.0, f64::NAN] {
            assert!(Cholesky::new(vec![vec![1.0], vec![entry, 1.0]]).is_none(), "{entry}");
        }
    }
}
