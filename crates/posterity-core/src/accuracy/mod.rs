//! How far a release is from the truth, exactly.

pub mod bounds;
mod decoded;
mod distance_law;
mod over_data;
mod simulate;

pub use decoded::{DecodedError, decoded_law, decoded_over_data, simulate_decoded};
pub use distance_law::{DistanceLaw, Metric};
pub use over_data::{OverData, over_data, prior_predictive};
pub use simulate::{SimulationError, simulate};
