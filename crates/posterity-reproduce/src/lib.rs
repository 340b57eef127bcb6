//! The published experiments: every table and figure as data, picture and one report.
//!
//! An experiment is a TOML file (docs/reproduce.md): what is computed, and which claims of the research it decides, by
//! which checks. [`experiments`] lists those that are shipped, [`run`] computes one, [`write()`] writes its table and
//! its picture, [`report`] puts all together, and [`claims()`] lists the verdicts. [`bounds`] has the accuracy formulas that the research states.
//! Nothing here is private: experiments are seeded.

pub mod bounds;
mod check;
mod claim;
mod claims;
mod conclusions;
mod contender;
mod delta;
mod error;
mod experiment;
mod kinds;
mod mode;
mod pool;
mod quantifier;
mod region;
mod report;
mod run;
mod seed;
mod shipped;
mod table;
mod values;
mod verdict;
mod watcher;
mod write;

pub use check::{Check, CheckError, Finding, Part};
pub use claim::{Claim, Correction, Decision, DistanceReading, LawReading};
pub use claims::claims;
pub use conclusions::{Conclusion, Conclusions};
pub use contender::{Contender, ContenderError};
pub use error::ReproduceError;
pub use experiment::{Experiment, Group};
pub use mode::Mode;
pub use pool::{MOST_THREADS, with_threads};
pub use quantifier::Quantifier;
pub use report::report;
pub use run::{ExperimentResult, run};
pub use shipped::{CONCLUSIONS, Library, definitions, experiments};
pub use table::{ResultRow, ResultTable};
pub use verdict::Verdict;
pub use watcher::{Silent, Watcher};
pub use write::{refuse, write, write_claims, write_report};
