//! Bayes' rule over the list of all data sets.

use super::{DISTANCE_ERROR, Normalisers};
use crate::distance::{Pair, ln_bc};
use crate::mechanism::{Space, costs, reach};
use crate::model::{Released, Setting};
use crate::noise_aware::{NoiseAware, NoiseAwareError, Points};
use crate::parallelism::Parallelism;
use crate::sampler::RoundedScore;
use crate::special::Sum;

/// Data sets are not listed if all of them together are less likely than this.
const LEFT_OUT_PROBABILITY: f64 = 1e-20;

/// Rounding errors of a logarithm of the prior are at most this part of it.
const LN_PRIOR_ROUNDING: f64 = 1.0 / (1_u64 << 50) as f64;

impl Normalisers {
    /// The posterior given a release: `p(c | r) ~ P(c) exp(-scale(c) score(c, r)) / Z(c)`, where P is the
    /// prior-predictive law.
    ///
    /// # Errors
    /// [`NoiseAwareError`] if the release is not one of this setting, or the posterior is not known precisely enough.
    pub(crate) fn posterior(
        &self,
        setting: &Setting,
        released: &Released,
    ) -> Result<NoiseAware, NoiseAwareError> {
        let (k, n, released) = (setting.k(), setting.n(), released.as_slice());
        if released.len() != k {
            return Err(NoiseAwareError::Categories { expected: k, found: released.len() });
        }
        let found = released.iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
        if found != n {
            return Err(NoiseAwareError::Total { expected: n, found });
        }
        let scores = scores(setting, released);
        let (mut counts, mut priors) =
            (Vec::with_capacity(scores.len() * k), Vec::with_capacity(scores.len()));
        let alpha = setting.prior().parameters();
        let tables =
            Parallelism::AllCores.map(alpha.iter().zip(released), |(&alpha, &at)| ln_prior(alpha, at, n));
        Space::Candidates.for_each(k, n, |data| {
            counts.extend_from_slice(data);
            let parts = data.iter().zip(&tables).map(|(&c, table)| table[c as usize]);
            priors.push(parts.sum::<f64>());
        });
        let logs = Parallelism::AllCores.map(0..scores.len(), |index| {
            priors[index] - self.scales[index] * scores[index] - self.ln_totals[index]
        });
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = Parallelism::AllCores.map(&logs, |ln| libm::exp(ln - largest));
        let total = weights.iter().copied().collect::<Sum>().value();
        let error_at = |index: usize| {
            // The data set that was released has the score zero, whatever the rounding. A normaliser near one is hardly
            // changed.
            let here = if scores[index] == 0.0 { 0.0 } else { 1.0 };
            let there = if self.ln_totals[index] < 0.5 { libm::expm1(self.ln_totals[index]) } else { 1.0 };
            let distance = self.scales[index] * DISTANCE_ERROR * (here + there);
            // The parts of the prior's logarithm may cancel each other.
            let parts = counts[index * k..(index + 1) * k].iter().zip(&tables);
            let prior: f64 = parts.map(|(&c, table)| table[c as usize].abs()).sum();
            distance + LN_PRIOR_ROUNDING * (prior + self.ln_totals[index])
        };
        // A sum of positive numbers, so its own rounding does not matter.
        let error: f64 = weights.iter().enumerate().map(|(index, weight)| weight * error_at(index)).sum();
        let error = 2.0 * (self.error + error / total) + 2.0 * LEFT_OUT_PROBABILITY;
        let least = LEFT_OUT_PROBABILITY * total / weights.len() as f64;
        let mut kept = Vec::with_capacity(weights.len());
        let mut place = 0;
        for (index, &weight) in weights.iter().enumerate() {
            if weight > least {
                counts.copy_within(index * k..(index + 1) * k, place * k);
                kept.push(weight);
                place += 1;
            }
        }
        counts.truncate(place * k);
        if kept.is_empty() {
            return Err(NoiseAwareError::Imprecise { error: f64::NAN });
        }
        NoiseAware::of_points(setting, Points::new(k, counts, kept), error)
    }
}

/// `ln(Gamma(alpha + c)/c!)` of all counts c of a category, less its value at one of them. The steps are all of one
/// sign.
fn ln_prior(alpha: f64, at: u64, n: u64) -> Vec<f64> {
    let step = |c: u64| {
        if c == 0 { libm::log(alpha) } else { libm::log1p((alpha - 1.0) / (c as f64 + 1.0)) }
    };
    let mut table = vec![0.0; n as usize + 1];
    let mut sum = Sum::default();
    for c in at..n {
        sum.add(step(c));
        table[c as usize + 1] = sum.value();
    }
    sum = Sum::default();
    for c in (0..at).rev() {
        sum.add(-step(c));
        table[c as usize] = sum.value();
    }
    table
}

/// The scores of the release under all data sets. The score is symmetric.
fn scores(setting: &Setting, released: &[u64]) -> Vec<f64> {
    let (k, n, alpha) = (setting.k(), setting.n(), setting.prior().parameters());
    if let (&[first, second], &[r, other]) = (alpha, released) {
        // Beyond the reach every score is one (docs/proofs/audit.md, lemma 1 and 2).
        let mut all = vec![1.0; n as usize + 1];
        let reach = reach(setting.prior(), n);
        let start = r.saturating_sub(reach);
        let near = Parallelism::AllCores.map(start..=r.saturating_add(reach).min(n), |c| {
            let pairs = [Pair::of_counts(first, c, r), Pair::of_counts(second, n - c, other)];
            RoundedScore::from_costs(pairs.into_iter().map(|pair| -ln_bc(pair))).distance()
        });
        all[start as usize..start as usize + near.len()].copy_from_slice(&near);
        return all;
    }
    let tables: Vec<Vec<f64>> = alpha.iter().zip(released).map(|(&alpha, &r)| costs(alpha, r, n)).collect();
    let mut all = Vec::with_capacity(Space::Candidates.size(k, n) as usize);
    Space::Candidates.for_each(k, n, |data| {
        let parts = data.iter().zip(&tables).map(|(&c, costs)| costs[c as usize]);
        all.push(RoundedScore::from_costs(parts).distance());
    });
    all
}
