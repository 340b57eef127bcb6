//! What to expect of a release before there is any data: which mechanism is nearest, what repeated releases would look
//! like, and how far each mechanism would be from the truth. Everything here is computed from public inputs. How wide
//! intervals will be is forecast by [`design`](crate::design) alone.

mod advised;
mod errors;
mod plan_error;
mod releases;

pub use advised::{Advised, advise_with_widths};
pub use errors::{ErrorCurve, ErrorCurves, Expectation, error_curves};
pub use plan_error::PlanError;
pub use releases::{SimulatedRelease, SimulatedReleases, simulate_releases};
