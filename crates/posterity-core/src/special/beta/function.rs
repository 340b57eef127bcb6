//! The Beta function.

use super::shape::Shape;

/// `ln B(a, b)`, where `B(a, b) = Gamma(a) Gamma(b) / Gamma(a+b)`, for `a, b > 0`; NaN elsewhere.
///
/// The powers in the three formulas of Stirling are combined before they are evaluated, so that no terms of the
/// size of `ln Gamma(a+b)` are subtracted.
///
/// ```
/// use posterity_core::special::beta::ln_beta;
/// assert!((ln_beta(3.0, 5.0) + 105f64.ln()).abs() < 1e-14); // 2! 4! / 7! = 1/105
/// assert!((ln_beta(1.0, 1e12) + 1e12f64.ln()).abs() < 1e-14); // 1/b
/// ```
#[must_use]
pub fn ln_beta(a: f64, b: f64) -> f64 {
    Shape::new(a, b).map_or(f64::NAN, |shape| {
        // The larger share may be next to one. Its logarithm is then computed from the smaller share.
        let (ln_p, ln_q) = if a <= b {
            (libm::log(shape.p), libm::log1p(-shape.p))
        } else {
            (libm::log1p(-shape.q), libm::log(shape.q))
        };
        a * ln_p + b * ln_q - shape.ln_height
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(a, b, ln B(a, b))`, computed as `loggamma(a) + loggamma(b) - loggamma(a+b)` by mpmath 1.3.0 with mp.dps = 80
    /// and rounded to f64.
    const BETA: &[(f64, f64, f64)] = &[
        (0.001, 0.001, 7.600900817008347),
        (0.001, 1e12, 6.879547864267925),
        (0.5, 0.5, 1.1447298858494002),
        (1.0, 1e12, -27.631021115928547),
        (2.0, 0.001, 6.906755778649053),
        (3.0, 5.0, -4.653960350157523),
        (10.0, 1e9, -194.43083093438264),
        (1e6, 1e6, -1386300.003362921),
        (1e12, 1e12, -1386294361132.4407),
        (1e12, 1000.0, -21725.800693218865),
    ];

    #[test]
    fn ln_beta_is_golden() {
        for &(a, b, golden) in BETA {
            for found in [ln_beta(a, b), ln_beta(b, a)] {
                assert!(
                    (found - golden).abs() < 2e-15 * golden.abs().max(1.0),
                    "at {a}, {b}: {found}, not {golden}"
                );
            }
        }
    }
}
