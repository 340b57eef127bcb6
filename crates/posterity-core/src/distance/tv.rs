//! The total variation distance: of two Beta distributions, and bounds on that of two Dirichlet distributions.

use super::tv_of_two::tv_of_two;
use super::{LengthError, hellinger, hellinger_of_counts};
use crate::model::{Dirichlet, Prior};
use crate::special::beta::{cdf, ln_beta, sf};

/// Bounds on the total variation distance of two distributions at Hellinger distance h: `h^2` and `h sqrt(2 - h^2)` (Le
/// Cam 1973).
///
/// ```
/// use posterity_core::distance::tv_bounds;
/// assert_eq!(tv_bounds(0.0), [0.0, 0.0]);
/// assert_eq!(tv_bounds(1.0), [1.0, 1.0]);
/// ```
#[must_use]
pub fn tv_bounds(h: f64) -> [f64; 2] {
    [h * h, (h * libm::sqrt((2.0 - h * h).max(0.0))).min(1.0)]
}

/// Bounds on the total variation distance, which are equal for two categories: there it is exact, up to rounding.
///
/// ```
/// use posterity_core::{distance::tv, model::Dirichlet};
/// // Beta(1, 2) and Beta(2, 1) have the densities 2(1-t) and 2t, which cross at 1/2.
/// let [low, high] = tv(&Dirichlet::new(vec![1.0, 2.0])?, &Dirichlet::new(vec![2.0, 1.0])?)?;
/// assert!((low - 0.5).abs() < 1e-12 && low == high);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LengthError`] if the two have different numbers of parameters.
pub fn tv(a: &Dirichlet, b: &Dirichlet) -> Result<[f64; 2], LengthError> {
    if let (&[a0, a1], &[b0, b1]) = (a.parameters(), b.parameters()) {
        return Ok([tv_of_betas([a0, a1], [b0, b1]); 2]);
    }
    Ok(tv_bounds(hellinger(a, b)?))
}

/// The total variation between the posteriors of two vectors of counts under one prior. The counts may have different
/// sums.
///
/// # Errors
/// [`LengthError`] if either has another number of categories than the prior.
pub fn tv_of_counts(prior: &Prior, c: &[u64], r: &[u64]) -> Result<[f64; 2], LengthError> {
    if let (&[first, second], &[c0, c1], &[r0, r1]) = (prior.parameters(), c, r) {
        if let (Some(n), true) = (c0.checked_add(c1), c0.checked_add(c1) == r0.checked_add(r1)) {
            return Ok([if n == 0 { 0.0 } else { tv_of_two([first, second], n, c0, r0) }; 2]);
        }
        let posterior = |[x, y]: [u64; 2]| [first + x as f64, second + y as f64];
        return Ok([tv_of_betas(posterior([c0, c1]), posterior([r0, r1])); 2]);
    }
    Ok(tv_bounds(hellinger_of_counts(prior, c, r)?))
}

/// The total variation distance of two Beta distributions: what the first has more than the second where its density is
/// larger. The densities cross once, or twice if one has both parameters larger.
fn tv_of_betas(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (first, second) = (a[0] - b[0], a[1] - b[1]);
    if first == 0.0 && second == 0.0 {
        return 0.0;
    }
    let constant = ln_beta(a[0], a[1]) - ln_beta(b[0], b[1]);
    let soft_plus = |x: f64| if x > 0.0 { x + libm::log1p(libm::exp(-x)) } else { libm::log1p(libm::exp(x)) };
    // The log ratio of the densities at the log-odds u.
    let ln_ratio = |u: f64| -first * soft_plus(-u) - second * soft_plus(u) - constant;
    const FAR: f64 = 700.0;
    // How much more the first has on both sides of a point: below it, and above it.
    let excess = |u: f64| {
        let t = 1.0 / (1.0 + libm::exp(-u));
        let below = cdf(t, a[0], a[1]) - cdf(t, b[0], b[1]);
        let above = sf(t, a[0], a[1]) - sf(t, b[0], b[1]);
        if below.abs() < above.abs() { -below } else { above }
    };
    if first * second > 0.0 {
        // The ratio has one extremum, between the two crossings.
        let top = libm::log(first / second);
        let low = root(&ln_ratio, -FAR, top);
        let high = root(&ln_ratio, top, FAR);
        return (excess(low) - excess(high)).abs().min(1.0);
    }
    excess(root(&ln_ratio, -FAR, FAR)).abs().min(1.0)
}

/// Where a monotone function changes its sign, or the end nearer to zero if it does not.
fn root(function: &impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let rising = function(high) > function(low);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if (function(middle) > 0.0) == rising { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By mpmath with 30 digits: half the integral of the absolute difference of the densities.
    #[test]
    fn golden_values() {
        for (a, b, exact) in GOLDEN {
            let found = tv_of_betas(a, b);
            assert!((found - exact).abs() < 1e-11, "{a:?} {b:?}: {found} instead of {exact}");
            assert!((tv_of_betas(b, a) - exact).abs() < 1e-11);
        }
    }

    const GOLDEN: [([f64; 2], [f64; 2], f64); 7] = [
        ([2.0, 3.0], [3.0, 2.0], 0.375),
        ([2.0, 3.0], [4.0, 6.0], 0.1780829058430121),
        ([10.5, 3.25], [2.0, 1.5], 0.4506215493422147),
        ([5.0, 5.0], [5.0, 9.0], 0.3941983775447651),
        ([30.0, 70.0], [33.0, 67.0], 0.25462845615556795),
        ([1.5, 1.5], [40.0, 38.5], 0.6739989049413252),
        ([7.0, 2.0], [7.0, 2.5], 0.12919981336381314),
    ];

    /// Where the totals agree, the two ways to compute it do.
    #[test]
    fn equal_totals_agree() {
        for (alpha, n, c, r) in
            [([1.0, 1.0], 100, 50, 43), ([0.3, 6.0], 30, 0, 29), ([2.5, 0.7], 2_000, 900, 950)]
        {
            let posterior = |x: u64| [alpha[0] + x as f64, alpha[1] + (n - x) as f64];
            let (one, two) = (tv_of_two(alpha, n, c, r), tv_of_betas(posterior(c), posterior(r)));
            assert!((one - two).abs() < 3e-12, "{alpha:?} {n} {c} {r}: {one} {two}");
            let h =
                hellinger_of_counts(&Prior::new(alpha.to_vec()).expect("valid"), &[c, n - c], &[r, n - r]);
            let [low, high] = tv_bounds(h.expect("fits"));
            assert!(low <= one && one <= high);
        }
    }
}
