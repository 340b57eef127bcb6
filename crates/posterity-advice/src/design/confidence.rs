//! The confidence intervals to expect of noise that adds up.

use posterity_core::confidence::{Additive, Subject, Sums, Within};
use posterity_core::model::Setting;
use posterity_core::noise::FoldedNoise;
use posterity_core::parallelism::Parallelism;

use super::rows::Rows;
use super::typical_noise::typical;

/// The noise of a release, ready for forecasts.
pub(super) struct ConfidenceForecast {
    sums: Sums,
    remainder: Option<usize>,
    level: f64,
}

/// How many numbers stand for the noise of a share.
const OF_SHARE: usize = 9;

/// How many numbers stand for the noise of a condition, and for each of them how many for the noise of a group in it.
const OF_CONDITION: (usize, usize) = (5, 3);

/// Half of an interval that says nothing.
const NOTHING_KNOWN: f64 = 0.5;

impl ConfidenceForecast {
    pub(super) fn new(cells: usize, setting: &Setting, additive: Additive, level: f64) -> Self {
        let remainder = additive.remainder;
        // How much noise there is in all is known after a release, if n is public. Here it is as much as expected.
        let each = additive.noise.folded(1).map_or(0.0, |law| law.mean());
        let total = if remainder.is_some() { 0.0 } else { each * cells as f64 };
        let mut drawn = vec![0; cells];
        drawn[0] = setting.n() as i64 + total.round() as i64;
        Self { sums: Sums::of_setting(drawn, setting, additive), remainder, level }
    }

    /// The expected half-width of rows of shares.
    pub(super) fn half_width(&self, rows: &Rows) -> f64 {
        let [group, others] = [0, 1].map(|part| rows.groups.get(part).map_or(&[][..], Vec::as_slice));
        if others.is_empty() {
            return 0.0;
        }
        let with = |cells: &[usize], drawn: i64| self.sums.group(cells).as_if_drawn(drawn);
        let (inside, outside) = (rows.counts[0] as i64, rows.counts[1] as i64);
        if rows.is_everything && !self.sums.n_is_private() {
            let Some(law) = self.sums.noise(with(group, 0)) else { return NOTHING_KNOWN };
            let one = |z: i64| self.sums.share(with(group, inside + z), Subject::Population, self.level).ends;
            return mean(&law, OF_SHARE, |z| half(one(z)));
        }
        let Some(law) = self.sums.noise(with(group, 0).with(with(others, 0))) else { return NOTHING_KNOWN };
        let at = |of_both: i64| {
            let Some(law) = self.part(group, others, of_both) else { return NOTHING_KNOWN };
            mean(&law, OF_CONDITION.1, |z| {
                let within =
                    Within { group: with(group, inside + z), others: with(others, outside + of_both - z) };
                half(self.sums.conditional(within, Subject::Population, self.level).ends)
            })
        };
        // The first makes the laws that all others use, which are made on all cores.
        let typical = typical(&law, OF_CONDITION.0);
        let one = |&(z, weight): &(i64, f64)| weight * at(z);
        let (first, others) = typical.split_at(1);
        first.iter().map(one).sum::<f64>() + Parallelism::AllCores.map(others, one).iter().sum::<f64>()
    }

    /// The law of the noise of a group, given the noise of it and others together.
    fn part(&self, group: &[usize], others: &[usize], of_both: i64) -> Option<FoldedNoise> {
        let has_remainder = |cells: &[usize]| self.remainder.is_some_and(|last| cells.contains(&last));
        let free = |cells: &[usize]| self.sums.folded(cells.len() as u64);
        // The remainder takes whatever the others leave, so that the noise of the other part is as it is.
        if has_remainder(group) {
            Some(free(others)?.mirrored(of_both))
        } else if has_remainder(others) {
            free(group).map(|law| (*law).clone())
        } else {
            free(group)?.given_total(&*free(others)?, of_both)
        }
    }
}

/// The mean over numbers that stand for the noise.
fn mean(law: &FoldedNoise, parts: usize, value: impl Fn(i64) -> f64) -> f64 {
    typical(law, parts).into_iter().map(|(z, weight)| weight * value(z)).sum()
}

fn half(ends: [f64; 2]) -> f64 {
    0.5 * (ends[1] - ends[0])
}
