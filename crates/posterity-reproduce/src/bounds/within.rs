//! Published bounds on `P(H < t)`, the probability that a release is nearer than t.

use posterity_core::distance::{LengthError, hellinger_of_counts};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::{Counts, Prior};
use posterity_core::sensitivity::local;

use super::error::BoundsError;
use super::event::{below, probability};

/// How many steps from the truth stay below a distance t.
///
/// The research has one number k, "the largest". The two sides of the truth differ unless data and prior are balanced,
/// so there are two: a lower bound may count only what lies on both sides, an upper bound must count what lies on
/// either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepCount {
    /// The largest j such that the candidates j steps away exist on both sides and are nearer than t.
    pub both: u64,
    /// The largest j such that one of them exists and is nearer than t.
    pub either: u64,
}

impl StepCount {
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
pub struct PublishedBound {
    /// The lower bound.
    pub lower: f64,
    /// The value said to be equal, for the Laplace mechanisms.
    pub equal: Option<f64>,
    /// The upper bound, for the exponential mechanisms.
    pub upper: Option<f64>,
}

/// The bound for lszhang: `(1 - (e^(-k eps/2) + e^(-(k+1) eps/2))/2)^2 >= (1 - e^(-k eps/2))^2`. The noise has scale
/// `4/eps`, so the exponents should be halved; even then the event is larger than "both counts within k steps".
#[must_use]
pub fn lszhang_within(steps: StepCount, epsilon: f64) -> PublishedBound {
    let one = lshist_within(steps, epsilon / 2.0);
    PublishedBound { lower: one.lower * one.lower, equal: one.equal.map(|value| value * value), upper: None }
}

/// The bound for lshist: `1 - (e^(-k eps) + e^(-(k+1) eps))/2 >= 1 - e^(-k eps)`. The first is exact if the two
/// sides agree and no noise is clipped into the event, and a lower bound in any case.
#[must_use]
pub fn lshist_within(steps: StepCount, epsilon: f64) -> PublishedBound {
    let k = steps.both as f64;
    let lower = -libm::expm1(-k * epsilon);
    let equal = 0.5 * (lower - libm::expm1(-(k + 1.0) * epsilon));
    PublishedBound { lower, equal: Some(equal), upper: None }
}

/// The bounds for ehd: from `(2k e^(-eps) + 1)/n` to `(2k+1)/(n e^(-eps))`. There are n+1 candidates, not n, and
/// the second takes `e^(-eps)` for the smaller `e^(-eps/(2 GS))`.
#[must_use]
pub fn ehd_within(steps: StepCount, n: u64, epsilon: f64) -> PublishedBound {
    exponential_within(steps, n, epsilon)
}

/// The bounds for ehdl: from `(2k e^(-eps/(2 LS)) + 1)/n` to `(2k+1)/(n e^(-eps/(2 LS)))`.
#[must_use]
pub fn ehdl_within(steps: StepCount, n: u64, epsilon: f64, local_sensitivity: f64) -> PublishedBound {
    exponential_within(steps, n, epsilon / (2.0 * local_sensitivity))
}

fn exponential_within(steps: StepCount, n: u64, exponent: f64) -> PublishedBound {
    let (both, either, n) = (steps.both as f64, steps.either as f64, n as f64);
    let lower = (2.0 * both * libm::exp(-exponent) + 1.0) / n;
    PublishedBound { lower, equal: None, upper: Some((2.0 * either + 1.0) / n * libm::exp(exponent)) }
}

/// A published bound on `P(H < t)` beside the exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// The steps below t.
    pub steps: StepCount,
    /// What was published.
    pub published: PublishedBound,
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
    let steps = StepCount::new(prior, counts, t)?;
    let published = match name {
        "lszhang" => lszhang_within(steps, epsilon),
        "lshist" => lshist_within(steps, epsilon),
        "ehd" => ehd_within(steps, n, epsilon),
        "ehdl" => ehdl_within(steps, n, epsilon, local(prior, counts)?),
        _ => return Err(BoundsError::Unstated { name }),
    };
    let law = mechanism.law(counts, limit)?;
    Ok(Within { steps, published, exact: probability(&law, |distance| below(distance, t)) })
}
