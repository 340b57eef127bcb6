//! The characteristic function of weighted noise of counts.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::{Mutex, PoisonError};

use super::MeanNoise;
use crate::confidence::sums::{GroupSum, NoisedCells, Sums};
use crate::noise::Wave;

/// The noise `N = sum (s_i - mean) Z_i` of the noisy counts of each number, given what is known of all noise.
///
/// Where one cell takes what the others leave, N is a sum of independent noise. Where the sum of all noise is known,
/// its characteristic function is a sum over the angles of a circle (docs/proofs/intervals.md, "Means").
pub struct Waves {
    noise: Wave,
    scores: Vec<f64>,
    /// How many cells of each number have noise of their own.
    noised: Vec<u64>,
    /// How many cells outside have noise of their own.
    outside: u64,
    rule: Rule,
    /// The variance of the noise of one cell.
    one: f64,
    /// Waves that do not depend on the mean, by the bits of t.
    known: Mutex<HashMap<u64, [f64; 2]>>,
}

/// What is known of all noise.
enum Rule {
    /// One cell has minus the noise of all others: its number, or none if it is outside.
    Remainder(Option<usize>),
    /// All noise, without its expectation, has this sum.
    Total { sum: f64, circle: Circle },
}

/// The angles at which the sum of all noise is told from others.
struct Circle {
    /// How many angles there are.
    points: u64,
    /// Angles further from zero than this many points are left out: there the noise outside leaves nothing.
    reach: u64,
    /// What all angles give at t = 0.
    scale: f64,
}

/// What is below this is left out.
const NEGLIGIBLE: f64 = 1e-8;

/// The most angles.
const POINTS: u64 = 1 << 22;

/// The most values that are kept.
const KEPT: usize = 1 << 16;

impl Waves {
    /// The noise of groups of cells, each with its score. Nothing if the noise is too wide.
    pub(super) fn new(sums: &Sums, groups: &[GroupSum], scores: Vec<f64>) -> Option<Self> {
        let kinds: Vec<NoisedCells> = groups.iter().map(|group| group.kind()).collect();
        let rest = sums.rest(&kinds);
        let noised: Vec<u64> = kinds.iter().map(|kind| kind.noised).collect();
        let (all, outside) = (noised.iter().sum::<u64>() + rest.noised, rest.noised);
        let one = sums.folded(1)?;
        let noise = sums.noise_of_cells().wave();
        let rule = if sums.has_remainder() {
            Rule::Remainder(kinds.iter().position(|kind| kind.remainder))
        } else {
            let sum = sums.total() as f64 - all as f64 * one.mean();
            let law = sums.folded(all)?;
            let (low, high) = law.middle(NEGLIGIBLE);
            let span = (high - low) as f64 + 2.0 * sum.abs() + 8.0;
            let points = (span as u64).next_power_of_two();
            if points > POINTS {
                return None;
            }
            Rule::Total { sum, circle: Circle::new(noise, points, sum, [all, outside]) }
        };
        let one = one.variance();
        Some(Self { noise, scores, noised, outside, rule, one, known: Mutex::default() })
    }

    /// The product of the waves of all noise, where each number has a weight, and those outside another.
    fn product(&self, weight: impl Fn(usize) -> f64, outside: f64) -> f64 {
        let mut product = self.noise.power(outside, self.outside);
        for (index, &cells) in self.noised.iter().enumerate() {
            if product.abs() < 1e-14 {
                return 0.0;
            }
            product *= self.noise.power(weight(index), cells);
        }
        product
    }

    /// `E exp(i t N)` where all noise has a known sum.
    fn given_total(&self, mean: f64, t: f64, sum: f64, circle: &Circle) -> [f64; 2] {
        // Angles are counted from those at which the noise outside has its mode.
        let (mut real, mut imaginary) = (0.0, 0.0);
        for angle in circle.angles() {
            let value = self.product(|index| t * (self.scores[index] - mean) + angle, angle);
            let (sine, cosine) = libm::sincos(angle * sum);
            real += value * cosine;
            imaginary -= value * sine;
        }
        // Each cell is expected to have its part of the sum.
        let (sine, cosine) = libm::sincos(-t * self.weight(mean) * sum / self.cells() as f64);
        let (real, imaginary) = (real / circle.scale, imaginary / circle.scale);
        [real * cosine - imaginary * sine, real * sine + imaginary * cosine]
    }
}

impl MeanNoise for Waves {
    fn wave(&self, mean: f64, t: f64) -> [f64; 2] {
        match &self.rule {
            Rule::Remainder(place) => {
                let own = place.map_or(0.0, |place| self.scores[place] - mean);
                [self.product(|index| t * (self.scores[index] - mean - own), -t * own), 0.0]
            }
            Rule::Total { sum, circle } if self.outside > 0 => self.given_total(mean, t, *sum, circle),
            Rule::Total { sum, circle } => {
                // All noise is inside, and its sum known: the mean only moves it.
                let key = t.to_bits();
                let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(found) = lock().get(&key) {
                    return *found;
                }
                let middle = self.weight(0.0) / self.cells() as f64;
                let found = self.given_total(middle, t, *sum, circle);
                let mut known = lock();
                if known.len() < KEPT {
                    known.insert(key, found);
                }
                found
            }
        }
    }

    fn variance(&self, mean: f64) -> f64 {
        // What the other noise is known to take away from each weight.
        let shift = match &self.rule {
            Rule::Remainder(place) => place.map_or(0.0, |place| self.scores[place] - mean),
            Rule::Total { .. } => self.weight(mean) / self.cells() as f64,
        };
        let weights = self.noised.iter().zip(&self.scores);
        let square = |score: f64| (score - mean - shift) * (score - mean - shift);
        let inside: f64 = weights.map(|(&cells, score)| cells as f64 * square(*score)).sum();
        self.one * (inside + self.outside as f64 * shift * shift)
    }
}

impl Waves {
    /// How many cells have noise of their own.
    fn cells(&self) -> u64 {
        self.noised.iter().sum::<u64>() + self.outside
    }

    /// The sum of the weights of all noise.
    fn weight(&self, mean: f64) -> f64 {
        self.noised.iter().zip(&self.scores).map(|(&cells, score)| cells as f64 * (score - mean)).sum()
    }
}

impl Circle {
    fn new(noise: Wave, points: u64, sum: f64, [all, outside]: [u64; 2]) -> Self {
        let half = points / 2;
        // The wave falls on either side of zero.
        let small = |index: u64| {
            let angle = TAU * index as f64 / points as f64;
            outside > 0 && noise.power(angle, outside).abs() < NEGLIGIBLE
        };
        let (mut low, mut high) = (0, half);
        while low < high {
            let middle = (low + high) / 2;
            if small(middle) { high = middle } else { low = middle + 1 }
        }
        let mut circle = Self { points, reach: low, scale: 1.0 };
        let value = |angle: f64| noise.power(angle, all) * libm::cos(angle * sum);
        circle.scale = circle.angles().map(value).sum();
        circle
    }

    fn angles(&self) -> impl Iterator<Item = f64> {
        let (reach, points) = (self.reach as i64, self.points as i64);
        // Of an even number of points, the half turn is one, not two.
        let from = if 2 * reach >= points { 1 - points / 2 } else { -reach };
        let to = reach.min(points / 2);
        (from..=to).map(move |index| TAU * index as f64 / points as f64)
    }
}
