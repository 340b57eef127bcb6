//! Counts the records of files over declared categories.
//!
//! A [`Source`] says where the records are, a [`Question`] what is counted, and [`count`] answers it on this machine.
//! `posterity-formats` reads the records. The meaning of a value depends only on that value and the question, so
//! replacing one record of the source moves at most one count (docs/proofs/stability.md).
//!
//! With the feature `datafusion`, `count_with` runs the count as one aggregate query on a session of that engine; with
//! the feature `cluster`, `count_on` runs it on a Ballista cluster.
//!
//! This crate adds no noise: its counts are private data. Its errors never contain a value of a record.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use posterity_core::sampler::SeededBits;
//! use posterity_count::{Column, Question, Resources, Source, count};
//! let source = Source::files("people.csv");
//! let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
//! // The bits draw one record of each unit. This question has no unit, so they are not used.
//! let mut bits = SeededBits::new(1);
//! let progress = |_rows| ControlFlow::Continue(());
//! let counted = count(&source, &question, &mut bits, &Resources::default(), &progress)?;
//! println!("{} records", counted.counts.total());
//! # Ok::<(), posterity_count::DataError>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails says so"))]

mod bins;
mod cell_table;
mod cells;
mod checked_questions;
mod column_codes;
mod count;
mod decimal_comma;
mod describe;
mod distinct;
#[cfg(feature = "datafusion")]
mod engine;
mod error;
mod filter;
#[cfg(feature = "arrow")]
mod frame;
mod label_counter;
mod left_out;
mod look;
mod lookup;
mod margins;
mod order_key;
mod question;
mod question_group;
mod resemblance;
mod shared_count;
#[cfg(test)]
mod speed;
mod spelling;
mod sql;
mod thread_tally;
mod unit;
mod unit_count;
mod value_coder;
mod whole_number;

pub use bins::{Bins, BinsError};
pub use cells::{Cells, CellsError, MAX_CELLS, MAX_MARGIN_CELLS};
pub use count::{Counted, Resources, check_all, count, count_all};
pub use decimal_comma::point_for_comma;
pub use describe::describe;
pub use distinct::{Values, ValuesAsked, gather_values};
#[cfg(feature = "cluster")]
pub use engine::{Cluster, DEFAULT_PARTITIONS, count_margins_on, count_on, count_on_async};
#[cfg(feature = "datafusion")]
pub use engine::{count_margins_with, count_with, datafusion};
pub use error::DataError;
pub use filter::FilterError;
#[cfg(feature = "arrow")]
pub use frame::{Frame, needed_columns};
#[cfg(feature = "arrow")]
pub use label_counter::whole_label;
pub use label_counter::{LabelCounter, day_label};
pub use left_out::{LeftOut, LeftOutColumn, MAX_UNDECLARED, UndeclaredValue, left_out};
pub use look::{Look, LookedColumn, LookedFor, Looks, UnitSizes, look};
pub use margins::{
    CountedMargins, CountedTogether, WideQuestion, check_margins, check_together, count_margins,
    count_together,
};
pub use posterity_core::model::Adjacency;
pub use posterity_formats::{
    ColumnHint, Encoding, Field, Format, Location, MAX_RECORD, PostgresAddressError, PostgresFault,
    PostgresServer, ReadError, Relation, Source, ValueKind, common_fields, common_names, letters_apart,
    open_below,
};
#[cfg(feature = "arrow")]
pub use posterity_formats::{MixedColumn, MixedValue};
pub use question::{Column, Domain, OUTSIDE_CELL, Question};
pub use resemblance::Difference;
pub use spelling::SpellingError;
pub use sql::{
    COUNT_COLUMN, CountedError, Dialect, NoSuchDialect, NoSuchType, STATE_COLUMN, SqlError, SqlSource,
    Stored, read_counted, sql,
};
pub use unit::{NoSuchRule, PerUnit, UnitError};
