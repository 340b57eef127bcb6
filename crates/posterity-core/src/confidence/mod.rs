//! Intervals that hold whatever the truth is, from the sums of groups of noisy counts.
//!
//! A mechanism that adds noise draws `y = c + Z`, where the law of Z does not depend on the counts c. What a reading
//! asks depends on the sums of few groups of cells, and so do its errors: the law of the noise of a sum is known
//! exactly ([`FoldedNoise`](crate::noise::FoldedNoise)), whatever the number of cells. [`Sums`] holds the draw and these
//! laws. Its intervals are inverted tests: an interval leaves out only those values of the share that a test at half
//! of `1 - level` on either side rejects (docs/proofs/intervals.md).
//!
//! - [`Sums::share`]: of a group among all records. The test is exact.
//! - [`Sums::conditional`]: of a group within another, whose true count is not known. The p-value is the largest over
//!   all counts that the noisy one leaves possible (Berger and Boos 1994).
//! - [`Sums::contrast`]: of a difference or a ratio of two such shares. Its coverage is measured, not proven.
//! - [`NoisyTable::test`], [`NoisyTable::association`]: whether rows and columns of a table depend on each other, and how
//!   strongly. Both are simulated, and measured, not proven.
//! - [`Sums::mean`]: of the mean of a number, of all records or within a condition. Its coverage is measured, not proven.
//! - [`Sums::sum`]: of the sum of a number over the records of a condition.
//! - [`Sums::quantile`]: of a quantile of ordered groups, from tests of the shares below the edges between them
//!   (docs/proofs/ordered.md).
//!
//! Where the noise does not add up, [`Listed`] has the shares of two categories from a list of all laws.

mod association;
mod binomial;
mod conditional;
mod contrast;
mod ends;
mod independence;
mod joint;
mod listed;
mod mean;
mod quantile;
mod share;
mod subject;
mod sums;
mod tested;

pub use association::Association;
pub use contrast::{ComparedShare, ContrastInterval, Scale, Side, correlation, half_of_misses};
pub use independence::{DRAWS, Hypothesis, NoisyTable, Significance};
pub use listed::Listed;
pub use mean::{Mean, MeanNoise, Size, Waves};
pub use quantile::{QuantileInterval, contiguous, isotonic_bin};
pub use subject::{Subject, SubjectError};
pub use sums::{Additive, CountInterval, GroupSum, Interval, Sums, Within};
pub use tested::Tested;
