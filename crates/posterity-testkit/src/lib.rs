//! Tools for the tests of the other crates: exact critical values, enumeration, seeded random inputs, fixtures, child
//! processes, second opinions of other packages, a database server, and the conformance suite of a mechanism.
//!
//! The false-alarm rate of a statistical test is a proven bound, not an approximation: every count is compared with
//! exact binomial quantiles, and the rate is divided between the comparisons (Bonferroni). A test that fails is not
//! repeated.

mod binomial;
mod chosen;
pub mod conformance;
mod coverage;
mod enumerate;
mod fit;
pub mod fixture;
mod peer;
mod postgres;
mod random;
mod seed;
mod trials;
mod worker;

pub use binomial::{Interval, critical_interval};
pub use chosen::text;
pub use coverage::{kolmogorov, multinomial};
pub use enumerate::all_counts;
pub use fit::Fit;
pub use peer::Peer;
pub use postgres::Postgres;
pub use random::Random;
pub use seed::seed_of;
pub use trials::trials;
pub use worker::{Worker, say};
