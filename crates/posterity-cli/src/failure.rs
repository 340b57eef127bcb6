//! How the command ends when it does not succeed.

use std::fmt::Display;

use posterity::ledger::LedgerError;
use posterity_plot::PlotError;

use crate::notice::error;

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments make no sense together: exit code 2.
    Usage(String),
    /// The arguments are fine, and the answer is no: exit code 1.
    Refused(String),
    /// The reader of standard output is gone, as behind `| head`: the command ends without a message.
    Closed,
}

impl Failure {
    /// An argument that is wrong, and why.
    pub(crate) fn usage(argument: &str, why: impl Display) -> Self {
        Self::Usage(format!("{argument}: {why}"))
    }

    /// Something that cannot be done, or must not be.
    pub(crate) fn refused(why: impl Display) -> Self {
        Self::Refused(why.to_string())
    }

    /// An account that cannot be used. A name that is wrong is a wrong argument; all else is about the ledger's file.
    pub(crate) fn account(error: LedgerError) -> Self {
        match error {
            LedgerError::UnknownAccount { .. } | LedgerError::EmptyName | LedgerError::BadName { .. } => {
                Self::usage("--account", error)
            }
            other => Self::refused(other),
        }
    }

    /// A picture that cannot be made.
    pub(crate) fn plot(error: PlotError) -> Self {
        Self::Refused(format!("--plot: {error}"))
    }

    /// Says why there is no result on standard error, and returns the exit code.
    pub(crate) fn report(self) -> u8 {
        let (message, code) = match self {
            Self::Closed => return 0,
            Self::Usage(message) => (message, 2),
            Self::Refused(message) => (message, 1),
        };
        error(message);
        if code == 2 {
            eprintln!("\nFor more information, try '--help'.");
        }
        code
    }
}

/// Writing to standard output failed.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::refused(format!("the result could not be written: {error}"))
    }
}
