//! What the true counts may be, as a list of points.

use super::overlap::{Overlap, Share};
use crate::distance::{Pair, ln_bc};
use crate::model::Prior;
use crate::noise_aware::{Mass, NoiseAware};
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::sampler::SeededBits;
use crate::special::Sum;

/// Possible true counts with their probabilities given the release: all of them where they are few, otherwise a sample
/// from a fixed seed, which makes a decoder deterministic. The likeliest come first.
#[derive(Debug)]
pub(super) struct Belief<'a> {
    prior: &'a Prior,
    /// The total of the parameters of every true posterior.
    total: f64,
    categories: Vec<Category>,
    probabilities: Vec<f64>,
    /// The ends of the blocks in which points are summed.
    ends: Vec<usize>,
    /// The probability of all points after each block.
    rest: Vec<f64>,
    /// Whether the points were drawn.
    sample: bool,
}

/// The counts of one category.
#[derive(Debug)]
struct Category {
    values: Values,
    /// How many counts occur.
    width: usize,
    /// For each point the place of its count among the values.
    places: Vec<u32>,
}

/// Counts of a category in increasing order.
#[derive(Debug)]
enum Values {
    Range { first: u64, length: usize },
    List(Vec<u64>),
}

/// Up to this many points, all are listed.
const MAX_LISTED_POINTS: f64 = 6_000.0;

/// If there are more points, this many are drawn, or fewer for very many categories or very wide noise.
const DRAWN: usize = 1_000;

/// The seed of the first point that is drawn.
const FIRST_SEED: u64 = 0;

/// The ends of a marginal law are not listed if they weigh less than this.
const UNLISTED_WEIGHT: f64 = 1e-12;

/// The first block of points; each block is as long as all before it, up to the longest.
const FIRST_BLOCK: usize = 64;
const LONGEST_BLOCK: usize = 1_024;

impl<'a> Belief<'a> {
    pub(super) fn new(prior: &'a Prior, n: u64, aware: &NoiseAware) -> Self {
        let total = prior.parameters().iter().copied().collect::<Sum>().value() + n as f64;
        let ranges: Vec<(u64, usize)> =
            aware.marginals().iter().map(|marginal| marginal.range_up(UNLISTED_WEIGHT)).collect();
        let lengths = ranges.iter().map(|&(_, length)| length as f64);
        let widest = lengths.clone().fold(1.0, f64::max);
        let few = lengths.clone().product::<f64>() / widest <= MAX_LISTED_POINTS;
        let all = match (aware.leaves(), aware.points()) {
            (Some(leaves), _) if few => Some(listed(n, &leaves, &ranges)),
            (_, Some(points)) => kept(points, ranges.len()),
            _ => None,
        };
        let sample = all.is_none();
        let (categories, probabilities) =
            all.unwrap_or_else(|| drawn(aware, ranges.len(), lengths.sum(), FIRST_SEED));
        Self::of_points(prior, total, categories, probabilities, sample)
    }

    /// Other draws of the same number, which no search has seen.
    #[cfg(test)]
    pub(super) fn drawn_anew(&self, aware: &NoiseAware, seed: u64) -> Self {
        let (categories, probabilities) = drawn(aware, self.categories.len(), 0.0, seed);
        Self::of_points(self.prior, self.total, categories, probabilities, true)
    }

    fn of_points(
        prior: &'a Prior,
        total: f64,
        categories: Vec<Category>,
        probabilities: Vec<f64>,
        sample: bool,
    ) -> Self {
        let mut ends = Vec::new();
        let mut end = 0;
        while end < probabilities.len() {
            end = (end + end.clamp(FIRST_BLOCK, LONGEST_BLOCK)).min(probabilities.len());
            ends.push(end);
        }
        let mut rest: Vec<f64> = Vec::with_capacity(ends.len());
        let mut after = Sum::default();
        for (block, &end) in ends.iter().enumerate().rev() {
            rest.push(after.value());
            let start = block.checked_sub(1).map_or(0, |before| ends[before]);
            after.add(probabilities[start..end].iter().sum());
        }
        rest.reverse();
        Self { prior, total, categories, probabilities, ends, rest, sample }
    }

    /// Whether the points were drawn, so that expected distances differ from those under the law.
    pub(super) fn is_sample(&self) -> bool {
        self.sample
    }

    /// The number of blocks in which the points are summed.
    pub(super) fn blocks(&self) -> usize {
        self.ends.len()
    }

    /// The points of a block.
    pub(super) fn block(&self, block: usize) -> std::ops::Range<usize> {
        block.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[block]
    }

    /// The probability of all points after a block.
    pub(super) fn rest(&self, block: usize) -> f64 {
        self.rest[block]
    }

    /// For each point of a block, the place of its count among the counts of a category.
    pub(super) fn places(&self, category: usize, block: usize) -> &[u32] {
        &self.categories[category].places[self.block(block)]
    }

    /// The probabilities of the points of a block.
    pub(super) fn probabilities(&self, block: usize) -> &[f64] {
        &self.probabilities[self.block(block)]
    }

    /// The factors of the Bhattacharyya coefficient that one category has when its parameter is `value`, for every true
    /// count.
    pub(super) fn overlap(&self, category: usize, value: f64) -> Overlap {
        beat();
        let alpha = self.prior.parameters()[category];
        match &self.categories[category].values {
            Values::Range { first, length } => Overlap::of_range(alpha, *first, *length, value),
            Values::List(counts) => Overlap::of_list(alpha, counts, value),
        }
    }

    /// The part of `-ln BC` that the totals have, with its sign.
    pub(super) fn total_cost(&self, total: f64) -> f64 {
        ln_bc(Pair::new(self.total, total))
    }

    /// `BC` of every point of a block and the Dirichlet distribution with these parameters, whose total has this cost.
    pub(super) fn shares(
        &self,
        parameters: &[f64],
        overlaps: &[Overlap],
        total_cost: f64,
        block: usize,
    ) -> Vec<Share> {
        beat();
        let scale = overlaps.iter().map(|overlap| overlap.least).chain([total_cost]).collect::<Sum>().value();
        if scale < -SCALED {
            return self.shares_by_logarithms(parameters, overlaps, total_cost, block);
        }
        let mut shares = vec![Share::of_cost(scale); self.block(block).len()];
        for (category, overlap) in overlaps.iter().enumerate() {
            for (share, &place) in shares.iter_mut().zip(self.places(category, block)) {
                *share = overlap.shares[place as usize].times(*share);
            }
        }
        shares
    }

    /// The shares where the product of the categories' factors would underflow.
    fn shares_by_logarithms(
        &self,
        parameters: &[f64],
        overlaps: &[Overlap],
        total_cost: f64,
        block: usize,
    ) -> Vec<Share> {
        let mut costs = vec![0.0; self.block(block).len()];
        let categories = self.prior.parameters().iter().zip(parameters).zip(&self.categories).zip(overlaps);
        for (index, (((alpha, value), category), overlap)) in categories.enumerate() {
            // Few different counts occur at many points, so the cost of each is computed once.
            let mut known: Vec<Option<f64>> = match &overlap.costs {
                Some(costs) => costs.iter().copied().map(Some).collect(),
                None => vec![None; overlap.shares.len()],
            };
            for (sum, &place) in costs.iter_mut().zip(self.places(index, block)) {
                let place = place as usize;
                let cost = || -ln_bc(Pair::new(alpha + category.values.at(place) as f64, *value));
                *sum += *known[place].get_or_insert_with(cost);
            }
        }
        costs.into_iter().map(|cost| Share::of_cost(cost + total_cost)).collect()
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.probabilities.len()
    }

    /// How to compute the factors of all categories.
    pub(super) fn parallelism(&self) -> Parallelism {
        Parallelism::for_counts(self.categories.iter().map(|category| category.width as f64).sum())
    }

    /// The number of counts that occur in a category.
    pub(super) fn width(&self, category: usize) -> usize {
        self.categories[category].width
    }
}

impl Values {
    fn at(&self, place: usize) -> u64 {
        match self {
            Self::Range { first, .. } => first + place as u64,
            Self::List(counts) => counts[place],
        }
    }
}

/// If the totals' factor exceeds `exp(SCALED)`, those of the categories may underflow.
const SCALED: f64 = 300.0;

/// The counts of the categories at each point, and the probability of each point.
type Points = (Vec<Category>, Vec<f64>);

/// Every point of the ranges that sums to n, the likeliest first.
fn listed(n: u64, leaves: &[&Mass], ranges: &[(u64, usize)]) -> Points {
    let k = ranges.len();
    let weights: Vec<&[f64]> = leaves
        .iter()
        .zip(ranges)
        .map(|(leaf, &(first, length))| &leaf.values[(first - leaf.start) as usize..][..length])
        .collect();
    // The widest category is what the others leave. One of the others runs fastest.
    let widest = (0..k).max_by_key(|&i| ranges[i].1).unwrap_or(0);
    let fastest = usize::from(widest == 0);
    let slow: Vec<usize> = (0..k).filter(|&i| i != widest && i != fastest).collect();
    let (mut points, mut probabilities) = (Vec::new(), Vec::new());
    let mut point = vec![0_u32; k];
    let first: u64 = ranges.iter().map(|range| range.0).sum();
    // The first counts are at most the expected ones, which sum to n.
    let spare = n.saturating_sub(first);
    loop {
        beat();
        let used: u64 = slow.iter().map(|&i| u64::from(point[i])).sum();
        let weight: f64 = slow.iter().map(|&i| weights[i][point[i] as usize]).product();
        if let Some(left) = spare.checked_sub(used) {
            let low = (left + 1).saturating_sub(ranges[widest].1 as u64);
            let high = (left + 1).min(ranges[fastest].1 as u64);
            for place in low..high {
                (point[fastest], point[widest]) = (place as u32, (left - place) as u32);
                points.extend_from_slice(&point);
                let others = weights[fastest][place as usize] * weights[widest][(left - place) as usize];
                probabilities.push(weight * others);
            }
        }
        // The next one, as an odometer.
        let Some(wheel) = slow.iter().position(|&i| (point[i] as usize) + 1 < ranges[i].1) else { break };
        point[slow[wheel]] += 1;
        slow[..wheel].iter().for_each(|&i| point[i] = 0);
    }
    let total = probabilities.iter().copied().collect::<Sum>().value();
    let order = likeliest_first(&probabilities);
    let categories = ranges.iter().enumerate().map(|(i, &(first, length))| Category {
        values: Values::Range { first, length },
        width: length,
        places: order.iter().map(|&point| points[point as usize * k + i]).collect(),
    });
    let probabilities = order.iter().map(|&point| probabilities[point as usize] / total).collect();
    (categories.collect(), probabilities)
}

/// The likeliest of listed data sets, without those that together are negligible; nothing if too many are left.
fn kept(points: &crate::noise_aware::Points, k: usize) -> Option<Points> {
    // All that are less likely than this are negligible together.
    let least = UNLISTED_WEIGHT / points.len() as f64;
    let mut likely: Vec<(&[u64], f64)> = points.iter().filter(|&(_, p)| p > least).collect();
    // A stable sort, so that the order of equals does not depend on the platform.
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut rest = 1.0;
    let needed = likely.iter().take_while(|(_, p)| {
        let needed = rest > UNLISTED_WEIGHT;
        rest -= p;
        needed
    });
    let needed = needed.count();
    likely.truncate(needed);
    if likely.len() as f64 > MAX_LISTED_POINTS {
        return None;
    }
    let total = likely.iter().map(|(_, p)| p).copied().collect::<Sum>().value();
    let categories = (0..k).map(|i| Category::new(likely.iter().map(|(counts, _)| counts[i])));
    Some((categories.collect(), likely.iter().map(|(_, p)| p / total).collect()))
}

/// The places of the numbers by decreasing powers of two. Within one power they keep their order.
fn likeliest_first(numbers: &[f64]) -> Vec<u32> {
    let power = |number: f64| (number.to_bits() >> 52) as usize;
    let mut starts = vec![0_u32; 2_049];
    // The sign bit is zero, so the power is below 2048.
    numbers.iter().for_each(|&number| starts[2_048 - power(number)] += 1);
    let mut sum = 0;
    for start in &mut starts {
        (*start, sum) = (sum, sum + *start);
    }
    let mut order = vec![0; numbers.len()];
    for (index, &number) in (0..).zip(numbers) {
        let start = &mut starts[2_048 - power(number)];
        order[*start as usize] = index;
        *start += 1;
    }
    order
}

/// A sample. Each point has a seed of its own, so that they can be drawn on all cores.
fn drawn(aware: &NoiseAware, k: usize, width: f64, seed: u64) -> Points {
    let number = (2e5 / k as f64).min(5e8 / width).clamp(100.0, DRAWN as f64) as u64;
    let sources = (seed..seed + number).map(SeededBits::new).collect();
    // A seeded source does not fail; if it did, there would be no points.
    let points = aware.sample_counts_each(sources).unwrap_or_default();
    let categories = (0..k).map(|i| Category::new(points.iter().map(|point| point[i])));
    let probability = 1.0 / points.len() as f64;
    (categories.collect(), vec![probability; points.len()])
}

impl Category {
    /// The category that has these counts, one for each point.
    fn new(counts: impl Iterator<Item = u64> + Clone) -> Self {
        let mut values: Vec<u64> = counts.clone().collect();
        values.sort_unstable();
        values.dedup();
        let width = values.len();
        let (first, last) = (values[0], values[width - 1]);
        let length = (last - first) as usize + 1;
        // The recurrence over a range is many times as fast as the definition for each count of a list.
        if length <= SPARSE * width {
            let places = counts.map(|count| (count - first) as u32).collect();
            return Self { values: Values::Range { first, length }, width, places };
        }
        let places = counts.map(|count| values.partition_point(|&value| value < count) as u32).collect();
        Self { values: Values::List(values), width, places }
    }
}

/// A list with larger gaps than this, on average, is kept as a list.
const SPARSE: usize = 16;
