//! What a release says about the true counts.

use std::sync::Arc;

use super::{FoldedNoise, Noise};

/// The likelihood of true counts given what was released, up to a constant: a product over the categories.
#[derive(Clone, Debug)]
pub struct Evidence {
    factors: Vec<Factor>,
}

/// The logarithm of the likelihood of one count. It is concave in the count, for every variant whose noise has a
/// log-concave law.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Factor {
    /// Nothing was said about this category.
    Flat,
    /// `-rate abs(c - at)`: two-sided geometric noise, or lattice noise, clipped or not.
    TwoSided {
        /// The rate.
        rate: f64,
        /// What was released.
        at: u64,
    },
    /// Floored Laplace noise, where `c + Z = at`, which may be negative.
    Floored {
        /// The rate.
        rate: f64,
        /// What was drawn.
        at: i64,
    },
    /// Any noise, where `c + Z = at`, which may be negative.
    Equal {
        /// The noise.
        noise: Arc<dyn Noise>,
        /// What was drawn.
        at: i64,
    },
    /// The noise of a sum of cells, where `c + Z = at`, which may be negative.
    Summed {
        /// The law of the sum.
        law: Arc<FoldedNoise>,
        /// What was drawn.
        at: i64,
    },
    /// Any noise, where `c + Z <= most` was raised to `most`.
    AtMost {
        /// The noise.
        noise: Arc<dyn Noise>,
        /// What it was raised to.
        most: u64,
    },
    /// Any noise, where `c + Z >= least` was cut to `least`.
    AtLeast {
        /// The noise.
        noise: Arc<dyn Noise>,
        /// What it was cut to.
        least: u64,
    },
}

impl Evidence {
    /// The evidence with one factor for each category.
    #[must_use]
    pub fn new(factors: Vec<Factor>) -> Self {
        Self { factors }
    }

    /// One factor for each category.
    #[must_use]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }
}

impl Factor {
    /// The likelihood of a count of at most n whose noisy value is `at`, as it was drawn.
    #[must_use]
    pub fn drawn(noise: &Arc<dyn Noise>, at: i64, n: u64) -> Self {
        noise.closed_factor(at, n).unwrap_or_else(|| Self::Equal { noise: Arc::clone(noise), at })
    }

    /// The likelihood of a count whose noisy value became `at` when it was clipped to `0..=n`.
    #[must_use]
    pub fn clipped(noise: &Arc<dyn Noise>, at: u64, n: u64) -> Self {
        match at {
            0 if !noise.survives_clipping() => Self::AtMost { noise: Arc::clone(noise), most: 0 },
            at if at == n && !noise.survives_clipping() => {
                Self::AtLeast { noise: Arc::clone(noise), least: n }
            }
            at => Self::drawn(noise, at as i64, n),
        }
    }

    /// The likelihood of a count whose noisy value was at least `least`.
    #[must_use]
    pub fn cut(noise: &Arc<dyn Noise>, least: u64) -> Self {
        Self::AtLeast { noise: Arc::clone(noise), least }
    }

    /// The logarithm of the likelihood of a true count, up to a constant.
    #[must_use]
    pub fn ln(&self, count: u64) -> f64 {
        // All are far below the largest i64.
        let at_least_zero = |released: u64| released as i64 - count as i64;
        match self {
            Self::Flat => 0.0,
            Self::TwoSided { rate, at } => -rate * count.abs_diff(*at) as f64,
            // z = at - c >= 0 takes z steps, and z < 0 takes -1 - z.
            Self::Floored { rate, at } if count as i64 > *at => -rate * (count as i64 - at - 1) as f64,
            Self::Floored { rate, at } => -rate * (at - count as i64) as f64,
            Self::Equal { noise, at } => noise.ln_probability(at - count as i64),
            Self::Summed { law, at } => law.ln(at - count as i64),
            Self::AtMost { noise, most } => noise.ln_at_most(at_least_zero(*most)),
            Self::AtLeast { noise, least } => noise.ln_at_least(at_least_zero(*least)),
        }
    }

    /// `ln(count + 1) - ln(count)`. Where there is a closed form, no large numbers are subtracted.
    #[must_use]
    pub fn step(&self, count: u64) -> f64 {
        match self {
            Self::Flat => 0.0,
            Self::TwoSided { rate, at } if count < *at => *rate,
            Self::Floored { rate, at } if (count as i64) < *at => *rate,
            // Of a floored Laplace variable 0 and -1 are equally likely.
            Self::Floored { at, .. } if count as i64 == *at => 0.0,
            Self::TwoSided { rate, .. } | Self::Floored { rate, .. } => -rate,
            Self::Equal { .. } | Self::Summed { .. } | Self::AtMost { .. } | Self::AtLeast { .. } => {
                self.ln(count + 1) - self.ln(count)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{FlooredLaplace, TwoSidedGeometric};
    use crate::sampler::Rate;

    /// If this fails, what a draw says about a count is not the law of the noise, inside of `0..=n` or outside.
    #[test]
    fn draws_say_what_the_law_says() {
        let rate = || Rate::new("3/4".parse().expect("a fraction")).expect("positive");
        let all: [Arc<dyn Noise>; 2] =
            [Arc::new(TwoSidedGeometric::new(rate())), Arc::new(FlooredLaplace::new(rate()))];
        for noise in all {
            for at in [-40, -2, -1, 0, 1, 4, 8, 9, 10, 60] {
                let factor = Factor::drawn(&noise, at, 9);
                for count in 0..9_u64 {
                    let law = |count: u64| noise.ln_probability(at - count as i64);
                    let expected = law(count + 1) - law(count);
                    assert!((factor.step(count) - expected).abs() < 1e-12, "{noise:?} {at} {count}");
                    let difference = factor.ln(count + 1) - factor.ln(count);
                    assert!((difference - expected).abs() < 1e-12, "{noise:?} {at} {count}");
                }
            }
        }
    }

    /// The closed forms agree with the law of the noise up to a constant, at the ends and between them.
    #[test]
    fn closed_forms_agree_with_the_law() {
        let rate = || Rate::new("3/4".parse().expect("a fraction")).expect("positive");
        let all: [Arc<dyn Noise>; 2] =
            [Arc::new(TwoSidedGeometric::new(rate())), Arc::new(FlooredLaplace::new(rate()))];
        for noise in all {
            for at in [0, 4, 9] {
                let factor = Factor::clipped(&noise, at, 9);
                let law = |count: u64| match at {
                    0 => noise.ln_at_most(-(count as i64)),
                    9 => noise.ln_at_least(9 - count as i64),
                    at => noise.ln_probability(at as i64 - count as i64),
                };
                for count in 0..9 {
                    let expected = law(count + 1) - law(count);
                    assert!((factor.step(count) - expected).abs() < 1e-12, "{noise:?} {at} {count}");
                    let difference = factor.ln(count + 1) - factor.ln(count);
                    assert!((difference - expected).abs() < 1e-12, "{noise:?} {at} {count}");
                }
            }
        }
    }
}
