//! Tests by the public interface: counts of files, and every way in which a count can fail.

mod add_remove;
mod aliases;
mod bad_data;
mod bad_question;
mod batch;
mod bins;
mod distinct;
mod encodings;
mod filters;
mod formats;
mod hostile;
mod laws;
mod left_out;
mod margins;
mod one_meaning;
mod partitions;
#[cfg(feature = "postgres")]
mod postgres;
mod scratch;
mod sessions;
mod sql;
mod sql_cases;
mod sqlite;
mod stability;
mod types;
mod units;
mod within;
