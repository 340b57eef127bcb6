//! Several questions of one source, answered under one charge.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use posterity_core::model::Adjacency;
use posterity_core::sampler::BitSource;
use posterity_count::{
    Cells, Counted, CountedTogether, DataError, Question, Resources, Source, Values, ValuesAsked,
    WideQuestion, check_all, check_together, count_all, count_together, gather_values,
};
use posterity_ledger::{Charge, Ledger, LedgerError, Timestamp};
use serde_json::Value;
use thiserror::Error;

use crate::agreed::Agreed;
use crate::charging::{ChargeError, Charged, Payer, charge, price_of, protecting, recalled};
use crate::kind::Publication;
use crate::kind::discovered::part::ValuesPart;
use crate::kind::discovered::{Discovery, ValueData};
use crate::kind::margins::PlannedMargins;
use crate::kind::table::part::TablePart;
use crate::paper::Record;
use crate::part::{AskBox, CountedPart, Counting, KnownAs, Part, PartData};
use crate::publish_error::PublishError;
use crate::publisher::Publisher;
use crate::question::question;
use crate::randomness::Randomness;
use crate::release::Payment;
use crate::signature::SecretKey;
use crate::system_bits::SystemBits;

/// Several questions of one source. They are counted in one pass over its records, and paid for by one charge.
///
/// Replacing one record moves at most one count in each question (docs/proofs/stability.md), so all answers together
/// are private with the sum of their epsilons. Tables of many columns may stand beside them; then all answers together
/// have the sum of all epsilons and the sum of all deltas (docs/proofs/composition.md, theorem 1b).
///
/// ```
/// use posterity::data::{Column, Question, Source};
/// use posterity::batch::Batch;
/// use posterity::{Publisher, Randomness};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("people.csv");
/// # std::fs::write(&path, "ward,cured\nA,yes\nB,no\nB,yes\n")?;
/// let (ward, cured) = (Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"]));
/// let batch = Batch::new(Source::files(path.to_string_lossy()))
///     .ask(Question::new(vec![ward.clone(), cured]), Publisher::new("0.75".parse()?))
///     .ask(Question::new(vec![ward]), Publisher::new("0.25".parse()?));
/// batch.check()?;
/// let data = batch.count(Randomness::System, &Default::default(), &|_| std::ops::ControlFlow::Continue(()))?;
/// let answers = batch.publish(&data)?;
/// assert_eq!(answers.answers().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<'p> {
    source: Source,
    /// Whether the records are in memory. Then the source has their name and cannot be read.
    in_memory: bool,
    /// What a reader learns about the source; nothing of records in memory without a name.
    shown: Option<String>,
    edition: Option<String>,
    parts: Vec<Arc<dyn Part<'p> + 'p>>,
    /// The words of the plan that the questions belong to, and what it requires of the answers.
    plan: Option<(Value, Vec<Value>)>,
    key: Option<SecretKey>,
}

/// Records of which several questions are counted together: a source, or what a program holds in memory.
///
/// Each way of counting has the arguments, the guarantee and the errors of the function of its name for a source: see
/// [`count_all`], [`count_together`] and [`gather_values`].
pub trait Records: Send + Sync {
    /// Counts questions about declared cells in one pass.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    fn count_all(
        &self,
        questions: &[Question],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Vec<Counted>, DataError>;

    /// Counts questions about declared cells and tables of many columns in one pass.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    fn count_together(
        &self,
        questions: &[Question],
        wide: &[WideQuestion<'_>],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<CountedTogether, DataError>;

    /// Gathers every value of a column.
    ///
    /// # Errors
    /// [`DataError`]; it contains no value of a record.
    fn gather(
        &self,
        asked: &ValuesAsked,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Values, DataError>;
}

/// The private counts of all questions of a batch; made by [`Batch::count`] and [`Batch::count_in`].
#[derive(Debug)]
pub struct BatchData(Vec<PartData>);

/// The answers to a batch, in the order of its questions, and what they cost together.
#[derive(Clone, Debug)]
pub struct BatchRelease {
    answers: Vec<(Publication, Payment)>,
    payment: Payment,
}

/// Why nothing was released. It says nothing about the data.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// The records cannot be counted by these questions.
    #[error(transparent)]
    Data(#[from] DataError),
    /// One question cannot be answered on its terms.
    #[error("question {}: {error}", .question + 1)]
    Question {
        /// Its position, from 0.
        question: usize,
        /// What is wrong.
        error: PublishError,
    },
    /// The ledger refused or failed.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The counts are those of another batch.
    #[error("these are the counts of {found} questions, and {asked} are asked; count this batch")]
    OtherData {
        /// How many questions were counted.
        found: usize,
        /// How many there are.
        asked: usize,
    },
    /// What the ledger holds cannot be read by this version.
    #[error("the stored answers cannot be read by this version; ask again, which is charged")]
    Stored,
}

impl<'p> Batch<'p> {
    /// No questions yet.
    #[must_use]
    pub fn new(source: Source) -> Self {
        let shown = Some(source.to_string());
        Self { shown, source, in_memory: false, edition: None, parts: Vec::new(), plan: None, key: None }
    }

    /// No questions yet, of records in memory, which [`Batch::count_in`] counts. Their owner gives the name to these records
    /// and to no others: a ledger takes two tables of one name for the same table. Without a name every answer is charged.
    #[must_use]
    pub fn in_memory(name: Option<&str>) -> Self {
        let shown = name.map(ToOwned::to_owned);
        Self { in_memory: true, shown: shown.clone(), ..Self::new(Source::standard_input(shown)) }
    }

    /// Tells this edition of the source from others, as [`Data::of_edition`](crate::Data::of_edition) does.
    #[must_use]
    pub fn of_edition(mut self, edition: Option<&str>) -> Self {
        self.edition = edition.map(ToOwned::to_owned);
        self
    }

    /// Names the source in this way to readers of the releases, who should not see where it is.
    #[must_use]
    pub fn shown_as(mut self, name: &str) -> Self {
        self.shown = Some(name.to_owned());
        self
    }

    /// Adds a question, which this publisher answers. All questions have the same filters and the same unit.
    #[must_use]
    pub fn ask(self, question: Question, publisher: Publisher<'p>) -> Self {
        self.with(Arc::new(TablePart { question, publisher }))
    }

    /// Adds tables of many columns. They have the filter and the unit of all questions.
    ///
    /// With them a record counts in all answers or in none, and one record stands for a unit in all of them.
    #[must_use]
    pub fn ask_margins(self, planned: PlannedMargins) -> Self {
        self.with(Arc::new(planned))
    }

    /// Adds a column whose values are discovered. It has the filter and the unit of all questions, and is counted in a pass
    /// of its own.
    #[must_use]
    pub fn ask_values(self, asked: ValuesAsked, discovery: Discovery) -> Self {
        self.with(Arc::new(ValuesPart { asked, discovery }))
    }

    /// Adds a question of any kind.
    pub(crate) fn with(mut self, part: Arc<dyn Part<'p> + 'p>) -> Self {
        self.parts.push(part);
        self
    }

    /// Says which plan the questions belong to: its words, and what it requires of the answers, as it writes them. The
    /// ledger records both beside the charge, so that what was agreed before the draw is told from what came later.
    #[must_use]
    pub fn of_plan(mut self, words: Value, requirements: Vec<Value>) -> Self {
        self.plan = Some((words, requirements));
        self
    }

    /// Signs every document that was charged.
    #[must_use]
    pub fn sign(mut self, key: SecretKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Checks all that can be checked without data: that the questions can be counted together, and that the terms of
    /// each go with its categories. A mechanism that depends on the number of records is checked again once that is
    /// known.
    ///
    /// # Errors
    /// [`BatchError`].
    pub fn check(&self) -> Result<(), BatchError> {
        let cells = self.cells()?;
        for (question, (part, cells)) in self.parts.iter().zip(&cells).enumerate() {
            if let Counting::Values(asked) = part.counting() {
                asked.check()?;
            }
            let cells = cells.as_ref().map_or(0, |cells| cells.categories().names().len());
            part.check(cells).map_err(|error| BatchError::Question { question, error })?;
        }
        Ok(())
    }

    /// Counts all questions in one pass over the records of the source.
    ///
    /// # Errors
    /// [`BatchError::Data`]; it says nothing that a record holds.
    pub fn count(
        &self,
        randomness: Randomness,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<BatchData, BatchError> {
        self.count_in(&self.source, randomness, resources, progress)
    }

    /// Counts all questions in one pass over these records.
    ///
    /// # Errors
    /// [`BatchError::Data`]; it says nothing that a record holds.
    pub fn count_in(
        &self,
        records: &dyn Records,
        randomness: Randomness,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<BatchData, BatchError> {
        let CountedTogether { questions, margins } =
            self.counted(records, &mut *randomness.bits_of_data(), resources, progress)?;
        let (mut cells, mut tables) = (questions.into_iter(), margins.into_iter());
        let data = self.parts.iter().map(|part| {
            let counted = match part.counting() {
                Counting::Cells(_) => cells.next().map(CountedPart::Cells),
                Counting::Tables(..) => tables.next().map(CountedPart::Tables),
                Counting::Values(asked) => {
                    let mut bits = randomness.bits_of_data();
                    let values = records.gather(asked, &mut *bits, resources, progress)?;
                    let values = ValueData::of_source(values, &self.source, asked, randomness);
                    Some(CountedPart::Values(values))
                }
            };
            let data = |counted| part.data(counted, &self.known_as(), randomness);
            Ok::<_, DataError>(counted.map_or(PartData::Other, data))
        });
        Ok(BatchData(data.collect::<Result<_, _>>()?))
    }

    /// Counts all questions but those that have a pass of their own. Only tables of many columns need one record of a unit
    /// for all of them.
    fn counted(
        &self,
        records: &dyn Records,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<CountedTogether, DataError> {
        let (questions, wide) = self.together();
        if questions.is_empty() && wide.is_empty() {
            return Ok(CountedTogether { questions: Vec::new(), margins: Vec::new() });
        }
        if wide.is_empty() {
            let questions = records.count_all(&questions, bits, resources, progress)?;
            return Ok(CountedTogether { questions, margins: Vec::new() });
        }
        records.count_together(&questions, &wide, bits, resources, progress)
    }

    /// What is counted together: the questions about declared cells, and the tables of many columns.
    fn together(&self) -> (Vec<Question>, Vec<WideQuestion<'_>>) {
        let (mut questions, mut wide) = (Vec::new(), Vec::new());
        for part in &self.parts {
            match part.counting() {
                Counting::Cells(question) => questions.push(question.clone()),
                Counting::Tables(question, sets) => wide.push(WideQuestion { question, sets }),
                Counting::Values(_) => {}
            }
        }
        (questions, wide)
    }

    /// The source as readers and ledgers know it.
    fn known_as(&self) -> KnownAs<'_> {
        let (shown, edition) = (self.shown.as_deref(), self.edition.as_deref());
        KnownAs { source: &self.source, shown, edition, in_memory: self.in_memory }
    }

    /// Draws all answers from the operating system's randomness. No ledger keeps account of them.
    ///
    /// # Errors
    /// [`BatchError`]; then nothing was released.
    pub fn publish(&self, data: &BatchData) -> Result<BatchRelease, BatchError> {
        let mut bits = SystemBits::new();
        let answers = numbered(self.asks(data)?, |_, mut ask| ask.publish(&mut bits))?;
        let answers = answers.into_iter().map(|document| (document, Payment::Nothing)).collect();
        Ok(BatchRelease { answers, payment: Payment::Nothing })
    }

    /// Draws all answers from seeds, for experiments: the first from this one, the next from the number after it.
    /// Nothing of it is private.
    ///
    /// # Errors
    /// [`BatchError`].
    pub fn experiment(&self, data: &BatchData, seed: u64) -> Result<Vec<Publication>, BatchError> {
        numbered(self.asks(data)?, |index, mut ask| ask.experiment(seed.wrapping_add(index as u64)))
    }

    /// The answers that a ledger holds for the same questions on the same terms, if it holds them. No data is read and
    /// nothing is charged.
    ///
    /// # Errors
    /// [`BatchError`].
    pub fn recall(&self, ledger: &Ledger, account: &str) -> Result<Option<BatchRelease>, BatchError> {
        let Some(stored) = ledger.find(account, &self.question()?)? else { return Ok(None) };
        let record = Record::parse(&stored.document).map_err(|_| BatchError::Stored)?;
        let n = record.sizes().next().ok_or(BatchError::Stored)?;
        let (cells, source) = (self.cells()?, self.known_as());
        let mut asks = numbered(self.parts.iter().zip(&cells), |_, (part, cells)| {
            part.uncounted(&source, cells.as_ref(), n)
        })?;
        // A source without a name is never recognised.
        if !asks.iter().all(|ask| ask.is_named()) {
            return Ok(None);
        }
        Ok(Some(recalled(&mut asks, &stored, self.key.as_ref())?.into()))
    }

    /// Charges the account once for all answers, draws them from the operating system's randomness and records them, in
    /// one transaction. So whoever dies meanwhile leaves nothing charged, or a charge whose draws are recorded and
    /// which [`Batch::recall`] finds. Questions that the ledger has answered before are answered from there, unless
    /// `again`.
    ///
    /// # Errors
    /// [`BatchError`]; then nothing was released.
    pub fn charge(
        &self,
        data: &BatchData,
        ledger: &mut Ledger,
        account: &str,
        again: bool,
        now: Option<&Timestamp>,
    ) -> Result<BatchRelease, BatchError> {
        self.charge_from(data, ledger, account, again, now, &mut SystemBits::new())
    }

    fn charge_from(
        &self,
        data: &BatchData,
        ledger: &mut Ledger,
        account: &str,
        again: bool,
        now: Option<&Timestamp>,
        bits: &mut dyn BitSource,
    ) -> Result<BatchRelease, BatchError> {
        let mut asks = self.asks(data)?;
        let agreed = self.plan.as_ref().map(|(words, requirements)| {
            let requests: Vec<Value> = asks.iter().map(|ask| ask.form()).collect();
            Agreed::new(words, &requests, requirements.clone())
        });
        let payer = Payer { ledger, account, again, now: now.cloned(), key: self.key.clone() };
        Ok(charge(&mut asks, agreed, payer, bits)?.into())
    }

    /// Checks everything, before a charge and a draw.
    fn asks<'d>(&'d self, data: &'d BatchData) -> Result<Vec<AskBox<'d>>, BatchError> {
        let (found, asked) = (data.0.len(), self.parts.len());
        if found != asked {
            return Err(BatchError::OtherData { found, asked });
        }
        numbered(self.parts.iter().zip(&data.0), |_, (part, data)| part.ask(data))
    }

    /// The questions and their terms as one canonical line, by which a ledger knows them again.
    ///
    /// # Errors
    /// [`BatchError`] if the questions cannot be counted.
    pub fn question(&self) -> Result<String, BatchError> {
        let (cells, source) = (self.cells()?, self.known_as());
        let parts = self.parts.iter().zip(&cells);
        Ok(question(numbered(parts, |_, (part, cells)| part.known(&source, cells.as_ref()))?))
    }

    /// What all answers cost together in one charge. No data is read, and nothing is charged.
    ///
    /// # Errors
    /// [`BatchError`].
    pub fn price(&self) -> Result<Charge, BatchError> {
        let source = self.known_as();
        let prices = numbered(&self.parts, |_, part| part.price(&source))?;
        let charge = price_of(self.question()?, &prices)?;
        // It is the same of all of them.
        let counting = self.parts.first().map(|part| part.counting());
        let (unit, adjacency) = counting.as_ref().map_or((None, Adjacency::Replace), Counting::protects);
        Ok(protecting(charge, unit, adjacency)?)
    }

    /// The cells of each question that declares them.
    ///
    /// # Errors
    /// [`BatchError::Data`] if the questions cannot be counted together.
    fn cells(&self) -> Result<Vec<Option<Cells>>, BatchError> {
        let (questions, wide) = self.together();
        let cells = match wide.as_slice() {
            [] if questions.is_empty() => Vec::new(),
            [] => check_all(&questions)?,
            _ => check_together(&questions, &wide)?,
        };
        let mut cells = cells.into_iter();
        let of = |part: &Arc<dyn Part<'p> + 'p>| match part.counting() {
            Counting::Cells(_) => cells.next(),
            Counting::Tables(..) | Counting::Values(_) => None,
        };
        Ok(self.parts.iter().map(of).collect())
    }
}

impl Records for Source {
    fn count_all(
        &self,
        questions: &[Question],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Vec<Counted>, DataError> {
        count_all(self, questions, bits, resources, progress)
    }

    fn count_together(
        &self,
        questions: &[Question],
        wide: &[WideQuestion<'_>],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<CountedTogether, DataError> {
        count_together(self, questions, wide, bits, resources, progress)
    }

    fn gather(
        &self,
        asked: &ValuesAsked,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Values, DataError> {
        gather_values(self, asked, bits, resources, progress)
    }
}

#[cfg(feature = "arrow")]
impl Records for posterity_count::Frame {
    fn count_all(
        &self,
        questions: &[Question],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Vec<Counted>, DataError> {
        self.count_all(questions, bits, resources, progress)
    }

    fn count_together(
        &self,
        questions: &[Question],
        wide: &[WideQuestion<'_>],
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<CountedTogether, DataError> {
        self.count_together(questions, wide, bits, resources, progress)
    }

    fn gather(
        &self,
        asked: &ValuesAsked,
        bits: &mut dyn BitSource,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<Values, DataError> {
        self.gather(asked, bits, resources, progress)
    }
}

/// Hides the data.
impl fmt::Debug for dyn Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Records")
    }
}

impl BatchData {
    /// The number of records, or of units, if it is public. It is the same for all questions.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        self.0.iter().find_map(PartData::n)
    }

    /// For each question a warning if its answer will say nearly nothing but noise. Where n is private there is none.
    #[must_use]
    pub fn mostly_noise(&self) -> Vec<Option<String>> {
        self.0.iter().map(PartData::mostly_noise).collect()
    }
}

impl BatchRelease {
    /// The answers in the order of the questions, each with what it cost.
    #[must_use]
    pub fn answers(&self) -> &[(Publication, Payment)] {
        &self.answers
    }

    /// What all of them cost together.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }
}

impl From<Charged<Publication>> for BatchRelease {
    fn from(Charged { answers, payment }: Charged<Publication>) -> Self {
        Self { answers, payment }
    }
}

/// What is found of each question, or which of them is wrong.
fn numbered<A, B>(
    all: impl IntoIterator<Item = A>,
    mut of: impl FnMut(usize, A) -> Result<B, PublishError>,
) -> Result<Vec<B>, BatchError> {
    let all = all.into_iter().enumerate();
    all.map(|(question, one)| of(question, one).map_err(|error| BatchError::Question { question, error }))
        .collect()
}

impl From<ChargeError> for BatchError {
    fn from(error: ChargeError) -> Self {
        match error {
            ChargeError::Ledger(error) => Self::Ledger(error),
            ChargeError::Question(question, error) => Self::Question { question, error },
            ChargeError::Stored => Self::Stored,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use posterity_core::sampler::{SeededBits, SourceError};
    use posterity_count::Column;
    use posterity_ledger::{Amount, Status, Step, now_utc};
    use posterity_testkit::fixture::epsilon;

    use super::*;

    fn batch(folder: &tempfile::TempDir) -> Batch<'static> {
        let path = folder.path().join("people.csv");
        std::fs::write(&path, "ward,cured\nA,yes\nB,no\nB,yes\nA,yes\n").expect("written");
        let (ward, cured) = (Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"]));
        Batch::new(Source::files(path.to_string_lossy()))
            .ask(Question::new(vec![ward.clone(), cured]), Publisher::new(epsilon("0.75")))
            .ask(Question::new(vec![ward]), Publisher::new(epsilon("0.25")))
    }

    fn counted(batch: &Batch<'_>) -> BatchData {
        batch
            .count(Randomness::System, &Resources::default(), &|_| ControlFlow::Continue(()))
            .expect("counted")
    }

    fn ledger(folder: &tempfile::TempDir, budget: &str) -> Ledger {
        let mut ledger = Ledger::create(folder.path().join("budget.ledger")).expect("created");
        ledger
            .create_account("survey", &budget.parse().expect("an amount"), &Amount::ZERO, &now_utc())
            .expect("created");
        ledger
    }

    #[test]
    fn one_charge_for_all_and_none_for_the_same_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (batch, mut ledger) = (batch(&folder), ledger(&folder, "1.5"));
        batch.check().expect("valid");
        let data = counted(&batch);
        assert!(batch.recall(&ledger, "survey").expect("read").is_none());
        let first = batch.charge(&data, &mut ledger, "survey", false, None).expect("released");
        let amount = |text: &str| -> Amount { text.parse().expect("an amount") };
        assert_eq!(
            first.payment(),
            &Payment::Charged { epsilon: amount("1"), delta: Amount::ZERO, remaining: amount("0.5") }
        );
        assert_eq!(ledger.account("survey").expect("there").charges, 1);
        // By the counts, and without any data.
        std::fs::remove_file(folder.path().join("people.csv")).expect("removed");
        let again = batch.charge(&data, &mut ledger, "survey", false, None).expect("recalled");
        let without = batch.recall(&ledger, "survey").expect("read").expect("recorded");
        for other in [&again, &without] {
            assert!(matches!(other.payment(), Payment::Recalled { .. }));
            for ((one, _), (other, _)) in first.answers().iter().zip(other.answers()) {
                assert_eq!(one, other);
            }
        }
        assert_eq!(ledger.account("survey").expect("there").charges, 1);
        // Anew it costs again, and there is not enough.
        let refused = batch.charge(&data, &mut ledger, "survey", true, None).expect_err("too dear");
        assert!(matches!(refused, BatchError::Ledger(LedgerError::Exceeded(_))), "{refused}");
    }

    /// What happened, in order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Happened {
        Wrote(Step),
        Drew,
    }

    struct Watched(SeededBits, Arc<Mutex<Vec<Happened>>>);

    impl BitSource for Watched {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            let mut log = self.1.lock().expect("one thread");
            if log.last() != Some(&Happened::Drew) {
                log.push(Happened::Drew);
            }
            self.0.next_u64()
        }
    }

    /// If this fails, something is drawn that is not on the books, or is on the books without its record.
    #[test]
    fn the_draw_is_between_the_charge_and_the_record_of_one_transaction() {
        let folder = tempfile::tempdir().expect("a folder");
        let (batch, mut ledger) = (batch(&folder), ledger(&folder, "1"));
        let log = Arc::<Mutex<Vec<Happened>>>::default();
        let sink = Arc::clone(&log);
        ledger.observe(move |step| sink.lock().expect("one thread").push(Happened::Wrote(step)));
        let mut bits = Watched(SeededBits::new(1), Arc::clone(&log));
        batch.charge_from(&counted(&batch), &mut ledger, "survey", false, None, &mut bits).expect("released");
        use Happened::{Drew, Wrote};
        let expected = [
            Wrote(Step::Locked),
            Wrote(Step::Checked),
            Wrote(Step::Appended),
            Drew,
            Wrote(Step::Drawn),
            Wrote(Step::Appended),
            Wrote(Step::Committed),
        ];
        assert_eq!(*log.lock().expect("one thread"), expected);
    }

    struct Broken;

    impl BitSource for Broken {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            Err(SourceError { reason: "broken".to_owned() })
        }
    }

    #[test]
    fn a_draw_that_fails_leaves_the_charge() {
        let folder = tempfile::tempdir().expect("a folder");
        let (batch, mut ledger) = (batch(&folder), ledger(&folder, "1"));
        let error = batch
            .charge_from(&counted(&batch), &mut ledger, "survey", false, None, &mut Broken)
            .expect_err("no bits");
        assert!(
            matches!(error, BatchError::Question { question: 0, error: PublishError::Release(_) }),
            "{error}"
        );
        let history = ledger.history("survey").expect("there");
        assert_eq!(history.iter().map(|line| &line.status).collect::<Vec<_>>(), [&Status::NotReleased]);
        assert!(batch.recall(&ledger, "survey").expect("read").is_none());
    }

    /// Everything that changes the law of a draw is in the question, and nothing that only changes how it is read.
    #[test]
    fn the_question_names_the_law() {
        let folder = tempfile::tempdir().expect("a folder");
        let column = Column::new("ward", ["A", "B"]);
        let of = |column: Column, publisher: Publisher<'static>, source: &str| {
            let path = folder.path().join(source);
            let batch = Batch::new(Source::files(path.to_string_lossy()));
            batch.ask(Question::new(vec![column]), publisher).question().expect("valid")
        };
        let (usual, file) = (|| Publisher::new(epsilon("0.25")), "people.csv");
        let plain = of(column.clone(), usual(), file);
        assert_eq!(plain, of(column.clone(), usual().level(0.5), file));
        let others = [
            of(column.clone(), Publisher::new(epsilon("0.26")), file),
            of(column.clone(), usual().mechanism(posterity_core::mechanism::Geometric::default()), file),
            of(Column { missing: Some("unknown".into()), ..column.clone() }, usual(), file),
            of(column, usual(), "others.csv"),
        ];
        assert!(others.iter().all(|other| *other != plain), "{others:?}");
    }

    #[test]
    fn seeds_are_for_experiments() {
        let folder = tempfile::tempdir().expect("a folder");
        let batch = batch(&folder);
        let experiments = batch.experiment(&counted(&batch), 7).expect("drawn");
        let seeds: Vec<_> = experiments.iter().map(|one| (one.seed(), one.is_private())).collect();
        assert_eq!(seeds, [(Some(7), false), (Some(8), false)]);
    }
}
