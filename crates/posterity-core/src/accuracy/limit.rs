//! The accuracy limit: the least expected distance that any epsilon-DP mechanism onto the candidates can have.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, ZeroConeT};
use thiserror::Error;

use super::prior_predictive;
use crate::distance::{Pair, cost, from_cost};
use crate::model::Setting;
use crate::pulse::beat;
use crate::sampler::ln_candidates;
use crate::special::{Sum, ln_gamma};

/// A program of this size is solved within about a minute. It is reached at about k = 2, n = 199, k = 3, n = 24 or
/// k = 4, n = 13 if all prior parameters are equal, and at n = 140, 15 or 7 if no two are.
pub const MAX_VARIABLES: usize = 20_000;

/// How far apart the two bounds on the limit may be.
const GAP: f64 = 1e-6;

/// The least expected Hellinger distance under the prior-predictive law, and a mechanism that has it.
///
/// `lower <= limit <= value`, at most 1e-6 and mostly less than 1e-8 apart. Neither bound trusts the solver: `value` is
/// the expected distance of a mechanism that was made to satisfy every constraint, and `lower` follows by weak duality
/// from multipliers that need only be positive, not good (docs/proofs/limit.md). The rounding of its sums is
/// subtracted. What is left is the rounding of the distances and of [`prior_predictive`], which both bounds share: a
/// relative error of about 1e-12 unless prior parameters are above 1,000.
///
/// Only mechanisms that release a candidate are considered. One that releases other Dirichlets may do better.
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

/// Why there is no limit to report.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LimitError {
    /// The program is too large.
    #[error(
        "the linear program has {variables:.3e} variables or more, and max_variables is {limit}; \
         take fewer records or categories, or raise max_variables and wait longer"
    )]
    TooLarge {
        /// At least so many variables.
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
        /// What the solver says.
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
/// of more than `max_variables` variables is refused ([`MAX_VARIABLES`] is a sensible number).
///
/// With `P(r|c) >= 0` the program is to minimise `sum_c pi(c) sum_r P(r|c) H(DirP(c), DirP(r))`, pi the prior-predictive
/// law, subject to `sum_r P(r|c) = 1` and `P(r|c) <= exp(epsilon) P(r|c')` for adjacent c, c'. Categories with equal prior
/// parameters may be exchanged, so one variable stands for all pairs (c, r) that such exchanges turn into each other.
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
    solve(setting, Orbits::new(setting, true, max_variables)?)
}

fn solve(setting: &Setting, orbits: Orbits) -> Result<Limit, LimitError> {
    let program = Program::new(setting, &orbits);
    let answer = program.solve();
    let probabilities = program.repair(answer.probabilities);
    let (value, lower) =
        (program.expected_distance(&probabilities), program.lower_bound(&answer.multipliers));
    // Written so that a NaN is refused.
    if value - lower <= GAP {
        let (variables, constraints) = (program.costs.len(), program.adjacent.len());
        let iterations = answer.iterations;
        return Ok(Limit { value, lower, variables, constraints, iterations, orbits, probabilities });
    }
    let epsilon = setting.epsilon().to_f64();
    Err(LimitError::NotConverged { status: answer.status, lower, value, epsilon })
}

/// The pairs (c, r) up to permutations of categories with equal prior parameters.
///
/// Such permutations reorder the columns `(c_i, r_i)`, so an orbit is known by its columns sorted within each class of
/// equal parameters, in decreasing order.
#[derive(Clone, Debug)]
struct Orbits {
    /// The categories, those with equal parameters next to each other.
    order: Vec<usize>,
    /// Whether a place in that order may be exchanged with the one before it.
    tied: Vec<bool>,
    n: u64,
    /// The sorted data sets, each with its sorted pairs.
    rows: Vec<Row>,
    /// From the columns of a sorted pair to its variable.
    variables: HashMap<Vec<(u64, u64)>, usize>,
}

/// A data set up to permutations, and the candidates up to those that leave it as it is.
#[derive(Clone, Debug)]
struct Row {
    truth: Vec<u64>,
    /// How many data sets it stands for.
    size: f64,
    candidates: Vec<Vec<u64>>,
    /// How many candidates each of them stands for.
    sizes: Vec<f64>,
}

impl Orbits {
    fn new(setting: &Setting, symmetric: bool, max: usize) -> Result<Self, LimitError> {
        let (k, n, alpha) = (setting.k(), setting.n(), setting.prior().parameters());
        let mut order: Vec<usize> = (0..k).collect();
        order.sort_by(|&i, &j| alpha[i].total_cmp(&alpha[j]));
        let mut tied: Vec<bool> = vec![false; k];
        for place in 1..k {
            tied[place] = symmetric && alpha[order[place]] == alpha[order[place - 1]];
        }
        // No orbit has more elements than the group, so there are at least this many.
        let ln_group: f64 = runs(&tied).map(|run| ln_gamma(run.len() as f64 + 1.0)).sum();
        let at_least = libm::ceil((1.0 - 1e-9) * libm::exp(2.0 * ln_candidates(k, n) - ln_group));
        let too_large = || LimitError::TooLarge { variables: at_least.max(max as f64 + 1.0), limit: max };
        if at_least > max as f64 {
            return Err(too_large());
        }
        let mut orbits = Self { order, tied, n, rows: Vec::new(), variables: HashMap::new() };
        let mut truths = Vec::new();
        if !sorted_vectors(&orbits.tied, n, max, &mut truths) {
            return Err(too_large());
        }
        for truth in truths {
            let tied = ties_within(&orbits.tied, &truth);
            let mut candidates = Vec::new();
            if !sorted_vectors(&tied, n, max - orbits.variables.len(), &mut candidates) {
                return Err(too_large());
            }
            for candidate in &candidates {
                let columns = truth.iter().copied().zip(candidate.iter().copied()).collect();
                orbits.variables.insert(columns, orbits.variables.len());
            }
            let sizes = candidates.iter().map(|candidate| arrangements(&tied, candidate)).collect();
            let size = arrangements(&orbits.tied, &truth);
            orbits.rows.push(Row { truth, size, candidates, sizes });
        }
        Ok(orbits)
    }

    /// The variable of counts in the order of the categories.
    fn find(&self, c: &[u64], r: &[u64]) -> Option<usize> {
        let proper = |counts: &[u64]| {
            let total = counts.iter().try_fold(0, |sum: u64, &count| sum.checked_add(count));
            counts.len() == self.order.len() && total == Some(self.n)
        };
        if !proper(c) || !proper(r) {
            return None;
        }
        self.find_columns(self.order.iter().map(|&i| (c[i], r[i])).collect())
    }

    /// The variable of counts in the order of the places.
    fn find_columns(&self, mut columns: Vec<(u64, u64)>) -> Option<usize> {
        for run in runs(&self.tied) {
            columns[run].sort_unstable_by(|a, b| b.cmp(a));
        }
        self.variables.get(&columns).copied()
    }
}

/// The maximal runs of places of which each may be exchanged with the one before it.
fn runs(tied: &[bool]) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..tied.len()).filter(|&place| !tied[place]);
    starts.map(|start| {
        let end = (start + 1..tied.len()).find(|&place| !tied[place]).unwrap_or(tied.len());
        start..end
    })
}

/// The ties that are left when `counts` must stay as they are.
fn ties_within(tied: &[bool], counts: &[u64]) -> Vec<bool> {
    (0..tied.len()).map(|place| tied[place] && counts[place] == counts[place - 1]).collect()
}

/// In how many ways the counts can be arranged by exchanging tied places.
fn arrangements(tied: &[bool], counts: &[u64]) -> f64 {
    // p!/(q! ..) for each run of p tied places that holds q times the same count, one factor at a time.
    let (mut ways, mut p, mut q) = (1.0, 0.0, 0.0);
    for (&tied, &same) in tied.iter().zip(&ties_within(tied, counts)) {
        p = if tied { p + 1.0 } else { 1.0 };
        q = if same { q + 1.0 } else { 1.0 };
        ways *= p / q;
    }
    libm::round(ways)
}

/// Lists the vectors of sum `n` whose tied places do not increase. False if there are more than `max`.
fn sorted_vectors(tied: &[bool], n: u64, max: usize, list: &mut Vec<Vec<u64>>) -> bool {
    fn extend(tied: &[bool], left: u64, max: usize, prefix: &mut Vec<u64>, list: &mut Vec<Vec<u64>>) -> bool {
        let place = prefix.len();
        if place == tied.len() {
            list.push(prefix.clone());
            return list.len() <= max;
        }
        let most = match prefix.last() {
            Some(&before) if tied[place] => left.min(before),
            _ => left,
        };
        // Where all later places are tied to this one, none of them can hold more.
        let later = &tied[place + 1..];
        let least = if later.iter().all(|&tied| tied) { left.div_ceil(later.len() as u64 + 1) } else { 0 };
        (least..=most).all(|count| {
            prefix.push(count);
            let fits = extend(tied, left - count, max, prefix, list);
            prefix.pop();
            fits
        })
    }
    extend(tied, n, max, &mut Vec::with_capacity(tied.len()), list)
}

/// The linear program in orbits.
///
/// The constraints `P >= 0` are left out: `P(r|c) <= e^eps P(r|c') <= e^(2 eps) P(r|c)` implies them.
struct Program {
    /// What a unit of each variable adds to the expected distance.
    costs: Vec<f64>,
    /// What a unit of each variable adds to the probabilities of its row.
    sizes: Vec<f64>,
    /// The variables of each row.
    rows: Vec<Range<usize>>,
    /// The pairs (a, b) with the constraint `exp(-epsilon) x_a <= x_b`.
    adjacent: Vec<(usize, usize)>,
    /// `exp(-epsilon)`, which is finite for any budget.
    ratio: f64,
    /// `1 - exp(-epsilon)`.
    slack: f64,
    /// The number of candidates.
    candidates: f64,
}

/// What the solver returns: nothing of it is relied upon.
struct Answer {
    probabilities: Vec<f64>,
    /// One for each privacy constraint.
    multipliers: Vec<f64>,
    status: String,
    iterations: u32,
}

impl Program {
    fn new(setting: &Setting, orbits: &Orbits) -> Self {
        let (prior, epsilon) = (setting.prior(), setting.epsilon().to_f64());
        let alpha: Vec<f64> = orbits.order.iter().map(|&i| prior.parameters()[i]).collect();
        let (mut costs, mut sizes, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut adjacent = BTreeSet::new();
        for row in &orbits.rows {
            let mut counts = vec![0; alpha.len()];
            orbits.order.iter().zip(&row.truth).for_each(|(&i, &count)| counts[i] = count);
            let weight = row.size * prior_predictive(prior, &counts);
            let start = costs.len();
            for (candidate, &size) in row.candidates.iter().zip(&row.sizes) {
                let categories = alpha.iter().zip(row.truth.iter().zip(candidate));
                let distance =
                    from_cost(cost(categories.map(|(&alpha, (&c, &r))| Pair::of_counts(alpha, c, r))));
                let variable = costs.len();
                costs.push(weight * size * distance);
                sizes.push(size);
                let columns: Vec<(u64, u64)> =
                    row.truth.iter().copied().zip(candidate.iter().copied()).collect();
                adjacent.extend(
                    neighbours(&columns)
                        .filter_map(|columns| orbits.find_columns(columns))
                        .filter(|&other| other != variable)
                        .map(|other| (variable, other)),
                );
            }
            rows.push(start..costs.len());
        }
        Self {
            costs,
            sizes,
            rows,
            adjacent: adjacent.into_iter().collect(),
            ratio: libm::exp(-epsilon),
            slack: -libm::expm1(-epsilon),
            candidates: orbits.rows.first().map_or(0.0, |row| row.sizes.iter().sum()),
        }
    }

    fn solve(&self) -> Answer {
        let (variables, constraints) = (self.costs.len(), self.rows.len() + self.adjacent.len());
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); variables];
        for (index, row) in self.rows.iter().enumerate() {
            row.clone().for_each(|variable| columns[variable].push((index, self.sizes[variable])));
        }
        for (index, &(a, b)) in self.adjacent.iter().enumerate() {
            columns[a].push((self.rows.len() + index, self.ratio));
            columns[b].push((self.rows.len() + index, -1.0));
        }
        let mut starts = vec![0];
        let (mut indices, mut values) = (Vec::new(), Vec::new());
        for column in columns {
            let (rows, entries): (Vec<usize>, Vec<f64>) = column.into_iter().unzip();
            indices.extend(rows);
            values.extend(entries);
            starts.push(indices.len());
        }
        let matrix = CscMatrix::new(constraints, variables, starts, indices, values);
        let mut right = vec![0.0; constraints];
        right[..self.rows.len()].fill(1.0);
        let settings = DefaultSettings {
            verbose: false,
            tol_gap_abs: 1e-10,
            tol_gap_rel: 1e-10,
            tol_feas: 1e-10,
            presolve_enable: false,
            // Named, so that the result does not depend on the features that others choose for the solver.
            direct_solve_method: "qdldl".to_owned(),
            ..DefaultSettings::default()
        };
        let cones = [ZeroConeT(self.rows.len()), NonnegativeConeT(self.adjacent.len())];
        let quadratic = CscMatrix::zeros((variables, variables));
        match DefaultSolver::new(&quadratic, &self.costs, &matrix, &right, &cones, settings) {
            Ok(mut solver) => {
                solver.set_termination_callback(|_: &_| {
                    beat();
                    false
                });
                solver.solve();
                let multipliers = solver.solution.z[self.rows.len()..].to_vec();
                let (status, iterations) = (solver.solution.status.to_string(), solver.solution.iterations);
                Answer { probabilities: solver.solution.x, multipliers, status, iterations }
            }
            Err(error) => Answer {
                probabilities: vec![1.0 / self.candidates; variables],
                multipliers: vec![0.0; self.adjacent.len()],
                status: error.to_string(),
                iterations: 0,
            },
        }
    }

    /// A mechanism near x that satisfies every constraint.
    ///
    /// Each row is given what it lacks to one, spread evenly; then it is mixed with the uniform law just so
    /// much that the slack of the latter makes up for the worst violation.
    fn repair(&self, mut x: Vec<f64>) -> Vec<f64> {
        let uniform = 1.0 / self.candidates;
        for row in &self.rows {
            let sum = row.clone().map(|variable| self.sizes[variable] * x[variable]).collect::<Sum>().value();
            x[row.clone()].iter_mut().for_each(|p| *p += (1.0 - sum) * uniform);
        }
        let worst = self.adjacent.iter().map(|&(a, b)| self.ratio * x[a] - x[b]).fold(0.0, f64::max);
        // The mixture is rounded too.
        let worst = worst + 4.0 * f64::EPSILON;
        let share = worst / (worst + self.slack * uniform);
        x.iter_mut().for_each(|p| *p += share * (uniform - *p));
        x
    }

    fn expected_distance(&self, x: &[f64]) -> f64 {
        self.costs.iter().zip(x).map(|(cost, p)| cost * p).collect::<Sum>().value()
    }

    /// The lower bound that belongs to any multipliers of the privacy constraints, by weak duality.
    fn lower_bound(&self, multipliers: &[f64]) -> f64 {
        let mut reduced: Vec<Sum> = self.costs.iter().map(|&cost| Sum::from_iter([cost])).collect();
        let mut size = 1.0;
        for (&(a, b), &multiplier) in self.adjacent.iter().zip(multipliers) {
            let multiplier = multiplier.max(0.0);
            reduced[a].add(self.ratio * multiplier);
            reduced[b].add(-multiplier);
            size += 2.0 * multiplier;
        }
        let least = |row: &Range<usize>| {
            let per_unit = row.clone().map(|variable| reduced[variable].value() / self.sizes[variable]);
            per_unit.fold(f64::INFINITY, f64::min)
        };
        let bound = self.rows.iter().map(least).collect::<Sum>().value();
        (bound - 4.0 * f64::EPSILON * size).max(0.0)
    }
}

/// The pairs whose data set is adjacent, with the same candidate.
fn neighbours(columns: &[(u64, u64)]) -> impl Iterator<Item = Vec<(u64, u64)>> + '_ {
    let k = columns.len();
    let moves = (0..k).flat_map(move |from| (0..k).map(move |to| (from, to)));
    moves.filter(|&(from, to)| from != to && columns[from].0 > 0).map(|(from, to)| {
        let mut moved = columns.to_vec();
        moved[from].0 -= 1;
        moved[to].0 += 1;
        moved
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Prior;

    fn setting(prior: &[f64], n: u64, epsilon: &str) -> Setting {
        let prior = Prior::new(prior.to_vec()).expect("valid");
        Setting::new(prior, n, epsilon.parse().expect("positive")).expect("valid")
    }

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
            // Every pair lies in exactly one orbit, and the orbits have the sizes that are claimed.
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
                // Each interval holds the limit, so they meet.
                assert!(
                    with.lower <= without.value && without.lower <= with.value,
                    "{prior:?} {n} {epsilon}"
                );
                assert!((with.value - without.value).abs() < 1e-8, "{prior:?} {n} {epsilon}");
            }
        }
    }

    /// Weak duality and the repair do not depend on the solver: bad answers still give true bounds.
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
