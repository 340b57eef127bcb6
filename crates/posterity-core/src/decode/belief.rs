//! What the true counts may be, as a list of points.

use crate::distance::{Pair, ln_bc};
use crate::model::Prior;
use crate::noise_aware::NoiseAware;
use crate::sampler::SeededBits;
use crate::special::Sum;

/// Possible true counts with their probabilities given the release: all of them where they are few, otherwise a sample from
/// a fixed seed, which makes a decoder deterministic.
#[derive(Debug)]
pub(super) struct Belief<'a> {
    prior: &'a Prior,
    /// The total of the parameters of every true posterior.
    total: f64,
    /// For each category the least count, and how many there are from there on.
    ranges: Vec<(u64, usize)>,
    /// For each point and category the count less the least one.
    places: Vec<u32>,
    probabilities: Vec<f64>,
}

/// As many points are listed, unless there are more.
const LISTED: f64 = 6_000.0;

/// As many are drawn otherwise; fewer for very many categories.
const DRAWN: usize = 1_000;

/// Ends of a marginal law that weigh less are not listed.
const NEGLIGIBLE: f64 = 1e-12;

impl<'a> Belief<'a> {
    pub(super) fn new(prior: &'a Prior, n: u64, aware: &NoiseAware) -> Self {
        let total = prior.parameters().iter().copied().collect::<Sum>().value() + n as f64;
        let ranges: Vec<(u64, usize)> =
            aware.marginals().iter().map(|marginal| marginal.range_up(NEGLIGIBLE)).collect();
        let lengths = ranges.iter().map(|&(_, length)| length as f64);
        let widest = lengths.clone().fold(1.0, f64::max);
        let (places, probabilities) = if lengths.product::<f64>() / widest <= LISTED {
            list(n, aware, &ranges)
        } else {
            draw(aware, &ranges)
        };
        Self { prior, total, ranges, places, probabilities }
    }

    fn k(&self) -> usize {
        self.ranges.len()
    }

    /// The part of `-ln BC` that one category has when its parameter is `value`, for every true count.
    pub(super) fn costs(&self, category: usize, value: f64) -> Vec<f64> {
        let alpha = self.prior.parameters()[category];
        let (first, length) = self.ranges[category];
        (0..length as u64).map(|place| -ln_bc(Pair::new(alpha + (first + place) as f64, value))).collect()
    }

    /// The part that the totals have, with its sign.
    pub(super) fn total_cost(&self, total: f64) -> f64 {
        ln_bc(Pair::new(self.total, total))
    }

    /// `-ln BC` of every point from parameters whose categories have these costs, but for the totals' part.
    pub(super) fn sums(&self, costs: &[Vec<f64>]) -> Vec<f64> {
        let points = self.places.chunks_exact(self.k());
        points
            .map(|places| places.iter().zip(costs).map(|(&place, costs)| costs[place as usize]).sum())
            .collect()
    }

    /// The expected Hellinger distance, given the costs of all points but for the totals' part; `changes` are added, each to
    /// the cost of one category.
    pub(super) fn expected(&self, sums: &[f64], total_cost: f64, changes: &[(usize, &[f64])]) -> f64 {
        let points = self.places.chunks_exact(self.k()).zip(sums.iter().zip(&self.probabilities));
        let mut expected = 0.0;
        for (places, (sum, probability)) in points {
            let mut cost = sum + total_cost;
            for &(category, change) in changes {
                cost += change[places[category] as usize];
            }
            // A cost of rounding size may come out negative.
            expected += probability * libm::sqrt(-libm::expm1(-cost.max(0.0)));
        }
        expected
    }

    /// The expected Hellinger distance of the Dirichlet distribution with these parameters.
    pub(super) fn expected_of(&self, parameters: &[f64]) -> f64 {
        let costs: Vec<Vec<f64>> =
            parameters.iter().enumerate().map(|(category, &value)| self.costs(category, value)).collect();
        let total = parameters.iter().copied().collect::<Sum>().value();
        self.expected(&self.sums(&costs), self.total_cost(total), &[])
    }

    /// How many operations an evaluation takes, roughly.
    pub(super) fn points(&self) -> usize {
        self.probabilities.len()
    }
}

/// Every point of the ranges that sums to n.
fn list(n: u64, aware: &NoiseAware, ranges: &[(u64, usize)]) -> (Vec<u32>, Vec<f64>) {
    let (mut places, mut weights) = (Vec::new(), Vec::new());
    let mut point = vec![0; ranges.len()];
    // The widest category is what the others leave.
    let widest = (0..ranges.len()).max_by_key(|&i| ranges[i].1).unwrap_or(0);
    loop {
        let others = |i: usize| i != widest;
        let sum: u64 = (0..ranges.len()).filter(|&i| others(i)).map(|i| ranges[i].0 + point[i]).sum();
        let rest = n.checked_sub(sum).and_then(|rest| rest.checked_sub(ranges[widest].0));
        if let Some(rest) = rest.filter(|&rest| rest < ranges[widest].1 as u64) {
            point[widest] = rest;
            let counts = point.iter().zip(ranges).map(|(place, range)| range.0 + place);
            weights.push(aware.weight(counts));
            places.extend(point.iter().map(|&place| place as u32));
        }
        // The next one, as an odometer.
        let Some(wheel) =
            (0..ranges.len()).filter(|&i| others(i)).find(|&i| point[i] + 1 < ranges[i].1 as u64)
        else {
            break;
        };
        point[wheel] += 1;
        (0..wheel).filter(|&i| others(i)).for_each(|i| point[i] = 0);
    }
    let total = weights.iter().copied().collect::<Sum>().value();
    weights.iter_mut().for_each(|weight| *weight /= total);
    (places, weights)
}

/// A sample; counts beyond the ranges, which are next to impossible, are moved to their ends.
fn draw(aware: &NoiseAware, ranges: &[(u64, usize)]) -> (Vec<u32>, Vec<f64>) {
    let mut bits = SeededBits::new(0);
    let mut places = Vec::new();
    let number = (200_000 / ranges.len()).clamp(100, DRAWN);
    for _ in 0..number {
        // A seeded source does not fail; if it did, there would be fewer points.
        let Ok(counts) = aware.sample_counts(&mut bits) else { break };
        let inside = counts.iter().zip(ranges);
        places.extend(
            inside.map(|(count, range)| count.saturating_sub(range.0).min(range.1 as u64 - 1) as u32),
        );
    }
    let drawn = places.len() / ranges.len();
    (places, vec![1.0 / drawn as f64; drawn])
}
