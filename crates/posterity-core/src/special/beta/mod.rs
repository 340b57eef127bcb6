//! The Beta function and the Beta distribution: density, both tails, quantiles.
//!
//! The distribution is handled in log-odds, `u = ln(x / (1-x))`, where Beta(a, b) has the density
//!
//! `g(u) = x^a (1-x)^b / B(a, b)`, with `(ln g)' = a - (a+b) x` and `(ln g)'' = -(a+b) x (1-x)`.
//!
//! For every `a` and `b` it is log-concave, analytic for `|Im u| < pi`, and falls at least exponentially on both
//! sides. So one method works for parameters from 1e-3 to 1e12 and beyond: a series of positive terms where it
//! converges fast, and elsewhere Gauss-Legendre panels. The logarithm of the density falls by 40 over a panel,
//! so one or two panels are enough (see [`cdf`]). A point is kept as the pair `(x, 1-x)`, of which the smaller is
//! exact, so that no digit is lost near either end.

mod density;
mod function;
#[cfg(test)]
mod golden;
mod legendre;
mod point;
mod quantile;
mod shape;
mod tail;

pub use density::ln_density;
pub use function::ln_beta;
pub use quantile::{quantile, upper_quantile};
pub(crate) use quantile::{rough_quantile, rough_upper_quantile};
pub use tail::{cdf, sf};

#[cfg(test)]
mod tests {
    use super::golden::grid;
    use super::*;

    #[test]
    fn ends_of_the_interval() {
        for (a, b) in grid() {
            assert_eq!((cdf(0.0, a, b), cdf(1.0, a, b)), (0.0, 1.0));
            assert_eq!((sf(0.0, a, b), sf(1.0, a, b)), (1.0, 0.0));
            assert_eq!((cdf(-1.0, a, b), cdf(2.0, a, b)), (0.0, 1.0));
            assert_eq!((quantile(0.0, a, b), quantile(1.0, a, b)), (0.0, 1.0));
            assert_eq!((upper_quantile(0.0, a, b), upper_quantile(1.0, a, b)), (1.0, 0.0));
            assert_eq!(ln_density(-1e-9, a, b), f64::NEG_INFINITY);
            for (x, near, far) in [(0.0, a, b), (1.0, b, a)] {
                let found = ln_density(x, a, b);
                if near == 1.0 {
                    assert!((found - libm::log(far)).abs() < 1e-14, "at {x}, {a}, {b}: {found}");
                } else {
                    assert_eq!(found, (1.0 - near) * f64::INFINITY);
                }
            }
        }
    }

    #[test]
    fn invalid_arguments_give_nan() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for (a, b) in [(bad, 2.0), (2.0, bad)] {
                for f in [ln_density, cdf, sf, quantile, upper_quantile] {
                    assert!(f(0.3, a, b).is_nan(), "{a} {b}");
                }
                assert!(ln_beta(a, b).is_nan());
            }
        }
        for p in [-0.1, 1.1, f64::NAN] {
            assert!(quantile(p, 2.0, 3.0).is_nan() && upper_quantile(p, 2.0, 3.0).is_nan());
        }
        for f in [ln_density, cdf, sf] {
            assert!(f(f64::NAN, 2.0, 3.0).is_nan());
        }
    }
}
