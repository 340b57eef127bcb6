//! Exact samplers: given uniform random bits, each draws from precisely the law it states. No noise is made by
//! floating-point arithmetic; where floating point is used to decide quickly, an undecided comparison is repeated
//! in exact arithmetic.

mod bernoulli_exp;
mod bits;
mod envelope;
mod exp_enclosure;
mod geometric;
mod laplace_floor;
mod score;
mod simplex;

pub use bernoulli_exp::bernoulli_exp;
pub use bits::{BitSource, SeededBits, SourceError, uniform_below};
pub use envelope::EnvelopeSampler;
pub use geometric::{TwoSidedGeometric, geometric};
pub use laplace_floor::FlooredLaplace;
pub use score::{SCORE_ERROR, Score};
pub use simplex::{ln_candidates, uniform_candidate};
