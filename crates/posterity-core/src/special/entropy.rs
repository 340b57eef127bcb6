//! The two convex functions `(1 + x) ln(1 + x) - x` and `x - ln(1 + x)`, from which the divergences are built.
//!
//! Both are about `x^2/2` near zero, where these expressions lose all digits. There the power series is used
//! instead.

use super::Number;

/// The power series is used for arguments of smaller size than this. From here on the direct expression loses at
/// most four bits.
pub(crate) const SERIES: f64 = 0.125;

/// `psi(x) = x^2 sum_j PSI[j] (-x)^j`: the reciprocals of (j+2)(j+1).
const PSI: [f64; 19] = reciprocals(1, 2, 1, 1);

/// `x - ln(1 + x) = x^2 sum_j LN_1P[j] (-x)^j`: the reciprocals of j+2.
const LN_1P: [f64; 19] = reciprocals(1, 2, 0, 1);

/// `1 / ((a j + b)(c j + d))` for j = 0, 1, ..
pub(crate) const fn reciprocals<const N: usize>(a: u32, b: u32, c: u32, d: u32) -> [f64; N] {
    let mut table = [0.0; N];
    let mut j = 0;
    while j < N {
        table[j] = 1.0 / ((a * j as u32 + b) * (c * j as u32 + d)) as f64;
        j += 1;
    }
    table
}

/// `sum_j coefficients[j] x^j`.
pub(crate) fn horner<T: Number>(coefficients: &[f64], x: T) -> T {
    coefficients.iter().rev().fold(T::from(0.0), |sum, &coefficient| sum * x + coefficient)
}

/// `psi(x) = (1 + x) ln(1 + x) - x`, for `x >= -1`; `psi(-1) = 1`.
///
/// ```
/// use posterity_core::special::entropy::psi;
/// assert_eq!(psi(0.0), 0.0);
/// assert_eq!(psi(-1.0), 1.0);
/// assert!((psi(1e-9) - 0.5e-18).abs() < 1e-27);
/// ```
#[must_use]
pub fn psi<T: Number>(x: T) -> T {
    if x.value() == -1.0 {
        return T::from(1.0);
    }
    if x.value().abs() >= SERIES {
        return x.through(|x| libm::log1p(x).abs(), |x| (x + 1.0) * x.ln_1p() - x);
    }
    x * x * horner(&PSI, -x)
}

/// `psi(x)/x`, which does not underflow where `x^2` does; zero at zero.
pub(crate) fn psi_over_x<T: Number>(x: T) -> T {
    if x.value().abs() >= SERIES { psi(x) / x } else { x * horner(&PSI, -x) }
}

/// `x - ln(1 + x)`, for `x > -1`.
///
/// ```
/// use posterity_core::special::entropy::x_minus_ln_1p;
/// assert!((x_minus_ln_1p(1.0) - (1.0 - 2f64.ln())).abs() < 1e-15);
/// assert!((x_minus_ln_1p(1e-9) - 0.5e-18).abs() < 1e-27);
/// ```
#[must_use]
pub fn x_minus_ln_1p<T: Number>(x: T) -> T {
    if x.value().abs() >= SERIES {
        return x.through(|x| (x / (1.0 + x)).abs(), |x| x - x.ln_1p());
    }
    x * x * horner(&LN_1P, -x)
}

/// `1 - ln(1 + x)/x` for `abs(x)` below [`SERIES`], which does not underflow where `x^2` does; zero at zero.
pub(crate) fn one_minus_ln_1p_over_x<T: Number>(x: T) -> T {
    x * horner(&LN_1P, -x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, the series and the direct expression are not the same function. Where one takes over from the
    /// other, they agree to the digits that the direct expression keeps.
    #[test]
    fn the_two_branches_meet() {
        for x in [SERIES, -SERIES] {
            let inside = x * (1.0 - 1e-15);
            for f in [psi::<f64>, x_minus_ln_1p::<f64>] {
                assert!((f(x) / f(inside) - 1.0).abs() < 2e-14, "at {x}: {} and {}", f(x), f(inside));
            }
        }
    }
}
