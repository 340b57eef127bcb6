//! From records to a release of many tables.

use std::fmt;
use std::ops::ControlFlow;

use posterity_core::model::Adjacency;
use posterity_core::noise::DiscreteGaussian;
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_count::{CountedMargins, DataError, Question, Resources, Source, check_margins, count_margins};
use posterity_ledger::Charge;
use posterity_margins::{Plan, Sampler, Tables};
use serde_json::{Value, json};

use super::MarginsDocument;
use super::answer::Margins;
use super::drawn::DrawnMargins;
use super::error::MarginsError;
use super::request::{MarginsRequest, MarginsTerms};
use crate::about::About;
use crate::charging::Payer;
use crate::known_source::KnownSource;
use crate::paper::{self, Kind, Paper};
use crate::private_data::NameError;
use crate::publish_error::PublishError;
use crate::question::unnamed;
use crate::randomness::Randomness;
use crate::release::Payment;
use crate::system_bits::SystemBits;

/// Releases tables of many columns on public terms.
///
/// ```
/// use std::ops::ControlFlow;
/// use posterity::data::{Column, Question, Resources, Source};
/// use posterity::{MarginsPublisher, MarginsTerms, Randomness, Which};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("people.csv");
/// # let rows: String = (0..200).map(|id| format!("{},{},{}\n", id % 2, id % 3 / 2, id % 5 / 4)).collect();
/// # std::fs::write(&path, format!("smokes,drinks,cured\n{rows}"))?;
/// let columns = ["smokes", "drinks", "cured"].map(|name| Column::new(name, ["0", "1"]));
/// let terms = MarginsTerms::new(Which::all(2), "1".parse()?, "1e-9".parse()?);
/// let planned = MarginsPublisher::new(terms).plan(Question::new(columns.into()))?;
/// let source = Source::files(path.to_string_lossy());
/// let go_on = |_| ControlFlow::Continue(());
/// let data = planned.count(&source, None, Randomness::System, &Resources::default(), &go_on)?;
/// let document = data.publish()?;
/// let read = document.answer().read(&"cured | smokes".parse()?)?;
/// assert_eq!(read.rows.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MarginsPublisher {
    terms: MarginsTerms,
}

/// Tables that were planned before any data is read.
#[derive(Clone, Debug)]
pub struct PlannedMargins {
    question: Question,
    request: MarginsRequest,
    plan: Plan,
}

/// Counted tables. They are private: they are drawn from once, and nothing else reads them.
pub struct MarginsData {
    /// The tables of all sets that are in no other.
    counted: Vec<Vec<u64>>,
    request: MarginsRequest,
    plan: Plan,
    n: Option<u64>,
    /// What a ledger knows the source and the question by; nothing for data without a name.
    description: Option<String>,
    /// Whether the records of units were drawn from a seed.
    seeded: bool,
}

impl MarginsPublisher {
    /// A publisher on these terms.
    #[must_use]
    pub fn new(terms: MarginsTerms) -> Self {
        Self { terms }
    }

    /// Checks the question and the terms, and finds the noise of every table, before anything is read.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn plan(&self, question: Question) -> Result<PlannedMargins, PublishError> {
        let question = Question { adjacency: self.terms.adjacency, ..question };
        let (request, workload) = MarginsRequest::new(About::new(&question, None), self.terms.clone(), None)?;
        let plan = self.terms.plan_of(workload)?;
        Ok(PlannedMargins { question, request, plan })
    }
}

impl PlannedMargins {
    /// The noise of every table.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Checks the question as far as that is possible before a source is opened.
    ///
    /// # Errors
    /// [`DataError`].
    pub fn check(&self) -> Result<(), DataError> {
        check_margins(&self.question, &self.sets())
    }

    /// Counts all tables in one pass over a source. `progress` is called now and then, and may end the count.
    ///
    /// # Errors
    /// [`DataError`]; it says nothing that a record holds.
    pub fn count(
        self,
        source: &Source,
        edition: Option<&str>,
        randomness: Randomness,
        resources: &Resources,
        progress: &dyn Fn(u64) -> ControlFlow<()>,
    ) -> Result<MarginsData, DataError> {
        let mut bits = randomness.bits_of_data();
        let counted = count_margins(source, &self.question, &self.sets(), &mut *bits, resources, progress)?;
        let known = KnownSource::of(source, &self.question);
        Ok(self.with(counted, known, edition, randomness))
    }

    /// Tables that were counted in memory, by [`PlannedMargins::question`] and [`PlannedMargins::sets`]. Its owner gives the
    /// name to this data and to no other: a ledger answers the same question about the same name from what it holds.
    /// Without a name every release is charged.
    ///
    /// # Errors
    /// [`NameError`] if the name is empty.
    pub fn counted(
        self,
        counted: CountedMargins,
        name: Option<&str>,
        edition: Option<&str>,
        randomness: Randomness,
    ) -> Result<MarginsData, NameError> {
        let known = |name| KnownSource::named(name, &self.question).ok_or(NameError);
        let known = name.map(known).transpose()?;
        Ok(self.with(counted, known, edition, randomness))
    }

    fn with(
        self,
        counted: CountedMargins,
        known: Option<KnownSource>,
        edition: Option<&str>,
        randomness: Randomness,
    ) -> MarginsData {
        let Self { question, mut request, plan } = self;
        let view = known.as_ref().is_some_and(|known| known.view);
        let (name, description) = known.map(|known| (known.name, known.description)).unzip();
        let edition = edition.map(ToOwned::to_owned);
        request.about = About { view, edition, ..About::new(&question, name) };
        MarginsData {
            counted: counted.tables,
            n: request.terms.adjacency.is_replace().then_some(counted.n),
            request,
            plan,
            description,
            seeded: randomness.seeds(question.unit.as_ref(), &question.per_unit),
        }
    }

    /// What is asked of the records.
    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The sets that are counted, by the positions of their columns: those that are in no other.
    #[must_use]
    pub fn sets(&self) -> Vec<Vec<usize>> {
        let workload = self.plan.workload();
        let columns = |index: usize| {
            workload.sets()[index].columns().iter().map(|&column| usize::from(column)).collect()
        };
        workload.maximal().into_iter().map(columns).collect()
    }
}

impl MarginsData {
    /// What the data is and what is asked of it.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.request.about
    }

    /// Draws from the operating system's randomness. No ledger keeps account of it; see [`MarginsData::charge`]. The
    /// data is used up: drawn twice, it would protect half as much.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released.
    pub fn publish(self) -> Result<MarginsDocument, PublishError> {
        self.refuse_seeded()?;
        let drawn = self.draw(&self.tables()?, &mut SystemBits::new())?;
        Paper::of_draw(self.request, self.n, drawn)
    }

    /// Draws from a seed, for experiments. It is not private, and the document says so.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(mut self, seed: u64) -> Result<MarginsDocument, PublishError> {
        self.request.seed = Some(seed);
        let drawn = self.draw(&self.tables()?, &mut SeededBits::new(seed))?;
        Paper::of_draw(self.request, self.n, drawn)
    }

    /// Charges an account, draws and records in one transaction; or finds the answer on file, and charges nothing.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the draw failed, the charge stays.
    pub fn charge(self, mut payer: Payer<'_>) -> Result<(MarginsDocument, Payment), PublishError> {
        self.refuse_seeded()?;
        // Data without a name cannot be recognised.
        payer.again |= self.description.is_none();
        let (rho, tables) = (self.request.terms.rho()?, self.tables()?);
        let asked = paper::Asked::<Margins> {
            part: self.part(),
            price: &|question| Charge::concentrated(question, rho.clone()),
            adjacency: self.request.terms.adjacency,
            unit: self.request.about.unit.as_deref(),
            request: &self.request,
            n: self.n,
        };
        paper::charge(&asked, payer, &mut SystemBits::new(), |bits| self.draw(&tables, bits))
    }

    fn refuse_seeded(&self) -> Result<(), PublishError> {
        if self.seeded { Err(PublishError::SeededData) } else { Ok(()) }
    }

    /// The tables. They are always those of the workload: a count ends with an error long before it has more records than
    /// they may have, so that nothing here depends on a private n.
    fn tables(&self) -> Result<Tables, MarginsError> {
        Ok(Tables::of_maximal(self.plan.workload(), self.counted.clone())?)
    }

    /// What the ledger knows the question by.
    fn part(&self) -> Value {
        let terms = &self.request.terms;
        let mut part = json!({
            "data": self.description.clone().unwrap_or_else(|| unnamed(self.about())),
            "delta": terms.delta.rational().to_string(),
            "epsilon": terms.epsilon.rational().to_string(),
            "margins": terms.which,
            "mechanism": Margins::NAME,
        });
        if terms.adjacency != Adjacency::Replace {
            part["adjacency"] = json!(terms.adjacency);
        }
        if let Some(edition) = &self.request.about.edition {
            part["edition"] = json!(edition);
        }
        part
    }

    /// Draws the noise of every residual.
    fn draw(&self, tables: &Tables, bits: &mut dyn BitSource) -> Result<DrawnMargins, PublishError> {
        let law = |variance: &_| {
            let noise = DiscreteGaussian::new(variance).map_err(MarginsError::from)?;
            Ok::<Sampler<'_>, PublishError>(Box::new(move |bits| noise.draw(bits)))
        };
        let released = posterity_margins::draw(&self.plan, tables, law, bits)?;
        let quiet = usize::from(self.n.is_some());
        let sets = self.plan.workload().sets().len();
        Ok(DrawnMargins {
            precisions: (0..sets).filter_map(|index| self.plan.precision(index)).collect(),
            residuals: released.residuals()[quiet..].to_vec(),
        })
    }
}

/// Hides the data.
impl fmt::Debug for MarginsData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MarginsData").field("about", self.about()).finish_non_exhaustive()
    }
}
