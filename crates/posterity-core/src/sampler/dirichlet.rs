//! Dirichlet draws in floating point. They are for analysis; no privacy guarantee depends on them.

use super::bits::{BitSource, SourceError};
use crate::model::Dirichlet;

/// A uniform number from 0 to 1, neither end included.
pub(crate) fn uniform_unit(bits: &mut dyn BitSource) -> Result<f64, SourceError> {
    Ok(((bits.next_u64()? >> 11) as f64 + 0.5) * (1.0 / 9_007_199_254_740_992.0))
}

/// One draw from a Dirichlet distribution.
///
/// Gamma variables are divided by their sum. They are kept as logarithms, because with a parameter far below one they
/// would underflow.
///
/// ```
/// use posterity_core::model::Dirichlet;
/// use posterity_core::sampler::{SeededBits, dirichlet};
/// let point = dirichlet(&Dirichlet::new(vec![1.0, 2.0, 3.0])?, &mut SeededBits::new(1))?;
/// assert!((point.iter().sum::<f64>() - 1.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SourceError`] from the source.
pub fn dirichlet(distribution: &Dirichlet, bits: &mut dyn BitSource) -> Result<Vec<f64>, SourceError> {
    unchecked_dirichlet(distribution.parameters(), bits)
}

/// [`dirichlet`] for parameters that are known to be positive and finite.
pub(crate) fn unchecked_dirichlet(
    parameters: &[f64],
    bits: &mut dyn BitSource,
) -> Result<Vec<f64>, SourceError> {
    let mut logs = Vec::with_capacity(parameters.len());
    for &shape in parameters {
        logs.push(ln_gamma_draw(shape, bits)?);
    }
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut point: Vec<f64> = logs.iter().map(|ln| libm::exp(ln - largest)).collect();
    let sum: f64 = point.iter().sum();
    point.iter_mut().for_each(|part| *part /= sum);
    Ok(point)
}

/// The logarithm of a Gamma variable (Marsaglia and Tsang 2000). For a shape below one, `Gamma(a) = Gamma(a+1) U^(1/a)`
/// with a uniform U.
fn ln_gamma_draw(shape: f64, bits: &mut dyn BitSource) -> Result<f64, SourceError> {
    if shape < 1.0 {
        let power = libm::log(uniform_unit(bits)?) / shape;
        return Ok(ln_gamma_draw(shape + 1.0, bits)? + power);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrt(9.0 * d);
    loop {
        let x = normal(bits)?;
        let v = 1.0 + c * x;
        if v <= 0.0 {
            continue;
        }
        let ln_v = 3.0 * libm::log(v);
        if libm::log(uniform_unit(bits)?) < 0.5 * x * x + d * (1.0 - libm::exp(ln_v) + ln_v) {
            return Ok(libm::log(d) + ln_v);
        }
    }
}

/// A standard normal variable (Marsaglia and Bray 1964).
fn normal(bits: &mut dyn BitSource) -> Result<f64, SourceError> {
    loop {
        let (x, y) = (2.0 * uniform_unit(bits)? - 1.0, 2.0 * uniform_unit(bits)? - 1.0);
        let s = x * x + y * y;
        if s < 1.0 && s > 0.0 {
            return Ok(x * libm::sqrt(-2.0 * libm::log(s) / s));
        }
    }
}
