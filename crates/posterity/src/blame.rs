//! Which argument an error is about. They are named as the fields of a plan are, or as the flags of what is no part of one.

use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::DecodeError;
use posterity_core::mechanism::FitError;
use posterity_count::{ColumnHint, DataError, PostgresFault, ReadError};
use posterity_ledger::LedgerError;

use crate::kind::margins::MarginsError;
use crate::publish_error::PublishError;
use crate::table::ReadingError;
use crate::terms::TermsError;

/// The arguments that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// An argument is wrong: the one that is named, or one of several.
    Argument(&'static [&'static str]),
    /// The data, or the ledger, does not go with what was asked. These arguments, if any, can change that.
    Other(&'static [&'static str]),
}

impl Blame {
    /// Whom an error of the data is about.
    ///
    /// ```
    /// use posterity::data::{DataError, ReadError};
    /// use posterity::plan::Blame;
    /// assert_eq!(Blame::data(&DataError::NoRecords), Blame::Other(&["where"]));
    /// ```
    #[must_use]
    pub fn data(error: &DataError) -> Self {
        match error {
            // The filter is valid, but cannot be applied to some record.
            DataError::Filter { error, .. } if error.is_about_a_record() => Self::Other(&["where"]),
            DataError::Filter { .. } => Self::Argument(&["where"]),
            DataError::Within { error, .. } if error.is_about_a_record() => Self::Other(&["within"]),
            DataError::Within { .. } => Self::Argument(&["within"]),
            DataError::Cells(_) => Self::Argument(&["categories"]),
            DataError::Read(ReadError::Delimiter { .. }) => Self::Argument(&["delimiter"]),
            DataError::UnknownColumn { hint: ColumnHint::Delimiter { .. }, .. } => {
                Self::Argument(&["delimiter"])
            }
            DataError::UnknownColumn { .. } => Self::Argument(&["column", "unit"]),
            DataError::SeveralRecords { .. } => Self::Argument(&["per-unit"]),
            DataError::DecimalComma { .. } => Self::Other(&["bins"]),
            DataError::OutsideBins { .. } => Self::Other(&["bins", "other"]),
            DataError::Read(
                ReadError::TableOf { .. }
                | ReadError::NoTable { .. }
                | ReadError::View { .. }
                | ReadError::NotAView { .. },
            ) => Self::Argument(&["table", "view"]),
            DataError::Read(ReadError::ViewUnit) => Self::Argument(&["unit"]),
            DataError::Read(ReadError::Encoded { .. } | ReadError::ByteOrder { .. }) => {
                Self::Argument(&["encoding"])
            }
            DataError::Read(
                ReadError::InputFormat | ReadError::InputOrder { .. } | ReadError::ServerFormat,
            ) => Self::Argument(&["input-format"]),
            DataError::Read(ReadError::Postgres { fault: PostgresFault::NoPassword, .. }) => {
                Self::Other(&["password-file"])
            }
            DataError::Read(
                ReadError::NotUtf8 | ReadError::NotEncoded { .. } | ReadError::IsUtf16 { .. },
            ) => Self::Other(&["encoding"]),
            DataError::Outside { .. } => Self::Other(&["categories", "bins", "other"]),
            DataError::Resembles { .. } => Self::Other(&["aliases", "other"]),
            DataError::Missing { .. } => Self::Other(&["missing", "where"]),
            DataError::Unnamed { .. } => Self::Other(&["column", "bins", "unit"]),
            DataError::Unordered { .. } => Self::Other(&["per-unit"]),
            DataError::MissingUnit { .. } => Self::Other(&["unit", "where"]),
            DataError::Read(ReadError::UnknownFormat { .. }) => Self::Other(&["input-format"]),
            DataError::NoRecords => Self::Other(&["where"]),
            DataError::ClusterUnreachable { .. }
            | DataError::ClusterFormat { .. }
            | DataError::ClusterNumber { .. }
            | DataError::Cluster { .. } => Self::Other(&["cluster"]),
            DataError::ClusterWithin { .. } => Self::Other(&["within", "cluster"]),
            DataError::ClusterAdjacency { .. } => Self::Other(&["adjacency", "cluster"]),
            DataError::ClusterRule { .. } | DataError::ClusterRecord => Self::Other(&["per-unit", "cluster"]),
            _ => Self::Other(&[]),
        }
    }

    /// Whom an error of a ledger is about.
    #[must_use]
    pub fn ledger(error: &LedgerError) -> Self {
        match error {
            LedgerError::UnknownAccount { .. }
            | LedgerError::AccountExists { .. }
            | LedgerError::EmptyName
            | LedgerError::BadName { .. } => Self::Argument(&["account"]),
            LedgerError::ZeroEpsilon { .. } | LedgerError::Amount(_) => Self::Argument(&["epsilon"]),
            LedgerError::LargeDelta { .. } | LedgerError::NotPure { .. } => Self::Argument(&["delta"]),
            LedgerError::Unit(_) | LedgerError::OtherUnit { .. } | LedgerError::UnitDecided { .. } => {
                Self::Argument(&["unit"])
            }
            LedgerError::PublishesN { .. } | LedgerError::NothingUnderReplace { .. } => {
                Self::Other(&["adjacency"])
            }
            LedgerError::BadPopulation { .. } => Self::Argument(&["population"]),
            LedgerError::BadReason { .. } => Self::Argument(&["reason"]),
            LedgerError::SamePeople { .. } => Self::Other(&["reason"]),
            // Everything else is about the file.
            _ => Self::Other(&[]),
        }
    }

    /// Whom an error of public terms is about.
    #[must_use]
    pub fn terms(error: &TermsError) -> Self {
        match error {
            TermsError::Prior(_) | TermsError::PriorMass { .. } => Self::Argument(&["prior"]),
            TermsError::Decoder { .. } => Self::Argument(&["decode"]),
            TermsError::PrivateN => Self::Argument(&["adjacency"]),
            TermsError::UnknownCategories => Self::Argument(&["k"]),
            TermsError::Records(_) => Self::Argument(&["n"]),
            TermsError::Calibration(error) => Self::calibration(error),
        }
    }

    /// Whom an error of a mechanism is about.
    #[must_use]
    pub fn calibration(error: &CalibrationError) -> Self {
        match error {
            CalibrationError::Fit(FitError::AutoGamma | FitError::PublicN { .. }) => {
                Self::Argument(&["mechanism"])
            }
            CalibrationError::SmallBudget { .. } => Self::Argument(&["epsilon"]),
            _ => Self::Other(&[]),
        }
    }

    /// Whom an error of a release is about.
    #[must_use]
    pub fn publish(error: &PublishError) -> Self {
        match error {
            PublishError::Terms(error) => Self::terms(error),
            PublishError::Calibration(error) => Self::calibration(error),
            PublishError::Ledger(error) => Self::ledger(error),
            PublishError::SeededData => Self::Argument(&["seed"]),
            PublishError::OtherData => Self::Argument(&["name"]),
            PublishError::LargeDelta(_) => Self::Argument(&["delta"]),
            PublishError::Decode(DecodeError::NoEvidence { .. }) => Self::Argument(&["decode"]),
            PublishError::Level(_) => Self::Argument(&["level"]),
            PublishError::Reading(
                ReadingError::RandomRecords | ReadingError::CredibleRecords | ReadingError::DependentRecords,
            ) => Self::Argument(&["about"]),
            PublishError::Reading(_) => Self::Argument(&["read"]),
            PublishError::Margins(error) => Self::margins(error),
            _ => Self::Other(&[]),
        }
    }

    /// Whom an error of tables of many columns is about.
    fn margins(error: &MarginsError) -> Self {
        Self::Argument(match error {
            MarginsError::Delta => &["delta"],
            MarginsError::SeveralRecords => &["per-unit"],
            MarginsError::Reading(ReadingError::Level(_)) => &["level"],
            MarginsError::Reading(ReadingError::NoCredible) => &["interval-kind"],
            MarginsError::Reading(_) => &["about"],
            MarginsError::Noise(_) | MarginsError::Plan(_) => &["epsilon"],
            _ => &["sets"],
        })
    }

    /// The error as a front tells it: behind the wrong argument, or before those that can change it. `name` writes the
    /// name of an argument.
    ///
    /// ```
    /// use posterity::plan::Blame;
    /// let flag = |name: &str| format!("--{name}");
    /// assert_eq!(Blame::Argument(&["column", "unit"]).told("no", flag), "--column or --unit: no");
    /// assert_eq!(Blame::Other(&["unit", "where"]).told("no", flag), "no (--unit, --where)");
    /// assert_eq!(Blame::Other(&[]).told("no", flag), "no");
    /// ```
    #[must_use]
    pub fn told(self, error: impl ToString, name: impl Fn(&str) -> String) -> String {
        let error = error.to_string();
        let names =
            |all: &[&str], between: &str| all.iter().map(|one| name(one)).collect::<Vec<_>>().join(between);
        match self {
            Self::Argument(wrong) => format!("{}: {error}", names(wrong, " or ")),
            Self::Other([]) => error,
            Self::Other(changed) => format!("{error} ({})", names(changed, ", ")),
        }
    }
}
