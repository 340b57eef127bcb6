//! From files, or a table of a session, to counts over declared categories.
//!
//! A [`Source`] says where the records are, a [`Question`] what is counted. [`count`] answers it on this machine, and
//! [`count_with`] with one aggregate query on any DataFusion session. With the feature `cluster`, `count_on` runs that query
//! on a Ballista cluster.
//!
//! Nothing here is private: the counts are the data themselves. But no error says anything that a record holds.
//!
//! ```no_run
//! use posterity_data::{Column, Question, Resources, Source, count};
//! let source = Source::files("people.csv");
//! let question = Question::new(vec![Column::new("cured", ["yes", "no"])]);
//! let counted = count(&source, &question, &Resources::default(), &|_rows| ())?;
//! println!("{} records", counted.counts.total());
//! # Ok::<(), posterity_data::DataError>(())
//! ```

mod binary;
#[cfg(feature = "cluster")]
mod cluster;
mod column_type;
mod count;
mod describe;
mod error;
mod failure;
mod files;
mod filter;
mod labels;
mod lookup;
mod numbers;
mod plan;
mod question;
mod quotes;
#[cfg(feature = "cluster")]
mod remote;
mod runtime;
mod session;
mod source;
mod space;
mod table;
mod text;
mod words;

pub use binary::MAX_BATCH;
#[cfg(feature = "cluster")]
pub use cluster::{Cluster, DEFAULT_PARTITIONS, count_on, count_on_async};
pub use count::{Counted, count, count_async, count_with};
pub use describe::describe;
pub use error::{DataError, FilterError};
pub use labels::LabelCounter;
pub use question::{Column, Question};
pub use session::Resources;
pub use source::{Format, Source};
pub use space::{MAX_CELLS, Space, SpaceError};
pub use text::MAX_RECORD;

/// The engine, whose session [`count_with`] takes.
pub use datafusion;
