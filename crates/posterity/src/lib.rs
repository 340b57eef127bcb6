//! The publisher: the only path from private counts to a release.
//!
//! [`publish`] takes public inputs (a [`Request`]) and private data (an [`Input`]), charges a ledger if one is given, draws once,
//! records, and returns a [`Release`]: a document that says what was released, what was promised and how to read it. It is the only place that opens the operating
//! system's random source. A seed may take its place for experiments, and then the document says that it is not private.
//!
//! Beside it stands what helps to choose before anything is released: [`compare`], [`advise`], [`inspect`] and [`audit`].

mod about;
mod advice;
mod audit_report;
mod certificate;
mod comparison;
mod input;
mod inspection;
pub mod number;
mod publisher;
mod release;
mod system_bits;
mod terms;
mod text_file;
mod wide_noise;

pub use about::{About, AboutColumn};
pub use advice::{Advice, AdviceError, Shape, ShapeError, advise};
pub use audit_report::{AuditReport, ProfileError, ProfilePoint, WitnessView, audit, profile_epsilon};
pub use certificate::{Certificate, CertificateError};
pub use comparison::{Comparison, ComparisonError, Contest, Measure, Method, Row, compare};
pub use input::{Input, InputError, NameError};
pub use inspection::{Inspection, InspectionError, MAX_DECODED, Sensitivity, inspect};
pub use publisher::{
    AUDIT_LIMIT, Budget, Calibration, Payment, PublishError, Published, Randomness, Request, publish,
};
pub use release::{GuaranteeStatement, NoiseAwareSummary, Posterior, Promise, Recalled, Release};
pub use system_bits::SystemBits;
pub use terms::{
    GammaChoice, IntervalLevelError, Parameters, TermsError, interval_level, setting_for_data,
    setting_for_size,
};
pub use text_file::{MAX_TEXT_FILE, TextFileError, read_text};

/// The mathematics underneath.
pub use posterity_core as core;
/// Where the data comes from.
#[cfg(feature = "data")]
pub use posterity_data as data;
/// Who pays.
pub use posterity_ledger as ledger;
