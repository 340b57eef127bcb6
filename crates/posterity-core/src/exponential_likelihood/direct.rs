//! Normalisers as sums over all candidates.

use crate::special::Sum;
use crate::special::kernel::{exponents, weigh};

/// `ln Z` at one data set, given the costs of each category and the scale. `skip` is the exponent from which on weights
/// are negligible.
pub(super) fn ln_total(costs: &[&[f64]], n: u64, scale: f64, skip: f64) -> f64 {
    let mut all = Everything {
        costs,
        scale,
        skip,
        exponents: vec![0.0; n as usize + 1],
        weights: vec![0.0; n as usize + 1],
        sum: Sum::default(),
    };
    all.add(0, n as usize, 0.0);
    libm::log(all.sum.value())
}

/// A sum in progress.
struct Everything<'a> {
    costs: &'a [&'a [f64]],
    scale: f64,
    skip: f64,
    exponents: Vec<f64>,
    weights: Vec<f64>,
    sum: Sum,
}

impl Everything<'_> {
    /// Adds the weights of all candidates that have `left` records in the categories from this one on. The others cost
    /// `cost`.
    fn add(&mut self, category: usize, left: usize, cost: f64) {
        let (here, next) = (self.costs[category], category + 1);
        if next + 1 < self.costs.len() {
            for (r, part) in here[..=left].iter().enumerate() {
                self.add(next, left - r, cost + part);
            }
            return;
        }
        let exponents_here = &mut self.exponents[..=left];
        let pairs = here[..=left].iter().zip(self.costs[next][..=left].iter().rev());
        for (exponent, (one, other)) in exponents_here.iter_mut().zip(pairs) {
            *exponent = cost + (one + other);
        }
        exponents(exponents_here, self.scale);
        self.sum.add(weigh(exponents_here, &mut self.weights[..=left], self.skip));
    }
}
