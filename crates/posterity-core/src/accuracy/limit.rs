//! The accuracy limit: the least expected distance of any epsilon-DP mechanism that releases a candidate.

use thiserror::Error;

use crate::model::Setting;
use crate::program::{GAP, Orbits, Program, TooManyVariables};

/// The least expected Hellinger distance under the prior-predictive law, and a mechanism that attains it.
///
/// `lower <= limit <= value`. The two bounds are at most 1e-6 and mostly less than 1e-8 apart. Neither relies on the
/// solver: `value` is the expected distance of a mechanism that was corrected to satisfy every constraint, and `lower`
/// follows by weak duality from any multipliers that are not negative (docs/proofs/limit.md). The rounding error of its
/// sums is subtracted. The rounding errors of the distances and of
/// [`prior_predictive`](super::prior_predictive) remain in both bounds. They are about 1e-12, relative to the limit,
/// unless prior parameters are above 1,000.
///
/// Only mechanisms that release a candidate are considered. One that releases other Dirichlet distributions may be more
/// accurate.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The expected distance of [`Limit::probability`]: the limit is at most this.
    pub value: f64,
    /// The limit is at least this.
    pub lower: f64,
    /// The variables of the program that was solved: one per orbit of pairs of data set and candidate.
    pub variables: usize,
    /// The privacy constraints of the program that was solved.
    pub constraints: usize,
    /// The iterations that the solver took.
    pub iterations: u32,
    orbits: Orbits,
    probabilities: Vec<f64>,
}

/// Why the limit cannot be computed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LimitError {
    /// The program is too large.
    #[error(
        "the linear program has {variables:.3e} variables or more, and max_variables is {limit}; \
         take fewer records or categories, or raise max_variables and wait longer"
    )]
    TooLarge {
        /// A lower bound on the number of variables.
        variables: f64,
        /// How many were allowed.
        limit: usize,
    },
    /// The solver stopped too far from the optimum.
    #[error(
        "the solver of the linear program stopped ({status}) with the limit between {lower} and {value}; \
         epsilon {epsilon} may be too extreme, try one nearer to 1"
    )]
    NotConverged {
        /// The status that the solver reports.
        status: String,
        /// The limit is at least this.
        lower: f64,
        /// The limit is at most this.
        value: f64,
        /// The budget.
        epsilon: f64,
    },
}

impl Limit {
    /// The probability that the mechanism of least expected distance releases the candidate `r` for the data `c`.
    ///
    /// `None` if either is not k counts that sum to n.
    #[must_use]
    pub fn probability(&self, c: &[u64], r: &[u64]) -> Option<f64> {
        self.orbits.find(c, r).map(|variable| self.probabilities[variable])
    }
}

/// The least expected distance of an epsilon-DP mechanism from the data sets of size n onto the candidates. A program
/// of more than `max_variables` variables is refused ([`MAX_VARIABLES`](super::MAX_VARIABLES) is a sensible number).
///
/// With `P(r|c) >= 0` the program is to minimise `sum_c pi(c) sum_r P(r|c) H(DirP(c), DirP(r))`, pi the
/// prior-predictive law, subject to `sum_r P(r|c) = 1` and `P(r|c) <= exp(epsilon) P(r|c')` for adjacent c, c'.
/// Categories with equal prior parameters may be exchanged, so one variable stands for all pairs (c, r) that such
/// exchanges turn into each other.
///
/// ```
/// use posterity_core::{accuracy::{MAX_VARIABLES, limit}, model::{Prior, Setting}};
/// // One record and two categories: randomised response tells the truth with probability e/(1+e).
/// let setting = Setting::new(Prior::uniform(2)?, 1, "1".parse()?)?;
/// let limit = limit(&setting, MAX_VARIABLES)?;
/// let wrong = 1.0 / (1.0 + 1.0_f64.exp());
/// let distance = (1.0 - std::f64::consts::FRAC_PI_4).sqrt();
/// assert!((limit.value - wrong * distance).abs() < 1e-8);
/// assert!((limit.probability(&[1, 0], &[0, 1]).ok_or("a data set")? - wrong).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LimitError`] if the program is too large or the solver does not get within 1e-6.
pub fn limit(setting: &Setting, max_variables: usize) -> Result<Limit, LimitError> {
    let too_large =
        |error: TooManyVariables| LimitError::TooLarge { variables: error.at_least, limit: error.most };
    solve(setting, Orbits::new(setting, true, max_variables).map_err(too_large)?)
}

fn solve(setting: &Setting, orbits: Orbits) -> Result<Limit, LimitError> {
    let program = Program::new(setting, &orbits);
    let answer = program.solve();
    let probabilities = program.repair(answer.probabilities);
    let (value, lower) =
        (program.expected_distance(&probabilities), program.lower_bound(&answer.multipliers));
    // This comparison is false for NaN, which is then refused.
    if value - lower <= GAP {
        let (variables, constraints) = (program.costs.len(), program.adjacent.len());
        let iterations = answer.iterations;
        return Ok(Limit { value, lower, variables, constraints, iterations, orbits, probabilities });
    }
    let epsilon = setting.epsilon().to_f64();
    Err(LimitError::NotConverged { status: answer.status, lower, value, epsilon })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::setting;
    use crate::sampler::ln_candidates;

    const PRIORS: [&[f64]; 7] = [
        &[1.0, 1.0],
        &[7.0, 4.0],
        &[1.0, 1.0, 1.0],
        &[0.5, 2.0, 0.5],
        &[3.0, 2.0, 1.0],
        &[1.0, 1.0, 1.0, 1.0],
        &[2.0, 0.3, 2.0, 0.3],
    ];

    #[test]
    fn orbits_partition_all_pairs() {
        for prior in PRIORS {
            let setting = setting(prior, 4, "1");
            let all = libm::round(libm::exp(ln_candidates(prior.len(), 4)));
            let orbits = Orbits::new(&setting, true, 10_000).expect("small");
            let data_sets: f64 = orbits.rows.iter().map(|row| row.size).sum();
            assert_eq!(data_sets, all, "{prior:?}");
            for row in &orbits.rows {
                assert_eq!(row.sizes.iter().sum::<f64>(), all, "{prior:?} {:?}", row.truth);
            }
            let plain = Orbits::new(&setting, false, 10_000).expect("small");
            assert_eq!(plain.variables.len() as f64, all * all);
            // Every pair lies in exactly one orbit, and the orbits have the stated sizes.
            let mut found = vec![0.0; orbits.variables.len()];
            for (c, r) in plain.rows.iter().flat_map(|row| row.candidates.iter().map(|r| (&row.truth, r))) {
                let columns = c.iter().copied().zip(r.iter().copied()).collect();
                found[orbits.find_columns(columns).expect("a pair")] += 1.0;
            }
            let claimed = orbits.rows.iter().flat_map(|row| row.sizes.iter().map(|size| row.size * size));
            assert_eq!(found, claimed.collect::<Vec<_>>(), "{prior:?}");
        }
    }

    /// If this fails, averaging over the group is wrong, or an orbit is counted wrongly.
    #[test]
    fn symmetry_does_not_change_the_value() {
        for prior in PRIORS {
            for (n, epsilon) in [(1, "1"), (3, "0.3"), (4, "1"), (5, "2")] {
                let setting = setting(prior, n, epsilon);
                let [with, without] = [true, false].map(|symmetric| {
                    solve(&setting, Orbits::new(&setting, symmetric, 10_000).expect("small")).expect("solved")
                });
                assert!(with.variables <= without.variables);
                // Both intervals contain the limit, so they overlap.
                assert!(
                    with.lower <= without.value && without.lower <= with.value,
                    "{prior:?} {n} {epsilon}"
                );
                assert!((with.value - without.value).abs() < 1e-8, "{prior:?} {n} {epsilon}");
            }
        }
    }

    /// If this fails, a bound relies on the quality of the solver's answer.
    #[test]
    fn bad_answers_give_wide_bounds() {
        let setting = setting(&[1.0, 1.0, 1.0], 4, "1");
        let orbits = Orbits::new(&setting, true, 10_000).expect("small");
        let program = Program::new(&setting, &orbits);
        let good = solve(&setting, orbits).expect("solved");
        let spoilt = |values: &[f64], by: f64| -> Vec<f64> {
            values.iter().zip(0_u32..).map(|(value, i)| value + by * f64::from(i % 7) - 2.0 * by).collect()
        };
        let answer = program.solve();
        for by in [0.0, 1e-9, 1e-5, 1e-3, 0.1] {
            let lower = program.lower_bound(&spoilt(&answer.multipliers, by));
            assert!(lower <= good.value, "{by}: {lower}");
            let x = program.repair(spoilt(&answer.probabilities, by));
            let value = program.expected_distance(&x);
            assert!(value >= good.lower, "{by}: {value}");
            assert!(program.adjacent.iter().all(|&(a, b)| program.ratio * x[a] <= x[b]), "{by}");
            for row in &program.rows {
                let sum: f64 = row.clone().map(|variable| program.sizes[variable] * x[variable]).sum();
                assert!((sum - 1.0).abs() < 1e-13, "{by}: {sum}");
            }
        }
    }
}
