//! The other mechanisms at the least epsilon of the usual one.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::{ALL, Lattice};
use posterity_core::model::{Epsilon, Setting};

use super::answer::Other;
use super::forecast::Forecast;
use super::goal::Goal;
use super::least_error::LeastError;
use super::situation::Situation;
use crate::advice::{AdviceError, decoders, takes_too_long};
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
        if !spec.suits_advice(&setting) {
            continue;
        }
        // Whether it suits the setting the forecast says.
        if width && spec.fit(setting.clone()).is_ok_and(|fitted| fitted.additive().is_none()) {
            continue;
        }
        // Those that advice shows beside each other.
        let tried = match goal {
            Goal::Distance(_) => decoders(description).to_vec(),
            Goal::HalfWidth(_) => vec![Decoder::default_for(description)],
        };
        for decoder in tried.into_iter().filter(|&decoder| !takes_too_long(description, decoder, &setting)) {
            let found = Forecast::new(situation, goal, &spec, decoder).and_then(|one| one.at(epsilon));
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
    }
    leave_out_needless_decoders(&mut others);
    others.sort_by(|a, b| a.expected.total_cmp(&b.expected));
    Ok(others)
}

/// Leaves out each decoder with which a mechanism is as near as without it, so that no mechanism stands twice with the
/// same number.
fn leave_out_needless_decoders(others: &mut Vec<Other>) {
    let plain: Vec<Other> = others.iter().filter(|one| one.decoder == Decoder::None).cloned().collect();
    // Outcomes of a probability of up to 1e-9 together are not decoded.
    let as_near = |one: &Other, other: &Other| {
        one.mechanism == other.mechanism && (one.expected - other.expected).abs() <= 2e-9
    };
    others.retain(|one| one.decoder == Decoder::None || !plain.iter().any(|other| as_near(one, other)));
}
