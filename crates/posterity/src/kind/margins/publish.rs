//! From records to a release of many tables.

use std::fmt;
use std::ops::ControlFlow;

use posterity_core::model::Adjacency;
use posterity_core::noise::DiscreteGaussian;
use posterity_core::sampler::BitSource;
use posterity_count::{CountedMargins, DataError, Question, Resources, Source, check_margins, count_margins};
use posterity_margins::{Plan, Sampler, Tables};
use serde_json::{Value, json};

use super::MarginsDocument;
use super::answer::{Margins, MarginsReading};
use super::asked::{check, check_kind};
use super::drawn::DrawnMargins;
use super::error::MarginsError;
use super::reading::usual_readings;
use super::request::{MarginsRequest, MarginsTerms};
use crate::about::{About, AboutColumn};
use crate::ask::{Ask, Price};
use crate::charging::Payer;
use crate::known_name::Fingerprint;
use crate::known_source::KnownSource;
use crate::meaning::{check_delta, warnings};
use crate::paper::Kind;
use crate::private_data::NameError;
use crate::publish_error::PublishError;
use crate::question::unnamed;
use crate::randomness::Randomness;
use crate::release::Payment;
use crate::table::{Contrast, Reading, ReadingError, SpaceColumn, Ways};

/// Releases tables of many columns on public terms.
///
/// ```
/// use std::ops::ControlFlow;
/// use posterity::data::{Column, Question, Resources, Source};
/// use posterity::margins::{MarginsPublisher, MarginsTerms, Which};
/// use posterity::Randomness;
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
    is_large_delta_allowed: bool,
}

/// Tables that were planned before any data is read.
#[derive(Clone, Debug)]
pub struct PlannedMargins {
    question: Question,
    request: MarginsRequest,
    plan: Plan,
    /// What is read: what is asked for, or else what is usual.
    shown: Vec<Reading>,
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
    /// Whether it is data in memory that somebody named.
    named: bool,
}

impl MarginsPublisher {
    /// A publisher on these terms.
    #[must_use]
    pub fn new(terms: MarginsTerms) -> Self {
        Self { terms, is_large_delta_allowed: false }
    }

    /// Says whether a delta above [`MOST_DELTA`](crate::meaning::MOST_DELTA) is meant. Without that it is refused.
    #[must_use]
    pub fn allow_large_delta(self, is_allowed: bool) -> Self {
        Self { is_large_delta_allowed: is_allowed, ..self }
    }

    /// Checks the question and the terms, and finds the noise of every table, before anything is read.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn plan(&self, question: Question) -> Result<PlannedMargins, PublishError> {
        check_delta(&self.terms.delta, self.is_large_delta_allowed)?;
        let question = Question { adjacency: self.terms.adjacency, ..question };
        let (request, workload) = MarginsRequest::new(About::new(&question, None), self.terms.clone(), None)?;
        let plan = self.terms.plan_of(workload)?;
        Ok(PlannedMargins { shown: usual_readings(&request.about), question, request, plan })
    }
}

impl PlannedMargins {
    /// The noise of every table.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &MarginsTerms {
        &self.request.terms
    }

    /// What is read from the release: what is asked for, or else each column by itself. Those of more than
    /// [`Space::MOST_LISTED`](crate::table::Space::MOST_LISTED) values are left out.
    #[must_use]
    pub fn shown(&self) -> &[Reading] {
        &self.shown
    }

    /// Whether the tables have a reading.
    ///
    /// # Errors
    /// [`ReadingError`]; it names tables that have some of the columns if none has all of them.
    pub fn check_reading(&self, reading: &Reading) -> Result<(), ReadingError> {
        check(&self.request.about, self.plan.workload(), std::slice::from_ref(reading), &[])
    }

    /// Whether the tables have a comparison.
    ///
    /// # Errors
    /// As [`PlannedMargins::check_reading`].
    pub fn check_comparison(&self, contrast: &Contrast) -> Result<(), ReadingError> {
        check(&self.request.about, self.plan.workload(), &[], std::slice::from_ref(contrast))
    }

    /// Takes other intervals, readings and comparisons.
    ///
    /// # Errors
    /// [`ReadingError`] if there are no such intervals, or no table has the columns of a reading or a comparison.
    pub fn read_as(
        mut self,
        ways: Ways,
        readings: Vec<Reading>,
        comparisons: Vec<Contrast>,
    ) -> Result<Self, ReadingError> {
        self.request.check_ways(ways)?;
        check(&self.request.about, self.plan.workload(), &readings, &comparisons)?;
        check_kind(ways, &readings)?;
        self.shown = if readings.is_empty() { usual_readings(&self.request.about) } else { readings.clone() };
        self.request.terms = MarginsTerms { ways, readings, comparisons, ..self.request.terms };
        Ok(self)
    }

    /// The release to expect of n records whose columns are independent of each other and have values with these shares: one
    /// without errors, whose intervals are as wide as the noise makes them. Nothing is read.
    ///
    /// # Errors
    /// [`PublishError`] if there can be no such number of records.
    pub fn expected(
        &self,
        n: u64,
        shares: &dyn Fn(&SpaceColumn) -> Vec<f64>,
    ) -> Result<Margins, PublishError> {
        let workload = self.plan.workload();
        // If the share of a cell is the product of those of its values s, its residual, times the number of cells, is n times
        // the product of (m s - 1), where m is the number of values of a column.
        let parts_of = |column: &AboutColumn| -> Vec<f64> {
            let shares = shares(&SpaceColumn::from(column));
            shares.iter().map(|share| shares.len() as f64 * share - 1.0).collect()
        };
        let parts: Vec<Vec<f64>> = self.request.about.columns.iter().map(parts_of).collect();
        let of_set = |index: usize| {
            let columns = workload.sets()[index].columns().iter().map(|&column| &parts[usize::from(column)]);
            let products = columns.fold(vec![n as f64], |products, parts| {
                products.iter().flat_map(|product| parts.iter().map(move |part| product * part)).collect()
            });
            products.into_iter().map(|residual| residual.round() as i64).collect()
        };
        let mut residuals: Vec<Vec<i64>> = (0..workload.sets().len()).map(of_set).collect();
        let public = self.request.terms.adjacency.is_replace();
        match i64::try_from(n) {
            Ok(n) => residuals[0] = vec![n],
            Err(_) => return Err(PublishError::StoredDocument),
        }
        let drawn = DrawnMargins::new(&self.plan, residuals, public);
        Margins::new(self.request.clone(), public.then_some(n), self.request.promised(), drawn)
            .map_err(|_| PublishError::StoredDocument)
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
        let known = KnownSource::of(source, &in_one_order(&self.question));
        Ok(self.with(counted, known, edition, randomness))
    }

    /// Counts all tables of a source on a cluster: the same data as [`PlannedMargins::count`] gives. Where one record of
    /// each unit is drawn, the executors draw it, each from its own system's randomness.
    ///
    /// # Errors
    /// [`DataError`]; it says nothing that a record holds.
    #[cfg(feature = "cluster")]
    pub fn count_on(
        self,
        source: &Source,
        edition: Option<&str>,
        cluster: &posterity_count::Cluster,
    ) -> Result<MarginsData, DataError> {
        let counted = posterity_count::count_margins_on(source, &self.question, &self.sets(), cluster)?;
        let known = KnownSource::of(source, &in_one_order(&self.question));
        Ok(self.with(counted, known, edition, Randomness::System))
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
        let known = |name| KnownSource::named(name, &in_one_order(&self.question)).ok_or(NameError);
        let known = name.map(known).transpose()?;
        let named = known.is_some();
        Ok(MarginsData { named, ..self.with(counted, known, edition, randomness) })
    }

    fn with(
        self,
        counted: CountedMargins,
        known: Option<KnownSource>,
        edition: Option<&str>,
        randomness: Randomness,
    ) -> MarginsData {
        let Self { question, mut request, plan, .. } = self;
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
            named: false,
        }
    }

    /// What is asked of a source that readers know by another name, and what a ledger knows the source and the question by.
    pub(crate) fn asked_of(
        &self,
        source: &Source,
        shown: Option<&str>,
        edition: Option<&str>,
    ) -> (MarginsRequest, Option<String>) {
        let known = KnownSource::of(source, &in_one_order(&self.question));
        let view = known.as_ref().is_some_and(|known| known.view);
        let mut request = self.request.clone();
        request.about = About {
            view,
            edition: edition.map(ToOwned::to_owned),
            ..About::new(&self.question, shown.map(ToOwned::to_owned))
        };
        (request, known.map(|known| known.description))
    }

    /// Tables of a source that were counted together with other questions, and whether their owner named them in memory.
    pub(crate) fn counted_with(
        &self,
        counted: CountedMargins,
        (request, description): (MarginsRequest, Option<String>),
        randomness: Randomness,
        in_memory: bool,
    ) -> MarginsData {
        MarginsData {
            counted: counted.tables,
            n: request.terms.adjacency.is_replace().then_some(counted.n),
            request,
            plan: self.plan.clone(),
            named: in_memory && description.is_some(),
            description,
            seeded: randomness.seeds(self.question.unit.as_ref(), &self.question.per_unit),
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

    /// Names the source in this way to readers, as does [`Data::shown_as`](crate::Data::shown_as).
    #[must_use]
    pub fn shown_as(mut self, name: &str) -> Self {
        self.request.about.source = Some(name.to_owned());
        self
    }

    /// A warning about tables that will say nearly nothing but noise, before anything is drawn or charged; none if there
    /// are none. Where n is private there is none either: whether there is one would tell n.
    pub(crate) fn mostly_noise(&self) -> Option<String> {
        self.n.and_then(|n| MarginsTerms::mostly_noise(&self.plan, n as f64))
    }

    /// Everything to warn of before anything is drawn or charged: a budget that protects hardly anybody, and tables that
    /// will say nearly nothing but noise. It depends on what is public only.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let MarginsTerms { adjacency, epsilon, delta, .. } = &self.request.terms;
        let of_budget = warnings(*adjacency, epsilon.to_f64_shown(), delta.to_f64_shown(), self.n);
        of_budget.into_iter().chain(self.mostly_noise()).collect()
    }

    /// The question, checked: all that is missing is the draw. The data is used up: drawn twice, it would protect half as
    /// much.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn ask<'a>(self) -> Result<Ask<'a, Margins>, PublishError> {
        let (ask, tables) = self.checked()?;
        Ok(ask.drawn_by(move |seed, bits| self.answer(&tables, seed, bits)))
    }

    /// The question about data that a batch keeps, checked.
    pub(crate) fn ask_again(&self) -> Result<Ask<'_, Margins>, PublishError> {
        let (ask, tables) = self.checked()?;
        Ok(ask.drawn_by(move |seed, bits| self.answer(&tables, seed, bits)))
    }

    /// The question without its draw, and the tables to draw from.
    fn checked<'a>(&self) -> Result<(Ask<'a, Margins>, Tables), PublishError> {
        let ask = ask_of(&self.request, self.description.as_deref(), self.n)?;
        let counts = self.counted.iter().flatten().copied();
        let fingerprint =
            if self.named { Fingerprint::of(&ask.part, ask.n, &self.request.about, counts) } else { None };
        Ok((Ask { seeded: self.seeded, fingerprint, ..ask }, self.tables()?))
    }

    /// Draws the answer, from a seed if there is one.
    fn answer(
        &self,
        tables: &Tables,
        seed: Option<u64>,
        bits: &mut dyn BitSource,
    ) -> Result<Margins, PublishError> {
        let drawn = self.draw(tables, bits)?;
        let request = MarginsRequest { seed, ..self.request.clone() };
        let promise = request.promised();
        Margins::new(request, self.n, promise, drawn).map_err(|_| PublishError::StoredDocument)
    }

    /// Draws from the operating system's randomness. No ledger keeps account of it; see [`MarginsData::charge`]. The
    /// data is used up: drawn twice, it would protect half as much.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released.
    pub fn publish(self) -> Result<MarginsDocument, PublishError> {
        self.ask()?.publish()
    }

    /// Draws from a seed, for experiments. It is not private, and the document says so.
    ///
    /// # Errors
    /// [`PublishError`].
    pub fn experiment(self, seed: u64) -> Result<MarginsDocument, PublishError> {
        self.ask()?.experiment(seed)
    }

    /// Charges an account, draws and records in one transaction; or finds the answer on file, and charges nothing.
    ///
    /// # Errors
    /// [`PublishError`]; then nothing was released. If the draw failed, the charge stays.
    pub fn charge(self, payer: Payer<'_>) -> Result<(MarginsDocument, Payment), PublishError> {
        self.ask()?.charge(payer)
    }

    /// The number of records or units, if it is public.
    pub(crate) fn n(&self) -> Option<u64> {
        self.n
    }

    /// The tables. They are always those of the workload: a count ends with an error long before it has more records than
    /// they may have, so that nothing here depends on a private n.
    fn tables(&self) -> Result<Tables, MarginsError> {
        Ok(Tables::of_maximal(self.plan.workload(), self.counted.clone())?)
    }

    /// Draws the noise of every residual.
    fn draw(&self, tables: &Tables, bits: &mut dyn BitSource) -> Result<DrawnMargins, PublishError> {
        let law = |variance: &_| {
            let noise = DiscreteGaussian::new(variance).map_err(MarginsError::from)?;
            Ok::<Sampler<'_>, PublishError>(Box::new(move |bits| noise.draw(bits)))
        };
        let released = posterity_margins::draw(&self.plan, tables, law, bits)?;
        Ok(DrawnMargins::new(&self.plan, released.residuals().to_vec(), self.n.is_some()))
    }
}

/// Hides the data.
impl fmt::Debug for MarginsData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MarginsData").field("about", self.about()).finish_non_exhaustive()
    }
}

/// The question about n records. Nothing says yet how it is drawn.
pub(super) fn ask_of<'a>(
    request: &MarginsRequest,
    description: Option<&str>,
    n: Option<u64>,
) -> Result<Ask<'a, Margins>, PublishError> {
    let MarginsRequest { about, terms, .. } = request;
    let reading = MarginsReading {
        ways: terms.ways,
        readings: terms.readings.clone(),
        comparisons: terms.comparisons.clone(),
    };
    let (rho, stated) = terms.price()?;
    let (price, protects) = (Ok(Price::Rho(rho, stated)), (terms.adjacency, about.unit.as_deref(), n));
    let ask = Ask::new(part(request, description), price, protects, (request.clone(), reading));
    Ok(Ask { named: description.is_some(), ..ask })
}

/// The question with its columns in the order of their names: the order changes nothing of the law, so a ledger knows the
/// question in any.
fn in_one_order(question: &Question) -> Question {
    let mut question = question.clone();
    question.columns.sort_by(|one, other| one.name.cmp(&other.name));
    question
}

/// What the ledger knows the question by. Columns and sets are in the order of their names.
fn part(request: &MarginsRequest, description: Option<&str>) -> Value {
    let MarginsRequest { about, terms, .. } = request;
    let mut about = about.clone();
    about.columns.sort_by(|one, other| one.name.cmp(&other.name));
    // The sets are of these columns.
    let which = terms.which.clone().canonical(&about.columns).unwrap_or_else(|_| terms.which.clone());
    let mut part = json!({
        "data": description.map_or_else(|| unnamed(&about), ToOwned::to_owned),
        "delta": terms.delta.rational().to_string(),
        "epsilon": terms.epsilon.rational().to_string(),
        "margins": which,
        "mechanism": Margins::NAME,
    });
    if terms.adjacency != Adjacency::Replace {
        part["adjacency"] = json!(terms.adjacency);
    }
    if let Some(edition) = &about.edition {
        part["edition"] = json!(edition);
    }
    part
}
