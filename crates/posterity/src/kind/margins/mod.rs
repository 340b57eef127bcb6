//! Tables that nobody can list: every pair or triple of many columns, released together.
//!
//! The mathematics is the crate `posterity-margins`, and its proofs are in docs/proofs/residuals.md.

mod answer;
mod asked;
mod credible;
mod drawn;
mod error;
#[cfg(all(test, feature = "data"))]
mod example;
mod fit;
mod noise;
#[cfg(feature = "data")]
pub(crate) mod part;
#[cfg(feature = "data")]
pub(crate) mod plan;
mod posterior;
#[cfg(feature = "data")]
mod publish;
mod reading;
mod request;
mod which;
mod words;

pub use answer::{Margins, TablesOfSize};
pub use drawn::DrawnMargins;
pub use error::MarginsError;
pub use fit::{FittedRows, RowsError};
#[cfg(feature = "data")]
pub use publish::{MarginsData, MarginsPublisher, PlannedMargins};
pub use request::{MarginsRequest, MarginsTerms};
pub use which::{WeightedSet, Which};

use crate::paper::Document;

/// The document of tables of many columns.
pub type MarginsDocument = Document<Margins>;
