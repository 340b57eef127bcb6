//! Tools for the tests of the other crates: exact critical values, enumeration, seeded random inputs, fixtures, and the
//! conformance suite of a mechanism.
//!
//! The false-alarm rate of a statistical test is a proven bound, not an approximation: every count is compared with
//! exact binomial quantiles, and the rate is divided between the comparisons (Bonferroni). A test that fails is not
//! repeated.

mod binomial;
mod chosen;
pub mod conformance;
mod coverage;
mod dp_accounting;
mod enumerate;
mod fit;
pub mod fixture;
mod random;
mod trials;

pub use binomial::{Interval, critical_interval};
pub use chosen::text;
pub use coverage::{kolmogorov, multinomial};
pub use dp_accounting::ask_dp_accounting;
pub use enumerate::all_counts;
pub use fit::Fit;
pub use random::Random;
pub use trials::trials;
