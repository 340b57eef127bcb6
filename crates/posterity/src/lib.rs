//! The publisher: the only path from private counts to a release.
//!
//! [`publish`] takes public inputs (a [`Request`]) and private data (an [`Input`]), charges a ledger if one is given, draws once,
//! records, and returns a [`Release`]: a document that says what was released, what was promised and how to read it. It is the only place that opens the operating
//! system's random source. A seed may take its place for experiments, and then the document says that it is not private.

mod certificate;
mod input;
mod publisher;
mod release;
mod system_bits;

pub use certificate::{Certificate, CertificateError};
pub use input::{Input, InputError};
pub use publisher::{
    AUDIT_LIMIT, Budget, Calibration, Payment, PublishError, Published, Randomness, Request, publish,
};
pub use release::{GuaranteeStatement, NoiseAwareSummary, Posterior, Promise, Release};
pub use system_bits::SystemBits;

/// The mathematics underneath.
pub use posterity_core as core;
/// Where the data comes from.
#[cfg(feature = "data")]
pub use posterity_data as data;
/// Who pays.
pub use posterity_ledger as ledger;
