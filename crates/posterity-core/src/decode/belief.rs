//! What the true counts may be, as a list of points.

use rayon::prelude::*;

use crate::distance::{Pair, ln_bc};
use crate::model::Prior;
use crate::noise_aware::NoiseAware;
use crate::pulse::beat;
use crate::sampler::SeededBits;
use crate::special::Sum;

/// Possible true counts with their probabilities given the release: all of them where they are few, otherwise a sample from
/// a fixed seed, which makes a decoder deterministic.
#[derive(Debug)]
pub(super) struct Belief<'a> {
    prior: &'a Prior,
    /// The total of the parameters of every true posterior.
    total: f64,
    /// For each category the counts that occur, in increasing order.
    values: Vec<Vec<u64>>,
    /// For each point and category the place of its count among those.
    places: Vec<u32>,
    probabilities: Vec<f64>,
}

/// As many points are listed, unless there are more.
const LISTED: f64 = 6_000.0;

/// As many are drawn otherwise; fewer for very many categories or very wide noise.
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
        if lengths.clone().product::<f64>() / widest <= LISTED {
            let (places, probabilities) = list(n, aware, &ranges);
            let values =
                ranges.iter().map(|&(first, length)| (first..first + length as u64).collect()).collect();
            Self { prior, total, values, places, probabilities }
        } else {
            let counts = draw(aware, ranges.len(), lengths.sum());
            let drawn = counts.len() / ranges.len();
            let values: Vec<Vec<u64>> =
                (0..ranges.len()).map(|i| distinct(&counts, i, ranges.len())).collect();
            let places = counts.iter().enumerate();
            let place = |(index, count): (usize, &u64)| {
                values[index % ranges.len()].partition_point(|v| v < count) as u32
            };
            let places = places.map(place).collect();
            Self { prior, total, values, places, probabilities: vec![1.0 / drawn as f64; drawn] }
        }
    }

    fn k(&self) -> usize {
        self.values.len()
    }

    /// The part of `-ln BC` that one category has when its parameter is `value`, for every true count.
    pub(super) fn costs(&self, category: usize, value: f64) -> Vec<f64> {
        beat();
        let alpha = self.prior.parameters()[category];
        self.values[category].iter().map(|&count| -ln_bc(Pair::new(alpha + count as f64, value))).collect()
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
        beat();
        let points = self.places.chunks_exact(self.k()).zip(sums.iter().zip(&self.probabilities));
        let mut expected = Sum::default();
        for (places, (sum, probability)) in points {
            let mut cost = sum + total_cost;
            for &(category, change) in changes {
                cost += change[places[category] as usize];
            }
            // A cost of rounding size may come out negative.
            expected.add(probability * libm::sqrt(-libm::expm1(-cost.max(0.0))));
        }
        expected.value().min(1.0)
    }

    /// The expected Hellinger distance of the Dirichlet distribution with these parameters.
    pub(super) fn expected_of(&self, parameters: &[f64]) -> f64 {
        let costs: Vec<Vec<f64>> =
            parameters.iter().enumerate().map(|(category, &value)| self.costs(category, value)).collect();
        let total = parameters.iter().copied().collect::<Sum>().value();
        self.expected(&self.sums(&costs), self.total_cost(total), &[])
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.probabilities.len()
    }

    /// The number of counts that occur in a category.
    pub(super) fn width(&self, category: usize) -> usize {
        self.values[category].len()
    }
}

/// Every point of the ranges that sums to n.
fn list(n: u64, aware: &NoiseAware, ranges: &[(u64, usize)]) -> (Vec<u32>, Vec<f64>) {
    let (mut places, mut weights) = (Vec::new(), Vec::new());
    let mut point = vec![0; ranges.len()];
    // The widest category is what the others leave.
    let widest = (0..ranges.len()).max_by_key(|&i| ranges[i].1).unwrap_or(0);
    loop {
        beat();
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

/// A sample, one point after the other. Each has a seed of its own, so that they can be drawn on all cores.
fn draw(aware: &NoiseAware, k: usize, width: f64) -> Vec<u64> {
    let number = (2e5 / k as f64).min(5e8 / width).clamp(100.0, DRAWN as f64) as u64;
    let points: Vec<Vec<u64>> = (0..number)
        .into_par_iter()
        // A seeded source does not fail; if it did, there would be fewer points.
        .filter_map(|seed| {
            beat();
            aware.sample_counts(&mut SeededBits::new(seed)).ok()
        })
        .collect();
    points.concat()
}

/// The counts of one category that occur, in increasing order.
fn distinct(counts: &[u64], category: usize, k: usize) -> Vec<u64> {
    let mut values: Vec<u64> = counts.iter().skip(category).step_by(k).copied().collect();
    values.sort_unstable();
    values.dedup();
    values
}
