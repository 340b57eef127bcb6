//! The law of the data before they are seen.

use crate::model::Prior;
use crate::special::{Sum, ln_gamma};

/// `P(c)` when theta is drawn from the prior and n records from theta:
/// `n! prod_i Gamma(alpha_i + c_i) / (c_i! Gamma(alpha_i)) * Gamma(A) / Gamma(A + n)`, `A = sum alpha`.
///
/// ```
/// use posterity_core::{accuracy::prior_predictive, model::Prior};
/// // Under the uniform prior every number of successes is as likely as any other.
/// assert!((prior_predictive(&Prior::uniform(2)?, &[3, 7]) - 1.0 / 11.0).abs() < 1e-14);
/// # Ok::<(), posterity_core::model::PriorError>(())
/// ```
#[must_use]
pub fn prior_predictive(prior: &Prior, counts: &[u64]) -> f64 {
    let ln_rising =
        |alpha: f64, c: u64| ln_gamma(alpha + c as f64) - ln_gamma(alpha) - ln_gamma(c as f64 + 1.0);
    let categories = prior.parameters().iter().zip(counts);
    let parts: f64 = categories.map(|(&alpha, &c)| ln_rising(alpha, c)).collect::<Sum>().value();
    let total = prior.parameters().iter().copied().collect::<Sum>().value();
    libm::exp(parts - ln_rising(total, counts.iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Space;

    #[test]
    fn the_prior_predictive_law_sums_to_one() {
        for prior in [vec![1.0, 1.0, 1.0], vec![0.05, 3.0], vec![7.0, 4.0, 5.0]] {
            let k = prior.len();
            let prior = Prior::new(prior).expect("valid");
            let mut sum = 0.0;
            Space::Candidates.for_each(k, 12, |counts| sum += prior_predictive(&prior, counts));
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}
