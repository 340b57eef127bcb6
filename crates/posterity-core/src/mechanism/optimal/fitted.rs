//! The mechanism `optimal` for given public inputs.

use super::Optimal;
use crate::mechanism::{Description, FitError, Guarantee, MAX_CANDIDATES, Mechanism, ReleaseError, Space};
use crate::model::{Counts, Drawn, Setting, SettingError};
use crate::program::{GAP, MAX_VARIABLES, Orbits, Program, Table};
use crate::pulse::beat;
use crate::sampler::{BitSource, uniform_u128};

/// A program with this number of variables is solved within about a second.
const QUICK_VARIABLES: usize = 3_000;

/// The mechanism of least expected Hellinger distance under the prior-predictive law, among all epsilon-DP mechanisms
/// that release a candidate. The limit, [`accuracy::limit`](crate::accuracy::limit()), is its expected distance.
///
/// It is found by a linear program with one variable per orbit of pairs of data set and candidate. The solution is
/// turned into whole-number weights, so that every row sums to the same total, every ratio of adjacent data sets is at
/// most `exp(epsilon)`, and a draw is exact. That changes the expected distance by less than 1e-6; it is refused
/// otherwise.
///
/// The mechanism is a function of the public inputs and of the solver. The solver uses only operations that IEEE 754
/// defines exactly, in a fixed order. Another version of the solver may find weights that differ in their last digits,
/// or another mechanism of the same expected distance.
///
/// # Guarantee
/// epsilon-DP: the weights of all adjacent data sets are compared in whole numbers before the mechanism exists,
/// whatever the solver did (docs/proofs/optimal.md).
#[derive(Clone, Debug)]
pub struct MostAccurate {
    setting: Setting,
    table: Table,
    expected_distance: f64,
    lower: f64,
}

/// The most accurate mechanism that releases a candidate.
///
/// ```
/// use posterity_core::mechanism::optimal;
/// use posterity_core::model::{Prior, Setting};
/// // One record and two categories: randomised response lies with probability 1/(1+e).
/// let setting = Setting::new(Prior::uniform(2)?, 1, "1".parse()?)?;
/// let lie = 1.0 / (1.0 + 1.0_f64.exp());
/// let distance = (1.0 - std::f64::consts::FRAC_PI_4).sqrt();
/// assert!((optimal(setting)?.expected_distance() - lie * distance).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FitError`] if the program is too large or the solver does not come near the optimum.
pub fn optimal(setting: Setting) -> Result<MostAccurate, FitError> {
    let orbits = orbits_within(&setting, MAX_VARIABLES)?;
    let program = Program::new(&setting, &orbits);
    let answer = program.solve();
    let lower = program.lower_bound(&answer.multipliers);
    let solution = program.repair(answer.probabilities);
    let near_the_limit = |probabilities: &[f64]| {
        let value = program.expected_distance(probabilities);
        // This comparison is false for NaN, which is then refused.
        let unsolved = || FitError::Unsolved { status: answer.status.clone(), lower, value };
        (value - lower <= GAP).then_some(value).ok_or_else(unsolved)
    };
    near_the_limit(&solution)?;
    let table = Table::near(orbits, &solution, setting.epsilon()).map_err(|error| FitError::Unverified {
        mechanism: Optimal::DESCRIPTION.name,
        reason: error.to_string(),
    })?;
    let expected_distance = near_the_limit(&table.probabilities())?;
    Ok(MostAccurate { setting, table, expected_distance, lower })
}

/// Whether the program is solved within about a second.
pub(super) fn is_quick(setting: &Setting) -> bool {
    orbits_within(setting, QUICK_VARIABLES).is_ok()
}

fn orbits_within(setting: &Setting, max_variables: usize) -> Result<Orbits, FitError> {
    let candidates = Space::Candidates.size(setting.k(), setting.n());
    let too_large = |variables, max_variables| FitError::TooLarge {
        mechanism: Optimal::DESCRIPTION.name,
        variables,
        max_variables,
        candidates,
        max_candidates: MAX_CANDIDATES,
    };
    // Before anything is listed. There is at least the variable of the first data set.
    if candidates > MAX_CANDIDATES as f64 {
        return Err(too_large(Orbits::at_least(setting, true), max_variables));
    }
    Orbits::new(setting, true, max_variables).map_err(|error| too_large(error.at_least, error.most))
}

impl MostAccurate {
    /// The expected distance under the prior-predictive law. No private mechanism that releases a candidate has one
    /// below [`MostAccurate::lower`].
    #[must_use]
    pub fn expected_distance(&self) -> f64 {
        self.expected_distance
    }

    /// A lower bound on the expected distance of any epsilon-DP mechanism that releases a candidate.
    #[must_use]
    pub fn lower(&self) -> f64 {
        self.lower
    }

    /// The number of candidates, and the number of variables of the linear program.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let candidates = Space::Candidates.size(self.setting.k(), self.setting.n());
        (candidates as usize, self.table.variables())
    }

    /// The candidates with the sums of the weights up to and including each.
    fn cumulative(&self, counts: &Counts) -> Vec<(Vec<u64>, u64)> {
        let mut sum = 0;
        let mut all = Vec::new();
        Space::Candidates.for_each(self.setting.k(), self.setting.n(), |candidate| {
            sum += self.table.weight(counts.as_slice(), candidate);
            all.push((candidate.to_vec(), sum));
        });
        all
    }

    /// The first candidate whose cumulative weight is above a uniform whole number below the total.
    fn pick(&self, cumulative: &[(Vec<u64>, u64)], bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        let uniform = uniform_u128(u128::from(self.table.total()), bits)?;
        let index = cumulative.partition_point(|&(_, sum)| u128::from(sum) <= uniform);
        // The weights sum to the total, so there is such a candidate.
        Ok(Drawn::of_counts(cumulative[index].0.clone()))
    }
}

impl Mechanism for MostAccurate {
    fn description(&self) -> &'static Description {
        &Optimal::DESCRIPTION
    }

    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::proven(&self.setting)
    }

    fn space(&self) -> Space {
        Space::Candidates
    }

    fn ln_probabilities(&self, counts: &Counts) -> Result<Vec<f64>, SettingError> {
        self.setting.check(counts)?;
        let ln_total = libm::log(self.table.total() as f64);
        let mut all = Vec::new();
        Space::Candidates.for_each(self.setting.k(), self.setting.n(), |candidate| {
            all.push(libm::log(self.table.weight(counts.as_slice(), candidate) as f64) - ln_total);
        });
        Ok(all)
    }

    fn draw(&self, counts: &Counts, bits: &mut dyn BitSource) -> Result<Drawn, ReleaseError> {
        self.setting.check(counts)?;
        self.pick(&self.cumulative(counts), bits)
    }

    fn draw_many(
        &self,
        counts: &Counts,
        number: usize,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<Drawn>, ReleaseError> {
        self.setting.check(counts)?;
        let cumulative = self.cumulative(counts);
        let one = |_| {
            beat();
            self.pick(&cumulative, bits)
        };
        (0..number).map(one).collect()
    }
}
