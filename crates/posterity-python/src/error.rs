//! The one mapping from errors to exceptions.

use posterity::data::DataError;
use posterity::ledger::{HeadError, LedgerError};
use posterity::paying::TillError;
use posterity::text_file::TextFileError;
use posterity::verification::VerificationError;
use posterity::{CertificateError, PublishError, TermsError};
use posterity_advice::least::LeastError;
use posterity_advice::{AdviceError, ComparisonError, InspectionError};
use posterity_core::accuracy::DecodedError;
use posterity_core::audit::AuditError;
use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::DecodeError;
use posterity_core::mechanism::LawError;
use posterity_core::sampler::SourceError;
use posterity_plot::PlotError;
use posterity_present::{Fault, FaultKind, Words, state};
use posterity_study::{CarryOutError, NotVerified};
use pyo3::exceptions::PyException;
use pyo3::{PyErr, Python};
use thiserror::Error;

/// The exceptions, which Python declares because some have two bases.
mod exceptions {
    pyo3::import_exception!(posterity._errors, ArgumentError);
    pyo3::import_exception!(posterity._errors, BudgetError);
    pyo3::import_exception!(posterity._errors, DataError);
    pyo3::import_exception!(posterity._errors, InternalError);
    pyo3::import_exception!(posterity._errors, LedgerError);
    pyo3::import_exception!(posterity._errors, PackageError);
    pyo3::import_exception!(posterity._errors, PosterityError);
    pyo3::import_exception!(posterity._errors, PrivacyError);
    pyo3::import_exception!(posterity._errors, SizeError);
    pyo3::import_exception!(posterity._errors, UnknownNameError);
    pyo3::import_exception!(posterity._errors, VerificationError);
}

/// Everything that can go wrong.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("{argument}: {why}")]
    Argument { argument: &'static str, why: String },
    /// A name that there is not, in an argument.
    #[error("{argument}: {why}")]
    Unknown { argument: &'static str, why: String },
    #[error(transparent)]
    Data(#[from] DataError),
    /// The object that holds the data failed while it was read. Carries no exception of that object, because those quote
    /// values.
    #[error(
        "the data could not be read: its {what} failed; go through it once without posterity to see why, or read it into a list \
         first; nothing was charged or released"
    )]
    Unreadable { what: &'static str },
    /// What another library handed over is not what it says. Carries no error of that library, because those quote
    /// values.
    #[error(
        "the data is no valid Arrow data; make it again with the library that it comes from; nothing was charged or released"
    )]
    Arrow,
    /// A library could not make Arrow data of its own. Carries no error of that library, because those quote values.
    #[error(
        "the data cannot be converted to Arrow by the library that it comes from; a column of mixed types must first become one \
         of one type, such as df[\"a\"].astype(\"string\"); nothing was charged or released"
    )]
    Conversion,
    /// The column has a type that cannot be skipped.
    #[error("column {column:?} is of type {kind}, which is not read here; leave the column out")]
    UnreadColumn { column: String, kind: String },
    /// A table that another package would be needed for.
    #[error("reading this DataFrame needs the package pyarrow; install it with `pip install pyarrow`")]
    NeedsArrow,
    /// A table of which only the names of columns could be seen.
    #[error(
        "data: this table does not offer the Arrow interface (__arrow_c_stream__); give a DataFrame of pandas 2.2 or newer or of \
         Polars, or a pyarrow Table"
    )]
    NoInterface,
    #[error(transparent)]
    Study(Box<CarryOutError>),
    #[error("certificate: {0}")]
    CertificateFile(TextFileError),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Head(#[from] HeadError),
    #[error(transparent)]
    NotVerified(Box<NotVerified>),
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    #[error(transparent)]
    Advice(#[from] AdviceError),
    #[error(transparent)]
    Least(#[from] LeastError),
    #[error(transparent)]
    Design(posterity_advice::design::DesignError),
    #[error(transparent)]
    Inspection(#[from] InspectionError),
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Decode(#[from] DecodeError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A panic, which is not described further: its message may quote what was being read.
    #[error(
        "posterity failed in a way that was not foreseen, which is a mistake in posterity and not in what you asked; if a ledger \
         was given, its history says whether something was charged"
    )]
    Unforeseen,
    /// Something that should not happen.
    #[error("{what}; please report this")]
    Internal { what: &'static str },
    /// What is wrong with a plan, as all programs tell it.
    #[error("{}", .0.text)]
    Told(Fault),
    /// An exception that Python raised.
    #[error("{0}")]
    Python(#[from] PyErr),
}

impl Failure {
    /// What holds the data failed, unless the exception is Ctrl-C or the end of the program.
    pub(crate) fn unreadable(py: Python<'_>, what: &'static str, error: PyErr) -> Self {
        if error.is_instance_of::<PyException>(py) { Self::Unreadable { what } } else { Self::Python(error) }
    }

    /// An argument that is wrong, and why.
    pub(crate) fn argument(argument: &'static str, why: impl ToString) -> Self {
        Self::Argument { argument, why: why.to_string() }
    }
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

impl From<state::StateError> for Failure {
    fn from(_: state::StateError) -> Self {
        Self::Internal { what: "the stored release cannot be read by this version" }
    }
}

impl From<NotVerified> for Failure {
    fn from(error: NotVerified) -> Self {
        Self::NotVerified(Box::new(error))
    }
}

impl From<VerificationError> for Failure {
    fn from(error: VerificationError) -> Self {
        NotVerified::Document { name: None, error }.into()
    }
}

impl From<CarryOutError> for Failure {
    fn from(error: CarryOutError) -> Self {
        Self::Study(Box::new(error))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let text = failure.to_string();
        match failure {
            Failure::Argument { .. } | Failure::NoInterface => exceptions::ArgumentError::new_err(text),
            Failure::Unknown { .. } => exceptions::UnknownNameError::new_err(text),
            Failure::Data(error) => data(&error),
            Failure::Unreadable { .. }
            | Failure::Arrow
            | Failure::Conversion
            | Failure::UnreadColumn { .. } => exceptions::DataError::new_err(text),
            Failure::NeedsArrow => exceptions::PackageError::new_err(text),
            Failure::Study(error) => raised(error.fault(&WORDS)),
            Failure::CertificateFile(_) => exceptions::PosterityError::new_err(text),
            Failure::Terms(error) => raised(Fault::terms(&error)),
            Failure::Calibration(error) => raised(Fault::calibration(&error)),
            Failure::Publish(error) => raised(Fault::publish(&error, &WORDS)),
            Failure::Certificate(error) => raised(Fault::certificate(&error)),
            Failure::Ledger(error) => raised(Fault::ledger(&error, &WORDS)),
            Failure::Head(_) => exceptions::ArgumentError::new_err(format!("head: {text}")),
            Failure::NotVerified(error) => not_verified(&error),
            Failure::Comparison(error) => comparison(&error),
            Failure::Advice(AdviceError::Comparison(error)) => comparison(&error),
            Failure::Advice(error) => about(error.argument(), &text),
            Failure::Least(error) => about(error.argument(), &text),
            Failure::Design(_) => exceptions::PosterityError::new_err(text),
            Failure::Inspection(error) => match &error {
                InspectionError::Mechanism(error) => raised(Fault::calibration(error)),
                InspectionError::Law(LawError::TooLarge { .. }) => exceptions::SizeError::new_err(format!(
                    "{text} (max_outcomes). release draws from the same law without listing it"
                )),
                InspectionError::TooManyToDecode { .. } => exceptions::SizeError::new_err(format!(
                    "{text}. Take them as they are with decode=\"none\", or see compare_mechanisms, which decodes the likely ones"
                )),
                InspectionError::Decode(_) => exceptions::ArgumentError::new_err(format!("decode: {text}")),
                InspectionError::Prior(_) => exceptions::ArgumentError::new_err(format!("prior: {text}")),
                _ => exceptions::PosterityError::new_err(text),
            },
            Failure::Audit(error) => raised(Fault::audit(&error)),
            Failure::Decode(DecodeError::NoEvidence { .. }) => {
                exceptions::ArgumentError::new_err(format!("decode: {text}"))
            }
            Failure::Decode(_) | Failure::Source(_) | Failure::Plot(_) => {
                exceptions::PosterityError::new_err(text)
            }
            Failure::Unforeseen | Failure::Internal { .. } => exceptions::InternalError::new_err(text),
            Failure::Told(fault) => raised(fault),
            Failure::Python(error) => error,
        }
    }
}

/// How Python writes what messages advise.
pub(crate) const WORDS: Words = Words {
    given: |name, value| format!("{name}={value}"),
    yes: "True",
    nothing: "None",
    create_ledger: "Ledger(path, create=True)",
    create_account: "Ledger.create_account",
    history: "Ledger.history",
};

/// The exception of a kind of failures.
fn raised(fault: Fault) -> PyErr {
    let text = fault.text;
    match fault.kind {
        FaultKind::Argument => exceptions::ArgumentError::new_err(text),
        FaultKind::Data => exceptions::DataError::new_err(text),
        FaultKind::Privacy => exceptions::PrivacyError::new_err(text),
        FaultKind::Ledger => exceptions::LedgerError::new_err(text),
        FaultKind::Budget => exceptions::BudgetError::new_err(text),
        FaultKind::Verification => exceptions::VerificationError::new_err(text),
        FaultKind::Size => exceptions::SizeError::new_err(text),
        FaultKind::Other => exceptions::PosterityError::new_err(text),
    }
}

/// The exception of what is not what it says, with each difference.
fn not_verified(error: &NotVerified) -> PyErr {
    let fault = error.fault(&WORDS);
    match fault.kind {
        FaultKind::Verification => exceptions::VerificationError::new_err((fault.text, error.differences())),
        _ => raised(fault),
    }
}

/// An error of the data.
fn data(error: &DataError) -> PyErr {
    raised(Fault::data(error))
}

/// The exception of an error about an argument, or about none.
fn about(argument: Option<&str>, text: &str) -> PyErr {
    match argument {
        Some(argument) => exceptions::ArgumentError::new_err(format!("{argument}: {text}")),
        None => exceptions::PosterityError::new_err(text.to_owned()),
    }
}

fn comparison(error: &ComparisonError) -> PyErr {
    let text = error.to_string();
    match error {
        ComparisonError::Mechanism(error) => raised(Fault::calibration(error)),
        ComparisonError::LimitMetric { .. } | ComparisonError::Limit(_) | ComparisonError::NoLimit => {
            exceptions::ArgumentError::new_err(format!("limit: {text}"))
        }
        ComparisonError::AllLeftOut { .. } => {
            exceptions::SizeError::new_err(format!("{text} (max_outcomes); simulate with runs=1000"))
        }
        ComparisonError::Decoded(DecodedError::TooLarge(error)) => raised(Fault::audit(error)),
        _ => exceptions::PosterityError::new_err(text),
    }
}
