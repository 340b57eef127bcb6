//! The publisher: the only path from private counts to a release.
//!
//! [`publish`] takes public inputs (a [`Request`]) and private counts, draws once, and returns a [`Release`]: a document
//! that says what was released, what was promised and how to read it. It is the only place that opens the operating
//! system's random source. A seed may take its place for experiments, and then the document says that it is not private.

mod certificate;
mod publisher;
mod release;
mod system_bits;

pub use certificate::{Certificate, CertificateError};
pub use publisher::{AUDIT_LIMIT, Calibration, PublishError, Randomness, Request, publish};
pub use release::{GuaranteeStatement, NoiseAwareSummary, Posterior, Promise, Release};
pub use system_bits::SystemBits;

/// The mathematics underneath.
pub use posterity_core as core;
