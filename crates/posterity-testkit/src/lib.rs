//! What the tests of the other crates share: exact critical values, seeded random inputs, fixtures, and the conformance
//! suite of a mechanism.
//!
//! A statistical test here has a stated false-alarm rate that is a proven bound, not an approximation: every count is
//! compared with exact binomial quantiles, and the comparisons share the rate between them (Bonferroni). Nothing is
//! ever tried again until it passes.

mod binomial;
pub mod conformance;
mod enumerate;
mod fit;
pub mod fixture;
mod random;

pub use binomial::{Interval, critical_interval};
pub use enumerate::all_counts;
pub use fit::Fit;
pub use random::Random;
