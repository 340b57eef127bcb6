//! From the joint laws of each count and the sum of all counts to the marginals of the posterior.

use super::NoiseAwareError;
use super::logs::Logs;
use super::mass::Mass;
use super::mixture::BetaMixture;
use crate::parallelism::Parallelism;
use crate::special::Sum;
use crate::special::lanes::long_sum;

/// The largest share of the posterior that windows may cut off.
pub(super) const MAX_CUT_SHARE: f64 = 1e-12;

/// The largest bound on the error that is accepted.
const MAX_ERROR: f64 = 1e-6;

/// For every law of a count, `P(count = c, all counts sum to n)`.
pub(super) struct Joint {
    masses: Vec<Mass>,
    /// The sums of the masses.
    totals: Vec<f64>,
    /// A bound on the joint weight of all counts that sum to n and of which at least one is outside its window.
    outside: f64,
}

/// Bounds on the errors of a posterior.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// A bound on the total variation distance between this and the exact posterior of the counts.
    pub(super) error: f64,
    /// A bound on the weight that is missing from the laws of single counts or wrong in them, among the counts that sum
    /// to n.
    pub(super) missing: f64,
}

impl Bounds {
    /// The bounds, if the error is accepted.
    pub(super) fn check(self) -> Result<Self, NoiseAwareError> {
        let Self { error, .. } = self;
        if error.is_nan() || error > MAX_ERROR { Err(NoiseAwareError::Imprecise { error }) } else { Ok(self) }
    }
}

impl Joint {
    pub(super) fn new(masses: Vec<Mass>, outside: f64, parallelism: Parallelism) -> Self {
        let totals = parallelism.map(&masses, |mass| long_sum(&mass.values));
        Self { masses, totals, outside }
    }

    /// The probability that all counts sum to n. Every joint law sums to it. Bounds on what is missing are divided by
    /// the least of these sums.
    fn likely(&self) -> f64 {
        self.totals.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// A bound on the weight that windows and trimming cut off.
    fn cut(&self) -> f64 {
        self.largest(|mass| mass.lost) + self.outside
    }

    fn largest(&self, part: fn(&Mass) -> f64) -> f64 {
        self.masses.iter().map(part).fold(0.0, f64::max)
    }

    /// How many times too much is cut off.
    pub(super) fn excess(&self) -> f64 {
        self.cut() / self.likely() / MAX_CUT_SHARE
    }

    /// The bounds on the errors, where `cells` counts have each of the laws.
    ///
    /// # Errors
    /// [`NoiseAwareError::Imprecise`].
    pub(super) fn bounds(
        &self,
        logs: &[Logs],
        cells: &[u64],
        tilt: f64,
        parallelism: Parallelism,
    ) -> Result<Bounds, NoiseAwareError> {
        let errors = parallelism.map(logs.iter().zip(&self.masses), |(logs, mass)| logs.error_up(tilt, mass));
        let of_logs: f64 = errors.iter().zip(cells).map(|(error, &cells)| cells as f64 * error).sum();
        let likely = self.likely();
        let rounding = self.largest(|mass| mass.error);
        let relative = self.largest(|mass| mass.relative);
        let error = 2.0 * ((self.cut() + rounding + of_logs) / likely + relative);
        Bounds { error, missing: self.outside + of_logs }.check()
    }
}

impl Joint {
    /// The posteriors of single shares, where the counts are those of categories with these prior parameters. `alpha` are
    /// those of all categories.
    pub(super) fn marginals(
        self,
        own: impl Iterator<Item = f64> + Send,
        alpha: &[f64],
        n: u64,
        parallelism: Parallelism,
    ) -> Vec<BetaMixture> {
        let joint = self.masses.into_iter().zip(self.totals).zip(own);
        let sum = alpha.iter().copied().collect::<Sum>();
        parallelism.map(joint, |((mass, total), alpha)| {
            let mut rest = sum;
            rest.add(-alpha);
            marginal(mass, total, alpha, rest.value(), n)
        })
    }
}

/// The posterior of one share, where the weights sum to `total`, and the prior parameters of all other categories to `rest`.
fn marginal(mass: Mass, total: f64, alpha: f64, rest: f64, n: u64) -> BetaMixture {
    let weights = mass.values.into_iter().map(|value| value / total).collect();
    let mass = Mass::new(mass.start, weights).trimmed();
    BetaMixture::new(alpha, rest, n, mass.start, mass.values)
}
