//! A mechanism onto the candidates as a table of whole numbers, verified exactly.

use dashu_int::UBig;
use thiserror::Error;

use super::linear::neighbours;
use super::orbits::Orbits;
use crate::mechanism::Space;
use crate::model::Epsilon;
use crate::sampler::exp_enclosure;

/// The total that a solution is rounded to. What is added later at most doubles it, so that weights are below 2^63.
const TOTAL: u64 = 1 << 61;

/// The bits of the bound on `exp(-epsilon)`. The product of a weight and the bound is below 2^127.
const BITS: usize = 64;

/// Whole-number weights, one for each orbit of pairs of data set and candidate. Every row sums to the same total.
///
/// # Guarantee
/// A table that exists is epsilon-DP: its constructor compares all adjacent data sets in whole numbers, and does not
/// rely on where the weights came from (docs/proofs/optimal.md).
#[derive(Clone, Debug)]
pub(crate) struct Table {
    orbits: Orbits,
    weights: Vec<u64>,
    total: u64,
}

/// Why weights are not an epsilon-DP mechanism.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum TableError {
    /// The number of weights is wrong.
    #[error("there are {weights} weights for {variables} variables")]
    Length {
        /// How many weights there are.
        weights: usize,
        /// How many there must be.
        variables: usize,
    },
    /// A row does not sum to the total.
    #[error("the weights of a data set sum to {sum} in the place of {total}")]
    Sum {
        /// What they sum to.
        sum: u128,
        /// What they must sum to.
        total: u64,
    },
    /// Some data set or candidate is in no orbit.
    #[error("the orbits do not hold all data sets and candidates")]
    Incomplete,
    /// Two weights are too far apart.
    #[error("a weight is {larger} at one data set and {smaller} at an adjacent one, beyond exp(epsilon)")]
    Ratio {
        /// The larger weight.
        larger: u64,
        /// The smaller one.
        smaller: u64,
    },
    /// The solution is too far from a mechanism, or the budget is too small.
    #[error("the solution cannot be repaired")]
    Beyond,
}

impl Table {
    /// Checks that every row sums to `total` and that no weight is more than `exp(epsilon)` times the weight of the
    /// same candidate at an adjacent data set.
    pub(crate) fn new(
        orbits: Orbits,
        weights: Vec<u64>,
        total: u64,
        epsilon: &Epsilon,
    ) -> Result<Self, TableError> {
        let variables = orbits.variables.len();
        if weights.len() != variables {
            return Err(TableError::Length { weights: weights.len(), variables });
        }
        let table = Self { orbits, weights, total };
        table.check_sums()?;
        table.check_ratios(ratio_up(epsilon))?;
        Ok(table)
    }

    /// The table near a solution, given as the probabilities of the orbits.
    ///
    /// They are rounded to multiples of 2^-61. What a row lacks is added to the weight of the true data set, which is
    /// an orbit by itself. Then one number is added to all weights, just large enough that every ratio holds.
    pub(crate) fn near(orbits: Orbits, solution: &[f64], epsilon: &Epsilon) -> Result<Self, TableError> {
        let mut weights: Vec<u64> =
            solution.iter().map(|&p| libm::round(p.clamp(0.0, 1.0) * TOTAL as f64) as u64).collect();
        for row in &orbits.rows {
            let find = |r: &[u64]| orbits.find_columns(columns(&row.truth, r));
            let sum: i128 = row
                .candidates
                .iter()
                .zip(&row.sizes)
                .filter_map(|(r, &size)| Some(size as i128 * i128::from(*weights.get(find(r)?)?)))
                .sum();
            let own = find(&row.truth).ok_or(TableError::Beyond)?;
            let weight = weights.get_mut(own).ok_or(TableError::Beyond)?;
            let exact = i128::from(*weight) + i128::from(TOTAL) - sum;
            *weight = u64::try_from(exact).map_err(|_| TableError::Beyond)?;
        }
        let ratio = ratio_up(epsilon);
        let one = 1_u128 << BITS;
        let slack = one.checked_sub(ratio).filter(|&slack| slack > 0).ok_or(TableError::Beyond)?;
        let mut lacking = 0;
        for (a, b) in adjacent(&orbits) {
            let [a, b] = [a, b].map(|one| one.and_then(|one| weights.get(one)).copied().unwrap_or(0));
            lacking = lacking.max((u128::from(a) * ratio).saturating_sub(u128::from(b) * one));
        }
        // At least one, so that no candidate is impossible.
        let added = lacking.div_ceil(slack).max(1);
        let candidates = orbits.rows.first().map_or(0.0, |row| row.sizes.iter().sum()) as u128;
        let total = added.checked_mul(candidates).filter(|&sum| sum <= u128::from(TOTAL));
        let total = total.and_then(|sum| u64::try_from(sum).ok()).ok_or(TableError::Beyond)? + TOTAL;
        let added = u64::try_from(added).map_err(|_| TableError::Beyond)?;
        weights.iter_mut().for_each(|weight| *weight += added);
        Self::new(orbits, weights, total, epsilon)
    }

    /// The weight of the candidate `r` at the data set `c`. Zero if either is not k counts that sum to n.
    pub(crate) fn weight(&self, c: &[u64], r: &[u64]) -> u64 {
        self.orbits.find(c, r).map_or(0, |variable| self.weights[variable])
    }

    /// What the weights of every data set sum to.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The number of orbits.
    pub(crate) fn variables(&self) -> usize {
        self.weights.len()
    }

    /// The probabilities of the orbits, rounded.
    pub(crate) fn probabilities(&self) -> Vec<f64> {
        self.weights.iter().map(|&weight| weight as f64 / self.total as f64).collect()
    }

    /// Adds the weights of all candidates, for one data set of each orbit. Also counts them: the orbits must stand for
    /// all data sets, and for all candidates of each.
    fn check_sums(&self) -> Result<(), TableError> {
        let data_sets: f64 = self.orbits.rows.iter().map(|row| row.size).sum();
        for row in &self.orbits.rows {
            let (k, n) = (row.truth.len(), row.truth.iter().sum());
            let (mut sum, mut candidates) = (0_u128, 0_u64);
            Space::Candidates.for_each(k, n, |r| {
                let variable = self.orbits.find_columns(columns(&row.truth, r));
                sum += u128::from(self.weight_of(variable));
                candidates += 1;
            });
            if sum != u128::from(self.total) {
                return Err(TableError::Sum { sum, total: self.total });
            }
            if row.sizes.iter().sum::<f64>() != candidates as f64 || data_sets != candidates as f64 {
                return Err(TableError::Incomplete);
            }
        }
        Ok(())
    }

    /// The weight of an orbit. A pair that is in no orbit is never drawn.
    fn weight_of(&self, variable: Option<usize>) -> u64 {
        variable.map_or(0, |variable| self.weights[variable])
    }

    /// Compares every orbit of pairs with those of the same candidate at adjacent data sets. `ratio` is at least
    /// `exp(-epsilon) 2^BITS`.
    fn check_ratios(&self, ratio: u128) -> Result<(), TableError> {
        for (a, b) in adjacent(&self.orbits) {
            let (larger, smaller) = (self.weight_of(a), self.weight_of(b));
            if u128::from(larger) * ratio > u128::from(smaller) << BITS {
                return Err(TableError::Ratio { larger, smaller });
            }
        }
        Ok(())
    }
}

/// A whole number that is at least `exp(-epsilon) 2^BITS`, and at most `2^BITS + 4`.
fn ratio_up(epsilon: &Epsilon) -> u128 {
    let (_, high) = exp_enclosure(epsilon.rational(), BITS);
    // exp(-epsilon) is below one, so the bound fits. The largest number stands for "unknown" and allows nothing.
    u128::try_from(high.min(UBig::from(1_u128 << (BITS + 1)))).unwrap_or(1 << (BITS + 1))
}

/// The variables of every pair of orbits that adjacent data sets with the same candidate lie in.
fn adjacent(orbits: &Orbits) -> impl Iterator<Item = (Option<usize>, Option<usize>)> + '_ {
    let pairs = orbits.rows.iter().flat_map(|row| row.candidates.iter().map(|r| columns(&row.truth, r)));
    pairs.flat_map(|here| {
        let a = orbits.find_columns(here.clone());
        let there: Vec<_> = neighbours(&here).map(|there| orbits.find_columns(there)).collect();
        there.into_iter().map(move |b| (a, b))
    })
}

fn columns(c: &[u64], r: &[u64]) -> Vec<(u64, u64)> {
    c.iter().copied().zip(r.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::super::Program;
    use super::*;
    use crate::model::{Prior, Setting};

    fn setting(prior: &[f64], n: u64, epsilon: &str) -> Setting {
        let prior = Prior::new(prior.to_vec()).expect("valid");
        Setting::new(prior, n, epsilon.parse().expect("positive")).expect("valid")
    }

    fn orbits(setting: &Setting) -> Orbits {
        Orbits::new(setting, true, 10_000).expect("small")
    }

    fn solution(setting: &Setting) -> Vec<f64> {
        let program = Program::new(setting, &orbits(setting));
        program.repair(program.solve().probabilities)
    }

    /// A rational number below `exp(x)` by a partial sum of its series.
    fn exp_down(x: &RBig) -> RBig {
        let (mut sum, mut term) = (RBig::ONE, RBig::ONE);
        for i in 1..120_u32 {
            term = term * x / RBig::from(i);
            sum += &term;
        }
        sum
    }

    fn all(setting: &Setting) -> Vec<Vec<u64>> {
        Space::Candidates.list(setting.k(), setting.n())
    }

    /// Every row and every pair of adjacent data sets, without orbits and with another bound on `exp(epsilon)`.
    fn check_the_slow_way(table: &Table, setting: &Setting) {
        let bound = exp_down(setting.epsilon().rational());
        let all = all(setting);
        for c in &all {
            let sum: u128 = all.iter().map(|r| u128::from(table.weight(c, r))).sum();
            assert_eq!(sum, u128::from(table.total()));
            let adjacent =
                |other: &&Vec<u64>| c.iter().zip(*other).map(|(a, b)| a.abs_diff(*b)).sum::<u64>() == 2;
            for other in all.iter().filter(adjacent) {
                for r in &all {
                    let [here, there] = [c, other].map(|data| RBig::from(table.weight(data, r)));
                    assert!(here <= &bound * there, "{c:?} {other:?} {r:?}");
                }
            }
        }
    }

    const CASES: [(&[f64], u64); 4] =
        [(&[1.0, 1.0], 7), (&[1.0, 1.0, 1.0], 5), (&[0.5, 2.0, 0.5], 4), (&[3.0, 0.2, 1.0], 3)];

    #[test]
    fn tables_are_private_in_whole_numbers() {
        for (prior, n) in CASES {
            for epsilon in ["0.01", "0.5", "1", "3", "20"] {
                let setting = setting(prior, n, epsilon);
                let table = Table::near(orbits(&setting), &solution(&setting), setting.epsilon());
                check_the_slow_way(&table.expect("repaired"), &setting);
            }
        }
    }

    /// If this fails, privacy relies on the solver.
    #[test]
    fn bad_solutions_give_private_tables_or_none() {
        let (mut made, mut refused) = (0, 0);
        for (prior, n) in CASES {
            let setting = setting(prior, n, "1");
            for by in [1e-12, 1e-6, 1e-3, 0.1, 10.0, f64::NAN, f64::INFINITY] {
                let solution = solution(&setting).into_iter().zip(0_u32..);
                let spoilt: Vec<f64> = solution.map(|(p, i)| p + by * (f64::from(i % 7) - 3.0)).collect();
                match Table::near(orbits(&setting), &spoilt, setting.epsilon()) {
                    Ok(table) => {
                        check_the_slow_way(&table, &setting);
                        made += 1;
                    }
                    Err(error) => {
                        assert_eq!(error, TableError::Beyond);
                        refused += 1;
                    }
                }
            }
        }
        assert!(made > 0 && refused > 0, "{made} {refused}");
    }

    /// If one of these is accepted, a wrong table could be drawn from.
    #[test]
    fn rejects_corrupted_tables() {
        let setting = setting(&[1.0, 1.0, 1.0], 4, "1");
        let good = Table::near(orbits(&setting), &solution(&setting), setting.epsilon()).expect("repaired");
        let (weights, total) = (good.weights.clone(), good.total);
        let build = |weights, total| Table::new(orbits(&setting), weights, total, setting.epsilon()).err();
        assert_eq!(build(weights.clone(), total), None);
        assert_eq!(
            build(weights[1..].to_vec(), total),
            Some(TableError::Length { weights: weights.len() - 1, variables: weights.len() })
        );
        for variable in 0..weights.len() {
            let mut one_more = weights.clone();
            one_more[variable] += 1;
            assert!(matches!(build(one_more, total), Some(TableError::Sum { .. })), "{variable}");
        }
        assert!(matches!(build(weights.clone(), total - 1), Some(TableError::Sum { .. })));
        // The row keeps its sum, but a weight becomes zero that is not zero at an adjacent data set.
        let find = |r: &[u64]| good.orbits.find(&[4, 0, 0], r).expect("a pair");
        let (from, to) = (find(&[0, 2, 2]), find(&[4, 0, 0]));
        let mut moved = weights.clone();
        moved[to] += moved[from];
        moved[from] = 0;
        assert!(matches!(build(moved, total), Some(TableError::Ratio { smaller: 0, .. })));
        // The same table at a budget that is smaller by one part in a million.
        let smaller = "0.999999".parse().expect("positive");
        let found = Table::new(orbits(&setting), weights, total, &smaller).err();
        assert!(matches!(found, Some(TableError::Ratio { .. })), "{found:?}");
    }

    /// If this is accepted, pairs of data sets could be left out of the comparison.
    #[test]
    fn orbits_that_leave_something_out_are_refused() {
        let setting = setting(&[1.0, 1.0, 1.0], 4, "1");
        let good = Table::near(orbits(&setting), &solution(&setting), setting.epsilon()).expect("repaired");
        let build = |orbits| Table::new(orbits, good.weights.clone(), good.total, setting.epsilon()).err();
        for row in 0..good.orbits.rows.len() {
            let mut fewer = orbits(&setting);
            fewer.rows.remove(row);
            assert_eq!(build(fewer), Some(TableError::Incomplete), "row {row}");
            let mut fewer = orbits(&setting);
            fewer.rows[row].candidates.pop();
            fewer.rows[row].sizes.pop();
            assert_eq!(build(fewer), Some(TableError::Incomplete), "a candidate of row {row}");
        }
    }

    #[test]
    fn a_budget_without_slack_is_refused() {
        let setting = setting(&[1.0, 1.0], 3, "1e-30");
        let uniform = vec![0.25; orbits(&setting).variables.len()];
        let found = Table::near(orbits(&setting), &uniform, setting.epsilon());
        assert_eq!(found.err(), Some(TableError::Beyond));
    }
}
