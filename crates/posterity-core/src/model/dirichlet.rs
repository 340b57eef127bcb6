//! The Dirichlet distribution, and the Beta distribution of each of its categories.

use serde::{Deserialize, Serialize};

use crate::pulse::beat;
use crate::special::Sum;
use crate::special::beta;
use crate::special::deviance::ln_factor;
use crate::special::gamma::{HALF_LN_TAU, remainder};

/// A Dirichlet distribution over the probabilities of two or more categories.
///
/// With parameters `a_1 .. a_k` of total `n`, its density on the simplex is
///
/// `f(theta) = Gamma(n) prod_i theta_i^(a_i - 1) / Gamma(a_i)` (Kotz, Balakrishnan and Johnson 2000, chapter
/// 49).
///
/// It is written and read as the plain list of its parameters, which are validated either way.
///
/// ```
/// use posterity_core::model::Dirichlet;
/// let posterior = Dirichlet::new(vec![3.0, 5.0, 8.0])?;
/// assert_eq!(posterior.mean(), [3.0 / 16.0, 5.0 / 16.0, 0.5]);
/// // Gamma(16) / (Gamma(3) Gamma(5) Gamma(8)) (1/4)^2 (1/4)^4 (1/2)^7
/// let density = 5_405_400.0 / 2f64.powi(19);
/// assert!((posterior.ln_density(&[0.25, 0.25, 0.5])? - density.ln()).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub struct Dirichlet {
    parameters: Vec<f64>,
}

/// Why a list of numbers is not the parameters of a Dirichlet distribution.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DirichletError {
    /// There are fewer than two parameters.
    #[error(
        "a Dirichlet distribution has two or more categories, but the number of parameters is {found}; \
         give one parameter for each category"
    )]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// A parameter is zero, negative, infinite or not a number.
    #[error("parameter {} of the Dirichlet distribution is {value}; give a finite number above zero", index + 1)]
    NotPositive {
        /// Its index, from zero.
        index: usize,
        /// Its value.
        value: f64,
    },
}

/// Why a number is not the level of an interval.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the level {value} is not strictly between 0 and 1; \
     give the probability that the interval is to hold, such as 0.95"
)]
pub struct LevelError {
    /// The number given.
    pub value: f64,
}

/// Why there is no interval for a category.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum IntervalError {
    /// The category does not exist.
    #[error("there is no category {index}; give an index below {categories}, counted from zero")]
    NoSuchCategory {
        /// The index given.
        index: usize,
        /// How many categories there are.
        categories: usize,
    },
    /// The level is no probability.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// Why a density has no value at a point.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DensityError {
    /// The point has another number of components than the distribution has categories.
    #[error(
        "the point has {found} components, but the distribution has {expected} categories; \
         give one probability for each"
    )]
    WrongLength {
        /// How many categories there are.
        expected: usize,
        /// How many components there are.
        found: usize,
    },
    /// A component is negative, above one or not a number.
    #[error("component {index} of the point is {value}; give a probability between 0 and 1")]
    NotAProbability {
        /// Its index, from zero.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The components do not sum to one.
    #[error("the components of the point sum to {total}; divide each by that total so that they sum to 1")]
    NotNormalised {
        /// Their sum.
        total: f64,
    },
}

impl Dirichlet {
    /// How far from one the components of a point may sum.
    const TOLERANCE: f64 = 1e-9;

    /// The Dirichlet distribution with these parameters, one for each category.
    ///
    /// # Errors
    /// If there are fewer than two, or one is not positive and finite.
    pub fn new(parameters: Vec<f64>) -> Result<Self, DirichletError> {
        if parameters.len() < 2 {
            return Err(DirichletError::TooFew { found: parameters.len() });
        }
        for (index, &value) in parameters.iter().enumerate() {
            if !(value > 0.0 && value.is_finite()) {
                return Err(DirichletError::NotPositive { index, value });
            }
        }
        Ok(Self { parameters })
    }

    /// The parameters, one for each category.
    #[must_use]
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// The number of categories, at least two.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parameters.len()
    }

    /// Never true: there are at least two categories.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty()
    }

    /// The sum of the parameters; not finite if that overflows.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.sum().value()
    }

    /// The mean of each category's probability, `m_i = a_i / n`.
    #[must_use]
    pub fn mean(&self) -> Vec<f64> {
        let total = self.total();
        self.parameters.iter().map(|parameter| parameter / total).collect()
    }

    /// The variance of each category's probability, `m_i (1 - m_i) / (n + 1)`.
    #[must_use]
    pub fn variance(&self) -> Vec<f64> {
        let total = self.total();
        self.marginals().map(|Beta { a, b }| (a / total) * (b / total) / (total + 1.0)).collect()
    }

    /// The distribution of one category's probability: Beta of its parameter and of the sum of the others.
    /// None if there is no such category.
    #[must_use]
    pub fn marginal(&self, category: usize) -> Option<Beta> {
        self.parameters.get(category).map(|&a| Beta { a, b: without(self.sum(), a) })
    }

    /// The interval that holds one category's probability with probability `level`, with equal probability on
    /// either side of it.
    ///
    /// # Errors
    /// If there is no such category, or `level` is not strictly between 0 and 1.
    pub fn interval(&self, category: usize, level: f64) -> Result<(f64, f64), IntervalError> {
        let missing = IntervalError::NoSuchCategory { index: category, categories: self.len() };
        Ok(self.marginal(category).ok_or(missing)?.interval(level)?)
    }

    /// The equal-tailed interval of every category; see [`Self::interval`].
    ///
    /// ```
    /// use posterity_core::model::Dirichlet;
    /// let uniform = Dirichlet::new(vec![1.0, 1.0])?;
    /// let [low, high] = uniform.intervals(0.5)?[0];
    /// assert!((low - 0.25).abs() < 1e-15 && (high - 0.75).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn intervals(&self, level: f64) -> Result<Vec<[f64; 2]>, LevelError> {
        let interval = |marginal: Beta| {
            beat();
            marginal.interval(level).map(|(low, high)| [low, high])
        };
        self.marginals().map(interval).collect()
    }

    /// `ln f(theta)`, with the density of [`Dirichlet`].
    ///
    /// A zero component makes it minus infinity if its parameter is above one and plus infinity if below; the
    /// former prevails where both occur. Components may miss the sum of one by 1e-9, and are scaled to it.
    /// Evaluated as a deviance from the mean, as in [`ln_density`](beta::ln_density), so that digits are kept
    /// for large parameters.
    ///
    /// # Errors
    /// If `theta` has another length, a component that is no probability, or another sum.
    pub fn ln_density(&self, theta: &[f64]) -> Result<f64, DensityError> {
        if theta.len() != self.len() {
            return Err(DensityError::WrongLength { expected: self.len(), found: theta.len() });
        }
        for (index, &value) in theta.iter().enumerate() {
            if !(0.0..=1.0).contains(&value) {
                return Err(DensityError::NotAProbability { index, value });
            }
        }
        let scale = theta.iter().copied().collect::<Sum>().value();
        if (scale - 1.0).abs() > Self::TOLERANCE {
            return Err(DensityError::NotNormalised { total: scale });
        }
        // Infinite terms first: the sum below is compensated and takes finite ones only.
        let zeros = || self.parameters.iter().zip(theta).filter(|&(_, &x)| x == 0.0).map(|(&a, _)| a);
        if zeros().any(|a| a > 1.0) {
            return Ok(f64::NEG_INFINITY);
        }
        if zeros().any(|a| a < 1.0) {
            return Ok(f64::INFINITY);
        }
        let total = self.sum();
        let n = total.value();
        let rest = without(total, n);
        let mut sum = Sum::default();
        for (&a, &component) in self.parameters.iter().zip(theta) {
            let x = component / scale;
            // a - n x, where n is known beyond its last digit.
            let product = n * x;
            let excess: Sum = [a, -product, -libm::fma(n, x, -product), -rest * x].into_iter().collect();
            sum.add(ln_factor(a, a / n, x, product, excess.value()));
            sum.add(0.5 * libm::log(a) - HALF_LN_TAU - remainder(a));
        }
        sum.add(remainder(n) + HALF_LN_TAU - 0.5 * libm::log(n));
        Ok(sum.value())
    }

    fn sum(&self) -> Sum {
        self.parameters.iter().copied().collect()
    }

    fn marginals(&self) -> impl Iterator<Item = Beta> {
        let sum = self.sum();
        self.parameters.iter().map(move |&a| Beta { a, b: without(sum, a) })
    }
}

impl TryFrom<Vec<f64>> for Dirichlet {
    type Error = DirichletError;

    fn try_from(parameters: Vec<f64>) -> Result<Self, Self::Error> {
        Self::new(parameters)
    }
}

impl From<Dirichlet> for Vec<f64> {
    fn from(dirichlet: Dirichlet) -> Self {
        dirichlet.parameters
    }
}

/// The Beta distribution of one category's probability; see [`Dirichlet::marginal`].
///
/// ```
/// use posterity_core::model::Dirichlet;
/// let posterior = Dirichlet::new(vec![1.0, 1.0, 1.0])?;
/// let share = posterior.marginal(0).ok_or("no such category")?; // Beta(1, 2)
/// assert!((share.cdf(0.25) - 0.4375).abs() < 1e-15);
/// assert!((share.quantile(0.4375) - 0.25).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    a: f64,
    b: f64,
}

impl Beta {
    /// With parameters that are known to be positive.
    pub(crate) fn new(a: f64, b: f64) -> Self {
        Self { a, b }
    }

    /// The parameter of the category.
    #[must_use]
    pub fn a(&self) -> f64 {
        self.a
    }

    /// The sum of the parameters of the other categories.
    #[must_use]
    pub fn b(&self) -> f64 {
        self.b
    }

    /// The density at `x`.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        libm::exp(self.ln_density(x))
    }

    /// The logarithm of the density at `x`; see [`beta::ln_density`].
    #[must_use]
    pub fn ln_density(&self, x: f64) -> f64 {
        beta::ln_density(x, self.a, self.b)
    }

    /// The probability of at most `x`; see [`beta::cdf`].
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        beta::cdf(x, self.a, self.b)
    }

    /// The value with probability `p` below it; see [`beta::quantile`].
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        beta::quantile(p, self.a, self.b)
    }

    /// The interval that has probability `level`, with equal probability on either side of it.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<(f64, f64), LevelError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(LevelError { value: level });
        }
        let tail = 0.5 * (1.0 - level);
        Ok((beta::quantile(tail, self.a, self.b), beta::upper_quantile(tail, self.a, self.b)))
    }
}

/// `sum - term`, with the digits that the sum has beyond its value.
fn without(mut sum: Sum, term: f64) -> f64 {
    sum.add(-term);
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    // Golden values: mpmath 1.3.0 with mp.dps = 80, rounded to f64; every argument is the f64 that is
    // written.
    //   n = sum(a);  mean = a[i]/n;  variance = a[i]*(n - a[i])/n**2/(n + 1)
    //   ln_density = loggamma(n) - sum(loggamma(v) for v in a)
    //       + sum((v-1)*log(t/sum(theta)) for v, t in zip(a, theta))

    /// `(a, theta, ln f(theta))`
    const DENSITIES: &[(&[f64], &[f64], f64)] = &[
        (&[1.0, 1.0, 1.0], &[0.2, 0.3, 0.5], std::f64::consts::LN_2),
        (&[0.5, 2.0, 3.5], &[0.125, 0.25, 0.625], 1.49257053411596),
        (&[0.001, 0.001, 4.0], &[0.25, 0.25, 0.5], -13.121470376053917),
        (&[10.0, 20.0, 30.0, 40.0], &[0.125, 0.1875, 0.3125, 0.375], 6.599454009680616),
        (&[1e6, 2e6, 5e6], &[0.125, 0.25, 0.625], 16.024944668007496),
        (&[1e12, 1e12, 2e12], &[0.25, 0.25, 0.5], 28.91230636203877),
        (
            &[1e12, 1e12, 2e12],
            &[0.2499997615814209, 0.25000011920928955, 0.5000001192092896],
            28.287028749043348,
        ),
        (&[0.001, 1e12, 1e12], &[9.094947017729282e-13, 0.4999999999990905, 0.5], 32.93661001014175),
    ];

    /// `(a, mean, variance)`
    const MOMENTS: &[([f64; 3], [f64; 3], [f64; 3])] = &[
        (
            [0.5, 2.0, 3.5],
            [0.08333333333333333, 0.3333333333333333, 0.5833333333333334],
            [0.010912698412698412, 0.031746031746031744, 0.034722222222222224],
        ),
        (
            [0.001, 1.0, 1e12],
            [9.99999999998999e-16, 9.99999999998999e-13, 0.999999999998999],
            [9.99999999996997e-28, 9.99999999995998e-25, 1.000999999995993e-24],
        ),
        (
            [1e12, 3e12, 4e12],
            [0.125, 0.375, 0.5],
            [1.3671874999998291e-14, 2.929687499999634e-14, 3.124999999999609e-14],
        ),
    ];

    #[test]
    fn accepts() -> Outcome {
        for parameters in [vec![1.0, 1.0], vec![1e-3, 0.5, 1e12], vec![f64::MIN_POSITIVE; 5], vec![0.1; 10]] {
            let dirichlet = Dirichlet::new(parameters.clone())?;
            assert_eq!(dirichlet.parameters(), parameters);
            assert_eq!(dirichlet.len(), parameters.len());
            assert!(!dirichlet.is_empty());
        }
        assert_eq!(Dirichlet::new(vec![0.1; 10])?.total(), 1.0);
        Ok(())
    }

    #[test]
    fn rejects() {
        let table = [
            (vec![], DirichletError::TooFew { found: 0 }),
            (vec![1.0], DirichletError::TooFew { found: 1 }),
            (vec![1.0, 0.0], DirichletError::NotPositive { index: 1, value: 0.0 }),
            (vec![-2.0, 0.0], DirichletError::NotPositive { index: 0, value: -2.0 }),
            (vec![1.0, 1.0, f64::INFINITY], DirichletError::NotPositive { index: 2, value: f64::INFINITY }),
        ];
        for (parameters, error) in table {
            assert_eq!(Dirichlet::new(parameters), Err(error));
        }
        // NaN is not equal to itself.
        let error = Dirichlet::new(vec![1.0, f64::NAN]);
        assert!(matches!(error, Err(DirichletError::NotPositive { index: 1, value }) if value.is_nan()));
    }

    #[test]
    fn rejects_levels() -> Outcome {
        let dirichlet = Dirichlet::new(vec![1.0, 2.0])?;
        for value in [0.0, 1.0, -0.5, 95.0, f64::INFINITY] {
            assert_eq!(dirichlet.intervals(value), Err(LevelError { value }));
            assert_eq!(dirichlet.interval(0, value), Err(IntervalError::Level(LevelError { value })));
        }
        assert!(dirichlet.intervals(f64::NAN).is_err());
        let missing = IntervalError::NoSuchCategory { index: 2, categories: 2 };
        assert_eq!(dirichlet.interval(2, 0.9), Err(missing));
        assert_eq!(dirichlet.marginal(2), None);
        Ok(())
    }

    #[test]
    fn rejects_points() -> Outcome {
        let dirichlet = Dirichlet::new(vec![1.0, 2.0])?;
        let table: [(&[f64], DensityError); 5] = [
            (&[1.0], DensityError::WrongLength { expected: 2, found: 1 }),
            (&[0.5, 0.25, 0.25], DensityError::WrongLength { expected: 2, found: 3 }),
            (&[-0.5, 1.5], DensityError::NotAProbability { index: 0, value: -0.5 }),
            (&[0.0, 1.5], DensityError::NotAProbability { index: 1, value: 1.5 }),
            (&[0.5, 0.25], DensityError::NotNormalised { total: 0.75 }),
        ];
        for (theta, error) in table {
            assert_eq!(dirichlet.ln_density(theta), Err(error));
        }
        assert!(dirichlet.ln_density(&[0.5, 0.5 + 2e-9]).is_err());
        assert!(dirichlet.ln_density(&[0.5, 0.5 + 5e-10]).is_ok());
        Ok(())
    }

    /// A reader of the message learns which parameter to change, and to what.
    #[test]
    fn errors_are_sentences() {
        let messages = [
            DirichletError::TooFew { found: 1 }.to_string(),
            DirichletError::NotPositive { index: 3, value: -1.5 }.to_string(),
            LevelError { value: 95.0 }.to_string(),
            IntervalError::NoSuchCategory { index: 4, categories: 3 }.to_string(),
            DensityError::NotNormalised { total: 0.75 }.to_string(),
        ];
        assert_eq!(
            messages,
            [
                "a Dirichlet distribution has two or more categories, but the number of parameters is 1; \
                 give one parameter for each category",
                "parameter 4 of the Dirichlet distribution is -1.5; give a finite number above zero",
                "the level 95 is not strictly between 0 and 1; \
                 give the probability that the interval is to hold, such as 0.95",
                "there is no category 4; give an index below 3, counted from zero",
                "the components of the point sum to 0.75; divide each by that total so that they sum to 1",
            ]
        );
    }

    /// Reading does not get round the constructor.
    #[test]
    fn serialises_as_a_list() -> Outcome {
        let dirichlet = Dirichlet::new(vec![0.5, 3.0])?;
        let text = serde_json::to_string(&dirichlet)?;
        assert_eq!(text, "[0.5,3.0]");
        assert_eq!(serde_json::from_str::<Dirichlet>(&text)?, dirichlet);
        for bad in ["[]", "[1.0]", "[1.0,0.0]", "[1.0,-1.0]", "{\"parameters\":[1.0,1.0]}"] {
            assert!(serde_json::from_str::<Dirichlet>(bad).is_err(), "{bad}");
        }
        Ok(())
    }

    #[test]
    fn moments_are_golden() -> Outcome {
        for &(parameters, mean, variance) in MOMENTS {
            let dirichlet = Dirichlet::new(parameters.to_vec())?;
            for (found, golden) in
                dirichlet.mean().iter().zip(mean).chain(dirichlet.variance().iter().zip(variance))
            {
                assert!((found / golden - 1.0).abs() < 5e-16, "{parameters:?}: {found}, not {golden}");
            }
        }
        Ok(())
    }

    #[test]
    fn densities_are_golden() -> Outcome {
        for &(parameters, theta, golden) in DENSITIES {
            let found = Dirichlet::new(parameters.to_vec())?.ln_density(theta)?;
            assert!(
                (found - golden).abs() < 1e-15 * golden.abs().max(4.0),
                "{parameters:?}: {found}, not {golden}"
            );
        }
        Ok(())
    }

    #[test]
    fn density_at_zero_components() -> Outcome {
        let at = |parameters: [f64; 3], theta: [f64; 3]| -> Result<f64, Box<dyn std::error::Error>> {
            Ok(Dirichlet::new(parameters.to_vec())?.ln_density(&theta)?)
        };
        assert_eq!(at([2.0, 1.0, 1.0], [0.0, 0.5, 0.5])?, f64::NEG_INFINITY);
        assert_eq!(at([0.5, 1.0, 1.0], [0.0, 0.5, 0.5])?, f64::INFINITY);
        assert_eq!(at([0.5, 2.0, 1.0], [0.0, 0.0, 1.0])?, f64::NEG_INFINITY);
        // Gamma(4) / Gamma(2) (1/2)
        assert!((at([1.0, 1.0, 2.0], [0.0, 0.5, 0.5])? - libm::log(3.0)).abs() < 1e-15);
        Ok(())
    }

    /// The rest of the total is not `total - a`, which has no digits here.
    #[test]
    fn marginal_of_a_dominant_category() -> Outcome {
        let marginal = Dirichlet::new(vec![1e-3, 1e18, 2e-3])?.marginal(1).ok_or("no category")?;
        assert_eq!((marginal.a(), marginal.b()), (1e18, 3e-3));
        Ok(())
    }

    fn parameters() -> impl Strategy<Value = Vec<f64>> {
        proptest::collection::vec((-3.0..12.0f64).prop_map(|log| libm::pow(10.0, log)), 2..7)
    }

    proptest! {
        #[test]
        fn means_sum_to_one(parameters in parameters()) {
            let dirichlet = Dirichlet::new(parameters)?;
            let sum: Sum = dirichlet.mean().into_iter().collect();
            prop_assert!((sum.value() - 1.0).abs() < 4e-16);
        }

        /// A Dirichlet of two categories is a Beta distribution, computed by other sums.
        #[test]
        fn two_categories_are_a_beta(x in 0.0..0.5f64, log_a in -3.0..12.0f64, log_b in -3.0..12.0f64) {
            let dirichlet = Dirichlet::new(vec![libm::pow(10.0, log_a), libm::pow(10.0, log_b)])?;
            // 1 - y is exact.
            let y = 1.0 - x;
            let found = dirichlet.ln_density(&[1.0 - y, y])?;
            for (category, component) in [(0, 1.0 - y), (1, y)] {
                let beta = dirichlet.marginal(category).map(|beta| beta.ln_density(component));
                let beta = beta.unwrap_or(f64::NAN);
                prop_assert!((found - beta).abs() <= 2e-14 * beta.abs().max(1.0), "{} and {}", found, beta);
            }
        }

        /// The interval has probability `level`, and both sides have the same; up to what moving an end by
        /// its last digit does.
        #[test]
        fn intervals_cover_their_level(parameters in parameters(), level in 0.01..0.999f64) {
            let dirichlet = Dirichlet::new(parameters)?;
            for (category, [low, high]) in dirichlet.intervals(level)?.into_iter().enumerate() {
                prop_assert_eq!(dirichlet.interval(category, level), Ok((low, high)));
                let Some(Beta { a, b }) = dirichlet.marginal(category) else { continue };
                // An end beyond the smallest or the largest number below one has no tail to compare.
                for (x, found) in [(low, beta::cdf(low, a, b)), (high, beta::sf(high, a, b))] {
                    if x > f64::MIN_POSITIVE && x < 1.0 {
                        let digit = f64::EPSILON * x * libm::exp(beta::ln_density(x, a, b));
                        let tail = 0.5 * (1.0 - level);
                        prop_assert!((found - tail).abs() < 1e-13 + digit, "{}: {} {}", x, found, tail);
                    }
                }
            }
        }
    }
}
