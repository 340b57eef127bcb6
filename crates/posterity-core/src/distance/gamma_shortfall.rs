//! By how much a ratio of Gamma functions falls short of a power.

use crate::special::Number;
use crate::special::entropy::{one_minus_ln_1p_over_x, x_minus_ln_1p};
use crate::special::gamma::ln_1p_inverse;
use crate::special::stirling::{mu_fall, steps};

/// `sigma_l(z) = l ln z - ln(Gamma(z + l)/Gamma(z))` for `z > 0` and `0 < l < 1`: positive, and falling to zero.
///
/// ```text
/// sigma_l(z) + sigma_s(z + l) = s ln(1 + l/z),  s = 1 - l
/// ```
///
/// Orders above one half follow from this; the second part is at most half of the right-hand side
/// (docs/proofs/scores.md).
pub(crate) fn gamma_shortfall<T: Number>(z: T, l: f64) -> T {
    if l <= 0.5 {
        return of_small_order(z, l);
    }
    // Without rounding, since the order is above one half.
    let s = 1.0 - l;
    ln_1p_inverse(z / l) * s - of_small_order(z + l, s)
}

/// The same for `l <= 1/2`, as a sum of terms that are not negative. With `x = l/Z` and `Z = z + N >= 10`,
///
/// `sigma = sum_{i<N} (ln(1 + l/(z+i)) - l ln(1 + 1/(z+i))) + (1/2 - l) ln(1 + x) + Z (x - ln(1 + x)) + mu(Z) - mu(Z +
/// l)`.
fn of_small_order<T: Number>(z: T, l: f64) -> T {
    let n = steps(z.value());
    let raised = z + f64::from(n);
    let x = T::from(l) / raised;
    // Z (x - ln(1 + x)) = l (1 - ln(1 + x)/x)
    let last = x.ln_1p() * (0.5 - l) + one_minus_ln_1p_over_x(x) * l + mu_fall(raised, l);
    (0..n).rev().fold(last, |sum, i| sum + step(z + f64::from(i), l))
}

/// `ln(1 + l/z) - l ln(1 + 1/z)` for `l <= 1/2`. The linear parts of the two logarithms cancel, so they are left out
/// where they are most of them.
fn step<T: Number>(z: T, l: f64) -> T {
    if z.value() < 0.5 {
        return ln_1p_inverse(z / l) - ln_1p_inverse(z) * l;
    }
    let inverse = T::from(1.0) / z;
    x_minus_ln_1p(inverse) * l - x_minus_ln_1p(inverse * l)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::Enclosed;

    /// If this fails, enclosures do not notice a cancellation. The linear parts of two logarithms cancel near zero,
    /// where they are nearly all of them; with `1/z` in place of them nothing is left.
    #[test]
    fn a_cancellation_has_a_large_error() {
        let (z, l) = (Enclosed::from(1e-20), 0.3);
        let inverse = Enclosed::from(1.0) / z;
        let cancelled = x_minus_ln_1p(inverse) * l - x_minus_ln_1p(inverse * l);
        assert!(cancelled.relative() > 1.0, "{cancelled:?}");
        assert!(gamma_shortfall(z, l).relative() < 1e-14);
    }

    /// If this fails, an enclosure does not hold the value.
    #[test]
    fn golden_values_are_enclosed() {
        for (z, l, exact) in GOLDEN {
            let found = gamma_shortfall(Enclosed::from(z), l);
            // The golden value is rounded too, and the series of mu is cut off.
            let error = (found.value() / exact - 1.0).abs() - f64::EPSILON / 2.0 - 2e-15;
            assert!(error <= found.relative() && found.relative() < 3e-14, "{z} {l}: {found:?}, not {exact}");
        }
    }

    /// Golden values by mpmath with 400 digits: `l * log(z) - loggamma(z + l) + loggamma(z)`.
    #[test]
    fn golden_values() {
        for (z, l, exact) in GOLDEN {
            let found = gamma_shortfall(z, l);
            assert!((found / exact - 1.0).abs() < 1e-14, "{z} {l}: {found}, not {exact}");
        }
    }

    const GOLDEN: [(f64, f64, f64); 58] = [
        (1e-300, 0.001, 683.1775734849316),
        (1e-300, 0.3, 482.44707153393153),
        (1e-300, 0.5, 344.81539900618213),
        (1e-300, 0.7, 206.97179112293247),
        (1e-300, 0.999, 0.690197489365323),
        (5.568e-17, 0.001, 30.482304861824993),
        (5.568e-17, 0.3, 25.103039465688585),
        (5.568e-17, 0.5, 18.141090386008628),
        (5.568e-17, 0.7, 10.967205950828333),
        (5.568e-17, 0.999, 0.03684887212497531),
        (1e-09, 0.001, 13.795364685723467),
        (1e-09, 0.3, 13.410488093969722),
        (1e-09, 0.5, 9.7892679769348),
        (1e-09, 0.7, 5.956112505195065),
        (1e-09, 0.999, 0.020145227305701185),
        (0.3, 0.001, 0.002292441250141802),
        (0.3, 0.3, 0.33637229545105984),
        (0.3, 0.5, 0.34175191425526996),
        (0.3, 0.7, 0.25301703178992035),
        (0.3, 0.999, 0.001034214588897786),
        (0.5, 0.001, 0.0012678982451083528),
        (0.5, 0.3, 0.2123611103568789),
        (0.5, 0.5, 0.22579135264472744),
        (0.5, 0.7, 0.17253600653605425),
        (0.5, 0.999, 0.000729169615246735),
        (1.0, 0.001, 0.0005763935982833696),
        (1.0, 0.3, 0.10817480950786047),
        (1.0, 0.5, 0.12078223763524522),
        (1.0, 0.7, 0.09580769740706588),
        (1.0, 0.999, 0.00042246180069215413),
        (4.75, 0.001, 0.00010882345749964277),
        (4.75, 0.3, 0.022379447434444782),
        (4.75, 0.5, 0.026267817212314488),
        (4.75, 0.7, 0.021763333738092427),
        (4.75, 0.999, 0.00010149079332171803),
        (10.0, 0.001, 5.077992260102624e-05),
        (10.0, 0.3, 0.010566221841326346),
        (10.0, 0.5, 0.01249480717472882),
        (10.0, 0.7, 0.010426448878783825),
        (10.0, 0.999, 4.911991139645713e-05),
        (1000.0, 0.001, 4.995830834085e-07),
        (1000.0, 0.3, 0.00010500699632386005),
        (1000.0, 0.5, 0.00012499999479166822),
        (1000.0, 0.7, 0.00010499299632614205),
        (1000.0, 0.999, 4.994169164251669e-07),
        (1000000000.0, 0.001, 4.995000000830835e-13),
        (1000000000.0, 0.3, 1.05000000007e-10),
        (1000000000.0, 0.5, 1.25e-10),
        (1000000000.0, 0.7, 1.0499999999300001e-10),
        (1000000000.0, 0.999, 4.99499999916917e-13),
        (1000000000000000.0, 0.001, 4.995000000000001e-19),
        (1000000000000000.0, 0.3, 1.05e-16),
        (1000000000000000.0, 0.5, 1.25e-16),
        (1000000000000000.0, 0.7, 1.05e-16),
        (1000000000000000.0, 0.999, 4.995000000000004e-19),
        (1e+300, 0.001, 4.9949999999999996e-304),
        (1e+300, 0.5, 1.25e-301),
        (1e+300, 0.999, 4.9950000000000044e-304),
    ];
}
