//! Expected distances of candidates, of which only as much is computed as a comparison needs.

use super::belief::Belief;
use super::overlap::{Overlap, Share};
use crate::distance::{Pair, cost, ln_bc};
use crate::special::Sum;

/// A Dirichlet distribution whose expected distance from the truth is summed block by block.
///
/// The distances of one point from two distributions differ by at most the distance between these two (the triangle
/// inequality). So two expected distances can be compared as soon as they differ by more than that distance times the
/// probability of the points that are left (docs/proofs/decoding.md).
pub(super) struct Candidate<'a> {
    belief: &'a Belief<'a>,
    parameters: Vec<f64>,
    total_cost: f64,
    overlaps: Vec<Overlap>,
    /// BC of each point, as far as they are computed.
    shares: Vec<Share>,
    sums: Sums,
}

/// One category of a candidate with another parameter.
pub(super) struct Part {
    category: usize,
    /// By which share BC falls, for every count.
    losses: Vec<f64>,
    /// `-ln_bc` between the old and the new parameter.
    cost: f64,
}

/// A candidate with one category changed, or two that together keep the total.
pub(super) struct Moved<'p> {
    first: &'p Part,
    second: Option<&'p Part>,
    /// The distance from the candidate.
    apart: f64,
    sums: Sums,
}

/// The sums of the distances of all points up to the end of each block.
#[derive(Default)]
struct Sums {
    running: Sum,
    totals: Vec<f64>,
}

/// Of a sample, a gain is believed if it is above this many standard errors: the best of many moves gains by chance.
const SURE: f64 = 3.0;

/// A partial sum may differ by rounding from what it would be with other neighbours.
const PARTIAL_SUM_ROUNDING: f64 = 1e-13;

impl Sums {
    fn push(&mut self, block: f64) {
        self.running.add(block);
        self.totals.push(self.running.value());
    }
}

/// Whether one expected distance is below another by more than `margin`, given functions that sum both up to a block,
/// and how far apart the two distributions are.
fn is_below(belief: &Belief<'_>, apart: f64, margin: f64, mut difference: impl FnMut(usize) -> f64) -> bool {
    let last = belief.blocks() - 1;
    for block in 0..last {
        let (difference, unknown) =
            (difference(block) + margin, belief.rest(block) * apart + PARTIAL_SUM_ROUNDING);
        if difference.abs() > unknown {
            return difference < 0.0;
        }
    }
    difference(last) < -margin
}

/// The Hellinger distance of a cost, rounded up.
fn distance_up(cost: f64) -> f64 {
    libm::sqrt(-libm::expm1(-cost.max(0.0))) * (1.0 + 1e-9) + 1e-9
}

impl<'a> Candidate<'a> {
    pub(super) fn new(belief: &'a Belief<'a>, parameters: Vec<f64>) -> Self {
        let overlaps = belief.parallelism().map(0..parameters.len(), |i| belief.overlap(i, parameters[i]));
        let total = parameters.iter().copied().collect::<Sum>().value();
        let total_cost = belief.total_cost(total);
        Self { belief, parameters, total_cost, overlaps, shares: Vec::new(), sums: Sums::default() }
    }

    pub(super) fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    pub(super) fn into_parameters(self) -> Vec<f64> {
        self.parameters
    }

    /// The expected Hellinger distance.
    pub(super) fn expected(&mut self) -> f64 {
        self.sum_to(self.belief.blocks() - 1).min(1.0)
    }

    /// Whether its expected distance is below another one's by more than a margin.
    pub(super) fn is_below(&mut self, other: &mut Self, margin: f64) -> bool {
        let pairs = self.parameters.iter().zip(&other.parameters).map(|(&a, &b)| Pair::new(a, b));
        let apart = distance_up(cost(pairs));
        is_below(self.belief, apart, margin, |block| self.sum_to(block) - other.sum_to(block))
    }

    /// Whether its expected distance is below another one's by more than chance explains, if the points are a sample: by
    /// more than [`SURE`] standard errors of the mean difference.
    pub(super) fn is_surely_below(&mut self, other: &mut Self) -> bool {
        if !self.belief.is_sample() {
            return true;
        }
        let last = self.belief.blocks() - 1;
        self.sum_to(last);
        other.sum_to(last);
        let distance = |share: &Share| share.lost.max(0.0).sqrt();
        let gains = || other.shares.iter().zip(&self.shares).map(|(old, new)| distance(old) - distance(new));
        let number = self.shares.len() as f64;
        let mean = gains().sum::<f64>() / number;
        let variance = gains().map(|gain| (gain - mean) * (gain - mean)).sum::<f64>() / number;
        mean > SURE * (variance / number).sqrt()
    }

    /// One category with another parameter.
    pub(super) fn part(&self, category: usize, value: f64) -> Part {
        let (old, new) = (&self.overlaps[category], self.belief.overlap(category, value));
        let scale = Share::of_cost(new.least - old.least);
        let losses = old.shares.iter().zip(new.shares).map(|(old, new)| old.relative_loss(new, scale));
        let cost = -ln_bc(Pair::new(self.parameters[category], value));
        Part { category, losses: losses.collect(), cost }
    }

    /// The sum over all points up to the end of a block.
    fn sum_to(&mut self, block: usize) -> f64 {
        while self.sums.totals.len() <= block {
            let next = self.sums.totals.len();
            let shares = self.belief.shares(&self.parameters, &self.overlaps, self.total_cost, next);
            self.sums.push(expected(self.belief.probabilities(next), shares.iter().map(|share| share.lost)));
            self.shares.extend(shares);
        }
        self.sums.totals[block]
    }
}

impl Part {
    pub(super) fn category(&self) -> usize {
        self.category
    }
}

impl<'p> Moved<'p> {
    /// With one category changed. The total's cost stays as it is, so this is only good for ranking.
    pub(super) fn one(part: &'p Part) -> Self {
        Self { first: part, second: None, apart: distance_up(part.cost), sums: Sums::default() }
    }

    /// With two categories changed.
    pub(super) fn both(less: &'p Part, more: &'p Part) -> Self {
        let apart = distance_up(less.cost + more.cost);
        Self { first: less, second: Some(more), apart, sums: Sums::default() }
    }

    /// The expected distance, given the candidate that it was made from.
    pub(super) fn expected(&mut self, at: &mut Candidate<'_>) -> f64 {
        self.sum_to(at.belief.blocks() - 1, at).min(1.0)
    }

    /// Whether its expected distance is below that of the candidate that it was made from, by more than a margin.
    pub(super) fn is_below_start(&mut self, at: &mut Candidate<'_>, margin: f64) -> bool {
        let (belief, apart) = (at.belief, self.apart);
        is_below(belief, apart, margin, |block| self.sum_to(block, at) - at.sum_to(block))
    }

    /// Whether its expected distance is below that of another one from the same candidate, by more than a margin.
    pub(super) fn is_below(&mut self, other: &mut Self, at: &mut Candidate<'_>, margin: f64) -> bool {
        let (belief, apart) = (at.belief, self.apart + other.apart);
        is_below(belief, apart, margin, |block| self.sum_to(block, at) - other.sum_to(block, at))
    }

    fn sum_to(&mut self, block: usize, at: &mut Candidate<'_>) -> f64 {
        at.sum_to(block);
        while self.sums.totals.len() <= block {
            let next = self.sums.totals.len();
            let shares = at.shares[at.belief.block(next)].iter();
            let probabilities = at.belief.probabilities(next);
            let places = |part: &Part| at.belief.places(part.category, next);
            let first = places(self.first).iter().map(|&place| self.first.losses[place as usize]);
            let sum = match self.second {
                None => expected(
                    probabilities,
                    shares.zip(first).map(|(share, loss)| share.lost + share.kept * loss),
                ),
                Some(second) => {
                    let losses = places(second).iter().map(|&place| second.losses[place as usize]);
                    let moved = shares.zip(first.zip(losses));
                    expected(
                        probabilities,
                        moved.map(|(share, (one, other))| {
                            share.lost + share.kept * (one + other - one * other)
                        }),
                    )
                }
            };
            self.sums.push(sum);
        }
        self.sums.totals[block]
    }
}

/// `sum p sqrt(lost)`.
fn expected(probabilities: &[f64], lost: impl Iterator<Item = f64>) -> f64 {
    // A loss of rounding size may come out negative. A square root is rounded correctly on every platform.
    probabilities.iter().zip(lost).map(|(p, lost)| p * lost.max(0.0).sqrt()).sum()
}
