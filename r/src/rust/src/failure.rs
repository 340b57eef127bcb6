//! The one mapping from errors to conditions of R.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use extendr_api::prelude::*;
use posterity::data::DataError;
use posterity::ledger::{HeadError, LedgerError};
use posterity::paying::TillError;
use posterity::{CertificateError, PublishError, TermsError};
use posterity_advice::design::DesignError;
use posterity_advice::least::LeastError;
use posterity_advice::{AdviceError, ComparisonError, InspectionError};
use posterity_core::accuracy::DecodedError;
use posterity_core::audit::AuditError;
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::LawError;
use posterity_core::sampler::SourceError;
use posterity_plot::PlotError;
use posterity_present::state::StateError;
use posterity_present::{Fault, FaultKind, NoThread, Words};
use posterity_study::{CarryOutError, NotVerified};

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something that the caller can do otherwise.
    Told(Fault),
    /// A document, or the results of a study, are not what they say: each difference.
    NotVerified(Fault, Vec<String>),
    /// A mistake in Posterity itself.
    Internal(&'static str),
    /// The user pressed Ctrl-C.
    Interrupted,
    /// R has no more time for the call, in its words.
    Ended(String),
}

/// A panic, which is not described further: its message may quote what was being read.
pub(crate) const UNFORESEEN: Failure = Failure::Internal(
    "posterity failed in a way that was not foreseen, which is a mistake in posterity and not in what you asked; if a ledger \
     was given, its history says whether something was charged",
);

/// How R writes what messages advise.
pub(crate) const WORDS: Words = Words {
    given: |name, value| format!("{name} = {value}"),
    yes: "TRUE",
    nothing: "NULL",
    create_ledger: "ledger(path, create = TRUE)",
    create_account: "create_account",
    history: "history",
};

impl Failure {
    /// An argument that is wrong, and why.
    pub(crate) fn argument(argument: &str, why: impl ToString) -> Self {
        Self::Told(Fault::argument(argument, why))
    }

    /// What is verified is not what it says.
    pub(crate) fn not_verified(error: &NotVerified) -> Self {
        Self::NotVerified(error.fault(&WORDS), error.differences())
    }

    /// A failure that has no kind of its own.
    pub(crate) fn other(text: impl ToString) -> Self {
        Self::Told(Fault::new(FaultKind::Other, text))
    }

    /// The kind, which is part of the name of the condition's class, and the sentence.
    fn condition(&self) -> (&'static str, &str) {
        match self {
            Self::Told(fault) | Self::NotVerified(fault, _) => (word(fault.kind), &fault.text),
            Self::Internal(what) => ("internal", what),
            Self::Interrupted => ("interrupt", ""),
            Self::Ended(why) => ("limit", why),
        }
    }
}

fn word(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Argument => "argument",
        FaultKind::Data => "data",
        FaultKind::Privacy => "privacy",
        FaultKind::Ledger => "ledger",
        FaultKind::Budget => "budget",
        FaultKind::Verification => "verification",
        FaultKind::Size => "size",
        FaultKind::Other => "other",
    }
}

/// Answers a call of R: with a value, or with a failure that R code raises. A panic quotes nothing.
pub(crate) fn answered(work: impl FnOnce() -> Result<Robj, Failure>) -> Robj {
    set_hook(Box::new(|_| ()));
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => failure,
        Err(_) => UNFORESEEN,
    };
    let (kind, message) = failure.condition();
    let differences =
        if let Failure::NotVerified(_, all) = &failure { all.clone().into() } else { Robj::default() };
    let mut told = List::from_pairs([
        ("kind", Robj::from(kind)),
        ("message", Robj::from(message)),
        ("differences", differences),
    ]);
    // A class that cannot be set leaves a list, which R code takes for a failure of its own.
    let _ = told.set_class(["posterity_failure"]);
    told.into()
}

/// Errors whose kind is known to all fronts.
macro_rules! faults {
    ($($error:ty => $told:expr;)*) => {
        $(
            impl From<$error> for Failure {
                fn from(error: $error) -> Self {
                    let told: fn(&$error) -> Fault = $told;
                    Self::Told(told(&error))
                }
            }
        )*
    };
}

faults! {
    DataError => Fault::data;
    TermsError => Fault::terms;
    CalibrationError => Fault::calibration;
    CertificateError => Fault::certificate;
    PublishError => |error| Fault::publish(error, &WORDS);
    LedgerError => |error| Fault::ledger(error, &WORDS);
    HeadError => |error| Fault::new(FaultKind::Argument, format!("head: {error}"));
    SourceError => |error| Fault::new(FaultKind::Other, error);
    PlotError => |error| Fault::new(FaultKind::Other, error);
    CarryOutError => |error| error.fault(&WORDS);
    AdviceError => advice;
    LeastError => |error| about(error.argument(), error);
    DesignError => |error| about(error.argument(), error);
    ComparisonError => comparison;
    InspectionError => inspection;
    AuditError => Fault::audit;
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Told(fault)
    }
}

impl From<TillError> for Failure {
    fn from(error: TillError) -> Self {
        match error {
            TillError::Ledger(error) => error.into(),
            other => Self::argument("seed", other),
        }
    }
}

impl From<StateError> for Failure {
    fn from(_: StateError) -> Self {
        Self::other(
            "the release cannot be read by this version; make it again, or load its document with load_release",
        )
    }
}

impl From<NoThread> for Failure {
    fn from(_: NoThread) -> Self {
        Self::Internal("no thread could be started; please report this")
    }
}

fn advice(error: &AdviceError) -> Fault {
    match error {
        AdviceError::Comparison(error) => comparison(error),
        _ => about(error.argument(), error),
    }
}

/// An error about an argument, or about none.
fn about(argument: Option<&str>, error: impl ToString) -> Fault {
    match argument {
        Some(argument) => Fault::new(FaultKind::Argument, format!("{argument}: {}", error.to_string())),
        None => Fault::new(FaultKind::Other, error),
    }
}

fn comparison(error: &ComparisonError) -> Fault {
    match error {
        ComparisonError::Mechanism(error) => Fault::calibration(error),
        ComparisonError::AllLeftOut { .. } => {
            Fault::new(FaultKind::Size, format!("{error} (max_outcomes); simulate with runs = 1000"))
        }
        ComparisonError::LimitMetric { .. } | ComparisonError::Limit(_) | ComparisonError::NoLimit => {
            Fault::new(FaultKind::Argument, format!("limit: {error}"))
        }
        ComparisonError::Decoded(DecodedError::TooLarge(error)) => Fault::audit(error),
        _ => Fault::new(FaultKind::Other, error),
    }
}

fn inspection(error: &InspectionError) -> Fault {
    match error {
        InspectionError::Mechanism(error) => Fault::calibration(error),
        InspectionError::Law(LawError::TooLarge { .. }) => Fault::new(
            FaultKind::Size,
            format!("{error} (max_outcomes). release draws from the same law without listing it"),
        ),
        InspectionError::TooManyToDecode { .. } => Fault::new(
            FaultKind::Size,
            format!(
                "{error}. Take them as they are with decode = \"none\", or see compare, which decodes the likely ones"
            ),
        ),
        InspectionError::Decode(_) => about(Some("decode"), error),
        InspectionError::Prior(_) => about(Some("prior"), error),
        _ => Fault::new(FaultKind::Other, error),
    }
}
