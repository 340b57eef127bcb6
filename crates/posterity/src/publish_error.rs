//! Why nothing was released.

use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::DecodeError;
use posterity_core::mechanism::ReleaseError;
use posterity_core::model::LevelError;
use posterity_core::sampler::SourceError;
use posterity_ledger::LedgerError;
use thiserror::Error;

use crate::certificate::CertificateError;
use crate::meaning::LargeDelta;
use crate::table::ReadingError;
use crate::terms::TermsError;

/// Why nothing was released. It says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PublishError {
    /// The mechanism promises nothing, and that was not asked for.
    #[error("{mechanism} has no proven privacy guarantee, because {reason}")]
    Unproven {
        /// The mechanism.
        mechanism: &'static str,
        /// Why nothing is proven.
        reason: &'static str,
    },
    /// The delta is so large that it is refused unless it is stated that it is meant.
    #[error(transparent)]
    LargeDelta(#[from] LargeDelta),
    /// The records that stand for their units were drawn from a seed.
    #[error(
        "the records of units were drawn from a seed, which anyone can repeat; release with that seed, or count again without one"
    )]
    SeededData,
    /// The name of data in memory stood for other data.
    #[error(
        "this name stood for other data before, whose release would be given back; choose another name, or set \
         `again` to draw and pay anew"
    )]
    OtherData,
    /// The public terms do not go together, or not with the data.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// The ledger refused or failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A document in the ledger cannot be read by this version.
    #[error("the stored release cannot be read by this version; ask for a new one, which is charged")]
    StoredDocument,
    /// The decoder cannot be used with the mechanism, or failed.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// There is no such mechanism, or no tight calibration of it.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The certificate cannot be used for this release.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// The interval level is not a probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// A reading that is asked for cannot be read from such a release.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// Categories cannot be discovered in this way.
    #[error(transparent)]
    Discovery(#[from] crate::kind::discovered::DiscoveryError),
    /// Tables of many columns cannot be released in this way.
    #[error(transparent)]
    Margins(#[from] crate::kind::margins::MarginsError),
    /// The values of a column could not be read again from where they were kept.
    #[error("{0}")]
    Values(String),
    /// The draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}

impl From<SourceError> for PublishError {
    fn from(error: SourceError) -> Self {
        Self::Release(error.into())
    }
}
