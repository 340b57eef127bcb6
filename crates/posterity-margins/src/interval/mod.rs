//! Intervals for shares of groups of cells, within a table of the workload.
//!
//! The noise of a linear function of a table is a sum of independent discrete Gaussian draws with known coefficients.
//! [`Tail`] bounds its tails; [`Within`] inverts tests that use them, so that confidence intervals hold with at least
//! their level whatever the truth is (docs/proofs/residuals.md, theorems 6 to 8).

mod mean;
mod tail;
mod within;

pub(crate) use mean::NormalNoise;
pub use tail::Tail;
pub use within::Within;
