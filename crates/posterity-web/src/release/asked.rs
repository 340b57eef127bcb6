//! What a release is asked for, by whichever form.

use std::fmt::Debug;

use posterity::data::Question;
use posterity::ledger::{Account, LedgerError};
use posterity::table::Ways;
use posterity::{Amount, Epsilon, Publication};
use serde::de::DeserializeOwned;

use super::clerk::Clerk;
use super::command::Line;
use crate::chosen::ChosenFile;
use crate::desk::Desk;
use crate::readings::AskedReadings;

/// A form of releases, as it was typed.
pub(crate) trait ReleaseForm:
    Clone + Debug + Default + DeserializeOwned + Send + Sync + 'static
{
    /// The form with what it takes from files of the folder.
    fn begun(self, _: &Desk<'_>) -> Self {
        self
    }

    /// The page with what was typed, and what is wrong with it.
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String;

    /// What it means, or what is wrong with it. No data is opened for that.
    fn checked(self, desk: &Desk<'_>) -> Result<Asked, String>;
}

/// A checked form. Nothing has been read yet.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(super) file: ChosenFile,
    pub(super) edition: Option<String>,
    pub(super) question: Question,
    /// What is promised.
    pub(super) epsilon: Epsilon,
    pub(super) delta: Option<Amount>,
    /// How many people there are, as was typed; for forecasts.
    pub(super) n: Option<u64>,
    pub(super) ways: Ways,
    pub(super) readings: AskedReadings,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
    /// What only its form asks.
    pub(super) own: Box<dyn Own>,
}

/// Names with their values.
pub(super) type Facts = Vec<(&'static str, String)>;

/// What only one form asks.
pub(super) trait Own: Debug + Send + Sync {
    /// The form with what was typed, and what is wrong with it.
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> String;

    /// Where the form is.
    fn address(&self) -> &'static str;

    /// The title of the summary.
    fn title(&self) -> &'static str;

    /// What is asked, for the summary.
    fn facts(&self, asked: &Asked) -> Facts;

    /// How it is drawn, for the summary.
    fn terms(&self) -> Facts {
        Facts::new()
    }

    /// What to expect of the answer, in HTML.
    fn forecast(&self, _: &Asked) -> String {
        String::new()
    }

    /// What it costs, in HTML.
    fn price(&self, asked: &Asked) -> String;

    /// What this account pays for it and has left, in HTML, and whether that is enough to draw an answer.
    fn spends(&self, asked: &Asked, account: &Account) -> Result<(String, bool), LedgerError>;

    /// Adds the columns and what is read from the file to a command.
    fn columns(&self, asked: &Asked, line: &mut Line);

    /// Adds the budget and how it is drawn to a command.
    fn budget(&self, line: &mut Line);

    /// Counts and draws: the document, and what is said of the payment.
    fn answer(&self, asked: &Asked, clerk: &mut Clerk<'_>) -> Result<(Publication, String), String>;
}

impl Asked {
    /// Whom it protects, in a word.
    pub(super) fn unit(&self) -> &str {
        self.question.unit.as_deref().unwrap_or("record")
    }
}
