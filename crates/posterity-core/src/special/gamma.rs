//! The logarithm of the Gamma function.

use super::Number;
use super::stirling::{mu, steps};

/// `ln(2 pi) / 2`
pub(crate) const HALF_LN_TAU: f64 = 0.918_938_533_204_672_8;

/// `ln Gamma(x)` for `x > 0`, by Stirling's formula (see [`stirling`](super::stirling)); NaN elsewhere.
///
/// The absolute error is a few 1e-16 near the zeros 1 and 2, the relative error 1e-15 away from them.
///
/// ```
/// use posterity_core::special::ln_gamma;
/// assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 1e-15); // Gamma(1/2)^2 = pi
/// assert!((ln_gamma(11.0) - 3_628_800f64.ln()).abs() < 1e-14); // Gamma(11) = 10!
/// ```
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    if x.is_nan() || x <= 0.0 {
        return f64::NAN;
    }
    (x - 0.5) * libm::log(x) - x + HALF_LN_TAU + remainder(x)
}

/// `ln Gamma(alpha + c) - ln c!`: how the weight of a count c under a Dirichlet prior depends on c.
///
/// A difference of log-gammas loses all digits for large c. Instead, with `b = c + 1` and `d = alpha - 1`, Stirling's
/// formula gives `d ln b + (b + d - 1/2) ln(1 + d/b) - d + mu(b+d) - mu(b)`.
///
/// ```
/// use posterity_core::special::ln_gamma_over_factorial;
/// // Gamma(1/2 + c)/c! ~ c^(-1/2) (1 - 1/(8c))
/// let c = 1e12;
/// assert!((ln_gamma_over_factorial(0.5, c) + 0.5 * c.ln()).abs() < 1e-12);
/// ```
#[must_use]
pub fn ln_gamma_over_factorial(alpha: f64, c: f64) -> f64 {
    let b = c + 1.0;
    if c < 16.0 {
        return ln_gamma(alpha + c) - ln_gamma(b);
    }
    let d = alpha - 1.0;
    let a = alpha + c;
    d * libm::log(b) + (a - 0.5) * libm::log1p(d / b) - d + remainder(a) - remainder(b)
}

/// Stirling's remainder `mu(x)` for any `x > 0`: from `mu(x) = mu(x+1) + (x + 1/2) ln(1 + 1/x) - 1`.
pub(crate) fn remainder<T: Number>(x: T) -> T {
    let raised = steps(x.value());
    (0..raised).rev().fold(mu(x + f64::from(raised)), |total, step| {
        let at = x + f64::from(step);
        total + ((at + 0.5) * ln_1p_inverse(at) - 1.0)
    })
}

/// `ln(1 + 1/x)` for `x > 0`, also where `1/x` is too large.
pub(crate) fn ln_1p_inverse<T: Number>(x: T) -> T {
    if x.value() < 1.0 { x.ln_1p() - x.ln() } else { (T::from(1.0) / x).ln_1p() }
}

/// `Gamma(x + 1) e^x x^-x` for `x > 0`, which is 1 at zero and grows like `sqrt(2 pi x)`. It is given as the logarithm
/// of its ratio to `sqrt(2 pi max(x, 1))`, which is small for all x.
pub(crate) fn ln_gamma_over_power<T: Number>(x: T) -> T {
    if x.value() >= 1.0 {
        return remainder(x);
    }
    // ln Gamma(x + 1) = (x + 1/2) ln(x + 1) - (x + 1) + ln(2 pi)/2 + mu(x + 1)
    (x + 0.5) * x.ln_1p() - 1.0 + remainder(x + 1.0) - x * x.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(x, ln Gamma(x))`, by `loggamma` of mpmath 1.3.0 with mp.dps = 80, rounded to f64.
    const GAMMA: &[(f64, f64)] = &[
        (1e-300, 690.7755278982137),
        (0.001, 6.907178885383853),
        (0.1, 2.252712651734206),
        (0.5, 0.5723649429247001),
        (0.999, 0.0005780385328913802),
        (1.0001, -5.771334222047127e-05),
        (1.4616321449683622, -0.12148629053584961),
        (1.9, -0.03898427592308336),
        (2.001, 0.000423106734800117),
        (3.5, 1.2009736023470743),
        (9.99, 12.779315214350193),
        (10.0, 12.801827480081469),
        (100.5, 361.4355404677776),
        (1e6, 12815504.569147611),
        (1e12, 26631021115915.652),
    ];

    #[test]
    fn ln_gamma_is_golden() {
        for &(x, golden) in GAMMA {
            let found = ln_gamma(x);
            assert!((found - golden).abs() < 1e-15 * golden.abs().max(1.0), "at {x}: {found}, not {golden}");
        }
    }

    /// If this fails at one parameter, the recurrence and Stirling's series are not the same function.
    #[test]
    fn ln_gamma_obeys_its_recurrence() {
        for step in 1..400 {
            let x = 0.05 * f64::from(step);
            let gap = ln_gamma(x + 1.0) - ln_gamma(x) - libm::log(x);
            assert!(gap.abs() < 1e-15 * ln_gamma(x + 1.0).abs().max(2.0), "at {x}: {gap}");
        }
    }

    /// If this fails, one of the two branches is wrong. The recurrence is
    /// `Gamma(alpha + c + 1)/(c + 1)! = (alpha + c)/(c + 1) Gamma(alpha + c)/c!`.
    #[test]
    fn ln_gamma_over_factorial_obeys_its_recurrence() {
        for alpha in [1e-300, 1e-3, 0.5, 1.0, 7.25, 1e4] {
            for c in [0.0, 3.0, 14.0, 15.0, 16.0, 1e3, 1e7] {
                let step = ln_gamma_over_factorial(alpha, c + 1.0) - ln_gamma_over_factorial(alpha, c);
                let expected = libm::log(alpha + c) - libm::log(c + 1.0);
                assert!(
                    (step - expected).abs() < 1e-15 * alpha.max(1.0) * 40.0 + 1e-14,
                    "alpha {alpha} c {c}: {step} {expected}"
                );
            }
        }
    }
}
