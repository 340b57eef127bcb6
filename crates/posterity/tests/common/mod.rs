//! What several tests begin with: a publisher and data of two categories.

#![allow(dead_code, reason = "each test file uses a part")]

use posterity::{Data, Publisher};
use posterity_testkit::fixture::{epsilon, spec};

/// Releases with epsilon 1 by the mechanism that a text stands for.
pub(crate) fn publisher(mechanism: &str) -> Publisher<'static> {
    Publisher::new(epsilon("1")).mechanism(spec(mechanism))
}

/// Counts of the categories yes and no, without a name.
pub(crate) fn data(yes: u64, no: u64) -> Data {
    Data::counts([("yes", yes), ("no", no)]).expect("valid counts")
}

/// Counts of 48 and 42 under a name.
pub(crate) fn named(name: &str) -> Data {
    data(48, 42).named(name, None, None).expect("a name")
}
