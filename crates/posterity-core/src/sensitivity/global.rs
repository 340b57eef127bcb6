//! The global sensitivity: the largest local sensitivity of all data sets.

use super::step_cost;
use crate::distance::from_cost;
use crate::model::Prior;

/// The constant `sqrt(1 - pi/4)` that the research uses for every prior. It is exact if the two smallest prior
/// parameters are 1 and there are three or more categories, or one record. For larger parameters it is larger than
/// needed. For smaller parameters it is too small, because one record then changes more.
pub const PUBLISHED_GLOBAL: f64 = 0.463_251_375_176_104_24;

/// `GS`, the largest change of the posterior that one of `n >= 1` records can make.
///
/// The cost of a move decreases in both counts. With three or more categories it is therefore largest at `c_i = 1`,
/// `c_j = 0` for the two smallest prior parameters, with all other records in a third category. With two categories
/// there is no third one. The cost is then convex in `c_i`, so it is largest at `c_i = 1` or `c_i = n`.
///
/// ```
/// use posterity_core::{model::Prior, sensitivity::{PUBLISHED_GLOBAL, global}};
/// assert!((global(&Prior::uniform(3)?, 10) - PUBLISHED_GLOBAL).abs() < 1e-15);
/// // Jeffreys' prior needs more than the published constant.
/// assert!(global(&Prior::new(vec![0.5, 0.5, 0.5])?, 10) > 0.602);
/// # Ok::<(), posterity_core::model::PriorError>(())
/// ```
#[must_use]
pub fn global(prior: &Prior, n: u64) -> f64 {
    from_cost(global_cost(prior, n))
}

/// `-ln BC` of the two adjacent posteriors that are furthest apart.
pub(crate) fn global_cost(prior: &Prior, n: u64) -> f64 {
    let costs = |c| prior.parameters().iter().map(move |&alpha| step_cost(alpha, c));
    match prior.parameters() {
        &[first, second] => {
            let rest = n.saturating_sub(1);
            let end = |drained, other| step_cost(drained, 0) + step_cost(other, rest);
            end(first, second).max(end(second, first))
        }
        _ => two_largest(costs(0)),
    }
}

fn two_largest(costs: impl Iterator<Item = f64>) -> f64 {
    let (mut first, mut second) = (0.0, 0.0);
    for cost in costs {
        if cost > first {
            (first, second) = (cost, first);
        } else if cost > second {
            second = cost;
        }
    }
    first + second
}
