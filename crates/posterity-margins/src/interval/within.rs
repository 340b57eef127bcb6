//! The share of a group within a condition.

use posterity_core::confidence::{Interval, Subject};
use posterity_core::model::{LevelError, interval_level};
use posterity_core::noise_aware::{NoisyShare, SharePosterior, SharePrior};
use posterity_core::special::beta::ln_density;

use super::tail::Tail;

/// The part of `1 - level` that the set of counts of the condition may take.
const SET_SHARE: f64 = 0.02;

/// The most counts of the condition at which the tail is computed.
const COUNTS: u64 = 8;

/// A bin of binomial counts has at most this part of the noise's deviation.
const BINS: f64 = 40.0;

/// How often an interval for an end is halved.
const HALVINGS: usize = 30;

/// Estimates of a group and of the condition that it is a part of, with what is known of their noise.
///
/// The share of all records is that within the condition that holds for every cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Within {
    /// The estimate of the group.
    pub group: f64,
    /// The estimate of the condition.
    pub condition: f64,
    /// The variance of the noise of the group.
    pub group_variance: f64,
    /// The variance of the noise of the condition: zero if it is everything and n is public.
    pub condition_variance: f64,
    /// Their covariance.
    pub covariance: f64,
    /// The tails of the noise.
    pub tail: Tail,
}

impl Within {
    /// A confidence interval for the share.
    ///
    /// Subject the records it holds with at least its level, whatever they are. Subject the population so does the test that
    /// it inverts at the listed counts of the condition; between them the tail is a straight line, nearly.
    ///
    /// # Errors
    /// [`LevelError`].
    pub fn interval(&self, about: Subject, level: f64) -> Result<Interval, LevelError> {
        let size = 0.5 * (1.0 - interval_level(level)?);
        let may_be_empty = self.may_be_empty(level);
        let others = self.mirrored();
        let ends = match about {
            Subject::Records => [self.records_end(size), 1.0 - others.records_end(size)],
            Subject::Population => [self.population_end(size), 1.0 - others.population_end(size)],
        };
        let estimate = (self.condition > 0.0).then(|| self.group / self.condition);
        Ok(Interval { ends, estimate, may_be_empty, deviation: self.deviation(about) })
    }

    /// Whether a test rejects that the share is at most p, because the group is too large. Both such tests, of a share and of
    /// what it leaves, have half of `1 - level` as their size.
    ///
    /// # Errors
    /// [`LevelError`].
    pub fn is_larger(&self, p: f64, about: Subject, level: f64) -> Result<bool, LevelError> {
        let size = 0.5 * (1.0 - interval_level(level)?);
        Ok(match about {
            Subject::Records => self.statistic(p) > self.tail.deviations(size) * libm::sqrt(self.variance(p)),
            Subject::Population => {
                let (beta, tested) = self.sizes(size);
                self.p_value(p, &self.counts(beta), self.tail.shift_for(tested)) <= tested
            }
        })
    }

    /// Whether a test rejects that the share is at least p: see [`Within::is_larger`].
    ///
    /// # Errors
    /// [`LevelError`].
    pub fn is_smaller(&self, p: f64, about: Subject, level: f64) -> Result<bool, LevelError> {
        self.mirrored().is_larger(1.0 - p, about, level)
    }

    /// Whether the condition may have no records, at this level.
    #[must_use]
    pub fn may_be_empty(&self, level: f64) -> bool {
        self.least_condition(0.5 * (1.0 - level) * SET_SHARE) <= 0.0
    }

    /// The parts of a size that the set of counts takes, and that are left for the test.
    fn sizes(&self, size: f64) -> (f64, f64) {
        let public = self.condition_variance <= 0.0;
        if public { (0.0, size) } else { (SET_SHARE * size, size * (1.0 - SET_SHARE)) }
    }

    /// The posterior of the share under a prior, given these two estimates, as if their noise were normal. `records` is
    /// their number, if it is public.
    #[must_use]
    pub fn posterior(&self, prior: SharePrior, records: Option<u64>) -> Option<SharePosterior> {
        let Self { group, condition, group_variance, condition_variance, covariance, .. } = *self;
        let noisy = NoisyShare { group, condition, group_variance, condition_variance, covariance };
        noisy.posterior(prior, records)
    }

    /// The variance of the noise of `group - share * condition`.
    fn variance(&self, share: f64) -> f64 {
        let v = self.group_variance + share * (share * self.condition_variance - 2.0 * self.covariance);
        v.max(0.0)
    }

    /// The other cells of the condition in the place of the group.
    fn mirrored(&self) -> Self {
        let group_variance = self.variance(1.0);
        let covariance = self.condition_variance - self.covariance;
        Self { group: self.condition - self.group, group_variance, covariance, ..*self }
    }

    fn deviation(&self, about: Subject) -> f64 {
        let share = if self.condition > 0.0 { (self.group / self.condition).clamp(0.0, 1.0) } else { 0.5 };
        let sampling = match about {
            Subject::Records => 0.0,
            Subject::Population => self.condition.max(0.0) * share * (1.0 - share),
        };
        libm::sqrt(self.variance(share) + sampling) / self.condition.max(f64::MIN_POSITIVE)
    }

    /// `group - share * condition`, where a negative number of others is taken for none. That rejects less, and keeps
    /// the interval from being empty.
    fn statistic(&self, share: f64) -> f64 {
        (1.0 - share) * self.group - share * (self.condition - self.group).max(0.0)
    }

    /// The least share that is not rejected because the group is too large. The statistic is linear in the share and its
    /// deviation convex, so their difference is concave, and it is not positive at 1: it crosses zero once.
    fn records_end(&self, size: f64) -> f64 {
        let z = self.tail.deviations(size);
        self.first_kept(|share| self.statistic(share) > z * libm::sqrt(self.variance(share)))
    }

    /// The same with the variation of records that are drawn from a population (Berger and Boos 1994).
    fn population_end(&self, size: f64) -> f64 {
        let (beta, tested) = self.sizes(size);
        let (counts, shift) = (self.counts(beta), self.tail.shift_for(tested));
        self.first_kept(|share| self.p_value(share, &counts, shift) <= tested)
    }

    /// The largest share below which all are rejected, from below.
    fn first_kept(&self, rejected: impl Fn(f64) -> bool) -> f64 {
        if !rejected(0.0) {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if rejected(middle) { low = middle } else { high = middle }
        }
        low
    }

    /// The least count of the condition that its noise leaves possible.
    fn least_condition(&self, beta: f64) -> f64 {
        if self.condition_variance <= 0.0 {
            return self.condition;
        }
        self.condition - self.tail.deviations(beta) * libm::sqrt(self.condition_variance)
    }

    /// Counts of the condition: the public one, or some from the least to the most that are possible.
    fn counts(&self, beta: f64) -> Vec<u64> {
        if self.condition_variance <= 0.0 {
            return vec![libm::round(self.condition.max(0.0)) as u64];
        }
        let least = libm::floor(self.least_condition(beta).max(0.0)) as u64;
        let most = libm::ceil((2.0 * self.condition - self.least_condition(beta)).max(0.0)) as u64;
        if most - least <= COUNTS {
            return (least..=most).collect();
        }
        let at = |step: u64| {
            let part = step as f64 / COUNTS as f64;
            least + libm::round((most - least) as f64 * part * part) as u64
        };
        (0..=COUNTS).map(at).collect()
    }

    /// The largest probability, over the counts, of a statistic as large as the one that was found. Between two counts
    /// the tail is nearly a straight line, and a quarter of the largest bend is added.
    fn p_value(&self, share: f64, counts: &[u64], shift: f64) -> f64 {
        let deviation = libm::sqrt(self.variance(share));
        let noise = |distance: f64| {
            if deviation > 0.0 {
                self.tail.up_with(distance / deviation, shift)
            } else {
                f64::from(u8::from(distance <= 1e-9))
            }
        };
        let bin = libm::floor(deviation / BINS).max(1.0) as u64;
        let found = self.statistic(share);
        let tails: Vec<f64> =
            counts.iter().map(|&count| tail(share, count, bin, |c| noise(found - c))).collect();
        let bend = |three: &[f64]| (three[0] - 2.0 * three[1] + three[2]).abs();
        let bends =
            if counts.len() as u64 > COUNTS { tails.windows(3).map(bend).fold(0.0, f64::max) } else { 0.0 };
        tails.iter().copied().fold(0.0, f64::max) + 0.25 * bends
    }
}

/// `E h(C - share count)` for `C ~ Bin(count, share)` and an increasing h, from above: counts of one bin are taken for
/// the largest of them.
fn tail(share: f64, count: u64, bin: u64, h: impl Fn(f64) -> f64) -> f64 {
    let (n, p) = (count as f64, share);
    if count == 0 || p <= 0.0 || p >= 1.0 {
        return h(0.0);
    }
    let spread = 7.5 * libm::sqrt(n * p * (1.0 - p)) + 20.0;
    let mode = ((n + 1.0) * p).min(n) as u64;
    let (first, last) = (mode.saturating_sub(spread as u64), (mode + spread as u64).min(count));
    let mut weight = libm::exp(ln_density(p, first as f64 + 1.0, (count - first) as f64 + 1.0)) / (n + 1.0);
    let (mut sum, mut mass, odds) = (0.0, 0.0, p / (1.0 - p));
    for c in first..=last {
        mass += weight;
        if (c - first) % bin == bin - 1 || c == last {
            sum += mass * h(c as f64 - n * p);
            mass = 0.0;
        }
        weight *= (count - c) as f64 / (c + 1) as f64 * odds;
    }
    // Counts that are left out have less than this.
    sum + 1e-12
}

#[cfg(test)]
mod tests {
    use posterity_testkit::{Random, critical_interval};

    use super::*;

    /// A normal number (Box and Muller 1958).
    fn normal(random: &mut Random) -> f64 {
        let size = (-2.0 * random.uniform(1e-300, 1.0).ln()).sqrt();
        size * (std::f64::consts::TAU * random.uniform(0.0, 1.0)).cos()
    }

    fn within(group: f64, condition: f64, [s, t, both]: [f64; 3]) -> Within {
        let tail = Tail::new(20.0, 200.0);
        Within { group, condition, group_variance: s, condition_variance: t, covariance: both, tail }
    }

    /// If this fails, an interval misses the truth too often. The chance that it fails although all is well is 1e-6.
    #[test]
    fn intervals_hold_on_a_grid_of_truths() {
        const TRIALS: u64 = 100;
        let mut random = Random::new(21);
        for count in [0_u64, 5, 60, 300] {
            for share in [0.0, 0.02, 0.5, 1.0] {
                for [noise, condition_noise] in [[8.0, 0.0], [8.0, 11.0], [40.0, 30.0]] {
                    for about in [Subject::Population, Subject::Records] {
                        if count == 0 && (condition_noise > 0.0 || about == Subject::Records) {
                            continue;
                        }
                        let mut held = 0;
                        for _ in 0..TRIALS {
                            let c = (0..count).filter(|_| random.uniform(0.0, 1.0) < share).count() as f64;
                            // The noise of the condition is that of the group and of the others.
                            let (a, b) = (noise * normal(&mut random), condition_noise * normal(&mut random));
                            let (v, t) = (noise * noise, condition_noise * condition_noise);
                            let known = condition_noise <= 0.0;
                            let (condition, parts) = if known {
                                (count as f64, [v, 0.0, 0.0])
                            } else {
                                (count as f64 + a + b, [v, v + t, v])
                            };
                            let found = within(c + a, condition, parts).interval(about, 0.95).expect("level");
                            let truth = if about == Subject::Records { c / count as f64 } else { share };
                            assert!(found.ends[0] <= found.ends[1], "{found:?}");
                            held += u64::from(found.ends[0] <= truth && truth <= found.ends[1]);
                        }
                        let least = critical_interval(TRIALS, 0.95, 1e-8).low;
                        assert!(
                            held >= least,
                            "{count} {share} {noise} {condition_noise} {about:?}: {held} of {TRIALS}, seed 21"
                        );
                    }
                }
            }
        }
    }

    /// If this fails, intervals are wider than they need to be.
    #[test]
    fn intervals_are_about_normal_ones() {
        let (n, noise) = (20_000.0, 60.0);
        let reading = within(6000.0, n, [noise * noise, 0.0, 0.0]);
        let width = |about| {
            let found = reading.interval(about, 0.95).expect("level");
            (found.ends[1] - found.ends[0]) / (2.0 * 1.96)
        };
        let records = width(Subject::Records) / (noise / n);
        let sampling: f64 = 0.3 * 0.7 / n;
        let population = width(Subject::Population) / (sampling + (noise / n).powi(2)).sqrt();
        assert!((1.0..1.03).contains(&records), "{records}");
        assert!((1.0..1.05).contains(&population), "{population}");
    }

    #[test]
    fn levels_are_checked() {
        let reading = within(6.0, 20.0, [1.0, 0.0, 0.0]);
        assert!(reading.interval(Subject::Records, 95.0).is_err());
    }
}
