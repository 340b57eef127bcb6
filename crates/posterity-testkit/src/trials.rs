//! How often a test repeats what it does.

use std::str::FromStr;

/// How many trials a test makes: as many as the variable `POSTERITY_TRIALS` says, or else the usual number. A larger
/// number shows smaller differences than the tests of every run.
///
/// ```
/// assert_eq!(posterity_testkit::trials(50), 50);
/// ```
///
/// # Panics
/// If the variable is no number: a test that ignores it would show less than was asked for.
#[must_use]
pub fn trials<N: FromStr>(usual: N) -> N {
    match std::env::var("POSTERITY_TRIALS") {
        Ok(number) => match number.parse() {
            Ok(number) => number,
            Err(_) => unreachable!("POSTERITY_TRIALS is a whole number"),
        },
        Err(_) => usual,
    }
}
