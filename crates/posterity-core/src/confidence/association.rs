//! How strongly rows and columns of a noisy table depend on each other.

use super::independence::{Above, Hypothesis, NoisyTable, Simulation, Tail, fixed};
use crate::sampler::SeededBits;

/// An interval for Cramer's V, and what follows from it for the mutual information.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association {
    /// Both ends for Cramer's V.
    pub ends: [f64; 2],
    /// The V under which half of all tables would have a larger statistic; nothing without an expected record.
    pub estimate: Option<f64>,
    /// Both ends for the mutual information, in nats.
    pub information: [f64; 2],
}

impl Association {
    /// What is said where nothing is known.
    fn unknown(table: &NoisyTable<'_>) -> Self {
        Self { ends: [0.0, 1.0], estimate: None, information: [0.0, most_information(table, 1.0)] }
    }
}

/// Mutual information is at most `ln(1 + chi^2)` (van Erven and Harremoes 2014).
fn most_information(table: &NoisyTable<'_>, v: f64) -> f64 {
    libm::log1p(table.most_squares() * v * v)
}

/// How many tables are drawn at each step of a search.
const DRAWS: u64 = 1_999;

/// The steps of a search between two places of a path.
const STEPS: u32 = 10;

/// The farthest place of a path, where the estimated table has place one.
const FARTHEST: f64 = 16.0;

/// Tables from independence to the estimate, and beyond it.
struct Path<'a> {
    table: &'a NoisyTable<'a>,
    all: f64,
    independent: Vec<f64>,
    away: Vec<f64>,
    seed: u64,
}

/// What is known of a place of a path.
struct Place {
    shares: Vec<f64>,
    /// `sum (n p - e)^2 / (e + v)`, with expected counts e and variances v of the noise: how far the statistic is moved.
    moved: f64,
    /// Cramer's V.
    v: f64,
    /// The mutual information.
    information: f64,
}

/// Tables whose statistic is at most as large as one.
struct Below {
    most: i64,
}

impl Tail for Below {
    fn holds(&self, table: &NoisyTable<'_>, drawn: &[f64]) -> bool {
        fixed(table.statistic(Hypothesis::Independence, drawn)) <= self.most
    }
}

impl NoisyTable<'_> {
    /// The interval at this level for Cramer's V, by inversion of the test of independence. It holds zero wherever the test
    /// at half of `1 - level` does not reject.
    ///
    /// A statistic that is too large or too small speaks against a place of the path from independence to the estimate. What
    /// such a place says of V is how far the statistic is moved there: `chi^2 = sum (p - q)^2/q` times n is at least that,
    /// and at most that divided by the least `e / (e + v)`, because the noise hides the cells of few records.
    ///
    /// # Guarantee
    /// Its coverage was measured, not proven (docs/proofs/ordered.md, "Cramer's V").
    #[must_use]
    pub fn association(&self, level: f64, seed: u64) -> Association {
        let found = self.found();
        let Some(path) = Path::new(self, &found, seed) else { return Association::unknown(self) };
        let size = 0.5 * (1.0 - level);
        let statistic = fixed(self.statistic(Hypothesis::Independence, &found));
        let scale = path.all * self.most_squares();
        let [least, most] = self.visible(&found);
        let from = if self.rejects(Hypothesis::Independence, size, DRAWS, seed) {
            path.last(0.0, 1.0, |t| path.is_rare(&path.above(statistic), t, size))
        } else {
            0.0
        };
        let place = path.at(from);
        // Not even the last digit of a zero is an association.
        let low = if from > 0.0 { libm::sqrt(place.moved / (scale * most)).min(place.v) } else { 0.0 };
        let part = if low > 0.0 { low / place.v } else { 0.0 };
        let middle = path.last(0.0, FARTHEST, |t| path.is_rare(&path.above(statistic), t, 0.5));
        // A statistic that is small even for independent columns says no more than one in their middle.
        let below = Below { most: if middle > 0.0 { statistic } else { path.median() } };
        let to = path.last(from, FARTHEST, |t| !path.is_rare(&below, t, size));
        let end = path.at(to + (FARTHEST - from) / f64::from(1_u32 << STEPS));
        let is_known = to < 0.5 * FARTHEST && !path.is_rare(&below, from, size);
        let high = match is_known && least > 0.0 {
            true => libm::sqrt(end.moved / (scale * least)).min(1.0),
            false => 1.0,
        };
        let high = high.max(low);
        Association {
            ends: [low, high],
            estimate: Some(path.at(middle).v.clamp(low, high)),
            information: [place.information * part * part, most_information(self, high)],
        }
    }

    /// The least and the largest part of the variance of a cell that is not noise, `e / (e + v)`. For the least, each row
    /// and each column has as many records less as the deviation of its noise.
    fn visible(&self, found: &[f64]) -> [f64; 2] {
        let all: f64 = found.iter().sum::<f64>().max(1.0);
        let sides = self.sides(found);
        let part = |less: f64, place: usize| {
            let [row, column] = [sides[0][place / self.columns()], sides[1][place % self.columns()]]
                .map(|(count, deviation)| (count - less * deviation).max(0.0));
            let expected = row * column / all;
            expected / (expected + self.variance(place)).max(f64::MIN_POSITIVE)
        };
        let least = (0..found.len()).map(|place| part(1.0, place)).fold(1.0, f64::min);
        let most = (0..found.len()).map(|place| part(0.0, place)).fold(0.0, f64::max);
        [least, if most > 0.0 { most } else { 1.0 }]
    }
}

impl<'a> Path<'a> {
    /// Nothing without an expected record.
    fn new(table: &'a NoisyTable<'a>, found: &[f64], seed: u64) -> Option<Self> {
        let all: f64 = found.iter().sum();
        let clipped: Vec<f64> = found.iter().map(|y| y.max(0.0)).collect();
        let sum: f64 = clipped.iter().sum();
        if all <= 0.0 || sum <= 0.0 {
            return None;
        }
        let shares: Vec<f64> = clipped.iter().map(|y| y / sum).collect();
        let independent = table.product(&shares);
        let away = shares.iter().zip(&independent).map(|(share, product)| share - product).collect();
        Some(Self { table, all, independent, away, seed })
    }

    fn at(&self, t: f64) -> Place {
        let moved = self.independent.iter().zip(&self.away).map(|(from, away)| (from + t * away).max(0.0));
        let shares: Vec<f64> = moved.collect();
        let sum: f64 = shares.iter().sum();
        let shares: Vec<f64> = shares.iter().map(|share| share / sum).collect();
        let product = self.table.product(&shares);
        let (mut moved, mut squares, mut information) = (0.0, 0.0, 0.0);
        for (place, (share, expected)) in shares.iter().zip(&product).enumerate() {
            if *expected > 0.0 {
                let away = share - expected;
                squares += away * away / expected;
                let of_noise = self.table.variance(place) / self.all;
                moved += self.all * away * away / (expected + of_noise);
                if *share > 0.0 {
                    information += share * libm::log(share / expected);
                }
            }
        }
        let v = libm::sqrt(squares / self.table.most_squares()).min(1.0);
        Place { shares, moved, v, information: information.max(0.0) }
    }

    fn law(&self, t: f64) -> Simulation {
        self.table.simulation(&self.at(t).shares, self.all)
    }

    fn above(&self, least: i64) -> Above {
        Above { hypothesis: Hypothesis::Independence, least }
    }

    /// Whether less than this part of the tables of a place is in a tail.
    fn is_rare(&self, tail: &impl Tail, t: f64, size: f64) -> bool {
        let enough = (size * (DRAWS + 1) as f64) as u64;
        self.table.count(tail, &self.law(t), DRAWS, enough, self.seed) < enough
    }

    /// The last place between two for which something holds, if it holds up to a place.
    fn last(&self, from: f64, to: f64, holds: impl Fn(f64) -> bool) -> f64 {
        let (mut low, mut high) = (from, to);
        for _ in 0..STEPS {
            let middle = 0.5 * (low + high);
            if holds(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The statistic that half of all independent tables do not exceed.
    fn median(&self) -> i64 {
        let mut bits = SeededBits::new(self.seed);
        let law = self.law(0.0);
        // A seeded source does not fail.
        let drawn = (0..DRAWS).filter_map(|_| self.table.draw(&law, &mut bits).ok());
        let statistic = |drawn: Vec<f64>| fixed(self.table.statistic(Hypothesis::Independence, &drawn));
        let mut statistics: Vec<i64> = drawn.map(statistic).collect();
        statistics.sort_unstable();
        statistics.get(statistics.len() / 2).copied().unwrap_or(0)
    }
}
