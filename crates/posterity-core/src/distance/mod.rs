//! Distances between Dirichlet distributions, accurate for data of any size.

mod hellinger;
mod kl;
mod l1;
mod ln_bc;
mod pair;

pub use hellinger::{from_cost, hellinger, hellinger_of_counts};
pub use kl::kl_divergence;
pub use l1::l1_distance;
pub use ln_bc::{cost, ln_bc};
pub use pair::Pair;

use thiserror::Error;

/// Two distributions over different numbers of categories have no distance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the distributions have {left} and {right} parameters; compare distributions over the same categories"
)]
pub struct LengthError {
    /// Parameters of the first.
    pub left: usize,
    /// Parameters of the second.
    pub right: usize,
}
