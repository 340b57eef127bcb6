//! Categories that nobody declared: the values that occur often enough, with their counts.
//!
//! The law and its proof are in `posterity_core::discovery` and docs/proofs/discovery.md.

mod answer;
#[cfg(feature = "data")]
pub(crate) mod data;
#[cfg(all(test, feature = "data"))]
mod example;
#[cfg(feature = "data")]
pub(crate) mod part;
#[cfg(feature = "data")]
pub(crate) mod plan;
#[cfg(feature = "data")]
mod publish;
mod request;
mod words;

pub use answer::{Discovered, DrawnValues, NotShown};
#[cfg(feature = "data")]
pub use data::ValueData;
#[cfg(feature = "data")]
pub use publish::Discovery;
pub use request::{DiscoveryError, DiscoveryRequest, DiscoveryTerms};

use crate::paper::Document;

/// The document of discovered categories.
pub type DiscoveredDocument = Document<Discovered>;
