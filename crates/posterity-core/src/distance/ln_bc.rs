//! The logarithm of the Bhattacharyya coefficient, one category at a time.
//!
//! For Dirichlet parameters a and b, `BC = B((a+b)/2) / sqrt(B(a) B(b))`. Its logarithm is a sum of
//! `ln_bc(a_i, b_i) = ln Gamma((a_i+b_i)/2) - (ln Gamma(a_i) + ln Gamma(b_i))/2`
//! over the categories, minus the same for the totals. Log-gammas of large arguments agree in almost all their
//! digits, so that subtracting them would lose these digits. The difference is therefore written out
//! (docs/proofs/ln-bc.md). With `m = (a+b)/2`, `h = (b-a)/2`, N such that `min(a,b) + N >= 10`, `M = m + N` and
//! `t = h/M`,
//!
//! `ln_bc = sum_{i<N} ln1p(-(h/(m+i))^2)/2 - M phi(t)/2 + ln1p(-t^2)/4 + mu(M) - (mu(a+N) + mu(b+N))/2`,
//! `phi(t) = (1-t) ln(1-t) + (1+t) ln(1+t)`.

use super::Pair;
use crate::special::entropy::{SERIES, horner, psi, reciprocals};
use crate::special::stirling::{mu_second_difference, steps};
use crate::special::{Double, Number, Sum};

/// `ln_bc(a, b)` of one category, never positive.
///
/// ```
/// use posterity_core::distance::{Pair, ln_bc};
/// // BC of Gamma-function ratios at (1, 2): Gamma(3/2) / sqrt(Gamma(1) Gamma(2)) = sqrt(pi)/2
/// let expected = (std::f64::consts::PI.sqrt() / 2.0).ln();
/// assert!((ln_bc(Pair::new(1.0, 2.0)) - expected).abs() < 1e-15);
/// ```
#[must_use]
pub fn ln_bc(pair: Pair) -> f64 {
    -cost_of_category(pair.low(), pair.half())
}

/// `-ln_bc` of a pair with this smaller value and half this distance.
pub(crate) fn cost_of_category<T: Number>(low: T, half: T) -> T {
    if half.value() == 0.0 {
        return T::from(0.0);
    }
    let n = steps(low.value());
    let middle = low + half + f64::from(n);
    middle * 0.5 * phi(half / middle) + rest(low, half, n)
}

/// `-ln BC` of two Dirichlet distributions, given by the pairs of their parameters. It is never negative.
///
/// ```
/// use posterity_core::distance::{Pair, cost};
/// // Dir(1, 2) and Dir(2, 1): BC = B(3/2, 3/2) / B(1, 2) = pi/4
/// let pairs = [Pair::new(1.0, 2.0), Pair::new(2.0, 1.0)];
/// assert!((cost(pairs.into_iter()) + std::f64::consts::FRAC_PI_4.ln()).abs() < 1e-15);
/// ```
///
/// If the totals are equal, this is the sum of `-ln_bc`. Otherwise the total is one more term of the opposite sign.
/// Its leading part `M phi(t)/2` cancels that of the categories almost entirely when b is nearly a multiple of a,
/// so these parts are combined first: `M_0 = sum M_i` and `M_0 t_0 = sum M_i t_i`, so that
/// `sum M_i phi(t_i) - M_0 phi(t_0)` is the sum of the Bregman gaps
/// `M_i ((1-t_0) psi((t_0-t_i)/(1-t_0)) + (1+t_0) psi((t_i-t_0)/(1+t_0)))`, all of one sign.
#[must_use]
pub fn cost(pairs: impl Iterator<Item = Pair> + Clone) -> f64 {
    let total = Pair::total(pairs.clone());
    if total.half() == 0.0 {
        return -pairs.map(ln_bc).collect::<Sum>().value();
    }
    let shift: u32 = pairs.clone().map(Pair::steps).sum();
    let total_middle = total.middle().plus(Double::from(f64::from(shift)));
    let t_0 = total.signed_half().value() / total_middle.value();
    let mut sum = Sum::default();
    for pair in pairs {
        let n = pair.steps();
        let middle = pair.middle().plus(Double::from(f64::from(n)));
        // t_i - t_0 = (h_i M_0 - h_0 M_i) / (M_i M_0), in twice the precision since the products nearly agree.
        let cross = pair.signed_half().times(total_middle).minus(total.signed_half().times(middle));
        let gap = cross.value() / total_middle.value() / middle.value();
        let bregman = (1.0 - t_0) * psi(-gap / (1.0 - t_0)) + (1.0 + t_0) * psi(gap / (1.0 + t_0));
        sum.add(0.5 * middle.value() * bregman);
        sum.add(rest(pair.low(), pair.half(), n));
    }
    // The total is raised by as many steps as its parts together, which is always enough.
    sum.add(-rest(total.low(), total.half(), shift));
    sum.value().max(0.0)
}

/// All parts of `-ln_bc` except the leading one: the recurrence, `-ln1p(-t^2)/4` and the Stirling remainders.
///
/// One logarithm covers the recurrence and `t`: that of the product of all `(1 - x_i)^2` and `1 - t^2`. It is computed
/// from the product or from its complement q, whichever is more accurate. A factor `1 - x` turns q into `q (1-x) + x`,
/// without a subtraction of similar numbers. Factors below 1e-150 are replaced by 1e-150, and the product starts again
/// before it could underflow. That makes the cost of such a pair too small, but it stays above 170, where the distance
/// is 1 to all digits.
fn rest<T: Number>(low: T, half: T, n: u32) -> T {
    let (mut product, mut complement, mut taken) = (T::from(1.0), T::from(0.0), T::from(0.0));
    let mut multiply = |low: T, times: u32| {
        let inverse = T::from(1.0) / (low + half);
        let t = half * inverse;
        // 1 - t^2 = (1 - t)(1 + t), with 1 - t = low/m.
        let factor = (low * inverse * (t + 1.0)).at_least(SMALLEST);
        for _ in 0..times {
            complement = complement * factor + t * t;
            product = product * factor;
            if product.value() < SMALLEST {
                taken = taken + product.ln();
                product = T::from(1.0);
            }
        }
    };
    for i in 0..n {
        multiply(low + f64::from(i), 2);
    }
    let raised = low + f64::from(n);
    multiply(raised, 1);
    let logarithm = if complement.value() < 0.5 { (-complement).ln_1p() } else { taken + product.ln() };
    -logarithm * 0.25 - mu_second_difference(raised + half, half)
}

/// The least factor of a product. Its square does not underflow.
const SMALLEST: f64 = 1e-150;

/// `phi(t) = t^2 sum_j PHI[j] t^(2j)`: the reciprocals of (j+1)(2j+1).
const PHI: [f64; 10] = reciprocals(1, 1, 2, 1);

/// `(1-t) ln(1-t) + (1+t) ln(1+t)`, for `0 <= t <= 1`.
fn phi<T: Number>(t: T) -> T {
    if t.value() > SERIES {
        return psi(t) + psi(-t);
    }
    let square = t * t;
    square * horner(&PHI, square)
}
