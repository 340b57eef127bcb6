//! Differentially private posteriors of categorical data, in three lines:
//!
//! ```
//! use posterity::{Data, Publisher};
//! let data = Data::counts([("yes", 48), ("no", 42)])?;
//! let release = Publisher::new("1".parse()?).publish(&data)?;
//! println!("{release}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Data`] is private: counts that someone made, or counted records of a file ([`Data::read`], with a
//!   [`Question`](data::Question)).
//! - A [`Publisher`] has the public terms. [`Publisher::publish`] is the only path from private counts to a release; with
//!   [`Publisher::charge`] it charges an account of a [`Ledger`] first, and records what it drew. [`Publisher::experiment`]
//!   draws from a seed: its result is another type, is never private and cannot be charged.
//! - A [`Release`] is what was published: a [`Document`] that says what was released, what was promised and how to read it.
//!
//! # Mechanisms
//!
//! | mechanism | what it does |
//! |---|---|
//! | **for use** | |
//! | [`Lattice`](mechanism::Lattice) | noise that moves records between categories; the default |
//! | [`Geometric`](mechanism::Geometric) | two-sided geometric noise on all counts but the last |
//! | **of the research, private** | |
//! | [`Lszhang`](mechanism::Lszhang), [`Lsdim`](mechanism::Lsdim), [`Lshist`](mechanism::Lshist) | floored Laplace noise on counts |
//! | [`Ehd`](mechanism::Ehd), [`Ehds`](mechanism::Ehds) | exponential mechanisms scored by Hellinger distance |
//! | **of the research, not private** | |
//! | [`Ehdl`](mechanism::Ehdl), [`Mh`](mechanism::Mh) | benchmarks; private only with a [`Certificate`] or a tight scale |
//!
//! Each can be written as text, such as `tight(ehds(gamma=0.5))`, and read as a [`Spec`].
//!
//! # Before a release
//!
//! [`advise`] chooses a mechanism without data. [`compare`] and [`inspect`] show what mechanisms do at one data set, and
//! [`audit`] finds the exact privacy loss of one over all data sets.

mod about;
mod advice;
mod audit_report;
mod certificate;
mod comparison;
mod document;
mod inspection;
mod lazy;
pub mod number;
mod options;
mod private_data;
mod publisher;
mod question;
mod randomness;
mod reading;
mod release;
mod system_bits;
mod terms;
mod text_file;

pub use about::{About, AboutColumn};
pub use advice::{Advice, AdviceError, Shape, ShapeError, advise};
pub use audit_report::{AuditReport, ProfileError, ProfilePoint, WitnessView, audit, profile_epsilon};
pub use certificate::{Certificate, CertificateError};
pub use comparison::{Comparison, ComparisonError, Contest, Measure, Method, Row, compare};
pub use document::{
    Calibration, Document, GuaranteeStatement, NoiseAwareSummary, Posterior, Promise, Recalled,
};
pub use inspection::{Inspection, InspectionError, MAX_DECODED, Sensitivity, inspect};
pub use lazy::Lazy;
pub use options::Options;
pub use private_data::{CountedError, Data, NameError, NamesError};
pub use publisher::{ChargedPublisher, PublishError, Publisher};
pub use randomness::Randomness;
pub use release::{Experiment, Payment, Release};
pub use system_bits::SystemBits;
pub use terms::{AUDIT_LIMIT, Request, Terms, TermsError};
pub use text_file::{MAX_TEXT_FILE, TextFileError, read_text};

pub use posterity_core::decode::Decoder;
/// The mechanisms, by name and with their parameters.
pub use posterity_core::mechanism;
pub use posterity_core::mechanism::{Spec, SpecError};
pub use posterity_core::model::{Categories, Counts, Epsilon, Prior, Released};
pub use posterity_ledger::{Amount, Ledger};

/// The mathematics underneath.
pub use posterity_core as mathematics;
/// Where the data comes from.
#[cfg(feature = "data")]
pub use posterity_data as data;
/// Who pays.
pub use posterity_ledger as ledger;
