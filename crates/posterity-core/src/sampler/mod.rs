//! Exact samplers: given uniform random bits, each draws from precisely the law it states. No noise is made by
//! floating-point arithmetic ([`dirichlet`] aside, which is for analysis); where floating point is used to decide quickly, an undecided comparison is repeated
//! in exact arithmetic.

mod bernoulli_exp;
mod bits;
mod dirichlet;
mod envelope;
mod exp_enclosure;
mod geometric;
mod ladder;
mod laplace_floor;
mod lattice;
mod score;
mod simplex;

pub use bernoulli_exp::bernoulli_exp;
pub use bits::{BitSource, SeededBits, SourceError, uniform_below};
pub use dirichlet::dirichlet;
pub(crate) use dirichlet::uniform_unit;
pub use envelope::EnvelopeSampler;
pub use geometric::{TwoSidedGeometric, geometric};
pub use laplace_floor::FlooredLaplace;
pub use lattice::LatticeNoise;
pub use score::{SCORE_ERROR, Score};
pub use simplex::{ln_candidates, uniform_candidate};
