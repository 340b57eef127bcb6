//! Valid values that unit tests begin with. Other tests use `posterity_testkit::fixture`; its values belong to another
//! build of this crate, so they have other types than those here.

use crate::model::{Prior, Setting};

/// Public inputs.
pub(crate) fn setting(prior: &[f64], n: u64, epsilon: &str) -> Setting {
    let prior = Prior::new(prior.to_vec()).expect("a valid prior");
    Setting::new(prior, n, epsilon.parse().expect("a positive epsilon")).expect("a valid size")
}

/// Public inputs with the uniform prior over k categories.
pub(crate) fn uniform(k: usize, n: u64, epsilon: &str) -> Setting {
    setting(&vec![1.0; k], n, epsilon)
}

/// An exact positive number.
pub(crate) fn rational(text: &str) -> dashu_ratio::RBig {
    text.parse::<crate::model::Epsilon>().expect("a positive number").rational().clone()
}
