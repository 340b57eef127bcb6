//! The other mechanisms at the least epsilon of the usual one.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::{ALL, Lattice};
use posterity_core::model::{Epsilon, Setting};

use super::answer::Other;
use super::forecast::Forecast;
use super::goal::Goal;
use super::least_error::LeastError;
use super::situation::Situation;
use posterity_core::forecast::ForecastError;

/// The effort for mechanisms that are only compared.
const EFFORT: f64 = 0.15;

/// The expected error of each other private mechanism at this budget, the smallest first. For half-widths these are the
/// mechanisms whose noise can be taken into account category by category.
pub(super) fn others(
    situation: &Situation,
    goal: Goal,
    epsilon: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Other>, LeastError> {
    let budget = Epsilon::from_f64(epsilon).map_err(ForecastError::from)?;
    let setting = Setting::new(situation.prior.clone(), situation.n, budget)?;
    let width = matches!(goal, Goal::HalfWidth(_));
    let suits = |name: &str| name != Lattice::DESCRIPTION.name;
    let mut others: Vec<Other> = Vec::new();
    for description in ALL.iter().copied().filter(|one| one.private && suits(one.name)) {
        let spec = description.spec();
        // The likelihood of an exponential mechanism is a list of all data sets, which takes too long for a comparison.
        let modelled = description.decodable && !description.tunable;
        if !spec.suits_advice(&setting) || (width && !modelled) {
            continue;
        }
        let decoder = match (goal, modelled) {
            (Goal::Distance(_), true) => Decoder::Best,
            _ => Decoder::default_for(description),
        };
        let found = Forecast::new(situation, goal, &spec, decoder, EFFORT).and_then(|one| one.at(epsilon));
        progress(1);
        match found {
            Ok(found) => others.push(Other {
                mechanism: description,
                decoder,
                expected: found.value,
                standard_error: found.standard_error,
            }),
            // The mechanism is for other sizes or budgets, or its noise is too wide to be taken into account.
            Err(ForecastError::Fit(error)) if error.refuses_setting() => {}
            Err(ForecastError::Decode(error)) if error.is_too_wide() => {}
            Err(error) => return Err(error.into()),
        }
    }
    others.sort_by(|a, b| a.expected.total_cmp(&b.expected));
    Ok(others)
}
