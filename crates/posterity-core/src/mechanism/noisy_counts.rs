//! Mechanisms that add noise to counts: the family of lszhang, lsdim, lshist and geometric.

use std::num::NonZeroU64;
use std::sync::Arc;

use dashu_int::IBig;

use super::{
    Description, Drawing, Form, Guarantee, Last, Likelihood, Mechanism, Parameter, ReleaseError, Space, Value,
};
use crate::confidence::Additive;
use crate::model::{Counts, Drawn, Released, Setting, SettingError};
use crate::noise::{Evidence, Factor, Noise};
use crate::pulse::beat;
use crate::sampler::{BitSource, Rate};

/// Independent whole-number noise on the counts, each clipped to `0..=n` when it is released.
#[derive(Clone, Debug)]
pub struct NoisyCounts {
    description: &'static Description,
    setting: Setting,
    noise: Arc<dyn Noise>,
    last: Last,
}

/// Cuts the counts so that they sum to n.
pub(super) const CONSISTENT: Parameter = Parameter {
    name: "consistent",
    form: Form::Flag,
    help: "Cut noisy counts so that they sum to n (geometric, lshist, lsdim)",
};

/// The parameter as it is written: there or not.
pub(super) fn consistent_arguments(consistent: bool) -> Vec<(&'static str, Value)> {
    consistent.then_some((CONSISTENT.name, Value::Flag)).into_iter().collect()
}

/// What becomes of the last count of a mechanism that may be consistent.
pub(super) fn last(consistent: bool) -> Last {
    if consistent { Last::Consistent } else { Last::Remainder }
}

/// `epsilon/divisor`, for a divisor above zero.
pub(super) fn rate_over(setting: &Setting, divisor: u64) -> Rate {
    Rate::from(setting.epsilon()).divided_by(NonZeroU64::new(divisor).unwrap_or(NonZeroU64::MIN))
}

/// `epsilon/s`, where s is the number of noised counts that one record can change.
pub(super) fn histogram_rate(setting: &Setting) -> Rate {
    rate_over(setting, if setting.k() == 2 { 1 } else { 2 })
}

impl NoisyCounts {
    pub(super) fn new(
        description: &'static Description,
        setting: Setting,
        noise: impl Noise + 'static,
        last: Last,
    ) -> Self {
        Self { description, setting, noise: Arc::new(noise), last }
    }

    /// The logarithms of the probabilities that one noisy count is clipped to 0..=n.
    fn ln_clipped(&self, count: u64) -> Vec<f64> {
        let n = self.setting.n();
        let mut law: Vec<f64> = (0..=n).map(|r| self.noise.ln_probability(difference(r, count))).collect();
        law[n as usize] = self.noise.ln_at_least(difference(n, count));
        law[0] = self.noise.ln_at_most(difference(0, count));
        law
    }

    /// How many categories carry noise of their own.
    fn noised(&self) -> usize {
        match self.last {
            Last::Noised => self.setting.k(),
            Last::Remainder | Last::Consistent => self.setting.k() - 1,
        }
    }
}

/// `r - c`; both are at most 10^12 and fit.
fn difference(r: u64, c: u64) -> i64 {
    r as i64 - c as i64
}

impl Mechanism for NoisyCounts {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::proven(&self.setting)
    }

    fn space(&self) -> Space {
        match self.last {
            Last::Noised => Space::Cube,
            Last::Remainder => Space::Remainder,
            Last::Consistent => Space::Candidates,
        }
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        self.setting.check(counts)?;
        let (k, n) = (self.setting.k(), self.setting.n());
        let truth = &counts.as_slice()[..self.noised()];
        let laws: Vec<Vec<f64>> = truth.iter().map(|&c| self.ln_clipped(c)).collect();
        let mut all = Vec::with_capacity(self.space().size(k, n) as usize);
        self.space().for_each(k, n, |released| {
            let mut left = n;
            let mut sum = 0.0;
            for (i, &count) in released[..truth.len()].iter().enumerate() {
                sum += if self.last == Last::Consistent && count == left {
                    // Cut to what is left: anything from there on. That is certain if nothing is left.
                    if left == 0 { 0.0 } else { self.noise.ln_at_least(difference(left, truth[i])) }
                } else {
                    laws[i][count as usize]
                };
                left = left.saturating_sub(count);
            }
            all.push(sum);
        });
        Ok(all)
    }

    fn drawing(&self) -> Drawing {
        Drawing::Noisy(self.last)
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.setting.check(counts)?;
        let mut left = IBig::from(self.setting.n());
        let mut drawn = Vec::with_capacity(counts.len());
        for &count in &counts.as_slice()[..self.noised()] {
            beat();
            let noisy = IBig::from(count) + self.noise.sample(bits)?;
            left -= &noisy;
            drawn.push(noisy);
        }
        if self.last != Last::Noised {
            drawn.push(left);
        }
        Ok(Drawn::of_any_size(drawn))
    }

    fn additive(&self) -> Option<Additive> {
        let remainder = (self.last != Last::Noised).then(|| self.setting.k() - 1);
        Some(Additive { noise: Arc::clone(&self.noise), remainder })
    }

    fn likelihood(&self) -> Option<&dyn Likelihood> {
        // Without n, no counts are known to sum to anything.
        (!self.setting.n_is_private()).then_some(self as &dyn Likelihood)
    }
}

impl Likelihood for NoisyCounts {
    fn evidence(&self, released: &Released) -> Evidence {
        let n = self.setting.n();
        let mut left = n;
        let mut factors = Vec::with_capacity(released.len());
        for &count in released.as_slice().iter().take(self.noised()) {
            factors.push(match self.last {
                // Cut to what is left: anything from there on. That is certain if nothing is left.
                Last::Consistent if left == 0 => Factor::Flat,
                Last::Consistent if count == left => Factor::cut(&self.noise, left),
                _ => Factor::clipped(&self.noise, count, n),
            });
            left = left.saturating_sub(count);
        }
        // A last count that is not noised is a function of the others.
        factors.resize(released.len(), Factor::Flat);
        Evidence::new(factors)
    }

    /// Floored Laplace noise says less about a count that was clipped, and all noise says less about counts that were cut to
    /// sum to n.
    fn evidence_of_draw(&self, drawn: &Drawn) -> Evidence {
        let n = self.setting.n();
        let noised = drawn.as_slice().iter().take(self.noised());
        let mut factors: Vec<Factor> = noised.map(|&at| Factor::drawn(&self.noise, at, n)).collect();
        // A last count that is not noised is a function of the others.
        factors.resize(drawn.len(), Factor::Flat);
        Evidence::new(factors)
    }
}
