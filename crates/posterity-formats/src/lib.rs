//! Reads the records of files: CSV, JSON, Parquet, Arrow and SQLite; with the feature `postgres` also tables of a server.
//!
//! A [`Source`] says where the records are, [`Source::find`] finds its files, and [`read`] hands their records to a
//! [`Visitor`] in pieces, within bounded memory and on several threads. A value means what it is by itself, whatever
//! other records hold (docs/proofs/stability.md). Damaged and hostile files are refused; nothing that a file states is
//! trusted.
//!
//! This crate knows nothing of questions and counts. Its errors never contain a value of a record.
//!
//! ```no_run
//! # fn main() -> Result<(), posterity_formats::ReadError> {
//! let files = posterity_formats::Source::files("people-*.csv").find()?;
//! println!("{} files of {}", files.paths.len(), files.format);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails says so"))]

mod arrow;
#[cfg(feature = "arrow-schema")]
mod arrow_type;
mod below;
mod column;
mod column_hint;
mod encoding;
mod exact_number;
mod files;
mod flaw;
mod format;
#[cfg(feature = "arrow")]
mod frame;
mod in_order;
mod memory_limit;
mod mixed;
mod parquet;
mod partitions;
mod piece;
mod positional_file;
#[cfg(feature = "postgres")]
mod postgres;
mod postgres_fault;
mod postgres_server;
mod read;
mod read_error;
mod relation;
mod repeated;
mod source;
mod sqlite;
mod text;
mod typed;
mod value;
mod visitor;
mod waves;
mod zstd;

#[cfg(feature = "arrow-schema")]
pub use arrow_type::{fields, kind};
pub use below::open_below;
pub use column::{ColumnValues, Field, MISSING, Store, Strings, ValueKind};
pub use column_hint::{ColumnHint, letters_apart};
pub use encoding::Encoding;
pub use exact_number::{Digits, MAX_DIGITS, MAX_EXPONENT, Number};
pub use files::{Files, shown, unreadable};
pub use format::Format;
#[cfg(feature = "arrow")]
pub use frame::read_batches;
pub use mixed::{MixedColumn, MixedValue};
pub use piece::Piece;
pub use postgres_fault::PostgresFault;
pub use postgres_server::{PostgresAddressError, PostgresServer};
pub use read::read;
pub use read_error::ReadError;
pub use relation::Relation;
pub use source::{Location, Source};
pub use text::{MAX_RECORD, common_names};
pub use typed::{SEVERAL_WIDTHS, common_fields, refuse_duplicates};
pub use value::Value;
pub use visitor::{Visitor, Wanted};
