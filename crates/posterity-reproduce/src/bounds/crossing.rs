//! The data size at which lshist overtakes ehd.

use posterity_core::distance::hellinger_of_counts;
use posterity_core::mechanism::{GlobalSensitivity, ehd, lshist};
use posterity_core::model::{Counts, Epsilon, Prior, Setting};
use posterity_core::sensitivity::PUBLISHED_GLOBAL;

use super::error::BoundsError;
use super::within::{StepCount, lshist_within, within};

/// The data size above which lshist is said to hit a distance of k steps more often than ehd:
/// `(2k+1) e^eps / (1 - e^(-k eps))`, infinite for k = 0 (003_726dbba4c7a48de5.txt, corollary 4.5.1).
#[must_use]
pub fn lshist_overtakes_ehd(k: u64, epsilon: f64) -> f64 {
    (2.0 * k as f64 + 1.0) * libm::exp(epsilon) / lshist_within(StepCount::symmetric(k), epsilon).lower
}

/// The data size below which ehd is said to be the better one:
/// `(2k e^(-eps) + 1) / (1 - (e^(-k eps) + e^(-(k+1) eps))/2)` (corollary 4.5.2).
#[must_use]
pub fn ehd_overtakes_lshist(k: u64, epsilon: f64) -> f64 {
    let k = k as f64;
    let lshist = -0.5 * (libm::expm1(-k * epsilon) + libm::expm1(-(k + 1.0) * epsilon));
    (2.0 * k * libm::exp(-epsilon) + 1.0) / lshist
}

/// The data size above which lshist is said to stay within the local sensitivity more often than ehd:
/// `3 e^(eps/(2 GS)) / (1 - e^(-eps))`, `GS = sqrt(1 - pi/4)` (corollary 4.5.3, last line of its proof).
#[must_use]
pub fn lshist_overtakes_ehd_within_local(epsilon: f64) -> f64 {
    -3.0 * libm::exp(epsilon / (2.0 * PUBLISHED_GLOBAL)) / libm::expm1(-epsilon)
}

/// The exact size that the first two formulas estimate: the least even n from which on lshist is the better one, for
/// balanced data, prior (1, 1) and t the distance of step k+1. It is `2k+2`, the least size with that many steps, if
/// lshist leads from the start; else ehd is better, or as good, below it. None if it is above `limit`.
///
/// Found by doubling and bisection in about `2 log2(n)` laws of n+1 outcomes: ehd's probability falls with n, lshist's
/// is constant.
///
/// # Errors
/// [`BoundsError`] if the search needs more records than a setting may have.
pub fn exact_crossing(k: u64, epsilon: &Epsilon, limit: u64) -> Result<Option<u64>, BoundsError> {
    let prior = Prior::uniform(2)?;
    let lshist_leads = |half: u64| -> Result<bool, BoundsError> {
        let counts = Counts::new(vec![half, half])?;
        let t = hellinger_of_counts(&prior, &[half, half], &[half + k + 1, half - k - 1])?;
        let setting = Setting::new(prior.clone(), 2 * half, epsilon.clone())?;
        // The exact sensitivity is never refused. If it were, lshist would have no rival.
        let Ok(ehd) = ehd(setting.clone(), GlobalSensitivity::Exact) else { return Ok(true) };
        let ours = within(&lshist(setting, false), &counts, t, u64::MAX)?;
        Ok(ours.exact > within(&ehd, &counts, t, u64::MAX)?.exact)
    };
    let most = limit / 2;
    if k >= most {
        return Ok(None);
    }
    let (mut behind, mut ahead) = (k, k + 1);
    while !lshist_leads(ahead)? {
        if ahead == most {
            return Ok(None);
        }
        (behind, ahead) = (ahead, most.min(2 * ahead));
    }
    while ahead - behind > 1 {
        let middle = behind + (ahead - behind) / 2;
        if lshist_leads(middle)? {
            ahead = middle;
        } else {
            behind = middle;
        }
    }
    Ok(Some(2 * ahead))
}
