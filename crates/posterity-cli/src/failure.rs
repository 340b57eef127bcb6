//! How the command ends when it does not succeed.

use std::fmt::Display;

use posterity::ledger::LedgerError;
use posterity::meaning::LargeDelta;
use posterity::new_file::NewFileError;
use posterity_plot::PlotError;
use posterity_present::{Blame, Remedy};

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments make no sense together: exit code 2.
    Usage(String),
    /// The arguments are fine, and the answer is no: exit code 1.
    Refused(String),
    /// Nothing wrong was found, and not everything was checked, which the result says: exit code 3.
    NotChecked,
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

    /// A delta that is so large that it must be stated that it is meant.
    pub(crate) fn large_delta(error: &LargeDelta) -> Self {
        Self::usage("--delta", format!("{error} (--allow-large-delta)"))
    }

    /// An account that cannot be used: an argument is wrong, or it is about the ledger's file.
    pub(crate) fn account(error: LedgerError) -> Self {
        let said = format!("{error}{}", ledger_command(&error));
        match (Blame::ledger(&error), error) {
            // The name is right, and taken.
            (_, LedgerError::AccountExists { .. }) => Self::Refused(said),
            (blame, _) => Self::blamed(blame, said),
        }
    }

    /// A wrong argument, or something that cannot be done.
    pub(crate) fn blamed(blame: Blame, error: impl ToString) -> Self {
        let said = blame.told(error, |name| format!("--{name}"));
        match blame {
            Blame::Argument(_) => Self::Usage(said),
            Blame::Other(_) => Self::Refused(said),
        }
    }

    /// A ledger that cannot be used, with the command that helps.
    pub(crate) fn ledger(error: LedgerError) -> Self {
        let command = ledger_command(&error);
        Self::refused(format!("{error}{command}"))
    }

    /// A picture that cannot be made.
    pub(crate) fn plot(error: PlotError) -> Self {
        match error {
            PlotError::Exists(error) => not_written("--plot", &error),
            other => Self::Refused(format!("--plot: {other}")),
        }
    }
}

/// What comes of printing something and of drawing it, where neither prevents the other. That nobody reads what was
/// printed is no failure of the picture.
pub(crate) fn both(printed: Result<(), Failure>, drawn: Result<(), Failure>) -> Result<(), Failure> {
    match printed {
        Ok(()) | Err(Failure::Closed) => drawn,
        failed => failed,
    }
}

/// The command that does what the message of an error says to do.
fn ledger_command(error: &LedgerError) -> &'static str {
    match Remedy::of(error) {
        Some(Remedy::CreateLedger | Remedy::CreateAccount) => " (`posterity budget create`)",
        Some(Remedy::History) => " (`posterity budget history`)",
        None => "",
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

/// A file that is not written, with the flag that names it.
pub(crate) fn not_written(flag: &str, error: &NewFileError) -> Failure {
    Failure::refused(format!("{flag}: {}", with_flag(error)))
}

/// The sentence, with the flag that allows what it refuses.
pub(crate) fn with_flag(error: &NewFileError) -> String {
    match error {
        NewFileError::Exists { .. } => format!("{error} (--force)"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(failure: Failure) -> String {
        match failure {
            Failure::Usage(message) | Failure::Refused(message) => message,
            Failure::NotChecked | Failure::Closed => String::new(),
        }
    }

    #[test]
    fn errors_of_a_ledger_name_the_command_that_helps() {
        let path = || std::path::PathBuf::from("a.ledger");
        assert_eq!(
            message(Failure::ledger(LedgerError::Missing { path: path() })),
            "there is no ledger at a.ledger; create one first (`posterity budget create`)"
        );
        assert_eq!(
            message(Failure::ledger(LedgerError::Full { path: path() })),
            "there is no space left for the ledger a.ledger; free some, then see in the history whether the last charge is \
             on file (`posterity budget history`)"
        );
        let unknown = |existing| LedgerError::UnknownAccount { name: "x".into(), existing };
        assert_eq!(
            message(Failure::account(unknown(vec![]))),
            "--account: there is no account \"x\"; the ledger has none yet: create one first (`posterity budget create`)"
        );
        assert_eq!(
            message(Failure::account(unknown(vec!["y".into()]))),
            "--account: there is no account \"x\"; choose one of \"y\""
        );
    }
}
