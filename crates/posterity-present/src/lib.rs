//! What every front shows, once: the command, the pages, the reports of studies and experiments, Python and R.
//!
//! | for | use |
//! |---|---|
//! | rows under named columns | [`Sheet`], made by [`cells`], [`readings`] or the front itself |
//! | a file for a spreadsheet | [`csv`] |
//! | whether something is private | [`Mark`], as a column and as a line |
//! | rows for other software | [`parquet`] |
//! | rows as lines of text | [`aligned`], [`aligned_text`] |
//! | what is seen of a document at first | [`first_tables`] |
//! | text and tables of a page | [`html`], [`Bars`] |
//! | which intervals are shown, and of what | [`intervals`] |
//! | numbers for people | [`uncertain`]; for tables and sentences `posterity::number` |
//! | a release for people who decide | [`describe`] |
//! | what was paid | [`payment`]; for data that has changed [`answered_at_other_n`] |
//! | how precisely shares are known | [`precision`] |
//! | the argument that an error is about | [`Blame`] |
//! | the kind of a failure, for programs | [`Fault`] |
//! | the arguments of a call as a plan | [`argument`] |
//! | data in memory | [`InMemory`] |
//! | what data in memory lacks, for its owner | [`LeftOutInMemory`] |
//! | a look at a file, for its owner, and the schema that it leads to | [`looked`] |
//! | discovered categories | [`DiscoveredFacts`] |
//! | work that Ctrl-C ends | [`Worker`] |
//! | a release as a value of a program | [`state`] |
//!
//! It knows nothing of terminals and sockets.

mod aligned;
pub mod argument;
mod bars;
pub mod cells;
pub mod csv;
pub mod describe;
mod discovered;
mod fault;
mod first_tables;
pub mod html;
mod in_memory;
pub mod intervals;
mod left_out;
pub mod looked;
mod mark;
mod other_n;
mod paid;
pub mod parquet;
mod precision;
pub mod readings;
mod remedy;
mod sheet;
pub mod state;
pub mod tests;
pub mod uncertain;
pub mod words;
mod worker;

pub use aligned::{AlignedCell, aligned, aligned_text};
pub use bars::Bars;
pub use discovered::DiscoveredFacts;
pub use fault::{Fault, FaultKind, Words};
pub use first_tables::first_tables;
pub use in_memory::InMemory;
pub use left_out::{LeftOutInColumn, LeftOutInMemory, STRAYS};
pub use mark::Mark;
pub use other_n::{answer_at_other_n, answered_at_other_n};
pub use paid::payment;
pub use posterity::plan::Blame;
pub use precision::precision;
pub use remedy::Remedy;
pub use sheet::{Column, Setting, Sheet, Value};
pub use worker::{NoThread, Panicked, Watch, Worker};
