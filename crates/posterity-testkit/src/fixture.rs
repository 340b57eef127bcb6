//! Valid values that tests begin with.

use posterity_core::calibrate;
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Counts, Epsilon, Prior, Setting};

/// More probabilities than any test's audit computes.
const LIMIT: f64 = 1e10;

/// A privacy budget.
///
/// # Panics
/// If it is not positive.
#[must_use]
pub fn epsilon(text: &str) -> Epsilon {
    text.parse().expect("a positive epsilon")
}

/// Public inputs with the uniform prior over k categories.
///
/// # Panics
/// If they are not valid.
#[must_use]
pub fn uniform(k: usize, n: u64, epsilon: &str) -> Setting {
    setting(&vec![1.0; k], n, epsilon)
}

/// Public inputs.
///
/// # Panics
/// If they are not valid.
#[must_use]
pub fn setting(prior: &[f64], n: u64, epsilon: &str) -> Setting {
    let prior = Prior::new(prior.to_vec()).expect("a valid prior");
    Setting::new(prior, n, self::epsilon(epsilon)).expect("a valid size")
}

/// Public inputs with a budget that is a floating-point number.
///
/// # Panics
/// If they are not valid.
#[must_use]
pub fn setting_f64(prior: &[f64], n: u64, epsilon: f64) -> Setting {
    let prior = Prior::new(prior.to_vec()).expect("a valid prior");
    Setting::new(prior, n, Epsilon::from_f64(epsilon).expect("a positive epsilon")).expect("a valid size")
}

/// True counts.
///
/// # Panics
/// If they are not valid.
#[must_use]
pub fn counts(counts: &[u64]) -> Counts {
    Counts::new(counts.to_vec()).expect("valid counts")
}

/// True counts of n records over k categories, as equal as can be.
///
/// # Panics
/// If there are fewer than two categories, or no records.
#[must_use]
pub fn balanced(k: usize, n: u64) -> Counts {
    let share = |i: usize| n / k as u64 + u64::from((i as u64) < n % k as u64);
    counts(&(0..k).map(share).collect::<Vec<u64>>())
}

/// The specification that a text stands for.
///
/// # Panics
/// If it stands for none.
#[must_use]
pub fn spec(text: &str) -> Spec {
    text.parse().expect("a valid specification")
}

/// The mechanism that a text stands for, fitted to public inputs.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn mechanism(text: &str, setting: &Setting) -> Box<dyn Mechanism> {
    calibrate::fit(&spec(text), setting, LIMIT, &|_| ()).expect("a mechanism for this setting")
}
