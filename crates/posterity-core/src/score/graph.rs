//! Sensitivities by enumeration of all data sets: the local one of each, and the smooth ones by a pass over the data
//! sets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::decay::Decay;
use crate::mechanism::Space;
use crate::parallelism::Parallelism;
use crate::pulse::beat;

/// All data sets of a size in lexicographic order, with their local sensitivities.
#[derive(Debug)]
pub(crate) struct DataGraph {
    k: usize,
    data: Vec<u64>,
    local: Vec<f64>,
}

impl DataGraph {
    /// Evaluates `change(counts, from, to, candidate)`, the size of the change of a candidate's score when a record
    /// moves from one category to another, for all data sets, moves and candidates.
    pub(crate) fn new(k: usize, n: u64, change: impl Fn(&[u64], usize, usize, &[u64]) -> f64 + Sync) -> Self {
        let mut data = Vec::new();
        Space::Candidates.for_each(k, n, |counts| data.extend_from_slice(counts));
        // Every pair once: the neighbours that come later in the order have a record moved to the front.
        let changes = Parallelism::AllCores.map(data.chunks_exact(k), |counts| {
            let mut changes = Vec::new();
            for_each_neighbour(counts, |from, to, neighbour| {
                beat();
                if to < from {
                    let each = data.chunks_exact(k).map(|candidate| change(counts, from, to, candidate));
                    changes.push((index(k, &data, neighbour), each.fold(0.0, f64::max)));
                }
            });
            changes
        });
        let mut local = vec![0.0_f64; data.len() / k];
        for (here, changes) in changes.iter().enumerate() {
            for &(there, change) in changes {
                local[here] = local[here].max(change);
                local[there] = local[there].max(change);
            }
        }
        Self { k, data, local }
    }

    /// The local sensitivity.
    pub(crate) fn local(&self, counts: &[u64]) -> f64 {
        self.local[index(self.k, &self.data, counts)]
    }

    /// The largest local sensitivity.
    pub(crate) fn global(&self) -> f64 {
        self.local.iter().copied().fold(0.0, f64::max)
    }

    /// The smooth sensitivities of all data sets, by Dijkstra's algorithm with every data set as a source: the largest
    /// value is settled first and handed on to the neighbours, discounted by one more step. In the order of the data
    /// sets.
    pub(crate) fn smooth(&self, decay: Decay) -> Vec<f64> {
        let key = |source: usize, distance: u64| decay.at(self.local[source], distance).to_bits();
        let mut settled: Vec<Option<f64>> = vec![None; self.local.len()];
        // Positive floating-point numbers are in the order of their bits.
        let mut open: BinaryHeap<(u64, Reverse<usize>, usize, u64)> =
            (0..self.local.len()).map(|source| (key(source, 0), Reverse(source), source, 0)).collect();
        while let Some((bits, Reverse(at), source, distance)) = open.pop() {
            if settled[at].is_some() {
                continue;
            }
            beat();
            settled[at] = Some(f64::from_bits(bits));
            for_each_neighbour(&self.data[at * self.k..(at + 1) * self.k], |_, _, neighbour| {
                let next = index(self.k, &self.data, neighbour);
                if settled[next].is_none() {
                    open.push((key(source, distance + 1), Reverse(next), source, distance + 1));
                }
            });
        }
        settled.into_iter().map(|value| value.unwrap_or(0.0)).collect()
    }

    /// The place of a data set.
    pub(crate) fn index(&self, counts: &[u64]) -> usize {
        index(self.k, &self.data, counts)
    }
}

/// Calls `visit` with every adjacent data set, and the categories that a record left and joined.
fn for_each_neighbour(counts: &[u64], mut visit: impl FnMut(usize, usize, &[u64])) {
    let mut neighbour = counts.to_vec();
    for from in (0..counts.len()).filter(|&from| counts[from] > 0) {
        for to in (0..counts.len()).filter(|&to| to != from) {
            neighbour[from] -= 1;
            neighbour[to] += 1;
            visit(from, to, &neighbour);
            neighbour[from] += 1;
            neighbour[to] -= 1;
        }
    }
}

/// The place of a data set in the lexicographic order.
fn index(k: usize, data: &[u64], counts: &[u64]) -> usize {
    let (mut low, mut high) = (0, data.len() / k);
    while low < high {
        let middle = low + (high - low) / 2;
        if &data[middle * k..(middle + 1) * k] < counts { low = middle + 1 } else { high = middle }
    }
    low
}
