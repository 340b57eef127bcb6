//! Estimates of what every pair of adjacent data sets loses, and the choice of pairs that must be compared exactly.

use super::law::ln_law;
use super::report::Audit;
use super::scope::AuditError;
use super::selection::Selection;
use super::worst::Worst;
use crate::mechanism::Mechanism;
use crate::pulse::beat;

/// A bound on the difference between a score and the one that an estimate uses, 2^-43 (docs/proofs/audit.md, lemma 4).
pub(super) const SCORE_DIFFERENCE: f64 = 1.0 / (1_u64 << 43) as f64;

/// A bound on the part of the error of an estimate that does not grow with the scale, 2^-42.
const FIXED_ERROR: f64 = 1.0 / (1_u64 << 42) as f64;

/// Weights `exp(-x)` are taken as zero for x above this number plus the logarithm of the number of outcomes.
const ZERO_WEIGHT_EXPONENT: f64 = 60.0;

/// The number of pairs that are compared exactly for each quantity: the first, or one in 512 if that is more, up to the
/// second.
const COMPARED_EXACTLY: [usize; 2] = [32, 1_024];

/// The exponent from which on a weight is negligible among this number of outcomes.
pub(super) fn negligible(outcomes: usize) -> f64 {
    ZERO_WEIGHT_EXPONENT + libm::log(outcomes as f64)
}

/// What all pairs lose, in the order of the data, and a bound on the error of each number.
pub(super) struct Estimates {
    /// For each pair the sum of the two scales.
    scales: Vec<f64>,
    /// A bound on the difference between a score and the one that was used.
    difference: f64,
    /// For each pair its loss and its deltas, one for each epsilon.
    values: Vec<f64>,
    /// The two data sets of a pair.
    pair: Box<dyn Fn(usize) -> [Vec<u64>; 2] + Sync>,
}

impl Estimates {
    pub(super) fn new(
        scales: Vec<f64>,
        difference: f64,
        values: Vec<f64>,
        pair: impl Fn(usize) -> [Vec<u64>; 2] + Sync + 'static,
    ) -> Self {
        Self { scales, difference, values, pair: Box::new(pair) }
    }

    /// One quantity of every pair with a bound on its error: the loss, or delta at one epsilon.
    fn quantity(&self, epsilons: &[f64], which: usize) -> Vec<(f64, f64)> {
        let each = self.values.chunks_exact(1 + epsilons.len()).zip(&self.scales);
        let bounded = each.map(|(values, scales)| {
            let error = 2.0 * scales * self.difference + FIXED_ERROR;
            match which.checked_sub(1).map(|index| epsilons[index]) {
                None => (values[0], error),
                // If the loss is at most epsilon, delta is zero.
                Some(epsilon) if values[0] + error <= epsilon => (0.0, 0.0),
                // Only outcomes with p > exp(epsilon) q count, so a relative error of q weighs no more than one of p.
                Some(epsilon) => (values[which], 1.25 * error + libm::exp(epsilon - ZERO_WEIGHT_EXPONENT)),
            }
        });
        bounded.collect()
    }

    /// The pairs that may have the largest value of some quantity.
    fn select(&self, epsilons: &[f64]) -> Selection {
        let most = (self.scales.len() / 512).clamp(COMPARED_EXACTLY[0], COMPARED_EXACTLY[1]);
        let mut selection = Selection::everything(epsilons.len());
        for which in 0..=epsilons.len() {
            beat();
            let bounded = self.quantity(epsilons, which);
            let least = bounded.iter().map(|(value, error)| value - error).fold(f64::NEG_INFINITY, f64::max);
            let mut may: Vec<(usize, f64)> = bounded
                .iter()
                .map(|(value, error)| value + error)
                .enumerate()
                .filter(|&(_, most)| most >= least && (which == 0 || most > 0.0))
                .collect();
            // A stable sort: among equals the first in the order of the data comes first.
            may.sort_by(|a, b| b.1.total_cmp(&a.1));
            if let Some(&(_, bound)) = may.get(most) {
                selection.others[which] = bound;
                may.truncate(most);
            }
            selection.pairs.extend(may.into_iter().map(|(index, _)| index));
        }
        selection.pairs.sort_unstable();
        selection.pairs.dedup();
        selection
    }
}

/// Compares the complete laws of the pairs that may be worst.
pub(super) fn refine(
    mechanism: &dyn Mechanism,
    epsilons: &[f64],
    estimates: &Estimates,
) -> Result<Audit, AuditError> {
    let selection = estimates.select(epsilons);
    let worst = Worst::of(epsilons, &selection.pairs, |&index, worst| {
        let [counts, neighbour] = (estimates.pair)(index);
        let (law, other) = (ln_law(mechanism, &counts)?, ln_law(mechanism, &neighbour)?);
        worst.compare((&counts, &law), (&neighbour, &other));
        Ok(())
    })?;
    Ok(Audit::new(mechanism, epsilons, worst, &selection))
}
