//! Tools for the tests of the other crates: exact critical values, enumeration, and seeded random inputs.
//!
//! The false-alarm rate of a statistical test is a proven bound, not an approximation: every count is compared with
//! exact binomial quantiles, and the rate is divided between the comparisons (Bonferroni). A test that fails is not
//! repeated.

mod binomial;
mod enumerate;
mod fit;
mod random;

pub use binomial::{Interval, critical_interval};
pub use enumerate::all_counts;
pub use fit::Fit;
pub use random::Random;
