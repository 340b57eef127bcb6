//! What to expect of releases before there is any data: how wide their intervals will be, and how far they will be from
//! the truth. Everything here is computed from public inputs.
//!
//! An expectation is a mean over points of the unit cube that fill it evenly ([`UnitPoints`]). A point stands for
//! made-up data ([`made_up_counts`]) and for the noise on them ([`LatticeDraws`]). The same points are used for every
//! epsilon, so that what is computed changes with epsilon as little as the expectation itself does
//! (docs/proofs/forecast.md).

mod coarse;
mod distances;
mod estimate;
mod forecast_error;
mod lattice_draws;
mod made_up;
mod smoothed;
mod truth;
mod unit_points;
mod widths;

pub use distances::DistanceForecast;
pub use estimate::Estimate;
pub use forecast_error::ForecastError;
pub use lattice_draws::LatticeDraws;
pub use made_up::made_up_counts;
pub use truth::Assumed;
pub use unit_points::UnitPoints;
pub use widths::WidthForecast;
