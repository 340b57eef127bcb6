//! Special functions, written without subtractions that lose digits.
//!
//! All elementary functions come from the `libm` crate, not from the platform, because a score that decides a
//! private draw must be the same number on every machine.

pub mod beta;
mod binomial;
pub(crate) mod deviance;
pub(crate) mod digamma;
mod double;
mod enclosed;
pub mod entropy;
pub(crate) mod gamma;
pub(crate) mod kernel;
pub(crate) mod lanes;
mod number;
pub mod stirling;
mod sum;

pub use binomial::ln_binomial;
pub(crate) use double::Double;
pub use enclosed::Enclosed;
pub use gamma::{ln_gamma, ln_gamma_over_factorial};
pub use number::Number;
pub(crate) use sum::BlockSum;
pub use sum::Sum;
