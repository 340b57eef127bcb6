//! A question whose columns have more combinations than anyone can list.

use crate::question::Question;

/// A question about many columns, and the sets of them whose tables are counted, each with the positions of its columns
/// in rising order.
#[derive(Clone, Debug)]
pub struct WideQuestion<'a> {
    /// The columns, the filter and the unit.
    pub question: &'a Question,
    /// The sets.
    pub sets: Vec<Vec<usize>>,
}
