//! Probabilities of releases some steps from the truth.

use posterity_core::mechanism::OutputLaw;

use super::event::{probability, same};

/// `P(floor(Y) = t)` for `Y ~ Lap(1/rate)`: `(exp(-rate t) - exp(-rate (t+1)))/2` for `t >= 0` and
/// `(exp(rate (t+1)) - exp(rate t))/2` below (001_620eaed63190b1ed.txt, lemma 6.1).
///
/// ```
/// use posterity_reproduce::bounds::step_probability;
/// assert!((step_probability(1.0, 0) - 0.31606027941).abs() < 1e-11);
/// assert_eq!(step_probability(1.0, 0), step_probability(1.0, -1));
/// ```
#[must_use]
pub fn step_probability(rate: f64, t: i64) -> f64 {
    let steps = if t < 0 { -1.0 - t as f64 } else { t as f64 };
    -0.5 * libm::expm1(-rate) * libm::exp(-rate * steps)
}

/// [`step_probability`] at lsdim's scale `k/epsilon`.
///
/// ```
/// use posterity_reproduce::bounds::lsdim_step;
/// for (t, printed) in [(0, 0.19673467014), (1, 0.11932560927), (2, 0.07237464051)] {
///     assert!((lsdim_step(2, 1.0, t) - printed).abs() < 1e-11);
/// }
/// ```
#[must_use]
pub fn lsdim_step(k: usize, epsilon: f64, t: i64) -> f64 {
    step_probability(epsilon / k as f64, t)
}

/// [`step_probability`] at lshist's scale: `1/epsilon` for two categories, `2/epsilon` for more.
///
/// ```
/// use posterity_reproduce::bounds::lshist_step;
/// for (t, printed) in [(0, 0.31606027941), (1, 0.11627207896), (2, 0.04277410743)] {
///     assert!((lshist_step(2, 1.0, t) - printed).abs() < 1e-11);
/// }
/// ```
#[must_use]
pub fn lshist_step(k: usize, epsilon: f64, t: i64) -> f64 {
    step_probability(if k == 2 { epsilon } else { epsilon / 2.0 }, t)
}

/// The exact values `t` steps from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactStep {
    /// The distance `c(t)` of that candidate.
    pub distance: f64,
    /// The probability of that candidate: the closed form, except at 0 and n, where the noise is clipped.
    pub probability: f64,
    /// `P(H = c(t))`, which the lemma equates with the closed form. It is larger if another candidate is as far away.
    pub at_distance: f64,
}

/// The exact counterpart of the step formulas, for the candidate with `t` more in the first of two categories. None if
/// there is no such candidate.
#[must_use]
pub fn exact_step(law: &OutputLaw, t: i64) -> Option<ExactStep> {
    let &[first, second] = law.truth() else { return None };
    let target = [first.checked_add_signed(t)?, second.checked_add_signed(t.checked_neg()?)?];
    let hit = law.outcomes().find(|outcome| outcome.counts == target)?;
    let at_distance = probability(law, |distance| same(distance, hit.distance));
    Some(ExactStep { distance: hit.distance, probability: hit.probability, at_distance })
}
