//! The least epsilon.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Lattice, Spec};

use super::answer::{Found, LeastEpsilon, Reach};
use super::budget::{HIGHEST, LOWEST};
use super::forecast::Forecast;
use super::goal::Goal;
use super::least_error::LeastError;
use super::mechanisms::others;
use super::records::records_needed;
use super::situation::Situation;

/// The least epsilon of three significant digits for which the error is expected to be at most as wanted, for the
/// mechanism that needs the least; or why none is small enough, and how many records would be needed. It does not
/// depend on any data.
///
/// The mechanism is `lattice`, unless another one has a smaller error at its least epsilon; then that one is searched
/// for as well. With `curve`, the error is also computed at epsilons around the least one.
///
/// ```
/// use posterity_advice::least::{Goal, Situation, least_epsilon};
/// use posterity::Prior;
/// let situation = Situation { prior: Prior::uniform(2)?, n: 90, shape: None, level: 0.95 };
/// let found = least_epsilon(&situation, Goal::HalfWidth(0.12), false, &|_| ())?;
/// assert_eq!(found.epsilon, Some(0.573));
/// // The intervals of 90 records are wider than this, even without noise.
/// let found = least_epsilon(&situation, Goal::HalfWidth(0.05), false, &|_| ())?;
/// assert!(found.epsilon.is_none() && found.records.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LeastError`].
pub fn least_epsilon(
    situation: &Situation,
    goal: Goal,
    curve: bool,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<LeastEpsilon, LeastError> {
    let goal = goal.check()?;
    situation.check()?;
    let lattice = Spec::from(Lattice);
    let usual = |spec: &Spec| match goal {
        Goal::HalfWidth(_) => Decoder::default_for(spec.description()),
        Goal::Distance(_) => Decoder::Best,
    };
    let forecast = Forecast::new(situation, goal, &lattice, usual(&lattice))?;
    let wanted = goal.wanted();
    let without = forecast.without();
    let reach = match forecast.least(wanted, progress)? {
        None => Reach::Never,
        Some((epsilon, expected)) => {
            let mut best = Found { spec: lattice.clone(), decoder: usual(&lattice), epsilon, expected };
            let others = others(situation, goal, epsilon, progress)?;
            for other in &others {
                let doubt = 2.0 * other.standard_error.hypot(expected.standard_error);
                if other.expected + doubt < expected.value {
                    let spec = other.mechanism.spec();
                    let forecast = Forecast::new(situation, goal, &spec, other.decoder)?;
                    if let Some((epsilon, expected)) = forecast.least(wanted, progress)?
                        && epsilon < best.epsilon
                    {
                        best = Found { spec, decoder: other.decoder, epsilon, expected };
                    }
                }
            }
            Reach::At { best, others }
        }
    };
    let records = match reach {
        Reach::Never => Some(records_needed(situation, goal, progress)?),
        _ => None,
    };
    let curve = if curve { error_curve(situation, goal, &reach, progress)? } else { Vec::new() };
    Ok(LeastEpsilon::new(situation, goal, without, reach, records, curve))
}

/// The error at epsilons around the least one, for its mechanism.
fn error_curve(
    situation: &Situation,
    goal: Goal,
    reach: &Reach,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<[f64; 2]>, LeastError> {
    let lattice = Spec::from(Lattice);
    let (spec, decoder, middle) = match reach {
        Reach::At { best, .. } => (&best.spec, best.decoder, best.epsilon),
        Reach::Never => (&lattice, Decoder::default_for(lattice.description()), 0.5),
    };
    let forecast = Forecast::new(situation, goal, spec, decoder)?;
    // Steps are even in the logarithm, from a tenth of the least epsilon to ten times as much.
    let steps = (-8..=8).map(|step| middle * 10_f64.powf(f64::from(step) / 8.0));
    let mut points = Vec::new();
    for epsilon in steps.filter(|epsilon| (LOWEST..=HIGHEST).contains(epsilon)) {
        points.push([epsilon, forecast.at(epsilon)?.value]);
        progress(1);
    }
    Ok(points)
}
