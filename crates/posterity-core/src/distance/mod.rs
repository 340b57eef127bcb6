//! Distances between Dirichlet distributions, accurate for data of any size.

mod chernoff;
mod gamma_gap;
mod gamma_shortfall;
mod hellinger;
mod kl;
mod l1;
mod ln_bc;
mod pair;
mod tv;
mod tv_of_two;

pub(crate) use chernoff::{chernoff_cost, chernoff_rise};
pub(crate) use gamma_gap::gamma_gap;
pub(crate) use gamma_shortfall::gamma_shortfall;
pub use hellinger::{from_cost, hellinger, hellinger_of_counts};
pub use kl::kl_divergence;
pub use l1::l1_distance;
pub(crate) use ln_bc::cost_of_category;
pub use ln_bc::{cost, ln_bc};
pub use pair::Pair;
pub use tv::{tv, tv_bounds, tv_of_counts};
pub(crate) use tv_of_two::tv_of_two;

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
