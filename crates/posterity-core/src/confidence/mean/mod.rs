//! The mean of numbers over the records of a condition.
//!
//! At a candidate mean the statistic is `D = sum (s_i - mean) y_i`: the sum of the numbers of the records, each without
//! the mean, plus weighted noise. Its law depends on how the numbers spread, which the noisy counts say only roughly.
//! [`Tilted`] gives the law of numbers that is near the noisy counts and has the candidate mean; [`tail`] adds up the
//! exact tail of D under it; a mean whose tail is at most `(1 - level)/2` is left out
//! (docs/proofs/intervals.md, "Means"). The coverage is measured, not proven.

mod tail;
mod tilted;
mod waves;

use super::conditional::spread;
use super::ends::{deviations, first_kept};
use super::subject::Subject;
use super::sums::{GroupSum, Interval, Sums};
use crate::pulse::beat;

use tail::{Law, at_least};
use tilted::Tilted;

pub use waves::Waves;

/// How precisely an end is found, relative to the range of the numbers; always from outside.
const CLOSE: f64 = 1e-4;

/// How precisely an end of the interval of a sum is found, relative to its distance from the estimate; always from outside.
const CLOSE_SUM: f64 = 1e-5;

/// The part of `1 - level` that the set of counts of the condition may take.
const SET_SHARE: f64 = 0.02;

/// The most counts of the condition at which the tail is computed.
const COUNTS: u64 = 6;

/// The weighted noise of a mean: `N = sum (s_i - mean) Z_i` over the noise of the counts of each number, without its
/// expectation.
pub trait MeanNoise: Sync {
    /// `E exp(i t N)`, at a mean, in its real and imaginary part.
    fn wave(&self, mean: f64, t: f64) -> [f64; 2];

    /// The variance of N at a mean.
    fn variance(&self, mean: f64) -> f64;
}

/// What is known of a mean: estimates of the counts of each number, and the law of their noise.
pub struct Mean<'a> {
    /// The numbers, of which the least is 0 and the largest 1.
    scores: Vec<f64>,
    /// The estimate of the count of each, without bias.
    estimates: Vec<f64>,
    /// The numbers of records that the condition may have; none about the records themselves.
    sizes: Vec<u64>,
    /// The part of `1 - level` that the sizes take.
    taken: f64,
    may_be_empty: bool,
    noise: &'a dyn MeanNoise,
    /// The least and the range of the numbers as they were given.
    least: f64,
    range: f64,
}

/// How many records a condition has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// The number is known.
    Known(u64),
    /// Between two numbers, but for the part of `1 - level` that is named.
    Between(u64, u64, f64),
}

impl Size {
    /// The part of `1 - level` that is usually left for the size of a condition.
    pub const TAKEN: f64 = SET_SHARE;
}

impl<'a> Mean<'a> {
    /// The mean of these numbers, of which there are these estimates. Nothing if they are all the same, not finite, or
    /// none.
    #[must_use]
    pub fn new(
        numbers: &[f64],
        estimates: Vec<f64>,
        size: Size,
        about: Subject,
        noise: &'a dyn MeanNoise,
    ) -> Option<Self> {
        let (least, range) = span(numbers)?;
        let scores = numbers.iter().map(|number| (number - least) / range).collect();
        let (listed, taken, least_size) = match size {
            Size::Known(count) => (vec![count], 0.0, count),
            Size::Between(low, high, taken) => (spread(low, high, COUNTS).0, taken, low),
        };
        let (sizes, taken) = match about {
            Subject::Population => (listed, taken),
            Subject::Records => (Vec::new(), 0.0),
        };
        Some(Self { scores, estimates, sizes, taken, may_be_empty: least_size == 0, noise, least, range })
    }

    /// The interval at this level.
    #[must_use]
    pub fn interval(&self, level: f64) -> Interval {
        let size = 0.5 * (1.0 - level) * (1.0 - self.taken);
        let [low, high] = [Side::Low, Side::High].map(|side| {
            let test = Test::new(self, side);
            let end = first_kept(test.guess(size), size, CLOSE, |place| test.p_value(place));
            if side == Side::Low { end } else { 1.0 - end }
        });
        let count: f64 = self.estimates.iter().sum();
        let sum: f64 = self.estimates.iter().zip(&self.scores).map(|(count, score)| count * score).sum();
        let estimate = (count > 0.0).then(|| sum / count);
        // Where every mean is rejected from one side, the draw says nothing of the mean.
        let ends = if low <= high { [low, high] } else { [0.0, 1.0] };
        Interval {
            ends: ends.map(|end| self.stretched(end)),
            estimate: estimate.map(|mean| self.stretched(mean)),
            may_be_empty: self.may_be_empty,
            deviation: estimate.map_or(f64::INFINITY, |mean| {
                self.range * libm::sqrt(self.variance(mean.clamp(0.0, 1.0), self.most())) / count
            }),
        }
    }

    fn stretched(&self, score: f64) -> f64 {
        self.least + self.range * score
    }

    /// The largest number of records.
    fn most(&self) -> u64 {
        self.sizes.last().copied().unwrap_or(0)
    }

    /// The variance of the statistic at a mean, with shares as the estimates say.
    fn variance(&self, mean: f64, records: u64) -> f64 {
        let inside = || self.estimates.iter().map(|count| count.max(0.0)).zip(&self.scores);
        let all: f64 = inside().map(|(count, _)| count).sum();
        let square: f64 = inside().map(|(count, score)| count * (score - mean) * (score - mean)).sum();
        let sampling = if all > 0.0 { records as f64 * square / all } else { 0.0 };
        self.noise.variance(mean) + sampling
    }
}

/// The least number and the range of some; nothing if there is no range.
fn span(numbers: &[f64]) -> Option<(f64, f64)> {
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = most - least;
    (range > 0.0 && range.is_finite()).then_some((least, range))
}

/// Which end of the interval a test is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// Tests means at a place between 0 and 1, from the end of the numbers that the test is for inwards.
struct Test<'m, 'a> {
    mean: &'m Mean<'a>,
    side: Side,
    /// The numbers as seen from this side, so that means are rejected because the statistic is too large.
    scores: Vec<f64>,
    tilted: Tilted,
}

impl<'m, 'a> Test<'m, 'a> {
    fn new(mean: &'m Mean<'a>, side: Side) -> Self {
        let seen = |score: &f64| if side == Side::Low { *score } else { 1.0 - score };
        let scores: Vec<f64> = mean.scores.iter().map(seen).collect();
        let tilted = Tilted::new(&scores, &mean.estimates);
        Self { mean, side, scores, tilted }
    }

    /// The candidate mean of a place, among scores between 0 and 1.
    fn at(&self, place: f64) -> f64 {
        if self.side == Side::Low { place } else { 1.0 - place }
    }

    /// `sum (s_i - mean) y_i`, as seen from this side.
    fn statistic(&self, place: f64) -> f64 {
        self.mean.estimates.iter().zip(&self.scores).map(|(count, score)| count * (score - place)).sum()
    }

    /// The largest probability, over the numbers of records, of a statistic as large as the one that was found.
    fn p_value(&self, place: f64) -> f64 {
        beat();
        let found = self.statistic(place);
        let sign = if self.side == Side::Low { 1.0 } else { -1.0 };
        let candidate = self.at(place);
        let noise = |t: f64| self.mean.noise.wave(candidate, sign * t);
        let law = Law {
            shares: &self.tilted.at(place),
            scores: &self.scores,
            place,
            sizes: &self.mean.sizes,
            noise: &noise,
            noise_variance: self.mean.noise.variance(candidate),
        };
        at_least(&law, found)
    }

    /// Where the end would be if the statistic were normal.
    fn guess(&self, size: f64) -> f64 {
        let z = deviations(size);
        let count: f64 = self.mean.estimates.iter().sum::<f64>().max(1.0);
        let mut place = (self.statistic(0.0) / count).clamp(0.0, 1.0);
        for _ in 0..8 {
            let deviation = libm::sqrt(self.mean.variance(self.at(place), self.mean.most()));
            let next = (self.statistic(0.0) - z * deviation) / count;
            place = (0.5 * (place + next)).clamp(1e-6, 1.0 - 1e-6);
        }
        place
    }
}

impl Sums {
    /// The interval at this level for the mean of a number over the records of a condition. `groups` has the cells of
    /// each number. Of one number only, it is that number.
    #[must_use]
    pub fn mean(&self, groups: &[Vec<usize>], numbers: &[f64], about: Subject, level: f64) -> Interval {
        let widest = |low: f64, high: f64| Interval {
            ends: [low, high],
            estimate: None,
            may_be_empty: true,
            deviation: f64::INFINITY,
        };
        let cells: Vec<usize> = groups.concat();
        let Some((least, range)) = span(numbers) else {
            let only = numbers.first().copied().unwrap_or(f64::NAN);
            return Interval { ends: [only; 2], estimate: Some(only), may_be_empty: false, deviation: 0.0 };
        };
        let estimates: Option<Vec<f64>> = groups.iter().map(|cells| self.expected(cells)).collect();
        let noise = self.mean_noise(groups, numbers.iter().map(|number| (number - least) / range).collect());
        let (Some(estimates), Some(noise), Some(size)) = (estimates, noise, self.size_of(&cells, level))
        else {
            return widest(least, least + range);
        };
        match Mean::new(numbers, estimates, size, about, &noise) {
            Some(mean) => mean.interval(level),
            None => widest(least, least + range),
        }
    }

    /// The interval at this level for the sum of a number over the records of a condition. `groups` has the cells of each
    /// number. It is about the records themselves: nothing but the noise is uncertain. Nothing if the noise is too wide.
    ///
    /// The sum of the noisy counts, each times its number, is the sum that is asked for plus weighted noise, whose law is
    /// that of the noise of a mean with nothing taken away (docs/proofs/ordered.md, theorem 4).
    #[must_use]
    pub fn sum(&self, groups: &[Vec<usize>], numbers: &[f64], level: f64) -> Option<Interval> {
        let scale = numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
        if scale <= 0.0 {
            return Some(Interval {
                ends: [0.0; 2],
                estimate: Some(0.0),
                may_be_empty: false,
                deviation: 0.0,
            });
        }
        let scores: Vec<f64> = numbers.iter().map(|number| number / scale).collect();
        let counts: Option<Vec<f64>> = groups.iter().map(|cells| self.expected(cells)).collect();
        let estimate: f64 = counts?.iter().zip(&scores).map(|(count, score)| count * score).sum();
        let waves = self.mean_noise(groups, scores.clone())?;
        let noise_variance = waves.variance(0.0);
        let size = 0.5 * (1.0 - level);
        let reach = |sign: f64| {
            let noise = |t: f64| waves.wave(0.0, sign * t);
            let law = Law { shares: &[], scores: &[], place: 0.0, sizes: &[], noise: &noise, noise_variance };
            let (mut low, mut high) = (0.0, 1.0);
            let rejected = |x: f64| at_least(&law, x) <= size;
            // The deviation of the noise may be far below one, or far above.
            while !rejected(high) && high < f64::MAX / 4.0 {
                high *= 2.0;
            }
            while high - low > CLOSE_SUM * high {
                let middle = 0.5 * (low + high);
                if rejected(middle) { high = middle } else { low = middle }
            }
            high
        };
        let everything = groups.iter().map(Vec::len).sum::<usize>() == self.cells();
        let [least, most] = [f64::min, f64::max].map(|of| scores.iter().copied().reduce(of).unwrap_or(0.0));
        let [least, most] = if everything { [least, most] } else { [least.min(0.0), most.max(0.0)] };
        let records = self.records() as f64;
        let ends = [estimate - reach(1.0), estimate + reach(-1.0)]
            .map(|end| end.clamp(records * least, records * most) * scale);
        let deviation = libm::sqrt(noise_variance) * scale;
        Some(Interval { ends, estimate: Some(estimate * scale), may_be_empty: false, deviation })
    }

    /// The noise of the mean of a score over the records of some cells. `groups` has the cells of each score. Nothing if the
    /// noise is too wide.
    #[must_use]
    pub fn mean_noise(&self, groups: &[Vec<usize>], scores: Vec<f64>) -> Option<Waves> {
        let groups: Vec<GroupSum> = groups.iter().map(|cells| self.group(cells)).collect();
        Waves::new(self, &groups, scores)
    }

    /// How many records are in these cells.
    fn size_of(&self, cells: &[usize], level: f64) -> Option<Size> {
        if cells.len() == self.cells() {
            return Some(Size::Known(self.records()));
        }
        let condition = self.group(cells);
        let (low, high) = self.noise(condition)?.middle(0.5 * SET_SHARE * (1.0 - level));
        let inside = |count: i64| count.clamp(0, self.records() as i64) as u64;
        let least = inside(condition.drawn.saturating_sub(high));
        Some(Size::Between(least, inside(condition.drawn.saturating_sub(low)).max(least), SET_SHARE))
    }
}
