//! Mechanisms that add noise to counts: the family of lszhang, lsdim, lshist and geometric.

use dashu_int::IBig;

use super::law::{for_each_candidate, for_each_in_cube};
use super::{Guarantee, LawError, Mechanism, Name, OutputLaw, ReleaseError};
use crate::distance::{Pair, cost, from_cost};
use crate::model::{Counts, Setting};
use crate::sampler::{BitSource, FlooredLaplace, SourceError, TwoSidedGeometric};
use crate::special::Sum;

/// Independent whole-number noise on the counts, each clipped to `0..=n`.
#[derive(Clone, Debug)]
pub struct NoisyCounts {
    name: Name,
    setting: Setting,
    noise: Noise,
    last: Last,
}

/// What becomes of the last count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// It is noised like the others.
    Noised,
    /// It is what the others leave of n, or zero: the counts may sum to more than n.
    Remainder,
    /// As [`Last::Remainder`], but each of the others is first cut to what those before it leave of n, so that the
    /// counts always sum to n.
    Consistent,
}

/// Whole-number noise.
#[derive(Clone, Debug)]
pub(crate) enum Noise {
    FlooredLaplace(FlooredLaplace),
    TwoSidedGeometric(TwoSidedGeometric),
}

impl Noise {
    fn sample(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError> {
        match self {
            Self::FlooredLaplace(noise) => noise.sample(bits),
            Self::TwoSidedGeometric(noise) => noise.sample(bits),
        }
    }

    fn probability(&self, z: i64) -> f64 {
        match self {
            Self::FlooredLaplace(noise) => noise.probability(z),
            Self::TwoSidedGeometric(noise) => noise.probability(z),
        }
    }

    fn at_least(&self, z: i64) -> f64 {
        match self {
            Self::FlooredLaplace(noise) => noise.at_least(z),
            Self::TwoSidedGeometric(noise) => noise.at_least(z),
        }
    }

    fn at_most(&self, z: i64) -> f64 {
        match self {
            Self::FlooredLaplace(noise) => noise.at_most(z),
            Self::TwoSidedGeometric(noise) => noise.at_most(z),
        }
    }
}

impl NoisyCounts {
    pub(crate) fn new(name: Name, setting: Setting, noise: Noise, last: Last) -> Self {
        Self { name, setting, noise, last }
    }

    /// The law of one clipped noisy count: the probabilities of 0..=n.
    fn clipped_law(&self, count: u64) -> Vec<f64> {
        let n = self.setting.n();
        // All numbers are at most 10^12 and fit.
        let shift = |r: u64| r as i64 - count as i64;
        let mut law: Vec<f64> = (0..=n).map(|r| self.noise.probability(shift(r))).collect();
        law[n as usize] = self.noise.at_least(shift(n));
        law[0] = self.noise.at_most(shift(0));
        law
    }

    /// How many categories carry noise of their own.
    fn noised(&self) -> usize {
        match self.last {
            Last::Noised => self.setting.k(),
            Last::Remainder | Last::Consistent => self.setting.k() - 1,
        }
    }

    /// The number of outcomes, as far as floating point can say.
    fn outcomes(&self) -> f64 {
        let n = self.setting.n() as f64;
        match self.last {
            Last::Consistent => libm::exp(crate::sampler::ln_candidates(self.setting.k(), self.setting.n())),
            Last::Noised | Last::Remainder => libm::pow(n + 1.0, self.noised() as f64),
        }
    }
}

impl Mechanism for NoisyCounts {
    fn name(&self) -> Name {
        self.name
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Pure { epsilon: self.setting.epsilon().clone() }
    }

    fn law(&self, counts: &Counts, limit: u64) -> Result<OutputLaw, LawError> {
        self.setting.check(counts)?;
        let outcomes = self.outcomes();
        if outcomes > limit as f64 {
            return Err(LawError::TooLarge { outcomes, limit });
        }
        let (k, n, truth) = (self.setting.k(), self.setting.n(), counts.as_slice());
        let alpha = self.setting.prior().parameters();
        let laws: Vec<Vec<f64>> = truth[..self.noised()].iter().map(|&c| self.clipped_law(c)).collect();
        let distance = |released: &[u64]| {
            let categories = alpha.iter().zip(truth.iter().zip(released));
            from_cost(cost(categories.map(|(&alpha, (&c, &r))| Pair::of_counts(alpha, c, r))))
        };
        let mut law = OutputLaw::with_capacity(truth, outcomes as usize);
        if self.last == Last::Consistent {
            // P(count >= r) for each r, to be used where a count is cut to what is left.
            let tails: Vec<Vec<f64>> = laws.iter().map(|law| tails(law)).collect();
            for_each_candidate(k, n, |released| {
                let mut left = n;
                let mut probability = 1.0;
                for (i, &count) in released[..k - 1].iter().enumerate() {
                    probability *=
                        if count < left { laws[i][count as usize] } else { tails[i][left as usize] };
                    left -= count;
                }
                law.push(released, probability, distance(released));
            });
        } else {
            let mut released = vec![0; k];
            for_each_in_cube(self.noised(), n, |noised| {
                let probability = noised.iter().zip(&laws).map(|(&count, law)| law[count as usize]).product();
                released[..noised.len()].copy_from_slice(noised);
                if self.last == Last::Remainder {
                    released[k - 1] = n.saturating_sub(noised.iter().sum());
                }
                law.push(&released, probability, distance(&released));
            });
        }
        Ok(law)
    }

    fn release(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Vec<u64>, ReleaseError> {
        self.setting.check(counts)?;
        let n = self.setting.n();
        let mut left = n;
        let mut released = Vec::with_capacity(counts.len());
        for &count in &counts.as_slice()[..self.noised()] {
            let noisy = clip(IBig::from(count) + self.noise.sample(bits)?, n);
            let kept = if self.last == Last::Consistent { noisy.min(left) } else { noisy };
            left = left.saturating_sub(kept);
            released.push(kept);
        }
        if self.last != Last::Noised {
            released.push(left);
        }
        Ok(released)
    }
}

/// The nearest number in `0..=n`.
fn clip(value: IBig, n: u64) -> u64 {
    if value <= IBig::ZERO { 0 } else { u64::try_from(value).map_or(n, |value| value.min(n)) }
}

fn tails(law: &[f64]) -> Vec<f64> {
    let mut sum = Sum::default();
    let mut tails: Vec<f64> = law
        .iter()
        .rev()
        .map(|&probability| {
            sum.add(probability);
            sum.value()
        })
        .collect();
    tails.reverse();
    tails
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_numbers_of_any_size() {
        let huge = IBig::from(1) << 200;
        for (value, clipped) in
            [(huge.clone(), 7), (-huge, 0), (IBig::from(3), 3), (IBig::from(-1), 0), (IBig::from(8), 7)]
        {
            assert_eq!(clip(value, 7), clipped);
        }
    }
}
