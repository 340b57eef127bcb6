//! Draws of one number.

use posterity_core::noise_aware::chain_error;

use super::ways::{IntervalKind, Ways};

/// Draws of one number, in their order.
pub(crate) struct Sample {
    sorted: Vec<f64>,
    /// The draws in their order, if each chain of draws is independent of the others and no draw is of its own chain.
    chains: Vec<Vec<f64>>,
}

impl Sample {
    /// Independent draws.
    pub(super) fn new(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Self { sorted: values, chains: Vec::new() }
    }

    /// Independent chains of as many draws each.
    pub(crate) fn of_chains(chains: Vec<Vec<f64>>) -> Self {
        Self { chains: chains.clone(), ..Self::new(chains.into_iter().flatten().collect()) }
    }

    /// How many draws there are.
    pub(crate) fn len(&self) -> u64 {
        self.sorted.len() as u64
    }

    /// The part of the draws of each chain for which something holds.
    fn parts(&self, holds: impl Fn(f64) -> bool) -> Vec<f64> {
        let part = |chain: &Vec<f64>| {
            chain.iter().filter(|&&value| holds(value)).count() as f64 / chain.len() as f64
        };
        self.chains.iter().map(part).collect()
    }

    fn at(&self, rank: f64) -> f64 {
        // The cast saturates.
        self.sorted[(rank.max(0.0) as usize).min(self.sorted.len() - 1)]
    }

    /// The mean of the draws.
    pub(crate) fn mean(&self) -> f64 {
        self.sorted.iter().sum::<f64>() / self.sorted.len() as f64
    }

    /// The standard error of the mean of chains.
    pub(crate) fn mean_error(&self) -> f64 {
        let mean = |chain: &Vec<f64>| chain.iter().sum::<f64>() / chain.len() as f64;
        chain_error(&self.chains.iter().map(mean).collect::<Vec<f64>>())
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.at(p * self.sorted.len() as f64)
    }

    /// The credible interval: the shortest one if that is asked for.
    pub(crate) fn interval_of(&self, ways: Ways) -> [f64; 2] {
        let level = ways.level;
        if ways.interval != IntervalKind::Shortest {
            return [self.quantile(0.5 - 0.5 * level), self.quantile(0.5 + 0.5 * level)];
        }
        let inside = ((level * self.sorted.len() as f64).ceil() as usize).clamp(1, self.sorted.len());
        let width = |ends: &&[f64]| ends[inside - 1] - ends[0];
        let shortest = self.sorted.windows(inside).min_by(|a, b| width(a).total_cmp(&width(b)));
        shortest.map_or([0.0, 1.0], |ends| [ends[0], ends[inside - 1]])
    }

    /// The standard error of a quantile, from that of its rank.
    pub(super) fn quantile_error(&self, p: f64) -> f64 {
        let rank = p * self.sorted.len() as f64;
        let step = self.rank_error(p);
        0.5 * (self.at(rank + step) - self.at(rank - step))
    }

    /// Independent draws make ranks vary by `sqrt(N p (1-p))`. Of chains, the part of each that is below says how much.
    fn rank_error(&self, p: f64) -> f64 {
        let count = self.sorted.len() as f64;
        if self.chains.is_empty() {
            return (count * p * (1.0 - p)).sqrt();
        }
        let end = self.quantile(p);
        count * chain_error(&self.parts(|value| value < end))
    }

    /// The larger of the standard errors of both ends.
    pub(crate) fn interval_error(&self, level: f64) -> f64 {
        self.quantile_error(0.5 - 0.5 * level).max(self.quantile_error(0.5 + 0.5 * level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, draws that repeat each other are taken for so much knowledge.
    #[test]
    fn chains_know_that_their_draws_repeat() {
        let value = |place: usize| (place * 37 % 64) as f64;
        let spread = Sample::of_chains((0..64).map(|_| (0..64).map(value).collect()).collect());
        let stuck = Sample::of_chains((0..64).map(|chain| vec![value(chain); 64]).collect());
        assert!(spread.mean_error() < 1e-9);
        assert!((stuck.mean_error() - 341.25_f64.sqrt() / 63.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(spread.quantile(0.25), stuck.quantile(0.25));
        assert!(stuck.quantile_error(0.5) > 2.0 && spread.quantile_error(0.5) < 1.0);
    }
}
