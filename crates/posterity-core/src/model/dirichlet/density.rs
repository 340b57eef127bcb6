//! The density of a Dirichlet distribution.

use super::{Dirichlet, without};
use crate::special::Sum;
use crate::special::deviance::ln_factor;
use crate::special::gamma::{HALF_LN_TAU, remainder};

/// Why a density has no value at a point.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
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
    const SUM_TOLERANCE: f64 = 1e-9;

    /// `ln f(theta)`, with the density of [`Dirichlet`].
    ///
    /// It is minus infinity if a component is zero whose parameter is above one. Otherwise it is plus infinity if a
    /// component is zero whose parameter is below one. The components may sum to one up to an error of 1e-9; they
    /// are divided by their sum. The density is evaluated as a deviance from the mean, so that large parameters cost
    /// no digits; see [`ln_density`](crate::special::beta::ln_density).
    ///
    /// # Errors
    /// If `theta` has another length, a component that is not a probability, or a sum that is not one.
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
        if (scale - 1.0).abs() > Self::SUM_TOLERANCE {
            return Err(DensityError::NotNormalised { total: scale });
        }
        // Infinite terms are handled first, because the compensated sum below takes finite terms only.
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
            // a - n x, where `rest` holds the digits of the total beyond those of n.
            let product = n * x;
            let excess: Sum = [a, -product, -libm::fma(n, x, -product), -rest * x].into_iter().collect();
            sum.add(ln_factor(a, a / n, x, product, excess.value()));
            sum.add(0.5 * libm::log(a) - HALF_LN_TAU - remainder(a));
        }
        sum.add(remainder(n) + HALF_LN_TAU - 0.5 * libm::log(n));
        Ok(sum.value())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::Outcome;
    use super::*;

    // Golden values: mpmath 1.3.0 with mp.dps = 80, rounded to f64; every argument is the f64 that is written.
    //   n = sum(a)
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

    proptest! {
        /// A Dirichlet distribution of two categories is a Beta distribution. The two densities are computed in
        /// different ways.
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
    }
}
