//! Stirling's remainder `mu`, its second differences, and its distance from its tangents.
//!
//! `ln Gamma(x) = (x - 1/2) ln x - x + ln(2 pi)/2 + mu(x)`, with
//! `mu(x) ~ sum_j B_2j / (2j (2j-1) x^(2j-1))` (Abramowitz and Stegun 1964, 6.1.42). Seven terms leave a
//! relative error below 1e-13 in `mu` for `x >= 10`, which is 1e-15 of anything that `mu` is added to here.

use super::Number;
use super::entropy::horner;

/// The least argument of the functions here. The caller raises smaller ones by the recurrence of Gamma first.
pub const SHIFT: f64 = 10.0;

/// `B_2j / (2j (2j-1))` for j = 1..=7.
const COEFFICIENTS: [f64; 7] =
    [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];

/// How many steps of the recurrence raise `x` to at least [`SHIFT`].
#[must_use]
pub fn steps(x: f64) -> u32 {
    // The result is at most 10, since x > 0.
    if x >= SHIFT { 0 } else { (SHIFT - x).ceil() as u32 }
}

/// Stirling's remainder `mu(x)`, `x >= SHIFT`.
///
/// ```
/// use posterity_core::special::stirling::mu;
/// // ln 9! = ln Gamma(10)
/// let ln_gamma = 9.5 * 10f64.ln() - 10.0 + 0.918_938_533_204_672_8 + mu(10.0);
/// assert!((ln_gamma - 362_880f64.ln()).abs() < 2e-14);
/// ```
#[must_use]
pub fn mu<T: Number>(x: T) -> T {
    let inverse = T::from(1.0) / x;
    horner(&COEFFICIENTS, inverse * inverse) * inverse
}

/// `mu(x) - mu(x + l)` for `x >= SHIFT` and `l >= 0`, without a difference: with `v = 1/x`, `w = 1/(x + l)` and
/// `mu(x) = v h(v^2)` it is `(v - w) (h(w^2) + v (v + w) h[v^2, w^2])`, where the brackets are a divided difference.
pub(crate) fn mu_fall<T: Number>(x: T, l: f64) -> T {
    let (v, w) = (T::from(1.0) / x, T::from(1.0) / (x + l));
    let (square, other) = (v * v, w * w);
    let (mut value, mut slope) = (T::from(0.0), T::from(0.0));
    for &coefficient in COEFFICIENTS.iter().rev() {
        slope = slope * square + value;
        value = value * other + coefficient;
    }
    v * w * l * (value + v * (v + w) * slope)
}

/// `mu(m) - (mu(m - h) + mu(m + h)) / 2`, for `m - h >= SHIFT`. It is never positive, because `mu` is convex.
#[must_use]
pub fn mu_second_difference<T: Number>(m: T, h: T) -> T {
    let t = h / m;
    let s = t * t;
    if s.value() > 0.01 {
        return mu(m) - (mu(m - h) + mu(m + h)) * 0.5;
    }
    // Term by term, with p = 2j-1, s = t^2 and u = m/((m-h)(m+h)):
    //   m^-p - ((m-h)^-p + (m+h)^-p)/2 = -s u^p P_p(s),
    //   P_p(s) = sum_{i >= 1} (C(p, 2i) - (-1)^i C(p, i)) s^(i-1),
    // so that the factor t^2 is never formed by subtraction. Terms below 1e-16 for s <= 0.01 are left out.
    let u = m / ((m - h) * (m + h));
    let polynomials = [
        T::from(1.0),
        s * (s - 3.0) + 6.0,
        s * (s * (-s * 5.0 + 10.0) - 5.0) + 15.0,
        s * (s * (-s * 35.0 + 42.0) + 14.0) + 28.0,
        s * (s * 168.0 + 90.0) + 45.0,
        s * 275.0 + 66.0,
        s * 637.0 + 91.0,
    ];
    let square = u * u;
    let terms = COEFFICIENTS.iter().zip(polynomials).rev();
    let sum =
        terms.fold(T::from(0.0), |sum, (&coefficient, polynomial)| sum * square + polynomial * coefficient);
    -s * u * sum
}

/// `mu(b) - mu(a) - (b - a) mu'(a)` with `b = a (1 + d)`, both at least [`SHIFT`]. It is never negative, because `mu`
/// is convex.
#[must_use]
pub fn mu_bregman<T: Number>(a: T, d: T) -> T {
    let inverse = T::from(1.0) / a;
    // (1+d)^-p, which is raised with p.
    let shrink = T::from(1.0) / (d + 1.0);
    let (mut power, mut ratio, mut total) = (inverse, shrink, T::from(0.0));
    for (j, coefficient) in (0..).zip(COEFFICIENTS) {
        let p = f64::from(2 * j + 1);
        let gap = if d.value().abs() < 0.05 { power_gap(p, d) } else { ratio - 1.0 + d * p };
        total = total + power * coefficient * gap;
        power = power * inverse * inverse;
        ratio = ratio * shrink * shrink;
    }
    total
}

/// `(1+d)^-p - 1 + p d` for small d: the sum over i >= 2 of `C(-p, i) d^i`.
fn power_gap<T: Number>(p: f64, d: T) -> T {
    let mut term = d * d * (p * (p + 1.0) / 2.0);
    let mut series = T::from(0.0);
    let mut i = 2.0;
    while term.value().abs() > series.value() * 1e-17 {
        series = series + term;
        term = -term * d * ((p + i) / (i + 1.0));
        i += 1.0;
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_difference_agrees_with_its_definition_where_that_has_digits() {
        for m in [11.0, 40.0, 1e3] {
            for t in [0.03, 0.09, 0.099_999] {
                let h: f64 = t * m;
                if m - h < SHIFT {
                    continue;
                }
                let direct = mu(m) - 0.5 * (mu(m - h) + mu(m + h));
                let series = mu_second_difference(m, h);
                assert!((direct / series - 1.0).abs() < 1e-11, "m {m} t {t}: {direct} {series}");
            }
        }
    }

    /// Golden values by mpmath with 60 digits, from `loggamma`: `mu(x) - mu(x + l)`.
    #[test]
    fn falls_are_golden() {
        for (x, l, exact) in FALLS {
            let found = mu_fall(x, l);
            assert!((found / exact - 1.0).abs() < 1e-13, "{x} {l}: {found}, not {exact}");
        }
    }

    const FALLS: [(f64, f64, f64); 6] = [
        (10.0, 0.5, 0.0003964488690488507),
        (10.0, 0.001, 8.324207677887328e-07),
        (10.75, 0.25, 0.00017603198775778767),
        (33.0, 0.5, 3.76869280608416e-05),
        (1000.0, 0.125, 1.04153637046676e-08),
        (1000000000.0, 0.375, 3.124999998828125e-20),
    ];

    #[test]
    fn bregman_agrees_with_its_definition_where_that_has_digits() {
        for a in [10.0, 77.0] {
            for d in [0.04, 0.049, 0.051, 3.0] {
                let slope = (mu(a * (1.0 + 1e-6)) - mu(a * (1.0 - 1e-6))) / (2e-6 * a);
                let direct = mu(a * (1.0 + d)) - mu(a) - a * d * slope;
                assert!((direct / mu_bregman(a, d) - 1.0).abs() < 1e-6, "a {a} d {d}");
            }
        }
    }
}
