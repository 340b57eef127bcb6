//! Differentially private Bayesian posteriors of categorical data.
//!
//! Records fall into declared categories. With a Dirichlet prior their counts give a posterior of the proportions. This
//! crate publishes such a posterior with exactly drawn noise that protects every record, in three lines:
//!
//! ```
//! use posterity::{Data, Publisher};
//! let data = Data::counts([("yes", 48), ("no", 42)])?;
//! let release = Publisher::new("1".parse()?).publish(&data)?;
//! println!("{release}");
//! # let line = "yes: 0.5333 (95 % interval 0.4210 to 0.6434)";
//! # let seeded = Publisher::new("1".parse()?).experiment(&data, 1)?.to_string();
//! # assert_eq!(seeded.lines().next(), Some(line));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It prints a line for each category, such as `yes: 0.5333 (95 % interval 0.4210 to 0.6434)`, and the promise in
//! words. The number `1` is epsilon, the privacy budget: replacing one record by any other changes the probability of
//! every possible release by a factor of at most `exp(1)`.
//!
//! # The path to a release
//!
//! - [`Data`] is private: counts that someone made ([`Data::counts`]), or counted records of a file ([`Data::read`],
//!   with a [`Question`](data::Question)).
//! - A [`Publisher`] has the public terms: budget, prior, mechanism, decoder, level. [`Publisher::publish`] is the only
//!   path from private counts to a release.
//! - A [`Release`] holds a [`Document`], which is all that is published: what was released, what is promised and how to
//!   read it. It is read and written as JSON. [`Table::noise_aware`] is the posterior that takes the noise into
//!   account, for further analysis.
//!
//! [`Publisher::charge`] gives a [`ChargedPublisher`], which charges an account of a [`Ledger`] before it draws,
//! records what it drew, and answers the same question again without a charge. [`Publisher::experiment`] draws from a
//! seed; its result is another type, is never private and cannot be charged.
//!
//! # Reading a release
//!
//! A release of several columns answers every question about them, at no further cost: a [`Reading`] such as `outcome |
//! ward` gives shares or means with intervals, and a [`Contrast`] such as `outcome=yes | ward: A - B` compares them
//! ([`Table::read`], [`Table::contrast`]). The same can be read from a stored document.
//!
//! # Mechanisms
//!
//! | mechanism | what it does |
//! |---|---|
//! | **for use** | |
//! | [`Lattice`](posterity_core::mechanism::Lattice) | noise that moves records between categories; the default |
//! | [`Simplex`](posterity_core::mechanism::Simplex) | the same noise onto possible counts only, for few records; nearer to the truth |
//! | [`Optimal`](posterity_core::mechanism::Optimal) | the least mean distance of all mechanisms onto possible counts, for very few records |
//! | [`Geometric`](posterity_core::mechanism::Geometric) | two-sided geometric noise on all counts but the last |
//! | **of the research, private** | |
//! | [`Lszhang`](posterity_core::mechanism::Lszhang), [`Lsdim`](posterity_core::mechanism::Lsdim), [`Lshist`](posterity_core::mechanism::Lshist) | floored Laplace noise on counts |
//! | [`Ehd`](posterity_core::mechanism::Ehd), [`Ehds`](posterity_core::mechanism::Ehds) | exponential mechanisms scored by Hellinger distance |
//! | **of the research, not private** | |
//! | [`Ehdl`](posterity_core::mechanism::Ehdl), [`Mh`](posterity_core::mechanism::Mh) | benchmarks; private only with a [`Certificate`] or a tight scale |
//!
//! Each can be written as text, such as `tight(ehds(gamma=0.5))`, and read as a [`Spec`].
//!
//! # Before a release
//!
//! The crate `posterity-advice` says without data which mechanism to choose, how wide intervals will be, which epsilon
//! is enough and what a mechanism really loses. The mathematics is the crate `posterity-core`.
//!
//! # What is public
//!
//! The categories, the number of records, the prior and all other [`Terms`] are public and must not be chosen by
//! looking at the data. No error and no `Debug` form shows a private count.
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `data` (default) | counting records of CSV, JSON, Parquet, Arrow and SQLite files |
//! | `arrow` | counting Arrow arrays in memory |
//! | `postgres` | counting tables of a PostgreSQL server |
//! | `cluster` | counting on a Ballista cluster, which is a large dependency |
//!
//! The folder `examples` of this crate has programs for a release and a budget.

// Modules that are hidden here hold text helpers that the other crates of this project share with this one. They are below
// all of them and need a room that all know; users need none of them.
mod about;
mod agreed;
mod ask;
#[cfg(feature = "data")]
pub mod batch;
#[cfg(feature = "data")]
mod blame;
mod certificate;
mod charging;
mod differences;
mod digest;
mod facts;
#[doc(hidden)]
pub mod hexadecimal;
#[doc(hidden)]
pub mod hidden;
#[doc(hidden)]
pub mod json;
#[macro_use]
mod kind;
mod known_name;
#[cfg(feature = "data")]
mod known_source;
mod lazy;
pub mod meaning;
#[doc(hidden)]
pub mod new_file;
#[doc(hidden)]
pub mod number;
mod paper;
#[cfg(feature = "data")]
mod part;
#[cfg(feature = "data")]
pub mod plan;
mod private_data;
mod provenance;
mod publish_error;
mod publisher;
mod question;
mod randomness;
mod release;
mod signature;
mod strict_json;
mod system_bits;
pub mod table;
mod terms;
#[doc(hidden)]
pub mod text_file;
mod till;
pub mod verification;

pub use about::About;
pub use ask::Ask;
pub use certificate::{Certificate, CertificateError};
pub use kind::Publication;
pub use kind::table::Table;
pub use private_data::{CountedError, Data, NameError, NamesError};
pub use provenance::Provenance;
pub use publish_error::PublishError;
pub use publisher::{ChargedPublisher, Publisher};
pub use randomness::Randomness;
pub use release::{Experiment, Payment, Release};
pub use system_bits::SystemBits;
pub use table::{Contrast, Contrasted, Reader, Reading, ReadingError, ReadingTable};
pub use terms::{AUDIT_LIMIT, Request, Terms, TermsError};

pub use posterity_core::decode::Decoder;
pub use posterity_core::mechanism::{Spec, SpecError};
pub use posterity_core::model::{
    Adjacency, Categories, Counts, Drawn, Epsilon, Prior, Released, StatedPrior,
};
pub use posterity_ledger::{Amount, Ledger, LedgerError, Unit};

/// Counting records of files and tables.
#[cfg(feature = "data")]
pub use posterity_count as data;
/// Accounts of privacy budgets, with a history that can be verified.
pub use posterity_ledger as ledger;
/// All that is published of a release; unless another kind is named, of a posterior over declared categories. See
/// [`document::Document`].
pub type Document<K = Table> = paper::Document<K>;

/// Tables of many columns: every pair or triple of them, released together.
pub mod margins {
    /// Rows fitted to such a release.
    pub use posterity_margins::rows as fitting;

    pub use crate::kind::margins::{
        DrawnMargins, FittedRows, Margins, MarginsDocument, MarginsError, MarginsRequest, MarginsTerms,
        RowsError, TablesOfSize, WeightedSet, Which,
    };
    #[cfg(feature = "data")]
    pub use crate::kind::margins::{MarginsData, MarginsPublisher, PlannedMargins};
}

/// Categories that nobody declared: the values of a column that occur often enough, with their counts.
pub mod discovery {
    pub use crate::kind::discovered::{
        Discovered, DiscoveredDocument, DiscoveryError, DiscoveryRequest, DiscoveryTerms, DrawnValues,
        NotShown,
    };
    #[cfg(feature = "data")]
    pub use crate::kind::discovered::{Discovery, ValueData};
}

/// Who pays for a release, and where its randomness comes from.
pub mod paying {
    pub use crate::charging::{Payer, charge_for};
    pub use crate::till::{LedgerAccount, Till, TillError};
}

/// Keys that sign documents, and what they signed.
pub mod signing {
    pub use crate::signature::{PublicKey, SecretKey, Signature, SignatureError};
}

/// The release document and its parts.
pub mod document {
    pub use posterity_core::model::Adjacency;

    pub use crate::about::AboutColumn;
    pub use crate::agreed::Agreed;
    pub use crate::kind::table::{Effective, NoiseAwareSummary, Posterior, TableRequest};
    pub use crate::lazy::Lazy;
    pub use crate::paper::{
        Document, DocumentError, FORMAT, GuaranteeStatement, Kind, LoadError, Promise, Promised,
    };
}
