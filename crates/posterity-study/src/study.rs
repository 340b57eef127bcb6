//! A study: from a plan to answers.

use std::sync::Arc;

use posterity::batch::{Batch, BatchData, BatchError, BatchRelease, Records};
use posterity::data::Resources;
use posterity::ledger::Charge;
use posterity::plan::Plan;
use posterity::signing::SecretKey;
use posterity::{Ledger, Payment, Publication, PublishError, Randomness};

use crate::answers::{Answer, Answers};
use crate::error::StudyError;
use crate::outline::Outline;
use crate::plan_file::PlanFile;
use crate::watch::Watch;

/// A plan that can be carried out.
#[derive(Clone, Debug)]
pub struct Study {
    file: PlanFile,
    batch: Batch<'static>,
    records: Arc<dyn Records>,
}

impl Study {
    /// Takes a plan, which is checked already.
    ///
    /// # Errors
    /// [`StudyError::HalfLedger`] if it names a ledger and no account, or an account and no ledger; [`StudyError::Plan`] if a
    /// mechanism promises nothing.
    pub fn new(file: PlanFile) -> Result<Self, StudyError> {
        let batch = file.plan().batch(file.records().clone());
        let records = Arc::new(file.records().clone());
        Self::of_batch(file, batch, records)
    }

    /// Takes a plan about records in memory. The plan has their name, by which a ledger knows them again, as its source; the
    /// answers about records without a name are charged each time.
    ///
    /// # Errors
    /// As [`Study::new`].
    pub fn in_memory(file: PlanFile, records: Arc<dyn Records>) -> Result<Self, StudyError> {
        let batch = file.plan().batch_in_memory();
        Self::of_batch(file, batch, records)
    }

    fn of_batch(
        file: PlanFile,
        batch: Batch<'static>,
        records: Arc<dyn Records>,
    ) -> Result<Self, StudyError> {
        file.payer()?;
        file.plan().refuse_unproven()?;
        let outline = Outline::new(file.plan());
        Ok(Self { batch: batch.of_plan(outline.words(), outline.required()), file, records })
    }

    /// Signs every document that is charged.
    #[must_use]
    pub fn sign(self, key: SecretKey) -> Self {
        Self { batch: self.batch.sign(key), ..self }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        self.file.plan()
    }

    /// The file of the plan, with what is bound to it.
    #[must_use]
    pub fn file(&self) -> &PlanFile {
        &self.file
    }

    /// A failure of this study in words, with the name of a question in place of its number, and whether something was
    /// charged.
    #[must_use]
    pub fn told(&self, error: &StudyError) -> String {
        match error {
            StudyError::Batch(BatchError::Question { question, error }) => {
                let name = self.plan().questions().nth(*question).map_or("", |asked| asked.name());
                let charged = if matches!(error, PublishError::Release(_)) {
                    "the charge stays"
                } else {
                    "nothing was charged"
                };
                format!("question {name:?}: {error}; {charged}")
            }
            StudyError::Batch(BatchError::Data(_)) => format!("{error}; nothing was charged or released"),
            other => other.to_string(),
        }
    }

    /// The text by which a ledger knows the questions and their terms, but not how they are read.
    ///
    /// # Errors
    /// [`StudyError::Batch`].
    pub fn question(&self) -> Result<String, StudyError> {
        Ok(self.batch.question()?)
    }

    /// What all answers cost together in one charge: the epsilon of each question, and the rho of the tables of many
    /// columns. No data is read, and nothing is charged.
    ///
    /// # Errors
    /// [`StudyError::Batch`].
    pub fn price(&self) -> Result<Charge, StudyError> {
        Ok(self.batch.price()?)
    }

    /// The answers that the ledger of the plan holds, if it holds them. No data is read, and nothing is charged.
    ///
    /// # Errors
    /// [`StudyError`].
    pub fn recall(
        &self,
        ledger: &Ledger,
        account: &str,
        watch: &dyn Watch,
    ) -> Result<Option<Answers>, StudyError> {
        match self.batch.recall(ledger, account)? {
            Some(release) => Ok(Some(self.answers(&release, watch))),
            None => Ok(None),
        }
    }

    /// Counts all questions in one pass, charges the account once, draws and records all answers in one transaction,
    /// and reads them. If the ledger has the answers, they are read from there; with `again` they are drawn and charged
    /// anew.
    ///
    /// # Errors
    /// [`StudyError`]; then nothing was released.
    pub fn charge(
        &self,
        ledger: &mut Ledger,
        account: &str,
        again: bool,
        watch: &dyn Watch,
    ) -> Result<Answers, StudyError> {
        if !again && let Some(answers) = self.recall(ledger, account, watch)? {
            return Ok(answers);
        }
        let data = self.count(Randomness::System, watch)?;
        let release = self.batch.charge(&data, ledger, account, again, None)?;
        Ok(self.answers(&release, watch))
    }

    /// Counts and draws without a ledger: nobody keeps account of it.
    ///
    /// # Errors
    /// As [`Study::charge`].
    pub fn publish(&self, watch: &dyn Watch) -> Result<Answers, StudyError> {
        let data = self.count(Randomness::System, watch)?;
        Ok(self.answers(&self.batch.publish(&data)?, watch))
    }

    /// Draws from a seed, for experiments. Nothing of it is private.
    ///
    /// # Errors
    /// As [`Study::charge`].
    pub fn experiment(&self, seed: u64, watch: &dyn Watch) -> Result<Answers, StudyError> {
        let randomness = Randomness::Seed(seed);
        let data = self.count(randomness, watch)?;
        let drawn = self.batch.experiment(&data, seed)?;
        let answers = drawn.iter().map(|document| (document, &Payment::Nothing));
        Ok(Answers { answers: self.each(answers, watch), payment: Payment::Nothing })
    }

    /// Counts all questions in one pass, and says what is known before the draw.
    fn count(&self, randomness: Randomness, watch: &dyn Watch) -> Result<BatchData, StudyError> {
        let progress = |rows| watch.rows(rows);
        let data = self.batch.count_in(&*self.records, randomness, &Resources::default(), &progress)?;
        for (asked, warning) in self.plan().questions().zip(data.mostly_noise()) {
            warning.iter().for_each(|text| watch.warning(Some(asked.name()), text));
        }
        self.plan().warnings(data.n()).iter().for_each(|text| watch.warning(None, text));
        Ok(data)
    }

    fn answers(&self, release: &BatchRelease, watch: &dyn Watch) -> Answers {
        let answers = release.answers().iter().map(|(document, payment)| (document, payment));
        Answers { answers: self.each(answers, watch), payment: release.payment().clone() }
    }

    fn each<'a>(
        &self,
        documents: impl Iterator<Item = (&'a Publication, &'a Payment)>,
        watch: &dyn Watch,
    ) -> Vec<Answer> {
        let names = self.plan().questions().map(|asked| asked.name());
        let all = names.zip(documents).enumerate();
        all.map(|(index, (name, (document, payment)))| {
            watch.results(index, self.plan().questions().count());
            Answer::new(name, document, payment)
        })
        .collect()
    }
}
