//! The linear program whose optimum is the limit, and bounds on it.

use std::collections::BTreeSet;
use std::ops::Range;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, ZeroConeT};

use super::orbits::Orbits;
use crate::accuracy::prior_predictive;
use crate::distance::{Pair, cost, from_cost};
use crate::model::Setting;
use crate::pulse::beat;
use crate::special::Sum;

/// The linear program with one variable per orbit.
///
/// The constraints `P >= 0` are left out: `P(r|c) <= e^eps P(r|c') <= e^(2 eps) P(r|c)` implies them.
pub(crate) struct Program {
    /// What a unit of each variable adds to the expected distance.
    pub(crate) costs: Vec<f64>,
    /// What a unit of each variable adds to the probabilities of its row.
    pub(crate) sizes: Vec<f64>,
    /// The variables of each row.
    pub(crate) rows: Vec<Range<usize>>,
    /// The pairs (a, b) of variables with the constraint `exp(-epsilon) x_a <= x_b`.
    pub(crate) adjacent: Vec<(usize, usize)>,
    /// `exp(-epsilon)`. Unlike `exp(epsilon)` it is finite for any budget.
    pub(crate) ratio: f64,
    /// `1 - exp(-epsilon)`.
    slack: f64,
    /// The number of candidates.
    candidates: f64,
}

/// What the solver returns. The bounds hold whatever it is.
pub(crate) struct Answer {
    pub(crate) probabilities: Vec<f64>,
    /// One for each privacy constraint.
    pub(crate) multipliers: Vec<f64>,
    pub(crate) status: String,
    pub(crate) iterations: u32,
}

impl Program {
    pub(crate) fn new(setting: &Setting, orbits: &Orbits) -> Self {
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

    pub(crate) fn solve(&self) -> Answer {
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
            // The method is named, so that the result does not depend on the features that other crates enable.
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
    /// The same number is added to all entries of a row, so that it sums to one. Then the rows are mixed with the
    /// uniform law, just enough that its slack makes up for the largest violation.
    pub(crate) fn repair(&self, mut x: Vec<f64>) -> Vec<f64> {
        let uniform = 1.0 / self.candidates;
        for row in &self.rows {
            let sum = row.clone().map(|variable| self.sizes[variable] * x[variable]).collect::<Sum>().value();
            x[row.clone()].iter_mut().for_each(|p| *p += (1.0 - sum) * uniform);
        }
        let worst = self.adjacent.iter().map(|&(a, b)| self.ratio * x[a] - x[b]).fold(0.0, f64::max);
        // This covers the rounding of the mixture.
        let worst = worst + 4.0 * f64::EPSILON;
        let share = worst / (worst + self.slack * uniform);
        x.iter_mut().for_each(|p| *p += share * (uniform - *p));
        x
    }

    pub(crate) fn expected_distance(&self, x: &[f64]) -> f64 {
        self.costs.iter().zip(x).map(|(cost, p)| cost * p).collect::<Sum>().value()
    }

    /// The lower bound that belongs to any multipliers of the privacy constraints, by weak duality.
    pub(crate) fn lower_bound(&self, multipliers: &[f64]) -> f64 {
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

/// The pairs of an adjacent data set with the same candidate.
pub(super) fn neighbours(columns: &[(u64, u64)]) -> impl Iterator<Item = Vec<(u64, u64)>> + '_ {
    let k = columns.len();
    let moves = (0..k).flat_map(move |from| (0..k).map(move |to| (from, to)));
    moves.filter(|&(from, to)| from != to && columns[from].0 > 0).map(|(from, to)| {
        let mut moved = columns.to_vec();
        moved[from].0 -= 1;
        moved[to].0 += 1;
        moved
    })
}
