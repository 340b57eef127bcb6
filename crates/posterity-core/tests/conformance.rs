//! Every listed mechanism passes the conformance suite; adding a mechanism to the list adds it here.

use posterity_core::mechanism::{ALL, Description};
use posterity_testkit::conformance;

fn every_mechanism(check: fn(&'static Description)) {
    // Beside each other, because one check takes much longer than all others.
    std::thread::scope(|scope| {
        for description in ALL {
            scope.spawn(move || check(description));
        }
    });
}

macro_rules! conformance {
    ($($check:ident)*) => {
        $(
            #[test]
            fn $check() {
                every_mechanism(|description| conformance::$check(description));
            }
        )*
    };
}

conformance! {
    text_round_trip
    rejects
    a_failing_source_fails_the_release
    law_sums_to_one
    sampler_fits_law
    releases_follow_from_draws
    guarantee_holds
    likelihood_is_the_law
    exchangeable_as_stated
    uses_the_prior_as_stated
    draws_are_pinned
    description_agrees
}

/// Names are unique, or a text would stand for two mechanisms.
#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = ALL.iter().map(|description| description.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ALL.len());
}
