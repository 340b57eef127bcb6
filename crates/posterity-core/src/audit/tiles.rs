//! Three or more categories: every outcome of every data set is evaluated once.
//!
//! A tile is a few outcomes. All data sets are evaluated at the outcomes of a tile before the next tile begins, so that each
//! value is compared with those of all neighbours. The loss of a pair needs only the least and the largest difference of
//! exponents, and the two normalisers at the end. For a privacy profile the normalisers are needed first, so that everything
//! is evaluated twice.
//!
//! Tiles are divided into groups, whose number does not depend on the number of threads. The groups are done in parallel and
//! their results are added in order, so results do not depend on threads either.

use rayon::prelude::*;

use super::AuditError;
use super::estimate::{Estimates, negligible};
use super::kernel::{excess, exponents, spread, weigh};
use crate::mechanism::{Exponential, Mechanism, Space, costs};
use crate::model::Counts;
use crate::pulse::beat;
use crate::special::Sum;

/// Outcomes of a tile.
const WIDTH: usize = 16;

/// The most groups, and the most memory that all groups may use for their results, in bytes.
const GROUPS: usize = 64;
const MEMORY: usize = 1 << 28;

/// Estimates what all pairs of adjacent data sets lose.
pub(super) fn estimate(
    mechanism: &Exponential,
    epsilons: &[f64],
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Estimates, AuditError> {
    let all = DataSets::new(mechanism)?;
    let count = all.scales.len();
    let width = 1 + epsilons.len();
    let silent = |_| ();
    let first: &(dyn Fn(u64) + Sync) = if epsilons.is_empty() { progress } else { &silent };
    let mut totals = vec![Sum::default(); count];
    let mut spreads = vec![(f64::INFINITY, f64::NEG_INFINITY); all.pairs.len()];
    for group in all.groups(24 * count + 16 * all.pairs.len(), first, |tiles| all.measure(tiles)) {
        totals.iter_mut().zip(group.totals).for_each(|(total, part)| total.add(part.value()));
        for (spread, part) in spreads.iter_mut().zip(group.spreads) {
            *spread = (spread.0.min(part.0), spread.1.max(part.1));
        }
    }
    let totals: Vec<f64> = totals.into_iter().map(Sum::value).collect();
    let mut values = vec![0.0; all.pairs.len() * width];
    for ((values, &(least, largest)), pair) in values.chunks_exact_mut(width).zip(&spreads).zip(&all.pairs) {
        let shift = libm::log(totals[pair.there] / totals[pair.here]);
        values[0] = (shift - least).abs().max((shift - largest).abs());
    }
    if !epsilons.is_empty() {
        let factors: Vec<f64> = epsilons.iter().map(|&epsilon| libm::exp(epsilon)).collect();
        let shares: Vec<f64> = totals.iter().map(|total| 1.0 / total).collect();
        let size = 32 * all.pairs.len() * factors.len();
        let mut deltas = vec![[Sum::default(); 2]; all.pairs.len() * factors.len()];
        for group in all.groups(size, progress, |tiles| all.profile(tiles, &shares, &factors)) {
            for (delta, part) in deltas.iter_mut().zip(group) {
                delta.iter_mut().zip(part).for_each(|(delta, part)| delta.add(part.value()));
            }
        }
        for (values, deltas) in values.chunks_exact_mut(width).zip(deltas.chunks_exact(factors.len())) {
            for (value, [one, two]) in values[1..].iter_mut().zip(deltas) {
                *value = one.value().max(two.value());
            }
        }
    }
    let DataSets { k, counts, scales, pairs, .. } = all;
    let scales = pairs.iter().map(|pair| scales[pair.here] + scales[pair.there]).collect();
    let pair = move |index: usize| {
        let Pair { here, there } = pairs[index];
        [here, there].map(|at| counts[at * k..(at + 1) * k].to_vec())
    };
    Ok(Estimates::new(scales, values, pair))
}

/// All data sets of a size, which are also all outcomes, in lexicographic order.
struct DataSets {
    k: usize,
    counts: Vec<u64>,
    scales: Vec<f64>,
    pairs: Vec<Pair>,
    /// For each category and each of its counts, the costs of all outcomes of that category.
    costs: Vec<Vec<Vec<f64>>>,
    negligible: f64,
}

/// Two adjacent data sets.
#[derive(Clone, Copy)]
struct Pair {
    here: usize,
    there: usize,
}

/// What a group of tiles adds.
struct Measured {
    /// The sum of weights of each data set.
    totals: Vec<Sum>,
    /// The least and the largest difference of exponents of each pair.
    spreads: Vec<(f64, f64)>,
}

impl DataSets {
    fn new(mechanism: &Exponential) -> Result<Self, AuditError> {
        let setting = mechanism.setting();
        let (k, n) = (setting.k(), setting.n());
        let mut counts = Vec::new();
        Space::Candidates.for_each(k, n, |data| counts.extend_from_slice(data));
        let scales = counts
            .par_chunks_exact(k)
            .map(|data| {
                beat();
                Ok(mechanism.scale_down(&Counts::new(data.to_vec())?)?)
            })
            .collect::<Result<Vec<f64>, AuditError>>()?;
        let alpha = setting.prior().parameters();
        let costs_of = |&alpha: &f64| (0..=n).into_par_iter().map(|c| costs(alpha, c, n)).collect();
        let costs: Vec<Vec<Vec<f64>>> = alpha.iter().map(costs_of).collect();
        let mut all =
            Self { k, negligible: negligible(scales.len()), scales, pairs: Vec::new(), counts, costs };
        all.pairs = all.adjacent();
        Ok(all)
    }

    /// The counts of a data set.
    fn data(&self, index: usize) -> &[u64] {
        &self.counts[index * self.k..(index + 1) * self.k]
    }

    /// Every pair of adjacent data sets once: of the two, the later in the order has a record moved to the front.
    fn adjacent(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for here in 0..self.scales.len() {
            beat();
            let mut data = self.data(here).to_vec();
            for to in 0..self.k - 1 {
                for from in to + 1..self.k {
                    if data[from] == 0 {
                        continue;
                    }
                    data[from] -= 1;
                    data[to] += 1;
                    let there = self.index(&data);
                    data[from] += 1;
                    data[to] -= 1;
                    pairs.push(Pair { here, there });
                }
            }
        }
        pairs
    }

    /// The place of a data set in the order.
    fn index(&self, data: &[u64]) -> usize {
        let (mut low, mut high) = (0, self.scales.len() - 1);
        while low < high {
            let middle = (low + high) / 2;
            if self.data(middle) < data { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Applies `one` to groups of tiles, in parallel. Each result takes about `size` bytes.
    fn groups<T: Send>(
        &self,
        size: usize,
        progress: &(dyn Fn(u64) + Sync),
        one: impl Fn(&mut dyn Iterator<Item = usize>) -> T + Sync,
    ) -> Vec<T> {
        let tiles = self.scales.len().div_ceil(WIDTH);
        let groups = (MEMORY / size.max(1)).clamp(1, GROUPS).min(tiles);
        let work = |group: usize| {
            let mut starts = (group * tiles / groups..(group + 1) * tiles / groups).map(|tile| {
                progress(WIDTH.min(self.scales.len() - tile * WIDTH) as u64);
                tile * WIDTH
            });
            one(&mut starts)
        };
        (0..groups).into_par_iter().map(work).collect()
    }

    /// The sums of weights and the differences of exponents over some tiles.
    fn measure(&self, tiles: &mut dyn Iterator<Item = usize>) -> Measured {
        let mut measured = Measured {
            totals: vec![Sum::default(); self.scales.len()],
            spreads: vec![(f64::INFINITY, f64::NEG_INFINITY); self.pairs.len()],
        };
        let mut tile = Tile::default();
        for start in tiles {
            tile.fill(self, start);
            let mut weights = [0.0; WIDTH];
            for (total, exponents) in measured.totals.iter_mut().zip(tile.rows()) {
                total.add(weigh(exponents, &mut weights[..exponents.len()], self.negligible));
            }
            for (found, pair) in measured.spreads.iter_mut().zip(&self.pairs) {
                *found = spread(tile.row(pair.here), tile.row(pair.there), *found);
            }
        }
        measured
    }

    /// For each pair and each factor the sums of `max(0, p - factor q)` in both directions over some tiles.
    fn profile(
        &self,
        tiles: &mut dyn Iterator<Item = usize>,
        shares: &[f64],
        factors: &[f64],
    ) -> Vec<[Sum; 2]> {
        let mut deltas = vec![[Sum::default(); 2]; self.pairs.len() * factors.len()];
        let mut tile = Tile::default();
        for start in tiles {
            tile.fill(self, start);
            let mut weights = [0.0; WIDTH];
            for exponents in tile.values.chunks_exact_mut(tile.width) {
                let weights = &mut weights[..exponents.len()];
                weigh(exponents, weights, self.negligible);
                exponents.copy_from_slice(weights);
            }
            for (deltas, &Pair { here, there }) in deltas.chunks_exact_mut(factors.len()).zip(&self.pairs) {
                let (p, q) = (tile.row(here), tile.row(there));
                for ([one, two], factor) in deltas.iter_mut().zip(factors) {
                    one.add(excess((p, shares[here]), (q, factor * shares[there])));
                    two.add(excess((q, shares[there]), (p, factor * shares[here])));
                }
            }
        }
        deltas
    }
}

/// The exponents of all data sets at a few outcomes.
#[derive(Default)]
struct Tile {
    width: usize,
    values: Vec<f64>,
    /// For each category and each of its counts, the costs at the outcomes of the tile.
    costs: Vec<f64>,
}

impl Tile {
    fn fill(&mut self, all: &DataSets, start: usize) {
        beat();
        self.width = WIDTH.min(all.scales.len() - start);
        self.costs.clear();
        for (category, costs) in all.costs.iter().enumerate() {
            for costs in costs {
                let outcomes = (start..start + self.width).map(|outcome| all.data(outcome)[category]);
                self.costs.extend(outcomes.map(|r| costs[r as usize]));
            }
        }
        self.values.clear();
        self.values.resize(all.scales.len() * self.width, 0.0);
        let rows = self.costs.len() / self.width / all.k;
        let data_sets = all.counts.chunks_exact(all.k).zip(&all.scales);
        for (values, (data, &scale)) in self.values.chunks_exact_mut(self.width).zip(data_sets) {
            for (category, &count) in data.iter().enumerate() {
                let at = (category * rows + count as usize) * self.width;
                for (value, cost) in values.iter_mut().zip(&self.costs[at..at + self.width]) {
                    *value += cost;
                }
            }
            exponents(values, scale);
        }
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.width)
    }

    fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.width..(index + 1) * self.width]
    }
}
