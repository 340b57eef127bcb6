//! How far a release is from the truth, exactly.

mod decoded;
mod distance_law;
#[cfg(feature = "limit")]
mod limit;
mod over_data;
mod prior_predictive;
mod simulate;

#[cfg(feature = "limit")]
pub use crate::program::MAX_VARIABLES;
pub use decoded::{
    DecodedError, decoded_law, decoded_outcomes, decoded_over_data, mean_over_data, simulate_decoded,
};
pub use distance_law::{DistanceLaw, Metric};
#[cfg(feature = "limit")]
pub use limit::{Limit, LimitError, limit};
pub use over_data::{OverData, over_data};
pub use prior_predictive::prior_predictive;
pub use simulate::{SimulationError, simulate};
