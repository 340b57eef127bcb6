//! How far rows are from the release they were fitted to.

use super::goal::Goal;

/// How far the table of the rows over one set of columns is from the released one.
#[derive(Clone, Debug, PartialEq)]
pub struct Distance {
    /// The columns of the set.
    pub columns: Vec<usize>,
    /// The sum over the table's cells of the difference between the rows' share and the released estimate.
    pub l1: f64,
    /// The mean square of the difference between the residuals, in units of the noise. Below 1 means that noise alone
    /// can explain it.
    pub mean_square: f64,
}

/// The distances of all sets from tables of shares.
pub(super) fn distances(goal: &Goal, shares: &[f64]) -> Vec<Distance> {
    (0..goal.len()).map(|set| distance(goal, set, &shares[goal.range(set)])).collect()
}

fn distance(goal: &Goal, set: usize, shares: &[f64]) -> Distance {
    let released = &goal.shares()[goal.range(set)];
    Distance {
        columns: goal.columns(set).to_vec(),
        l1: released.iter().zip(shares).map(|(a, b)| (a - b).abs()).sum(),
        mean_square: goal.lack_of_fit(set, shares) / goal.freedom(set),
    }
}
