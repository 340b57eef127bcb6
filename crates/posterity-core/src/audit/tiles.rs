//! Three or more categories and a score that follows from a sum over them: every outcome of every data set is evaluated
//! once.
//!
//! A tile is a few outcomes. All data sets are evaluated at the outcomes of a tile before the next tile begins, so that
//! each value is compared with those of all neighbours. The loss of a pair needs only the least and the largest
//! difference of exponents, and the two normalisers at the end. For a privacy profile the normalisers are needed first,
//! so that everything is evaluated twice.
//!
//! Data sets that arise from each other by exchanging categories of equal prior parameters lose the same, so that only
//! one of each such orbit is evaluated, with its neighbours.
//!
//! Tiles are divided into groups, whose number does not depend on the number of threads. The groups are done in
//! parallel and their results are added in order, so results do not depend on threads either.

use std::collections::HashMap;

use super::estimate::{Estimates, SCORE_DIFFERENCE, negligible};
use super::orbits::{Pair, PairOrbits};
use super::scope::AuditError;
use crate::mechanism::{Exponential, Mechanism, Space};
use crate::model::Counts;
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::sampler::Ruler;
use crate::special::Sum;
use crate::special::kernel::{excess, spread, weigh};

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
    let width = 1 + epsilons.len();
    let silent = |_| ();
    let first: &(dyn Fn(u64) + Sync) = if epsilons.is_empty() { progress } else { &silent };
    let (totals, spreads) = all.totals_and_spreads(first);
    let mut values = vec![0.0; all.pairs.len() * width];
    for ((values, &(least, largest)), pair) in values.chunks_exact_mut(width).zip(&spreads).zip(&all.pairs) {
        let shift = libm::log(totals[pair.there] / totals[pair.here]);
        values[0] = (shift - least).abs().max((shift - largest).abs());
    }
    if !epsilons.is_empty() {
        let deltas = all.deltas(&totals, epsilons, progress);
        for (values, deltas) in values.chunks_exact_mut(width).zip(deltas.chunks_exact(epsilons.len())) {
            values[1..].copy_from_slice(deltas);
        }
    }
    let DataSets { k, outcomes, adjacent, scales, pairs, .. } = all;
    let of = |like: usize| scales[pairs[like].here] + scales[pairs[like].there];
    let scales = adjacent.iter().map(|pair| of(pair.like)).collect();
    let values = adjacent.iter().flat_map(|pair| &values[pair.like * width..(pair.like + 1) * width]);
    let values = values.copied().collect();
    let pair = move |index: usize| {
        let Adjacent { pair: Pair { here, there }, .. } = adjacent[index];
        [here, there].map(|at| outcomes[at * k..(at + 1) * k].to_vec())
    };
    Ok(Estimates::new(scales, SCORE_DIFFERENCE, values, pair))
}

/// All data sets of a size, which are also all outcomes. Those that are evaluated have a row.
struct DataSets<'a> {
    k: usize,
    ruler: &'a dyn Ruler,
    /// The counts of all data sets in lexicographic order.
    outcomes: Vec<u64>,
    /// Every pair of adjacent data sets.
    adjacent: Vec<Adjacent>,
    /// The counts of each row.
    rows: Vec<u64>,
    /// The scale of each row.
    scales: Vec<f64>,
    /// Pairs of rows.
    pairs: Vec<Pair>,
    /// For each category and each of its counts, the costs of all outcomes of that category.
    costs: Vec<Vec<Vec<f64>>>,
    negligible: f64,
}

/// Two adjacent data sets, and the pair of rows that loses the same.
#[derive(Clone, Copy)]
struct Adjacent {
    pair: Pair,
    like: usize,
}

/// What a group of tiles adds.
struct Measured {
    /// The sum of weights of each row.
    totals: Vec<Sum>,
    /// The least and the largest difference of exponents of each pair.
    spreads: Vec<(f64, f64)>,
}

impl<'a> DataSets<'a> {
    fn new(mechanism: &'a Exponential) -> Result<Self, AuditError> {
        let setting = mechanism.setting();
        let (k, n) = (setting.k(), setting.n());
        let mut outcomes = Vec::new();
        Space::Candidates.for_each(k, n, |data| outcomes.extend_from_slice(data));
        let scale = |data: &[u64]| Ok::<f64, AuditError>(mechanism.scale_down(&Counts::new(data.to_vec())?)?);
        let scales = Parallelism::AllCores.try_map(outcomes.chunks_exact(k), scale)?;
        let alpha = setting.prior().parameters();
        let orbits = PairOrbits::new(alpha, &outcomes, &scales);
        let (mut rows, mut row_scales) = (Vec::new(), Vec::new());
        let mut row_of = HashMap::new();
        let mut row = |data: usize| {
            *row_of.entry(data).or_insert_with(|| {
                rows.extend_from_slice(&outcomes[data * k..(data + 1) * k]);
                row_scales.push(scales[data]);
                row_scales.len() - 1
            })
        };
        let (mut adjacent, mut pairs, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        orbits.for_each_pair(|pair, first| {
            let like = *known.entry(first).or_insert_with(|| {
                pairs.push(Pair { here: row(first.here), there: row(first.there) });
                pairs.len() - 1
            });
            adjacent.push(Adjacent { pair, like });
        });
        let ruler = mechanism.ruler();
        let costs_of = |category: usize| {
            let costs = |c| (0..=n).map(|r| ruler.cost(category, c, r)).collect();
            Parallelism::AllCores.map(0..=n, costs)
        };
        let costs = (0..k).map(costs_of).collect();
        let negligible = negligible(scales.len());
        Ok(Self { k, ruler, outcomes, adjacent, rows, scales: row_scales, pairs, costs, negligible })
    }

    /// The counts of an outcome.
    fn outcome(&self, index: usize) -> &[u64] {
        &self.outcomes[index * self.k..(index + 1) * self.k]
    }

    /// The sum of weights of each row, and the least and the largest difference of exponents of each pair.
    fn totals_and_spreads(&self, progress: &(dyn Fn(u64) + Sync)) -> (Vec<f64>, Vec<(f64, f64)>) {
        let mut totals = vec![Sum::default(); self.scales.len()];
        let mut spreads = vec![(f64::INFINITY, f64::NEG_INFINITY); self.pairs.len()];
        let size = 16 * (self.scales.len() + self.pairs.len());
        for group in self.groups(size, progress, |tiles| self.measure(tiles)) {
            totals.iter_mut().zip(group.totals).for_each(|(total, part)| total.add(part.value()));
            for (spread, part) in spreads.iter_mut().zip(group.spreads) {
                *spread = (spread.0.min(part.0), spread.1.max(part.1));
            }
        }
        (totals.into_iter().map(Sum::value).collect(), spreads)
    }

    /// The deltas of each pair, one for each epsilon, given the sums of weights.
    fn deltas(&self, totals: &[f64], epsilons: &[f64], progress: &(dyn Fn(u64) + Sync)) -> Vec<f64> {
        let factors: Vec<f64> = epsilons.iter().map(|&epsilon| libm::exp(epsilon)).collect();
        let shares: Vec<f64> = totals.iter().map(|total| 1.0 / total).collect();
        let mut deltas = vec![[Sum::default(); 2]; self.pairs.len() * factors.len()];
        let size = 32 * deltas.len();
        for group in self.groups(size, progress, |tiles| self.profile(tiles, &shares, &factors)) {
            for (delta, part) in deltas.iter_mut().zip(group) {
                delta.iter_mut().zip(part).for_each(|(delta, part)| delta.add(part.value()));
            }
        }
        deltas.into_iter().map(|[one, two]| one.value().max(two.value())).collect()
    }

    /// Applies `one` to groups of tiles, in parallel. Each result takes about `size` bytes.
    fn groups<T: Send>(
        &self,
        size: usize,
        progress: &(dyn Fn(u64) + Sync),
        one: impl Fn(&mut dyn Iterator<Item = usize>) -> T + Sync,
    ) -> Vec<T> {
        let outcomes = self.outcomes.len() / self.k;
        let tiles = outcomes.div_ceil(WIDTH);
        let groups = (MEMORY / size.max(1)).clamp(1, GROUPS).min(tiles);
        let work = |group: usize| {
            let mut starts = (group * tiles / groups..(group + 1) * tiles / groups).map(|tile| {
                progress(WIDTH.min(outcomes - tile * WIDTH) as u64);
                tile * WIDTH
            });
            one(&mut starts)
        };
        Parallelism::AllCores.map(0..groups, work)
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
            for (total, exponents) in measured.totals.iter_mut().zip(&tile.values) {
                // The last tile repeats its last outcome, which counts once.
                total.add(if tile.width == WIDTH {
                    weigh(exponents, &mut weights, self.negligible)
                } else {
                    weigh(&exponents[..tile.width], &mut weights[..tile.width], self.negligible)
                });
            }
            for (found, &Pair { here, there }) in measured.spreads.iter_mut().zip(&self.pairs) {
                *found = spread(&tile.values[here], &tile.values[there], *found);
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
            for exponents in &mut tile.values {
                let mut weights = [0.0; WIDTH];
                weigh(exponents, &mut weights, self.negligible);
                weights[tile.width..].fill(0.0);
                *exponents = weights;
            }
            for (deltas, &Pair { here, there }) in deltas.chunks_exact_mut(factors.len()).zip(&self.pairs) {
                let (p, q) = (&tile.values[here], &tile.values[there]);
                for ([one, two], factor) in deltas.iter_mut().zip(factors) {
                    one.add(excess((p, shares[here]), (q, factor * shares[there])));
                    two.add(excess((q, shares[there]), (p, factor * shares[here])));
                }
            }
        }
        deltas
    }
}

/// The exponents of all rows at a few outcomes.
#[derive(Default)]
struct Tile {
    /// The number of different outcomes. If there are fewer than the tile has places, the last is repeated.
    width: usize,
    values: Vec<[f64; WIDTH]>,
    /// For each category and each of its counts, the costs at the outcomes of the tile.
    costs: Vec<[f64; WIDTH]>,
}

impl Tile {
    fn fill(&mut self, all: &DataSets<'_>, start: usize) {
        beat();
        self.width = WIDTH.min(all.outcomes.len() / all.k - start);
        let outcomes: [&[u64]; WIDTH] =
            std::array::from_fn(|place| all.outcome(start + place.min(self.width - 1)));
        self.costs.clear();
        for (category, costs) in all.costs.iter().enumerate() {
            self.costs.extend(costs.iter().map(|costs| outcomes.map(|r| costs[r[category] as usize])));
        }
        let counts = self.costs.len() / all.k;
        self.values.clear();
        self.values.extend(all.rows.chunks_exact(all.k).zip(&all.scales).map(|(data, &scale)| {
            let mut values = [0.0; WIDTH];
            for (category, &count) in data.iter().enumerate() {
                let costs = &self.costs[category * counts + count as usize];
                values.iter_mut().zip(costs).for_each(|(value, cost)| *value += cost);
            }
            all.ruler.exponents(&mut values, scale);
            values
        }));
    }
}
