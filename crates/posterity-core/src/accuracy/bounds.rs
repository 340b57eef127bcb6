//! The accuracy formulas of the research, each beside the exact value that it stands for.
//!
//! Nothing here is needed to know how accurate a mechanism is: [`Mechanism::law`] says that exactly. The formulas are
//! kept because they were published; where one is wrong or holds only in part, its test in `tests/accuracy_bounds.rs`
//! asserts so, and `docs/fidelity.md` lists the numbers. Steps and everything built on them need two categories.

use thiserror::Error;

use super::{DistanceLaw, Metric};
use crate::distance::{LengthError, hellinger_of_counts};
use crate::mechanism::{Exponential, GlobalSensitivity, LawError, Mechanism, Name, OutputLaw, ehd, lshist};
use crate::model::{Counts, CountsError, Epsilon, Prior, PriorError, Setting, SettingError};
use crate::sensitivity::{PUBLISHED_GLOBAL, local};
use crate::special::Sum;

/// Distances that agree to this many parts are the same: rounding separates what mathematics does not.
const SAME: f64 = 1e-12;

/// Why a formula cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BoundsError {
    /// The exact value cannot be computed.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The counts do not fit the prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The formula speaks of steps between two categories.
    #[error("there are {found} categories; this formula is stated for two")]
    Categories {
        /// How many there are.
        found: usize,
    },
    /// No such formula is known for the mechanism.
    #[error("the research states no such bound for {name}; choose lszhang, lshist, ehd or ehdl")]
    Unstated {
        /// The mechanism.
        name: Name,
    },
}

impl From<SettingError> for BoundsError {
    fn from(error: SettingError) -> Self {
        Self::Law(LawError::Setting(error))
    }
}

impl From<CountsError> for BoundsError {
    fn from(error: CountsError) -> Self {
        Self::from(match error {
            CountsError::TooFew { found } => return Self::Categories { found },
            CountsError::NoRecords => SettingError::NoRecords,
            CountsError::TooMany => SettingError::TooMany { n: u64::MAX },
        })
    }
}

impl From<LengthError> for BoundsError {
    fn from(error: LengthError) -> Self {
        Self::Prior(PriorError::WrongLength { found: error.left, expected: error.right })
    }
}

/// `P(floor(Y) = t)` for `Y ~ Lap(1/rate)`: `(exp(-rate t) - exp(-rate (t+1)))/2` for `t >= 0` and
/// `(exp(rate (t+1)) - exp(rate t))/2` below (001_620eaed63190b1ed.txt, lemma 6.1).
///
/// ```
/// use posterity_core::accuracy::bounds::step_probability;
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
/// use posterity_core::accuracy::bounds::lsdim_step;
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
/// use posterity_core::accuracy::bounds::lshist_step;
/// for (t, printed) in [(0, 0.31606027941), (1, 0.11627207896), (2, 0.04277410743)] {
///     assert!((lshist_step(2, 1.0, t) - printed).abs() < 1e-11);
/// }
/// ```
#[must_use]
pub fn lshist_step(k: usize, epsilon: f64, t: i64) -> f64 {
    step_probability(if k == 2 { epsilon } else { epsilon / 2.0 }, t)
}

/// What really happens `t` steps from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactStep {
    /// The distance `c(t)` of that candidate.
    pub distance: f64,
    /// The probability of that candidate: the closed form, except at 0 and n, where the noise is clipped.
    pub probability: f64,
    /// `P(H = c(t))`, which the lemma equates with the closed form. Another candidate may be as far away.
    pub at_distance: f64,
}

/// The exact counterpart of the step formulas, for the candidate with `t` more in the first of two categories. None if
/// there is no such candidate.
#[must_use]
pub fn exact_step(law: &OutputLaw, t: i64) -> Option<ExactStep> {
    let &[first, second] = law.truth() else { return None };
    let target = [first.checked_add_signed(t)?, second.checked_add_signed(t.checked_neg()?)?];
    let hit = law.outcomes().find(|outcome| outcome.counts == target)?;
    let same = |distance: f64| (distance - hit.distance).abs() <= SAME * hit.distance;
    let there = law.outcomes().filter(|outcome| same(outcome.distance));
    let at_distance = there.map(|outcome| outcome.probability).collect::<Sum>().value();
    Some(ExactStep { distance: hit.distance, probability: hit.probability, at_distance })
}

/// Three values for `P(H >= c)` under an exponential mechanism, each cheaper and larger than the one before
/// (002_d2a24f2ea53ee1f7.txt, section 6.2, with the scale as the mechanism defines it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TailBounds {
    /// The exact probability.
    pub tight: f64,
    /// `card(R) exp(-s c) / NL`, where s is the scale at the data and NL the normaliser.
    pub loose: f64,
    /// `card(R) exp(-s c)`: the normaliser is at least one, the weight of the truth.
    pub loosest: f64,
}

impl TailBounds {
    /// The bounds at given counts; `limit` as in [`Mechanism::law`]. The order holds but for the rounding of the score.
    ///
    /// # Errors
    /// [`BoundsError::Law`] if the law cannot be listed.
    pub fn new(mechanism: &Exponential, counts: &Counts, c: f64, limit: u64) -> Result<Self, BoundsError> {
        let law = mechanism.law(counts, limit)?;
        let loosest = law.len() as f64 * libm::exp(-mechanism.scale_down(counts)? * c);
        // The truth has weight one, so its probability is 1/NL.
        let loose = loosest * law.probability_exact();
        Ok(Self { tight: probability(&law, |distance| !below(distance, c)), loose, loosest })
    }
}

/// How many steps from the truth stay below a distance t.
///
/// The research has one number k, "the largest". The two sides of the truth differ unless data and prior are balanced, so
/// there are two: a lower bound may count only what lies on both sides, an upper bound must count what lies on either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The largest j such that the candidates j steps away exist on both sides and are nearer than t.
    pub both: u64,
    /// The largest j such that one of them exists and is nearer than t.
    pub either: u64,
}

impl Steps {
    /// The steps below `t` from these counts over two categories; zero if not even one is.
    ///
    /// # Errors
    /// [`BoundsError`] if there are not two categories in prior and counts.
    pub fn new(prior: &Prior, counts: &Counts, t: f64) -> Result<Self, BoundsError> {
        let &[first, second] = counts.as_slice() else {
            return Err(BoundsError::Categories { found: counts.len() });
        };
        let up = steps_below(second, t, |j| {
            hellinger_of_counts(prior, &[first, second], &[first + j, second - j])
        })?;
        let down = steps_below(first, t, |j| {
            hellinger_of_counts(prior, &[first, second], &[first - j, second + j])
        })?;
        Ok(Self { both: up.min(down), either: up.max(down) })
    }

    /// The same number on both sides.
    #[must_use]
    pub fn symmetric(k: u64) -> Self {
        Self { both: k, either: k }
    }
}

/// The largest `j <= most` with a distance below `t`, given that the distance increases with j.
fn steps_below(
    most: u64,
    t: f64,
    distance: impl Fn(u64) -> Result<f64, LengthError>,
) -> Result<u64, LengthError> {
    let (mut inside, mut last) = (0, most);
    while inside < last {
        let middle = last - (last - inside) / 2;
        if below(distance(middle)?, t) {
            inside = middle;
        } else {
            last = middle - 1;
        }
    }
    Ok(inside)
}

/// What 003_726dbba4c7a48de5.txt, theorem 4.5, says about `P(H < t)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The lower bound.
    pub lower: f64,
    /// The value said to be equal, for the Laplace mechanisms.
    pub equal: Option<f64>,
    /// The upper bound, for the exponential mechanisms.
    pub upper: Option<f64>,
}

/// Of lszhang: `(1 - (e^(-k eps/2) + e^(-(k+1) eps/2))/2)^2 >= (1 - e^(-k eps/2))^2`. The noise has scale `4/eps`, so the
/// exponents should be halved; even then the event is larger than "both counts within k steps".
#[must_use]
pub fn lszhang_within(steps: Steps, epsilon: f64) -> Published {
    let one = lshist_within(steps, epsilon / 2.0);
    Published { lower: one.lower * one.lower, equal: one.equal.map(|value| value * value), upper: None }
}

/// Of lshist: `1 - (e^(-k eps) + e^(-(k+1) eps))/2 >= 1 - e^(-k eps)`. The first is exact if the two sides agree and no
/// noise is clipped into the event, and a lower bound in any case.
#[must_use]
pub fn lshist_within(steps: Steps, epsilon: f64) -> Published {
    let k = steps.both as f64;
    let lower = -libm::expm1(-k * epsilon);
    let equal = 0.5 * (lower - libm::expm1(-(k + 1.0) * epsilon));
    Published { lower, equal: Some(equal), upper: None }
}

/// Of ehd: from `(2k e^(-eps) + 1)/n` to `(2k+1)/(n e^(-eps))`. There are n+1 candidates, not n, and the second takes
/// `e^(-eps)` for the smaller `e^(-eps/(2 GS))`.
#[must_use]
pub fn ehd_within(steps: Steps, n: u64, epsilon: f64) -> Published {
    exponential_within(steps, n, epsilon)
}

/// Of ehdl: from `(2k e^(-eps/(2 LS)) + 1)/n` to `(2k+1)/(n e^(-eps/(2 LS)))`.
#[must_use]
pub fn ehdl_within(steps: Steps, n: u64, epsilon: f64, local_sensitivity: f64) -> Published {
    exponential_within(steps, n, epsilon / (2.0 * local_sensitivity))
}

fn exponential_within(steps: Steps, n: u64, exponent: f64) -> Published {
    let (both, either, n) = (steps.both as f64, steps.either as f64, n as f64);
    let lower = (2.0 * both * libm::exp(-exponent) + 1.0) / n;
    Published { lower, equal: None, upper: Some((2.0 * either + 1.0) / n * libm::exp(exponent)) }
}

/// A published bound on `P(H < t)` beside the exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// The steps below t.
    pub steps: Steps,
    /// What was published.
    pub published: Published,
    /// The exact probability.
    pub exact: f64,
}

/// The published and the exact `P(H < t)` of lszhang, lshist, ehd or ehdl; `limit` as in [`Mechanism::law`].
///
/// # Errors
/// [`BoundsError`] if the mechanism is another, there are not two categories, or the law cannot be listed.
pub fn within(mechanism: &dyn Mechanism, counts: &Counts, t: f64, limit: u64) -> Result<Within, BoundsError> {
    let (setting, name) = (mechanism.setting(), mechanism.name());
    setting.check(counts)?;
    let (prior, n, epsilon) = (setting.prior(), setting.n(), setting.epsilon().to_f64());
    let steps = Steps::new(prior, counts, t)?;
    let published = match name {
        Name::Lszhang => lszhang_within(steps, epsilon),
        Name::Lshist => lshist_within(steps, epsilon),
        Name::Ehd => ehd_within(steps, n, epsilon),
        Name::Ehdl => ehdl_within(steps, n, epsilon, local(prior, counts)?),
        _ => return Err(BoundsError::Unstated { name }),
    };
    let law = mechanism.law(counts, limit)?;
    Ok(Within { steps, published, exact: probability(&law, |distance| below(distance, t)) })
}

/// The data size above which lshist is said to hit a distance of k steps more often than ehd:
/// `(2k+1) e^eps / (1 - e^(-k eps))`, infinite for k = 0 (003_726dbba4c7a48de5.txt, corollary 4.5.1).
#[must_use]
pub fn lshist_overtakes_ehd(k: u64, epsilon: f64) -> f64 {
    (2.0 * k as f64 + 1.0) * libm::exp(epsilon) / lshist_within(Steps::symmetric(k), epsilon).lower
}

/// The data size below which ehd is said to be the better one:
/// `(2k e^(-eps) + 1) / (1 - (e^(-k eps) + e^(-(k+1) eps))/2)` (corollary 4.5.2).
#[must_use]
pub fn ehd_overtakes_lshist(k: u64, epsilon: f64) -> f64 {
    let k = k as f64;
    let lshist = -0.5 * (libm::expm1(-k * epsilon) + libm::expm1(-(k + 1.0) * epsilon));
    (2.0 * k * libm::exp(-epsilon) + 1.0) / lshist
}

/// The data size above which lshist is said to stay within the local sensitivity more often than ehd:
/// `3 e^(eps/(2 GS)) / (1 - e^(-eps))`, `GS = sqrt(1 - pi/4)` (corollary 4.5.3, last line of its proof).
#[must_use]
pub fn lshist_overtakes_ehd_within_local(epsilon: f64) -> f64 {
    -3.0 * libm::exp(epsilon / (2.0 * PUBLISHED_GLOBAL)) / libm::expm1(-epsilon)
}

/// The exact size for both: the least even n from which on lshist is the better one, for balanced data, prior (1, 1) and
/// t the distance of step k+1. It is `2k+2`, the least size with that many steps, if lshist leads from the start; else ehd
/// is better, or as good, below it. None if it is above `limit`.
///
/// Found by doubling and bisection in about `2 log2(n)` laws of n+1 outcomes: ehd's probability falls with n, lshist's is
/// constant.
///
/// # Errors
/// [`BoundsError`] if the search needs more records than a setting may have.
pub fn exact_crossing(k: u64, epsilon: &Epsilon, limit: u64) -> Result<Option<u64>, BoundsError> {
    let prior = Prior::uniform(2)?;
    let lshist_leads = |half: u64| -> Result<bool, BoundsError> {
        let counts = Counts::new(vec![half, half])?;
        let t = hellinger_of_counts(&prior, &[half, half], &[half + k + 1, half - k - 1])?;
        let setting = Setting::new(prior.clone(), 2 * half, epsilon.clone())?;
        // The exact sensitivity is never refused; without it there would be nothing to compare with.
        let Ok(ehd) = ehd(setting.clone(), GlobalSensitivity::Exact) else { return Ok(true) };
        let ours = within(&lshist(setting, false), &counts, t, u64::MAX)?;
        Ok(ours.exact > within(&ehd, &counts, t, u64::MAX)?.exact)
    };
    let most = limit / 2;
    if k >= most {
        return Ok(None);
    }
    let (mut behind, mut ahead) = (k, k + 1);
    while !lshist_leads(ahead)? {
        if ahead == most {
            return Ok(None);
        }
        (behind, ahead) = (ahead, most.min(2 * ahead));
    }
    while ahead - behind > 1 {
        let middle = behind + (ahead - behind) / 2;
        if lshist_leads(middle)? {
            ahead = middle;
        } else {
            behind = middle;
        }
    }
    Ok(Some(2 * ahead))
}

/// How far a release strays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRadius {
    /// The least t with `P(H <= t) >= 1 - gamma`.
    pub radius: f64,
    /// The radius over `epsilon LS`, said to be bounded in n.
    pub ratio: f64,
}

/// The error radius of a mechanism at given counts; `gamma` is the probability of missing it, `limit` as in
/// [`Mechanism::law`] (003_726dbba4c7a48de5.txt, theorem 4.1).
///
/// There the least t with `P(H < t) >= 1 - gamma` is asked for. Distances are discrete, so there is none; this is the
/// infimum, at which the probability of "at most" is meant.
///
/// # Errors
/// [`BoundsError`] if the law cannot be listed.
pub fn error_radius(
    mechanism: &dyn Mechanism,
    counts: &Counts,
    gamma: f64,
    limit: u64,
) -> Result<ErrorRadius, BoundsError> {
    let setting = mechanism.setting();
    let law = DistanceLaw::new(&mechanism.law(counts, limit)?, setting.prior(), Metric::Hellinger)?;
    // The distance of the truth from itself may be a negative zero.
    let radius = law.quantile(1.0 - gamma).abs();
    Ok(ErrorRadius { radius, ratio: radius / (setting.epsilon().to_f64() * local(setting.prior(), counts)?) })
}

/// Whether a distance is below t, rounding aside.
fn below(distance: f64, t: f64) -> bool {
    distance < t * (1.0 - SAME)
}

fn probability(law: &OutputLaw, event: impl Fn(f64) -> bool) -> f64 {
    let hits = law.outcomes().filter(|outcome| event(outcome.distance));
    hits.map(|outcome| outcome.probability).collect::<Sum>().value()
}
