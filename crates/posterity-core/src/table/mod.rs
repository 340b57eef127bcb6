//! Readings of a table: shares of groups of cells, given a release.
//!
//! Several columns make one space of cells, and each cell is one category. A release of all cells answers every
//! question about those columns: the share of the cells of a group among all cells (a marginal) or among some of them
//! (a conditional), and functions of several such shares (comparisons, expected values). All of it follows from the law
//! of the counts in [`NoiseAware`](crate::noise_aware::NoiseAware) and costs no privacy (docs/proofs/tables.md).
//!
//! A [`Grouping`] says which cells belong together. [`Shares`] has the exact law of each share, and [`Draws`] draws all
//! shares of a grouping jointly, for what has no closed form.
//!
//! ```
//! use posterity_core::decode::noise_aware;
//! use posterity_core::mechanism::{Lattice, Spec};
//! use posterity_core::model::{Prior, Released, Setting};
//! use posterity_core::table::{Block, Grouping, Shares};
//! // Four cells: ward A or B, outcome yes or no. The question is the share of yes within each ward.
//! let setting = Setting::new(Prior::uniform(4)?, 100, "1".parse()?)?;
//! let mechanism = Spec::from(Lattice).fit(setting)?;
//! let aware = noise_aware(&*mechanism, &Released::new(vec![30, 10, 20, 40]))?;
//! let ward = |yes: usize, no: usize| Block::new(vec![vec![yes]], vec![no]);
//! let shares = Shares::new(&aware, &Grouping::new(4, vec![ward(0, 1), ward(2, 3)])?);
//! let yes_in_a = shares.share(0, 0)?;
//! assert!(yes_in_a.mean() > 0.6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bins;
mod draws;
mod grouping;
mod laws;
mod pairs;
mod share;

pub use draws::{Draw, Draws};
pub use grouping::{Block, Grouping, GroupingError};
pub use share::{Share, Shares, Summary, TooManyPairs};
