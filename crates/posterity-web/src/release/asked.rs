//! What a release is asked for, by whichever form.

use std::fmt::Debug;

use maud::Markup;
use posterity::data::Question;
use posterity::ledger::{Account, LedgerError};
use posterity::table::Ways;
use posterity::{Amount, Epsilon, Publication};
use serde::de::DeserializeOwned;

use super::clerk::Clerk;
use crate::chosen::ChosenFile;
use crate::desk::Desk;
use crate::readings::AskedReadings;

/// A form of releases, as it was typed, with its page.
pub(crate) trait FormPage: Debug + Send + Sync {
    /// Takes what the form asks for from files of the folder.
    fn begin(&mut self, _: &Desk<'_>) {}

    /// The page with what was typed, and what is wrong with it.
    fn page(&self, desk: &Desk<'_>, wrong: Option<&str>) -> Markup;
}

/// What such a form means.
pub(crate) trait ReleaseForm: FormPage + Clone + Default + DeserializeOwned + 'static {
    /// What it means, or what is wrong with it. No data is opened for that.
    fn checked(&self, desk: &Desk<'_>) -> Result<Asked, String>;
}

/// A checked form. Nothing has been read yet.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The form, the word of its address and of the command that asks the same, and the title of its summary.
    pub(super) form: Box<dyn FormPage>,
    pub(super) word: &'static str,
    pub(super) title: &'static str,
    pub(super) file: ChosenFile,
    pub(super) edition: Option<String>,
    pub(super) question: Question,
    /// What is asked, and how it is drawn, for the summary.
    pub(super) facts: Facts,
    pub(super) terms: Facts,
    /// What to expect of the answer.
    pub(super) forecast: Markup,
    /// What is promised.
    pub(super) epsilon: Epsilon,
    pub(super) delta: Option<Amount>,
    /// How many people there are, as was typed; for forecasts.
    pub(super) n: Option<u64>,
    pub(super) ways: Ways,
    pub(super) readings: AskedReadings,
    /// The account to charge; none without a ledger.
    pub(super) account: Option<String>,
    /// What a command says of the columns, and of the budget.
    pub(super) flags: [Flags; 2],
    pub(super) draw: Box<dyn Draw>,
}

/// Names with their values.
pub(super) type Facts = Vec<(&'static str, String)>;

/// Flags of a command, each with its value if it was given.
pub(super) type Flags = Vec<(&'static str, Option<String>)>;

/// How an answer is paid for and drawn.
pub(super) trait Draw: Debug + Send + Sync {
    /// What it costs, in words.
    fn price(&self) -> String;

    /// What this account pays for it and has left, and whether that is enough to draw an answer.
    fn spends(&self, asked: &Asked, account: &Account) -> Result<(Markup, bool), LedgerError>;

    /// Counts and draws: the document, and what is said of the payment.
    fn answer(&self, asked: &Asked, clerk: &mut Clerk<'_>) -> Result<(Publication, String), String>;
}
