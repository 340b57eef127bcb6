//! How far the change of one record can move the posterior, in Hellinger distance.
//!
//! With `g(a) = exp(ln_bc(a, a+1))`, increasing in a, moving one record from category i to j changes the posterior
//! by `H = sqrt(1 - g(alpha_i + c_i - 1) g(alpha_j + c_j))`. This module uses that formula and the
//! concavity of `(1 - A g)^(-1/2)` (docs/proofs/sensitivity.md), so that it need not enumerate data sets.

mod global;
mod local;
mod smooth;

pub(crate) use global::global_cost;
pub use global::{PUBLISHED_GLOBAL, global};
pub use local::local;
pub(crate) use local::local_cost;
pub use smooth::{beta_smooth, gamma_smooth};
pub(crate) use smooth::{beta_smooth_of, gamma_smooth_of};

use crate::distance::{Pair, ln_bc};

/// `-ln g(alpha + c)`: what a category adds to the cost of a move when its count changes from `c` to `c + 1` or back.
/// It decreases in `c`.
pub(crate) fn step_cost(alpha: f64, c: u64) -> f64 {
    -ln_bc(Pair::of_counts(alpha, c, c + 1))
}
