//! Counts the records of files over declared categories.
//!
//! A [`Source`] says where the records are, a [`Question`] what is counted, and [`count`] answers it on this machine. The meaning of
//! a value depends only on that value and the question, so replacing one record of the source moves at most one
//! count (docs/proofs/stability.md).
//!
//! With the feature `datafusion`, `count_with` runs the count as one aggregate query on a session of that engine; with the
//! feature `cluster`, `count_on` runs it on a Ballista cluster.
//!
//! This crate adds no noise: its counts are private data. Its errors never contain a value of a record.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use posterity_core::sampler::SeededBits;
//! use posterity_data::{Column, Question, Resources, Source, count};
//! let source = Source::files("people.csv");
//! let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
//! // The bits draw one record of each unit. This question has no unit, so they are not used.
//! let mut bits = SeededBits::new(1);
//! let progress = |_rows| ControlFlow::Continue(());
//! let counted = count(&source, &question, &mut bits, &Resources::default(), &progress)?;
//! println!("{} records", counted.counts.total());
//! # Ok::<(), posterity_data::DataError>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails says so"))]

mod arrow;
#[cfg(any(feature = "arrow", feature = "datafusion"))]
mod arrow_type;
mod ask;
mod below;
mod bins;
mod cells;
mod coder;
mod codes;
mod column;
mod column_hint;
mod count;
mod counter;
mod describe;
#[cfg(feature = "datafusion")]
mod engine;
mod error;
mod files;
mod filter;
mod format;
#[cfg(feature = "arrow")]
mod frame;
mod groups;
mod labels;
mod lookup;
#[cfg(feature = "arrow")]
mod mixed;
mod number;
mod numbers;
mod order;
mod parquet;
mod piece;
mod positional_file;
mod question;
mod room;
mod run;
mod source;
#[cfg(test)]
mod speed;
mod tally;
mod text;
mod typed;
mod unit;
mod value;
mod words;

pub use below::open_below;
pub use bins::{Bins, BinsError};
pub use cells::{Cells, CellsError, MAX_CELLS};
pub use column_hint::ColumnHint;
pub use count::{Counted, Resources, check_all, count, count_all};
pub use describe::describe;
#[cfg(feature = "cluster")]
pub use engine::{Cluster, DEFAULT_PARTITIONS, count_on, count_on_async};
#[cfg(feature = "datafusion")]
pub use engine::{count_with, datafusion};
pub use error::DataError;
pub use filter::FilterError;
pub use format::Format;
#[cfg(feature = "arrow")]
pub use frame::{count_batches, needed_columns};
pub use labels::LabelCounter;
#[cfg(feature = "arrow")]
pub use mixed::{MixedColumn, MixedValue};
pub use question::{Column, Domain, OUTSIDE_CELL, Question};
pub use source::Source;
pub use text::MAX_RECORD;
pub use unit::{NoSuchRule, PerUnit, UnitError};
