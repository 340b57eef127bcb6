//! The published experiments: every table and figure as data, picture and one report.
//!
//! An experiment is a TOML file (docs/reproduce.md): what is computed, and which claims of the research it decides, by
//! which checks. [`experiments`] lists those that are shipped, [`run`] computes one, [`write()`] writes its table and its
//! picture, and [`report`] puts all together. Nothing here is private: experiments are seeded.

mod check;
mod claim;
mod conclusions;
mod contender;
mod error;
mod experiment;
mod kinds;
mod pool;
mod progress;
mod report;
mod run;
mod seed;
mod shipped;
mod table;
mod values;
mod write;

pub use check::{Check, Finding};
pub use claim::{Claim, Decision, Verdict};
pub use conclusions::{Conclusion, Conclusions};
pub use contender::{Contender, ContenderError};
pub use error::ReproduceError;
pub use experiment::{Experiment, Group};
pub use pool::with_threads;
pub use progress::{Progress, Silent};
pub use report::report;
pub use run::{Mode, Outcome, run};
pub use shipped::{CONCLUSIONS, Library, definitions, experiments};
pub use table::{Row, Table};
pub use write::{write, write_report};
