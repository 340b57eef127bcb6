//! How many records it would take.

use posterity_core::mechanism::{Lattice, Spec};
use posterity_core::model::MAX_TOTAL;

use super::answer::RecordsNeeded;
use super::forecast::Forecast;
use super::goal::Goal;
use super::least_error::LeastError;
use super::root::{root, three_digits_up};
use super::situation::Situation;
use posterity_core::decode::Decoder;

/// The least numbers of records, of three digits, for which the error is expected to be at most as wanted: without
/// privacy, and at epsilon 1.
pub(super) fn records_needed(
    situation: &Situation,
    goal: Goal,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<RecordsNeeded, LeastError> {
    let with = |n: f64| situation.with_records((n.round() as u64).clamp(1, MAX_TOTAL));
    let lattice = Spec::from(Lattice);
    let wanted = goal.wanted();
    let search = |start: f64, error: &dyn Fn(f64) -> Result<f64, LeastError>| {
        let value = |n: f64| {
            progress(1);
            Ok::<_, LeastError>((error(n)? / wanted).ln())
        };
        // Errors fall at least as the square root of the number of records.
        let mut n = three_digits_up(root((1.0, MAX_TOTAL as f64), start, -0.5, value)? * 0.9995);
        for _ in 0..5 {
            if n >= MAX_TOTAL as f64 || error(n)? <= wanted {
                break;
            }
            n = three_digits_up(n.max(1.0) * 1.0001).max(n + 1.0).round();
        }
        Ok::<_, LeastError>(if n >= MAX_TOTAL as f64 { None } else { Some(n.ceil() as u64) })
    };
    let start = situation.n as f64;
    let without_privacy =
        search(start, &|n| Ok(Forecast::new(&with(n), goal, &lattice, Decoder::Best)?.without()))?;
    let start = without_privacy.map_or(start, |n| 1.1 * n as f64);
    let at_epsilon_1 =
        search(start, &|n| Ok(Forecast::new(&with(n), goal, &lattice, Decoder::Best)?.at(1.0)?.value))?;
    Ok(RecordsNeeded { without_privacy, at_epsilon_1 })
}
