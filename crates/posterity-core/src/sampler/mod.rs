//! Exact samplers: given uniform random bits, each draws from precisely the law it states. No noise is made by
//! floating-point arithmetic ([`dirichlet`] aside, which is for analysis); where floating point is used to decide
//! quickly, an undecided comparison is repeated in exact arithmetic.

mod bernoulli_exp;
mod bits;
mod dirichlet;
mod envelope;
mod exp_enclosure;
mod geometric;
mod ladder;
mod rate;
mod rounded_score;
mod ruler;
mod simplex;

pub use bernoulli_exp::bernoulli_exp;
pub use bits::{BitSource, SeededBits, SourceError};
pub(crate) use bits::{coin, uniform_u128};
pub use dirichlet::dirichlet;
pub(crate) use dirichlet::{unchecked_dirichlet, uniform_unit};
pub use envelope::{EnvelopeError, EnvelopeSampler};
pub(crate) use exp_enclosure::exp_enclosure;
pub use geometric::geometric;
pub(crate) use ladder::Ladder;
pub use rate::{Rate, RateError};
pub use rounded_score::{RoundedScore, SCORE_ERROR};
pub(crate) use ruler::{CostKind, HellingerRuler, Ruler};
pub(crate) use simplex::uniform_parts;
pub use simplex::{CandidateError, ln_candidates, uniform_candidate};
