//! The error as a function of epsilon.

use posterity_core::decode::Decoder;
use posterity_core::forecast::{DistanceForecast, Estimate, ForecastError, WidthForecast};
use posterity_core::mechanism::Spec;

use super::goal::Goal;
use super::root::{root, three_digits_before, three_digits_up};
use super::situation::Situation;

/// The budgets between which the least one is searched for. At the larger one the noise moves no record but once in
/// many thousand releases, and hardly any privacy is left.
pub const LOWEST: f64 = 1e-6;
/// See [`LOWEST`].
pub const HIGHEST: f64 = 20.0;

/// The error as a function of epsilon, for one mechanism.
pub(super) enum Forecast {
    Width(WidthForecast),
    Distance(DistanceForecast),
}

impl Forecast {
    pub(super) fn new(
        situation: &Situation,
        goal: Goal,
        spec: &Spec,
        decoder: Decoder,
        effort: f64,
    ) -> Result<Self, ForecastError> {
        let Situation { prior, n, level, .. } = situation;
        let assumed = situation.assumed();
        Ok(match goal {
            Goal::HalfWidth(_) => {
                Self::Width(WidthForecast::new(spec, prior, *n, *level, assumed)?.with_effort(effort))
            }
            Goal::Distance(_) => {
                Self::Distance(DistanceForecast::new(spec, decoder, prior, *n, assumed)?.with_effort(effort))
            }
        })
    }

    /// The expected error at a budget.
    pub(super) fn at(&self, epsilon: f64) -> Result<Estimate, ForecastError> {
        match self {
            Self::Width(forecast) => forecast.widest(epsilon),
            Self::Distance(forecast) => forecast.at(epsilon),
        }
    }

    /// The expected error without any noise.
    pub(super) fn without(&self) -> f64 {
        match self {
            Self::Width(forecast) => forecast.without().iter().copied().fold(0.0, f64::max),
            Self::Distance(_) => 0.0,
        }
    }

    /// The error before any release, if it is known.
    pub(super) fn before(&self) -> Option<f64> {
        match self {
            Self::Width(forecast) => Some(forecast.before().into_iter().fold(0.0, f64::max)),
            Self::Distance(_) => None,
        }
    }

    /// The budget at which this error is expected, to about 0.1 %, if it is within the bounds.
    fn solve(
        &self,
        wanted: f64,
        n: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<f64>, ForecastError> {
        let without = self.without();
        // What the noise adds to the square of the error falls about as the square of epsilon.
        let added = |value: f64| 0.5 * (value * value - without * without).max(1e-300).ln();
        let target = added(wanted);
        let value = |epsilon: f64| {
            let found = added(self.at(epsilon)?.value) - target;
            progress(1);
            Ok::<_, ForecastError>(found)
        };
        let start = match self {
            Self::Width(_) => 3.1 / (n as f64 * target.exp()),
            Self::Distance(_) => 1.0 / (wanted * (n as f64).sqrt()),
        };
        let found = root((LOWEST, HIGHEST), start.clamp(1e-4, 5.0), -1.0, value)?;
        Ok((found < HIGHEST * 0.999).then_some(found))
    }

    /// The least budget of three digits at which the error is expected to be at most as wanted.
    pub(super) fn least(
        &self,
        wanted: f64,
        n: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<(f64, Estimate)>, ForecastError> {
        let Some(found) = self.solve(wanted, n, progress)? else { return Ok(None) };
        let at = |epsilon: f64| {
            let value = self.at(epsilon)?;
            progress(1);
            Ok::<_, ForecastError>(value)
        };
        let mut epsilon = three_digits_up(found * 0.9995);
        let mut value = at(epsilon)?;
        for _ in 0..5 {
            if value.value <= wanted {
                break;
            }
            epsilon = three_digits_up(epsilon * 1.0001);
            value = at(epsilon)?;
        }
        // The number before is tried where the root is too near to it to tell.
        let before = three_digits_before(epsilon);
        if found * 0.9995 < before {
            let smaller = at(before)?;
            if smaller.value <= wanted {
                return Ok(Some((before, smaller)));
            }
        }
        Ok(Some((epsilon, value)))
    }
}
