//! What to expect of a release before there is any data: how wide its intervals will be, what repeated releases would
//! look like, and how far each mechanism would be from the truth. Everything here is computed from public inputs.

mod advised;
mod draws;
mod errors;
mod half_width;
mod plan_error;
mod releases;
mod truth;

pub use advised::{Advised, advise_with_widths, is_quick};
pub use errors::{ErrorCurve, ErrorCurves, Expectation, error_curves};
pub use half_width::{HalfWidth, HalfWidths, expected_half_width};
pub use plan_error::PlanError;
pub use releases::{SimulatedRelease, SimulatedReleases, simulate_releases};
pub use truth::{MOST_RECORDS, Truth};
