//! Settings in which errors cannot be enclosed are refused before any counts are read.
//!
//! The privacy of an exponential mechanism rests on sensitivities with a relative error of at most 2^-41
//! (docs/proofs/scores.md). Whether floating point is as good as that is looked at for every prior and number of
//! records: the formulas of the score are evaluated once more with the errors that their operations may add up to.

use std::collections::BTreeMap;

use super::ScoreError;
use crate::model::Prior;

/// The most that the relative error of a sensitivity may be.
const MOST_ERROR: f64 = 1.0 / (1_u64 << 41) as f64;

/// Refuses a prior and a number of records for which an error is too large. It looks at public inputs only: at counts
/// of all sizes from none to all records, whatever the data are. `error` is that of
/// [`FittedScore`](super::FittedScore).
pub(super) fn check(
    score: &'static str,
    prior: &Prior,
    n: u64,
    error: impl Fn(usize, u64, u64) -> f64,
) -> Result<(), ScoreError> {
    let sizes = sizes(n);
    let mut most = 0.0_f64;
    for category in one_of_each_size(prior) {
        for &c in &sizes {
            for r in sizes.iter().copied().chain((c < n).then_some(c + 1)) {
                let error = error(category, c, r);
                // The largest of two numbers would leave out NaN.
                most = if error <= most { most } else { error };
            }
        }
    }
    if most <= MOST_ERROR {
        Ok(())
    } else {
        Err(ScoreError::NotEnclosed { score, error: most, most: MOST_ERROR })
    }
}

/// None, the powers of sixteen below n, and n.
fn sizes(n: u64) -> Vec<u64> {
    let powers =
        std::iter::successors(Some(1_u64), |power| power.checked_mul(16)).take_while(|&power| power < n);
    std::iter::once(0).chain(powers).chain(std::iter::once(n)).collect()
}

/// A category for each binary order of magnitude of the prior parameters. Within one, errors hardly differ.
fn one_of_each_size(prior: &Prior) -> impl Iterator<Item = usize> {
    let exponent = |alpha: f64| libm::ilogb(alpha);
    let categories = prior.parameters().iter().enumerate().map(|(index, &alpha)| (exponent(alpha), index));
    categories.collect::<BTreeMap<_, _>>().into_values()
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;
    use crate::score::Scoring;

    /// If this fails, an error that is too large, or none at all, passes for a small one.
    #[test]
    fn rejects() {
        let prior = Prior::new(vec![1.0, 1e-9]).expect("valid");
        let checked = |error: fn(usize, u64, u64) -> f64| check("kl", &prior, 100, error).is_ok();
        assert!(checked(|_, _, _| MOST_ERROR));
        assert!(!checked(|_, _, _| f64::NAN));
        assert!(!checked(|category, _, _| if category == 0 { 1e-12 } else { 0.0 }));
        assert!(!checked(|_, c, r| if c == 100 && r == 0 { f64::INFINITY } else { 0.0 }));
        assert!(!checked(|_, c, r| if c == 16 && r == 17 { 1e-12 } else { 0.0 }));
    }

    /// If this fails, people are refused what is enclosed well enough.
    #[test]
    fn priors_of_all_sizes_pass() {
        let mut random = Random::new(41);
        for score in
            ["hellinger", "angle", "squared-hellinger", "chernoff:0.001", "chernoff:0.3", "chernoff:0.999"]
                .into_iter()
                .chain(["tv", "kl", "reverse-kl", "counts"])
        {
            let scoring: Scoring = score.parse().expect("a score");
            for case in 0..60 {
                let prior = match case % 3 {
                    0 => random.prior(2, 1e-290, 1e290),
                    1 => random.prior(2, 1e-3, 1e3),
                    _ => random.prior(2, 1e-300, 1e16),
                };
                let n =
                    if case % 2 == 0 { 1 + random.below(9) } else { random.log_uniform(1.0, 1e12) as u64 };
                let prior = Prior::new(prior).expect("valid");
                let fitted = scoring.fit(&prior, n).map(drop);
                let passes =
                    fitted.is_ok() || matches!(fitted, Err(ScoreError::TotalTooLarge { score: "tv", .. }));
                assert!(passes, "prior {:?}, n {n}: {fitted:?}", prior.parameters());
            }
        }
    }

    #[test]
    fn sizes_are_from_none_to_all() {
        assert_eq!(sizes(1), [0, 1]);
        assert_eq!(sizes(16), [0, 1, 16]);
        assert_eq!(sizes(300), [0, 1, 16, 256, 300]);
    }

    #[test]
    fn sizes_of_priors_are_taken_once() {
        let prior = Prior::new(vec![1.0, 1e-300, 1.5, 5e-324, 1e-300, 2.0]).expect("valid");
        assert_eq!(one_of_each_size(&prior).collect::<Vec<_>>(), [3, 4, 2, 5]);
    }
}
