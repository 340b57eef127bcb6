//! What a release says about the true counts.

use crate::sampler::{FlooredLaplace, TwoSidedGeometric};

/// The likelihood of true counts given what was released, up to a constant: a product over the categories.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    factors: Vec<Factor>,
}

/// The logarithm of the likelihood of one count. It is concave in the count, for every variant.
#[derive(Clone, Debug, PartialEq)]
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
    /// Floored Laplace noise, where `c + Z = at`.
    Floored {
        /// The rate.
        rate: f64,
        /// What was released.
        at: u64,
    },
    /// Floored Laplace noise, where `c + Z <= 0` was clipped to 0.
    FlooredToZero {
        /// The noise.
        noise: FlooredLaplace,
    },
    /// Floored Laplace noise, where `c + Z >= least` was cut to `least`.
    FlooredAtLeast {
        /// The noise.
        noise: FlooredLaplace,
        /// What it was cut to.
        least: u64,
    },
    /// Two-sided geometric noise, where `c + Z >= least` was cut to `least`.
    TwoSidedAtLeast {
        /// The noise.
        noise: TwoSidedGeometric,
        /// What it was cut to.
        least: u64,
    },
}

impl Evidence {
    pub(crate) fn new(factors: Vec<Factor>) -> Self {
        Self { factors }
    }

    /// One factor for each category.
    #[must_use]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }
}

impl Factor {
    /// The logarithm of the likelihood of a true count, up to a constant.
    #[must_use]
    pub fn ln(&self, count: u64) -> f64 {
        match self {
            Self::Flat => 0.0,
            Self::TwoSided { rate, at } => -rate * count.abs_diff(*at) as f64,
            // z = at - c >= 0 takes z steps, and z < 0 takes -1 - z.
            Self::Floored { rate, at } if count > *at => -rate * (count - at - 1) as f64,
            Self::Floored { rate, at } => -rate * (at - count) as f64,
            Self::FlooredToZero { noise } => noise.ln_at_most(-(count as i64)),
            Self::FlooredAtLeast { noise, least } => noise.ln_at_least(*least as i64 - count as i64),
            Self::TwoSidedAtLeast { noise, least } => noise.ln_at_least(*least as i64 - count as i64),
        }
    }
    /// `ln(count + 1) - ln(count)`, without the difference of large numbers.
    #[must_use]
    pub fn step(&self, count: u64) -> f64 {
        match self {
            Self::Flat => 0.0,
            Self::TwoSided { rate, at } | Self::Floored { rate, at } if count < *at => *rate,
            // Of a floored Laplace variable 0 and -1 are equally likely.
            Self::Floored { at, .. } if count == *at => 0.0,
            Self::TwoSided { rate, .. } | Self::Floored { rate, .. } => -rate,
            Self::FlooredToZero { .. } | Self::FlooredAtLeast { .. } | Self::TwoSidedAtLeast { .. } => {
                self.ln(count + 1) - self.ln(count)
            }
        }
    }
}
