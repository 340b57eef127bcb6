//! Several questions of one source, answered under one charge.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use posterity_core::model::{Adjacency, Epsilon};
use posterity_core::sampler::BitSource;
use posterity_count::{
    Cells, CountedTogether, DataError, Question, Resources, Source, ValuesAsked, WideQuestion, check_all,
    check_together, count_all, count_together,
};
use posterity_ledger::{Amount, Charge, Ledger, LedgerError, Timestamp};
use serde_json::Value;
use thiserror::Error;

use crate::about::About;
use crate::agreed::Agreed;
use crate::ask::{AnyAsk, Ask, Price};
use crate::charging::{ChargeError, Charged, Payer, charge, price_of, protecting, recalled};
use crate::facts::Facts;
use crate::kind::Publication;
use crate::kind::discovered::data::{asked_of, shown_as};
use crate::kind::discovered::{Discovered, Discovery, ValueData};
use crate::kind::margins::{MarginsData, MarginsRequest, PlannedMargins};
use crate::paper::Record;
use crate::private_data::Data;
use crate::publish_error::PublishError;
use crate::publisher::Publisher;
use crate::question::{part, question};
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
/// use posterity::{Batch, Publisher, Randomness};
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
    /// What a reader learns about the source.
    shown: String,
    edition: Option<String>,
    questions: Vec<Question>,
    publishers: Vec<Publisher<'p>>,
    margins: Vec<PlannedMargins>,
    discoveries: Vec<(ValuesAsked, Discovery)>,
    /// The words of the plan that the questions belong to, and what it requires of the answers.
    plan: Option<(Value, Vec<Value>)>,
    key: Option<SecretKey>,
}

/// The private counts of all questions of a batch; made by [`Batch::count`].
#[derive(Debug)]
pub struct BatchData {
    data: Vec<Data>,
    margins: Vec<MarginsData>,
    /// A draw uses them up.
    values: Vec<Mutex<Option<ValueData>>>,
}

/// The answers to a batch, in the order of its questions, and what they cost together.
#[derive(Clone, Debug)]
pub struct BatchRelease {
    answers: Vec<(Publication, Payment)>,
    payment: Payment,
}

/// Why values cannot be drawn again.
const USED_UP: &str =
    "these values were drawn from already, and drawn twice they would protect half as much; count them again";

/// A question of any kind, checked.
type AskBox<'d> = Box<dyn AnyAsk<Publication> + 'd>;

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
        let (shown, questions, publishers) = (source.to_string(), Vec::new(), Vec::new());
        let (margins, discoveries, edition, plan, key) = Default::default();
        Self { shown, source, edition, questions, publishers, margins, discoveries, plan, key }
    }

    /// Tells this edition of the source from others, as [`Data::of_edition`] does.
    #[must_use]
    pub fn of_edition(mut self, edition: Option<&str>) -> Self {
        self.edition = edition.map(ToOwned::to_owned);
        self
    }

    /// Names the source in this way to readers of the releases, who should not see where it is.
    #[must_use]
    pub fn shown_as(mut self, name: &str) -> Self {
        name.clone_into(&mut self.shown);
        self
    }

    /// Adds a question, which this publisher answers. All questions have the same filters and the same unit.
    #[must_use]
    pub fn ask(mut self, question: Question, publisher: Publisher<'p>) -> Self {
        self.questions.push(question);
        self.publishers.push(publisher);
        self
    }

    /// Adds tables of many columns. They have the filter and the unit of all questions, and are answered after them.
    ///
    /// With them a record counts in all answers or in none, and one record stands for a unit in all of them.
    #[must_use]
    pub fn ask_margins(mut self, planned: PlannedMargins) -> Self {
        self.margins.push(planned);
        self
    }

    /// Adds a column whose values are discovered. It has the filter and the unit of all questions, and is answered last. It
    /// is counted in a pass of its own.
    #[must_use]
    pub fn ask_values(mut self, asked: ValuesAsked, discovery: Discovery) -> Self {
        self.discoveries.push((asked, discovery));
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
        for (question, (cells, publisher)) in self.cells()?.iter().zip(&self.publishers).enumerate() {
            let k = cells.categories().names().len();
            publisher.check(k).map_err(|error| BatchError::Question { question, error })?;
        }
        let before = self.questions.len() + self.margins.len();
        for (index, (asked, discovery)) in self.discoveries.iter().enumerate() {
            asked.check()?;
            let wrong = |error| BatchError::Question { question: before + index, error };
            discovery.check(asked).map_err(wrong)?;
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
        let CountedTogether { questions, margins } = self.counted(randomness, resources, progress)?;
        let pairs = questions.into_iter().zip(&self.questions);
        let data = pairs.map(|(counted, question)| {
            let data = Data::of_source(counted, &self.source, question, randomness);
            data.shown_as(&self.shown).of_edition(self.edition.as_deref())
        });
        let margins = margins.into_iter().zip(&self.margins).map(|(counted, planned)| {
            let asked = planned.asked_of(&self.source, &self.shown, self.edition.as_deref());
            planned.counted_with(counted, asked, randomness)
        });
        let values = self.discoveries.iter().map(|(asked, _)| {
            let values = ValueData::read_from(&self.source, asked, randomness, resources, progress)?;
            Ok::<_, DataError>(values.shown_as(&self.shown).of_edition(self.edition.as_deref()))
        });
        Ok(BatchData {
            data: data.collect(),
            margins: margins.collect(),
            values: values.map(|one| one.map(|one| Mutex::new(Some(one)))).collect::<Result<_, _>>()?,
        })
    }

    /// Counts all questions. Only tables of many columns need one record of a unit for all of them.
    fn counted(
        &self,
        randomness: Randomness,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<CountedTogether, DataError> {
        let (source, questions, mut bits) = (&self.source, &self.questions, randomness.bits_of_data());
        if self.questions.is_empty() && self.margins.is_empty() {
            return Ok(CountedTogether { questions: Vec::new(), margins: Vec::new() });
        }
        if self.margins.is_empty() {
            let questions = count_all(source, questions, &mut *bits, resources, progress)?;
            return Ok(CountedTogether { questions, margins: Vec::new() });
        }
        count_together(source, questions, &self.wide(), &mut *bits, resources, progress)
    }

    /// The tables of many columns, as they are counted.
    fn wide(&self) -> Vec<WideQuestion<'_>> {
        let all = self.margins.iter();
        all.map(|one| WideQuestion { question: one.question(), sets: one.sets() }).collect()
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
        let facts = self.facts(n)?;
        let mut asks = self.asks_of(
            |question| Ok(Box::new(self.publishers[question].prepare(&facts[question])?.ask())),
            |margins| Ok(Box::new(self.margins[margins].ask_of(&self.asked_of(margins), n)?)),
            |values| Ok(Box::new(self.ask_about(values)?)),
        )?;
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
    fn asks<'d>(&self, data: &'d BatchData) -> Result<Vec<AskBox<'d>>, BatchError> {
        let found = data.data.len() + data.margins.len() + data.values.len();
        let asked = self.questions.len() + self.margins.len() + self.discoveries.len();
        if found != asked {
            return Err(BatchError::OtherData { found, asked });
        }
        self.asks_of(
            |question| Ok(Box::new(self.publishers[question].ask(&data.data[question])?)),
            |margins| Ok(Box::new(data.margins[margins].ask_again()?)),
            |values| {
                let mut data = data.values[values].lock().unwrap_or_else(PoisonError::into_inner);
                let data = data.take().ok_or_else(|| PublishError::Values(USED_UP.to_owned()))?;
                Ok(Box::new(self.discoveries[values].1.ask(data)?))
            },
        )
    }

    /// What is asked of the values of a column that were not counted.
    fn ask_about<'a>(&self, values: usize) -> Result<Ask<'a, Discovered>, PublishError> {
        let (asked, discovery) = &self.discoveries[values];
        let (about, description) = asked_of(&self.source, asked);
        let about = About { edition: self.edition.clone(), ..shown_as(about, &self.shown) };
        discovery.ask_about(about, description.as_deref())
    }

    /// All questions: those about declared cells, those of many columns, and those whose values are discovered.
    fn asks_of<'d>(
        &self,
        question: impl Fn(usize) -> Result<AskBox<'d>, PublishError>,
        margins: impl Fn(usize) -> Result<AskBox<'d>, PublishError>,
        values: impl Fn(usize) -> Result<AskBox<'d>, PublishError>,
    ) -> Result<Vec<AskBox<'d>>, BatchError> {
        let of_one = self.questions.len();
        let declared = of_one + self.margins.len();
        numbered(0..declared + self.discoveries.len(), |_, index| match index {
            index if index < of_one => question(index),
            index if index < declared => margins(index - of_one),
            index => values(index - declared),
        })
    }

    /// What is asked of many columns of this source.
    fn asked_of(&self, margins: usize) -> (MarginsRequest, Option<String>) {
        self.margins[margins].asked_of(&self.source, &self.shown, self.edition.as_deref())
    }

    /// The questions and their terms as one canonical line, by which a ledger knows them again.
    ///
    /// # Errors
    /// [`BatchError`] if the questions cannot be counted.
    pub fn question(&self) -> Result<String, BatchError> {
        // Any number of records is allowed: it is not part of the question.
        let facts = self.facts(Some(1))?;
        let parts = self.publishers.iter().zip(&facts).enumerate().map(|(question, (publisher, facts))| {
            part(publisher.terms(), facts)
                .map_err(|error| BatchError::Question { question, error: error.into() })
        });
        let after = self.questions.len();
        let margins = (0..self.margins.len()).map(|index| {
            let ask = self.margins[index].ask_of(&self.asked_of(index), None);
            let ask = ask.map_err(|error| BatchError::Question { question: after + index, error })?;
            Ok::<_, BatchError>(ask.part)
        });
        let after = after + self.margins.len();
        let values = (0..self.discoveries.len()).map(|index| {
            let ask = self.ask_about(index);
            Ok(ask.map_err(|error| BatchError::Question { question: after + index, error })?.part)
        });
        Ok(question(parts.chain(margins).chain(values).collect::<Result<_, _>>()?))
    }

    /// What all answers cost together in one charge. No data is read, and nothing is charged.
    ///
    /// # Errors
    /// [`BatchError`].
    pub fn price(&self) -> Result<Charge, BatchError> {
        let amount = |epsilon: Epsilon| {
            Amount::from_rational(epsilon.rational().clone())
                .map_err(|error| PublishError::from(LedgerError::from(error)))
        };
        let promised = |publisher: &Publisher<'_>| {
            let terms = publisher.terms();
            Ok(Price::Epsilon(
                amount(terms.promised().unwrap_or_else(|| terms.epsilon.clone()))?,
                Amount::ZERO,
            ))
        };
        let questions = self.publishers.iter().map(promised);
        let margins = (0..self.margins.len())
            .map(|index| self.margins[index].ask_of(&self.asked_of(index), None)?.price);
        let values = (0..self.discoveries.len()).map(|index| self.ask_about(index)?.price);
        let prices = numbered(questions.chain(margins).chain(values), |_, price| price)?;
        let charge = price_of(self.question()?, &prices)?;
        let question = self.questions.first().or_else(|| Some(self.margins.first()?.question()));
        let (unit, adjacency) = match (question, self.discoveries.first()) {
            (Some(question), _) => (question.unit.as_deref(), question.adjacency),
            (None, asked) => (asked.and_then(|(asked, _)| asked.unit.as_deref()), Adjacency::AddRemove),
        };
        Ok(protecting(charge, unit, adjacency)?)
    }

    /// What is public about n records that these questions count.
    fn facts(&self, n: Option<u64>) -> Result<Vec<Facts>, BatchError> {
        let pairs = self.cells()?.into_iter().zip(&self.questions);
        Ok(pairs
            .map(|(cells, question)| {
                Facts::asked(cells.categories().clone(), n, question)
                    .of_source(&self.source, question)
                    .shown_as(&self.shown)
                    .of_edition(self.edition.as_deref())
            })
            .collect())
    }

    /// The cells of each question.
    ///
    /// # Errors
    /// [`BatchError::Data`] if the questions cannot be counted together.
    pub fn cells(&self) -> Result<Vec<Cells>, BatchError> {
        Ok(match self.margins.as_slice() {
            [] if self.questions.is_empty() => Vec::new(),
            [] => check_all(&self.questions)?,
            _ => check_together(&self.questions, &self.wide())?,
        })
    }

    /// The questions, in their order.
    #[must_use]
    pub fn questions(&self) -> &[Question] {
        &self.questions
    }
}

impl BatchData {
    /// The number of records, or of units, if it is public. It is the same for all questions.
    #[must_use]
    pub fn n(&self) -> Option<u64> {
        let margins = || self.margins.first().and_then(MarginsData::n);
        self.data.first().map_or_else(margins, Data::n)
    }

    /// For each of the tables of many columns, a warning if they will say nearly nothing but noise. Where n is private
    /// there is none.
    #[must_use]
    pub fn mostly_noise(&self) -> Vec<Option<String>> {
        self.margins.iter().map(MarginsData::mostly_noise).collect()
    }
}

impl BatchRelease {
    /// The answers in the order of the questions, tables of many columns last, each with what it cost.
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

/// The same of each question, or which of them is wrong.
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
    use std::sync::Arc;

    use posterity_core::sampler::{SeededBits, SourceError};
    use posterity_count::Column;
    use posterity_ledger::{Status, Step, now_utc};
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
        let text = |change: fn(&mut Batch<'static>)| {
            let mut batch = batch(&folder);
            change(&mut batch);
            batch.question().expect("valid")
        };
        let plain = text(|_| ());
        let same = text(|batch| batch.publishers[0] = Publisher::new(epsilon("0.75")).level(0.5));
        assert_eq!(plain, same);
        let others: [fn(&mut Batch<'static>); 4] = [
            |batch| batch.publishers[0] = Publisher::new(epsilon("0.76")),
            |batch| {
                batch.publishers[1] =
                    Publisher::new(epsilon("0.25")).mechanism(posterity_core::mechanism::Geometric::default())
            },
            |batch| batch.questions[1].columns[0].missing = Some("unknown".into()),
            |batch| batch.source = Source::files("others.csv"),
        ];
        for other in others {
            assert_ne!(plain, text(other));
        }
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
