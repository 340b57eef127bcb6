//! The kinds of failures that programs tell apart, and what each error is to them.

use posterity::data::DataError;
use posterity::discovery::DiscoveryError;
use posterity::meaning::LargeDelta;
use posterity::plan::Blame;
use posterity::{CertificateError, LedgerError, PublishError, TermsError};
use posterity_core::audit::AuditError;
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::{FitError, private};

use crate::remedy::Remedy;

/// The kinds of failures: an exception of Python, or a class of conditions of R, for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An argument is wrong.
    Argument,
    /// The data cannot be counted.
    Data,
    /// The release would not be private.
    Privacy,
    /// The ledger cannot be used.
    Ledger,
    /// The account has not enough left.
    Budget,
    /// A document is not what it says.
    Verification,
    /// The question is too large to be answered exactly.
    Size,
    /// Anything else.
    Other,
}

/// A failure as a program tells it: its kind, and a sentence with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// The sentence.
    pub text: String,
}

/// How a language writes what messages advise.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// An argument with its value, such as `again=True`.
    pub given: fn(&str, &str) -> String,
    /// What is true.
    pub yes: &'static str,
    /// What stands where nothing is given.
    pub nothing: &'static str,
    /// How a ledger is created.
    pub create_ledger: &'static str,
    /// How an account is created.
    pub create_account: &'static str,
    /// How the history of an account is seen.
    pub history: &'static str,
}

/// The name of an argument in a language whose names have no dashes.
fn keyword(name: &str) -> String {
    name.replace('-', "_")
}

impl Fault {
    /// A failure of a kind.
    pub fn new(kind: FaultKind, text: impl ToString) -> Self {
        Self { kind, text: text.to_string() }
    }

    /// An error of the data.
    ///
    /// ```
    /// use posterity::data::DataError;
    /// use posterity_present::{Fault, FaultKind};
    /// let fault = Fault::data(&DataError::NoRecords);
    /// assert_eq!(fault.kind, FaultKind::Data);
    /// assert!(fault.text.ends_with("(where); nothing was charged or released"));
    /// ```
    #[must_use]
    pub fn data(error: &DataError) -> Self {
        let blame = Blame::data(error);
        let text = blame.told(error, keyword);
        match blame {
            Blame::Argument(_) => Self::new(FaultKind::Argument, text),
            Blame::Other(_) => Self::new(FaultKind::Data, format!("{text}; nothing was charged or released")),
        }
    }

    /// An error of public terms.
    #[must_use]
    pub fn terms(error: &TermsError) -> Self {
        match error {
            TermsError::Calibration(error) => Self::calibration(error),
            _ => Self::blamed(Blame::terms(error), error),
        }
    }

    /// An error of a mechanism.
    #[must_use]
    pub fn calibration(error: &CalibrationError) -> Self {
        match error {
            CalibrationError::Audit(AuditError::TooLarge { .. })
            | CalibrationError::Fit(FitError::TooLarge { .. }) => Self::new(FaultKind::Size, error),
            CalibrationError::Fit(FitError::PublishedConstant(_)) => Self::new(FaultKind::Privacy, error),
            _ => Self::blamed(Blame::calibration(error), error),
        }
    }

    /// An error of a certificate.
    #[must_use]
    pub fn certificate(error: &CertificateError) -> Self {
        Self::new(FaultKind::Privacy, format!("certificate: {error}; nothing was released"))
    }

    /// An error of a release.
    #[must_use]
    pub fn publish(error: &PublishError, words: &Words) -> Self {
        match error {
            PublishError::Unproven { mechanism, .. } => {
                let tight = (words.given)("mechanism", &format!("\"tight({mechanism})\""));
                let not_private = (words.given)("not_private", words.yes);
                Self::new(
                    FaultKind::Privacy,
                    format!(
                        "{error}; nothing was released. Choose another mechanism ({}), calibrate it by audit with {tight}, cite an \
                         audit with certificate, or pass {not_private} to release {mechanism} as an experiment",
                        private()
                    ),
                )
            }
            PublishError::LargeDelta(error) => Self::large_delta(error, words),
            PublishError::Discovery(error) => Self::discovery(error, words),
            PublishError::Terms(error) => Self::terms(error),
            PublishError::Ledger(error) => Self::ledger(error, words),
            PublishError::StoredDocument => Self::new(FaultKind::Ledger, error),
            PublishError::Calibration(error) => Self::calibration(error),
            PublishError::Certificate(error) => Self::certificate(error),
            _ => Self::blamed(Blame::publish(error), error),
        }
    }

    /// A delta that is so large that it must be stated that it is meant.
    #[must_use]
    pub fn large_delta(error: &LargeDelta, words: &Words) -> Self {
        let allowed = (words.given)("allow_large_delta", words.yes);
        Self::new(FaultKind::Argument, format!("delta: {error} ({allowed}); nothing was charged or released"))
    }

    /// An error of a discovery of categories.
    #[must_use]
    pub fn discovery(error: &DiscoveryError, words: &Words) -> Self {
        let wrong = |argument: &str| Self::new(FaultKind::Argument, format!("{argument}: {error}"));
        match error {
            DiscoveryError::NoUnit => {
                let stated = (words.given)("one_record_per_person", words.yes);
                Self::new(FaultKind::Argument, format!("unit: {error} (unit, or {stated})"))
            }
            DiscoveryError::SeveralRecords => wrong("per_unit"),
            DiscoveryError::Columns { .. } => wrong("column"),
            DiscoveryError::Threshold(_) => wrong("delta"),
            DiscoveryError::Level(_) => wrong("level"),
            // The parts of a question that have no meaning are refused by name before.
            _ => Self::new(FaultKind::Other, error),
        }
    }

    /// An error of an audit.
    #[must_use]
    pub fn audit(error: &AuditError) -> Self {
        match error {
            AuditError::TooLarge { .. } => Self::new(
                FaultKind::Size,
                format!("{error} (max_probabilities). release and advise do not need an audit"),
            ),
            _ => Self::new(FaultKind::Other, error),
        }
    }

    /// An error of a ledger.
    #[must_use]
    pub fn ledger(error: &LedgerError, words: &Words) -> Self {
        let remedy = match Remedy::of(error) {
            Some(Remedy::CreateLedger) => format!(" ({})", words.create_ledger),
            Some(Remedy::CreateAccount) => format!(" ({})", words.create_account),
            Some(Remedy::History) => format!(" ({})", words.history),
            None => String::new(),
        };
        let blame = Blame::ledger(error);
        let text = blame.told(format!("{error}{remedy}"), keyword);
        match (error, blame) {
            (LedgerError::Exceeded(_), _) => Self::new(FaultKind::Budget, text),
            (_, Blame::Argument(_)) => Self::new(FaultKind::Argument, text),
            (_, Blame::Other(_)) => Self::new(FaultKind::Ledger, text),
        }
    }

    /// A wrong argument, or something else that has no kind of its own.
    fn blamed(blame: Blame, error: impl ToString) -> Self {
        let text = blame.told(error, keyword);
        match blame {
            Blame::Argument(_) => Self::new(FaultKind::Argument, text),
            Blame::Other(_) => Self::new(FaultKind::Other, text),
        }
    }
}
