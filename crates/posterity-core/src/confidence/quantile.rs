//! Quantiles of ordered groups of cells.

use super::conditional::SET_SHARE;
use super::subject::Subject;
use super::sums::{GroupSum, Sums, Within};
use super::tested::Tested;

/// An interval for a quantile, in edges: edge 0 is below the first bin, and edge i between bin i-1 and bin i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantileInterval {
    /// Both edges. Every quantile is from the first to the second; they are never the same.
    pub ends: [usize; 2],
    /// The bin in which the quantile of the noisy counts lies; nothing if the condition has no expected records.
    pub bin: Option<usize>,
    /// Whether no record may satisfy the condition.
    pub may_be_empty: bool,
}

/// The interval from tests at the inner edges `1..bins`: `below(edge)` says whether it is rejected that at least p of the
/// records are below the edge, `above(edge)` that at most p are. Rejections count from either end inwards, and only without
/// gaps: so a miss needs the rejection of one edge, the first one beyond the quantile (docs/proofs/ordered.md, theorem 2).
pub fn contiguous(
    bins: usize,
    mut below: impl FnMut(usize) -> bool,
    mut above: impl FnMut(usize) -> bool,
) -> [usize; 2] {
    let mut low = 0;
    while low + 1 < bins && below(low + 1) {
        low += 1;
    }
    let mut high = bins;
    while high > low + 1 && above(high - 1) {
        high -= 1;
    }
    [low, high]
}

/// The bin in which a level is crossed by the increasing numbers that are nearest to these estimates, in squares. `over` has
/// at each inner edge how far the estimate of what is below is above the level: the crossing is where its running sum is
/// least (Groeneboom and Jongbloed 2014, lemma 3.2).
#[must_use]
pub fn isotonic_bin(over: &[f64]) -> usize {
    let (mut sum, mut least, mut bin) = (0.0, 0.0, 0);
    for (edge, above) in over.iter().enumerate() {
        sum += above;
        if sum < least {
            (least, bin) = (sum, edge + 1);
        }
    }
    bin
}

impl Sums {
    /// The interval at this level for the p-quantile of some records, whose groups have the cells of one bin each, from the
    /// lowest to the highest. Nothing if the noise is too wide.
    ///
    /// # Guarantee
    /// With at least the probability of its level it holds every p-quantile, whatever the truth is
    /// (docs/proofs/ordered.md, theorem 2).
    ///
    /// # Panics
    /// If there are no groups.
    #[must_use]
    pub fn quantile(
        &self,
        bins: &[Vec<usize>],
        p: f64,
        about: Subject,
        level: f64,
    ) -> Option<QuantileInterval> {
        let groups: Vec<GroupSum> = bins.iter().map(|cells| self.group(cells)).collect();
        let everything = bins.iter().map(Vec::len).sum::<usize>() == self.cells() && !self.n_is_private();
        let sets = !everything && about == Subject::Population;
        let beta = SET_SHARE * (1.0 - level);
        let size = 0.5 * (1.0 - level - if sets { beta } else { 0.0 });
        let running = |groups: &mut dyn Iterator<Item = GroupSum>| -> Vec<GroupSum> {
            let mut sums: Vec<GroupSum> = Vec::with_capacity(bins.len());
            for group in groups {
                sums.push(sums.last().map_or(group, |sum| sum.with(group)));
            }
            sums
        };
        let below = running(&mut groups.iter().copied());
        let above = running(&mut groups.iter().rev().copied());
        let condition = below[below.len() - 1];
        let tested = Tested::new(self, condition, everything, about, beta)?;
        // What is below an edge, and what is above it.
        let parts = |edge: usize| (below[edge - 1], above[bins.len() - 1 - edge]);
        let ends = contiguous(
            bins.len(),
            |edge| {
                let (others, group) = parts(edge);
                tested.is_larger(Within { group, others }, 1.0 - p, size)
            },
            |edge| {
                let (group, others) = parts(edge);
                tested.is_larger(Within { group, others }, p, size)
            },
        );
        let expected =
            |group: GroupSum| Some(group.drawn as f64 - self.noise(group).map(|noise| noise.mean())?);
        let all = if everything { self.size() } else { expected(condition)? };
        let over: Option<Vec<f64>> =
            (1..bins.len()).map(|edge| Some(expected(below[edge - 1])? - p * all)).collect();
        let bin = (all > 0.0).then_some(isotonic_bin(&over?).clamp(ends[0], ends[1] - 1));
        Some(QuantileInterval { ends, bin, may_be_empty: tested.may_be_empty() })
    }
}
