//! Records counted in larger units where the noise spreads over very many counts.

use super::work::Work;
use crate::advice::Shape;

/// The units in which releases are simulated. Noise of rate epsilon on n records is, in units of s records, nearly the
/// same noise of rate `s epsilon` on `n/s` units. What sampling adds to the width is that of the records: see
/// docs/proofs/forecast.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    n: u64,
    epsilon: f64,
    records: f64,
}

/// The largest rate per unit.
const MAX_RATE_PER_UNIT: f64 = 1.0;

/// The least number of units, for each unit of the prior's total.
const UNITS_PER_PRIOR: f64 = 20.0;

impl Units {
    /// The units for n records, a budget and the sum of the prior's parameters: records, unless these are too much
    /// work.
    pub(super) fn new(n: u64, epsilon: f64, total: f64, work: &Work) -> Self {
        let record = Self { n, epsilon, records: 1.0 };
        let least = (UNITS_PER_PRIOR * total).max(500.0);
        let units = (n as f64 * epsilon / MAX_RATE_PER_UNIT).max(least).round();
        if work.is_little(n, epsilon) || units >= 0.7 * n as f64 {
            return record;
        }
        let records = n as f64 / units;
        Self { n: units as u64, epsilon: epsilon * records, records }
    }

    /// Whether a unit is a record.
    pub(super) fn is_record(&self) -> bool {
        self.records == 1.0
    }

    /// Units in all.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    /// The rate of the noise, in units.
    pub(super) fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// The variance of the noise on records, divided by that of the noise on units in the same scale. The variance of
    /// two-sided geometric noise of ratio q is `2 q/(1-q)^2`, and lattice noise of rate epsilon has `q =
    /// exp(-epsilon/2)` before its sum is fixed. That is `1/(2 sinh(epsilon/4)^2)`, whose ratio neither overflows nor
    /// cancels where epsilon is tiny.
    pub(super) fn correction(&self) -> f64 {
        let of_records = (0.25 * self.epsilon / self.records).sinh() * self.records;
        let ratio = (0.25 * self.epsilon).sinh() / of_records;
        ratio * ratio
    }

    /// Counts in units, which sum to all units.
    pub(super) fn counts(&self, counts: &[u64]) -> Vec<u64> {
        if self.is_record() {
            return counts.to_vec();
        }
        let shape = Shape::new(counts.iter().map(|&count| count as f64).collect());
        shape.map_or_else(|_| counts.to_vec(), |shape| shape.counts(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correction_is_a_ratio_of_variances() {
        let variance = |rate: f64| {
            let q = (-0.5 * rate).exp();
            2.0 * q / ((1.0 - q) * (1.0 - q))
        };
        for (epsilon, records) in [(1.0, 10.0), (0.5, 3.0), (0.01, 7.0)] {
            let units = Units { n: 500, epsilon, records };
            let expected = variance(epsilon / records) / (records * records * variance(epsilon));
            assert!((units.correction() / expected - 1.0).abs() < 1e-9, "{epsilon} {records}");
        }
    }

    /// If this fails, half-widths at a tiny budget are not numbers.
    #[test]
    fn a_tiny_budget_needs_no_correction() {
        for epsilon in [1e-18, 1e-100, 1e-300] {
            assert_eq!(Units { n: 500, epsilon, records: 1e3 }.correction(), 1.0);
        }
    }
}
