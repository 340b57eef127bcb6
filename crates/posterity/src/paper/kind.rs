//! What a kind of release is.

use std::borrow::Cow;

use posterity_core::model::{Adjacency, Epsilon};
use posterity_ledger::Amount;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::guarantee::GuaranteeStatement;
use super::load::DocumentError;
use super::promised::Promised;
use crate::about::About;
use crate::table::{Contrast, Contrasted, Reading, ReadingError, ReadingTable, SpaceColumn, Ways};

/// A kind of answer: what was asked and what was drawn, with all that follows from them.
pub trait Kind: Clone + Sized {
    /// The word by which documents of this kind are known.
    const NAME: &'static str;
    /// What such a document holds, for a reader.
    const TITLE: &'static str;
    /// What is chosen beforehand and is public beside the question, such as the categories. Nothing, if not even the
    /// categories are.
    const CHOSEN: &'static [&'static str];
    /// What follows from what was drawn, in a sentence.
    const FOLLOWS: &'static str;
    /// What is special about the intervals of such documents, in a sentence; may be empty.
    const INTERVALS: &'static str = "";
    /// What was asked, as it is written.
    type Request: Serialize + DeserializeOwned + PartialEq + Clone;
    /// What was drawn, as it is written.
    type Drawn: Serialize + DeserializeOwned + PartialEq;
    /// What follows, as it is written.
    type Derived<'a>: Serialize
    where
        Self: 'a;
    /// How an answer is read: all that can be chosen after the draw.
    type Reading;

    /// The answer with these parts, if they fit each other. All is checked that can be checked without the data.
    ///
    /// # Errors
    /// [`DocumentError`] if they do not.
    fn new(
        request: Self::Request,
        n: Option<u64>,
        promise: Promised,
        drawn: Self::Drawn,
    ) -> Result<Self, DocumentError>;

    /// The same draw, read in another way.
    ///
    /// # Errors
    /// [`ReadingError`] if it cannot be read so.
    fn read_as(&self, reading: &Self::Reading) -> Result<Self, ReadingError>;

    /// The same draw with other intervals, readings and comparisons; no readings stand for the usual ones.
    ///
    /// # Errors
    /// [`ReadingError`] if it cannot be read so.
    fn reread(
        &self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError>;

    /// The columns that other readings may have; none if there are no other readings.
    fn columns_to_read(&self) -> Vec<SpaceColumn> {
        Vec::new()
    }

    /// The readings and the comparisons that were asked for; none stand for the usual ones.
    fn asked_readings(&self) -> (&[Reading], &[Contrast]) {
        (&[], &[])
    }

    /// What was asked, and how the answer is read, as it is written.
    fn form(&self) -> Cow<'_, Self::Request>;

    /// The part of the request that a ledger holds: all that changes the law of the draw, or says what it is about.
    fn charged(&self) -> Self::Request;

    /// The number of records or units, if it is public.
    fn n(&self) -> Option<u64>;

    /// What was drawn.
    fn drawn(&self) -> &Self::Drawn;

    /// What the data is and what was asked of it.
    fn about(&self) -> &About;

    /// What is promised.
    fn promise(&self) -> &Promised;

    /// What the law of the draw promises, which is what should be promised; or why that cannot be said.
    ///
    /// # Errors
    /// Why the law cannot be found again.
    fn promised(&self) -> Result<Promised, String> {
        // A request of another promise is no answer.
        Ok(self.promise().clone())
    }

    /// The promise in words.
    fn guarantee(&self) -> GuaranteeStatement;

    /// The seed of an experiment.
    fn seed(&self) -> Option<u64>;

    /// What a reader should know. A document that was charged says less about budgets.
    fn notes(&self, charged: bool) -> Vec<String>;

    /// The epsilon and the delta that were asked for. They are promised unless the draw is that of a seed.
    fn budget(&self) -> (Epsilon, Amount);

    /// What it holds, in a sentence.
    fn holds(&self) -> String;

    /// By what it is known below pictures.
    fn name_in_short(&self) -> String {
        Self::TITLE.to_owned()
    }

    /// How it was drawn, in words.
    fn mechanism_in_words(&self) -> String;

    /// How many draws there are, and how their budgets add up.
    fn composition(&self) -> &'static str {
        "One mechanism, used once."
    }

    /// The end of the promise in short, from the comma on.
    fn promise_in_short(&self) -> &'static str {
        match self.promise().adjacency() {
            Adjacency::Replace => ", and n is public",
            Adjacency::AddRemove => ", with or without it: n is private",
        }
    }

    /// The question that all of it answers, if there is one.
    fn question_in_words(&self) -> Option<String> {
        None
    }

    /// Every table that it has, each as a reading.
    fn all_readings(&self) -> Vec<Reading> {
        Vec::new()
    }

    /// What is said beside its tables.
    fn beside(&self) -> Option<String> {
        None
    }

    /// Which intervals are shown.
    fn ways(&self) -> Ways;

    /// Reads a table of shares, means or counts. It costs nothing.
    ///
    /// # Errors
    /// [`ReadingError`] if there is no such column or value.
    fn read(&self, reading: &Reading) -> Result<ReadingTable, ReadingError>;

    /// Its tables of shares, means and counts.
    fn readings(&self) -> Cow<'_, [ReadingTable]>;

    /// What most people want to know of it, before anything else.
    fn first(&self) -> Cow<'_, [ReadingTable]> {
        self.readings()
    }

    /// What is drawn, each as a picture.
    fn pictured(&self) -> Cow<'_, [ReadingTable]> {
        self.readings()
    }

    /// What is compared.
    fn comparisons(&self) -> Cow<'_, [Contrasted]> {
        Cow::default()
    }

    /// What follows from the other parts. A document that was charged says less about budgets.
    fn derived(&self, charged: bool) -> Self::Derived<'_>;
}
