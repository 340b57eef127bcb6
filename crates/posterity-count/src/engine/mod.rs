//! Counting by one aggregate query, in a session of DataFusion or on a Ballista cluster.
//!
//! The query consists of the engine's own operators and expressions, so an executor needs nothing from this crate.
//! Every expression gives the same result as [`count`](crate::count()), value by value. A question without such an
//! expression is refused.

#[cfg(feature = "cluster")]
mod cluster;
mod codes;
mod columns;
mod complaint;
mod failure;
mod filter;
mod fitted;
mod numbers;
mod plan;
mod query;
mod quotes;
mod record_codes;
#[cfg(feature = "cluster")]
mod remote;
#[cfg(feature = "cluster")]
mod runtime;
mod several_tables;
mod survey;
mod table;

pub use datafusion;

#[cfg(feature = "cluster")]
pub use cluster::{Cluster, DEFAULT_PARTITIONS, count_margins_on, count_on, count_on_async};
pub use query::{count_margins_with, count_with};
