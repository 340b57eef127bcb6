//! The linear program whose solution is the most accurate private mechanism that releases a candidate.
//!
//! [`Orbits`] lists the variables, [`Program`] states the program and has it solved, and [`Table`] makes of a solution
//! whole numbers that satisfy every constraint exactly (docs/proofs/limit.md, docs/proofs/optimal.md).

mod linear;
mod orbits;
mod table;

pub(crate) use linear::Program;
pub(crate) use orbits::{Orbits, TooManyVariables};
pub(crate) use table::Table;

/// The number of variables of a linear program that is solved within about a minute. If all prior parameters are equal,
/// that is about n = 199 for k = 2, n = 24 for k = 3 and n = 13 for k = 4. If no two are equal, it is about n = 140, 15
/// and 7.
pub const MAX_VARIABLES: usize = 20_000;

/// How far apart the two bounds on the limit may be.
pub(crate) const GAP: f64 = 1e-6;
