//! How wide the intervals of what the button of the page buys will be.

use posterity::Epsilon;
use posterity_advice::design::{HalfWidth, expected_half_widths, joint_readings};

use super::state::State;
use crate::sentence::sentence;

/// The half-width of the widest interval at a budget: of one column, or of one release of all columns of a table.
pub(super) fn widths(state: &State, epsilon: &Epsilon) -> Result<HalfWidth, String> {
    if let Some(table) = &state.table {
        let readings = joint_readings(table, epsilon).map_err(sentence)?;
        return Ok(HalfWidth {
            private: readings.iter().map(|one| one.widest).fold(0.0, f64::max),
            standard_error: None,
            without: readings.iter().map(|one| one.widest_without_privacy).fold(0.0, f64::max),
        });
    }
    let request = state.request_at(epsilon)?;
    let (spec, setting) = (request.spec(), request.setting());
    let found = expected_half_widths(spec, setting, Some(&state.shape), posterity::Terms::LEVEL);
    Ok(found.map_err(sentence)?.widest())
}
