//! The posterior of the shares of several groups, where their counts are known with normal noise that is correlated.

use super::bell::{Bell, first_fall, ln_prior};
use crate::parallelism::Parallelism;
use crate::sampler::{BitSource, SeededBits, SourceError, unchecked_dirichlet, uniform_unit};

/// How many chains there are. Their differences say how far off a result may be.
pub const CHAINS: u64 = 64;

/// How many sweeps a chain makes before its draws count.
const UNCOUNTED: usize = 64;

/// How many draws a chain has, of few groups and of many.
const DRAWS: [usize; 2] = [512, 128];

/// The product of groups and draws of a chain, between these limits.
const WORK: usize = 4096;

/// More records than there can be.
const UNLIMITED: f64 = 4_503_599_627_370_496.0;

/// What is known of some groups that have no record in common: their counts with correlated normal noise, and their
/// prior.
#[derive(Clone, Debug)]
pub struct NoisyGroups {
    /// The counts with their noise.
    estimates: Vec<f64>,
    /// The inverse of the covariance of the noise, row by row.
    precision: Vec<f64>,
    /// The parameters of the Dirichlet prior.
    prior: Vec<f64>,
    total: Total,
}

/// What is known of how many records there are.
#[derive(Clone, Debug, PartialEq)]
pub enum Total {
    /// The number is known, and the records that are in no group have a prior parameter too.
    Known {
        /// How many there are.
        records: u64,
        /// The parameter of those that are in no group.
        rest: f64,
    },
    /// Nothing: for the groups of each condition, every number of records is as likely as any other, and the Dirichlet
    /// prior is that within it.
    Unknown {
        /// The condition of each group, from 0 on.
        conditions: Vec<usize>,
    },
}

/// One draw from the posterior.
#[derive(Clone, Debug)]
pub struct GroupDraw {
    /// The shares of the groups, and of what is in none if the total is known. If it is not, only their ratios within a
    /// condition mean something.
    pub shares: Vec<f64>,
    /// The prior parameters plus the counts: the shares are drawn from this Dirichlet distribution.
    pub parameters: Vec<f64>,
}

impl NoisyGroups {
    /// Groups with their estimates, the covariance of the noise (row by row), and a prior. None if the covariance is not
    /// positive definite, a parameter is below one, or the numbers of groups differ.
    #[must_use]
    pub fn new(estimates: Vec<f64>, covariance: &[f64], prior: Vec<f64>, total: Total) -> Option<Self> {
        let groups = estimates.len();
        let rest = match &total {
            Total::Known { rest, .. } => *rest,
            Total::Unknown { conditions } => f64::from(u8::from(conditions.len() == groups)),
        };
        let parameters = prior.iter().chain([&rest]).all(|&one| one >= 1.0 && one.is_finite());
        let fits = prior.len() == groups && covariance.len() == groups * groups;
        let finite = estimates.iter().all(|estimate| estimate.is_finite());
        if !(parameters && fits && finite) {
            return None;
        }
        Some(Self { precision: inverse(covariance, groups)?, estimates, prior, total })
    }

    /// Applies `one` to draws from the posterior (docs/proofs/residuals.md, theorem 10). Each of the [`CHAINS`] lists is a
    /// chain of draws that depend on each other a little; the chains are independent. The result depends on the seed
    /// only.
    ///
    /// ```
    /// use posterity_core::noise_aware::{NoisyGroups, Total};
    /// // Of 100 records, about 20 and about 30 are in two groups, and the rest in none.
    /// let total = Total::Known { records: 100, rest: 1.0 };
    /// let groups = NoisyGroups::new(vec![20.0, 30.0], &[4.0, 1.0, 1.0, 4.0], vec![1.0, 1.0], total).expect("noise");
    /// let chains = groups.chains(1, |draw| draw.shares[1] - draw.shares[0]);
    /// let larger = chains.iter().flatten().filter(|&&difference| difference > 0.0).count() as f64;
    /// assert!(larger / chains.iter().flatten().count() as f64 > 0.85);
    /// ```
    pub fn chains<T: Send>(&self, seed: u64, one: impl Fn(&GroupDraw) -> T + Sync + Send) -> Vec<Vec<T>> {
        Parallelism::AllCores.map(0..CHAINS, |chain| {
            let mut bits = SeededBits::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(chain));
            // A seeded source does not fail.
            self.chain(&mut bits, &one).unwrap_or_default()
        })
    }

    fn chain<T>(
        &self,
        bits: &mut dyn BitSource,
        one: &impl Fn(&GroupDraw) -> T,
    ) -> Result<Vec<T>, SourceError> {
        let mut chain = Chain::new(self);
        for _ in 0..UNCOUNTED {
            chain.sweep(bits)?;
        }
        let [few, many] = DRAWS;
        let draws = (WORK / self.estimates.len().max(1)).clamp(many, few);
        let mut found = Vec::with_capacity(draws);
        for _ in 0..draws {
            chain.sweep(bits)?;
            let parameters = chain.parameters();
            let shares = unchecked_dirichlet(&parameters, bits)?;
            found.push(one(&GroupDraw { shares, parameters }));
        }
        Ok(found)
    }

    fn precision(&self, row: usize, column: usize) -> f64 {
        self.precision[row * self.estimates.len() + column]
    }

    /// Whether records may move from one group to the other without a change of any total.
    fn exchange(&self, a: usize, b: usize) -> bool {
        match &self.total {
            Total::Known { .. } => true,
            Total::Unknown { conditions } => conditions[a] == conditions[b],
        }
    }
}

/// The standard error of the mean of independent numbers, one for each chain.
#[must_use]
pub fn chain_error(means: &[f64]) -> f64 {
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let squares = means.iter().map(|one| (one - mean) * (one - mean)).sum::<f64>();
    libm::sqrt(squares / (count * (count - 1.0)))
}

/// A chain whose law tends to the posterior of the counts: each step draws how some records are divided, given all else
/// (Gibbs sampling).
struct Chain<'a> {
    of: &'a NoisyGroups,
    counts: Vec<f64>,
    /// How many are in no group.
    rest: f64,
    /// The precision times what the noise would be.
    pull: Vec<f64>,
}

impl<'a> Chain<'a> {
    /// Begins at the estimates, cut to what is possible.
    fn new(of: &'a NoisyGroups) -> Self {
        let positive = of.estimates.iter().map(|estimate| estimate.max(0.0));
        let sum: f64 = positive.clone().sum();
        let records = match of.total {
            Total::Known { records, .. } => records as f64,
            Total::Unknown { .. } => UNLIMITED,
        };
        let scale = if sum > records { records / sum } else { 1.0 };
        let counts: Vec<f64> = positive.map(|estimate| libm::floor(scale * estimate)).collect();
        let rest = (records - counts.iter().sum::<f64>()).max(0.0);
        let pull = vec![0.0; counts.len()];
        Self { of, counts, rest, pull }
    }

    fn parameters(&self) -> Vec<f64> {
        let groups = self.of.prior.iter().zip(&self.counts).map(|(prior, count)| prior + count);
        let rest = match self.of.total {
            Total::Known { rest, .. } => Some(rest + self.rest),
            Total::Unknown { .. } => None,
        };
        groups.chain(rest).collect()
    }

    fn sweep(&mut self, bits: &mut dyn BitSource) -> Result<(), SourceError> {
        let groups = self.counts.len();
        // Computed anew, so that rounding does not add up.
        for row in 0..groups {
            let away = |column: usize| self.of.estimates[column] - self.counts[column];
            self.pull[row] = (0..groups).map(|column| self.of.precision(row, column) * away(column)).sum();
        }
        for group in 0..groups {
            self.resize(group, bits)?;
            if groups > 1 {
                let step = (uniform_unit(bits)? * (groups - 1) as f64) as usize;
                let other = (group + 1 + step) % groups;
                if self.of.exchange(group, other) {
                    self.divide(group, other, bits)?;
                }
            }
        }
        Ok(())
    }

    /// Draws the count of a group given those of all others.
    fn resize(&mut self, group: usize, bits: &mut dyn BitSource) -> Result<(), SourceError> {
        let precision = self.of.precision(group, group);
        let (before, alpha) = (self.counts[group], self.of.prior[group]);
        let (middle, variance) = (before + self.pull[group] / precision, 1.0 / precision);
        let after = match &self.of.total {
            Total::Known { rest, .. } => {
                Bell { alpha, others: *rest, total: before + self.rest, middle, variance }.draw(bits)?
            }
            Total::Unknown { conditions } => {
                let of_condition = |values: &[f64]| -> f64 {
                    let inside = values.iter().zip(conditions).filter(|(_, one)| **one == conditions[group]);
                    inside.map(|(value, _)| value).sum()
                };
                let (sum, beside) = (of_condition(&self.of.prior), of_condition(&self.counts) - before);
                let bell = Bell { alpha, others: 1.0, total: UNLIMITED, middle, variance };
                unlimited(&bell, sum, beside, before, bits)?
            }
        };
        self.rest -= after - before;
        self.shift(group, after - before);
        Ok(())
    }

    /// Draws how the records of two groups are divided between them.
    fn divide(&mut self, group: usize, other: usize, bits: &mut dyn BitSource) -> Result<(), SourceError> {
        let p = |a, b| self.of.precision(a, b);
        let precision = p(group, group) + p(other, other) - 2.0 * p(group, other);
        let before = self.counts[group];
        let bell = Bell {
            alpha: self.of.prior[group],
            others: self.of.prior[other],
            total: before + self.counts[other],
            middle: before + (self.pull[group] - self.pull[other]) / precision,
            variance: 1.0 / precision,
        };
        let more = bell.draw(bits)? - before;
        self.shift(group, more);
        self.shift(other, -more);
        Ok(())
    }

    fn shift(&mut self, group: usize, more: f64) {
        self.counts[group] += more;
        for row in 0..self.pull.len() {
            self.pull[row] -= more * self.of.precision(row, group);
        }
    }
}

/// One step where the number of records is not known: the weights of the bell are divided by `G_t(x + beside)`, with the
/// sum t of the parameters of the condition. A draw of the bell, tilted by the slope of that at the likeliest count, is
/// taken or not (Hastings 1970), so the law of the chain is exact although these weights are not concave.
fn unlimited(
    bell: &Bell,
    sum: f64,
    beside: f64,
    before: f64,
    bits: &mut dyn BitSource,
) -> Result<f64, SourceError> {
    let growth = |x: f64| libm::log((sum + x + beside) / (x + beside + 1.0));
    let tilt = growth(first_fall(bell.bracket(), |x| bell.ln_ratio(x) - growth(x)));
    let after = Bell { middle: bell.middle - tilt * bell.variance, ..*bell }.draw(bits)?;
    let left_out = |x: f64| tilt * x - ln_prior(sum, x + beside);
    let taken = libm::log(uniform_unit(bits)?) <= left_out(after) - left_out(before);
    Ok(if taken { after } else { before })
}

/// The inverse of a symmetric matrix, if it is positive definite (Cholesky). Rounding must not make noise of nothing.
fn inverse(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let mut root = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let sum: f64 = (0..column).map(|k| root[row * size + k] * root[column * size + k]).sum();
            let left = matrix[row * size + column] - sum;
            if row > column {
                root[row * size + column] = left / root[column * size + column];
            } else if left > 1e-9 * matrix[row * size + row] && left.is_finite() {
                root[row * size + row] = libm::sqrt(left);
            } else {
                return None;
            }
        }
    }
    let mut inverse = vec![0.0; size * size];
    for column in 0..size {
        // The column of the identity, divided by the root and then by its transpose.
        let mut x: Vec<f64> = (0..size).map(|row| f64::from(u8::from(row == column))).collect();
        for row in 0..size {
            let sum: f64 = (0..row).map(|k| root[row * size + k] * x[k]).sum();
            x[row] = (x[row] - sum) / root[row * size + row];
        }
        for row in (0..size).rev() {
            let sum: f64 = (row + 1..size).map(|k| root[k * size + row] * x[k]).sum();
            x[row] = (x[row] - sum) / root[row * size + row];
        }
        (0..size).for_each(|row| inverse[row * size + column] = x[row]);
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::beta::cdf;
    use crate::special::ln_gamma_over_factorial;

    const NOISE: [f64; 9] = [9.0, -3.0, 1.0, -3.0, 12.0, -2.0, 1.0, -2.0, 7.0];

    /// The weight of some counts, from the formula of the theorem.
    fn weight(groups: &NoisyGroups, counts: &[u64]) -> f64 {
        let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let away: Vec<f64> = groups.estimates.iter().zip(&counts).map(|(a, b)| a - b).collect();
        let mut ln = 0.0;
        for row in 0..counts.len() {
            ln += ln_gamma_over_factorial(groups.prior[row], counts[row]);
            ln -= (0..counts.len())
                .map(|column| 0.5 * away[row] * groups.precision(row, column) * away[column])
                .sum::<f64>();
        }
        match &groups.total {
            Total::Known { records, rest } => {
                ln += ln_gamma_over_factorial(*rest, *records as f64 - counts.iter().sum::<f64>());
            }
            Total::Unknown { conditions } => {
                for condition in 0..2 {
                    let inside = (0..counts.len()).filter(|&group| conditions[group] == condition);
                    let (t, d) = inside.fold((0.0, 0.0), |(t, d), k| (t + groups.prior[k], d + counts[k]));
                    ln -= if t > 0.0 { ln_gamma_over_factorial(t, d) } else { 0.0 };
                }
            }
        }
        libm::exp(ln)
    }

    /// The probability that the share of the first group within the first two is at most x, from all counts.
    fn by_force(groups: &NoisyGroups, x: f64) -> f64 {
        let (mut whole, mut below) = (0.0, 0.0);
        let most = if let Total::Known { records, .. } = groups.total { records } else { 60 };
        for a in 0..=most {
            for b in 0..=most {
                for c in 0..=most {
                    if matches!(groups.total, Total::Known { .. }) && a + b + c > most {
                        continue;
                    }
                    let weight = weight(groups, &[a, b, c]);
                    whole += weight;
                    below += weight * cdf(x, groups.prior[0] + a as f64, groups.prior[1] + b as f64);
                }
            }
        }
        below / whole
    }

    /// If this fails, credible intervals of means and comparisons have another probability than they say. Deviations of
    /// 5.5 standard errors over 63 degrees of freedom have a chance below 1e-6; there are 25.
    #[test]
    fn chains_have_the_law_of_all_counts() {
        let known = |records, rest| Total::Known { records, rest };
        let unknown = |conditions: [usize; 3]| Total::Unknown { conditions: conditions.to_vec() };
        for (estimates, prior, total) in [
            ([7.2, 11.0, 4.1], [1.0, 1.0, 1.0], known(30, 1.0)),
            ([-4.0, 2.0, 33.0], [2.0, 1.0, 3.0], known(30, 4.0)),
            ([0.5, -1.0, -2.0], [1.0, 4.0, 1.0], known(30, 2.0)),
            ([7.2, 11.0, 4.1], [1.0, 2.0, 2.0], unknown([0, 0, 0])),
            ([3.0, 1.0, 14.0], [1.0, 3.0, 1.0], unknown([0, 0, 1])),
        ] {
            let groups = NoisyGroups::new(estimates.to_vec(), &NOISE, prior.to_vec(), total).expect("noise");
            let share = |draw: &GroupDraw| draw.shares[0] / (draw.shares[0] + draw.shares[1]);
            let chains = groups.chains(9, share);
            for x in [0.1, 0.25, 0.4, 0.5, 0.7] {
                let below = |chain: &Vec<f64>| {
                    chain.iter().filter(|&&share| share <= x).count() as f64 / chain.len() as f64
                };
                let means: Vec<f64> = chains.iter().map(below).collect();
                let found = means.iter().sum::<f64>() / means.len() as f64;
                let (truth, error) = (by_force(&groups, x), chain_error(&means));
                assert!(error < 0.01, "{error}");
                assert!(
                    (found - truth).abs() < 5.5 * error + 1e-4,
                    "{groups:?} at {x}: {found} {truth} {error}"
                );
            }
        }
    }

    /// If this fails, a document is read differently on another day or machine.
    #[test]
    fn draws_are_pinned() {
        let total = Total::Known { records: 30, rest: 2.0 };
        let groups =
            NoisyGroups::new(vec![7.0, 3.0], &[4.0, 1.0, 1.0, 4.0], vec![1.0; 2], total).expect("noise");
        let chains = groups.chains(1, |draw| draw.parameters.clone());
        assert_eq!(chains.len() as u64, CHAINS);
        assert!(chains.iter().all(|chain| chain.len() == DRAWS[0]));
        assert_eq!(chains, groups.chains(1, |draw| draw.parameters.clone()));
        assert!(chains.iter().flatten().all(|one| (one.iter().sum::<f64>() - 34.0).abs() < 1e-9));
    }

    #[test]
    fn rejects() {
        let total = || Total::Known { records: 30, rest: 1.0 };
        let new = |covariance: &[f64], prior: [f64; 2], total| {
            NoisyGroups::new(vec![1.0, 2.0], covariance, prior.to_vec(), total).is_some()
        };
        assert!(new(&[1.0, 0.0, 0.0, 1.0], [1.0; 2], total()));
        assert!(!new(&[1.0, 1.0, 1.0, 1.0], [1.0; 2], total()), "no noise of a difference");
        assert!(!new(&[1.0, 0.0, 0.0, 1.0], [1.0, 0.5], total()));
        assert!(!new(&[1.0, 0.0, 0.0], [1.0; 2], total()));
        assert!(!new(&[1.0, 0.0, 0.0, 1.0], [1.0; 2], Total::Known { records: 30, rest: 0.0 }));
        assert!(!new(&[1.0, 0.0, 0.0, 1.0], [1.0; 2], Total::Unknown { conditions: vec![0] }));
    }
}
