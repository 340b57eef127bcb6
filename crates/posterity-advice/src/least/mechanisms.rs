//! The other mechanisms at the least epsilon of the usual one.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::{ALL, Lattice};
use posterity_core::model::{Epsilon, Setting};

use super::answer::Other;
use super::forecast::Forecast;
use super::goal::Goal;
use super::least_error::LeastError;
use super::situation::Situation;
use crate::advice::{AdviceError, takes_too_long};
use crate::design::DesignError;

/// The expected error of each other private mechanism at this budget, the smallest first. For half-widths these are the
/// mechanisms whose noise adds up, as that of lattice does: their intervals hold whatever the truth is, too.
pub(super) fn others(
    situation: &Situation,
    goal: Goal,
    epsilon: f64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Other>, LeastError> {
    let budget = Epsilon::from_f64(epsilon).map_err(DesignError::from)?;
    let setting = Setting::new(situation.prior.clone(), situation.n, budget)?;
    let width = matches!(goal, Goal::HalfWidth(_));
    let mut others: Vec<Other> = Vec::new();
    for description in ALL.iter().copied().filter(|one| one.private && one.name != Lattice::DESCRIPTION.name)
    {
        let spec = description.spec();
        let decoder = match goal {
            Goal::Distance(_) if description.decodable && !description.tunable => Decoder::Best,
            _ => Decoder::default_for(description),
        };
        if !spec.suits_advice(&setting) || takes_too_long(description, decoder, &setting) {
            continue;
        }
        let adds_up = || Ok::<_, DesignError>(spec.fit(setting.clone())?.additive().is_some());
        let found = match width.then(adds_up).transpose() {
            Ok(Some(false)) => continue,
            Ok(_) => Forecast::new(situation, goal, &spec, decoder).and_then(|one| one.at(epsilon)),
            Err(error) => Err(error.into()),
        };
        progress(1);
        match found {
            Ok(found) => others.push(Other {
                mechanism: description,
                decoder,
                expected: found.value,
                standard_error: found.standard_error,
            }),
            // The mechanism is for other sizes or budgets.
            Err(
                LeastError::Design(DesignError::Fit(error)) | LeastError::Advice(AdviceError::Fit(error)),
            ) if error.refuses_setting() => {}
            Err(error) => return Err(error),
        }
    }
    others.sort_by(|a, b| a.expected.total_cmp(&b.expected));
    Ok(others)
}
