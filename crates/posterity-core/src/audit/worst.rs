//! The worst pair of adjacent data sets.

use super::scope::AuditError;
use super::witness::Witness;
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// The worst pair so far.
pub(super) struct Worst {
    loss: f64,
    from: Vec<u64>,
    to: Vec<u64>,
    outcome: usize,
    /// exp(epsilon) and the largest delta for it.
    deltas: Vec<(f64, f64)>,
    /// The largest logarithm seen, in size, which bounds the rounding.
    size: f64,
}

impl Worst {
    /// The worst of all items, each of which compares some pairs. On all cores.
    pub(super) fn of<I>(
        epsilons: &[f64],
        items: I,
        one: impl Fn(I::Item, &mut Self) -> Result<(), AuditError> + Sync,
    ) -> Result<Self, AuditError>
    where
        I: IntoIterator<IntoIter: Send, Item: Send>,
    {
        let found = Parallelism::AllCores.try_map(items, |item| {
            let mut worst = Self::new(epsilons);
            one(item, &mut worst)?;
            Ok::<Self, AuditError>(worst)
        })?;
        Ok(found.into_iter().fold(Self::new(epsilons), Self::or))
    }

    fn new(epsilons: &[f64]) -> Self {
        Self {
            loss: f64::NEG_INFINITY,
            from: Vec::new(),
            to: Vec::new(),
            outcome: 0,
            deltas: epsilons.iter().map(|&epsilon| (libm::exp(epsilon), 0.0)).collect(),
            size: 0.0,
        }
    }

    pub(super) fn compare(&mut self, (c, law): (&[u64], &[f64]), (other_c, other): (&[u64], &[f64])) {
        for (outcome, (&here, &there)) in law.iter().zip(other).enumerate() {
            let ratio = here - there;
            self.size = self.size.max(-here).max(-there);
            if ratio.abs() > self.loss {
                self.loss = ratio.abs();
                self.outcome = outcome;
                let (from, to) = if ratio > 0.0 { (c, other_c) } else { (other_c, c) };
                (self.from, self.to) = (from.to_vec(), to.to_vec());
            }
        }
        for (factor, delta) in &mut self.deltas {
            let excess = |law: &[f64], other: &[f64]| {
                let terms = law.iter().zip(other);
                terms
                    .map(|(&p, &q)| (libm::exp(p) - *factor * libm::exp(q)).max(0.0))
                    .collect::<Sum>()
                    .value()
            };
            *delta = delta.max(excess(law, other)).max(excess(other, law));
        }
    }

    /// The worse of two. Ties go to the first in the order of the data, whatever the threads did.
    fn or(self, other: Self) -> Self {
        let deltas = self.deltas.iter().zip(&other.deltas).map(|(a, b)| (a.0, a.1.max(b.1))).collect();
        let size = self.size.max(other.size);
        Self { deltas, size, ..if other.loss > self.loss { other } else { self } }
    }

    /// The largest loss.
    pub(super) fn loss(&self) -> f64 {
        self.loss
    }

    /// Where in the order of outcomes the loss is largest.
    pub(super) fn outcome(&self) -> usize {
        self.outcome
    }

    /// exp(epsilon) and the largest delta for it, for each epsilon.
    pub(super) fn deltas(&self) -> &[(f64, f64)] {
        &self.deltas
    }

    /// The largest logarithm of a probability, in size.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The pair, with the counts of the outcome.
    pub(super) fn witness(self, outcome: Vec<u64>) -> Witness {
        Witness { from: self.from, to: self.to, outcome }
    }
}
