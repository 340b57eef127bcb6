//! The Dirichlet distribution, and the Beta distribution of each of its categories.

mod density;
mod interval;

pub use density::DensityError;
pub use interval::IntervalError;

use serde::{Deserialize, Serialize};

use super::Beta;
use crate::special::Sum;

/// A Dirichlet distribution over the probabilities of two or more categories.
///
/// With parameters `a_1 .. a_k` of total `n`, its density on the simplex is
///
/// `f(theta) = Gamma(n) prod_i theta_i^(a_i - 1) / Gamma(a_i)` (Kotz, Balakrishnan and Johnson 2000, chapter
/// 49).
///
/// It is serialised as the list of its parameters. Deserialising validates them.
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
#[non_exhaustive]
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

impl Dirichlet {
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

    /// Always false, because there are at least two categories.
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
        self.marginals().map(|beta| (beta.a() / total) * (beta.b() / total) / (total + 1.0)).collect()
    }

    /// The distribution of one category's probability: Beta of its parameter and of the sum of the others.
    /// None if there is no such category.
    #[must_use]
    pub fn marginal(&self, category: usize) -> Option<Beta> {
        self.parameters.get(category).map(|&a| Beta::new(a, without(self.sum(), a)))
    }

    fn sum(&self) -> Sum {
        self.parameters.iter().copied().collect()
    }

    fn marginals(&self) -> impl Iterator<Item = Beta> {
        let sum = self.sum();
        self.parameters.iter().map(move |&a| Beta::new(a, without(sum, a)))
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

/// `sum - term`, computed with the extra digits that the sum keeps.
fn without(mut sum: Sum, term: f64) -> f64 {
    sum.add(-term);
    sum.value()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::LevelError;

    pub(super) type Outcome = Result<(), Box<dyn std::error::Error>>;

    // Golden values: mpmath 1.3.0 with mp.dps = 80, rounded to f64; every argument is the f64 that is written.
    //   n = sum(a);  mean = a[i]/n;  variance = a[i]*(n - a[i])/n**2/(n + 1)

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

    /// If this fails, a message does not say which parameter to change, or how.
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
                "the level is 95; choose a number strictly between 0 and 1, such as 0.95",
                "there is no category 4; give an index below 3, counted from zero",
                "the components of the point sum to 0.75; divide each by that total so that they sum to 1",
            ]
        );
    }

    /// If this fails, deserialising skips the checks of the constructor.
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

    /// If this fails, the sum of the other parameters is computed as `total - a`, which has no correct digits here.
    #[test]
    fn marginal_of_a_dominant_category() -> Outcome {
        let marginal = Dirichlet::new(vec![1e-3, 1e18, 2e-3])?.marginal(1).ok_or("no category")?;
        assert_eq!((marginal.a(), marginal.b()), (1e18, 3e-3));
        Ok(())
    }

    pub(super) fn parameters() -> impl Strategy<Value = Vec<f64>> {
        proptest::collection::vec((-3.0..12.0f64).prop_map(|log| libm::pow(10.0, log)), 2..7)
    }

    proptest! {
        #[test]
        fn means_sum_to_one(parameters in parameters()) {
            let dirichlet = Dirichlet::new(parameters)?;
            let sum: Sum = dirichlet.mean().into_iter().collect();
            prop_assert!((sum.value() - 1.0).abs() < 4e-16);
        }
    }
}
